"""tel-identity: the total latency as a sum over starts and lengths."""

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.result import Decision, Part, Proof, from_theorem
from crtools.papers.adaptive.evidence.reading import PROCESS, one_verdict
from crtools.papers.adaptive.literal import process as literal
from crtools.proof.steps import Identity, Inference, Positive, Step
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule

RELATIONS = ("=", "<=", ">=")


def decide_tel(given: Given) -> Decision:
    """Decide TEL = (or ≤, ≥) a Σ_t t |I_t| + b Σ_i o_i: both sides are sums over requests, of p + o and of a p + b o."""
    a, b = (number(name, given[name]) for name in ("waiting", "processing"))
    relation = given["relation"].strip()
    if relation not in RELATIONS:
        raise InputError("relation", relation, f"must be one of {', '.join(RELATIONS)}")
    name = f"TEL {relation} {given['waiting'].strip()}·Σ t·|I_t| + {given['processing'].strip()}·Σ o_i"
    found = _counterexample(a, b, relation)
    part = from_theorem(name, _theorem(a, b, relation)) if found is None else Part(name, "refuted", found)
    state = Proof("sound") if part.status == "proved" else Proof("false-step", name)
    return one_verdict(
        f"every schedule, {PROCESS}", "a comparison per request", (part,), f"{name}: {part.status}", state
    )


def _theorem(a: Fraction, b: Fraction, relation: str) -> Theorem:
    p, o = sp.symbols("p o", integer=True, nonnegative=True)
    right = sp.Rational(a.numerator, a.denominator) * p + sp.Rational(b.numerator, b.denominator) * o
    text = f"a request of I_p adds p + o to the left side, and {right} to the right"
    one: Step = Identity(name="one request", text=text, lhs=p + o, rhs=right)
    if relation != "=":
        gap = right - p - o if relation == "<=" else p + o - right
        one = Positive(name="one request", text=text, expr=gap, where=((p, 0), (o, 1)), strict=False)
    return Theorem(
        "total latency",
        rf"\sum_i L_i {relation} {a} \sum_t t\,|I_t| + {b} \sum_i o_i",
        "every schedule; p is a request's last start, so t·|I_t| is the sum of p over the requests of I_t",
        (
            one,
            Inference(
                name="sum",
                conclusion=r"\text{the claim is the sum over the requests, grouped by their last start}",
                follows_from=("one request",),
            ),
        ),
    )


def _counterexample(a: Fraction, b: Fraction, relation: str) -> dict[str, Any] | None:
    """Try one request at 0, and one so late that its start outweighs its length: these decide a and b."""
    late = 1 if a == 1 else int(abs(b - 1) / abs(a - 1)) + 2
    for starts, lengths in (((0,), (1,)), ((0, 2), (1, 3)), ((late,), (1,))):
        left, right = Schedule(starts, lengths).total_latency, a * sum(starts) + b * sum(lengths)
        if not {"=": left == right, "<=": left <= right, ">=": left >= right}[relation]:
            return {
                "counterexample": {"starts": list(starts), "lengths": list(lengths)},
                "claimed": f"{relation} {right}",
                "actual": left,
                "second computation": literal.total(starts, lengths),
            }
    return None


TEL = Claim(
    id="tel-identity",
    place="Eq. latency",
    statement="TEL = Σ_t t·|I_t| + Σ_i o_i",
    given={"waiting": "1", "processing": "1", "relation": "="},
    decide=decide_tel,
    corrupted=(
        Variant("a coefficient off by 1 %", {"waiting": "1.01"}),
        Variant("a sign", {"processing": "-1"}),
        Variant("a missing term", {"waiting": "0"}),
        Variant("two coefficients, right at one schedule", {"waiting": "3", "processing": "0"}),
        Variant("a coefficient below the other", {"waiting": "0.99", "processing": "1.01", "relation": "<="}),
        Variant("an inequality, by a hair", {"processing": "1-1e-9", "relation": "<="}),
    ),
    variants=(
        Variant("an equivalent wording", {"waiting": "2/2"}),
        Variant("a weaker bound", {"waiting": "1.01", "relation": "<="}),
        Variant("a weaker bound from below", {"processing": "0", "relation": ">="}),
    ),
)
