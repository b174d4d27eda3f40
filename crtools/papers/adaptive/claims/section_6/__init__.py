"""Section 6, experiments."""
