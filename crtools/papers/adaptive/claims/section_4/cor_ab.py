"""cor-ab: the entries of A_u and B_u, from Lemma "Amin" at s = 0, l = 1."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, pairs_from_one
from crtools.ledger.result import Decision, Part, Proof, Verdict, from_theorem
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form import entries as theorems
from crtools.proof.steps import Identity
from crtools.proof.symbols import i, j
from crtools.proof.theorem import Theorem
from crtools.setting import Setting


def ordered(expr: Any) -> Any:
    """Return the expression for i ≤ j: min(i, j) is i and max(i, j) is j."""
    return expr.xreplace({sp.Min(i, j): i, sp.Max(i, j): j})


def symmetric(expr: Any) -> Identity:
    """Return the step that a formula gives the same value for (i, j) and (j, i)."""
    swapped = ordered(expr.xreplace({i: j, j: i}))
    return Identity(name="symmetric", text="exchanging i and j changes nothing", lhs=ordered(expr), rhs=swapped)


def _pairs(first: int, last: int) -> list[dict[str, int]]:
    """Return all (i, j), in both orders, whose larger length is in first … last, smaller ones before."""
    tops = range(first, last + 1)
    return [{"i": a, "j": b} for t in tops for a in range(1, t + 1) for b in range(1, t + 1) if max(a, b) == t]


def decide(given: Given) -> Decision:
    """Decide the two entries and the displayed coefficient of x_i x_j."""
    read = {name: formula_on(name, given[name], {"i": i, "j": j}, pairs_from_one()) for name in ("a", "b", "cross_sum")}
    trees, raw = {n: tree for n, (tree, _) in read.items()}, {n: expr for n, (_, expr) in read.items()}
    exprs = {name: ordered(expr) for name, expr in raw.items()}
    points, further = _pairs(1, 8), _pairs(9, 16)
    exact = {name: form(name).on(Setting(0, 1, 16)) for name in ("a-min", "h-sf")}
    true_a, true_b = form("a-min").formula(i, j, sp.Integer(0)), form("h-sf").formula(i, j, sp.Integer(0))

    def a_value(p: Point) -> Fraction:
        return exact["a-min"].entry(p["i"], p["j"])

    def a_literal(p: Point) -> Fraction:
        return literal.a_min_entry(p["i"], p["j"])

    def prove_cross() -> Theorem:
        inner = theorems.corollary(exprs["cross_sum"] / 2, true_b)
        cross = tuple(t for t in inner.steps if t.name.startswith("cross"))
        return with_symmetry("cross_sum", Theorem("cross_sum", inner.statement, inner.reading, cross))

    def with_symmetry(name: str, theorem: Theorem) -> Theorem:
        return replace(theorem, steps=(*theorem.steps, symmetric(raw[name])))

    parts = (
        decide_formula(
            "a_ij, the entries of A_u",
            lambda: with_symmetry("a", theorems.corollary(exprs["a"], true_b)),
            trees["a"],
            points,
            a_value,
            a_literal,
            further,
        ),
        decide_formula(
            "b_ij, the entries of B_u",
            lambda: with_symmetry("b", theorems.corollary(true_a, exprs["b"])),
            trees["b"],
            points,
            lambda p: exact["h-sf"].entry(p["i"], p["j"]),
            lambda p: literal.h_sf_entry(p["i"], p["j"]),
            further,
        ),
        decide_formula(
            "the displayed coefficient of x_i x_j, i ≠ j",
            prove_cross,
            trees["cross_sum"],
            [p for p in points if p["i"] != p["j"]],
            lambda p: 2 * a_value(p),
            lambda p: 2 * a_literal(p),
            [p for p in further if p["i"] != p["j"]],
        ),
    )
    general = from_theorem("general", theorems.entries())

    why = (
        f"entries from the double sums; for general s, l: a_ij = {form('a-min').formula(i, j, sp.Symbol('s'))}, independent of l"
        if all(p.status == "proved" for p in parts)
        else next(f"{p.part}: {p.status}" for p in parts if p.status != "proved")
    )
    extended = Part(
        parts[0].part, parts[0].status, {**parts[0].evidence, "general s and l": general.evidence}, parts[0].uses
    )
    verdict = Verdict(
        "as-stated",
        'for all integers 1 ≤ i, j ≤ u and every u ≥ 1 at s = 0, l = 1, of the forms of Lemma "Amin"',
        "telescoping sums and rational-function identities",
        (extended, *parts[1:]),
        why,
    )
    sound = all(p.status == "proved" for p in parts)
    return Decision(
        (verdict,),
        Proof(
            "sound" if sound else "false-step",
            "" if sound else next((p.part for p in parts if p.status != "proved"), ""),
        ),
    )


CLAIM = Claim(
    id="cor-ab",
    place='Corollary "A/B"',
    statement="a_ij = (min²/(ij))·(½(i+j)² − min²) and b_ij = min² are the matrices of A_min's and H-SF's forms at s = 0, l = 1",
    given={
        "a": "min(i,j)**2/(i*j) * ((i+j)**2/2 - min(i,j)**2)",
        "b": "min(i,j)**2",
        "cross_sum": "min(i,j)**2/(i*j) * ((i+j)**2 - 2*min(i,j)**2)",
    },
    decide=decide,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a coefficient", {"a": "min(i,j)**2/(i*j) * ((i+j)**2/2 - 101/100*min(i,j)**2)"}),
        Variant("a sign", {"a": "min(i,j)**2/(i*j) * ((i+j)**2/2 + min(i,j)**2)"}),
        Variant("an index: max for min", {"b": "max(i,j)**2"}),
        Variant("no minimum: not symmetric", {"b": "i**2"}),
        Variant("an entry off by a hair", {"b": "min(i,j)**2 + 1e-9"}),
        Variant("a display off by a factor 2", {"cross_sum": "min(i,j)**2/(i*j) * ((i+j)**2/2 - min(i,j)**2)"}),
    ),
    variants=(
        Variant("expanded", {"a": "min(i,j)*(max(i,j)**2 + 2*i*j - min(i,j)**2)/(2*max(i,j))"}),
        Variant("product form", {"b": "i*j*min(i,j)/max(i,j)"}),
        Variant(
            "the display by the difference", {"cross_sum": "min(i,j)**2/(i*j) * ((i-j)**2 + 4*i*j - 2*min(i,j)**2)"}
        ),
    ),
)
