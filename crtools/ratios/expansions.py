"""A closed form near an end of its parameter's range, as a power series in t and Λ = ln t with a rigorous remainder.

At the end q = 1 put q = 1 − t, at q = 0 put q = t, t → 0+. Rational functions and logarithms of polynomials that are
positive there are power series in t; a logarithm of a polynomial that vanishes is an integer times Λ plus such a
series; a dilogarithm at a base ρ → 1 is Li_2(ρ) = π²/6 − ln ρ ln(1 − ρ) − Li_2(1 − ρ).

Coefficients are exact: polynomials over ℚ in Λ, π² and logarithms of primes. So a coefficient that is
0 is seen to be 0, and the leading one is known, which gives the limit; the remainder is bounded by balls on 0 < t ≤ δ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing

from crtools.enclosure import ball, ball_pi, precision
from crtools.errors import NotCertified
from crtools.ratios.quotient import Quotient

BITS = 256


@dataclass(frozen=True)
class Constants:
    """The ring of coefficients: Λ first, then the constants, each with its SymPy value."""

    ring: Any
    values: tuple[Any, ...]

    @classmethod
    def of(cls, primes: tuple[int, ...]) -> Constants:
        """Return the ring with π² and ln p for the primes."""
        values = (sp.Symbol("Lambda"), sp.pi**2, *(sp.log(p) for p in primes))
        return cls(PolyRing([f"c{n}" for n in range(len(values))], QQ), values)

    def log(self, number: Any) -> Any:
        """Return ln of a positive rational as a combination of logarithms of primes."""
        total = self.ring.zero
        factors: Any = sp.factorrat(sp.Rational(number))
        for prime, power in factors.items():
            total += self.ring.gens[self.values.index(sp.log(prime))] * power
        return total

    def expr(self, element: Any) -> Any:
        """Return an element without Λ as a SymPy expression."""
        return sp.sympify(element.as_expr(*self.values))

    def balls(self) -> list[Any]:
        """Return balls of the constants (Λ: 0), at the current precision."""
        return [ball(0), ball_pi() ** 2, *(ball(int(value.args[0])).log() for value in self.values[2:])]

    def split(self, element: Any) -> dict[int, Any]:
        """Return {j: ball of the coefficient of Λ^j}."""
        constants, result = self.balls(), dict[int, Any]()
        for monomial, coefficient in element.terms():
            term = ball(Fraction(int(coefficient.numerator), int(coefficient.denominator)))
            for power, value in zip(monomial[1:], constants[1:], strict=True):
                term = term * value**power
            result[monomial[0]] = result.get(monomial[0], ball(0)) + term
        return result


class Expansion:
    """Σ_{i<n} c_i(Λ) t^i + t^n r(t), with |r(t)| ≤ Σ_j rest[j] |Λ|^j for 0 < t ≤ δ."""

    __slots__ = ("at", "coefficients", "rest")

    def __init__(self, at: Frame, coefficients: list[Any], rest: Mapping[int, Any]) -> None:
        self.at, self.coefficients, self.rest = at, coefficients, dict(rest)

    def __add__(self, other: Expansion) -> Expansion:
        rest = dict(self.rest)
        for j, r in other.rest.items():
            rest[j] = rest.get(j, ball(0)) + r
        pairs = zip(self.coefficients, other.coefficients, strict=True)
        return Expansion(self.at, [a + b for a, b in pairs], rest)

    def scaled(self, factor: Any) -> Expansion:
        """Return the product with an element of the ring of constants (without Λ) or a rational."""
        element = self.at.constants.ring.one * factor
        [size] = [abs(v) for v in self.at.constants.split(element).values()] or [ball(0)]
        return Expansion(self.at, [c * element for c in self.coefficients], {j: r * size for j, r in self.rest.items()})

    def __mul__(self, other: Expansion) -> Expansion:
        n, ring, delta = self.at.order, self.at.constants.ring, self.at.delta
        low, beyond = [ring.zero] * n, [ring.zero] * max(n - 1, 0)
        for i, a in enumerate(self.coefficients):
            if not a:
                continue
            for k, b in enumerate(other.coefficients):
                if b:
                    if i + k < n:
                        low[i + k] += a * b
                    else:
                        beyond[i + k - n] += a * b
        rest: dict[int, Any] = {}
        pieces = [
            self.at.size(beyond),
            _product(self.at.size(self.coefficients), other.rest),
            _product(self.rest, other.at.size(other.coefficients)),
            {j: r * delta**n for j, r in _product(self.rest, other.rest).items()},
        ]
        for piece in pieces:
            for j, r in piece.items():
                rest[j] = rest.get(j, ball(0)) + r
        return Expansion(self.at, low, rest)

    def __pow__(self, power: int) -> Expansion:
        result = self.at.constant(1)
        for _ in range(power):
            result = result * self
        return result

    def leading(self) -> tuple[int, int, Any] | None:
        """Return (i, j, coefficient) of the leading term t^i Λ^j as t → 0, or None if all known terms vanish."""
        for i, c in enumerate(self.coefficients):
            if c:
                j = max(monomial[0] for monomial, _ in c.terms())
                top = {m: v for m, v in c.terms() if m[0] == j}
                element = self.at.constants.ring.from_dict({(0, *m[1:]): v for m, v in top.items()})
                return i, j, element
        return None

    def sign(self) -> int:
        """Return the sign that the function is certified to have on all of 0 < t ≤ δ, or 0."""
        with precision(BITS):
            lead = self.leading()
            if lead is None:
                return 0
            i, j, element = lead
            head = self.at.constants.split(element).get(0, ball(0))
            if not (head > 0 or head < 0):
                return 0
            others: dict[tuple[int, int], Any] = {}
            for a, c in enumerate(self.coefficients):
                for b, value in self.at.constants.split(c).items() if c else ():
                    if (a, b) != (i, j):
                        others[a, b] = abs(value)
            for b, r in self.rest.items():
                key = (self.at.order, b)
                others[key] = others.get(key, ball(0)) + r
            total, delta = ball(0), self.at.delta
            size = -delta.log()  # |Λ| ≥ size
            for (a, b), value in others.items():
                gap, logs = a - i, b - j
                # t^gap |Λ|^logs on (0, δ] is largest at δ if gap · |ln δ| ≥ logs
                if gap < 0 or (gap == 0 and logs >= 0) or not size * gap >= logs:
                    return 0
                total += value * delta**gap * size**logs
            if not total < abs(head):
                return 0
            positive = (head > 0) == (j % 2 == 0)  # Λ < 0
            return 1 if positive else -1


def _product(a: Mapping[int, Any], b: Mapping[int, Any]) -> dict[int, Any]:
    result: dict[int, Any] = {}
    for i, x in a.items():
        for j, y in b.items():
            result[i + j] = result.get(i + j, ball(0)) + x * y
    return result


class Frame:
    """Expansions of closed forms in one parameter at one end: order n, 0 < t ≤ δ."""

    def __init__(self, parameter: Any, end: int, expr: Any, order: int, delta: Fraction) -> None:
        self.parameter, self.end, self.order = parameter, end, order
        with precision(BITS):
            self.delta = ball(delta)
        self._t = sp.Dummy("t")
        self._q: Any = 1 - self._t if end == 1 else self._t
        self.constants = self._constants(expr)

    def _constants(self, expr: Any) -> Constants:
        numbers: set[int] = set()
        for log in expr.atoms(sp.log):
            numbers |= _primes(self._lowest(self._at(log.args[0]))[1])
        for part in expr.atoms(sp.polylog):
            base = self._at(part.args[1])
            if base.subs(self._t, 0) == 1:
                numbers |= _primes(self._lowest(sp.expand(1 - base))[1])
        return Constants.of(tuple(sorted(numbers)))

    def _at(self, expr: Any) -> Any:
        """Return a polynomial in the parameter as a polynomial in t."""
        return sp.Poly(expr, self.parameter).compose(sp.Poly(self._q, self._t, domain="QQ")).as_expr()

    def _lowest(self, poly: Any) -> tuple[int, Any]:
        """Return (m, c) with poly = c t^m + …."""
        terms = sp.Poly(poly, self._t).terms()
        (m,), c = min(terms, key=lambda term: term[0])
        return m, c

    def constant(self, value: Any) -> Expansion:
        """Return a constant as an expansion."""
        ring = self.constants.ring
        return Expansion(self, [ring.one * value, *([ring.zero] * (self.order - 1))], {})

    def size(self, coefficients: list[Any]) -> dict[int, Any]:
        """Return {j: Σ_i |c_ij| δ^i}, a bound of the polynomial Σ c_i(Λ) t^i by powers of |Λ|."""
        result: dict[int, Any] = {}
        for i, c in enumerate(coefficients):
            for j, value in self.constants.split(c).items() if c else ():
                result[j] = result.get(j, ball(0)) + abs(value) * self.delta**i
        return result

    def polynomial(self, poly: Any) -> Expansion:
        """Return a polynomial in the parameter."""
        ring, n = self.constants.ring, self.order
        low, beyond = [ring.zero] * n, dict[int, Any]()
        for (m,), c in sp.Poly(self._at(poly), self._t).terms():
            element = ring.one * QQ(int(c.p), int(c.q))
            if m < n:
                low[m] = element
            else:
                beyond[m - n] = element
        rest = self.size([beyond.get(i, ring.zero) for i in range(max(beyond, default=-1) + 1)])
        return Expansion(self, low, rest)

    def _log_of_one_plus(self, x: Expansion) -> Expansion:
        """Return ln(1 + x) for x without constant term: Σ (−1)^{k+1} x^k/k, the rest bounded by |x|^n/(n(1−|x|))."""
        return self._series(x, lambda k: QQ((-1) ** (k + 1), k), lambda k: Fraction(1, k))

    def _series(self, x: Expansion, coefficient: Any, bound: Any) -> Expansion:
        """Return Σ_{1≤k} coefficient(k) x^k, |coefficient(k)| ≤ bound(n) for k ≥ n, x free of Λ with x(0) = 0."""
        total, power = self.constant(0), self.constant(1)
        for k in range(1, self.order):
            power = power * x
            total = total + power.scaled(coefficient(k))
        # |x| ≤ X t on (0, δ]
        sizes = self.size(x.coefficients[1:])
        if set(sizes) - {0} or set(x.rest) - {0} or x.coefficients[0]:
            raise NotCertified("a logarithm inside a logarithm is not expanded")
        slope = sizes.get(0, ball(0)) + x.rest.get(0, ball(0)) * self.delta ** (self.order - 1)
        reach = slope * self.delta
        if not reach < ball(Fraction(9, 10)):
            raise NotCertified("the expansion does not converge on the range asked")
        n = self.order
        tail = ball(bound(n)) * slope**n / (1 - reach)
        rest = dict(total.rest)
        rest[0] = rest.get(0, ball(0)) + tail
        return Expansion(self, total.coefficients, rest)

    def log(self, poly: Any) -> Expansion:
        """Return ln of a polynomial that is positive on the range: m Λ + ln c + ln(1 + …)."""
        at = self._at(poly)
        m, c = self._lowest(at)
        unit = sp.expand(at / (c * self._t**m))
        back = unit.subs(self._t, 1 - self.parameter if self.end == 1 else self.parameter)
        x = self.polynomial(sp.expand(back)) + self.constant(-1)
        result = self._log_of_one_plus(x)
        head = self.constants.ring.gens[0] * m + self.constants.log(c)
        result.coefficients[0] += head
        return result

    def polylog(self, m: int, base: Any) -> Expansion:
        """Return Li_m of a polynomial base that tends to 0 or to 1."""
        at = self._at(base)
        value = at.subs(self._t, 0)
        if value == 0:
            return self._series(self.polynomial(base), lambda k: QQ(1, k**m), lambda k: Fraction(1, k**m))
        if value != 1 or m != 2:
            raise NotCertified(f"polylog({m}, {base}) is not expanded at this end")
        one_minus = sp.expand(1 - base)
        product = self.log(base) * self.log(one_minus)
        dual = self._series(self.polynomial(one_minus), lambda k: QQ(1, k**2), lambda k: Fraction(1, k**2))
        pi_squared = Expansion(
            self, [self.constants.ring.gens[1], *([self.constants.ring.zero] * (self.order - 1))], {}
        )
        return pi_squared.scaled(QQ(1, 6)) + product.scaled(QQ(-1)) + dual.scaled(QQ(-1))

    def expand(self, poly: Any, parts: Mapping[Any, Any]) -> Expansion:
        """Return a polynomial in ``parts`` (symbol ↦ log or polylog) and the parameter."""
        with precision(BITS):
            return self._expand(poly, parts)

    def _expand(self, poly: Any, parts: Mapping[Any, Any]) -> Expansion:
        names = tuple(parts)
        own = {name: self._part(part) for name, part in parts.items()}
        total = self.constant(0)
        groups: dict[tuple[int, ...], Any] = {}
        for monomial, c in sp.Poly(poly, *names, self.parameter).terms():
            key = monomial[: len(names)]
            groups[key] = groups.get(key, 0) + c * self.parameter ** monomial[-1]
        for key, coefficient in groups.items():
            term = self.polynomial(coefficient)
            for name, power in zip(names, key, strict=True):
                if power:
                    term = term * own[name] ** power
            total = total + term
        return total

    def _part(self, part: Any) -> Expansion:
        if isinstance(part, sp.log):
            return self.log(part.args[0])
        return self.polylog(int(part.args[0]), part.args[1])


def _primes(number: Any) -> set[int]:
    factors: Any = sp.factorrat(sp.Rational(number))
    return {int(p) for p in factors}


def expansions(ratio: Quotient, end: int, order: int, delta: Fraction) -> tuple[Frame, Any, Any]:
    """Return the frame and the expansions of numerator and denominator at an end of (0, 1).

    Raises ``NotCertified`` where a logarithm or a polylogarithm is not of a polynomial.
    """
    [parameter] = ratio.parameters
    values: Any = sp.Tuple(*ratio.parts.values())
    if not all(part.args[-1].is_polynomial(parameter) for part in values if part.args):
        raise NotCertified("a part is not a logarithm or a polylogarithm of a polynomial")
    frame = Frame(parameter, end, values, order, delta)
    return frame, frame.expand(ratio.numerator, ratio.parts), frame.expand(ratio.denominator, ratio.parts)
