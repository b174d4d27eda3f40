"""tel-identity: the total latency as a sum over starts and lengths."""

import sympy as sp

from crtools.claims import literal_process as literal
from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.reading import PROCESS, one_verdict
from crtools.claims.result import Decision, Part, Proof, from_theorem
from crtools.expressions import number
from crtools.schedule import Schedule
from crtools.theorems.steps import Identity, Inference
from crtools.theorems.theorem import Theorem


def decide_tel(given: Given) -> Decision:
    """Decide TEL = a Σ_t t |I_t| + b Σ_i o_i: both sides are sums over requests of p + o and a p + b o."""
    a, b = (number(name, given[name]) for name in ("waiting", "processing"))
    p, o = sp.symbols("p o", integer=True, nonnegative=True)
    theorem = Theorem(
        "total latency",
        r"\sum_i L_i = \sum_t t\,|I_t| + \sum_i o_i",
        "every schedule; p is a request's last start, so t·|I_t| is the sum of p over the requests of I_t",
        (
            Identity(
                name="one request",
                text="a request of I_p adds p + o to the left side, and a·p + b·o to the right",
                lhs=p + o,
                rhs=sp.Rational(a.numerator, a.denominator) * p + sp.Rational(b.numerator, b.denominator) * o,
            ),
            Inference(
                name="sum",
                conclusion=r"\text{summing over the requests, grouped by their last start, gives the identity}",
                follows_from=("one request",),
            ),
        ),
    )
    name = "TEL = Σ t·|I_t| + Σ o_i"
    part = from_theorem(name, theorem)
    if part.status != "proved":
        starts, lengths = (0, 2), (1, 3)
        shown = a * sum(starts) + b * sum(lengths)
        schedule = Schedule(starts, lengths)
        if shown != schedule.total_latency:
            evidence = {
                "counterexample": {"starts": list(starts), "lengths": list(lengths)},
                "claimed": str(shown),
                "actual": schedule.total_latency,
                "second computation": literal.total(starts, lengths),
            }
            part = Part(name, "refuted", evidence)
    state = Proof("sound") if part.status == "proved" else Proof("false-step", name)
    return one_verdict(
        f"every schedule, {PROCESS}", "an identity per request", (part,), f"{name}: {part.status}", state
    )


TEL = Claim(
    id="tel-identity",
    place="Eq. latency",
    statement="TEL = Σ_t t·|I_t| + Σ_i o_i",
    given={"waiting": "1", "processing": "1"},
    decide=decide_tel,
    corrupted=(
        Variant("a coefficient", {"waiting": "1.01"}),
        Variant("a sign", {"processing": "-1"}),
        Variant("a missing term", {"waiting": "0"}),
    ),
    variants=(Variant("an equivalent wording", {"waiting": "2/2"}),),
)
