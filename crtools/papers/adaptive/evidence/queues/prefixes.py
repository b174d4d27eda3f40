"""The longest prefix that fits against the largest set that fits: small instances, and a family with any gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from crtools.ledger.agree import agree
from crtools.ledger.evidence import Refuted
from crtools.schedule import Schedule

CHECKED = "every set of at most 4 requests with $o ≤ 4$, at every $M$, $s ≤ 2$"


def larger_set(order: str, prompts: str, margin: int) -> Refuted | None:
    """Return a set that fits and has more than ``margin`` requests more than the longest prefix that fits, or None."""
    return _among_small(order, prompts, margin) or _family(order, prompts, margin)


def _among_small(order: str, prompts: str, margin: int) -> Refuted | None:
    """Compare the longest prefix with the best of all sets, on an empty machine."""
    for lengths, own in _instances(order, prompts):
        n = len(lengths)
        for memory in range(1, sum(lengths) + sum(own) + 1):
            prefix = next((k for k in range(n, 0, -1) if _fits(lengths[:k], own[:k], memory)), 0)
            sets = (c for k in range(n, -1, -1) for c in combinations(range(n), k))
            best = next(c for c in sets if _fits([lengths[i] for i in c], [own[i] for i in c], memory))
            if len(best) > prefix + margin:
                return _refuted(lengths, own, memory, prefix, best, margin)
    return None


def _instances(order: str, prompts: str) -> Iterator[tuple[list[int], list[int]]]:
    equal = prompts == "equal"
    for n in range(1, 5):
        for kinds in product(range(1, 5 if equal else 4), repeat=n):
            lengths = sorted(kinds, reverse=order == "decreasing")
            if list(kinds) == lengths:
                choices: list[list[int]] = [[s] * n for s in (0, 1, 2)]
                if not equal:
                    choices = [list(x) for x in product((0, 2), repeat=n)]
                yield from ((lengths, own) for own in choices)


def _family(order: str, prompts: str, margin: int) -> Refuted | None:
    """Two requests first that fill the memory alone, then as many small ones as fit together: a gap of any size."""
    k = margin + 2
    if order == "decreasing":
        lengths, own, memory = [2 * k - 1] * 2 + [1] * k, [1] * (k + 2), 2 * k
    elif prompts == "unequal":
        lengths, own, memory = [1] * 2 + [2] * k, [2 * k - 1] * 2 + [0] * k, 2 * k
    else:
        return None
    prefix = next(n for n in range(k + 2, -1, -1) if _fits(lengths[:n], own[:n], memory))
    if not (_fits(lengths[2:], own[2:], memory) and k > prefix + margin):
        raise AssertionError("the family's instance does not have the gap that it is made for")
    return _refuted(lengths, own, memory, prefix, tuple(range(2, k + 2)), margin)


def _refuted(
    lengths: list[int], own: list[int], memory: int, prefix: int, best: tuple[int, ...], margin: int
) -> Refuted:
    witness = {"lengths": lengths, "s": own, "M": memory, "a_larger_set": best}
    second: dict[str, int | str] = {"set_size": len(best)}
    if best:
        chosen = Schedule((0,) * len(best), [lengths[i] for i in best], [own[i] for i in best])
        agree(chosen.peak_memory <= memory, True, "whether a set fits")
        second["peak_of_the_set"] = chosen.peak_memory
    if prefix < len(lengths):
        longer = Schedule((0,) * (prefix + 1), lengths[: prefix + 1], own[: prefix + 1])
        agree(longer.peak_memory > memory, True, "whether a longer prefix fits")
        second["peak_of_a_longer_prefix"] = longer.peak_memory
    claimed = f"at most {prefix} + {margin} requests" if margin >= 0 else f"at most {prefix} − {-margin} requests"
    return Refuted(witness, claimed, len(best), second, "one round, no limit is taken")


def _fits(lengths: Sequence[int], prompts: Sequence[int], memory: int) -> bool:
    top = max(lengths, default=0)
    return all(sum(s + t for o, s in zip(lengths, prompts, strict=True) if t <= o) <= memory for t in range(1, top + 1))
