"""geometric, thm-lg, lg-extremes, lg-mode: the laws P(k) ∝ q^k and k q^k; uniform-bounds: these and two lengths."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil

import sympy as sp

from crtools.closed_form.evaluate import enclose, enclosed
from crtools.closed_form.sums import Field, Summand
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, Repair, Verdict
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import constant, formula_on, unit
from crtools.ledger.evidence import SURE, Evidence, Measured, Open, Proved, Refuted, agree, by_theorem
from crtools.numeric_types import RingPoly, SymExpr
from crtools.papers.adaptive.evidence import algorithm_two, two_lengths
from crtools.papers.adaptive.evidence import one_parameter as laws
from crtools.papers.adaptive.evidence.algorithm_two import law_in_process
from crtools.papers.adaptive.evidence.one_parameter import DIRECTIONS, GEOMETRIC, LINEAR, derived, direct, q, typed
from crtools.papers.adaptive.evidence.reading import one_of, repairs
from crtools.papers.adaptive.evidence.two_lengths import alpha
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, reading_of, stated_claim, theorem
from crtools.signs.one_variable import at_least


@stated_claim("geometric")
def geometric(given: Given) -> Decision:
    """Decide the bound and the monotonicity of the geometric law's ratio."""
    bound, direction = Bound.given("bound", given["bound"], q, constant()), one_of(given, "direction", DIRECTIONS)
    derivation = laws.derived(GEOMETRIC, 0)
    assert derivation.ratio is not None
    otherwise = {
        AT_ZERO: f"the ratio is ${typed(derivation.ratio)}$, which tends to ${typed(derivation.limit(q=1))}$ as $q → 1$",
        FORM: f"at $s = 1$ the supremum is {laws.supremum(GEOMETRIC, 1).enclosure.middle:.5f}",
        ALGORITHM: "no setting was found at which the ratio exceeds the bound",
    }
    read, verdicts = reading_of("geometric"), list[Verdict]()
    for level, other in otherwise.items():
        limit = given.evidence(laws.bounded_at, level, GEOMETRIC, bound)
        way = given.evidence(laws.directed_at, level, GEOMETRIC, direction)
        findings = (
            Finding("bound", f"$CR(A_min)$ under $G(p)$ is at most ${bound.text}$", limit),
            Finding("monotone", f"it {direction} with $q$", way),
        )
        verdicts.append(read.verdict(level, why_beyond(limit) or other, *findings))
    sentence_end = f"{direction} with $q$ and is at most ${bound.text}$"
    sentence = f"at $s = 0$: $CR(A_min)$ under $G(p)$ is ${typed(derivation.ratio)}$, {sentence_end}"
    repair = Repair(AT_ZERO, sentence, verdicts[0].findings)
    line = _line(*(verdict.findings[0].evidence for verdict in verdicts))
    return Decision(line, tuple(verdicts), read.proof(), (repair,))


def _line(zero: Evidence, larger: Evidence, process: Evidence) -> str:
    if isinstance(zero, Refuted):
        return f"the form at $s = 0$: {ratio_of(zero)}"
    held = "as plotted; " if zero.status in SURE else ""
    if isinstance(process, Refuted):
        return f"{held}Algorithm 2: {ratio_of(process)}"
    if isinstance(larger, Refuted):
        return f"{held}the form at $s = {larger.witness['s']}$ exceeds it"
    return f"{held}open for larger $s$"


@stated_claim("thm-lg")
def thm_lg(given: Given) -> Decision:
    """Decide the closed form, both bounds and the monotonicity at every level, and the two displayed sums."""
    direction = one_of(given, "direction", DIRECTIONS)
    bounds = [Bound.given(name, given[name], q, constant()) for name in ("bound", "weaker_bound")]
    claimed = Bound.given("closed_form", given["closed_form"], q, unit("q"))
    forms = {
        AT_ZERO: partial(closed_form, 0),
        FORM: partial(closed_form, 1),
        ALGORITHM: partial(law_in_process, LINEAR),
    }
    read, verdicts = reading_of("thm-lg"), list[Verdict]()
    for level, form in forms.items():
        strong, weak = (given.evidence(laws.bounded_at, level, LINEAR, bound) for bound in bounds)
        row = (
            Finding("closed-form", "$CR(A_min)$ under $LG(p)$ is the closed form", given.evidence(form, claimed)),
            Finding("bound", f"it is at most ${bounds[0].text}$", strong),
            Finding("weaker-bound", f"it is at most ${bounds[1].text}$", weak),
            Finding("monotone", f"it {direction} with $q$", given.evidence(laws.directed_at, level, LINEAR, direction)),
        )
        verdicts.append(read.verdict(level, _why(level, row), *row))
    at_zero = verdicts[0].findings
    sentence = f"at $s = 0$: the closed form holds, {direction} with $q$ and is at most ${bounds[0].text}$"
    repair = Repair(AT_ZERO, sentence, tuple(f for f in at_zero if f.id != "weaker-bound"))
    text = given["display_denominator"]
    own_factor, tail_factor = (number(name, given[name]) for name in ("display_own", "display_tail"))
    corrected = given.evidence(denominator, Fraction(1), Fraction(2), text)
    proof = read.proof(
        *["denominator"] * (corrected.status != "proved"),
        denominator=given.evidence(denominator, own_factor, tail_factor, text),
        numerator=given.evidence(numerator, given["display_numerator"]),
        quotient=at_zero[0].evidence,
        at_most=at_zero[1].evidence,
    )
    return Decision(_line_of_lg(*verdicts), tuple(verdicts), proof, (repair,))


def _why(level: str, row: tuple[Finding, ...]) -> str:
    form, bound, weaker = (f.evidence for f in row[:3])
    differs = ""
    if isinstance(form, Refuted) and level != ALGORITHM:
        differs = f"at $q = {form.witness['q']}$ the ratio is {form.actual}, the closed form gives {form.claimed}"
    fails = "; ".join(filter(None, (differs, why_beyond(bound) or why_beyond(weaker))))
    if level == AT_ZERO and not fails and all(f.status == "proved" for f in row):
        return "the closed form, its direction and both bounds hold"
    return fails or "not decided as a whole"


def _line_of_lg(zero: Verdict, larger: Verdict, process: Verdict) -> str:
    evidence: Evidence = process.findings[1].evidence
    if isinstance(evidence, Refuted):
        return f"Algorithm 2, $q = {evidence.witness['q']}$: {ratio_of(evidence)}"
    held = "only at $s = 0$, of the forms; " if zero.status == "proved" else ""
    return f"{held}false for $s ≥ 1$" if larger.findings[0].status == "refuted" else "not decided for $s ≥ 1$"


# ---- thm-lg: the closed form, at one q after another, and the two sums displayed in its proof ------------------------


def closed_form(s: int, claimed: Bound) -> Evidence:
    """Decide a closed form of the ratio at one s: for every q, or by a q at which it fails."""
    truth = derived(LINEAR, s).ratio
    assert truth is not None

    def second(at: Mapping[str, Fraction]) -> str:
        value = direct(LINEAR, s, at["q"], 40)
        return agree(enclose(truth, {q: at["q"]}, 40), value, "the ratio under k q^k").decimals(30)[0]

    evidence = decide_identity(
        f"the ratio under k q^k at s = {s}", claimed.expr, truth, unit("q"), second, f"s = {s}, 0 < q < 1"
    )
    return replace(evidence, witness={"s": s, **evidence.witness}) if isinstance(evidence, Refuted) else evidence


def denominator(own_factor: Fraction, tail_factor: Fraction, text: str) -> Evidence:
    """Decide a displayed value of Σ k³q^{k−1}(own·k q^{k−1} + tail·Σ_{i>k} i q^{i−1})."""
    field = Field.of(q)
    cubes, weights = _term(field, field.k**3), _term(field, field.k)
    sums = ((cubes * part).complete_sum().expr() for part in (weights, weights.tails_above()))
    first, second = sums
    value = sp.Rational(own_factor) * first + sp.Rational(tail_factor) * second
    return _displayed("denominator", text, value, partial(_denominator_in_floats, own_factor, tail_factor))


def numerator(text: str) -> Evidence:
    """Decide a displayed value of Σ_k (Σ_{i≥k} i² q^{i−1})(Σ_{i≥k} q^{i−1} + 2 Σ_{i>k} (i − k) q^{i−1})."""
    field = Field.of(q)
    one, weights, squares = (_term(field, field.k**power) for power in range(3))
    from_k = squares + squares.tails_above()
    second = one + one.tails_above()
    twice = weights.tails_above() + one.tails_above().times(-field.k)
    value = (from_k * (second + twice.times(field.ring.one * 2))).complete_sum().expr()
    return _displayed("numerator", text, value, _numerator_in_floats)


def _term(field: Field, poly: RingPoly) -> Summand:
    """Return poly(k) q^{k−1}."""
    rho = field.domain.from_sympy(q)
    return Summand(field, {rho: poly * (field.domain.one / rho)})


def _displayed(which: str, text: str, value: SymExpr, in_floats: Callable[[Mapping[str, Fraction]], float]) -> Evidence:
    _, displayed = formula_on(f"display_{which}", text, {"q": q}, unit("q"))
    text = "the other side is the sum, by Σ_k k^p t^k as rational functions of t, at t = q and t = q²"
    return decide_identity(f"LG: the {which} sum", displayed, value, unit("q"), in_floats, "0 < q < 1", text)


LAST = 300
"""Number of terms of the sums in floats; at q ≤ 3/4 the tail is below 10^−20."""


def _denominator_in_floats(own_factor: Fraction, tail_factor: Fraction, at: Mapping[str, Fraction]) -> float:
    """Return the displayed sum, term by term in floats."""
    x = float(at["q"])
    w = [0.0] + [i * x ** (i - 1) for i in range(1, LAST)]
    return sum(
        k**3 * x ** (k - 1) * (float(own_factor) * w[k] + float(tail_factor) * sum(w[k + 1 :])) for k in range(1, LAST)
    )


def _numerator_in_floats(at: Mapping[str, Fraction]) -> float:
    """Return the displayed numerator sum, term by term in floats."""
    x, total = float(at["q"]), 0.0
    for k in range(1, LAST):
        first = sum(i * i * x ** (i - 1) for i in range(k, LAST))
        second = sum(x ** (i - 1) for i in range(k, LAST)) + 2 * sum((i - k) * x ** (i - 1) for i in range(k + 1, LAST))
        total += first * second
    return total


# ---- lg-extremes and lg-mode: are extreme values frequent under LG(p), and where does k q^k peak? -----------------------

WHERE = Fraction(1, 2)
"""The q at which lg-extremes is refuted; tests/certificates/test_changed_witnesses.py changes it to a neighbouring value."""

RELATIONS = {"more": "larger", "less": "smaller", "equally": "as large"}
"""How frequent extreme values may be said to be, and what that says of tails."""

TRUE, PROOFS = {"mean": "less", "p": "more"}, {"mean": "mean", "p": "parameter"}
"""How frequent they are, at equal mean and at equal p, and the theorems that say so."""


@stated_claim("lg-extremes")
def lg_extremes(given: Given) -> Decision:
    """Decide whether P(o ≥ k) is larger, or smaller, under LG for all large k, and (deciding nothing) the same of the variance."""
    kind, relation = one_of(given, "equal", TRUE), one_of(given, "extremes", RELATIONS)
    [other_kind] = TRUE.keys() - {kind}
    than = "as" if relation == "equally" else "than"
    larger = f"is {RELATIONS[relation]} under $LG(p)$ {than} under the geometric distribution of the same"
    says, others = f"$P(o ≥ k)$ {larger} {{}}, for all large $k$", tails(other_kind, relation)
    findings = (
        Finding("tails", says.format(kind), tails(kind, relation)),
        Finding("variance", f"the variance {larger} mean", variance(relation), decides=False),
        Finding(f"at-equal-{other_kind}", says.format(other_kind), others, decides=False),
    )
    why = f"at equal {kind} they are {TRUE[kind]} frequent"
    return reading_of("lg-extremes", kind=kind).judged(why, why, *findings, repairs=repairs("lg-tails"))


def tails(kind: str, relation: str) -> Evidence:
    """Decide whether P(o ≥ k) is larger, smaller or the same under LG for all large k."""
    proof, mean = theorem(f"LG against the geometric distribution of its {PROOFS[kind]}"), (1 + WHERE) / (1 - WHERE)
    if relation == TRUE[kind] and proof.holds:
        return by_theorem(proof)
    q, other, k = WHERE, 1 - 1 / mean if kind == "mean" else WHERE, ceil(2 * mean)
    values = [(1 + (k - 1) * (1 - q)) * q ** (k - 1), other ** (k - 1)]
    weights = [(i * (1 - q) ** 2 * q ** (i - 1), (1 - other) * other ** (i - 1)) for i in range(1, k)]
    second = agree(values, [1 - sum(weight_column) for weight_column in zip(*weights, strict=True)], "the tails")
    agree(values[0] < values[1], kind == "mean", "which tail is the larger one")
    witness = {"q": str(q), "k": k, "mean_of_LG": str(mean), "q_of_the_geometric": str(other)}
    stays = "at every $q$, for every $k ≥ " + ("2m$, and the quotient tends to 0" if kind == "mean" else "2$")
    tail_texts = [str(tail) for tail in second]
    return Refuted(witness, _comparison(relation, values[1]), str(values[0]), tail_texts, stays, proof.records)


def _comparison(relation: str, value: Fraction) -> str:
    return f"{RELATIONS[relation]} {'as' if relation == 'equally' else 'than'} {value}"


def variance(relation: str) -> Evidence:
    """Decide whether the variance is larger, smaller or the same under LG at equal mean."""
    mean = (1 + WHERE) / (1 - WHERE)
    lg_variance, geometric_variance = (mean**2 - 1) / 2, mean**2 - mean
    laws = ([k * WHERE**k for k in range(1, 400)], [(1 - 1 / mean) ** k for k in range(1, 400)])
    sums = [[float(sum(x * k**power for k, x in enumerate(law, start=1))) for power in (0, 1, 2)] for law in laws]
    second = [round(square / n - (first / n) ** 2, 9) for n, first, square in sums]
    agree([round(float(value), 9) for value in (lg_variance, geometric_variance)], second, "the variances")
    if relation == "less":
        return Proved(argument="at the mean $m$ they are $(m²−1)/2$ and $m² − m$, which is larger by $½(m−1)²$")
    at, stays = {"q": str(WHERE), "mean": str(mean)}, "at every $q$ it is smaller by $½(m−1)²$"
    return Refuted(at, _comparison(relation, geometric_variance), str(lg_variance), second, stays)


NEAR_THE_MODE = {"rational": ("1/(1−q)", 1 / (1 - q)), "reciprocal": ("1/ln(1/q)", 1 / sp.log(1 / q))}
"""Formulas within 1 of the mode: in words, as an expression."""


@stated_claim("lg-mode")
def lg_mode(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1, or what is given, of m(q) for every q."""
    _, claimed = formula_on("mode", given["mode"], {"q": q}, unit("q"))
    within = number("within", given["within"])
    evidence = near_the_mode(claimed, within)
    line, why = _line_and_why(evidence)
    says = f"the mode is within ${given['within'].strip()}$ of ${given['mode'].strip()}$"
    finding = Finding("near-the-mode", says, evidence)
    true_formulas = tuple(
        Finding(f"near-the-{name}", f"the mode is within 1 of ${text}$", near_the_mode(form, Fraction(1)))
        for name, (text, form) in NEAR_THE_MODE.items()
    )
    repair = Repair(AT_ZERO, "$LG(p)$ peaks within 1 of $1/(1−q)$, and of $1/ln(1/q)$", true_formulas)
    return reading_of("lg-mode", within=within).judged(line, why, finding, repairs=(repair,))


def _line_and_why(evidence: Evidence) -> tuple[str, str]:
    if isinstance(evidence, Refuted):
        at, mode = f"at $q = {evidence.witness['q']}$ the mode is", evidence.actual[0]
        line = f"{at} {mode}, not {float(evidence.claimed):.4g}"
        short = line if len(line) <= 45 else "next to a jump the mode is further away"
        return short, f"{at} {mode}, the formula gives {evidence.claimed}"
    if isinstance(evidence, Proved):
        return "near the mode for every $q$", "the mode and the formula lie in one interval, for every $q$"
    near = f"clearly near it at {evidence.sample}" if isinstance(evidence, Measured) else "not decided for every $q$"
    return "not decided for every $q$", near


# ---- Where k q^{k−1} peaks, beside a formula: exact at rational q, and next to the places at which the mode jumps ----

JUMPS = (*range(1, 21), *(10**k for k in (2, 3, 4, 6, 9, 12)))
"""Integers q/(1−q) at which the mode jumps: it is the integer just below, and one more just above."""

NEAR_JUMPS = tuple(
    (jump + Fraction(side, 10**digits), digits) for jump in JUMPS for side in (-1, 1) for digits in (10, 40, 160, 640)
)
"""Values of q/(1−q) near a jump, and how many decimals they are from it."""

POINTS = (
    *((Fraction(k, 20), 60) for k in range(1, 20)),
    *((1 - Fraction(1, 2**k), 60) for k in (*range(5, 13), 20, 30, 40, 60, 100)),
    *((Fraction(1, 10**k), 60) for k in (2, 4, 20, 60)),
    *((turn / (1 + turn), digits + 60) for turn, digits in NEAR_JUMPS),
)
"""Values of q at which the mode is compared with a formula, and digits of the formula's value."""

MARGIN = Fraction(1, 1000)
"""A formula is supported where it keeps this distance from what is allowed at every place."""


def near_the_mode(claimed: SymExpr, within: Fraction) -> Evidence:
    """Decide whether some mode is within a distance of the formula, for every 0 < q < 1: refuted at a place, or proved."""
    proved = proof(claimed, within)
    if proved is not None:
        return proved
    safe_distance, unclear = within - MARGIN, ""
    for point, digits in POINTS:
        modes, value = _modes(point), enclosed(claimed, {q: point}, digits)
        if value is not None and min(max(value.lower - m, m - value.upper) for m in modes) > within:
            return Refuted(
                witness={"q": str(point)},
                claimed=value.decimals(6)[0],
                actual=modes,
                second=_confirmed(point, modes),
                stays="a function of $q$: no limit is taken",
                values={"mode_for_every_q": "$⌈q/(1−q)⌉$, and $q/(1−q)+1$ too where that is an integer"},
            )
        if value is None or min(max(value.upper - m, m - value.lower) for m in modes) > safe_distance:
            unclear = unclear or f"at $q ≈ {float(point):.6g}$ the difference is not clearly below {within}"
    if not unclear and not _clear_at_zero(claimed, safe_distance):
        unclear = "as $q → 0$ the mode is 1, and the formula's limit is not clearly so near"
    if unclear:
        return Open(unclear)
    return Measured(True, f"{len(POINTS)} values of $q$", f"the difference is at most {within} less {MARGIN} at each")


def proof(claimed: SymExpr, within: Fraction) -> Proved | None:
    """Prove: the mode m lies in [q/(1−q), 1/(1−q)]; so the formula is within w of it if it lies in [1/(1−q) − w, q/(1−q) + w].

    For w = 1 that is the same interval, in which 1/ln(1/q) lies too, because 1 − 1/x ≤ ln x ≤ x − 1.
    """
    zero, one, w = Fraction(0), Fraction(1), sp.Rational(within)
    low, high = 1 / (1 - q) - w, q / (1 - q) + w
    values = {"the_mode_lies_in": "$[q/(1−q), 1/(1−q)]$, an interval of length 1"}
    both = "an interval of length 1 contains both"
    if within >= 1 and sp.expand_log(claimed * sp.log(q)) == -1:
        inside = (
            f"{both}: $ln x ≤ x − 1$, with equality at $x = 1$ only, as the derivative $1 − 1/x$ changes its sign there; at "
            "$x = q$ and $x = 1/q$ it gives $1 − q ≤ ln(1/q) ≤ (1−q)/q$"
        )
        return Proved(argument=inside, values=values)
    if at_least(claimed, low, q, zero, one).holds and at_least(high, claimed, q, zero, one).holds:
        argument = (
            both if within == 1 else f"the formula is at least $1/(1−q) − {within}$ and at most $q/(1−q) + {within}$"
        )
        return Proved(argument=argument, values=values, uses=("Sturm",))
    return None


def _modes(point: Fraction) -> list[int]:
    """Return the modes of k q^(k−1): P(k+1) ≥ P(k) exactly for k ≤ q/(1−q)."""
    turn = point / (1 - point)
    whole = int(turn)
    return [whole, whole + 1] if turn == whole and whole >= 1 else [whole + 1]


def _confirmed(point: Fraction, modes: list[int]) -> str:
    """Confirm the modes by evaluating k q^{k−1} exactly at each and at its neighbours: it rises, then falls."""
    for m in modes:
        before, here, after = m - 1, m * point, (m + 1) * point**2  # over q^{m−2}
        agree(before <= here >= after, True, "whether the mode is not below its neighbours")
    return f"$k q^{{k−1}}$ at $k = {', '.join(str(m) for m in modes)}$ is not below its neighbours, exactly"


def _clear_at_zero(claimed: SymExpr, clear: Fraction) -> bool:
    try:
        return bool(abs(sp.limit(claimed, q, 0, "+") - 1) <= sp.Rational(clear))
    except (ArithmeticError, NotImplementedError, TypeError, ValueError):
        return False


# ---- one bound for each of three families of laws ----------------------------------------------------------------------

FAMILIES = {
    "two_point": ("two-point", "two-point"),
    "geometric": ("geometric", "geometric"),
    "linear_geometric": ("linear-geometric", "$LG$"),
}


@stated_claim("uniform-bounds")
def uniform_bounds(given: Given) -> Decision:
    """Decide the three uniform bounds at every level."""
    two = Bound.given("two_point", given["two_point"], alpha, constant())
    geometric, linear = (Bound.given(name, given[name], q, constant()) for name in ("geometric", "linear_geometric"))
    deciders = {AT_ZERO: two_lengths.a_min_at_zero, FORM: two_lengths.a_min_every_s, ALGORITHM: algorithm_two.exceeded}
    read, verdicts = reading_of("uniform-bounds"), list[Verdict]()
    for level, decide_two in deciders.items():
        of_laws = (
            given.evidence(laws.bounded_at, level, law, bound)
            for law, bound in ((GEOMETRIC, geometric), (LINEAR, linear))
        )
        row = (given.evidence(decide_two, two), *of_laws)
        findings = tuple(
            Finding(id, f"under {family} laws $CR(A_min)$ is at most ${given[name].strip()}$, uniformly", evidence)
            for (name, (id, family)), evidence in zip(FAMILIES.items(), row, strict=True)
        )
        verdicts.append(read.verdict(level, _why_uniformly(row), *findings))
    numbers = ", ".join(f"${given[name].strip()}$" for name in FAMILIES)
    sentence = f"at $s = 0$: {numbers} bound $CR(A_min)$ uniformly under two-point, geometric and $LG$ laws"
    failing = {v.level: sum(finding.status == "refuted" for finding in v.findings) for v in verdicts}
    line = "exceeded by the forms" if any(failing.values()) else "not exceeded"
    if of_algorithm := failing[ALGORITHM]:
        line = f"{({1: 'one', 2: 'two', 3: 'all three'})[of_algorithm]} exceeded by Algorithm 2"
    return Decision(line, tuple(verdicts), read.proof(), (Repair(AT_ZERO, sentence, verdicts[0].findings),))


def _why_uniformly(row: tuple[Evidence, ...]) -> str:
    fails = [
        f"{family} laws, at $s = {evidence.witness['s']}$: {ratio_of(evidence)}, above {evidence.claimed}"
        for (_, family), evidence in zip(FAMILIES.values(), row, strict=True)
        if isinstance(evidence, Refuted)
    ]
    if fails:
        return "; ".join(fails)
    sure = all(evidence.status in SURE for evidence in row)
    return "each bound is at least the exact supremum" if sure else "no bound fails; not every one is proved"
