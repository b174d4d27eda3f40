"""packed-random: what A_random's schedules are, and are not."""

from __future__ import annotations

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.search import Check, search, searched
from crtools.ledger.evidence import Evidence, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.queues.packed import ORDERS, Queue
from crtools.papers.adaptive.evidence.queues.repairs import order_kept as order_repair
from crtools.papers.adaptive.evidence.reading import PROCESS, one_of, requests_asked, which_instances
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theorems.process.a_random import order_kept

MOST = 4
"""Instances of up to so many requests are looked at, with all permutations."""


FALSE = {
    "packed": "a queue that stops at a request leaves room in which a later one could start",
    "order": "the coupled schedules exchange two requests",
    "packed-passing": "a queue that passes over a request leaves room in which another could start",
    "order-passing": "one that passes over requests exchanges two of them when the memory is smaller",
}
"""What a finding's refutation means."""


def decide(given: Given) -> Decision:
    """Search A_random's schedules for one that is not optimally packed, and coupled pairs that change their order."""
    policy = one_of(given, "policy", ORDERS)
    asked = requests_asked(given["requests"])
    most = min(asked or MOST, MOST)

    def find(look: Check, n: int, tries: int) -> Evidence:
        sizes = {"n": min(most, n), "longest": 4, "random_n": most, "random_longest": 8}
        return searched(search(look, **sizes, prompts=(1, 2), tries=tries), asked)

    stopping, passing = Queue(policy), Queue(policy, skip=True)
    kept = find(stopping.out_of_order, 3, 20) if policy == "a-max" else by_theorem(order_kept())
    findings = (
        Finding("packed", f"{policy}'s schedules are optimally packed", find(stopping.not_packed, 4, 100)),
        Finding("order", "the coupled schedules at $M$ and $αM$ preserve the corresponding order", kept),
        Finding("packed-passing", "the same where the queue passes over what does not fit: packed", find(passing.not_packed, 3, 100)),
        Finding("order-passing", "and in corresponding order", find(passing.out_of_order, 3, 20)),
    )  # fmt: skip
    reading = (
        f"{which_instances(asked)}, every permutation; a queue stops at the first request that does not fit (packed, order), or, as "
        f"the pseudo-code may be read, passes over it (the other two); {PROCESS}"
    )
    false = [f.id for f in findings if f.status == "refuted"]
    why = "; ".join(FALSE[id] for id in false) or "no instance that was looked at contradicts it"
    verdict = Verdict(ALGORITHM, reading, why, "exhaustive search, then random instances", findings)
    stopped = "packed" in false
    quoted = "proof of Theorem EC.1, part 2: “the schedule is optimally packed by construction”"
    instead = "a request behind the first that does not fit may fit" if stopped else ""
    display = Display("by-construction", quoted, findings[0].evidence, instead)
    line = "two requests change their order" if false else "no counterexample was found"
    if stopped:
        line = "a request behind the queue's head could start"
    return Decision(line, (verdict,), PublishedProof((display,)), (order_repair(),) if stopped else ())


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
        Variant("three requests", {"requests": "3"}, "packed"),
    ),
    variants=(
        Variant("H-SF, in the range searched", {"policy": "h-sf"}),
        Variant("two requests", {"requests": "2"}),
    ),
)
