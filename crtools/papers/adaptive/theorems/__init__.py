"""Proofs: of the forms, and of the discrete process."""
