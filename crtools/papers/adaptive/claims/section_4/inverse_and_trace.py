"""b-inverse, t1, t2 and trace: Part 2 of the proof of Theorem "aminmain"."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.result import Decision, Part, Proof, Verdict, from_theorem
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form import inverse as inverses
from crtools.papers.adaptive.theorems.form import trace as traces
from crtools.proof.symbols import i, u
from crtools.proof.theorem import Theorem

READING = "for every integer u ≥ 1 at s = 0, l = 1, of the forms"
LARGEST = 9
"""Sizes u up to this one are compared with dense exact matrices."""


FURTHER = 16
"""Where there is no proof, sizes up to this one are looked at for a counterexample."""


def _sizes(first: int, last: int) -> list[dict[str, int]]:
    return [{"u": size} for size in range(first, last + 1)]


@lru_cache(maxsize=FURTHER + 1)
def _dense(size: int) -> tuple[list[list[Fraction]], tuple[Fraction, Fraction]]:
    _, b = literal.matrices(size)
    return literal.inverse(b), literal.t1_t2(size)


def _direct_b_inverse(size: int, row: int, column: int) -> Fraction:
    """Solve min(i,j)² x = e_column by the differences of min(i,j)², another route than elimination."""

    def second(m: int) -> Fraction:  # (T_k)/w_k with T the tail sums' right-hand side
        return Fraction(int(m == column) - int(m - 1 == column), 2 * m - 1)

    return second(row) - (second(row + 1) if row < size else 0)


def decide_inverse(given: Given) -> Decision:
    """Decide the three kinds of entries; each is refuted at a size u and a row where it is wrong."""
    symbols = {"diagonal": {"i": i}, "last": {"u": u}, "off_diagonal": {"i": i}}
    read = {
        name: formula_on(name, given[name], own, integers_from(**dict.fromkeys(own, 1)))
        for name, own in symbols.items()
    }
    trees, claimed = {n: tree for n, (tree, _) in read.items()}, {n: expr for n, (_, expr) in read.items()}
    true = {"diagonal": traces.DIAGONAL, "last": traces.LAST, "off_diagonal": traces.OFF_DIAGONAL}

    def theorem(name: str) -> Callable[[], Theorem]:
        return lambda: inverses.inverse(**{**true, name: claimed[name]})

    def entry(name: str, which: str) -> Callable[[Point], Fraction]:
        def value(p: Point) -> Fraction:
            size = p["u"]
            row = size if name == "last" else p["i"]
            column = row + 1 if name == "off_diagonal" else row
            if which == "dense":
                return _dense(size)[0][row - 1][column - 1]
            return _direct_b_inverse(size, row, column)

        return value

    def part(label: str, name: str, points: list[dict[str, int]], further: list[dict[str, int]]) -> Part:
        routes = (entry(name, "dense"), entry(name, "direct"))
        return decide_formula(label, theorem(name), trees[name], points, *routes, further)

    def rows(first: int, last: int) -> list[dict[str, int]]:
        return [{"u": size, "i": row} for size in range(first, last + 1) for row in range(1, size)]

    sizes, more = _sizes(1, LARGEST), _sizes(LARGEST + 1, FURTHER)
    parts = (
        part("(B⁻¹)_ii for i < u", "diagonal", rows(2, LARGEST), rows(LARGEST + 1, FURTHER)),
        part("(B⁻¹)_uu, the last row", "last", sizes, more),
        part("(B⁻¹)_{i,i+1}", "off_diagonal", rows(2, LARGEST), rows(LARGEST + 1, FURTHER)),
    )
    general = from_theorem("general", inverses.general_inverse())
    parts = (
        Part(parts[0].part, parts[0].status, {**parts[0].evidence, "general s and l": general.evidence}),
        *parts[1:],
    )
    verdict = Verdict(
        "as-stated",
        READING,
        "row-by-row products as rational-function identities",
        parts,
        _why(parts, "B = UᵀWU; every row times every column of B"),
    )
    return Decision((verdict,), Proof("not-examined", "the paper recalls the inverse without a proof"))


def _why(parts: tuple[Part, ...], proved: str) -> str:
    failing = [p for p in parts if p.status != "proved"]
    if not failing:
        return proved
    point = failing[0].evidence.get("counterexample")
    return f"{failing[0].part}: {failing[0].status}" + (f" at {point}" if point else "")


def _sum_claim(
    name: str, theorem: Callable[[object], Theorem], value: Callable[[int], Fraction], direct: Callable[[int], Fraction]
) -> Callable[[Given], Decision]:
    def decide(given: Given) -> Decision:
        tree, expr = formula_on("closed_form", given["closed_form"], {"u": u}, integers_from(u=1))
        part = decide_formula(
            name,
            lambda: theorem(expr),
            tree,
            _sizes(1, LARGEST),
            lambda p: value(p["u"]),
            lambda p: direct(p["u"]),
            _sizes(LARGEST + 1, FURTHER),
        )
        extra = _displayed_terms(given)
        parts = (part, *extra)
        verdict = Verdict(
            "as-stated",
            READING,
            "induction on u with rational increments",
            parts,
            _why(parts, "base case and equal increments"),
        )
        return Decision((verdict,), Proof("not-examined", "the paper says: explicit computation"))

    return decide


def _displayed_terms(given: Given) -> tuple[Part, ...]:
    if "terms" not in given:
        return ()
    tree, shown = formula_on("terms", given["terms"], {"i": i}, integers_from(i=1))
    t2 = traces.t2_sum()
    summand = t2.function.xreplace({t2.limits[0][0]: i})
    return (
        decide_formula(
            "the displayed summand of T_2",
            lambda: traces.closed_form("t2", "T_2", t2, t2, ("summand", summand, shown)),
            tree,
            [{"i": row} for row in range(1, LARGEST)],
            lambda p: _t2_term(p["i"]),
            lambda p: _direct_b_inverse(FURTHER, p["i"], p["i"] + 1) * literal.a_min_entry(p["i"], p["i"] + 1),
            [{"i": row} for row in range(LARGEST, FURTHER)],
        ),
    )


def _t2_term(row: int) -> Fraction:
    return _dense(row + 1)[1][1] - (_dense(row)[1][1] if row > 1 else 0)


def _direct_t1(size: int) -> Fraction:
    return sum((_direct_b_inverse(size, k, k) * k * k for k in range(1, size + 1)), Fraction(0))


def _direct_t2(size: int) -> Fraction:
    return sum((_direct_b_inverse(size, k, k + 1) * literal.a_min_entry(k, k + 1) for k in range(1, size)), Fraction(0))


B_INVERSE = Claim(
    id="b-inverse",
    place="Section 4, Part 2",
    statement="B_u⁻¹ is tridiagonal: 4i/(4i²−1) for i < u, 1/(2u−1) for i = u, −1/(2 min(i,j)+1) for |i−j| = 1",
    given={"diagonal": "4*i/(4*i**2-1)", "last": "1/(2*u-1)", "off_diagonal": "-1/(2*i+1)"},
    decide=decide_inverse,
    rests_on=("cor-ab",),
    corrupted=(
        Variant("the last row like the others", {"last": "4*u/(4*u**2-1)"}),
        Variant("a sign", {"off_diagonal": "1/(2*i+1)"}),
        Variant("an index: max for min", {"off_diagonal": "-1/(2*i+3)"}),
        Variant("a coefficient", {"diagonal": "4*i/(4*i**2-101/100)"}),
        Variant("an interval end: the last row's formula one row late", {"last": "1/(2*u+1)"}),
    ),
    variants=(
        Variant("partial fractions", {"diagonal": "1/(2*i-1) + 1/(2*i+1)"}),
        Variant("equivalent wording", {"last": "1/(u + u - 1)"}),
    ),
)

T1 = Claim(
    id="t1",
    place="Section 4, Part 2",
    statement="T_1(u) = (u²+1)/2 + ½ Σ_{i=1}^{u−1} 1/(2i+1)",
    given={"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2"},
    decide=_sum_claim(
        "T_1(u)",
        lambda e: traces.closed_form("t1", "T_1(u)", traces.t1_sum(), e),
        lambda size: _dense(size)[1][0],
        _direct_t1,
    ),
    rests_on=("b-inverse", "cor-ab"),
    corrupted=(
        Variant("a boundary term", {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u)/2"}),
        Variant("a sign", {"closed_form": "(u**2-1)/2 + sum(1/(2*i+1), i, 1, u-1)/2"}),
        Variant("a coefficient", {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)*101/200"}),
        Variant("a constant by a hair", {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2 + 1e-9"}),
    ),
    variants=(
        Variant("shifted sum", {"closed_form": "(u**2+1)/2 + sum(1/(2*i-1), i, 2, u)/2"}),
        Variant("with the first term", {"closed_form": "u**2/2 + sum(1/(2*i-1), i, 1, u)/2"}),
    ),
)

T2 = Claim(
    id="t2",
    place="Section 4, Part 2",
    statement="T_2(u) = −Σ_{i<u} (i/((2i+1)(i+1)))(i²+2i+½), and 2T_2(u) = −(u²−1)/2 + Σ_{i<u} 1/(i+1) − ½ Σ_{i<u} 1/(2i+1)",
    given={
        "closed_form": "-(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2",
        "terms": "-1/(2*i+1) * i/(i+1) * (i**2 + 2*i + 1/2)",
    },
    decide=_sum_claim(
        "2T_2(u)",
        lambda e: traces.closed_form("t2", "2T_2(u)", 2 * traces.t2_sum(), e),
        lambda size: 2 * _dense(size)[1][1],
        lambda size: 2 * _direct_t2(size),
    ),
    rests_on=("b-inverse", "cor-ab"),
    corrupted=(
        Variant("a sign", {"closed_form": "-(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) + sum(1/(2*i+1), i, 1, u-1)/2"}),
        Variant("an index", {"closed_form": "-(u**2-1)/2 + sum(1/i, i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2"}),
        Variant("a coefficient in the summand", {"terms": "-1/(2*i+1) * i/(i+1) * (i**2 + 2*i + 1/4)"}),
        Variant(
            "a coefficient off by 1 %",
            {"closed_form": "-1.01*(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2"},
        ),
    ),
    variants=(
        Variant("harmonic numbers", {"closed_form": "-(u**2-1)/2 + harmonic(u) - 1 - sum(1/(2*i+1), i, 1, u-1)/2"}),
    ),
)

TRACE = Claim(
    id="trace",
    place="Section 4, Part 2",
    statement="tr(B_u⁻¹A_u) = T_1(u) + 2T_2(u) = H_u",
    given={"closed_form": "sum(1/i, i, 1, u)"},
    decide=_sum_claim(
        "tr(B_u⁻¹A_u)",
        lambda e: traces.trace(e),
        lambda size: _dense(size)[1][0] + 2 * _dense(size)[1][1],
        lambda size: _direct_t1(size) + 2 * _direct_t2(size),
    ),
    rests_on=("t1", "t2", "b-inverse", "cor-ab"),
    corrupted=(
        Variant("an index", {"closed_form": "sum(1/i, i, 1, u-1)"}),
        Variant("a boundary term", {"closed_form": "sum(1/(i+1), i, 1, u)"}),
        Variant("a coefficient", {"closed_form": "101/100*harmonic(u)"}),
        Variant("a sign", {"closed_form": "-harmonic(u)"}),
    ),
    variants=(
        Variant("harmonic number", {"closed_form": "harmonic(u)"}),
        Variant("split", {"closed_form": "1 + sum(1/(i+1), i, 1, u-1)"}),
    ),
)
