"""rate-amax: between which powers of α does CR(A_max) grow, and what is it at α = 1?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, PublishedProof, Verdict
from crtools.ledger.claims import claim
from crtools.ledger.evidence import FALSE, SURE
from crtools.ledger.verdict import weakest
from crtools.papers.adaptive.evidence import a_max_exact as a_max
from crtools.papers.adaptive.evidence import random_in_process as in_process
from crtools.papers.adaptive.evidence.reading import phrase
from crtools.papers.adaptive.evidence.repairs import repairs
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM

LARGEST = 20
"""Largest power of 1/α that is accepted."""


@claim(
    "rate-amax",
    ALGORITHM,
    "Section 3.2, after the proof of Theorem 2 (thm:Amaxlower)",
    "as $α → 0$, $CR(A_max)$ grows at a rate between $α⁻²$ and $α^{−1.5}$; at $α = 1$ it is 1",
    rests_on=["thm-amax-upper", "thm-amax-lower"],
)
def rate_amax(given: Given) -> Decision:
    """Decide "between α^(−slow) and α^(−fast)" and the value at α = 1 at the three levels."""
    fast, slow, at_one = (number(name, given[name]) for name in ("fast", "slow", "at_one"))
    for key, power in (("fast", fast), ("slow", slow)):
        if abs(power) > LARGEST:
            raise InputError(key, given[key], f"must be a number from -{LARGEST} to {LARGEST}")
    if not slow <= fast:
        raise InputError("slow", given["slow"], "must be at most fast")
    zero, every, process = (
        (
            Finding(f"upper-rate-{label}", f"at most like $α^{{−{fast}}}${of}", grows(fast, "at most")),
            Finding(f"lower-rate-{label}", f"at least like $α^{{−{slow}}}${of}", grows(slow, "at least")),
            Finding(f"at-one-{label}", f"at $α = 1$ it is {at_one}{of}", equal(at_one)),
        )
        for label, of, grows, equal in (
            ("at-zero", ", of the form", partial(a_max.grows, 0), a_max.at_one),
            ("of-form", ", of the form", partial(a_max.grows, 1), a_max.at_one),
            ("of-algorithm", "", in_process.max_grows, in_process.at_equal_lengths),
        )
    )
    limits = "exact supremum, limits"
    verdicts = (
        Verdict(AT_ZERO, "$s = 0$, $l = 1$ and $u → ∞$, of the form", _why(zero), limits, zero),
        Verdict(FORM, "each $s ≥ 0$, one $l$ and $u → ∞$, of the form", _why(every), limits, every),
        Verdict(
            ALGORITHM,
            "each $s$, one $l$ and $u → ∞$; the supremum over lengths and $n$, $M → ∞$, against H-SF",
            _why(process),
            "bounds at every n and M",
            process,
        ),
    )
    status = weakest(f.status for v in verdicts for f in v.findings)
    why = phrase(status, "a rate or the value at $α = 1$ is wrong", "true", "open")
    if any(v.findings[1].status in FALSE for v in verdicts):
        why = "it grows like $α⁻¹$ up to a logarithm"
    note = "no proof but Theorems 1 and 2, on which it rests"
    true = repairs("a-max-at-zero", "a-max-at-most", "a-max-at-least")
    return Decision(why, verdicts, PublishedProof(note=note), true)


def _why(findings: Sequence[Finding]) -> str:
    upper, lower, at_one = (f.status for f in findings)
    if lower in FALSE:
        return "the lower rate fails: the ratio grows like $α⁻¹$ times at most $√(ln(1/α))$"
    if upper in FALSE:
        return "the upper rate fails: the ratio grows like $α⁻¹ √(ln(1/α))$"
    if at_one in FALSE:
        return "the value at $α = 1$ is 1"
    return "both rates hold" if weakest(f.status for f in findings) in SURE else "the upper rate is not decided"
