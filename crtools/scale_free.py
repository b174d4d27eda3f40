"""Scale-free kernels: bounds on a policy's total delay on one machine, in units of Σ min(v_i, v_j).

Let a job of size y delay one of size x by K(x, y), with K(tx, ty) = t K(x, y). Then Σ K(v_i, v_j) ≤ sup_ξ m(ξ) · Σ min(v_i, v_j),
where m(ξ) is the Mellin symbol of K at z = ½ + iξ over that of min (Bochner). :class:`Kernel` and :class:`Lattice` describe K and
compute m. :func:`supremum` encloses sup m, by balls on a bounded range and a proved bound beyond it.
Theorems about policies that kill at growing ages use it. Tests: tests/test_scale_free.py.

Jobs of the sizes x ≤ y = x e^t delay each other by K(x, y) + K(y, x) = x κ(t) in total; in the best order by x. The quotient of the
Mellin transforms at z = ½ + iξ is

    m(ξ) = 2|z|² Re ∫_0^∞ κ(t) e^{−zt} dt = κ(0) + Re (2(1−z)/z) (κ'(0) + ∫_0^∞ κ''(t) e^{−zt} dt):

Written with κ(0), κ'(0) and κ'', κ is continuous and the limit of m for large ξ is explicit.

The kernels are those of the b-scaling policies of one machine: a job is run for …, b^k, b^{k+1}, …, all jobs in the order of these
times. Jäger, Sagnol, Schmidt genannt Waldschmidt and Warode (arXiv 2211.02044) have the fixed times and the common random offset.
A kernel does not contain the cost of a job's own attempts; ``base`` > 1 is a number or a ball.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import TypeAlias

from flint import acb, acb_series

from crtools.enclosure import Ball, Enclosure, ball, ends, hull
from crtools.errors import NotCertified
from crtools.numeric_types import RingElement


@dataclass(frozen=True)
class Piece:
    """The sum of c t^p e^{qt} over the (c, p, q) of ``terms``, on [start, end)."""

    start: Ball
    end: Ball
    terms: tuple[tuple[Ball, int, Ball], ...]

    def transform(self, z: RingElement) -> RingElement:
        """Return the Laplace transform of the piece at z, Re z = ½."""
        return self._primitives(self.start, z) - self._primitives(self.end, z)

    def _primitives(self, t: Ball, z: RingElement) -> RingElement:
        """Return Σ c ∫_t^∞ τ^p e^{−(z−q)τ} dτ, continued analytically."""
        return sum(
            (
                (-(z - q) * t).exp() * (c * factorial(p) / factorial(j) * t**j) / (z - q) ** (p - j + 1)
                for c, p, q in self.terms
                for j in range(p + 1)
            ),
            start=z * 0,
        )

    def transform_bound(self, reach: Ball) -> Ball:
        """Return an upper bound on |transform| over z = ½ + iξ, |ξ| ≥ reach: the sum of its absolute terms, |z − q| ≥ reach."""
        terms: list[Ball] = [
            ((q - ball("0.5")) * t).exp() * abs(c) * (factorial(p) // factorial(j)) * t**j / reach ** (p - j + 1)
            for t in (self.start, self.end)
            for c, p, q in self.terms
            for j in range(p + 1)
        ]
        return sum(terms, start=ball(0))


@dataclass(frozen=True)
class Bend:
    """A jump of κ' at t > 0."""

    t: Ball
    jump: Ball


@dataclass(frozen=True)
class Kernel:
    """A kernel by its κ: value and slope at t = 0, the second derivative in ``pieces``, and the jumps of the slope, ``bends``.

    All numbers are balls, so that κ may depend on a base that is known by an enclosure only.
    """

    value: Ball
    slope: Ball
    pieces: tuple[Piece, ...]
    bends: tuple[Bend, ...] = ()

    def over(self, z: RingElement) -> RingElement:
        """Return κ(0) + 2(1−z)/z · (κ'(0) + the transform of κ''), whose real part is m(ξ)."""
        curvature = sum((piece.transform(z) for piece in self.pieces), start=z * 0)
        for bend in self.bends:
            curvature = curvature + (-z * bend.t).exp() * bend.jump
        return self.value + 2 * (1 - z) * (self.slope + curvature) / z

    def beyond(self, reach: Ball) -> Ball:
        """Return an upper bound on m over ξ ≥ reach, from (1−z)/z = −1 + 1/z, of modulus 1 and real part −1 + ½/|z|²."""
        square = reach**2 + ball("0.25")
        curvature = sum((piece.transform_bound(reach) for piece in self.pieces), start=ball(0))
        curvature += sum(((-bend.t / 2).exp() * abs(bend.jump) for bend in self.bends), start=ball(0))
        return self.value - 2 * self.slope + abs(self.slope) / square + 2 * curvature


@dataclass(frozen=True)
class Lattice:
    """κ where sizes are powers of e^step times one number: ``values`` at t = 0, step, 2·step, …, and ``later`` beyond."""

    step: Ball
    values: tuple[Ball, ...]
    later: Ball

    def over(self, z: RingElement) -> RingElement:
        """Return (κ_0 + 2 Re Σ κ_d e^{−zd·step}) / (1 + 2 Re Σ e^{−zd·step}), with Re taken as the mean over z and 1 − z."""

        def series(values: tuple[Ball, ...], later: Ball) -> RingElement:
            total = values[0] + z * 0
            for w in (z, 1 - z):
                total += later / ((w * self.step).exp() - 1)
                for d, value in enumerate(values[1:], start=1):
                    total += (value - later) * (-w * self.step * d).exp()
            return total

        return series(self.values, self.later) / series((ball(1),), ball(1))


Symbol: TypeAlias = Kernel | Lattice
"""A real, even and smooth function m of ξ, in balls: the real part of ``over`` at z = ½ + iξ, for a complex ball or a jet z."""


def at(symbol: Symbol, xi: Ball) -> Ball:
    """Return m at a real ball ξ."""
    return symbol.over(acb(ball("0.5"), xi)).real


def jet(symbol: Symbol, xi: Ball) -> tuple[Ball, Ball, Ball]:
    """Return enclosures of m, its slope and half its second derivative over a real ball ξ."""
    values = symbol.over(acb_series([acb(ball("0.5"), xi), acb(0, 1)], prec=3)).coeffs()
    value, slope, half_curvature = [*values, *[acb(0)] * (3 - len(values))]
    return value.real, slope.real, half_curvature.real


Base: TypeAlias = "int | Fraction | Ball"


def own_offsets(base: Base) -> Kernel:
    """Return the kernel where each job i is run for the times b^{k+U_i}, with its own U_i uniform on [0, 1).

    A job of size y has used W(C) = ∫_{c ≤ min(C, by)} min(y, c) dc/(c ln b) on average when all times up to C are over, and
    K(x, y) is the mean of W over C = x b^V, V uniform. With L = ln b and τ = L − t, for t < L,
    κ'' = (e^t (τ²/2 − τ) − 1)/L².
    """
    log = ball(base).log()
    one, square, zero = ball(1), log**2, ball(0)
    terms = (
        (-1 / square, 0, zero),
        ((log / 2 - 1) / log, 0, one),
        ((1 - log) / square, 1, one),
        (1 / (2 * square), 2, one),
    )
    return Kernel(2 / log + 1, 1 / log + ball("0.5"), (Piece(zero, log, terms),))


def common_offset(base: Base) -> Kernel:
    """Return the kernel where all jobs are run for the times b^{k+U}, one U uniform on [0, 1), at each time in one random order.

    With L = ln b, for t < L, κ'' = e^t (L − t − 1)/(2L), and κ' falls by 1/(2L) at t = L.
    """
    log = ball(base).log()
    one, zero = ball(1), ball(0)
    terms = (((log - 1) / (2 * log), 0, one), (-1 / (2 * log), 1, one))
    return Kernel(2 / log + 1, (1 / log + 1) / 2, (Piece(zero, log, terms),), (Bend(log, -1 / (2 * log)),))


def fixed_thresholds(base: Base) -> Lattice:
    """Return the kernel where all jobs are run for the times b^k, larger jobs first: sizes just above these times, the worst case.

    The attempts before the last cost b^k b/(b−1) each way; in the last one the smaller job waits for the larger's whole time.
    """
    b = ball(base)
    before = 2 * b / (b - 1)
    return Lattice(b.log(), (before + 1,), before + 1 + b)


# ---- the supremum over all real ξ

MOST_BOXES = 20_000

LARGEST_REACH = Fraction(10_000)


def at_most(symbol: Symbol, bound: Ball, start: Fraction = Fraction(0)) -> int:
    """Prove m(ξ) < bound for every ξ ≥ start, and return the number of intervals that have a bound each; one bound covers the rest.

    Raises ``NotCertified`` if the symbol exceeds the bound somewhere, or if the intervals do not prove the bound.
    """

    def below(low: Fraction, high: Fraction) -> bool:
        middle, radius = (low + high) / 2, ball((high - low) / 2)
        value, slope, _ = jet(symbol, ball(middle))
        if value >= bound:
            raise NotCertified(f"the symbol is above the bound at ξ = {float(middle):.6g}")
        curvature = _jet_on(symbol, low, high)[2]
        return value + abs(slope) * radius + abs(curvature) * radius**2 < bound  # Taylor's formula of second order

    return _boxes(below, start, _reach(symbol, bound, start))


def peak_at_zero(symbol: Symbol, near: Fraction = Fraction(1, 16)) -> int:
    """Prove m(ξ) < m(0) for every ξ > 0, and return the number of intervals.

    m is even, so on [0, near] a negative second derivative suffices; beyond, :func:`at_most`. Raises ``NotCertified`` otherwise.
    """

    def falls(low: Fraction, high: Fraction) -> bool:
        if jet(symbol, ball((low + high) / 2))[2] >= 0:
            raise NotCertified("the symbol does not fall from ξ = 0 on")
        return _jet_on(symbol, low, high)[2] < 0

    return at_most(symbol, at(symbol, ball(0)).lower(), near) + _boxes(falls, Fraction(0), near)


def supremum(symbol: Symbol, tolerance: Fraction = Fraction(1, 10**6)) -> Enclosure:
    """Return an enclosure of sup m(ξ): of m(0) if it is proved to be the supremum, else of width ≤ ``tolerance``."""
    try:
        boxes, (low, high), where = peak_at_zero(symbol), ends(at(symbol, ball(0))), "; it is at ξ = 0"
    except NotCertified:
        low = max(ends(at(symbol, ball(Fraction(n, 256))))[0] for n in range(256 * 16))
        high, where = low + tolerance, ""
        boxes = at_most(symbol, ball(high))
    return Enclosure(low, high, f"balls on {boxes} intervals of ξ, and a bound beyond{where}")


def _reach(symbol: Symbol, bound: Ball, start: Fraction) -> Fraction:
    """Return a ξ beyond which the symbol's ``beyond`` bound is below ``bound``."""
    if isinstance(symbol, Lattice):  # of the period 2π/step, and even
        return max(start, ends(Ball.pi() / symbol.step)[1])
    reach = max(start, Fraction(1))
    while not symbol.beyond(ball(reach)) < bound:
        reach = reach * 9 / 8
        if reach > LARGEST_REACH:
            raise NotCertified("the symbol's bound for large ξ does not fall below the bound")
    return reach


def _boxes(holds: Callable[[Fraction, Fraction], bool], low: Fraction, high: Fraction) -> int:
    """Bisect [low, high] until each interval ``holds``, and return their number."""
    pending, boxes = [(low, high)], 0
    while pending:
        low, high = pending.pop()
        if holds(low, high):
            boxes += 1
            continue
        middle = (low + high) / 2
        pending += [(middle, high), (low, middle)]
        if boxes + len(pending) > MOST_BOXES:
            raise NotCertified(f"{MOST_BOXES} intervals of ξ are not enough")
    return boxes


def _jet_on(symbol: Symbol, low: Fraction, high: Fraction) -> tuple[Ball, Ball, Ball]:
    try:
        return jet(symbol, hull(low, high))
    except ValueError:  # a denominator's ball contains 0
        nan = ball("nan")
        return nan, nan, nan
