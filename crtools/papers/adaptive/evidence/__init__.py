"""Deciders and computations that several claims of the paper share, one file a topic; claims call them and show their evidence."""
