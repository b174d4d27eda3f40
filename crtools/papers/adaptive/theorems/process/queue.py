"""A queue that stops at the first request that does not fit starts its requests in their order, at every memory."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, permutations, product

from crtools.process import simulate
from crtools.proof.steps import Argument, Inference
from crtools.proof.theorem import Theorem


def _out_of_order() -> str | None:
    for count, prompt in product((2, 3), (0, 1, 3)):
        for lengths in combinations_with_replacement((1, 2, 4), count):
            for capacity in range(prompt + lengths[-1], sum(prompt + o for o in lengths) + 1):
                for order in permutations(range(count)):
                    starts = simulate("a-random", lengths, capacity, prompt, order=order).schedule.starts
                    queue = [starts[request] for request in order]
                    if queue != sorted(queue):
                        return f"o = {lengths}, s = {prompt}, M = {capacity}, order {order}: starts {queue}"
    return None


@cache
def order_kept() -> Theorem:
    """Schedules of A_random with the same permutation at two memories preserve the corresponding order."""
    return Theorem(
        "the order of a queue",
        r"p_{\sigma(1)} \le p_{\sigma(2)} \le \dots \le p_{\sigma(n)} \text{ at } M \text{ and at } \beta M",
        "every s, all lengths, every permutation σ and all M and βM that hold each request alone",
        (
            Argument(
                name="in order",
                text="admission goes along σ and stops at the first request that does not fit, and nobody is cancelled, so that those "
                "that have started are always the first ones of σ",
                conclusion=r"p_{\sigma(k)} \le p_{\sigma(k+1)}",
                test=_out_of_order,
                tested="every instance of 2 or 3 lengths in {1, 2, 4}, s in {0, 1, 3}, every M and every order",
            ),
            Inference(
                name="corresponding order",
                conclusion=r"p_i < p_j \text{ at } M \Rightarrow i \text{ before } j \text{ in } \sigma \Rightarrow p_i' \le p_j' "
                r"\text{ at } \beta M",
                follows_from=("in order",),
            ),
        ),
    )
