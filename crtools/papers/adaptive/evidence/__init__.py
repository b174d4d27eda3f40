"""What several claims of the paper are decided by: families, exact values, runs."""
