"""``best``: the best blind schedule for a distribution of lengths, with its ratio to the optimum from both sides.

:func:`best` brackets the distribution (:mod:`crtools.blind.truncation`), finds the best mixture of plans in floats
(:mod:`crtools.blind.min_norm_point`) and bounds its ratio exactly (:mod:`crtools.blind.mixture`). ``crtools best`` prints the result
(:mod:`crtools.cli.blind`). Under a distribution with symbols :func:`closed_form` has the best ratio V of two lengths, and of uniform
lengths from 1 on. Tests: tests/blind/test_best.py.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.core.symbol import uniquely_named_symbol

from crtools.blind.attempt_costs import VOLUME_COST, Cost, Path, Requests, as_cost
from crtools.blind.min_norm_point import Group, Progress, Search, common_plan, exact
from crtools.blind.mixture import Mixture, Plan
from crtools.blind.truncation import Bracket, bracket
from crtools.distributions import Distribution, distribution
from crtools.distributions.base import LawLike
from crtools.distributions.families import SymbolicUniform, TwoPoint
from crtools.enclosure import Enclosure, decimal, significant
from crtools.errors import InputError, NotCertified
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.installed_ledgers import DEFAULT, installed
from crtools.ledger.registry import answering
from crtools.names import named_arguments
from crtools.numeric_types import JsonObject, SymExpr
from crtools.plotting.figure import Figure, columns
from crtools.plotting.sheet import Sheet
from crtools.process.clocks import Clock
from crtools.ratios.ratio import ratio
from crtools.schedule import volume
from crtools.setting import integer
from crtools.tables import WithRows

FORM_DIGITS = 7
"""The digits of a form's ratio under a heavy tail, where each further one takes longer."""

MOST_DIGITS, CELL_DIGITS = 12, 4
"""The accuracy of the search in floats, and that where lengths are rounded to cells; an exact value has all digits."""


@dataclass(frozen=True)
class Best(WithRows):
    """The best blind schedule for a distribution of lengths, as :func:`best` returns it.

    Parameters
    ----------
    law : Distribution
        The distribution of the lengths. The policy may know it.
    s : int
        The prompt size in tokens.
    digits : int
        The number of digits that were asked for; ``reached`` is that of ``value``.
    value : Enclosure
        The least ratio to the optimum of a blind policy, for n → ∞ and then M → ∞.
    mixture : Mixture
        The mixture of plans that attains the upper end, in integers.
    bracket : Bracket
        The two distributions, below and above, for which both ends were computed.
    cost : Cost
        The cost of an attempt: its volume, or with a set-up and a cost per token.

    Notes
    -----
    Blind: the policy learns a length when the request completes, and a request that is killed loses its tokens. The value is that of
    the claim best-value, whose theorem on one machine is for any sizes that rise with the length. In the process it is proved for the
    volume; with the cost in seconds it bounds every blind policy from below, over the same bound on the optimum.

    Examples
    --------
    >>> schedule = best("uniform(1, 10)")
    >>> schedule.exact
    Fraction(243820, 139513)
    >>> schedule.plans[0]
    Plan(thresholds=(), share=Fraction(438, 1153))
    >>> round(float(schedule.run_through.upper), 6)
    1.818182
    """

    law: Distribution
    s: int
    digits: int
    value: Enclosure
    mixture: Mixture
    bracket: Bracket
    cost: Cost = VOLUME_COST

    @property
    def cut(self) -> Bracket:
        """The old name of :attr:`bracket`."""
        warnings.warn("Best.cut is now Best.bracket", DeprecationWarning, stacklevel=2)
        return self.bracket

    @property
    def exact(self) -> Fraction | None:
        """The value where both ends are equal, else None."""
        return self.value.lower if self.value.width == 0 else None

    @property
    def reached(self) -> int:
        """The digits of :attr:`value`: those that were asked for, or fewer where lengths are rounded to cells."""
        return min(self.digits, significant(self.value)) if self.bracket.in_cells else self.digits

    @property
    def rounding(self) -> str | None:
        """A sentence that says how lengths are rounded, None where they are not."""
        if not self.bracket.in_cells:
            return None
        cells, digits = len(self.bracket.lengths), f"{self.reached} of the {self.digits} digits asked"
        return f"{digits}: lengths are rounded, down below and up above, to the ends of {cells} cells"

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """The plans, the most frequent first."""
        return self.mixture.shares(self.bracket.lengths.__getitem__)

    @cached_property
    def common(self) -> Plan:
        """The best plan that is the same for all requests."""
        return Plan(tuple(self.bracket.lengths[c - 1] for c in self._common[1:-1]), Fraction(1))

    @cached_property
    def _common(self) -> Path:
        return common_plan(*Group.of(self.bracket.high).attempts)

    @cached_property
    def common_ratio(self) -> Enclosure:
        """The ratio of :attr:`common` to the optimum."""
        return self._ratio_of(self._common)

    @cached_property
    def run_through(self) -> Enclosure:
        """The ratio to the optimum of running every request to its end: E v / E min(v, v')."""
        return self._ratio_of((0, len(self.bracket.high.sizes)))

    @cached_property
    def nbue(self) -> bool | None:
        """Whether E min(v, c) ≥ E v · P(v ≤ c) for every c: exactly then running to the end is best.

        Decided for finite rational distributions, and where both ratios are separated; otherwise None.
        """
        if self._requests is not None:
            return self._requests[0].nbue
        return False if self.value.upper < self.run_through.lower else None

    @property
    def set_up_threshold(self) -> Fraction | None:
        """σ*, the least set-up of an attempt, ≥ 0, from which on running to the end is best; None where :attr:`nbue` is not computed.

        Notes
        -----
        It is max over c of (E v · P(v ≤ c) − E min(v, c))/P(v > c) with v the cost without a set-up: the sizes σ + v are NBUE exactly
        from there on. Then V = (σ + E v)/(σ + E min(v, v')), which tends to 1.
        """
        if self._requests is None:
            return None
        requests, unit = self._requests
        return max(self.cost.set_up_of(self.s) + requests.set_up_to_add * unit, Fraction(0))

    @cached_property
    def _requests(self) -> tuple[Requests, Fraction] | None:
        """The exact sizes and their unit, where the distribution is finite and rational."""
        if not (self.law.finite and self.law.rational):
            return None
        requests = Requests.of({self.cost.size(self.s, o): w for o, w in self.law.items()})
        return requests, self.cost.unit * self.cost.size(self.s, self.law.support[0]) / requests.sizes[0]

    @cached_property
    def price(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """(time, price) at the corners: time per request, in units of the cost; the price is the share that is unfinished."""
        return self.mixture.price.shares

    def forms(self, l: int | None = None, u: int | None = None) -> dict[str, float]:
        """Return the ratio of each form to the volume bound under this distribution, by name: floats, no guarantee.

        ``l``, ``u``: the interval of lengths that the policies assume, by default the support. Forms are in volumes: with another cost
        there are none.
        """
        if self.cost != VOLUME_COST:
            return {}
        interval = policy_interval(self.law, l, u)
        intervals = None if interval == self.law.support else [interval]
        ratios: dict[str, float] = {}
        for name in (VOLUME.name, H_SF.name, *installed()[DEFAULT].forms()):
            with suppress(InputError, NotCertified):
                to_volume = ratio(name, self.law, self.s, "volume", intervals=intervals)
                ratios[name] = to_volume.value if self.law.decay is None else to_volume.direct(FORM_DIGITS).middle
        return ratios

    def _ratio_of(self, plan: Path) -> Enclosure:
        """Return the ratio of one common plan; from both sides of the bracket."""
        low, high = self.bracket.low, self.bracket.high
        optimum_low, optimum_high = self.bracket.bounds_of_optimum
        upper = Mixture.of(high, {plan: 1}).price.upper(optimum_low)
        kills = {bisect_right(low.sizes, high.sizes[c - 1]) for c in plan[1:-1]} - {0, len(low.sizes)}
        lower = Mixture.of(low, {(0, *sorted(kills), len(low.sizes)): 1}).price.upper(optimum_high)
        return Enclosure(lower, upper, "exact areas of two laws")

    def __repr__(self) -> str:
        cost = "" if self.cost == VOLUME_COST else f", cost={str(self.cost)!r}"
        return f"V {self.shown()} (certified): best({str(self.law)!r}, s={self.s}{cost})"

    @property
    def latex(self) -> str:
        """The value in LaTeX."""
        if self.exact is not None and self.shown().startswith("="):
            return rf"V = \frac{{{self.exact.numerator}}}{{{self.exact.denominator}}} \approx {float(self.exact):.9g}"
        return rf"V \in [{', '.join(self.value.decimals(self.digits + 2))}]"

    def _rows(self) -> list[JsonObject]:
        kills = ((plan, ", ".join(map(str, plan.thresholds)) or "run to the end") for plan in self.plans)
        return [{"share": float(plan.share), "killed at": text} for plan, text in kills]

    def plot(self) -> Figure:
        """Return when the attempts run, and the price that they make, as a figure.

        A row of its data is an attempt; attempts of equal index are one after the other. ``start``, ``end``: when it runs, in
        token-instants per request. ``after``, ``until``: the ages at which the attempt before it (0: none) and this one are killed; at
        the largest length it runs to the end. ``share``: of the requests that have it in their plan. ``price``, ``price_after``: the
        unfinished shares at ``start`` and ``end``.
        """
        lengths, total = (0, *self.bracket.lengths), sum(self.mixture.weights)
        rows = [
            {
                "start": float(start), "end": float(end), "after": lengths[stage.after],
                "until": lengths[min(stage.until, len(lengths) - 1)], "share": stage.flow / total,
                "price": float(before), "price_after": float(unfinished),
            }
            for stage, ((start, before), (end, unfinished)) in zip(self.mixture.stages, pairwise(self.price), strict=True)
        ]  # fmt: skip
        notes = {"law": self.law.spec(), "s": self.s, "value": [*self.value.decimals(8)]}
        title = f"The best blind schedule for {self.law.spec()}, s = {self.s}: V = {float(self.value.lower):.6g}"
        return Figure("best", columns(rows), partial(_draw, rows=rows, title=title), {}, notes)

    def shown(self, longest: int = 40) -> str:
        """Return the exact value as text, or both ends if it is not known or has more digits than ``longest``."""
        if self.exact is not None and self.exact.denominator.bit_length() <= 2 * longest:
            return f"= {self.exact}"
        return f"in [{', '.join(self.value.decimals(self.reached + 2))}]"

    def as_json(self) -> JsonObject:
        """Return the document of ``crtools best --json``; decimals are rounded outward."""
        low, high = self.value.decimals(self.reached + 2)
        return {
            "law": self.law.spec(),
            **({"truncation": self.law.truncation} if self.law.truncation else {}),
            "s": self.s,
            "cost": str(self.cost),
            "l": self.law.support[0],
            "u": self.law.support[1],
            "against": "optimum",
            "value": {
                "lower": low,
                "upper": high,
                "exact": None if self.exact is None else _fraction_text(self.exact),
                "status": "certified",
                "digits": self.reached,
                "rounding": self.rounding,
            },
            "plans": [
                {"thresholds": list(p.thresholds), "share": _fraction_text(p.share) or f"{float(p.share):.12g}"}
                for p in self.plans
            ],
            "common": {
                "thresholds": list(self.common.thresholds),
                "ratio": decimal(self.common_ratio.upper, 10, up=True),
            },
            "run_through": decimal(self.run_through.upper, 10, up=True),
            "nbue": self.nbue,
            "set_up_threshold": None if self.set_up_threshold is None else str(self.set_up_threshold),
        }


def _draw(sheet: Sheet, rows: list[dict[str, Any]], title: str) -> Any:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm

    page = sheet.canvas(7.2, 6.0)
    attempts, price = page.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    colours = ScalarMappable(LogNorm(min(0.5, *(row["share"] for row in rows)), 1), colormaps["viridis_r"])
    for row in rows:
        width, height, low = row["end"] - row["start"], row["until"] - row["after"], row["after"] + 0.5
        attempts.bar(row["start"], height, width, low, align="edge", color=colours.to_rgba(row["share"]), lw=0)
    attempts.set_yscale("log")
    attempts.set_ylim(0.5, max(row["until"] for row in rows) + 0.5)
    attempts.set_ylabel("lengths that the attempts complete, in tokens")
    page.colorbar(colours, ax=attempts, label="share of the requests that make the attempt")
    times, prices = [row["start"] for row in rows], [row["price"] for row in rows]
    price.plot([*times, rows[-1]["end"]], [*prices, 0], color="#117733")
    price.set_ylabel("price = share unfinished")
    price.set_xlabel("time in $n/M$ instants (token-instants for each request)")
    price.set_ylim(bottom=0)
    for axis in (attempts, price):
        axis.grid(alpha=0.25)
    sheet.title(page, title)
    return page


def policy_interval(law: Distribution, l: int | None = None, u: int | None = None) -> tuple[int, int | None]:
    """Return the interval of lengths that policies assume; ``InputError`` if it does not contain the support."""
    first, last = law.support
    low, high = first if l is None else integer("l", l, 1), last if u is None else integer("u", u, 1)
    if low > first:
        raise InputError("l", low, f"must be at most {first}, the least length of {law.spec()}")
    if high is not None and (last is None or high < last):
        end = "and it has none" if last is None else f"{last}"
        raise InputError("u", high, f"must be at least the largest length of {law.spec()}, {end}")
    return low, high


LONGEST_EXACT = 10_000
"""Fractions with longer denominators, in bits, are printed as decimals only."""


def _fraction_text(number: Fraction) -> str | None:
    return str(number) if number.denominator.bit_length() <= LONGEST_EXACT else None


@named_arguments()
def best(
    law: LawLike,
    s: int = 0,
    digits: int = 8,
    *,
    cost: str | Sequence[float | Fraction] | Clock | Cost = "volume",
    memory: int | None = None,
    progress: Progress = iter,
) -> Best:
    """Return the best blind schedule for a distribution of lengths.

    Parameters
    ----------
    law : str, Distribution, list, array or mapping
        The distribution, or lengths or weights as :class:`Empirical` takes them. An unbounded one is truncated where its tail does
        not matter. More than 2,000 lengths are rounded, down below and up above, to the ends of 1,000 cells; then ``value`` has the
        digits that this leaves (``reached``), some 2 to 6.
    s : int
        The prompt size in tokens, ≥ 0.
    digits : int
        The width of the enclosure is at most 10^(1 − digits) times the value; from 1 to 12.
    cost : str, three numbers, Clock or Cost
        What an attempt up to age a costs: ``volume``, s·a + a(a + 1)/2; three numbers (set-up, per token, per token-instant); or
        ``seconds`` and a clock, the least work of an attempt in seconds of one machine, c₁(s − 1 + a) + (c₀/M + c₂)·volume.
    memory : int, optional
        The capacity M, for a cost in seconds.
    progress : callable
        Wraps the relative gaps of the search, one before each exchange of plans, such as a progress bar.

    Returns
    -------
    Best
        The least ratio to the optimum, the plans that attain it, and the price that proves it.

    Raises
    ------
    InputError
        If the distribution has symbols, a density or too heavy a tail, or an argument is out of range.
    NotCertified
        If the width is not reached, other than by rounding lengths.

    Examples
    --------
    >>> best("uniform(1, 2)").value.lower
    Fraction(4, 3)
    >>> best("geometric(q=9/10)", s=20, digits=4)
    V in [2.07952, 2.07956] (certified): best('geometric(q=9/10)', s=20)
    >>> best("uniform(1, 10)", cost=(1, 0, 1)).set_up_threshold  # killing is useless from a set-up of 2 token-instants on
    Fraction(2, 1)
    """
    lengths = distribution(law)
    s, digits = integer("s", s, 0), integer("digits", digits, 1, MOST_DIGITS)
    price = as_cost(cost, memory)
    if price.size(s, 1) <= 0:
        raise InputError("s", s, "must be at least 1: a first token would cost nothing")
    both = bracket(lengths, s, digits, price)
    accuracy = min(digits, CELL_DIGITS) if both.in_cells else digits
    search = Search([Group.of(both.high)], 10.0 ** -(accuracy + 1), progress)
    mixture = exact(both.high, search.plans) if both.exact else None
    mixture = mixture or search.rounded(both.high, accuracy + 4)
    optimum_low, optimum_high = both.bounds_of_optimum
    lower = max(mixture.price.lower(optimum_high, [both.low]), Fraction(1))
    method = "a mixture of plans, and the price that it makes, in exact arithmetic"
    value = Enclosure(lower, mixture.price.upper(optimum_low), method)
    if value.width * 10 ** (digits - 1) > value.lower and not both.in_cells:
        raise NotCertified(f"the best ratio was not enclosed to {digits} digits", value.relative_width())
    return Best(lengths, s, digits, value, mixture, both, price)


@dataclass(frozen=True)
class Case:
    """``value`` is V if ``where`` ≥ 0. ``tried``: the share of the requests whose first attempt is killed at the smaller length."""

    where: SymExpr
    value: SymExpr
    tried: SymExpr


@dataclass(frozen=True)
class ClosedForm:
    """V in closed form, for n → ∞ and then M → ∞, against the optimum, in the ``names`` and the distribution's symbols.

    ``names``: each name's expression, in the names before it. ``question``: the key of the proving claim in a ledger's ``answers``.
    """

    law: Distribution
    s: SymExpr | int
    names: dict[str, SymExpr]
    cases: tuple[Case, ...]
    question: str

    def as_json(self) -> JsonObject:
        """Return the document of ``crtools best --json`` for a distribution with symbols, in expressions that SymPy reads."""
        return {
            "law": self.law.spec(),
            "s": str(self.s),
            "against": "optimum",
            "names": {name: str(value) for name, value in self.names.items()},
            "cases": [
                {"where": f"{case.where} >= 0", "value": str(case.value), "tried": str(case.tried)}
                for case in self.cases
            ],
            "claim": self.claim,
        }

    @property
    def claim(self) -> str:
        """The claim that proves it."""
        return answering(self.question)[1]


def closed_form(law: str | Distribution, s: int | str = 0) -> ClosedForm:
    """Return V of a distribution with symbols; ``s`` may be a letter too. Raises ``InputError`` if no closed form is known.

    >>> closed_form("uniform(1, u)").cases[0].value
    2*u*(u + 2)/(u**2 + 3*u + 2)
    """
    lengths = distribution(law)
    prompt = sp.Symbol(s, nonnegative=True) if isinstance(s, str) and s.isidentifier() else integer("s", s, 0)
    if isinstance(lengths, TwoPoint):
        return _two_lengths(lengths, prompt)
    if isinstance(lengths, SymbolicUniform) and lengths.l == 1:
        u = lengths.u
        run_through = 2 * u * (3 * prompt + u + 2) / ((4 * u + 2) * prompt + u**2 + 3 * u + 2)
        case = Case(3 * prompt - u + 2, run_through, sp.S.Zero)
        return ClosedForm(lengths, prompt, {}, (case,), "best, uniform lengths")
    names = ", ".join(map(str, lengths.parameters))
    in_symbols = "in symbols V is known for two-point(l, u, weight) and uniform(1, u)"
    raise InputError("distribution", lengths.spec(), f"needs a value for {names}: {in_symbols}")


def _two_lengths(law: TwoPoint, s: SymExpr | int) -> ClosedForm:
    taken, names = (*law.parameters, sp.sympify(s)), ("v", "w", "p", "mu", "least")
    symbols = v, w, p, mean, minimum = [uniquely_named_symbol(name, taken, modify="{}_".format) for name in names]
    sizes = (volume(s, sp.sympify(length)) for length in (law.l, law.u))
    values = (*sizes, sp.sympify(law.share), p * v + (1 - p) * w, v + (1 - p) ** 2 * (w - v))
    excess = p * mean - v
    divisor = excess + (1 - p) ** 2 * v
    cases = (
        Case(-excess, mean / minimum, sp.S.Zero),
        Case(excess, (mean - excess**2 / divisor) / minimum, excess / divisor),
    )
    return ClosedForm(law, s, dict(zip(map(str, symbols), values, strict=True)), cases, "best, two lengths")
