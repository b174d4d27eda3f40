"""The mathematics, one file a topic."""
