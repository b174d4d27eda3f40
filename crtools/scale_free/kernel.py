"""A scale-free kernel and its symbol over min's, in balls.

Jobs of the sizes x ≤ y = x e^t delay each other by K(x, y) + K(y, x) = x κ(t) in all; in the best order by x. The quotient of
the Mellin transforms at z = ½ + iξ is

    m(ξ) = 2|z|² Re ∫_0^∞ κ(t) e^{−zt} dt = κ(0) + Re (2(1−z)/z) (κ'(0) + ∫_0^∞ κ''(t) e^{−zt} dt):

written by κ(0), κ'(0) and κ'', κ is continuous, and what m tends to for large ξ stands apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Any, Protocol

from crtools.enclosure import ball, ball_pi, complex_ball, complex_jet


class Symbol(Protocol):
    """A real, even and smooth function of ξ, in balls."""

    @property
    def period(self) -> Any | None:
        """Half the period where there is one: [0, period] has every value."""
        ...

    def over(self, z: Any) -> Any:
        """Return an analytic function of z whose real part at z = ½ + iξ is the symbol; ``z``: a complex ball or jet."""
        ...

    def beyond(self, reach: Any) -> Any:
        """Return a ball above which the symbol is nowhere in ξ ≥ reach > 0."""
        ...


@dataclass(frozen=True)
class Piece:
    """c t^p e^{qt} for each (c, p, q) of ``terms``, summed, on [start, end), which may be infinite (None) where q < ½."""

    start: Any
    end: Any | None
    terms: tuple[tuple[Any, int, Any], ...]

    def transform(self, z: Any) -> Any:
        """Return ∫ e^{−zt} of the piece, exactly; Re z = ½."""
        low, high = self._primitives(self.start, z), 0
        if self.end is not None:
            high = self._primitives(self.end, z)
        return low - high

    def _primitives(self, t: Any, z: Any) -> Any:
        """Return Σ c ∫_t^∞ τ^p e^{−(z−q)τ} dτ, continued to where it does not converge."""
        return sum(
            (
                (-(z - q) * t).exp() * (c * factorial(p) / factorial(j) * t**j) / (z - q) ** (p - j + 1)
                for c, p, q in self.terms
                for j in range(p + 1)
            ),
            start=z * 0,
        )

    def most(self, reach: Any) -> Any:
        """Return at least |transform| at every z = ½ + iξ with |ξ| ≥ reach: its terms in absolute value, |z − q| ≥ reach."""
        ends = [self.start] if self.end is None else [self.start, self.end]
        return sum(
            (
                ((q - ball("0.5")) * t).exp() * abs(c) * (factorial(p) // factorial(j)) * t**j / reach ** (p - j + 1)
                for t in ends
                for c, p, q in self.terms
                for j in range(p + 1)
            ),
            start=ball(0),
        )

    def at(self, t: Any) -> Any:
        """Return the piece's value at t, wherever it is."""
        return sum((c * t**p * (q * t).exp() for c, p, q in self.terms), start=ball(0))


@dataclass(frozen=True)
class Bend:
    """A jump of κ' at t > 0."""

    t: Any
    jump: Any


@dataclass(frozen=True)
class Kernel:
    """κ by its value and its slope at t = 0, its second derivative in ``pieces``, and the ``bends`` of its slope.

    All numbers are balls, so that κ may depend on a base that is only enclosed.
    """

    value: Any
    slope: Any
    pieces: tuple[Piece, ...]
    bends: tuple[Bend, ...] = ()
    period: None = None

    def over(self, z: Any) -> Any:
        """Return κ(0) + 2(1−z)/z · (κ'(0) + the transform of κ''), whose real part is m(ξ)."""
        curvature = sum((piece.transform(z) for piece in self.pieces), start=z * 0)
        for bend in self.bends:
            curvature = curvature + (-z * bend.t).exp() * bend.jump
        return self.value + 2 * (1 - z) * (self.slope + curvature) / z

    def beyond(self, reach: Any) -> Any:
        """Return a ball above which m is nowhere in ξ ≥ reach: (1−z)/z = −1 + 1/z, of modulus 1 and real part −1 + ½/|z|²."""
        square = reach**2 + ball("0.25")
        rest = sum((piece.most(reach) for piece in self.pieces), start=ball(0))
        rest += sum(((-bend.t / 2).exp() * abs(bend.jump) for bend in self.bends), start=ball(0))
        return self.value - 2 * self.slope + abs(self.slope) / square + 2 * rest


@dataclass(frozen=True)
class Lattice:
    """κ at t = 0, step, 2·step, …: ``values``, and ``rest`` at all later ones; sizes are powers of e^step times one number."""

    step: Any
    values: tuple[Any, ...]
    rest: Any

    @property
    def period(self) -> Any:
        """π/step: the symbol has the period 2π/step and is even."""
        return ball_pi() / self.step

    def over(self, z: Any) -> Any:
        """Return (κ_0 + 2 Re Σ κ_d e^{−zd·step}) / (1 + 2 Re Σ e^{−zd·step}), with Re taken as the mean over z and 1 − z."""

        def both(values: tuple[Any, ...], rest: Any) -> Any:
            found = values[0] + z * 0
            for w in (z, 1 - z):
                found += rest / ((w * self.step).exp() - 1)
                for d, value in enumerate(values[1:], start=1):
                    found += (value - rest) * (-w * self.step * d).exp()
            return found

        return both(self.values, self.rest) / both((ball(1),), ball(1))

    def beyond(self, reach: Any) -> Any:
        """Raise ``ValueError``: a period has every value."""
        raise ValueError("a lattice's symbol is periodic")


def at(symbol: Symbol, xi: Any) -> Any:
    """Return the symbol at a real ball ξ."""
    return symbol.over(complex_ball(ball("0.5"), xi)).real


def jet(symbol: Symbol, xi: Any) -> tuple[Any, Any, Any]:
    """Return the symbol's value, slope and half its second derivative at every point of a real ball ξ."""
    value, slope, half_second = (
        c.real for c in complex_jet(symbol.over, complex_ball(ball("0.5"), xi), complex_ball(ball(0), ball(1)))
    )
    return value, slope, half_second
