"""Evidence on A_u and B_u: entries, inverse, trace, definiteness, and the logarithmic bounds of the worst case."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import of_theorem, renamed, same, sign, telescoping
from crtools.forms import form
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import exact, refuted
from crtools.papers.adaptive.levels import FORM
from crtools.papers.adaptive.theorems.form import definiteness, log_bound
from crtools.papers.adaptive.theorems.form.entries import corollary
from crtools.papers.adaptive.theorems.form.intervals import difference
from crtools.papers.adaptive.theorems.form.tails import positivity
from crtools.papers.adaptive.theorems.form.trace import DIAGONAL, LAST, OFF_DIAGONAL, general_trace
from crtools.proof.steps import Telescoping
from crtools.proof.symbols import i, j, u

ZERO = sp.Integer(0)


def _a(x: Any, y: Any) -> Any:
    return form("a-min").formula(x, y, ZERO)


def _b(x: Any, y: Any) -> Any:
    return form("h-sf").formula(x, y, ZERO)


def cor_ab(result: ClaimResult) -> Data:
    """Return the antidifferences over the periods k and the entries that they sum to."""
    del result
    own = {step.name: step for step in corollary(_a(i, j), _b(i, j)).steps}
    cross, square = own["cross terms, k > l"], own["squares, k > l"]
    assert isinstance(cross, Telescoping)
    assert isinstance(square, Telescoping)
    return {
        "steps": [
            telescoping("cross terms", "i j k", "k", cross.antidifference),
            same("cross_sum", "i j", 2 * _a(i, j)),
            same("a", "i j", _a(i, j)),
            telescoping("squares", "i k", "k", square.antidifference),
            same("a, i = j", "i", _a(i, i)),
            same("b", "i", _b(i, j)),
        ]
    }


def b_inverse(result: ClaimResult) -> Data:
    """Return the products of a row of the inverse with a column of B, term by term."""
    del result
    before = OFF_DIAGONAL.subs(i, i - 1)
    return {
        "steps": [
            same("inner row, m = i: before", "i", before * _b(i - 1, i)),
            same("inner row, m = i: diagonal", "i", DIAGONAL * _b(i, i)),
            same("inner row, m = i: after", "i", OFF_DIAGONAL * _b(i, i + 1)),
            same("inner row, m < i: sum of the row", "i", before + DIAGONAL),
            same("last row, m = u: diagonal", "u", LAST * _b(u, u)),
            same("last row, m = u: before", "u", OFF_DIAGONAL.subs(i, u - 1) * _b(u - 1, u)),
        ]
    }


def _gains() -> tuple[Any, Any]:
    """The increments of T_1 and 2T_2 from u to u + 1."""
    after = LAST.subs(u, u + 1)
    first = DIAGONAL.subs(i, u) * _a(u, u) + after * _a(u + 1, u + 1) - LAST * _a(u, u)
    return first, 2 * OFF_DIAGONAL.subs(i, u) * _a(u, u + 1)


def _induction(start: int, gain: Any) -> list[Data]:
    return [{"step": "at u = 1", "value": str(start)}, same("from u to u + 1", "u", gain)]


def t1(result: ClaimResult) -> Data:
    """Return base and increment of T_1."""
    del result
    return {"steps": _induction(1, _gains()[0])}


def t2(result: ClaimResult) -> Data:
    """Return base and increment of 2T_2, and its summand."""
    del result
    return {"steps": [*_induction(0, _gains()[1]), same("summand", "i", OFF_DIAGONAL * _a(i, i + 1))]}


def trace(result: ClaimResult) -> Data:
    """Return base and increment of the trace."""
    del result
    return {"steps": _induction(1, sum(_gains()))}


def _b_definite() -> list[Data]:
    return of_theorem(definiteness.b_definite(), {"W_l": "", "W_k": ""})


def _gram() -> list[Data]:
    return of_theorem(definiteness.a_definite(), {"split": "i j", "Gram": "i j", "independent": ""})


def lem_pd(result: ClaimResult) -> Data:
    """Return the weights, the Gram matrix, the steps of the published proof, and where its strictness argument fails.

    There: two points and a vector at which g ≡ 1 is not strictly positive definite.
    """
    refuted(result, "strictness")
    r, x = sp.symbols("r t")
    g = 2 * r - r**2
    transform = sum(c * 2 * p / (p**2 + x) for (p,), c in sp.Poly(g, r).terms())
    [hadamard] = of_theorem(definiteness.hadamard(int(result.given["hadamard_power"])), {"weights": ""})
    return {
        "steps": [
            *_b_definite(),
            *_gram(),
            renamed(hadamard, "Hadamard weights"),
            same("normalised", "i j", 2 * _a(i, j) / (i * j) - 1),
            same("Fourier transform", "t", transform),
            sign("Fourier transform is positive", ((x, 0),), transform),
        ],
        "strictness": {"points": [0, 1], "vector": [1, -1]},
    }


def not_logarithmic(result: ClaimResult) -> Data:
    """Return the family u = s = m² whose ratio exceeds m/3, and its first members."""
    refuted(result, "every-s", FORM)
    members: list[Data] = []
    for number in (2, 4, 10):
        value = log_bound.family_ratio(Fraction(number))
        where = {"m": number, "s": number**2, "l": 1, "u": number**2, "weights": [number, 1]}
        members.append({**where, "ratio": exact(value)})
    return {"steps": of_theorem(log_bound.not_logarithmic(), {"family": ""}), "members": members}


def _cauchy() -> list[Data]:
    return of_theorem(log_bound.cauchy(), {"weights": "l", "weights, k > l": "k"})


def _artanh() -> list[Data]:
    return of_theorem(log_bound.logarithm_above(), {"artanh above": ""})


def _upper() -> list[Data]:
    return [*of_theorem(log_bound.upper(), {"entrywise": ""}), *_cauchy(), *_artanh()]


def logarithmic_at_zero(result: ClaimResult) -> Data:
    """Return the bound 3/2 + ¼ ln(1/α) at s = 0."""
    del result
    return {"steps": _upper()}


def cor_intervals_at_zero(result: ClaimResult) -> Data:
    """Return the same bound, and A − B ≥ 0."""
    del result
    [sign_of_difference] = of_theorem(difference(), {"A − B ≥ 0": ""})
    return {"steps": [*_upper(), renamed(sign_of_difference, "A − B")]}


def _positivity() -> list[Data]:
    kinds = ("l < k < j", "k = j", "k > j", "k = l < j", "k = l = j < u", "k = u > j", "k = u = j > l", "k = l = u = j")
    return of_theorem(positivity(), dict.fromkeys(kinds, ""))


def lower_steps() -> list[Data]:
    """Return why the tails T_k = 1/(2k−1) give at least ½E² + ¾E − ¼ for A_min."""
    names = {"x_l": "", "x_k": "", "H-SF, l": "l", "H-SF, k > l": "k", "p, start": "l", "p, step": "u", "start": "l"}
    return of_theorem(log_bound.lower(), {**names, "step": ""})


def thm_log_at_zero(result: ClaimResult) -> Data:
    """Return the proofs of every bound at s = 0: upper, positivity, trace, sharp upper, lower, order."""
    del result
    sharp = {"split": "i j", "split B": "i j", "Gram": "i j", "independent": ""}
    order = {"artanh below": "", "ends": ""}
    return {
        "upper": _upper(),
        "positivity": _positivity(),
        "trace": [*_gram(), *_b_definite(), *of_theorem(general_trace(), {"first": "", "inner": "s i"})],
        "sharp": [*of_theorem(log_bound.sharp_upper(), sharp), *_cauchy()],
        "lower": lower_steps(),
        "order": [*_artanh(), *of_theorem(log_bound.logarithmic_order(), order)],
    }
