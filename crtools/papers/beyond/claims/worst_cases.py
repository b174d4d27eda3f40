"""every-s, at-zero, switch-every-s: the worst case of A_min's and A_ℓ's forms for every s; continuous-limit, long-prompts: limits.

The limit of the worst case of A_min over H-SF as l and u grow at a fixed α = l/u: without prompts, and for s/l → τ > 0.

Without prompts (theorem “the continuous limit”): with z = k/l in [1, y], y = 1/α, tails T(z) and a tail T_0 at l with a weight of its
own, the eigenvalue equation C T = λ W T becomes

    4λ z T(z) = c + P(z)/z² + 3z² G(z),   P = T_0 + 3∫_1^z v² T dv,   G = ∫_z^y T/v² dv,   c = T_0 + ∫_1^y T dv,
    2λ T_0 = 2T_0 + ∫_1^y (1 + 1/v²) T dv.

In w = ln z the function U = 4λzT − c solves U″ = μ²(U + c) − 4c with μ² = 4 − 3/λ.

With prompts, in floats: with p = (s + k)/l, x = τ/(2p), tails T(p), T = 1 at k = l, δ = x d/dx and c = 1 + τ + ∫ T dp, the
eigenvalue equation of the tails makes U = 2λ(2p − τ)T − c solve, with μ² = 4 − 3/λ,

    δ²U − μ²U − x(δ² − δ + 2 − μ²)U + (3c/λ)(1 − x) = 0,

a hypergeometric equation. With h = 2U − δU, p₀ = 1 + τ and y = u/l the boundary conditions are

    U − h(3 − 4x)/(12(1 − x)) = 1 at p₀,   h = 0 at y + τ,   2(λ − 1) = c − p₀ + h/(6(2 + τ)) at p₀.

At τ → 0 the solutions are exponentials.
"""

from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from crtools.closed_form.evaluate import ball_value
from crtools.enclosure import Enclosure, ball, ends, fraction, hull, precision
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Measured, Refuted, agree, by_theorem
from crtools.ledger.claims import proved_or_refuted
from crtools.ledger.deciders.bounds import Side, separating_decimals
from crtools.ledger.deciders.ranges import Range, formula_in, formula_on
from crtools.numeric_types import Ball, FloatArray, RingElement, SymExpr
from crtools.papers.adaptive.evidence.two_lengths import suprema
from crtools.papers.adaptive.theory import theorem as adaptive
from crtools.papers.adaptive.worst_cases import kappa
from crtools.papers.beyond.theory import constant, reading_of, stated_claim, theorem
from crtools.proof.symbols import l, s, u
from crtools.proof.text import Text
from crtools.worst_cases import worst_case


def apart(low: Fraction, high: Fraction, claimed: Fraction, side: Side) -> tuple[str, str] | None:
    """Return decimals of a claimed bound and of a value from ``low`` to ``high`` that is beyond it; None where it is not."""
    if side == "at most":
        return separating_decimals(claimed, low) if low > claimed else None
    if high >= claimed:
        return None
    actual, said = separating_decimals(high, claimed)
    return said, actual


# ---- every s --------------------------------------------------------------------------------------------------------

SETTINGS = ((0, 1, 1), (1, 2, 2), (0, 1, 2), (1, 1, 2), (0, 1, 20), (1, 1, 20), (40, 1, 20), (0, 1, 2000), (1, 1, 2000))
"""s, l and u at which a gap is compared with the worst case less ½(1+κ)."""

CONSEQUENCES = (
    ("explicit", "an upper bound without $κ$", "A_min's worst case for every s, without κ"),
    ("long-prompts", "it tends to $½(1+√(u/l))$ as $s → ∞$", "A_min's worst case for long prompts"),
    ("intervals", "on several intervals it is the largest of theirs", "largest of the intervals"),
)
"""Theorems that follow: a finding's id, its sentence, and the name of the theorem."""


def gap_evidence(gap: SymExpr, side: Side) -> Evidence:
    """Decide whether the worst case is at most (at least) ½(1+κ) + gap: a theorem, or one setting at which it is not."""

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        claimed: RingElement = gap.subs({s: prompt, u: up})
        case = worst_case(l=low, u=up, s=prompt)
        with precision(160):
            bounds = case.enclosure(12)
            low_gap, high_gap = ends(hull(bounds.lower, bounds.upper) - (1 + kappa(low, up, prompt)) / 2)
        if not claimed.is_Rational or (pair := apart(low_gap, high_gap, fraction(claimed), side)) is None:
            return None
        second = case.value - float(kappa(low, up, prompt)) / 2 - 0.5
        witness = {"s": prompt, "l": low, "u": up}
        return Refuted(witness, f"{side} {pair[0]}", pair[1], second, "of the forms: no limit is taken")

    name = "a gap above" if side == "at most" else "a gap below"
    return proved_or_refuted(theorem(name, gap=sp.Lambda((s, u), gap)), SETTINGS, refuted)


@stated_claim("every-s")
def every_s(given: Given) -> Decision:
    """Decide both gaps."""

    def gap(id: str, name: str, side: Side) -> Finding:
        evidence = given.evidence(gap_evidence, formula_in(given, name, s=0, u=1), side)
        return Finding(id, f"the worst case is {side} $½(1+κ) + {given[name]}$", evidence)

    return reading_of("every-s").decision(
        ("between two formulas, less than $¼$ apart", "the gap is another one"),
        gap("at-most", "above", "at most"),
        gap("at-least", "below", "at least"),
        *(Finding(id, says, given.proved(partial(adaptive, name))) for id, says, name in CONSEQUENCES),
    )


# ---- s = 0 ----------------------------------------------------------------------------------------------------------

INTERVALS = ((1, 1), (2, 2), (1, 2), (1, 20), (1, 200), (1, 2000), (20, 2000), (1, 20_000))
"""l and u at which a deficit is compared with the worst case."""

DIGITS = 11
"""Digits of the worst case on these intervals; floats have as many."""

HALF = ball(Fraction(1, 2))


def deficit(claimed: Fraction, side: Side) -> Evidence:
    """Decide whether the worst case is at least ¾ + ½E − claimed/E, or at most ¾ + ½E − claimed/(E + 3/2)."""
    low, high = (Fraction(3, 16), claimed) if side == "at least" else (claimed, Fraction(1, 4))

    def refuted(interval: tuple[int, int]) -> Refuted | None:
        l, u = interval
        with precision(160):
            odd_sum = 1 + ((ball(u) + HALF).digamma() - (ball(l) + HALF).digamma()) / 2
            shifted = odd_sum if side == "at least" else odd_sum + 3 * HALF
            bounds = ends((3 * HALF + odd_sum) / 2 - ball(claimed) / shifted)
        case = worst_case(l=l, u=u).enclosure(DIGITS)
        in_its_favour = bounds[1] if side == "at most" else bounds[0]
        if (pair := apart(case.lower, case.upper, in_its_favour, side)) is None:
            return None
        second = worst_case(l=l, u=u).enclosure(DIGITS, "float")
        return Refuted({"s": 0, "l": l, "u": u}, f"{side} {pair[0]}", pair[1], str(second), "no limit is taken")

    proof = theorem("a deficit at s = 0", least=constant(low), most=constant(high))
    return proved_or_refuted(proof, INTERVALS, refuted)


def coefficient(claimed: Fraction) -> Evidence:
    """Decide whether the coefficient of −π²/ln u at l = 1 is the number claimed."""
    expansion, proved = adaptive("A_min's worst case at s = 0 and l = 1"), Fraction(1, 24)
    if not expansion.holds or claimed == proved:
        return by_theorem(expansion)
    bounds = worst_case(u=10**15).bounds()
    second = f"at u = 10^15 the worst case is in {bounds}"
    return Refuted({"l": 1}, str(claimed), str(proved), second, "it is a limit", expansion.records)


@stated_claim("at-zero")
def at_zero(given: Given) -> Decision:
    """Decide both deficits and the coefficient."""
    below, above, wanted = (number(name, given[name]) for name in ("below", "above", "coefficient"))
    lower = f"the worst case is at least $¾ + ½E − ({given['below']})/E$"
    upper = f"the worst case is at most $¾ + ½E − ({given['above']})/(E+3/2)$"
    second = f"at $l = 1$ $−π²/ln u$ has the coefficient ${wanted}$"
    return reading_of("at-zero").decision(
        ("known to within $O(1/ln² u)$", "another constant holds"),
        Finding("at-least", lower, given.evidence(deficit, below, "at least")),
        Finding("at-most", upper, given.evidence(deficit, above, "at most")),
        Finding("expansion", second, given.evidence(coefficient, wanted)),
    )


# ---- two lengths ----------------------------------------------------------------------------------------------------

SMALL = tuple((prompt, low, up) for up in range(2, 24) for low in range(1, up) for prompt in (0, 1, 3, 20))

FIBONACCI = tuple(int(sp.fibonacci(n)) for n in range(2, 28))

SWITCH_SETTINGS = (*SMALL, *((0, low, up) for low, up in zip(FIBONACCI, FIBONACCI[2:], strict=False)))
"""s, l and u at which a threshold is tried. At s = 0 it is at u/l = φ², which quotients of Fibonacci numbers approach from both sides."""


def threshold_evidence(threshold: SymExpr) -> Evidence:
    """Decide whether A_ℓ is the better one exactly where √(u/l) exceeds the threshold: by a theorem, or a setting where it differs."""
    exact = 1 + sp.sqrt((s + l) / (s + u))

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        root, values = sp.sqrt(sp.Rational(up, low)), {s: prompt, l: low, u: up}
        better, claimed = (bool(root > formula.subs(values)) for formula in (exact, threshold))
        if better == claimed:
            return None
        of_a_ell, of_a_min = worst_case("a-ell", low, up, prompt).value, suprema(prompt, low, up)[0]
        agree(of_a_ell < of_a_min, better, "the suprema")
        return Refuted(
            {"s": prompt, "l": low, "u": up},
            f"A_ℓ is {'' if claimed else 'not '}the better one",
            f"A_ℓ is {'' if better else 'not '}the better one, by the exact threshold",
            {"A_ell": of_a_ell, "A_min": of_a_min},
            "of the forms: no limit is taken",
        )

    a, b = sp.symbols("a b", positive=True)  # √(s+l) and √(s+u)
    in_roots = threshold.subs({sp.sqrt(s + l): a, sp.sqrt(s + u): b}).subs({s: a**2 - l}).subs({u: b**2 - a**2 + l})
    proof = theorem("the threshold of the switch", threshold=sp.Lambda((a, b), in_roots))
    return proved_or_refuted(proof, SWITCH_SETTINGS, refuted)


@stated_claim("switch-every-s")
def switch_every_s(given: Given) -> Decision:
    """Decide the threshold, and A_ℓ's supremum for every s."""
    threshold = given.evidence(threshold_evidence, formula_in(given, "threshold", s=0, l=1, u="l"))
    supremum = given.proved(partial(adaptive, "a_ell on two points, every s"))
    says = f"$A_ℓ$ is the better one exactly where $√(u/l) > {given['threshold']}$"
    return reading_of("switch-every-s").decision(
        ("the exact suprema cross there", "they cross elsewhere"),
        Finding("threshold", says, threshold),
        Finding("a-ell", "$A_ℓ$'s supremum for every $s$", supremum),
    )


# ---- the limit without prompts --------------------------------------------------------------------------------------

SYMBOLS: dict[str, sp.Symbol] = {name: sp.Symbol(name, positive=True) for name in ("x", "m", "t")}
"""λ, μ = √(4−3/λ) and tanh(½μ ln(1/α)) in a formula for ln(1/α)."""


@cache
def logarithm() -> SymExpr:
    """Return ln(1/α) as the theory's text defines it, in ``SYMBOLS``."""
    return Text("beyond").value("logarithm", *SYMBOLS.values())


def formula_at(formula: SymExpr, value: Ball, alpha: Fraction) -> Ball:
    """Return a formula in ``SYMBOLS`` at λ = ``value``."""
    at = value, (4 - 3 / value).sqrt(), tanh_at(value, alpha)
    return ball_value(formula, dict(zip(SYMBOLS.values(), at, strict=True)))


def tanh_at(value: Ball, alpha: Fraction) -> Ball:
    """Return t = tanh(½μ ln(1/α)) at λ = ``value``."""
    return ((4 - 3 / value).sqrt() * ball(1 / alpha).log() / 2).tanh()


def without_prompts(alpha: Fraction, digits: int = 20) -> Enclosure:
    """Return an enclosure of the limit at 0 < α < 1: the sign change of ``logarithm`` − ln(1/α), by bisection in balls."""
    with precision(64 + 4 * digits):
        length = ball(1 / alpha).log()

        def excess(value: Fraction) -> Ball:
            return formula_at(logarithm(), ball(value), alpha) - length

        low, high = Fraction(1), 2 + ends(length)[1].limit_denominator(1000) / 4
        while high - low > Fraction(1, 10**digits):
            middle = Fraction(round((low + high) / 2 * 10 ** (digits + 2)), 10 ** (digits + 2))
            sign = excess(middle)
            if not (sign > 0 or sign < 0):
                break
            low, high = (middle, high) if sign < 0 else (low, middle)
        return Enclosure.from_ball(hull(low, high), "Theorem “the continuous limit”, bisection in balls")


# ---- the limit with prompts, in floats ------------------------------------------------------------------------------

STEP_ERROR = 1e-13
"""Relative and absolute tolerance of a step of the solver."""


def excess(value: float, tau: float, y: float) -> float:
    """Return the difference of the sides of the last boundary condition at λ = ``value``, where the others hold.

    The state has the rows U, δU and ∫ T dp from p₀ on; its columns are their coefficients of U and δU at p₀ and of c.
    """
    from scipy.integrate import solve_ivp  # pyright: ignore[reportMissingTypeStubs]

    square, unit = 4 - 3 / value, np.eye(3)

    def slopes(log_p: float, state: FloatArray) -> FloatArray:
        """Return the derivatives by ln p = −δ."""
        (u, delta, _), p = state.reshape(3, 3), np.exp(log_p)
        x = tau / (2 * p)
        second = (square * u + x * ((2 - square) * u - delta)) / (1 - x) - 3 / value * unit[2]
        return np.ravel([-delta, -second, p * (u + unit[2]) / (2 * value * (2 * p - tau))])

    start = np.ravel([unit[0], unit[1], 0 * unit[2]])
    ends = np.log([1 + tau, y + tau])
    solution: Any = solve_ivp(slopes, ends, start, method="DOP853", rtol=STEP_ERROR, atol=STEP_ERROR)
    last, x = solution.y[:, -1].reshape(3, 3), tau / (2 * (1 + tau))
    h = 2 * unit[0] - unit[1]  # at p₀
    system = [unit[0] - h * (3 - 4 * x) / (12 * (1 - x)), 2 * last[0] - last[1], unit[2] - last[2]]
    solved = np.linalg.solve(system, [1, 0, 1 + tau])
    return float(solved[2] - (1 + tau) + h @ solved / (6 * (2 + tau)) - 2 * (value - 1))


def with_prompts(alpha: Fraction, tau: Fraction) -> float:
    """Return the root of :func:`excess` next to the worst case at l ≤ 100, as a float; 0 < α < 1 and τ > 0."""
    from scipy.optimize import newton  # pyright: ignore[reportMissingTypeStubs]

    start = at_finite(alpha, tau, 100)
    return float(newton(excess, start, args=(float(tau), float(1 / alpha)), x1=start + 0.001, tol=1e-12))


def at_finite(alpha: Fraction, tau: Fraction, largest: int) -> float:
    """Return the worst case at the largest l ≤ ``largest`` for which l/α and τl are integers, in floats."""
    step = alpha.numerator * tau.denominator
    l = largest // step * step
    return worst_case(l=l, u=int(l / alpha), s=int(tau * l)).value


# ---- the claim without prompts --------------------------------------------------------------------------------------

ALPHAS = (Fraction(1, 10), Fraction(1, 2), Fraction(1, 100))
"""α at which a formula is compared with ln(1/α)."""

FAR = 1000
"""The largest l of the worst case that is compared with a limit."""

DECIMALS = Fraction(1, 2 * 10**6)
"""Half a unit of the sixth decimal."""

# each symbol is positive
ABOVE = Range("x > 1, m > 1, t > 0", ({"x": 1 + SYMBOLS["x"], "m": 1 + SYMBOLS["m"], "t": SYMBOLS["t"]},))


def equation(formula: SymExpr) -> Evidence:
    """Decide whether ln(1/α) is the formula at the limit: an identity, or one α at which it is not."""

    def refuted(alpha: Fraction) -> Refuted | None:
        with precision(128):
            limit, length = without_prompts(alpha), ball(1 / alpha).log()
            claimed = formula_at(formula, hull(limit.lower, limit.upper), alpha)
            if claimed.overlaps(length):
                return None
            witness = {"alpha": str(alpha), "lambda": str(limit)}
            second = f"the worst case at a large l is {at_finite(alpha, Fraction(0), FAR)!r}"
            said, actual = (number.str(12, radius=False) for number in (claimed, length))
            return Refuted(witness, said, actual, second, "it is a limit")

    proof = theorem("the equation", formula=sp.Lambda(tuple(SYMBOLS.values()), formula))
    return proved_or_refuted(proof, ALPHAS, refuted)


def around_the_root(root: Enclosure, alpha: Fraction) -> dict[str, str]:
    """Return λ and t = tanh(½μ ln(1/α)) below and above the root, eight decimals apart."""
    bracket: dict[str, str] = {}
    for name, value, step in zip(("low", "high"), map(Fraction, root.decimals(8)), (-1, 1), strict=True):
        with precision(128):
            t = ends(tanh_at(ball(value), alpha))[0]
        bracket |= {name: str(value), f"t_{name}": str(Fraction(round(t * 10**12) + step, 10**12))}
    return bracket


def value(alpha: Fraction, claimed: Fraction) -> Evidence:
    """Decide whether the limit at α is a number, to six decimals."""
    limit, second = without_prompts(alpha), at_finite(alpha, Fraction(0), FAR)
    if abs(limit.lower - claimed) <= DECIMALS >= abs(limit.upper - claimed):
        return Certified(str(limit), f"α = {alpha}; {limit.method}", second, around_the_root(limit, alpha))
    return Refuted({"alpha": str(alpha)}, str(claimed), str(limit), second, "it is a limit")


@stated_claim("continuous-limit")
def continuous_limit(given: Given) -> Decision:
    """Decide the equation and the number."""
    alpha, claimed = number("alpha", given["alpha"]), number("value", given["value"])
    if not (Fraction(1, 1000) <= alpha <= Fraction(9, 10) and alpha.numerator <= 1000):
        allowed = "must be a fraction from 1/1000 to 9/10 with a numerator of at most 1000"
        raise InputError("alpha", given["alpha"], allowed)
    _, formula = formula_on("logarithm", given["logarithm"], SYMBOLS, ABOVE)
    return reading_of("continuous-limit").decision(
        ("the limit is the root of this equation", "the limit is another number"),
        Finding("equation", f"the limit has $ln(1/α) = {given['logarithm']}$", given.evidence(equation, formula)),
        Finding("value", f"at $α = {alpha}$ it is {given['value']} to six decimals", value(alpha, claimed)),
    )


# ---- the claim with prompts -----------------------------------------------------------------------------------------

NEAR = 2e-6
"""How near to the equation's root the worst case has to be."""


def at_the_root(alpha: Fraction, tau: Fraction, claimed: Fraction) -> Evidence:
    """Compare the equation's root with the worst case at a large l, and both with a number of six decimals."""
    root, finite = with_prompts(alpha, tau), at_finite(alpha, tau, FAR)
    agrees = abs(root - claimed) <= 5e-7 and abs(root - finite) <= NEAR
    sample = f"α = {alpha}, s/l = {tau}: the equation's root {root:.9f}, and the worst case at l ≤ {FAR}, {finite:.9f}"
    return Measured(agrees, sample, f"{abs(root - finite):.1e} between the two", {"root": root, "at_finite_l": finite})


@stated_claim("long-prompts", given={"alpha": "1/10", "tau": "1", "value": "1.795015"})
def long_prompts(given: Given) -> Decision:
    """Decide the number."""
    alpha, tau, claimed = (number(name, given[name]) for name in ("alpha", "tau", "value"))
    if not Fraction(1, 100) <= alpha <= Fraction(9, 10) or alpha.numerator > 9:
        raise InputError("alpha", given["alpha"], "must be a fraction from 1/100 to 9/10 with a numerator below 10")
    if not Fraction(1, 10) <= tau <= 100 or tau.denominator > 10:
        raise InputError("tau", given["tau"], "must be a fraction from 1/10 to 100 with a denominator of at most 10")
    says = f"at $α = {alpha}$ and $s/l → {tau}$ it is {given['value']} to six decimals"
    finding = Finding("value", says, given.evidence(at_the_root, alpha, tau, claimed))
    holds, fails = f"the worst case at l = {FAR} is at its root", "it is another number"
    return reading_of("long-prompts").decision((holds, fails), finding)
