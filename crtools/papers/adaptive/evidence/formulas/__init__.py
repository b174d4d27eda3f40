"""Formulas at s = 0 and for every s: entries, inverses, traces, definiteness, the derivation of the forms."""
