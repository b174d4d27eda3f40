"""Proofs about the latency forms, for every u."""
