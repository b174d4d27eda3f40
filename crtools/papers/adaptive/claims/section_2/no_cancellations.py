"""no-cancellations: where the lengths are known, what a run with cancellations does, one without them does too."""

from __future__ import annotations

from check import process as judge
from crtools.ledger import Decision, Finding, Given, Proved, PublishedProof, Refuted, Verdict, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence.reading import PROCESS, one_of, phrase, whole
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem
from crtools.process import simulate

LARGEST_LATER = 1000
CHECKED = (
    "Equation (3) holds at the last admission for every later instant: up to $t_max(U)$ it is checked, and after it only requests of "
    "earlier admissions run, for which it was checked then"
)


@claim(
    "no-cancellations",
    ALGORITHM,
    "Section 3.1, before Equation (3) (eqn:Constraint)",
    "with known lengths cancellations are unnecessary",
)
def no_cancellations(given: Given) -> Decision:
    """Decide whether each run that cancels has one that does not, in which no request completes later (by more than given)."""
    knowledge = one_of(given, "lengths", ("known", "unknown"))
    later = whole("later", given["later"], -LARGEST_LATER, LARGEST_LATER)
    evidence = _later(later) if later < 0 or knowledge == "unknown" else by_theorem(theorem("the last attempts alone"))
    by = f"by more than {later} " * (later != 0)
    says = (
        f"lengths {knowledge}: for each run that cancels there is one without, in which no request completes {by}later"
    )
    reading = (
        f"every feasible run, {PROCESS}, any prompts, lengths and $M$, against the starts of its last attempts; with known lengths these "
        "can be reckoned before the run"
    )
    why = phrase(evidence.status, "a request completes later", "the last attempts alone do the same")
    verdict = Verdict(ALGORITHM, reading, why, "an argument for every run", (Finding("no-later", says, evidence),))
    quoted = "Section 3.1: to check Equation (3) up to $t_max(U)$ suffices"
    return Decision(
        why, (verdict,), PublishedProof((Finding("checked-up-to-the-last", quoted, Proved(argument=CHECKED)),))
    )


def _later(later: int) -> Refuted:
    """Refute it: who may not cancel starts two of length 1 at a time, where five fit; and none completes before it can."""
    s, u, memory, n = 1, 4, 10, 10 * (max(later, 0) // 3 + 1)
    fast, slow = (simulate(name, [1] * n, memory, s, 1, u, seed=0).makespan for name in ("a-min-literal", "a-max"))
    starts = (judge.run_queue(range(n), [assumed] * n, [1] * n, s, memory) for assumed in (1, u))
    second = agree([fast, slow], [max(attempt_starts) + 1 for attempt_starts in starts], "the last completion")
    actual = (
        f"{fast}, as five complete at an instant"
        if later < 0
        else f"{slow}: nobody runs when others start, and 2 = $⌊M/(s+u)⌋$ start"
    )
    witness = {"n": n, "s": s, "l": 1, "u": u, "M": memory, "lengths": "all 1"}
    return Refuted(
        witness, f"all complete by {fast + later}", actual, second, "with $n$ the difference grows without bound"
    )
