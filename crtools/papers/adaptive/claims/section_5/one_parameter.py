"""geometric, thm-lg, uniform-bounds: the laws P(k) ∝ q^k and k q^k, the closed form under the second, and the two sums in its proof."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.sums import Field, Summand
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, PublishedProof, Refuted, Repair, Verdict
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import constant, formula_on, unit
from crtools.ledger.evidence import SURE, agree
from crtools.ledger.readings import Reading
from crtools.numeric_types import RingPoly, SymExpr
from crtools.papers.adaptive.evidence import algorithm_two, two_lengths
from crtools.papers.adaptive.evidence import one_parameter as laws
from crtools.papers.adaptive.evidence.algorithm_two import law_in_process
from crtools.papers.adaptive.evidence.one_parameter import DIRECTIONS, GEOMETRIC, LINEAR, derived, direct, q, typed
from crtools.papers.adaptive.evidence.reading import one_of
from crtools.papers.adaptive.evidence.two_lengths import alpha
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, reading_of, stated_claim


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
    proof = _proof_of_lg(given, read, at_zero[0].evidence, at_zero[1].evidence)
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


def _proof_of_lg(given: Given, read: Reading, form: Evidence, bound: Evidence) -> PublishedProof:
    """Judge the two sums as displayed, and what the proof concludes from them at s = 0: the closed form and the bound."""
    text = given["display_denominator"]
    own_factor, tail_factor = (number(name, given[name]) for name in ("display_own", "display_tail"))
    corrected = given.evidence(denominator, Fraction(1), Fraction(2), text)
    return read.proof(
        *["denominator"] * (corrected.status != "proved"),
        denominator=given.evidence(denominator, own_factor, tail_factor, text),
        numerator=given.evidence(numerator, given["display_numerator"]),
        quotient=form,
        at_most=bound,
    )


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
    rows = {
        level: (
            given.evidence(decide_two, two),
            given.evidence(laws.bounded_at, level, GEOMETRIC, geometric),
            given.evidence(laws.bounded_at, level, LINEAR, linear),
        )
        for level, decide_two in deciders.items()
    }
    read, verdicts = reading_of("uniform-bounds"), list[Verdict]()
    for level, row in rows.items():
        findings = tuple(
            Finding(id, f"under {family} laws $CR(A_min)$ is at most ${given[name].strip()}$, uniformly", evidence)
            for (name, (id, family)), evidence in zip(FAMILIES.items(), row, strict=True)
        )
        verdicts.append(read.verdict(level, _why_uniformly(row), *findings))
    numbers = ", ".join(f"${given[name].strip()}$" for name in FAMILIES)
    sentence = f"at $s = 0$: {numbers} bound $CR(A_min)$ uniformly under two-point, geometric and $LG$ laws"
    return Decision(
        _line_of_three(rows), tuple(verdicts), read.proof(), (Repair(AT_ZERO, sentence, verdicts[0].findings),)
    )


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


def _line_of_three(rows: dict[str, tuple[Evidence, ...]]) -> str:
    failing = {level: sum(isinstance(evidence, Refuted) for evidence in row) for level, row in rows.items()}
    if failing[ALGORITHM]:
        words = {1: "one", 2: "two", 3: "all three"}[failing[ALGORITHM]]
        return f"{words} exceeded by Algorithm 2"
    return "exceeded by the forms" if any(failing.values()) else "not exceeded"
