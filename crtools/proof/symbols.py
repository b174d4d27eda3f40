"""The symbols that the proofs share: integers of the paper and its weights."""

import sympy as sp

s, l, u, i, j, k, m = sp.symbols("s l u i j k m", integer=True)
v, r, alpha = sp.symbols("v r alpha", positive=True)
n = sp.Symbol("n", integer=True)
