"""Write 01-log-theorem.ipynb from the cells below (kept as text so that changes can be reviewed).

    python notebooks/build.py
"""

from __future__ import annotations

from pathlib import Path

import nbformat

CELLS = [
    ("md", """# The log theorem, from matrices to figure

The scheduler $\\mathcal A_{\\min}$ knows only lower bounds on output lengths. In the limit $M\\to\\infty$ its total
latency is a quadratic form in the weights $x_k$ (the share of requests with output length $k$), and so is the
latency of the hindsight scheduler H-SF. The worst competitive ratio *of the form* is the largest value of

$$R(x)=\\frac{x^\\top A_u x}{x^\\top B_u x},\\qquad x\\ge 0 .$$

This notebook follows Section 4 of the paper: the matrices, the trace, the bounds, the figure."""),
    ("code", """import numpy as np
import crtools
from crtools import Setting, form, verify, worst_case"""),
    ("md", """## 1. The matrices

A form is written once and evaluated over any ring. On a setting it has an exact matrix, a float matrix, and products
in $O(u)$."""),
    ("code", """setting = Setting(s=0, l=1, u=4)
A = form("a-min").on(setting)
B = form("h-sf").on(setting)
print(A.matrix())
print(B.matrix())"""),
    ("code", """import sympy as sp
i, j, s = sp.symbols("i j s", positive=True)
sp.factor(form("a-min").entry(i, j, s))   # i ≤ j, any prompt size s"""),
    ("md", """## 2. Proofs for every $u$

`verify` decides claims of the paper by proofs whose every step is re-checked, or by counterexamples."""),
    ("code", """ledger = verify(["cor-ab", "b-inverse", "t1", "t2", "trace"])
for result in ledger:
    print(f"{result.id:10s} {result.verdicts[0].status}")"""),
    ("code", """print(ledger[-1].show())   # the trace, with its induction"""),
    ("md", """A corrupted claim is refuted with a counterexample. Here the harmonic number is cut short by one term:"""),
    ("code", """wrong = verify(["trace"], set={"closed_form": "harmonic(u-1)"})[0]
print(wrong.verdicts[0].status, wrong.verdicts[0].parts[0].evidence["counterexample"])"""),
    ("md", """## 3. The worst case, certified

$B^{-1}A>0$ entrywise, so the supremum over $x\\ge 0$ is the spectral radius. Any positive vector encloses it
(Collatz–Wielandt), so the iteration that found the vector needs no trust."""),
    ("code", """case = worst_case("a-min", l=1, u=1000)
print(case.value)
print(case.enclosure(digits=30))"""),
    ("code", """x = case.weights
k = np.arange(1, 1001)
print("weights of the shortest lengths:", x[:5].round(4))
print("2/(4k²−1), scaled:              ", (2 / (4 * k**2 - 1))[:5].round(4) * x[0] / (2 / 3))"""),
    ("md", """The trace bound $H_u$ has the right order, but its constant is four times too large: at $s=0$ the worst case lies
between $\\tfrac34+\\tfrac12E-\\tfrac1{4E}$ and $\\tfrac34+\\tfrac12E$, with $E=1+\\sum_{k=l+1}^u\\frac1{2k-1}$, so it is
$\\tfrac14\\ln(1/\\alpha)+\\Theta(1)$. Both bounds are proved for every $u\\ge l$."""),
    ("code", """for u in (10, 100, 1000, 10000):
    E = float(np.sum(1 / (2 * np.arange(1, u + 1) - 1)))
    H = float(np.sum(1 / np.arange(1, u + 1)))
    value = worst_case("a-min", u=u).value
    print(f"u={u:6d}  {0.75 + E/2 - 1/(4*E):.4f} ≤ {value:.4f} < {0.75 + E/2:.4f}   H_u = {H:.4f}")"""),
    ("md", """## 4. What "W.L.O.G. $s=0$" hides

With prompts, the worst case of the form is not logarithmic with one constant: at $s=u^2$ two lengths already give more
than $\\tfrac12\\sqrt u$."""),
    ("code", """for u in (16, 100, 900):
    print(f"u={u:4d}", *(f"s={s}: {worst_case('a-min', u=u, s=s).value:.3f}" for s in (0, 10, u, u*u)), sep="   ")"""),
    ("code", """result = verify(["thm-log"])[0]
for verdict in result.verdicts:
    print(f"{verdict.scope}: {verdict.status}\\n   {verdict.why}")"""),
    ("md", """## 5. The figure

Least squares on the maxima for $u=3,\\dots,2000$ against $u-1$ gives the published coefficients to every digit; against
$u$, as the caption says, the shift is smaller by 1."""),
    ("code", """figure = crtools.figure("log-fit")
for name, fit in figure.fits.items():
    print(f"{name:16s} {fit['slope']:.4f} log({fit['abscissa']} + {fit['shift']:.4f}) + {fit['intercept']:.4f}   R² = {fit['r_squared']:.6f}")"""),
    ("code", """import tempfile
from IPython.display import Image
with tempfile.TemporaryDirectory() as folder:
    picture = Image(figure.save(folder)["png"].read_bytes(), width=700)
picture"""),
]


def build() -> nbformat.NotebookNode:
    """Return the notebook, without outputs and with cell ids that do not change from run to run."""
    book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}})
    for number, (kind, source) in enumerate(CELLS):
        make = nbformat.v4.new_markdown_cell if kind == "md" else nbformat.v4.new_code_cell
        cell = make(source)
        cell["id"] = f"cell-{number:02d}"
        book.cells.append(cell)
    return book


if __name__ == "__main__":
    nbformat.write(build(), Path(__file__).with_name("01-log-theorem.ipynb"))
