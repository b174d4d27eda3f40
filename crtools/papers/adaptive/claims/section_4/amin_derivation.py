"""amin-derivation: the proof of Lemma "Amin", each display as printed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from crtools.errors import InputError
from crtools.expressions import evaluate
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem
from crtools.papers.adaptive.theorems.form import derivation as theorems
from crtools.proof.symbols import i, k, s
from crtools.proof.theorem import Theorem

INDICES = ("i,i", "k,i")
Settings = tuple[tuple[int, int, int], ...]

Wrong = Callable[[int, int, int], dict[str, str] | None]
"""Where a display is wrong at (s, l, u), or None."""

SMALL: Settings = tuple((s, l, u) for s in (1, 2, 0, 5) for l in (1, 2, 3) for u in range(l, l + 4))
"""Settings (s, l, u) at which a display is compared with exact bookkeeping, s ≥ 1 first: the paper's model."""


FURTHER: Settings = tuple((s, l, l + 12) for s in (3, 4, 7, 11, 13, 100) for l in (1, 5))
"""Settings that are looked at too where there is no proof."""


def decide(given: Given) -> Decision:
    """Decide the five displays of the proof, and say what remains open about the process."""
    index = given["tau_index"]
    if index not in INDICES:
        raise InputError("tau_index", index, "must be 'i,i' (as printed) or 'k,i'")
    symbols = {"delta": theorems.delta, "s": s, "i": i, "k": k}
    read = {
        name: formula_on(name, given[name], symbols, integers_from(s=0, k=1, i="k", delta=1))
        for name in ("completed", "tau", "remaining", "hsf_time")
    }
    trees, expr = {n: tree for n, (tree, _) in read.items()}, {n: e for n, (_, e) in read.items()}

    def at(name: str, **values: int) -> Fraction:
        return evaluate(trees[name], {"delta": 0, "i": 0, **values})

    def delta(s: int, l: int, k: int) -> int:
        return s + l if k == l else 1

    def completed(s: int, l: int, period: int, length: int) -> Fraction:  # Proposition state_transition
        return at("completed", delta=delta(s, l, period), s=s, i=length, k=period)

    def wrong_tau(s: int, l: int, u: int) -> dict[str, str] | None:
        for period in range(l, u + 1):
            for length in range(period, u + 1):
                source = length if index == "i,i" else period
                left = length * (s + length) * completed(s, l, source, length)
                right = at("tau", delta=delta(s, l, period), s=s, i=length, k=period)
                if left != right:
                    unit = f"coefficient of x_{length} n/M in E[τ_{period}]"
                    return {"where": unit, "left": str(left), "right": str(right)}
        return None

    def wrong_remaining(s: int, l: int, u: int) -> dict[str, str] | None:
        for length in range(l, u + 1):
            left = Fraction(1)
            for period in range(l, length + 1):
                left -= completed(s, l, period, length)
                shown = at("remaining", s=s, i=length, k=period, delta=delta(s, l, period))
                if left != shown:
                    return {"where": f"length {length} after period {period}", "left": str(left), "right": str(shown)}
        return None

    def wrong_hsf(s: int, l: int, u: int) -> dict[str, str] | None:
        for length in range(l, u + 1):
            shown = at("hsf_time", s=s, k=length, i=length)
            if shown != Fraction(length) / Fraction(1, s + length):
                return {"where": f"length {length}", "left": str(shown), "right": str(length * (s + length))}
        return None

    def wrong_total(s: int, l: int, u: int) -> dict[str, str] | None:
        for period in range(l, u + 1):
            for length in range(period, u + 1):
                d = delta(s, l, period)
                second = completed(s, l, period, length) + 2 * at("remaining", s=s, i=length, k=period, delta=d)
                meant = Fraction(d, s + length) + Fraction(2 * (length - period), s + length)
                if second != meant or at("tau", delta=d, s=s, i=length, k=period) != d * length:
                    return {"where": f"summand k = {period}, length {length}", "left": str(second), "right": str(meant)}
        return None

    def part(name: str, theorem: Theorem, wrong: Wrong) -> Part:
        proved = from_theorem(name, theorem)
        try:
            found = _first(wrong, SMALL) or (None if proved.status == "proved" else _first(wrong, FURTHER))
        except (ArithmeticError, ValueError, OverflowError):
            found = None
        if found is None:
            return proved
        if proved.status == "proved":
            raise AssertionError(f"{name} is proved and fails at {found}")
        failing = theorem.first_failure
        second = {"failing step": failing.as_json() if failing else None}
        return Part(name, "refuted", {"counterexample": found, "second computation": second})

    tau_name = f"E[τ_k] = Σ_{{i≥k}} i(s+i)/M E[c_{{{index.replace(',', '')}}}] = δ(k)/M Σ_{{i≥k}} i x_i n"
    displays = (
        part(
            "H-SF: k(s+k)x_k n/M of time per length, and its total latency",
            theorems.h_sf_latency(expr["hsf_time"]),
            wrong_hsf,
        ),
        part(tau_name, theorems.period_time(expr["completed"], expr["tau"], index), wrong_tau),
        part(
            "the number remaining after period k is Σ_{i>k} (i−k)/(s+i) x_i n",
            theorems.remaining(expr["completed"], expr["remaining"]),
            wrong_remaining,
        ),
        part(
            "A_min's total latency from E[τ_k] = δ(k)/M Σ i x_i n and the number remaining, leading order",
            theorems.a_min_latency(expr["tau"], expr["completed"], expr["remaining"]),
            wrong_total,
        ),
    )
    process = Part(
        "the process: E of the product τ_k · (requests left) as the product of expectations, and the factors 1 + O(1/M)",
        "inconclusive",
        {
            "tried": "of the form only: the displays are exact in the deterministic limit; no run of the process decides them here"
        },
    )
    false = [p for p in displays if p.status == "refuted"]
    why = (
        f"{false[0].part} is false as printed: {_at(false[0].evidence['counterexample'])}"
        if false
        else "every display holds in the limit; the passage from the process is open"
    )
    verdict = Verdict(
        "as-stated",
        "for all integers s ≥ 0 (s ≥ 1 in the paper's model), 1 ≤ l ≤ k ≤ u and weights x, with Proposition state_transition as "
        "premise; displays as printed, in the limit n → ∞ then M → ∞, of the form",
        "rational-function identities; exact bookkeeping of the periods at small (s, l, u)",
        (*displays, process),
        why,
        degenerate=(
            "fixed n and M → ∞: every request starts at once, TEL → Σ o_i, and the displays' n²/(2M) does not apply",
            "s = 0, l = 1: δ ≡ 1, and the printed index c_ii gives the same numbers as c_ki",
        ),
    )
    tau = displays[1]
    if tau.status == "refuted":
        proof = Proof(
            "false-step",
            "E[τ_k] = Σ i(s+i)/M E[c_ii]: the sum runs over c_ki, the completions of period k; with that index the display holds",
        )
    elif false:
        proof = Proof("false-step", false[0].part)
    else:
        proof = Proof("gap", "E[τ_k · R_k] is replaced by E[τ_k] E[R_k] without an argument")
    meant = theorems.period_time(expr["completed"], expr["tau"], "k,i")
    repair = Repair(
        "E[τ_k] = Σ_{i≥k} i(s+i)/M E[c_ki] = δ(k)/M Σ_{i≥k} i x_i n",
        (from_theorem("the display of E[τ_k] with the completions c_ki of period k", meant),),
    )
    as_printed = given["tau"] == CLAIM.given["tau"] and given["completed"] == CLAIM.given["completed"]
    return Decision((verdict,), proof, (repair,) if as_printed and tau.status == "refuted" else ())


def _at(found: dict[str, str]) -> str:
    """Return where a display is wrong as words."""
    place = f"at s = {found['s']}, l = {found['l']}, u = {found['u']} ({found['where']})"
    return f"{place} the left side is {found['left']} and the right one {found['right']}"


def _first(wrong: Wrong, settings: Settings) -> dict[str, str] | None:
    for size, low, up in settings:
        found = wrong(size, low, up)
        if found is not None:
            return {"s": str(size), "l": str(low), "u": str(up), **found}
    return None


CLAIM = Claim(
    id="amin-derivation",
    place='proof of Lemma "Amin"',
    statement="from E[c_ij] to E[τ_k], to the number remaining, to both latencies; each display as printed",
    given={
        "completed": "delta/(s+i)",
        "tau_index": "i,i",
        "tau": "delta*i",
        "remaining": "(i-k)/(s+i)",
        "hsf_time": "k*(s+k)",
    },
    decide=decide,
    rests_on=("prop-transition", "lem-deletion"),
    corrupted=(
        Variant("a coefficient", {"tau": "delta*i*101/100", "tau_index": "k,i"}, "E[τ_k]"),
        Variant("a sign", {"remaining": "(i+k)/(s+i)"}, "the number remaining"),
        Variant("an index: k for k+1", {"remaining": "(i-k+1)/(s+i)"}, "the number remaining"),
        Variant("the prompt left out", {"hsf_time": "k*k"}, "H-SF"),
        Variant("a constant off by 1 %", {"hsf_time": "1.01*k*(s+k)"}, "H-SF"),
        Variant("completions without δ", {"completed": "1/(s+i)", "tau_index": "k,i"}, "E[τ_k]"),
        Variant("an index of the completions", {"completed": "delta/(s+k)"}, "the number remaining"),
        Variant("the number remaining off by 1 %", {"remaining": "1.01*(i-k)/(s+i)"}, "A_min's total"),
    ),
    variants=(
        Variant("the index that is meant", {"tau_index": "k,i"}, "E[τ_k]"),
        Variant("equivalent wording", {"remaining": "1 - (s+k)/(s+i)"}, "the number remaining"),
        Variant("expanded", {"hsf_time": "k**2+k*s"}, "H-SF"),
    ),
)
