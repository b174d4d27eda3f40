"""no-cancellations: where the lengths are known, what a run with cancellations does, one without them does too."""

from __future__ import annotations

from check import process as judge
from crtools.errors import InputError
from crtools.ledger import Claim, Decision, Finding, Given, PublishedProof, Refuted, Verdict
from crtools.ledger.agree import agree
from crtools.ledger.evidence import Proved, by_theorem
from crtools.papers.adaptive.evidence.reading import PROCESS, one_of, phrase, whole
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem
from crtools.process import simulate

MOST = 1000
CHECKED = (
    "Equation (3) holds at the last admission for every later instant: up to $t_max(U)$ it is checked, and after it only requests of "
    "earlier admissions run, for which it was checked then"
)


def decide(given: Given) -> Decision:
    """Decide whether each run that cancels has one that does not, in which no request completes later (by more than given)."""
    known = one_of(given, "lengths", ("known", "unknown")) == "known"
    later = whole("later", given["later"], -MOST)
    if later > MOST:
        raise InputError("later", given["later"], f"must be an integer from -{MOST} to {MOST}")
    proved = by_theorem(theorem("the last attempts alone"))
    evidence = (_no_earlier(later) if later < 0 else proved) if known else _reserved(later)
    by = f"by more than {later} " * (later != 0)
    says = f"lengths {given['lengths'].strip()}: for each run that cancels there is one without, in which no request completes {by}later"
    verdict = Verdict(
        ALGORITHM,
        f"every feasible run, {PROCESS}, any prompts, lengths and $M$, against the starts of its last attempts; with known lengths these "
        "can be reckoned before the run",
        phrase(evidence.status, "a request completes later", "the last attempts alone fit, and complete when they did"),
        "an argument for every run",
        (Finding("no-later", says, evidence),),
    )
    checked = Finding(
        "checked-up-to-the-last",
        "Section 3.1: to check Equation (3) up to $t_max(U)$ suffices",
        Proved(argument=CHECKED),
    )
    line = phrase(evidence.status, "not without cancellation", "the last attempts alone do the same")
    return Decision(line, (verdict,), PublishedProof((checked,)))


def _no_earlier(later: int) -> Refuted:
    """Refute that a request could complete earlier: one of length 1 never completes before 1."""
    end = simulate("h-sf", [1], 2, 1).makespan
    second = agree(end, judge.shortest_first([1], 1, 2)[0] + 1, "a completion")
    return Refuted(
        {"lengths": [1], "s": 1, "M": 2, "starts": [0]}, f"completes by {1 + later}", end, second, "every $M$"
    )


def _reserved(later: int) -> Refuted:
    """Refute it for unknown lengths: who may not cancel starts two at a time, where five at a time fit."""
    s, u, memory, n = 1, 4, 10, 10 * (max(later, 0) // 3 + 1)
    fast = simulate("a-min-literal", [1] * n, memory, s, 1, u, seed=0).makespan
    slow = simulate("a-max", [1] * n, memory, s, 1, u, seed=0).makespan
    starts = (judge.run_queue(range(n), [assumed] * n, [1] * n, s, memory) for assumed in (1, u))
    second = agree([fast, slow], [max(own) + 1 for own in starts], "the last completion")
    return Refuted(
        {"n": n, "s": s, "l": 1, "u": u, "M": memory, "lengths": "all 1"},
        f"at most {fast + later}",
        f"{slow}: nobody runs when others start, and $⌊M/(s+u)⌋ = {memory // (s + u)}$ are the most that fit whatever their lengths",
        second,
        "with $n$ the difference grows without bound",
    )


CLAIM = Claim(
    id="no-cancellations",
    place="Section 3.1, before Equation (3) (eqn:Constraint)",
    statement="with known lengths cancellations are unnecessary",
    stated_at=ALGORITHM,
    given={"lengths": "known", "later": "0"},
    decide=decide,
)
