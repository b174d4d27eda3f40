"""The claims of the theory: jobs on one machine whose sizes are unknown, in the order in which it is built."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib.resources import files
from itertools import permutations
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import ball_value, enclose
from crtools.enclosure import Enclosure, hull, precision
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claim import claims_in, with_variants
from crtools.ledger.claims import decision
from crtools.ledger.deciders.bounds import Constant, KnownRatio, Parameter, T, decide_exact, decide_printed, decide_side
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import Range, formula_on, integers_from, pairs_from_one, unit
from crtools.numeric_types import SymExpr
from crtools.papers.nonclairvoyant import literal
from crtools.papers.nonclairvoyant.machine import in_order, shortest_first
from crtools.papers.nonclairvoyant.theory import ALGORITHM, KERNEL, TEXT, reading_of, stated_claim, theorem
from crtools.proof.theorem import Theorem
from crtools.signs.numbers import sign

# ---- the ratios as formulas of their one parameter, decided from both sides, and the b at which they are least --------

y = sp.Symbol("y", positive=True)
"""The root of the base b."""


def jobs(smallest: int = 1) -> Parameter:
    """Return the number of jobs, from ``smallest`` on."""
    points = tuple(map(Fraction, range(smallest, smallest + 40)))
    return Parameter(
        sp.Symbol("n", positive=True), integers_from(n=smallest), 1 / T, points, Fraction(1, smallest), whole=True
    )


_root = 1 + sp.Symbol("r_0", positive=True)

BASE = Parameter(
    sp.Symbol("b", positive=True),
    Range("b > 1", ({"b": _root**2},)),
    1 / T**2,
    tuple(map(Fraction, (9, 100, 64, 4, 3))),
)
"""The base b > 1; T is 1/√b."""

ALPHA = Parameter(sp.Symbol("alpha", positive=True), unit("alpha"), T, tuple(Fraction(1, k) for k in (2, 4, 9, 100)))
"""The least size over the largest, 0 < α < 1."""


def in_base(expr: SymExpr) -> SymExpr:
    """Return an expression in y = √b in terms of b."""
    return expr.subs(y, sp.sqrt(BASE.symbol))


def exactly(given: Given, name: str, parameter: Parameter, ratio: KnownRatio) -> tuple[Finding, Finding]:
    """Decide from both sides whether a ratio is the formula that is given."""
    upper, lower = (
        given.evidence_for(name, decide_side, parameter, side, ratio, ratio) for side in ("at most", "at least")
    )
    formula = f"${given[name]}$"
    return Finding("at-most", f"at most {formula}", upper), Finding("reached", f"no less than {formula}", lower)


def both_sides(id: str, given: Given, ratio: KnownRatio, how: str, worst: str, *more: Finding) -> Decision:
    """Decide a ratio that is given for every b from both sides, and as a bound at every n."""
    upper, lower = exactly(given, "ratio", BASE, ratio)
    every = Finding("every-n", f"the total is {upper.says} times the optimum, at every n", upper.evidence)
    read = reading_of(id, how=how)
    same = "the costs of pairs are those of the kernel at every n, and half of the sizes is left on both sides"
    return decision(
        read.reasoned(KERNEL, f"reached by {worst}", upper, lower, *more),
        read.reasoned(ALGORITHM, same, every),
        why="tight for every b; at most this at every n",
    )


# ---- the best b: where the ratios with an offset are least, enclosed by the signs of their slopes in balls --------------

RATIO = TEXT.value("b_scaling", y)
COMMON = TEXT.value("common", y, sp.log(y))
OWN = TEXT.value("cost", y, sp.log(y))
"""``RATIO``, ``COMMON``, ``OWN``: the ratios without an offset, with one and with own ones."""

COMMON_SLOPE = TEXT.value("common_slope", y, sp.log(y))
OWN_SLOPE = TEXT.value("stationarity", y, sp.log(y))
"""``COMMON_SLOPE``, ``OWN_SLOPE``: the signs of the derivatives of ``COMMON`` and ``OWN``."""

PRINTED_BITS = 30
"""The precision of the ends that a certificate contains."""

BEST_WITHOUT_OFFSET = 1 + 3 * sp.sqrt(3)


def bisected(slope: SymExpr, bits: int = 60) -> tuple[Fraction, Fraction]:
    """Return rational numbers between which a slope in y > 1 changes its sign from − to +, by bisection in balls."""
    low, high = Fraction(3, 2), Fraction(8)
    assert (sign(slope, {y: low}), sign(slope, {y: high})) == (-1, 1)
    for _ in range(bits):
        middle = (low + high) / 2
        low, high = (middle, high) if sign(slope, {y: middle}) == -1 else (low, middle)
    return low, high


def _minimum_in_floats(ratio: SymExpr) -> tuple[float, float]:
    """Return the minimiser y > 1 of a ratio and its minimum, by a search in floats."""
    from scipy.optimize import minimize_scalar  # pyright: ignore[reportMissingTypeStubs]

    in_floats = sp.lambdify(y, ratio, "math")
    result: Any = minimize_scalar(in_floats, bounds=(1.5, 8), method="bounded", options={"xatol": 1e-10})
    return float(result.x), float(result.fun)


def _minimum(ratio: SymExpr, slope: SymExpr, *theorems: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return the minimum of a ratio, and the b = y² at which it is attained."""
    low, high = bisected(slope)
    with precision(240):
        value = Enclosure.from_ball(ball_value(ratio, {y: hull(low, high)}))
    minimiser, minimum = _minimum_in_floats(ratio)
    base = Enclosure(low**2, high**2)
    at = {"b": f"{base.decimals(14)[0]}…"}
    left_end, right_end = map(str, bisected(slope, PRINTED_BITS))
    bracket = {"low": left_end, "high": right_end}
    return Constant(value, theorems, minimum, at, bracket), Constant(base, theorems[:1], minimiser**2, at, bracket)


def best_scaling() -> Constant:
    """Return the smallest ratio without an offset, 1 + 3√3, attained at b = 3."""
    value, minimum = enclose(BEST_WITHOUT_OFFSET, {}, 30), _minimum_in_floats(RATIO)[1]
    return Constant(value, (partial(theorem, "the best b"),), minimum, {"b": "3"})


def best_common() -> tuple[Constant, Constant]:
    """Return the smallest ratio with one offset, 3.0311…, and its b = 8.157…."""
    return _minimum(COMMON, COMMON_SLOPE, partial(theorem, "the best b with one offset"))


def best_own(*more: Callable[[], Theorem]) -> tuple[Constant, Constant]:
    """Return ρ* = 2.72837…, the smallest ratio with own offsets, and its b = 13.807…; ``more``: further theorems about it."""
    return _minimum(OWN, OWN_SLOPE, partial(theorem, "one stationary point"), partial(theorem, "own offsets"), *more)


# ---- in an order ---------------------------------------------------------------------------------------------------

i, j = sp.symbols("i j", positive=True)
RANDOM_ORDER = KnownRatio(
    TEXT.value("random_order", 1 / sp.sqrt(ALPHA.symbol)), partial(theorem, "a random order"), literal.random_order
)
POINTS = [{"i": i, "j": j} for i in range(1, 6) for j in range(1, 6)]


@stated_claim("spt-optimal")
def spt_optimal(given: Given) -> Decision:
    """Decide the cost of a pair under the optimum, which is shortest first."""
    tree, formula = formula_on("pair", given["pair"], {"i": i, "j": j}, pairs_from_one())

    def run(point: Point) -> Fraction:
        return sum(shortest_first((point["i"], point["j"])), Fraction(-sum(point.values())))

    def best(point: Point) -> Fraction:
        sizes = list(point.values())
        return min(sum(in_order(sizes, order), Fraction(-sum(sizes))) for order in permutations((0, 1)))

    proof = partial(TEXT.theorem, "the cost of a pair", N=sp.Lambda((i, j), formula))
    pair = decide_formula("the cost of a pair", proof, tree, POINTS, run, best)
    says = f"two jobs cost ${given['pair']}$ beside their own sizes, under the best schedule"
    optimal = given.proved(partial(theorem, "shortest first"))
    best_of_all = Finding("optimal", "no schedule has a smaller total than shortest first", optimal)
    read, why = reading_of("spt-optimal"), "by the k-th completion k jobs are done"
    return decision(
        read.reasoned(KERNEL, "it is $min(i, j)$", Finding("pair", says, pair)),
        read.reasoned(ALGORITHM, why, best_of_all),
        why="no schedule has a smaller total",
    )


@stated_claim("random-order")
def random_order(given: Given) -> Decision:
    """Decide the supremum from both sides, and the bound at every n."""
    upper, lower = exactly(given, "ratio", ALPHA, RANDOM_ORDER)
    every = Finding("every-n", f"at every n the mean total is {upper.says}", upper.evidence)
    why = "a share $1/(1 + √(u/ℓ))$ of the largest size, all else of the least"
    read = reading_of("random-order")
    return decision(
        read.reasoned(KERNEL, why, upper, lower),
        read.reasoned(ALGORITHM, "as $n → ∞$", every),
        why="two sizes are worst; no constant bounds it",
    )


# ---- shared, or preempted without loss -----------------------------------------------------------------------------

SHARED, WITH_COINS = (TEXT.value(name, jobs().symbol) for name in ("round_robin", "with_coins"))
ROUND_ROBIN = KnownRatio(SHARED, partial(theorem, "round robin"), literal.equal_jobs)
EQUAL_SIZES = KnownRatio(SHARED, partial(theorem, "equal sizes"), literal.equal_jobs)
PREEMPTIVE = KnownRatio(SHARED, partial(theorem, "preemptive lower bound"), literal.equal_jobs)
PREEMPTIVE_WITH_COINS = KnownRatio(WITH_COINS, partial(theorem, "randomised lower bound"), literal.equal_jobs)


@stated_claim("rr-upper")
def rr_upper(given: Given) -> Decision:
    """Decide the bound for every n."""
    evidence = given.evidence_for("ratio", decide_side, jobs(), "at most", ROUND_ROBIN, EQUAL_SIZES)
    finding = Finding("ratio", f"round robin's total is at most ${given['ratio']}$ times the optimum", evidence)
    why = "a pair costs twice the optimum, and the sizes are at least 2/(n+1) of it"
    return reading_of("rr-upper").decision(why, finding, line="$2 − 2/(n+1)$ times the optimum, at most")


@stated_claim("rr-tight")
def rr_tight(given: Given) -> Decision:
    """Decide the ratio with n jobs of size 1, for every n."""
    line = "n equal sizes have exactly this ratio"
    both = exactly(given, "ratio", jobs(), EQUAL_SIZES)
    return reading_of("rr-tight").decision(line, *both, line=line)


@stated_claim("preemptive-lower")
def preemptive_lower(given: Given) -> Decision:
    """Decide both lower bounds for every n: too large ones are refuted by round robin."""
    ratio = given.evidence_for("ratio", decide_side, jobs(), "at least", PREEMPTIVE, ROUND_ROBIN)
    randomised = given.evidence_for("randomised", decide_side, jobs(), "at least", PREEMPTIVE_WITH_COINS, ROUND_ROBIN)
    return reading_of("preemptive-lower").decision(
        "jobs end just after the policy leaves them",
        Finding("ratio", f"every deterministic policy has at least ${given['ratio']}$", ratio),
        Finding("randomised", f"every policy with coins has at least ${given['randomised']}$", randomised),
        line="no preemptive policy is below these ratios",
    )


# ---- killed and restarted at the lengths b^k -----------------------------------------------------------------------

EIGENVALUE = KnownRatio(in_base(TEXT.value("eigenvalue", y)), partial(theorem, "Toeplitz"), literal.eigenvalue)
SCALING = KnownRatio(in_base(RATIO), partial(theorem, "b-scaling"), literal.scaling, best_scaling)


@stated_claim("toeplitz")
def toeplitz(given: Given) -> Decision:
    """Decide the limit from both sides, for every b."""
    why = "no eigenvalue exceeds the largest sum of a row, and the vector of ones comes near it"
    both = exactly(given, "limit", BASE, EIGENVALUE)
    return reading_of("toeplitz").decision(why, *both, line="the eigenvalue tends to this limit")


@stated_claim("b-scaling")
def b_scaling(given: Given) -> Decision:
    """Decide the ratio from both sides for every b, and the bound at every n."""
    worst = "the longest first, classes of equal weight"
    return both_sides("b-scaling", given, SCALING, "the Toeplitz matrix of the classes", worst)


@stated_claim("b-scaling-best")
def b_scaling_best(given: Given) -> Decision:
    """Decide where the ratio is least, its value there, and the decimal that is printed."""
    best = best_scaling()
    where = given.evidence_for("b", decide_exact, 3, best)
    minimum = given.evidence_for("least", decide_exact, BEST_WITHOUT_OFFSET, best)
    printed = given.evidence_for("printed", decide_printed, best, "rounded up")
    return reading_of("b-scaling-best").decision(
        "the gap is $(√b − √3)²(2√b + √3)/(b − 1)$",
        Finding("where", f"it is least at $b = {given['b']}$", where),
        Finding("least", f"its least value is ${given['least']}$", minimum),
        Finding("printed", f"which is {given['printed']}, rounded up", printed),
        line=f"it is {best.value.middle:.6g}, printed rounded up",
    )


# ---- random offsets, and the best that any strategy can do ---------------------------------------------------------

ONE_OFFSET = KnownRatio(
    in_base(COMMON), partial(theorem, "one offset"), literal.with_one_offset, lambda: best_common()[0]
)
OWN_OFFSETS = KnownRatio(in_base(OWN), partial(theorem, "own offsets"), literal.with_own_offsets, lambda: best_own()[0])
METHOD, WORST = "a mean of stretched minima", "sizes with tail $t^{−1/2}$"


@stated_claim("b-random")
def b_random(given: Given) -> Decision:
    """Decide the ratio with one offset from both sides for every b, and the bound at every n."""
    return both_sides("b-random", given, ONE_OFFSET, METHOD, WORST)


@stated_claim("b-random-best")
def b_random_best(given: Given) -> Decision:
    """Decide where the ratio is least, and the decimal that is printed."""
    best, base = best_common()
    where = given.evidence_for("b", decide_printed, base, "rounded to nearest")
    least, ways = given["least"], {"least": "rounded up", "nearest": "rounded to nearest"}
    minimum, nearest = (
        Finding(id, f"its least value is {least}, {how}", given.evidence_for("least", decide_printed, best, how))
        for id, how in ways.items()
    )
    return reading_of("b-random-best").decision(
        f"the least value is {best.text}",
        Finding("where", f"it is least at $b ≈ {given['b']}$", where),
        minimum,
        degenerate=(nearest,),
        line=f"it is {best.value.middle:.6g}, printed rounded up",
    )


@stated_claim("own-offsets")
def own_offsets(given: Given) -> Decision:
    """Decide the ratio with own offsets from both sides for every b, the bound at every n, and where it is least."""
    value, base = best_own()
    minimum = given.evidence_for("least", decide_printed, value, "rounded up")
    where = given.evidence_for("b", decide_printed, base, "rounded to nearest")
    best = (
        Finding("least", f"its least value is {given['least']}, rounded up", minimum),
        Finding("where", f"at $b ≈ {given['b']}$", where),
    )
    return both_sides("own-offsets", given, OWN_OFFSETS, METHOD, WORST, *best)


@stated_claim("own-lower")
def own_lower(given: Given) -> Decision:
    """Decide whether ρ*, which every strategy's ratio is at least, is at least the number."""
    rho_star, _ = best_own(partial(theorem, "no strategy is better than ρ*"))
    evidence = given.evidence_for("least", decide_printed, rho_star, "at least")
    return reading_of("own-lower").decision(
        "each step of a job costs 2ρ* ln y, in time and price",
        Finding("least", f"its ratio is at least {given['least']}", evidence),
        line="no kill-and-restart strategy is below ρ*",
    )


# ---- no deterministic kill-and-restart strategy is better ----------------------------------------------------------

n = jobs().symbol
SMALLEST_N = 3
FEW_JOBS = KnownRatio(sp.Min(n, 1 + 3 * sp.sqrt(3)), partial(theorem, "few jobs"), literal.few_jobs)
KILLING = KnownRatio(TEXT.value("killing", n), partial(theorem, "kill-and-restart lower bound"), literal.few_jobs)
OF_FEWER = KnownRatio(sp.S.One, partial(theorem, "shortest first"), literal.few_jobs)


@stated_claim("kill-lower")
def kill_lower(given: Given) -> Decision:
    """Decide the bound for every n ≥ ``fewest``; a better strategy refutes a bound that is too large."""
    fewest = number("fewest", given["fewest"])
    if fewest.denominator != 1 or not 1 <= fewest <= 10**6:
        raise InputError("fewest", given["fewest"], "must be a whole number from 1 to 10^6")
    # with one or two jobs the best ratio is n, less than the formula: the ratios from n = fewest on are at least fewest
    bound = KILLING if fewest >= SMALLEST_N else replace(KILLING, value=sp.Integer(fewest.numerator))
    evidence = given.evidence_for("ratio", decide_side, jobs(int(fewest)), "at least", bound, FEW_JOBS)
    of_all = given.evidence_for("ratio", decide_side, jobs(), "at least", OF_FEWER, FEW_JOBS)
    few_jobs = given.proved(partial(theorem, "one or two jobs"))
    argument = "no job is longer than its attempts were"
    return reading_of("kill-lower", fewest=fewest).decision(
        f"at a kill all start again, and {argument}",
        Finding("ratio", f"every such strategy has a ratio of at least ${given['ratio']}$", evidence),
        Finding("fewer", "with one or two jobs the best ratio is $n$", few_jobs),
        degenerate=(Finding("of-all", "and this from $n = 1$ on", of_all),),
        line="from three jobs on; of fewer the best has n" if of_all.status == "refuted" else argument,
    )


_CLAIMS = claims_in("crtools.papers.nonclairvoyant", "claims")
CLAIMS = with_variants(_CLAIMS, files("crtools.papers.nonclairvoyant") / "variants.txt")
