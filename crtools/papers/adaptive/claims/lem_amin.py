"""lem-amin and amin-derivation: the closed form of CR(A_min), its proof from E[c_ij], and both forms against the processes themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import inf
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from crtools.distributions import distribution
from crtools.enclosure import fraction
from crtools.forms import form
from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Open, Refuted, Verdict, agree, by_theorem
from crtools.ledger.deciders.bounds import rounded
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.measured import measured
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence.algorithm_two import Law, area_ratio, areas, shrinking, simulated
from crtools.papers.adaptive.evidence.reading import decidable, exact_value, first_failure, function, one_of, repairs
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem
from crtools.schedule import batch_total
from crtools.setting import Setting
from crtools.signs.numbers import Exact


@stated_claim("amin-derivation")
def amin_derivation(given: Given) -> Decision:
    """Decide both forms from the Proposition's completions, and the displays of the proof."""
    derivation = Derivation(given)
    printed = derivation.index.replace(",", "")
    read = reading_of("amin-derivation", index=printed)
    verdicts: list[Verdict] = []
    failure = ""
    for level, suffix in ((AT_ZERO, "-at-zero"), (FORM, "")):
        settings = [setting for setting in (*SMALL, *FURTHER) if (setting[0] == 0) == (level == AT_ZERO)]
        follows = decidable(derivation.forms_follow, settings)
        # from k(s+k) x_k n/M of time per length
        h_sf = by_theorem(TEXT.theorem("H-SF latency", t=lambda k, s: k * (s + k)))
        findings = (
            Finding(f"h-sf-form{suffix}", "H-SF's latency form follows from its batches", h_sf),
            Finding(f"a-min-form{suffix}", "A_min's latency form follows from $E[c_ki]$", follows),
        )
        failure = first_failure(findings)
        verdicts.append(read.verdict(level, failure or HOLDS, *findings))
    uncorrected = ["period-time"] * (printed != "ii")
    times = {"h_sf_time": derivation.hsf_time(), "period_time": derivation.period_time()}
    proof = read.proof(*uncorrected, **times, remaining=derivation.remaining(), total=derivation.total())
    misprinted = proof.displays[1].status == "refuted"
    summary = failure or ("both forms follow" + ("; $E[τ_k]$ is misprinted" if misprinted else ""))
    return Decision(summary, tuple(verdicts), proof)


HOLDS = "with $τ_k = Σ_i i(s+i) E[c_ki]/M$ and what is left, the periods add up to the Lemma's sums"


# ---- From the completions E[c_ki] of each period to the latency forms: the derivation as it should go, and its displays
# Quantities are per request: completed(k, i) is E[c_ki]/(x_i n), δ(k) is s + l at k = l and 1 at k > l.

SettingTuple = tuple[int, int, int]
"""A setting (s, l, u)."""

Value = Callable[[str, Point], Fraction]
"""The value of a formula, by its name, at a point (see :func:`_point`)."""

INDICES = ("i,i", "k,i")
delta = sp.Symbol("delta", positive=True)
SYMBOLS = {"delta": delta, "s": s, "i": i, "k": k}

SMALL: tuple[SettingTuple, ...] = tuple((s, l, u) for s in (1, 2, 0, 5) for l in (1, 2, 3) for u in range(l, l + 4))
"""Settings at which everything is compared with exact bookkeeping, s ≥ 1 first: the paper's model."""

FURTHER: tuple[SettingTuple, ...] = tuple((s, l, l + 12) for s in (3, 4, 7, 11, 13, 100) for l in (1, 5))
"""Further settings, tried where there is no proof."""


def _point(size: int, low: int, period: int, length: int) -> Point:
    """Return s, l, the period k, the length i ≥ k and δ(k)."""
    return {"s": size, "l": low, "k": period, "i": length, "delta": size + low if period == low else 1}


def _points(settings: Iterable[SettingTuple]) -> list[Point]:
    return [
        _point(size, low, period, length)
        for size, low, up in settings
        for period, length in combinations_with_replacement(range(low, up + 1), 2)
    ]


POINTS_ONLY = Theorem(name="points only", statement="", reading="", steps=())
"""An empty theorem, which proves nothing: only the points are compared."""

POINTS, FURTHER_POINTS = _points(SMALL), _points(FURTHER)


class Derivation:
    """The derivation with the formulas of a claim: the Proposition's completions, and the displays."""

    def __init__(self, given: Given) -> None:
        """Read the formulas; ``InputError`` where one is not defined on its range."""
        on = integers_from(s=0, k=1, i="k", delta=1)
        self._trees, self._exprs = {}, {}
        for name in ("completed", "tau", "remaining", "hsf_time"):
            self._trees[name], self._exprs[name] = formula_on(name, given[name], SYMBOLS, on)
        self.index = one_of(given, "tau_index", INDICES)

    def _at(self, name: str, p: Point) -> Fraction:
        value = exact_value(self._trees[name], p)
        if not isinstance(value, Fraction):
            raise ArithmeticError(f"{name} is not rational at {p}")
        return value

    def _at_again(self, name: str, p: Point) -> Fraction:
        """Return the same by SymPy, which shares no arithmetic with :meth:`_at`."""
        exact = self._exprs[name].subs({symbol: p[key] for key, symbol in SYMBOLS.items()}).doit()
        if not exact.is_Rational:
            raise ArithmeticError(f"{name} is not rational at {p}")
        return fraction(exact)

    def forms_follow(self, settings: list[SettingTuple]) -> Evidence:
        """Decide that the completions give A_min's form: τ_k = Σ_i i(s+i) c_ki, and what is left after each period."""
        for size, low, up in settings:
            for weights in ({up: 1}, {low: 2, up: 1}):
                x = {length: Fraction(w) for length, w in weights.items()}
                derived, expected = _latency(self._at, x, (size, low, up)), literal.a_min_sum(x, size, low)
                if derived != expected:
                    entries = [x.get(length, Fraction(0)) for length in range(low, up + 1)]
                    agree(expected, Fraction(form("a-min").on(Setting(size, low, up)).value(entries)), "A_min's form")
                    again = _latency(self._at_again, x, (size, low, up))
                    confirmed = agree(derived, again, "the latency period by period")
                    witness = {"s": size, "l": low, "u": up, "weights": {str(n): str(w) for n, w in x.items()}}
                    return Refuted(witness, str(expected), str(derived), str(confirmed))
        completed, remaining = self._exprs["completed"], TEXT.value("remaining", i, k, s)
        return by_theorem(
            _theorem("period time", c=completed, t=delta * i),
            _theorem("number remaining", c=completed, r=remaining),
            _theorem("A_min latency", t=delta * i, c=completed, r=remaining),
        )

    def hsf_time(self) -> Evidence:
        """Decide the display of H-SF's time per length."""
        near, far = ([p for p in points if p["i"] == p["k"]] for points in (POINTS, FURTHER_POINTS))
        return decide_formula(
            "H-SF's time per length",
            lambda: TEXT.theorem("H-SF latency", t=function(self._exprs["hsf_time"], k, s)),
            self._trees["hsf_time"],
            near,
            lambda p: Fraction(form("h-sf").entry(p["k"], p["k"], p["s"])),
            lambda p: literal.h_sf_sum({p["k"]: Fraction(1)}, p["s"]),
            far,
        )

    def _decide(
        self, name: str, what: str, theorem: Callable[[], Theorem], right: Callable[[Value, Point], Fraction]
    ) -> Evidence:
        """Decide a display; ``right`` computes its true value from the values of the other formulas."""
        by_fractions, by_sympy = (partial(right, value) for value in (self._at, self._at_again))
        tree = self._trees[name]
        return decidable(decide_formula, what, theorem, tree, POINTS, by_fractions, by_sympy, FURTHER_POINTS)

    def period_time(self) -> Evidence:
        """Decide the display of E[τ_k], with the index of its completions."""

        def right(value: Value, p: Point) -> Fraction:
            period = p["i"] if self.index == "i,i" else p["k"]
            return p["i"] * (p["s"] + p["i"]) * value("completed", _point(p["s"], p["l"], period, p["i"]))

        theorem = partial(_period_time, self._exprs["completed"], self._exprs["tau"], self.index)
        return self._decide("tau", "E[τ_k]", theorem, right)

    def remaining(self) -> Evidence:
        """Decide the display of the number remaining after period k."""

        def right(value: Value, p: Point) -> Fraction:
            points = (_point(p["s"], p["l"], period, p["i"]) for period in range(p["l"], p["k"] + 1))
            return 1 - sum((value("completed", at) for at in points), Fraction(0))

        theorem = partial(_theorem, "number remaining", c=self._exprs["completed"], r=self._exprs["remaining"])
        return self._decide("remaining", "what remains", theorem, right)

    def total(self) -> Evidence:
        """Decide the display of A_min's total latency from those of E[τ_k] and of the number remaining."""

        def remaining_share(value: Value, p: Point) -> Fraction:
            return (Fraction(p["delta"] + 2 * (p["i"] - p["k"]), p["s"] + p["i"]) - value("completed", p)) / 2

        t, c, r = (self._exprs[name] for name in ("tau", "completed", "remaining"))
        theorem = partial(_theorem, "A_min latency", t=t, c=c, r=r)
        tau = self._decide("tau", "E[τ_k]", lambda: POINTS_ONLY, lambda _, p: Fraction(p["delta"] * p["i"]))
        return tau if isinstance(tau, Refuted) else self._decide("remaining", "what remains", theorem, remaining_share)


def _theorem(name: str, **formulas: SymExpr) -> Theorem:
    """Return a theorem about the completions c, the time t of a period, and the number r that remains after it."""
    order = {"c": (delta, i, k, s), "t": (delta, i, k, s), "r": (i, k, s)}  # how the text writes the arguments
    return TEXT.theorem(name, **{parameter: function(expr, *order[parameter]) for parameter, expr in formulas.items()})


def _period_time(completed: SymExpr, displayed: Any, index: str) -> Theorem:
    """E[τ_k] = Σ_{i≥k} i(s+i)/M · E[c_ki], or with the index that is printed, equals Σ_{i≥k} ``displayed`` · x_i n/M."""
    if index == "k,i":
        return _theorem("period time", c=completed, t=displayed)
    later, first, only = {delta: 1}, {delta: s + l, k: l}, {delta: s + l, k: l, i: l}
    printed = i * (s + i) * completed.subs(k, i)  # period i's completions of length i, δ(i) inside
    proof = Proof(f"period time, {index}", "for all s ≥ 0 and l ≤ k ≤ u", r"\mathbb E[\tau_k]")
    for case, lhs_at, rhs_at in (("k > l", later, later), ("k = l < i", later, first), ("k = l = i", only, only)):
        proof.identity(f"coefficient of x_i n/M, {case}", printed.subs(lhs_at), sp.sympify(displayed).subs(rhs_at))
    return proof.qed()


def _latency(value: Value, x: dict[int, Fraction], setting: SettingTuple) -> Fraction:
    """Return 2M·TEL/n² by going through the periods."""
    size, low, up = setting
    unfinished, total = dict(x), Fraction(0)
    for period in range(low, up + 1):
        completed = {n: value("completed", _point(size, low, period, n)) * w for n, w in x.items() if n >= period}
        unfinished = {n: w - completed.get(n, 0) for n, w in unfinished.items()}
        time = sum((n * (size + n) * c for n, c in completed.items()), Fraction(0))
        waiting = sum((w for n, w in unfinished.items() if n > period), Fraction(0))
        total += time * (sum(completed.values(), Fraction(0)) + 2 * waiting)
    return total


# ---- lem-amin: the closed form, against H-SF and Algorithm 2 ---------------------------------------------------------

WORDS = {
    "ratio": "Algorithm 2 hardly cancels where needs shrink with age: it follows the order of a random draw, by areas, and learns nothing",
    "a-min": "under a law whose needs shrink with age Algorithm 2 takes longer than the form says",
    "h-sf": "H-SF's latency has no limit: it depends on the remainder of $n$ modulo a batch",
}
"""Why the Lemma is false, by the first of its parts that fails."""

SHORT = {"a-min": "Algorithm 2 takes longer than the form", "h-sf": "H-SF has no limit along every $n$"}


@stated_claim("lem-amin")
def lem_amin(given: Given) -> Decision:
    """Decide both forms, given by their entries for i ≤ j, and their ratio, for H-SF and Algorithm 2."""
    a_min, h_sf = (entry(given, name) for name in ("a_min", "h_sf"))
    ratio = decidable(of_the_ratio, a_min, h_sf)
    algorithm_2 = decidable(of_algorithm_two, a_min)
    in_phases, generic = decidable(h_sf_in_phases, h_sf), decidable(by_simulation, "h-sf", h_sf)
    findings = (
        Finding("ratio", "CR of Algorithm 2 is the ratio of the forms", ratio),
        Finding("a-min", "Algorithm 2's latency is A_min's form", algorithm_2),
        Finding("h-sf", "H-SF's latency is its form, along every $n → ∞$", in_phases),
        Finding("h-sf-generic", "H-SF's latency is its form, at large $n$ drawn at random", generic),
    )
    false = next((f.id for f in findings if f.status == "refuted"), "")
    line = SHORT.get(false, "not decided")
    if isinstance(ratio, Refuted):
        at = f"$s = {ratio.witness['s']}$, $u = {ratio.witness['u']}$"
        line = f"{ratio.claimed} at {at}, truly ≥ {ratio.values['at_least']}"
    read = reading_of("lem-amin")
    verdict = read.verdict(ALGORITHM, WORDS.get(false, "not decided"), *findings)
    coins = decidable(by_simulation, "a-min-cohort", a_min)
    proof = read.proof(h_sf_time=in_phases, a_min_time=algorithm_2, latency_of_coins=coins)
    return Decision(line, (verdict,), proof, repairs("h-sf-by-peaks", "algorithm-2-by-areas") if false else ())


# ---- Latency forms, given by their entries for i ≤ j, against H-SF and Algorithm 2 in the limit n → ∞, then M → ∞ ----

Entry = Callable[[int, int, int], Exact | None]
"""A form's entry at i ≤ j and s; None where it is undefined."""

SAMPLES = (("uniform(l=1, u=8)", 0), ("two-point(l=2, u=6, weight=3/4)", 5), ("uniform(l=3, u=6)", 1))
MEMORY, REQUESTS = 1500, 60_000
LAWS = tuple((s, u, 1 - Fraction(1, u)) for s in (1, 2) for u in (10, 2, 30))
"""Laws (s, u, r) with shrinking needs at which a form is compared with that of areas."""

NEAR, FAR = 0.03, 0.04
"""Simulation supports a form within ``NEAR`` of the simulated latency, and contradicts one beyond ``FAR``."""


def entry(given: Given, name: str) -> Entry:
    """Return a form by its entries for i ≤ j; ``InputError`` where one is not defined."""
    names = {"s": s, "i": i, "j": j}
    tree, _ = formula_on(name, given[name], names, integers_from(s=0, i=1, j="i"))
    return lambda i, j, s: exact_value(tree, {"s": s, "i": i, "j": j})


# ---- H-SF's exact total latency on lengths 1 and 2, in two phases; shares no code with ``crtools.process``


class Phase(NamedTuple):
    """An instance for H-SF whose schedule is known: M, the numbers of both lengths, and TEL."""

    memory: int
    ones: int
    twos: int
    total: int


def in_step(s: int, r: int, batches: int) -> Phase:
    """M = (s+1)(s+2)r: full batches of length 1, then batches of (s+1)r requests of length 2 every other instant.

    At equal shares 2M·TEL/n² tends to ¼ ((s+1) + 2(s+1) + 2(s+2)), with the number of batches and then with r.
    """
    memory, k1, k2 = (s + 1) * (s + 2) * r, (s + 2) * r, (s + 1) * r
    size = memory * batches
    q, p = size // k1, size // k2
    total = batch_total(size, k1) + k2 * sum(q + 2 * m for m in range(1, p + 1))
    return Phase(memory, size, size, total)


def out_of_step(s: int, r: int, batches: int) -> Phase:
    """M = (s+1)(2s+3)r: (s+2)r requests of length 1 are left for a last batch, beside which (s+1)r of length 2 start.

    From then on (s+1)r requests of length 2 start at every instant: (s+1)r(s+2) + (s+1)r(s+1) = M, for ever. The limit is
    ¼ ((s+1) + 2(s+1) + (2s+3)).
    """
    memory, k1, k2 = (s + 1) * (2 * s + 3) * r, (2 * s + 3) * r, (s + 1) * r
    ones = k1 * batches + (s + 2) * r
    p = ones // k2
    total = batch_total(ones, k1) + k2 * sum(batches + m + 2 for m in range(p))
    return Phase(memory, ones, k2 * p, total)


def limit(phase: Callable[[int, int, int], Phase], s: int) -> Fraction:
    """Return what 2M·TEL/n² tends to in a phase, at equal shares."""
    return Fraction(3 * (s + 1) + (2 * (s + 2) if phase is in_step else 2 * s + 3), 4)


# ---- H-SF ------------------------------------------------------------------------------------------------------------

FAMILIES = {
    out_of_step: ("out of step", "(s+1)(2s+3)r", "(2s+3)rq + (s+2)r"),
    in_step: ("in step", "(s+1)(s+2)r", "(s+1)(s+2)rq"),
}
"""The phases of H-SF in words, with M and the number of requests of length 1."""


def h_sf_in_phases(entry: Entry) -> Refuted:
    """Decide that the form is the limit of 2M TEL/n² of H-SF: lengths 1 and 2 have two phases with different limits."""
    claimed = value(entry, {1: Fraction(1, 2), 2: Fraction(1, 2)}, 1)
    phase, other = (in_step, out_of_step) if claimed == limit(out_of_step, 1) else (out_of_step, in_step)
    which, memory, ones = FAMILIES[phase]
    return Refuted(
        witness={
            "family": f"$l = 1$, $u = 2$, $M = {memory}$, ${ones}$ requests of length 1 and, up to less than $(s+1)r$, as many of "
            f"length 2, $q → ∞$, then $r → ∞$: batches of length 2 are {which} for ever",
            "s": 1,
        },
        claimed="undefined" if claimed is None else f"$2M TEL/n² → {claimed}$",
        actual=f"$2M TEL/n² → {limit(phase, 1)}$",
        second=[_member(phase(1, r, batches)) for r, batches in ((1, 40), (10, 40), (10, 400))],
        stays="$s$, $α = 1/2$ and the shares are fixed, $n → ∞$ at every such $M$ and $M → ∞$; only the remainder of $n$ "
        "modulo the batch is special: along others the form is approached in simulations, so that there is no limit",
        values={f"limit_{FAMILIES[other][0].replace(' ', '_')}": str(limit(other, 1))},
    )


def _member(instance: Phase) -> JsonObject:
    """Return an instance with its total, which the simulator must find as well."""
    memory, ones, twos, total = instance
    run = simulate("h-sf", [1] * ones + [2] * twos, memory, 1, engine="fast")
    agree(run.total_latency, total, "H-SF's total in a phase")
    n = ones + twos
    scaled = 2 * memory * total / n**2
    return {"s": 1, "M": memory, "n": n, "of_length_1": ones, "TEL": total, "TEL_times_2M_over_n2": scaled}


# ---- Algorithm 2 -----------------------------------------------------------------------------------------------------


def of_algorithm_two(entry: Entry) -> Evidence:
    """Decide that the form is the limit of 2M E[TEL]/n² of Algorithm 2: refuted where it is below that of areas."""
    words = "$2M E[TEL]/n² → {:.6f}$", "$liminf 2M E[TEL]/n² ≥ {}$", 8
    refuted = _below(TEXT.theorem("Algorithm 2 by areas"), lambda x, s: value(entry, x, s), areas, words)
    return refuted or by_simulation("a-min-literal", entry)


def of_the_ratio(a_min: Entry, h_sf: Entry) -> Evidence:
    """Decide that the ratio of two forms is that of Algorithm 2 and H-SF: refuted where it is below areas over peaks."""

    def lower_bound(x: Law, s: int) -> Fraction:
        return agree(area_ratio(x, s), literal.areas_over_peaks(x, s), "a ratio by areas")

    def claimed_ratio(x: Law, s: int) -> Exact | None:
        top, bottom = value(a_min, x, s), value(h_sf, x, s)
        return None if top is None or not bottom else top / bottom

    theorem = TEXT.theorem("Algorithm 2 by areas, against H-SF")
    words = "{:.4f}", "≥ {}: Algorithm 2 at least by areas, H-SF at most by peaks", 5
    refuted = _below(theorem, claimed_ratio, lower_bound, words)
    return refuted or by_simulation("a-min-literal", a_min, h_sf)


def _below(
    theorem: Theorem,
    claimed: Callable[[Law, int], Exact | None],
    lower_bound: Callable[[Law, int], Fraction],
    words: tuple[str, str, int],
) -> Refuted | None:
    """Refute what is ``claimed`` at the first law at which it is below the theorem's ``lower_bound``; ``words``: how to write both."""
    for prompt, u, r in LAWS:
        x = shrinking(prompt, u, r)
        value_claimed, value_proved = claimed(x, prompt), lower_bound(x, prompt)
        at_least = rounded(value_proved, words[2])
        if theorem.holds and (value_claimed is None or value_claimed < value_proved):
            return Refuted(
                witness={
                    "family": "$l = 1$, $n$ independent lengths with $P(o > a) = (s+1)r^a/(s+a+1)$ for $a < u$; $n → ∞$ at every "
                    "$M$, then $M → ∞$",
                    "s": prompt, "u": u, "r": str(r),
                },
                claimed="undefined" if value_claimed is None else words[0].format(float(value_claimed)),
                actual=words[1].format(at_least),
                second=simulated(1, 10, Fraction(9, 10), 1000, 60_000),
                stays="$s$, $u$, $α = 1/u < 1$ and the law are fixed; $n → ∞$ at every $M$, then $M → ∞$",
                theorems=theorem.records,
                values={"at_least": at_least},
            )  # fmt: skip
    return None


# ---- measured --------------------------------------------------------------------------------------------------------


def by_simulation(policy: str, above: Entry, below: Entry | None = None) -> Measured | Open:
    """Compare a form, or a ratio of two, with a policy's simulated latency, or with that over H-SF's."""
    rows: list[JsonObject] = []
    gaps: list[float] = []
    for law, prompt in SAMPLES:
        total, counts = _simulated(policy, law, prompt)
        claimed, under = value(above, counts, prompt), Fraction(1)
        if below is not None:
            total /= _simulated("h-sf", law, prompt)[0]
            under = value(below, counts, prompt)
        ratio = total * float(under) / float(claimed) if claimed and under else "undefined"
        gaps.append(inf if isinstance(ratio, str) else abs(ratio - 1))
        rows.append({"law": law, "s": prompt, "M": MEMORY, "n": REQUESTS, "simulated_over_claimed": ratio})
    return measured(
        ((gap - (FAR - NEAR), gap) for gap in gaps),
        most=NEAR,
        sample=f"one run each under {len(rows)} laws, n = {REQUESTS}, M = {MEMORY}",
        margin=f"supported within {NEAR}, contradicted beyond {FAR}; the error at these sizes is of the order of $(s+u)/M$ and "
        "of a batch over the requests of a length",
        values={"policy": policy, "compared": rows},
    )


@lru_cache(maxsize=16)
def _simulated(policy: str, law: str, s: int) -> tuple[float, Law]:
    """Return 2M·TEL of one run, and the numbers of requests by length."""
    lengths = distribution(law).sample(REQUESTS, np.random.default_rng(0))
    run = simulate(policy, lengths, MEMORY, s, seed=0)
    values, counts = np.unique(lengths, return_counts=True)
    return 2.0 * MEMORY * run.total_latency, {int(v): Fraction(int(c)) for v, c in zip(values, counts, strict=True)}


def value(entry: Entry, x: Law, s: int) -> Exact | None:
    """Return Σ_ij entry · x_i x_j, or None where an entry is undefined."""
    total: Exact = Fraction(0)
    for short, long in combinations_with_replacement(sorted(x), 2):
        coefficient = entry(short, long, s)
        if coefficient is None:
            return None
        total += (1 if short == long else 2) * coefficient * x[short] * x[long]
    return total
