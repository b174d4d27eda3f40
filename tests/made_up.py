"""A made-up ledger: every status, every kind of evidence, every state of a published proof, on small true and false sums."""

from __future__ import annotations

import sympy as sp

from crtools.ledger import (
    Certified,
    Claim,
    ClaimResult,
    Decision,
    Finding,
    Given,
    Ledger,
    Level,
    Measured,
    Open,
    Proved,
    PublishedProof,
    Refuted,
    Repair,
    Variant,
    Verdict,
    by_theorem,
    verify,
)
from crtools.plotting.figure import Drawing, Figure
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem

ON_PAPER, IN_PRACTICE = "on-paper", "in-practice"
LEVELS = (
    Level(ON_PAPER, "p", "the formulas at $s = 0$", "is the algebra right?"),
    Level(IN_PRACTICE, "r", "what is run, for every $s ≥ 0$", "is it true of what runs?"),
)
n, k = sp.symbols("n k", integer=True, positive=True)
a = sp.Symbol("a", positive=True)


def odds() -> Theorem:
    """The sum of the first odd numbers."""
    proof = Proof("sum of odd numbers", "for every $n ≥ 1$", r"\sum_{k=1}^{n}(2k-1) = n^2")
    return proof.induction("the next term is $2n + 1$", sp.Sum(2 * k - 1, (k, 1, n)), n**2, n, name="induction").qed()


def halves() -> Theorem:
    """A theorem that cites another one."""
    proof = Proof("two halves", "every $a > 0$", r"\tfrac12 a^2 + \tfrac12 a^2 = a^2").cite(odds())
    proof.identity("", a**2 / 2 + a**2 / 2, a**2)
    proof.therefore(r"\text{the square is both halves}", "as it says", of=("2",))
    return proof.therefore(r"\text{both, for every } n").qed()


def schedule(name: str, starts: list[int], memory: int = 6) -> dict[str, object]:
    """A schedule as evidence has it."""
    return {"name": name, "starts": starts, "lengths": [3, 1], "s": 2, "M": memory}


def _odds(given: Given) -> Decision:
    number = int(given["terms"])
    total = sum(2 * k - 1 for k in range(1, number + 1))
    proved = Finding(
        "every-n", "the sum of the first $n$ odd numbers is $n²$", by_theorem(odds(), values={"n": number})
    )
    counted = Finding(
        "counted", "at the given number of terms it is a square",
        Certified(total, f"$n = {number}$", sum(range(1, 2 * number, 2)), {"terms": [{"k": 1, "odd": 1}, {"k": 2, "odd": 3}]}),
    )  # fmt: skip
    words = Finding("in-words", "no order of the terms matters", Proved(argument="addition commutes"))
    verdict = Verdict(ON_PAPER, "every $n ≥ 1$", "the induction closes", "induction", (proved, counted))
    run = Verdict(IN_PRACTICE, "the sum as a machine forms it", "integers are exact", "argument", (proved, words))
    proof = PublishedProof((Finding("step", "the step from $n$ to $n + 1$", by_theorem(odds())),))
    return Decision("the sum is $n²$, at both levels", (verdict, run), proof)


def _grows(given: Given) -> Decision:
    claimed = f"{given['bound']}"
    witness = {
        "x_l": "1/3",
        "alpha": "1/4",
        "lengths": [1, 2, 4],
        "settings_looked_at": 12,
        "starts": schedule("first", [0, 2], 9),
    }
    long = f"{10**40 + 1}/{3**70}"
    plan = {"schedules": [schedule("the plan", [0, 1])]}
    false = Refuted(witness, f"${claimed}$", long, long, "it survives $M → ∞$", odds().records, plan)
    measured = Measured(
        False,
        "20 runs of 10⁴ requests",
        0.12345678901,
        {"rows": [{"seed": k, "ratio": 2.0 + k / 7} for k in range(70)]},
    )
    supported = Measured(True, "five seeds", "0.2")
    tie = Refuted({"M": 3}, "less", "equal", "equal")
    verdicts = (
        Verdict(ON_PAPER, "$s = 0$", "the bound is missed by a third", "exact search", (
            Finding("bound-at-s-0", "the ratio is at most the bound", false),
            Finding("by-runs", "the runs stay below it", measured),
        )),
        Verdict(IN_PRACTICE, "every $s ≥ 0$", "runs agree, within their margin", "simulation", (
            Finding("of-the-process", "the process stays below it", supported),
        ), (Finding("by-a-tie", "strictly below at $M = 3$", tie),)),
    )  # fmt: skip
    proof = PublishedProof(
        (
            Finding(
                "last-line",
                "the last equality, $a/b = α$",
                Refuted({"a": 1, "b": 2}, "3", "6", "6"),
                instead="$a/b = √α$",
            ),
            Finding("first-line", "the first equality", Proved(argument="by definition")),
        ),
        ("it assumes $s = 0$",),
    )
    repairs = (
        Repair(ON_PAPER, "the ratio is at most $2·bound$", (Finding("twice", "twice the bound suffices", by_theorem(halves())),)),
        Repair(IN_PRACTICE, "not backed", (Finding("hope", "it may hold", supported),)),
    )  # fmt: skip
    return Decision("false at $s = 0$: the ratio is $4/3$", verdicts, proof, repairs)


def _unclear(given: Given) -> Decision:
    verdict = Verdict(
        ON_PAPER, "as it stands", "neither proved nor refuted", "search",
        (Finding("whole", "it holds", Open("a search to $n = 100$ found nothing", {"seconds_spent": 2})),),
    )  # fmt: skip
    return Decision("not decided", (verdict,), PublishedProof(gaps=("the case $n = 1$ is left out",)))


def _measured(given: Given) -> Decision:
    verdict = Verdict(
        IN_PRACTICE, "the runs", "runs disagree beyond the margin", "simulation",
        (Finding("whole", "latency is halved", Measured(False, "five seeds", "0.3", {"mean": 1.9, "interval": [1.8, 2.0]})),),
    )  # fmt: skip
    return Decision("runs contradict it", (verdict,), PublishedProof())


def _claims() -> tuple[Claim, ...]:
    return (
        Claim(id="odd-sum", place="Lemma 1", statement="the first $n$ odd numbers sum to $n²$", stated_at=ON_PAPER,
              given={"terms": "5"}, decide=_odds),
        Claim(id="growth", place="Theorem 2", statement="the ratio is at most $1 + alpha/(2*(1-alpha))$", stated_at=ON_PAPER,
              given={"bound": "1 + alpha"}, decide=_grows, rests_on=("odd-sum",),
              corrupted=(Variant("another bound", {"bound": "2"}, "of-the-process", IN_PRACTICE),)),
        Claim(id="follows", place="Corollary 3", statement="so every policy has $CR(A_max) ≤ 2$", stated_at=ON_PAPER, given={},
              decide=_unclear, rests_on=("growth", "odd-sum", "halved")),
        Claim(id="deployed", place="Section 4", statement="it is seen in practice", stated_at=IN_PRACTICE, given={},
              decide=_measured, rests_on=("growth",)),
        Claim(id="halved", place="Section 5", statement="latency is halved", stated_at=IN_PRACTICE, given={}, decide=_measured),
        Claim(id="slow-one", place="Section 6", statement="a long simulation", stated_at=IN_PRACTICE, given={}, decide=_measured),
    )  # fmt: skip


def drawing(says: str, *beside: str) -> Drawing:
    """A figure beside claims, of which nothing is drawn."""
    return Drawing(says, lambda progress: Figure(says, {}, lambda path: None), beside)


MADE_UP = Ledger(
    name="made-up",
    title="On Sums (Nobody)",
    source="a test",
    levels=LEVELS,
    load=_claims,
    slow=frozenset({"slow-one"}),
    figures=lambda: {"growth": drawing("The ratio leaves the bound $1 + α$ behind.", "growth", "deployed")},
)


def results() -> list[ClaimResult]:
    """The made-up ledger, decided, the slow claim skipped."""
    return verify(ledger=MADE_UP, quick=True)
