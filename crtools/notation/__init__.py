"""Marked text and formulas: read once, and written for a terminal, as HTML with MathML, and as LaTeX."""
