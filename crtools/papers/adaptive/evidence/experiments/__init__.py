"""What Section 6 says of its experiments."""
