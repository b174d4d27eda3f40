"""Section 5, special distributions."""
