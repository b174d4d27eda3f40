"""switch: for which α = l/u the printed bound of A_ℓ is below that of A_min."""

from __future__ import annotations

from crtools.ledger import Claim, Decision, Display, Finding, Given, PublishedProof, Refuted, Variant, Verdict
from crtools.ledger.deciders.ranges import constant, formula_on, from_half, unit, up_to_half
from crtools.papers.adaptive.bounds.two_lengths import alpha
from crtools.papers.adaptive.evidence.laws.switch import compared
from crtools.papers.adaptive.levels import AT_ZERO


def decide(given: Given) -> Decision:
    """Decide for which α the bound of A_ℓ is smaller than that of A_min."""
    symbols = {"alpha": alpha}
    _, threshold = formula_on("threshold", given["threshold"], {}, constant())
    _, a_min = formula_on("a_min_bound", given["a_min_bound"], symbols, unit("alpha"))
    _, low = formula_on("bound_low", given["bound_low"], symbols, up_to_half("alpha"))
    _, high = formula_on("bound_high", given["bound_high"], symbols, from_half("alpha"))
    found = compared(threshold, a_min, low, high)
    where = found.values.get("smaller_on", "a set that was not found")
    lines = {
        "proved": f"smaller exactly for $α < {float(threshold.evalf()):.4f}…$",
        "refuted": f"not so at $α = {found.witness['alpha']}$" if isinstance(found, Refuted) else "",
    }
    says = f"$A_ℓ$'s bound is the smaller one exactly for $α < {given['threshold'].strip()}$"
    reading = "of the two printed bounds, as functions of $0 < α < 1$ (they do not contain $s$)"
    method = "exact real roots of rational functions"
    why = f"$A_ℓ$'s bound is the smaller one on ${where}$"
    verdict = Verdict(AT_ZERO, reading, why, method, (Finding("smaller-exactly-below", says, found),))
    text = "after Theorem 7, the inequality that reduces to a quadratic one"
    proof = PublishedProof(
        (Display("reduction", text, found),), note="the displayed “quadratic inequality” has = for <"
    )
    line = lines.get(found.status, "")
    return Decision(
        line if 0 < len(line) <= 40 else "decided by exact roots" if line else "not decided", (verdict,), proof
    )


CLAIM = Claim(
    id="switch",
    place="Section 5.1, after Theorem 7 (thm:Al_CR)",
    statement="$A_ℓ$'s bound is the smaller one exactly for $α < (3−√5)/2$",
    stated_at=AT_ZERO,
    given={
        "threshold": "(3-sqrt(5))/2",
        "a_min_bound": "(3-alpha)/2",
        "bound_low": "1+alpha/(2*(1-alpha))",
        "bound_high": "1+2*alpha**2",
    },
    decide=decide,
    corrupted=(
        Variant("off by 1 %", {"threshold": "1.01*(3-sqrt(5))/2"}),
        Variant("a sign", {"threshold": "(3+sqrt(5))/2"}),
        Variant("another bound", {"bound_low": "1+alpha/(1-alpha)"}),
        Variant("off by a hair", {"threshold": "(3-sqrt(5))/2+1e-9"}),
        Variant("the other piece off", {"bound_high": "1+alpha**2/2"}),
        Variant("the policies exchanged", {"a_min_bound": "1+alpha/(2*(1-alpha))", "bound_low": "(3-alpha)/2"}),
    ),
    variants=(
        Variant("an equivalent wording", {"threshold": "2/(3+sqrt(5))"}),
        Variant("another wording of a bound", {"bound_low": "(2-alpha)/(2-2*alpha)"}),
        Variant("a piece that touches at ½", {"bound_high": "1+alpha**2"}),
    ),
)
