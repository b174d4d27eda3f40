"""packed-random: what A_random's schedules are, and are not."""

from __future__ import annotations

from collections.abc import Sequence

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.search import Check, search, searched
from crtools.ledger.evidence import Evidence, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.queues.packed import ORDERS, Queue
from crtools.papers.adaptive.evidence.queues.repairs import order_kept as order_repair
from crtools.papers.adaptive.evidence.queues.repairs import packed_by_passing as packed_repair
from crtools.papers.adaptive.evidence.reading import PROCESS, one_of, requests_asked, which_instances
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem

MOST = 4
"""Instances of up to so many requests are looked at, with all permutations."""


WORDS = "“successively add requests from $R_t$ into the memory until no further addition is possible” ($A_random$'s pseudo-code)"
"""What the reading that decides rests on."""

FALSE = {
    "packed-passing": "a queue that passes over a request leaves room in which another could start",
    "order-passing": "a shorter request that was passed over at $M$ is not at $αM$, or the other way round, so that two change their order",
}
"""What the refutation of a finding that decides means."""

STOPPING = "where the queue stops at the first that does not fit"


def decide(given: Given) -> Decision:
    """Search A_random's schedules for coupled pairs that change their order, and one that is not optimally packed."""
    policy = one_of(given, "policy", ORDERS)
    asked = requests_asked(given["requests"])
    most = min(asked or MOST, MOST)

    def find(look: Check, n: int, tries: int) -> Evidence:
        sizes = {"n": min(most, n), "longest": 4, "random_n": most, "random_longest": 8}
        return searched(search(look, **sizes, prompts=(1, 2), tries=tries), asked)

    stopping, passing = Queue(policy), Queue(policy, skip=True)
    known = policy != "a-max"  # A_max does not know the lengths
    packed = by_theorem(theorem("a queue that passes over is packed")) if known else find(passing.not_packed, 3, 100)
    kept = by_theorem(theorem("the order of a queue")) if known else find(stopping.out_of_order, 3, 20)
    exchanged = find(passing.out_of_order, 3, 20)
    findings = (
        Finding("order-passing", "the coupled schedules at $M$ and $αM$ preserve the corresponding order", exchanged),
        Finding("packed-passing", f"{policy}'s schedules are optimally packed", packed),
        Finding("order", f"the first {STOPPING}: in order", kept, decides=False),
        Finding("packed", f"the second {STOPPING}: packed", find(stopping.not_packed, 4, 100), decides=False),
    )
    reading = (
        f"{which_instances(asked)} with lengths in $[l, u]$ and $αM = lM/u$ an integer, every permutation; at each instant a request "
        f"that does not fit is passed over: {WORDS}; beside it: the queue stops there (docs/model.md); {PROCESS}"
    )
    false = [f.id for f in findings if f.decides and f.status == "refuted"]
    why = "; ".join(FALSE[id] for id in false) or "no instance that was looked at contradicts it"
    if false and findings[3].status == "refuted":
        why += f"; {STOPPING}, they keep their order and are not packed"
    verdict = Verdict(ALGORITHM, reading, why, "exhaustive search, then random instances", findings)
    line = "no counterexample was found"
    if false:
        line = "at $M$ and $αM$ two requests change order" if "order-passing" in false else FALSE["packed-passing"]
    repairs = (packed_repair(), order_repair()) if false and known else ()
    return Decision(line, (verdict,), _proof(findings), repairs)


def _proof(findings: Sequence[Finding]) -> PublishedProof:
    order, packed, *_ = findings
    construction = Display(
        "by-construction",
        "proof of Theorem EC.1, part 2: “the schedule is optimally packed by construction”",
        packed.evidence,
    )
    coupled = Display(
        "coupled",
        "proof of Theorem 1: “By construction, we see that they preserve the corresponding order and are both optimally packed”",
        order.evidence,
        "packed, where requests are passed over; in order, where the queue stops" if order.status == "refuted" else "",
    )
    return PublishedProof((construction, coupled))


CLAIM = Claim(
    id="packed-random",
    place="Section EC.1, before Theorem EC.1 (thm:fully_random)",
    statement="$A_random$'s schedules are optimally packed (Definition 2), and the coupled schedules at $M$ and $αM$ preserve the "
    "corresponding order",
    stated_at=ALGORITHM,
    given={"policy": "a-random", "requests": "any"},
    decide=decide,
    corrupted=(
        Variant("the longest first", {"policy": "longest-first"}, "packed"),
        Variant("A_max", {"policy": "a-max"}, "packed"),
        Variant("the shortest last", {"policy": "shortest-last"}, "packed"),
        Variant("A_max, passing over", {"policy": "a-max"}, "packed-passing"),
        Variant("three requests", {"requests": "3"}, "packed"),
        Variant("three requests, passing over", {"requests": "3"}, "order-passing"),
    ),
    variants=(
        Variant("H-SF, in the range searched", {"policy": "h-sf"}),
        Variant("two requests", {"requests": "2"}),
    ),
)
