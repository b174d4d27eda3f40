"""tel-identity: the total latency as a sum over starts and lengths."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from check import process as judge
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, PublishedProof, Refuted, Verdict, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence.reading import PROCESS, one_of
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule

RELATIONS = {"=": "=", "<=": "≤", ">=": "≥"}


@claim("tel-identity", ALGORITHM, "Section 2, Equation (2) (eq:latency)", "$TEL = Σ_t t·|I_t| + Σ_i o_i$")
def tel_identity(given: Given) -> Decision:
    """Decide TEL = (or ≤, ≥) a Σ_t t |I_t| + b Σ_i o_i: both sides are sums over requests, of p + o and of a p + b o."""
    a, b = (number(name, given[name]) for name in ("waiting", "processing"))
    relation = one_of(given, "relation", RELATIONS)
    evidence = counterexample(a, b, relation) or by_theorem(per_request(a, b, relation))
    right = f"{_times(a)}Σ_t t·|I_t| + {_times(b)}Σ_i o_i"
    finding = Finding("sum-over-starts", f"$TEL {RELATIONS[relation]} {right}$", evidence)
    whys = {"proved": "request by request: $p + o$ on the left", "refuted": "false at a single request"}
    reading = f"every schedule, {PROCESS}; $I_t$ holds the requests whose last start is $t$"
    long = f"a request of $I_p$ adds $p + o$ to the left side and ${_times(a)}p + {_times(b)}o$ to the right"
    verdict = Verdict(ALGORITHM, reading, long, "a comparison per request", (finding,))
    quoted = "after Equation (2): “grouping all jobs according to their final starting time”"
    proof = PublishedProof((Finding("grouping", quoted, evidence),))
    return Decision(whys.get(evidence.status, "the two sides were compared"), (verdict,), proof)


def _times(factor: Fraction) -> str:
    return "" if factor == 1 else f"{factor}·"


def per_request(a: Fraction, b: Fraction, relation: str) -> Theorem:
    """Compare both sides request by request: the theorem of the text, or what a claim is given in its place."""
    if (a, b, relation) == (1, 1, "="):
        return theorem("total latency")
    p, o = sp.symbols("p o", integer=True)
    right = sp.Rational(a) * p + sp.Rational(b) * o
    text = f"a request of I_p adds p + o to the left side, and {right} to the right"
    reading = "every schedule; p is a request's last start, so t·|I_t| is the sum of p over the requests of I_t"
    proof = Proof("total latency", reading)
    if relation == "=":
        proof.identity(text, p + o, right)
    else:
        proof.nonnegative(text, right - p - o if relation == "<=" else p + o - right, p >= 0, o >= 1)
    return proof.therefore(rf"\sum_i L_i {relation} {a} \sum_t t\,|I_t| + {b} \sum_i o_i").qed()


def counterexample(a: Fraction, b: Fraction, relation: str) -> Refuted | None:
    """Try one request at 0, and one so late that its start outweighs its length: these decide a and b."""
    late = 1 if a == 1 else int(abs(b - 1) / abs(a - 1)) + 2
    for starts, lengths in (((0,), (1,)), ((0, 2), (1, 3)), ((late,), (1,))):
        lhs, rhs = Schedule(starts, lengths).total_latency, a * sum(starts) + b * sum(lengths)
        if not {"=": lhs == rhs, "<=": lhs <= rhs, ">=": lhs >= rhs}[relation]:
            second = agree(lhs, judge.total(starts, lengths), "a total latency")
            witness = {"starts": starts, "lengths": lengths}
            return Refuted(witness, f"{relation} {rhs}", lhs, second, "no limit is taken; any number of copies")
    return None
