"""ex-amax: Example 1, number by number."""

from __future__ import annotations

from typing import Any

from check import process as judge
from crtools.ledger import Certified, Decision, Finding, Given, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.reading import integers, reading_of, schedule, whole
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.process import simulate

SAYS = {
    "h_sf": ("h-sf-total", "H-SF's total is {}"),
    "a_max": ("a-max-total", "$A_max$'s total is {}"),
    "latencies": ("a-max-latencies", "$A_max$'s latencies are {}"),
}


@claim(
    "ex-amax",
    ALGORITHM,
    "Section 3.2, Example 1",
    "$n = 5$, $s = 1$, $M = 10$, $o = 1$, $[1, 4]$: H-SF 5, $A_max$ latencies 1, 1, 2, 2, 3, total 9",
)
def ex_amax(given: Given) -> Decision:
    """Run Example 1 with both computations and compare every printed number."""
    n, s, memory, length, low, high = (whole(name, given[name], 0, 100) for name in ("n", "s", "M", "o", "l", "u"))
    lengths = [length] * n
    h_sf, a_max = simulate("h-sf", lengths, memory, s, low, high), simulate("a-max", lengths, memory, s, low, high)
    a_max_starts = judge.run_queue(range(n), [high] * n, lengths, s, memory)
    shortest = judge.shortest_first(lengths, s, memory)
    actual: JsonObject = {
        "h_sf": (h_sf.total_latency, judge.total(shortest, lengths)),
        "a_max": (a_max.total_latency, judge.total(a_max_starts, lengths)),
        "latencies": (sorted(int(p) + length for p in a_max.starts), sorted(p + length for p in a_max_starts)),
        "batch": (min(n, memory // (s + high)), a_max_starts.count(0)),
    }
    drawn = {
        "h_sf": schedule("H-SF", shortest, lengths, s, memory),
        "a_max": schedule("A_max", a_max_starts, lengths, s, memory, [high] * n),
    }
    instance = {"n": n, "s": s, "M": memory, "o": length, "l": low, "u": high}

    def compared(key: str) -> Certified | Refuted:
        printed: Any = integers(key, given[key]) if key == "latencies" else whole(key, given[key])
        first, second = actual[key]
        agree(first, second, f"Example 1's {key}")
        values = {"printed": given[key], **({"schedules": [drawn[key]]} if key in drawn else {})}
        if printed != first:
            return Refuted(instance, printed, first, second, "the example itself", values=values)
        return Certified(first, "the example's instance", second, values)

    findings = tuple(Finding(id, says.format(given[key]), compared(key)) for key, (id, says) in SAYS.items())
    read = reading_of("ex-amax", **instance)
    false = [f.says for f in findings if f.status == "refuted"]
    totals = f"totals {actual['h_sf'][0]} and {actual['a_max'][0]}"
    why = f"not so: {'; '.join(false)}" if false else f"{totals}, by two computations"
    verdict = read.verdict(ALGORITHM, why, *findings)
    line = "a printed number is another one" if false else f"{totals}, as printed"
    return Decision(line, (verdict,), read.proof(a_max_batch=compared("batch")))
