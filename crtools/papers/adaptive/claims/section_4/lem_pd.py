"""lem-pd: A_u and B_u are positive definite, and the steps of the published proof as worded."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import every_real, formula_on, up_to_one
from crtools.ledger.evidence import Refuted, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.formulas import definiteness as decided
from crtools.papers.adaptive.evidence.formulas.summary import first_failure
from crtools.papers.adaptive.evidence.reading import one_of, whole
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.theory import theorem

CRITERIA = ("g(0) > 0", "transform > 0")
"""What strictness at distinct points may be said to follow from, for a continuous positive definite g."""


def decide(given: Given) -> Decision:
    """Decide definiteness at the given integer s, and the steps of the proof."""
    size = whole("s", given["s"])
    proof = _proof(given)
    findings = (
        Finding("a-definite", "$A_u$ is positive definite", decided.a_definite(size)),
        Finding("b-definite", "$B_u$ is positive definite", by_theorem(theorem("B positive definite"))),
    )
    why, short = _why(findings, size, proof)
    verdict = Verdict(
        AT_ZERO,
        f"for every integer $u ≥ 1$ at $s = {size}$, $ℓ = 1$",
        why,
        "$B = UᵀWU$; $A = ½ddᵀ + ½D(Gram)D$; explicit minors and vectors where it fails",
        findings,
    )
    return Decision(short, (verdict,), proof)


def _proof(given: Given) -> PublishedProof:
    g, criterion = _read_g(given), one_of(given, "strictness", CRITERIA)
    power = number("hadamard_power", given["hadamard_power"])
    _, transform = formula_on("fourier", given["fourier"], {"xi": decided.xi}, every_real("xi"))
    return PublishedProof(
        (
            Display(
                "hadamard", "$B_u$, a Hadamard power of $(min(i,j))$, is positive definite", decided.hadamard(power)
            ),
            Display("normalised", "$a'_ij = (2/(ij)) a_ij − 1 = g(log i − log j)$", decided.normalised(g)),
            Display("fourier", "the Fourier transform of $g$, and its sign", decided.fourier(g, transform)),
            Display(
                "strictness",
                f"mutually distinct points and ${criterion.replace('transform', 'ĝ')}$ make $(g(z_i − z_j))$ strictly positive definite",
                decided.strictness(criterion),
                "" if criterion == "transform > 0" else "mutually distinct points and $ĝ > 0$ everywhere do, as here",
            ),
            Display("a-prime", "$A'_u$ is strictly positive definite", by_theorem(theorem("A positive definite"))),
        )
    )


def _read_g(given: Given) -> Any:
    """Return g as a polynomial in r = e^{−|d|}."""
    r = sp.Symbol("r", positive=True)
    _, expr = formula_on("g", given["g"], {"r": r}, up_to_one("r"))
    if (
        not expr.is_polynomial(r)
        or sp.Poly(expr, r).degree() > decided.MOST_POWER
        or any(not c.is_Rational for c in sp.Poly(expr, r).coeffs())
    ):
        raise InputError("g", given["g"], "must be a polynomial in r = exp(-|d|) with rational coefficients")
    return sp.Poly(expr, r)


def _why(findings: tuple[Finding, ...], size: int, proof: PublishedProof) -> tuple[str, str]:
    """Return the verdict's line and the clause for the line of the ledger."""
    a = findings[0].evidence
    if isinstance(a, Refuted):
        short = f"$A_u$ is not definite at $s = {size}$"
        return f"{short}, $u = {a.witness['u']}$", short
    if failure := first_failure(findings):
        return failure, failure
    long = "both are Gram matrices of linearly independent functions, up to positive squares"
    return long, "both definite" + ("; a proof sentence is false" if proof.state == "false-step" else "")


CLAIM = Claim(
    id="lem-pd",
    place="Section 4.1, Lemma 3 (lem:positive-definite)",
    statement="$A_u$, $B_u$ positive definite for every $u$",
    stated_at=AT_ZERO,
    given={
        "s": "0",
        "hadamard_power": "2",
        "g": "2*r - r**2",
        "fourier": "12/((1+xi**2)*(4+xi**2))",
        "strictness": "g(0) > 0",
    },
    decide=decide,
    corrupted=(
        Variant("another prompt size", {"s": "3"}, "a-definite"),
        Variant("the last prompt size that looks definite", {"s": "1"}, "a-definite"),
        Variant("a coefficient of g", {"g": "2*r - 101/100*r**2"}, "normalised"),
        Variant("a constant of the transform", {"fourier": "12/((1+xi**2)*(2+xi**2))"}, "fourier"),
        Variant("the Hadamard power 0", {"hadamard_power": "0"}, "hadamard"),
        Variant("a sign of g", {"g": "2*r + r**2"}, "normalised"),
        Variant("the transform off by 1 %", {"fourier": "12.12/((1+xi**2)*(4+xi**2))"}, "fourier"),
    ),
    variants=(
        Variant("the criterion that does imply strictness", {"strictness": "transform > 0"}, "strictness"),
        Variant("partial fractions", {"fourier": "4/(1+xi**2) - 4/(4+xi**2)"}, "fourier"),
        Variant("the Hadamard cube", {"hadamard_power": "3"}, "hadamard"),
    ),
)
