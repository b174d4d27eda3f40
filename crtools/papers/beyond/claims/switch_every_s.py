"""switch-every-s: on two lengths, where A_ℓ's supremum is below A_min's, for every s."""

from __future__ import annotations

import sympy as sp

from crtools.ledger import Decision, Evidence, Finding, Given, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision_at, proved_or_refuted
from crtools.ledger.deciders.ranges import formula_in
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.bounds.two_lengths import suprema
from crtools.papers.adaptive.theory import TEXT
from crtools.papers.beyond.levels import FORM
from crtools.papers.beyond.theory import theorem
from crtools.proof.symbols import l, s, u
from crtools.worst_cases import worst_case

SMALL = tuple((prompt, low, up) for up in range(2, 24) for low in range(1, up) for prompt in (0, 1, 3, 20))

FIBONACCI = tuple(int(sp.fibonacci(n)) for n in range(2, 28))

SETTINGS = (*SMALL, *((0, low, up) for low, up in zip(FIBONACCI, FIBONACCI[2:], strict=False)))
"""s, l and u at which a threshold is tried. At s = 0 it is at u/l = φ², which quotients of Fibonacci numbers approach from both sides."""


def in_roots(threshold: SymExpr) -> SymExpr:
    """Return a formula in s, l and u as a function of a = √(s+l) and b = √(s+u)."""
    a, b = sp.symbols("a b", positive=True)
    in_a_and_b = threshold.subs({sp.sqrt(s + l): a, sp.sqrt(s + u): b}).subs({s: a**2 - l}).subs({u: b**2 - a**2 + l})
    return sp.Lambda((a, b), in_a_and_b)


def threshold_evidence(threshold: SymExpr) -> Evidence:
    """Decide whether A_ℓ is the better one exactly where √(u/l) exceeds the threshold: by a theorem, or a setting where it differs."""
    exact = 1 + sp.sqrt((s + l) / (s + u))

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        root, values = sp.sqrt(sp.Rational(up, low)), {s: prompt, l: low, u: up}
        better, claimed = (bool(root > formula.subs(values)) for formula in (exact, threshold))
        if better == claimed:
            return None
        of_a_ell, of_a_min = worst_case("a-ell", low, up, prompt).value, suprema(prompt, low, up)[0]
        agree(of_a_ell < of_a_min, better, "the suprema")
        return Refuted(
            {"s": prompt, "l": low, "u": up},
            f"A_ℓ is {'' if claimed else 'not '}the better one",
            f"A_ℓ is {'' if better else 'not '}the better one, by the exact threshold",
            {"A_ell": of_a_ell, "A_min": of_a_min},
            "of the forms: no limit is taken",
        )

    proof = theorem("the threshold of the switch", threshold=in_roots(threshold))
    return proved_or_refuted(proof, SETTINGS, refuted)


@claim(
    "switch-every-s",
    FORM,
    "docs/beyond/every-s.md, two lengths",
    "on ${l, u}$ with $g = √(l(s+l)/(u(s+u)))$ $A_ℓ$'s form has the worst case $1 + g/(2(1−g))$ for $g ≤ ½$, else $1 + 2g²$; it "
    "is below $A_min$'s exactly where $√(u/l) > 1 + √((s+l)/(s+u))$",
)
def switch_every_s(given: Given) -> Decision:
    """Decide the threshold, and A_ℓ's supremum for every s."""
    threshold = given.evidence(threshold_evidence, formula_in(given, "threshold", s=0, l=1, u="l"))
    says = f"$A_ℓ$ is the better one exactly where $√(u/l) > {given['threshold']}$"
    return decision_at(
        FORM,
        "every $s ≥ 0$ and $1 ≤ l < u$, weights on ${l, u}$",
        "the exact suprema",
        ("the exact suprema cross there", "they cross elsewhere"),
        Finding("threshold", says, threshold),
        Finding("a-ell", "$A_ℓ$'s supremum for every $s$", given.proved(TEXT.named("a_ell on two points, every s"))),
    )
