"""thm-two-point, thm-aell: bounds on A_min, A_ℓ and A_max on laws on two lengths; switch, dominates: which of the bounds is smaller."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from re import fullmatch

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError
from crtools.expressions import evaluate
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Proved, PublishedProof, Refuted, agree, by_theorem
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import constant, formula_on, from_half, half_and_weights, unit, up_to_half
from crtools.ledger.evidence import Data
from crtools.ledger.readings import Reading
from crtools.numeric_types import SymExpr, SymPoly
from crtools.papers.adaptive.evidence import two_lengths
from crtools.papers.adaptive.evidence.algorithm_two import exceeded
from crtools.papers.adaptive.evidence.reading import phrase, repairs
from crtools.papers.adaptive.evidence.two_lengths import HALF, alpha, l, s, t, u, x, y
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim, theorem
from crtools.proof.builder import Proof
from crtools.signs.numbers import compare, sign
from crtools.signs.one_variable import at_least, between_roots, polynomials, real_roots, simplest


@stated_claim("thm-two-point")
def thm_two_point(given: Given) -> Decision:
    """Decide the bound and A_max's unboundedness at every level, and the displays of the proof."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    zero, larger, process = (
        given.evidence(each, bound) for each in (two_lengths.a_min_at_zero, two_lengths.a_min_every_s, exceeded)
    )
    read = reading_of("thm-two-point")
    of_form = given.proved(TEXT.named("a_max on two points"), TEXT.named("a_max unbounded on two points"))
    of_process = given.proved(partial(theorem, "A_max in the process, two lengths"))
    rows = ((AT_ZERO, zero, of_form), (FORM, larger, of_form), (ALGORITHM, process, of_process))
    verdicts = tuple(
        read.verdict(
            level,
            _why_of_two_point(evidence),
            Finding("a-min-bound", f"on ${{ℓ, u}}$: $CR(A_min) ≤ {bound.text}$", evidence),
            Finding("a-max-unbounded", "$A_max$'s ratio there is unbounded", unbounded),
        )
        for level, evidence, unbounded in rows
    )
    # the published proof takes s = 0
    truth = {
        "num": two_lengths.value_of("a-min").subs(s, 0),
        "den": two_lengths.value_of("h-sf").subs(s, 0),
        "ratio": sp.cancel(two_lengths.at_zero("a-min") / two_lengths.at_zero("h-sf")),
    }
    square = given.proved(TEXT.named("a_min on two points"))
    proof = read.proof(**_displays(given, "two points", truth), square=square)
    true = repairs("a-min-on-two-lengths-at-zero", "a-min-on-two-lengths")
    return Decision(_line_of_two_point(larger, process), verdicts, proof, true)


def _displays(given: Given, proof: str, truth: Mapping[str, SymExpr]) -> dict[str, Evidence]:
    """Judge the displays of a proof, each against the expression that the forms give."""
    return {
        name: given.evidence_for(name, two_lengths.display, true, f"{proof}: {name.replace('_', ' ')}")
        for name, true in truth.items()
    }


def _line_of_two_point(larger: Evidence, process: Evidence) -> str:
    if isinstance(process, Refuted):
        at = process.witness
        return f"Algorithm 2 at $s = {at['s']}$, $u = {at['u']}$: {ratio_of(process)}"
    if isinstance(larger, Refuted):
        return f"the form at $s = {larger.witness['s']}$: {ratio_of(larger)}"
    return {"proved": "the bound holds for every $s$, of the forms"}.get(larger.status, "not decided for every $s$")


def _why_of_two_point(evidence: Evidence) -> str:
    if isinstance(evidence, Open):
        return "not decided: " + evidence.tried
    if "with_prompts" in evidence.values:
        prompts = evidence.values["with_prompts"]
        return f"{why_beyond(evidence)}; with prompts too: {prompts['ratio_at_least']} at $s = 1$, $u = {prompts['u']}$"
    tight = evidence.values.get("the_bound_is_the_supremum")
    attained = ", which is attained at $x_ℓ : x_u = u : ℓ$ for every $α$" if tight else ""
    return why_beyond(evidence) or f"the bound is at least the supremum{attained}"


@stated_claim("thm-aell")
def thm_aell(given: Given) -> Decision:
    """Decide the two-piece bound at every level, and the displays and inferences of the proof."""
    low = Bound.given("bound_low", given["bound_low"], alpha, up_to_half("alpha"))
    high = Bound.given("bound_high", given["bound_high"], alpha, from_half("alpha"))
    spans = ((low, Fraction(0), HALF), (high, HALF, Fraction(1)))
    zero = [given.evidence(two_lengths.a_ell_at_zero, *span) for span in spans]
    larger, process = (
        given.evidence(decider, low, high) for decider in (two_lengths.a_ell_every_s, two_lengths.a_ell_in_process)
    )
    zero = [larger if isinstance(larger, Proved) and isinstance(evidence, Open) else evidence for evidence in zero]
    findings = (
        Finding("bound-up-to-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {low.text}$ for $α ≤ ½$", zero[0]),
        Finding("bound-from-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {high.text}$ for $α ≥ ½$", zero[1]),
    )
    says = f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {low.text}$ for $α ≤ ½$, ${high.text}$ above"
    read = reading_of("thm-aell", premise=given["premise"].strip())
    verdicts = (
        read.verdict(AT_ZERO, _why_at_zero(zero), *findings),
        read.verdict(FORM, _why_every_s(larger), Finding("bound", says, larger)),
        read.verdict(ALGORITHM, _why_every_s(process), Finding("bound", says, process)),
    )
    line = f"the form's bound {'holds' if all(e.status == 'proved' for e in zero) else 'fails'} at $s = 0$"
    if isinstance(process, Refuted):
        line = f"$A_ℓ$ at $s = {process.witness['s']}$: {ratio_of(process)}"
    return Decision(line, verdicts, _proof_of_a_ell(given, read), repairs("a-ell-at-zero", "a-ell-for-every-s"))


def _why_at_zero(zero: list[Evidence]) -> str:
    if all(e.status == "proved" for e in zero):
        tight = all(e.values.get("the_bound_is_the_supremum") for e in zero)
        return "both pieces are at least the exact supremum" + (", and tight for every $α$" if tight else "")
    return next(filter(None, map(why_beyond, zero)), "the comparison with the exact supremum is not decided")


def _why_every_s(evidence: Evidence) -> str:
    return why_beyond(evidence) or phrase(evidence.status, "", "it holds for every $s$", "no larger ratio was found")


CORRECTED_SUM = "l*(l/2)*(x+y)*(x+2*y)+u**2/2*y**2"
"""The correct sum of display (1) in the proof of Theorem 7, printed as its ``instead`` where it is proved."""


# ---- The displays in the proof of Theorem 7, and its inference from a lower bound on α²t²+2α²t+1 to h(t) ≤ α/[2(1−α)]

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 10), Fraction(2, 5))
"""Values of α at which a premise is tried, with t = 1/2, 1, …, 19/2."""


def _proof_of_a_ell(given: Given, read: Reading) -> PublishedProof:
    """Judge the displays, of half of the forms at s = 0 and their ratio, and both inferences of the published proof."""
    a_ell, h_sf = (sp.cancel(two_lengths.value_of(name).subs(s, 0) / 2) for name in ("a-ell", "h-sf"))
    truth: dict[str, SymExpr] = {
        "display_1_left": a_ell,
        "display_1_right": a_ell.subs(l, alpha * u),
        "display_2": h_sf.subs(l, alpha * u),
        "display_3": sp.cancel(two_lengths.at_zero("a-ell") / two_lengths.at_zero("h-sf")).subs(t, x / y),
    }
    corrected = given.evidence(
        two_lengths.display, "sum", CORRECTED_SUM, truth["display_1_left"], "A_ell on two points: display 1, right"
    )
    uncorrected = () if corrected.status == "proved" else ("display-1-left",)
    return read.proof(
        *uncorrected,
        **_displays(given, "A_ell on two points", truth),
        inference=given.evidence(inference, given["premise"]),
        above_half=given.proved(TEXT.named("a_ell on two points")),
    )


def inference(text: str) -> Evidence:
    """Decide "α²t²+2α²t+1 ≥ ``text`` implies h(t) ≤ α/[2(1−α)]", for 0 < α ≤ ½ and t ≥ 0.

    Here h(t) = α²(t+2)/(α²t²+2α²t+1). The premise must hold, and α²(t+2)/premise must be at most α/(2(1−α)): a premise that is
    too small gives too little. So it must lie between 2α(1−α)(t+2) and α²t²+2α²t+1 = 2α(1−α)(t+2) + (αt−1+2α)².
    """
    tree, premise = formula_on("premise", text, {"alpha": alpha, "t": t}, half_and_weights())
    for a, at in product(SHARES, (Fraction(k, 2) for k in range(1, 20))):
        try:
            premise_value = evaluate(tree, {"alpha": a, "t": at})
        except ArithmeticError:
            continue
        refuted = _fails(a, at, premise_value)
        if refuted is not None:
            return refuted
    r = sp.Symbol("r", positive=True)
    put = {alpha: 1 / (2 + r)}
    enough, whole = 2 * alpha * (1 - alpha) * (t + 2), alpha**2 * t**2 + 2 * alpha**2 * t + 1
    square = (alpha * t - 1 + 2 * alpha).subs(put)
    proof = Proof(
        "the inference for A_ell",
        "α = 1/(2+r), r ≥ 0: every 0 < α ≤ ½, every t ≥ 0",
        r"\alpha^2t^2+2\alpha^2t+1 \ge p \ge 2\alpha(1-\alpha)(t+2)",
    )
    proof.nonnegative("the premise is true", (whole - premise).subs(put), (r, 0), (t, 0), squares=(square,))
    proof.nonnegative("and enough", (premise - enough).subs(put), (r, 0), (t, 0))
    return by_theorem(proof.qed())


def _fails(a: Fraction, at: Fraction, premise: Fraction) -> Refuted | None:
    wanted, lower_bound = a / (2 * (1 - a)), a**2 * at**2 + 2 * a**2 * at + 1
    implied = a**2 * (at + 2) / premise if premise > 0 else None
    if premise <= lower_bound and implied is not None and implied <= wanted:
        return None
    in_floats = float(a) ** 2 * (float(at) + 2) / float(premise) if premise > 0 else "nothing"
    false = ", which is false" if premise > lower_bound else ""
    gives = "nothing" if implied is None else str(implied)
    return Refuted(
        witness={"alpha": str(a), "t": str(at)},
        claimed=f"$h ≤ {wanted}$, from ${lower_bound} ≥ {premise}$" + false,
        actual="the premise gives nothing" if implied is None else f"the premise gives $h ≤ {implied}$ only",
        second={"in_floats": in_floats, "the_conclusion_says": float(wanted)},
        stays="an inference about all $t ≥ 0$: no limit is taken",
        values={"h_itself": str(a**2 * (at + 2) / lower_bound), "gives": gives, "conclusion": str(wanted)},
    )


# ---- switch and dominates: for which α = l/u one of the bounds printed after Theorem 7 is below another --------------


@stated_claim("dominates")
def dominates(given: Given) -> Decision:
    """Decide whether one bound is at least the other for every α from the threshold on."""
    _, threshold = formula_on("threshold", given["threshold"], {}, constant())
    if not (compare(threshold, 0) == 1 and compare(threshold, 1) == -1):
        raise InputError("threshold", given["threshold"], "must be between 0 and 1")
    large, small = (
        formula_on(key, given[key], {"alpha": alpha}, unit("alpha"))[1] for key in ("dominating", "a_min_bound")
    )
    evidence = larger_from(threshold, large, small)
    in_force = larger_from(threshold, large, 1 + alpha / (2 * (1 - alpha)))
    dominating_text, a_min_text, threshold_text = (
        f"${given[key].strip()}$" for key in ("dominating", "a_min_bound", "threshold")
    )
    why = f"{evidence.status} by exact signs"
    if isinstance(evidence, Refuted):
        why = f"smaller at $α = {evidence.witness['alpha']}$"
    there = "is at least $1 + α/(2(1−α))$ there, $A_ℓ$'s bound up to ½"
    findings = (
        Finding("dominates", f"{dominating_text} is at least {a_min_text} for $α ≥ {threshold_text[1:]}", evidence),
        Finding("in-force", f"{dominating_text} {there}", in_force, decides=False),
    )
    true = repairs("one-plus-two-alpha-squared-dominates", "a-ell-bound-dominates")
    return reading_of("dominates").judged(why, why, *findings, repairs=true)


@stated_claim("switch")
def switch(given: Given) -> Decision:
    """Decide for which α the bound of A_ℓ is smaller than that of A_min."""
    symbols = {"alpha": alpha}
    _, threshold = formula_on("threshold", given["threshold"], {}, constant())
    _, a_min = formula_on("a_min_bound", given["a_min_bound"], symbols, unit("alpha"))
    _, low = formula_on("bound_low", given["bound_low"], symbols, up_to_half("alpha"))
    _, high = formula_on("bound_high", given["bound_high"], symbols, from_half("alpha"))
    evidence = compared(threshold, a_min, low, high)
    where = evidence.values.get("smaller_on", "a set that was not found")
    line = "not decided"
    if isinstance(evidence, Proved):
        line = f"smaller exactly for $α < {float(threshold.evalf()):.4f}…$"
    elif isinstance(evidence, Refuted):
        line = f"not so at $α = {evidence.witness['alpha']}$"
    says = f"$A_ℓ$'s bound is the smaller one exactly for $α < {given['threshold'].strip()}$"
    why = f"$A_ℓ$'s bound is the smaller one on ${where}$"
    times = given["times"].strip()
    in_times, literal = rounded(threshold, times), to_the_letter(threshold, times, a_min, low)
    findings = (
        Finding("smaller-exactly-below", says, evidence),
        Finding("in-times", f"at the threshold $u/l$ is ${times}$, rounded", in_times),
        Finding("in-times-to-the-letter", f"for every $u > {times}l$", literal, decides=False),
    )
    short = line if len(line) <= 40 else "decided by exact roots"
    return reading_of("switch").judged(short, why, *findings, reduction=evidence)


# ---- Where one of two bounds in α is the smaller one: exactly below a threshold? -------------------------------------

DIGITS = 40
"""Digits of the enclosure of the threshold; the bounds are compared at points outside it."""


def compared(threshold: SymExpr, a_min: SymExpr, low: SymExpr, high: SymExpr) -> Proved | Refuted | Open:
    """Decide whether A_ℓ's bound, ``low`` up to ½ and ``high`` from there, is below A_min's exactly for α < threshold.

    The bounds have no poles. Looked at are a rational α between every two neighbours among the roots of the difference, ½
    and both ends of the threshold, and ½ and the roots themselves where they are rational.
    """
    below_half, above_half = (polynomials(a_min - piece, alpha) for piece in (low, high))
    if below_half is None or above_half is None:
        return Open("exact roots; the bounds are not rational functions of $α$ with rational coefficients")
    sides = ((below_half, (Fraction(0), HALF)), (above_half, (HALF, Fraction(1))))
    roots = [root for (above, _), (a, b) in sides for root in _roots(above, a, b)]

    def smaller(point: Fraction) -> bool | None:
        """Return whether A_ℓ's bound is the smaller one at α; None at ½ where the two pieces differ."""
        at = sp.Rational(point)
        signs_there = {bool(above.eval(at) / below.eval(at) > 0) for (above, below), (a, b) in sides if a <= point <= b}
        return signs_there.pop() if len(signs_there) == 1 else None

    def points(*marks_: Fraction) -> list[Fraction]:
        more = [sp.Poly(alpha - sp.Rational(end), alpha) for end in marks_]
        return [p for (above, _), (a, b) in sides for p in between_roots([above, *more], alpha, a, b)]

    marks: list[SymExpr] = sorted({sp.S.Zero, sp.S.Half, sp.S.One, *(root for root, _ in roots)})
    values = {"smaller_on": _union_text(marks, points(), smaller), "threshold": str(threshold)}
    near = enclose(threshold, {}, DIGITS)
    rational = [fraction(mark) for mark in marks[1:-1] if mark.is_Rational]
    for point in (*points(near.lower, near.upper), *rational):
        yes, side = smaller(point), compare(sp.Rational(point), threshold)
        if side is None:
            return Open("the threshold could not be told from a point, exactly or by balls", values)
        if yes is not None and yes != (side < 0):
            bounds = [expr.subs({alpha: sp.Rational(point)}) for expr in (a_min, high if point > HALF else low)]
            return _refuted(point, threshold, bounds, values)
    irrational = any(not root.is_Rational and root < near.lower for root, _ in roots)
    if irrational or None in map(smaller, rational):
        return Open("exact roots; at one of them, below the threshold, no bound is the smaller one", values)
    outside = compare(threshold, 0) in (-1, 0) or compare(threshold, 1) in (0, 1)
    if outside or compare(threshold, HALF) == 0 or _turns(roots, threshold, near):
        return Proved(argument="signs between the exact roots of the difference", values=values, uses=("Sturm",))
    return Open("exact roots; no rational $α$ was found between the threshold and where the signs change", values)


def rounded(threshold: SymExpr, times: str) -> Proved | Refuted | Open:
    """Decide whether a decimal is 1/threshold, rounded to as many digits."""
    if not fullmatch(r"[1-9][0-9]{0,8}([.][0-9]{1,20})?", times):
        raise InputError("times", times, "must be a decimal number such as 2.6")
    if compare(threshold, 0) != 1:
        return Open("the threshold is not above 0")
    value, half = Fraction(times), Fraction(1, 2 * 10 ** len(times.partition(".")[2]))
    near = enclose(1 / threshold, {}, DIGITS)
    if value - half < near.lower and near.upper < value + half:
        return by_theorem(
            theorem("the switch"), argument=f"$1/α$ is {near.decimals(12)[0]} there, which is rounded {times}"
        )
    if near.upper < value - half or near.lower > value + half:
        witness, second = {"threshold": str(threshold)}, float(1 / threshold.evalf())
        return Refuted(witness, times, near.decimals(12)[0], second, "a number: no limit is taken")
    return Open("the digits of $1/threshold$")


def to_the_letter(threshold: SymExpr, times: str, a_min: SymExpr, low: SymExpr) -> Evidence:
    """Decide whether A_ℓ's bound is the smaller one wherever u > times · l: below the threshold it is."""
    end = 1 / Fraction(times)
    if compare(sp.Rational(end), threshold) != 1:
        return Proved(argument=f"$1/{times}$ is at most the threshold")
    point = simplest(enclose(threshold, {}, DIGITS).upper, end)
    bounds = [expr.subs({alpha: sp.Rational(point)}) for expr in (a_min, low)]
    if not (point < HALF and bounds[0] < bounds[1]):
        return Open(f"$α = {point}$")
    claimed = f"$u/l$ is above {times}, so that $A_ℓ$'s bound is the smaller one"
    return _refuted(point, threshold, bounds, {"u_over_l": str(1 / point)}, claimed)


def _refuted(
    point: Fraction, threshold: SymExpr, bounds: Sequence[SymExpr], values: Data, claimed: str = ""
) -> Refuted:
    ours, theirs = bounds
    side = "below" if compare(sp.Rational(point), threshold) == -1 else "not below"
    return Refuted(
        witness={"alpha": str(point)},
        claimed=claimed or f"$α$ is {side} the threshold",
        actual={"bound_of_A_min": str(ours), "bound_of_A_ell": str(theirs)},
        second={"in_floats": [float(ours), float(theirs)], "threshold_in_floats": float(threshold)},
        stays="two functions of $α$: no limit is taken",
        values=values,
    )


def _union_text(
    marks: Sequence[SymExpr], points: Sequence[Fraction], smaller: Callable[[Fraction], bool | None]
) -> str:
    """Return the open intervals between marks on which A_ℓ's bound is smaller, for a reader."""
    intervals: list[list[SymExpr]] = []
    for (start, end), point in zip(pairwise(marks), points, strict=True):
        if smaller(point) and intervals and intervals[-1][1] == start == HALF and smaller(HALF):
            intervals[-1][1] = end
        elif smaller(point):
            intervals.append([start, end])
    return " ∪ ".join(f"({start}, {end})" for start, end in intervals) or "nowhere"


# ---- whether one bound dominates another from a threshold on --------------------------------------------------------


def larger_from(threshold: SymExpr, large: SymExpr, small: SymExpr) -> Evidence:
    """Decide whether large(α) ≥ small(α) for threshold ≤ α < 1."""
    near, one = enclose(threshold, {}, DIGITS), Fraction(1)
    beyond = at_least(large, small, alpha, near.upper, one, closed=(near.upper,))
    if beyond.point is not None:
        ours, other = (expr.subs({alpha: sp.Rational(beyond.point)}) for expr in (large, small))
        floats = [float(expr.subs({alpha: float(beyond.point)})) for expr in (large, small)]
        agree(bool(ours < other), floats[0] < floats[1], "which bound is the larger one")
        second = {"in_floats": floats, "threshold_in_floats": float(threshold)}
        witness, stays = {"alpha": str(beyond.point)}, "two functions of $α$: no limit is taken"
        return Refuted(witness, f"at least {other}", str(ours), second, stays)
    pair = polynomials(large - small, alpha)
    roots = [] if pair is None else [root for poly in pair for root in _roots(poly, near.lower, near.upper)]
    if beyond.holds and (
        near.width == 0 or at_least(large, small, alpha, near.lower, one).holds or _turns(roots, threshold, near)
    ):
        return Proved(argument="signs between the exact roots of the difference", uses=("Sturm",))
    return Open("; ".join(filter(None, ("exact roots of the difference", beyond.reason))))


def _roots(above: SymPoly, low: Fraction, high: Fraction) -> list[tuple[SymExpr, SymPoly]]:
    """Return the roots of a polynomial from ``low`` to ``high``, each with the irreducible factor whose root it is."""
    factors = (factor for factor, _ in above.factor_list()[1])
    return [(root, factor) for factor in factors for root in real_roots(factor) if low <= root <= high]


def _turns(roots: Sequence[tuple[SymExpr, SymPoly]], threshold: SymExpr, near: Enclosure) -> bool:
    """Return whether the threshold is the only root near it."""
    here = [factor for root, factor in roots if near.lower <= root <= near.upper]
    return len(here) == 1 and sign(here[0].as_expr().subs(alpha, threshold)) == 0
