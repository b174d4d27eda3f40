"""The ratio of a form to another at a length distribution: exact, in closed form, or rigorously enclosed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution, Empirical, Mixture, Pmf, TwoPoint, distribution
from crtools.enclosure import Enclosure, ball, ends, precision
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form
from crtools.forms.on_setting import tail_product, tail_rows, tail_sums
from crtools.setting import Setting, integer

LARGEST_EXACT = 300
"""Finite supports up to this span have an exact ratio; the fractions' digits grow with the span."""

LARGEST_S = 20
"""Up to this prompt size a closed form at numbers is the exact value; its rationals grow like ρ^(−s)."""

LARGEST_CUT = 3 * 10**5
"""An unbounded law is summed directly up to this length at most."""


class Ratio:
    """xᵀNx / xᵀDx at the weights x of a distribution, for forms N (``policy``) and D (``against``).

    ``exact`` is a ``Fraction`` (finite support), a SymPy expression (closed form) or None; ``value`` a float;
    ``enclosure(digits)`` is rigorous.
    """

    def __init__(self, policy: Form, against: Form, law: Distribution, s: int) -> None:
        self.policy, self.against, self.distribution, self.s = policy, against, law, s
        if law.parameters:
            names = ", ".join(str(p) for p in law.parameters)
            raise InputError("distribution", law.spec(), f"needs a value for {names}; derive keeps symbols")
        for f in (policy, against):
            if f.lengths is not None and not _inside(law, f.lengths):
                raise InputError("policy", f.name, "is defined for laws on two lengths only")
            if f.bind is not None and not law.finite:
                raise InputError("policy", f.name, f"needs a law of finite support; {law.spec()} is unbounded")

    @cached_property
    def exact(self) -> Any:
        """The exact ratio: a ``Fraction``, a SymPy expression, or None where neither is reached."""
        if not self.distribution.finite:
            return self._closed if self.s <= LARGEST_S else None
        low, high = self.distribution.support
        if self._few is not None:
            return self._pair_sum(self.policy) / self._pair_sum(self.against)
        if (high or 0) - low > LARGEST_EXACT:
            return None
        x = [self.distribution.weight(k) for k in range(low, (high or 0) + 1)]
        return self.policy.on(self._setting).value(x) / self.against.on(self._setting).value(x)

    @cached_property
    def value(self) -> float:
        """The ratio as a float."""
        if isinstance(self.exact, Fraction):
            return float(self.exact)
        if self.distribution.finite:
            x = self._float_weights()
            return self.policy.on(self._setting).value(x) / self.against.on(self._setting).value(x)
        return self.enclosure(16).middle

    @property
    def status(self) -> str:
        """What :attr:`value` rests on: ``certified`` where it is exact or rounded from an enclosure, else ``supported``."""
        return "supported" if self.exact is None and self.distribution.finite else "certified"

    @property
    def method(self) -> str:
        """How :attr:`value` is computed."""
        if isinstance(self.exact, Fraction):
            return "exact rational arithmetic"
        if self.distribution.finite:
            return "sums in floats"
        return "closed form in ball arithmetic" if self.exact is not None else "direct sums in balls, tail bounded"

    def enclosure(self, digits: int = 10) -> Enclosure:
        """Return a rigorous enclosure with upper − lower ≤ 10^(1−digits) · value, or raise ``NotCertified``."""
        digits = integer("digits", digits, 1, 1000)
        if isinstance(self.exact, Fraction):
            return Enclosure(self.exact, self.exact, "exact rational arithmetic")
        if self.distribution.finite:
            return self._summed(digits, self.distribution.support[1] or 1, Fraction(0))
        if self.exact is not None:
            from crtools.closed_form.evaluate import enclose

            return enclose(self.exact, {}, digits)
        try:
            return self.direct(digits)
        except NotCertified:
            if self._closed is None:
                raise
            from crtools.closed_form.evaluate import enclose

            return enclose(self._closed, {}, digits)

    def direct(self, digits: int = 10) -> Enclosure:
        """Return an enclosure from direct sums, with the tail beyond the cut bounded; another route than closed forms."""
        if self.distribution.finite:
            return self._summed(digits, self.distribution.support[1] or 1, Fraction(0))
        if self.policy.growth is None or self.against.growth is None:
            raise NotCertified("a form without a growth bound has no bounded tail")
        first = self.distribution.weight(self.distribution.support[0])
        wanted = Fraction(10) ** (-digits - 3)
        low, high = 32, 64
        while self.distribution.tail_moment_bound(high, self.s) > wanted * (first or 1):
            low, high = high, 2 * high
            if high > 2 * LARGEST_CUT:
                raise NotCertified(f"the tail is not small enough below {LARGEST_CUT}")
        while high - low > 64:
            middle = (low + high) // 2
            if self.distribution.tail_moment_bound(middle, self.s) > wanted * (first or 1):
                low = middle
            else:
                high = middle
        return self._summed(digits, high, self.distribution.tail_moment_bound(high, self.s))

    def both(self, digits: int) -> tuple[Any, Any]:
        """Return balls of the two forms at the unnormalised weights of an unbounded law, from direct sums."""
        low, wanted = self.distribution.support[0], Fraction(1, 10 ** (digits + 3))
        last = 32
        scale = self.distribution.weight(low) * low * (self.s + low)
        while self.distribution.tail_moment_bound(last, self.s) > wanted * scale:
            last *= 2
        return self._sums(digits, last, self.distribution.tail_moment_bound(last, self.s))

    # ---- the pieces ------------------------------------------------------------------------------------------------

    @cached_property
    def _setting(self) -> Setting:
        low, high = self.distribution.support
        return Setting(self.s, low, high)

    @cached_property
    def _few(self) -> list[tuple[int, Fraction]] | None:
        """The lengths and weights where there are few of them, however far apart."""
        if isinstance(self.distribution, TwoPoint | Empirical):
            pairs = list(self.distribution.items())
            return pairs if len(pairs) <= 60 else None
        return None

    def _pair_sum(self, f: Form) -> Fraction:
        on = f.on(self._setting)
        pairs = self._few or []
        return sum((on.entry(i, j) * x * y for i, x in pairs for j, y in pairs), Fraction(0))

    def _float_weights(self) -> Any:
        import numpy as np

        low, high = self.distribution.support
        x = np.zeros((high or 0) - low + 1)
        for k, w in self.distribution.items():
            x[k - low] = float(w)
        return x

    def _summed(self, digits: int, last: int, tail: Fraction) -> Enclosure:
        """Return the ratio of direct sums over l, …, last, each widened by the most that the tail can add."""
        with precision(int(3.33 * digits) + 64 + last.bit_length()):
            top, bottom = self._sums(digits, last, tail)
            return Enclosure(*ends(top / bottom), "direct sums in ball arithmetic, tail bounded")

    def _sums(self, digits: int, last: int, tail: Fraction) -> tuple[Any, Any]:
        low = self.distribution.support[0]
        with precision(int(3.33 * digits) + 64 + last.bit_length()):
            x = self.distribution.ball_weights(last, ball)
            setting = Setting(self.s, low, last)
            moment = sum((w * (self.s + k) ** 2 for k, w in enumerate(x, start=low)), ball(0))
            rest = ball(tail)
            sums: list[Any] = []
            for f in (self.policy, self.against):
                value = _ball_value(f, setting, x)
                if tail:
                    more = 2 * ball(f.growth or Fraction(0)) * (moment + rest) * rest
                    value = value.union(value + more)
                sums.append(value)
            return sums[0], sums[1]

    @cached_property
    def _closed(self) -> Any:
        from crtools.closed_form.quadratic import quadratic_value

        if not isinstance(self.distribution, Pmf | Mixture):
            return None
        try:
            field, law = self.distribution.field, self.distribution.summand
            top = quadratic_value(field, law, self.policy.formula, self.s).expr()
            bottom = quadratic_value(field, law, self.against.formula, self.s).expr()
        except NotClosed:
            return None
        from crtools.derivation.normal_form import Quotient

        return Quotient.of(top / bottom, ()).expr

    def __repr__(self) -> str:
        return f"ratio({self.policy.name!r}, {self.distribution}, s={self.s}, against={self.against.name!r})"


def _inside(law: Distribution, lengths: Callable[[int, int], tuple[int, ...]]) -> bool:
    """Return whether all lengths of a law are among those on which a form is defined."""
    low, high = law.support
    return high is not None and all(k in lengths(low, high) for k, _ in law.items())


def _ball_value(f: Form, setting: Setting, x: list[Any]) -> Any:
    bound = f.bind(setting.l, setting.u) if f.bind is not None else f
    if bound.tails is not None:
        t = tail_sums(x)
        rows = tail_rows(bound, setting.l, setting.u, setting.s, ball)
        return sum((a * b for a, b in zip(tail_product(rows, t), t, strict=True)), ball(0))
    if setting.size > 2000:
        raise NotCertified("a form without a tail structure is enclosed for spans up to 2000 only")
    s = ball(setting.s)
    total = ball(0)
    lengths = [ball(k) for k in range(setting.l, setting.u + 1)]
    for a, (i, v) in enumerate(zip(lengths, x, strict=True)):
        for j, w in zip(lengths[a:], x[a:], strict=True):
            total += bound.formula(i, j, s) * v * w * (1 if i is j else 2)
    return total


def ratio(policy: str | Form, dist: str | Distribution, s: int = 0, against: str | Form = "h-sf") -> Ratio:
    """Return the competitive ratio of the form ``policy`` under ``dist``, for prompts of ``s`` tokens.

    ``dist`` is a distribution or its spec; ``against`` the form in the denominator. It is a ratio of forms, the
    limit M → ∞. Raises ``InputError`` for unknown names, symbols left open, or a form that the law does not fit.
    """
    return Ratio(form(policy, "policy"), form(against, "against"), distribution(dist), integer("s", s, 0))
