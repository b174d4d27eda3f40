"""Proofs about the discrete process: one file a policy or a topic."""
