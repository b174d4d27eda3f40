"""The mathematics of the claims, one topic a file."""
