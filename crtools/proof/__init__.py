"""Proofs for every u, each a sequence of machine-checked steps."""

PRODUCTS = 10**7
"""Products of terms that a step may cost here; a certificate as a whole may cost a fortieth."""
