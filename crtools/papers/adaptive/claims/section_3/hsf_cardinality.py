"""hsf-cardinality: the longest prefix in increasing length that fits is a largest set that fits."""

from __future__ import annotations

from collections.abc import Sequence

from crtools.ledger import Decision, Finding, Given, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.papers.adaptive.evidence.reading import one_of, reading_of, whole
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.theory import theorem
from crtools.schedule import Schedule

WHYS = {"proved": "shorter requests never hold more", "refuted": "a larger set fits"}


@claim(
    "hsf-cardinality",
    ALGORITHM,
    "Section EC.2, Algorithm 3, H-SF (algo:off)",
    "the longest prefix in increasing $o$ that fits is a set of largest cardinality that fits",
)
def hsf_cardinality(given: Given) -> Decision:
    """Decide whether no fitting set has more requests than the longest fitting prefix, and ``margin`` more."""
    order = one_of(given, "order", ("increasing", "decreasing"))
    prompts = one_of(given, "prompts", ("equal", "unequal"))
    margin = whole("margin", given["margin"], -100, 100)
    more = "no fitting set is larger" if margin == 0 else f"no fitting set has more than {margin} requests more"
    # in increasing order with equal prompts; each of the other cases has a counterexample
    evidence = larger_set(order, prompts, margin) or by_theorem(theorem("largest prefix"))
    says = f"the longest prefix in {order} $o$ that fits: {more}, {prompts} prompts"
    why = "the $k$ shortest waiting requests hold at most what any $k$ of them hold, at every instant"
    read = reading_of("hsf-cardinality")
    verdict = read.verdict(
        ALGORITHM,
        why if evidence.status == "proved" else "a set that fits has more requests than the prefix",
        Finding("largest-prefix", says, evidence),
    )
    return Decision(WHYS.get(evidence.status, "not decided"), (verdict,), read.proof())


# ---- The longest prefix that fits against a larger set that fits: a family with any gap ------------------------------


def larger_set(order: str, prompts: str, margin: int) -> Refuted | None:
    """Return a set that fits and has more than ``margin`` requests more than the longest prefix that fits, or None.

    Two requests first that fill the memory alone, then ``k`` small ones that fit together. In increasing order with equal
    prompts no set is larger than the prefix, which itself has more requests than a negative margin allows.
    """
    k = max(margin + 2, 1)
    if order == "decreasing":
        lengths, prompts_of, memory = [2 * k - 1] * 2 + [1] * k, [1] * (k + 2), 2 * k
    elif prompts == "unequal":
        lengths, prompts_of, memory = [1] * 2 + [2] * k, [2 * k - 1] * 2 + [0] * k, 2 * k
    elif margin < 0:
        lengths, prompts_of, memory = [1], [1], 2
    else:
        return None
    n = len(lengths)
    prefix = next(size for size in range(n, -1, -1) if _fits(lengths[:size], prompts_of[:size], memory))
    if not (_fits(lengths[-k:], prompts_of[-k:], memory) and k > prefix + margin):
        raise AssertionError("the family's instance does not have the gap that it is made for")
    peak = Schedule((0,) * k, lengths[-k:], prompts_of[-k:]).peak_memory
    agree(peak <= memory, True, "whether a set fits")
    second = {"set_size": k, "peak_of_the_set": peak}
    if prefix < n:
        longer = Schedule((0,) * (prefix + 1), lengths[: prefix + 1], prompts_of[: prefix + 1]).peak_memory
        agree(longer > memory, True, "whether a longer prefix fits")
        second["peak_of_a_longer_prefix"] = longer
    witness = {"lengths": lengths, "s": prompts_of, "M": memory, "a_larger_set": list(range(n - k, n))}
    claimed = f"at most {prefix} {'+' if margin >= 0 else '−'} {abs(margin)} requests"
    return Refuted(witness, claimed, k, second, "one round, no limit is taken")


def _fits(lengths: Sequence[int], prompts: Sequence[int], memory: int) -> bool:
    longest = max(lengths, default=0)
    return all(
        sum(s + t for o, s in zip(lengths, prompts, strict=True) if t <= o) <= memory for t in range(1, longest + 1)
    )
