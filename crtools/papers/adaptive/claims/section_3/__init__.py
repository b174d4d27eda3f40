"""Section 3, H-SF and A_max."""
