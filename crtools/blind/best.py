"""The best blind schedule for a law of lengths: its ratio to the optimum from both sides, the plans that have it, and the price."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.min_norm_point import Progress, Search, common_plan, exact, rounded
from crtools.blind.mixture import Mixture
from crtools.blind.truncation import Cut, cut
from crtools.distributions import Distribution, distribution
from crtools.enclosure import Enclosure, decimal
from crtools.errors import InputError, NotCertified
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.installed_ledgers import DEFAULT, installed
from crtools.ratios.solve import ratio
from crtools.schedule import volume
from crtools.setting import integer

MOST_DIGITS = 12
"""What the search in floats reaches; an exact value has all digits."""


@dataclass(frozen=True)
class Plan:
    """A request that is not done at a threshold is killed and starts anew later; after the last one it runs to its end.

    ``thresholds`` are lengths in tokens, rising; ``share`` of the requests draw the plan.
    """

    thresholds: tuple[int, ...]
    share: Fraction


@dataclass(frozen=True)
class Best:
    """The least ratio to the optimum of a blind policy on lengths of a law, for n → ∞ and then M → ∞ (claim best-value).

    ``exact`` is the value as a ``Fraction`` where both sides are equal, else None; ``value`` encloses it. The policy may know the law.
    """

    law: Distribution
    s: int
    digits: int
    value: Enclosure
    mixture: Mixture
    cut: Cut

    @property
    def exact(self) -> Fraction | None:
        """The value, where both sides are equal."""
        return self.value.lower if self.value.width == 0 else None

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """The plans, the most frequent first."""
        total = sum(self.mixture.weights)
        pairs = zip(self.mixture.plans, self.mixture.weights, strict=True)
        own = [Plan(self._thresholds(plan), Fraction(weight, total)) for plan, weight in pairs]
        return tuple(sorted(own, key=lambda plan: (-plan.share, plan.thresholds)))

    @cached_property
    def common(self) -> Plan:
        """The best plan that is the same for all requests."""
        return Plan(self._thresholds(self._common), Fraction(1))

    @cached_property
    def _common(self) -> Path:
        return common_plan(self.cut.high)

    @cached_property
    def common_ratio(self) -> Enclosure:
        """What :attr:`common` pays, over the optimum."""
        return self._alone(self._common)

    @cached_property
    def run_through(self) -> Enclosure:
        """What running every request to its end pays, over the optimum: E v / E min(v, v')."""
        return self._alone((0, len(self.cut.high.sizes)))

    @cached_property
    def nbue(self) -> bool | None:
        """Whether E min(v, c) ≥ E v · P(v ≤ c) for every c: exactly then running to the end is best.

        Decided for finite rational laws, and where both ratios are apart; None where it is not.
        """
        if self.law.finite and self.law.rational:
            return Requests.of({volume(self.s, o): w for o, w in self.law.items()}).nbue
        return False if self.value.upper < self.run_through.lower else None

    @cached_property
    def price(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """(time, price) at the corners: time in token-instants for a request, the price is the share that is unfinished."""
        unit = self.mixture.unit
        return tuple((Fraction(time, unit), Fraction(rest, unit)) for time, rest in self.mixture.course)

    def forms(self, l: int | None = None, u: int | None = None) -> dict[str, float]:
        """Return what each form that is known for this law is over the same bound, by name: floats, no guarantee.

        ``l``, ``u``: the interval that the policies are told, by default the least and the largest length of the law.
        """
        interval = told(self.law, l, u)
        known = None if interval == self.law.support else [interval]
        found: dict[str, float] = {}
        for name in (VOLUME.name, H_SF.name, *installed()[DEFAULT].forms()):
            with suppress(InputError, NotCertified):
                found[name] = ratio(name, self.law, self.s, "volume", intervals=known).value
        return found

    def _thresholds(self, plan: Path) -> tuple[int, ...]:
        return tuple(self.cut.lengths[place - 1] for place in plan[1:-1])

    def _alone(self, plan: Path) -> Enclosure:
        """Return what one plan pays; of a law that was cut between both ends."""
        upper = Mixture.of(self.cut.high, {plan: 1}).upper(self.cut.low.shared)
        low = self.cut.low
        kept = (*(place for place in plan[:-1] if place < len(low.sizes)), len(low.sizes))
        return Enclosure(Mixture.of(low, {kept: 1}).upper(self.cut.high.shared), upper, "exact areas of two laws")

    def __repr__(self) -> str:
        return f"best({str(self.law)!r}, s={self.s}) {self.shown()}"

    def shown(self, longest: int = 40) -> str:
        """Return the exact value, or both ends where it is not known or has more characters than ``longest``."""
        text = "" if self.exact is None or self.exact.denominator.bit_length() > 2 * longest else f"= {self.exact}"
        return text or f"in [{', '.join(self.value.decimals(self.digits + 2))}]"

    def as_json(self) -> dict[str, Any]:
        """Return the document of ``crtools best --json``; decimals are rounded outward."""
        low, high = self.value.decimals(self.digits + 2)
        return {
            "law": self.law.spec(),
            **({"truncation": self.law.truncation} if self.law.truncation else {}),
            "s": self.s,
            "l": self.law.support[0],
            "u": self.law.support[1],
            "against": "optimum",
            "value": {
                "lower": low,
                "upper": high,
                "exact": None if self.exact is None else _text(self.exact),
                "status": "certified",
            },
            "plans": [
                {"thresholds": list(p.thresholds), "share": _text(p.share) or f"{float(p.share):.12g}"}
                for p in self.plans
            ],
            "common": {
                "thresholds": list(self.common.thresholds),
                "ratio": decimal(self.common_ratio.upper, 10, up=True),
            },
            "run_through": decimal(self.run_through.upper, 10, up=True),
            "nbue": self.nbue,
        }


def told(law: Distribution, l: int | None = None, u: int | None = None) -> tuple[int, int | None]:
    """Return the interval that policies are told; ``InputError`` where a length of the law is outside."""
    least, most = law.support
    low, high = least if l is None else integer("l", l, 1), most if u is None else integer("u", u, 1)
    if low > least:
        raise InputError("l", low, f"must be at most {least}, the least length of {law.spec()}")
    if high is not None and (most is None or high < most):
        end = "and it has none" if most is None else f"{most}"
        raise InputError("u", high, f"must be at least the largest length of {law.spec()}, {end}")
    return low, high


LONGEST_EXACT = 10_000
"""Bits of a denominator that are written; of numbers with longer ones only decimals."""


def _text(number: Fraction) -> str | None:
    return str(number) if number.denominator.bit_length() <= LONGEST_EXACT else None


def best(law: str | Distribution, s: int = 0, digits: int = 8, *, progress: Progress = iter) -> Best:
    """Return the best blind schedule for a law of lengths, with upper − lower ≤ 10^(1−digits) · value.

    Finite laws have at most 2,000 lengths; a law without an end is cut off where its rest does not matter.
    ``progress`` wraps the relative gaps of the search, one before each exchange of plans. Raises ``InputError`` for
    a law that has symbols, a density or too heavy a tail, and for digits beyond 12; ``NotCertified`` where the width is not reached.

    >>> best("uniform(1, 2)").value.lower
    Fraction(4, 3)
    """
    own = distribution(law)
    s, digits = integer("s", s, 0), integer("digits", digits, 1, MOST_DIGITS)
    bracket = cut(own, s, digits)
    search = Search(*bracket.high.attempts)
    search.run(10.0 ** -(digits + 1), progress)
    mixture = (exact(bracket.high, search.plans) if bracket.exact else None) or rounded(
        bracket.high, search.plans, search.shares, digits + 4
    )
    lower, upper = mixture.lower(bracket.low), mixture.upper(bracket.low.shared)
    value = Enclosure(lower, upper, "a mixture of plans, and the price that it makes, in exact arithmetic")
    if value.width * 10 ** (digits - 1) > lower:
        raise NotCertified(f"the best ratio was not enclosed to {digits} digits", value.relative_width())
    return Best(own, s, digits, value, mixture, bracket)
