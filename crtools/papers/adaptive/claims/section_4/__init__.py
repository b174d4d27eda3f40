"""Section 4, A_min."""
