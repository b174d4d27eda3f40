"""Proofs for every u, each a sequence of machine-checked steps."""
