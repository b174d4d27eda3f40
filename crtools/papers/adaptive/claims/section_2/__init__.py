"""Section 2, the problem."""
