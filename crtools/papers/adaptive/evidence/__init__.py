"""What several claims of the paper share: one file a topic."""
