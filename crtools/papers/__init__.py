"""Ledgers of papers: one package each, found by entry points."""
