"""thm-complexity: what Algorithm 2 costs, in counted operations."""

from __future__ import annotations

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.algorithm_two.cost import M, at, concurrent, n, of_the_pseudo_code, running_sort
from crtools.papers.adaptive.evidence.algorithm_two.measured import decidable
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem
from crtools.proof.symbols import s


def decide(given: Given) -> Decision:
    """Decide what an instant and a run cost, and how many requests can run at once."""
    cost = formula_on("cost", given["cost"], {"M": M, "n": n}, integers_from(M=2, n=1))[1]
    tree, expr = formula_on("concurrent", given["concurrent"], {"M": M, "s": s}, integers_from(s=1, M=1))
    if not all(at(cost, count, memory) > 0 for memory in (20, 100) for count in (200, 1000, 5000)):
        raise InputError("cost", given["cost"], "must be positive")
    instant, whole = (given.evidence(of_the_pseudo_code, what, cost) for what in ("an instant", "the run"))
    why = short = "so much per time step, not for the whole run" if isinstance(whole, Refuted) else "not decided"
    repairs: tuple[Repair, ...] = ()
    if isinstance(instant, Refuted):
        short, repairs = "it sorts all $n$ waiting; buckets repair it", (_repair(),)
        why = (
            "what is sorted are the waiting requests, $n$ at first, not the at most $M/(s+1)$ that run; keeping them in buckets by "
            "$õ$ repairs it"
        )
    order = f"$O({given['cost']})$"
    verdict = Verdict(
        ALGORITHM,
        "Algorithm 2 as its pseudo-code stands, per time step as in the proof and for the whole run, all $n$, $M$, $s ≥ 1$; operations are "
        "comparisons of two $õ$, moves of a request, and looks at a running one; counted, not timed; one constant for all $n$ and $M$",
        why,
        "a lower bound on the operations of every sort, along $n = M^p$; counted runs",
        (
            Finding("time-step", f"a time step of the pseudo-code, the sort of $R_t$ included, is {order}", instant),
            Finding("whole-run", f"the whole run of the pseudo-code is {order}", whole),
        ),
    )
    proof = _proof(instant, given.evidence(decidable, concurrent, tree, expr), running_sort(cost))
    return Decision(short, (verdict,), proof, repairs)


def _proof(instant: Evidence, most: Evidence, sort: Evidence) -> PublishedProof:
    shown = (
        ("concurrent", "“the number of concurrent prompts is … at most $M/s$”", most, ""),
        ("sort", "“sorting requires at most $O(M log M)$ operations”, of the prompts that run", sort, ""),
        (
            "available-prompts",
            "“the algorithm sorts the available prompts”",
            instant,
            "what is sorted are the waiting requests $R_t$, of which there are $n$ at first; $M$ bounds only those that run",
        ),
    )
    place = "Appendix, proof of Theorem 3:"
    return PublishedProof(tuple(Display(id, f"{place} {text}", found, instead) for id, text, found, instead in shown))


def _repair() -> Repair:
    sentence = (
        "For every $s ≥ 1$, after one pass over the input: if the waiting requests are kept in buckets by $õ$ instead of sorted, a time "
        "step of Algorithm 2 takes $O(M log M)$ operations, whatever $n$ is."
    )
    backing = Finding(
        "buckets",
        "a time step with the waiting requests in buckets",
        by_theorem(theorem("waiting requests in buckets")),
    )
    return Repair(ALGORITHM, sentence, (backing,))


CLAIM = Claim(
    id="thm-complexity",
    place="Section 4, Theorem 3 (thm:complexity)",
    statement="A_min's cost is $O(M log M)$ (per time step, by its proof)",
    stated_at=ALGORITHM,
    given={"cost": "M*log(M)", "concurrent": "M/s"},
    decide=decide,
    corrupted=(
        Variant("half as many prompts", {"concurrent": "M/(2*s)"}, "concurrent"),
        Variant("one token more per prompt", {"concurrent": "M/(s+2)"}, "concurrent"),
        Variant("one prompt fewer", {"concurrent": "M/(s+1) - 1"}, "concurrent"),
        Variant("a sort of n keys in M² operations", {"cost": "M**2"}, "time-step"),
    ),
    variants=(
        Variant("the sort of R_t counted too", {"cost": "n*log(n) + M*log(M)"}, "time-step"),
        Variant("the exact number of prompts", {"concurrent": "M/(s+1)"}, "concurrent"),
    ),
)
