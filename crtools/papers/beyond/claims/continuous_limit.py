"""continuous-limit, long-prompts: A_min's worst case where l and u, and s too, grow together, by equations."""

from fractions import Fraction

import sympy as sp

from crtools.enclosure import Enclosure, ball, ends, hull, precision
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Measured, Refuted
from crtools.ledger.claims import claim, decision_at, proved_or_refuted
from crtools.ledger.deciders.ranges import Range, formula_on
from crtools.numeric_types import SymExpr
from crtools.papers.beyond.evidence.limits import SYMBOLS, at_finite, formula_at, tanh_at, with_prompts, without_prompts
from crtools.papers.beyond.levels import FORM
from crtools.papers.beyond.theory import theorem

# ---- without prompts ------------------------------------------------------------------------------------------------

ALPHAS = (Fraction(1, 10), Fraction(1, 2), Fraction(1, 100))
"""α at which a formula is compared with ln(1/α)."""

DECIMALS = Fraction(1, 2 * 10**6)
"""Half a unit of the sixth decimal."""

ABOVE = Range(
    "x > 1, m > 1, t > 0", ({"x": 1 + SYMBOLS["x"], "m": 1 + SYMBOLS["m"], "t": SYMBOLS["t"]},)
)  # each symbol is positive


def nearby(alpha: Fraction) -> float:
    """Return the worst case at the largest l ≤ 1000 with an integer u = l/α, by the route that iterates, as a float."""
    return at_finite(alpha, Fraction(0), 1000)


def equation(formula: SymExpr) -> Evidence:
    """Decide whether ln(1/α) is the formula at the limit: an identity, or one α at which it is not."""

    def refuted(alpha: Fraction) -> Refuted | None:
        with precision(128):
            limit, length = without_prompts(alpha), ball(1 / alpha).log()
            claimed = formula_at(formula, hull(limit.lower, limit.upper), alpha)
            if claimed.overlaps(length):
                return None
            witness = {"alpha": str(alpha), "lambda": str(limit)}
            second = f"the worst case at a large l is {nearby(alpha)!r}"
            said, actual = (number.str(12, radius=False) for number in (claimed, length))
            return Refuted(witness, said, actual, second, "it is a limit")

    proof = theorem("the equation", formula=sp.Lambda(tuple(SYMBOLS.values()), formula))
    return proved_or_refuted(proof, ALPHAS, refuted)


def around_the_root(root: Enclosure, alpha: Fraction) -> dict[str, str]:
    """Return λ and t = tanh(½μ ln(1/α)) below and above the root, eight decimals apart."""
    bracket: dict[str, str] = {}
    for name, value, step in zip(("low", "high"), map(Fraction, root.decimals(8)), (-1, 1), strict=True):
        with precision(128):
            t = ends(tanh_at(value, alpha))[0]
        bracket |= {name: str(value), f"t_{name}": str(Fraction(round(t * 10**12) + step, 10**12))}
    return bracket


def value(alpha: Fraction, claimed: Fraction) -> Evidence:
    """Decide whether the limit at α is a number, to six decimals."""
    limit, second = without_prompts(alpha), nearby(alpha)
    if abs(limit.lower - claimed) <= DECIMALS >= abs(limit.upper - claimed):
        return Certified(str(limit), f"α = {alpha}; {limit.method}", second, around_the_root(limit, alpha))
    return Refuted({"alpha": str(alpha)}, str(claimed), str(limit), second, "it is a limit")


@claim(
    "continuous-limit",
    FORM,
    "docs/beyond/every-s.md, l and u together",
    "at $s = 0$, as $l → ∞$ with $l/u → α < 1$, the worst case of $A_min$'s form over H-SF's tends to the only $x > 1$ "
    "with $ln(1/α) = 4(x−1) − (x−1)(2+4t/m)/(2x−1+x·m·t)$, $m = √(4−3/x)$, $t = tanh(½m ln(1/α))$; it is 1.743912… at $α = 1/10$",
)
def continuous_limit(given: Given) -> Decision:
    """Decide the equation and the number."""
    alpha, claimed = number("alpha", given["alpha"]), number("value", given["value"])
    if not (Fraction(1, 1000) <= alpha <= Fraction(9, 10) and alpha.numerator <= 1000):
        raise InputError(
            "alpha", given["alpha"], "must be a fraction from 1/1000 to 9/10 with a numerator of at most 1000"
        )
    _, formula = formula_on("logarithm", given["logarithm"], SYMBOLS, ABOVE)
    return decision_at(
        FORM,
        "$s = 0$, $l → ∞$, $l/u → α < 1$",
        "an eigenfunction in elementary functions",
        ("the limit is the root of this equation", "the limit is another number"),
        Finding("equation", f"the limit has $ln(1/α) = {given['logarithm']}$", given.evidence(equation, formula)),
        Finding("value", f"at $α = {alpha}$ it is {given['value']} to six decimals", value(alpha, claimed)),
    )


# ---- with prompts ---------------------------------------------------------------------------------------------------

FAR, NEAR = 1000, 2e-6
"""l of the worst case that is compared, and how near it has to be."""


def at_the_root(alpha: Fraction, tau: Fraction, claimed: Fraction) -> Evidence:
    """Compare the equation's root with the worst case at a large l, and both with a number of six decimals."""
    root, finite = with_prompts(alpha, tau), at_finite(alpha, tau, FAR)
    agrees = abs(root - claimed) <= 5e-7 and abs(root - finite) <= NEAR
    sample = f"α = {alpha}, s/l = {tau}: the equation's root {root:.9f}, and the worst case at l ≤ {FAR}, {finite:.9f}"
    return Measured(agrees, sample, f"{abs(root - finite):.1e} between the two", {"root": root, "at_finite_l": finite})


@claim(
    "long-prompts",
    FORM,
    "docs/beyond/every-s.md, l and u together",
    "as $s, l → ∞$ with $s/l → 1$ and $l/u → 1/10$, the worst case of $A_min$'s form over H-SF's tends to 1.795015…",
    given={"alpha": "1/10", "tau": "1", "value": "1.795015"},
)
def long_prompts(given: Given) -> Decision:
    """Decide the number."""
    alpha, tau, claimed = (number(name, given[name]) for name in ("alpha", "tau", "value"))
    if not Fraction(1, 100) <= alpha <= Fraction(9, 10) or alpha.numerator > 9:
        raise InputError("alpha", given["alpha"], "must be a fraction from 1/100 to 9/10 with a numerator below 10")
    if not Fraction(1, 10) <= tau <= 100 or tau.denominator > 10:
        raise InputError("tau", given["tau"], "must be a fraction from 1/10 to 100 with a denominator of at most 10")
    says = f"at $α = {alpha}$ and $s/l → {tau}$ it is {given['value']} to six decimals"
    finding = Finding("value", says, given.evidence(at_the_root, alpha, tau, claimed))
    reading = "$s, l → ∞$, $s/l → τ > 0$, $l/u → α < 1$; of the equation nothing is proved"
    holds, fails = f"the worst case at l = {FAR} is at its root", "it is another number"
    return decision_at(FORM, reading, "a hypergeometric equation, in floats", (holds, fails), finding)
