"""The claims on CR(A_max): the bounds of Theorems 1 and 2, whether the upper one is tight, and the rate between them."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, Verdict
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import FALSE, SURE, Evidence, Open, Proved, Refuted, agree, by_theorem
from crtools.ledger.verdict import weakest
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence import a_max
from crtools.papers.adaptive.evidence.confirmed_runs import confirmed_total
from crtools.papers.adaptive.evidence.max_against_random import random_at_less_memory, without_error_term
from crtools.papers.adaptive.evidence.reading import bound_on_the_form, conclusion, phrase, repairs
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim, theorem
from crtools.proof import steps
from crtools.proof.builder import Proof
from crtools.proof.symbols import alpha
from crtools.signs.one_variable import at_least

UNTIGHT_FORM, UNTIGHT_PROCESS = "A_max's bound is not tight", "A_max in the process, below its bound"

LARGEST = 20
"""Largest power of 1/α that is accepted."""


@stated_claim("thm-amax-upper")
def thm_amax_upper(given: Given) -> Decision:
    """Decide CR(A_max) ≤ bound at the three levels."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    says = "$CR(A_max)$ is at most the bound"
    read = reading_of(
        "thm-amax-upper",
        by_lemma=conclusion("a-max-below-twice-a-random"),
        by_proposition=conclusion("a-random-at-less-memory"),
    )
    sure, other = "the form's exact supremum is below the bound", "the bound is too near to the form's supremum"
    decide = partial(a_max.bounded, bound)
    zero, every = bound_on_the_form(read, says, decide, "the form exceeds the bound", sure, other)
    process = Finding("bound-of-algorithm", f"{says}, of A_max itself", a_max.max_bounded(bound))
    why = phrase(
        process.status,
        "lengths 1 give a larger ratio",
        "proved at every $n$: A_max is at most list scheduling on $⌊M/(s+u)⌋$ machines, and H-SF's starts fall into generations",
        "neither proved nor refuted: $½α⁻¹(1+α⁻¹)$ and $α⁻¹(1+α^{−1/2}) + 1$ are the least bounds proved",
    )
    algorithm = read.verdict(ALGORITHM, why, process)
    if zero.status in FALSE:
        line = "$A_max$'s form exceeds the bound"
    else:
        undecided = phrase(zero.status, "", "true of the form, open for $A_max$ itself", "open")
        line = phrase(process.status, "not of $A_max$ itself", "holds of the form and of $A_max$ itself", undecided)
    by_lemma, by_proposition = without_error_term(Fraction(1), None), random_at_less_memory()
    proof = read.proof(by_lemma=by_lemma, by_proposition=by_proposition)
    true = repairs("a-max-at-zero", "a-max-of-form", "a-max-at-most")
    return Decision(line, (zero, every, algorithm), proof, true)


@stated_claim("thm-amax-lower")
def thm_amax_lower(given: Given) -> Decision:
    """Decide CR(A_max) ≥ bound at the three levels, and the proof's instance and last equality."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    mix, displayed = (formula_on(name, given[name], {"alpha": alpha}, unit("alpha"))[1] for name in ("mix", "display"))
    says = "$CR(A_max)$ is at least the bound"
    read = reading_of("thm-amax-lower", mix=given["mix"], display=given["display"])
    false, sure = "the largest ratio of the form on an interval is below the bound", "the form reaches it"
    other = "no interval was found on which the form stays below it"
    decide = partial(given.evidence, a_max.reached, bound)
    zero, every = bound_on_the_form(read, says, decide, false, sure, other)
    sizes_by_id = {"bound-of-algorithm-at-zero": ("s = 0", (0,)), "bound-of-algorithm": ("s ≥ 1", (1, 10, 100))}
    process = tuple(
        Finding(id, f"{says}, of A_max itself at ${where}$", given.evidence(a_max.max_reached, bound, sizes))
        for id, (where, sizes) in sizes_by_id.items()
    )
    verdicts = (zero, every, read.verdict(ALGORITHM, _why_not_reached(process), *process))
    why = phrase(weakest(v.status for v in verdicts), "false: $A_max$ stays below it", "holds")
    proof = read.proof(instance=instance(bound.expr, mix), last_equality=last_equality(mix, displayed))
    return Decision(why, verdicts, proof, repairs("a-max-of-form", "a-max-at-least"))


def _why_not_reached(findings: Sequence[Finding]) -> str:
    refutations = [
        "on $[{l}, {u}]$, $s = {s}$: ".format(**finding.evidence.witness) + finding.evidence.stays
        for finding in findings
        if isinstance(finding.evidence, Refuted)
    ]
    if not refutations:
        sure = "A_max itself reaches it"
        other = "no interval was found on which A_max itself stays below it"
        return phrase(weakest(f.status for f in findings), "", sure, other)
    return f"asymptotically $A_max$ stays below it, at every $n$: {'; '.join(refutations)}"


@stated_claim("amax-not-tight")
def amax_not_tight(given: Given) -> Decision:
    """Decide whether A_max's supremum is below the bound for every α < 1, at the three levels."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    limit = by_theorem(theorem("A_max against H-SF's generations"))
    in_the_limit = "as $n/M → ∞$ and then $M → ∞$ the ratio is at most $½α⁻¹(1+α^{−1/2})$"
    read = reading_of("amax-not-tight")
    rows = (
        (AT_ZERO, "at-zero", "of the form at $s = 0$", a_max.bounded(bound, 0)),
        (FORM, "of-form", "of the form for every $s$", a_max.bounded(bound, 1)),
        (ALGORITHM, "of-algorithm", "of A_max itself", a_max.max_bounded(bound, strictly=True)),
    )
    verdicts: list[Verdict] = []
    for level, id, of, evidence in rows:
        form = level != ALGORITHM
        below = strictly(evidence, UNTIGHT_FORM if form else UNTIGHT_PROCESS, bound)
        equal = a_max.at_one(Fraction(1)) if form else a_max.at_equal_lengths(Fraction(1))
        findings = (
            Finding(f"not-tight-{id}", f"for $α < 1$ the supremum {of} is below the bound", below),
            *([] if form else [Finding("in-the-limit-of-algorithm", in_the_limit, limit, decides=False)]),
            Finding(f"at-one-{id}", f"at $α = 1$ the ratio {of} is 1, as the bound", equal, decides=False),
        )
        holds = "the supremum is below the bound for every $α < 1$"
        why = phrase(below.status, "the supremum is not below the bound", holds)
        verdicts.append(read.verdict(level, why, *findings))
    status, holds = verdicts[-1].status, "$⅕α⁻¹(3+2α⁻¹)$ is below it, and holds"
    summary = phrase(status, "false of $A_max$ itself", holds, "open of $A_max$ itself")
    return Decision(summary, tuple(verdicts), read.proof())


def strictly(evidence: Evidence, name: str, bound: Bound) -> Evidence:
    """Return a proof that the supremum is below the bound in the place of one that it is at most the bound; else the evidence itself."""
    if not isinstance(evidence, Proved):
        return evidence
    proof = TEXT.theorem(name, B=lambda value: bound.expr.xreplace({alpha: sp.sympify(value)}))
    return by_theorem(proof) if proof.holds else Open("the bound was not told from the least that is proved")


@stated_claim("rate-amax")
def rate_amax(given: Given) -> Decision:
    """Decide "between α^(−slow) and α^(−fast)" and the value at α = 1 at the three levels."""
    fast, slow, at_one = (number(name, given[name]) for name in ("fast", "slow", "at_one"))
    for key, power in (("fast", fast), ("slow", slow)):
        if abs(power) > LARGEST:
            raise InputError(key, given[key], f"must be a number from -{LARGEST} to {LARGEST}")
    if not slow <= fast:
        raise InputError("slow", given["slow"], "must be at most fast")
    zero, every, process = (
        (
            Finding(f"upper-rate-{label}", f"at most like $α^{{−{fast}}}${of}", grows(fast, "at most")),
            Finding(f"lower-rate-{label}", f"at least like $α^{{−{slow}}}${of}", grows(slow, "at least")),
            Finding(f"at-one-{label}", f"at $α = 1$ it is {at_one}{of}", equal(at_one)),
        )
        for label, of, grows, equal in (
            ("at-zero", ", of the form", partial(a_max.grows, 0), a_max.at_one),
            ("of-form", ", of the form", partial(a_max.grows, 1), a_max.at_one),
            ("of-algorithm", "", a_max.max_grows, a_max.at_equal_lengths),
        )
    )
    read = reading_of("rate-amax")
    verdicts = tuple(
        read.verdict(level, _why_rate(findings), *findings)
        for level, findings in ((AT_ZERO, zero), (FORM, every), (ALGORITHM, process))
    )
    status = weakest(f.status for v in verdicts for f in v.findings)
    why = phrase(status, "a rate or the value at $α = 1$ is wrong", "true", "open")
    if any(v.findings[1].status in FALSE for v in verdicts):
        why = "it grows like $α⁻¹$ up to a logarithm"
    true = repairs("a-max-at-zero", "a-max-at-most", "a-max-at-least")
    return Decision(why, verdicts, read.proof(), true)


def _why_rate(findings: Sequence[Finding]) -> str:
    upper, lower, at_one = (f.status for f in findings)
    if lower in FALSE:
        return "the lower rate fails: the ratio grows like $α⁻¹$ times at most $√(ln(1/α))$"
    if upper in FALSE:
        return "the upper rate fails: the ratio grows like $α⁻¹ √(ln(1/α))$"
    if at_one in FALSE:
        return "the value at $α = 1$ is 1"
    return "both rates hold" if weakest(f.status for f in findings) in SURE else "the upper rate is not decided"


# ---- The instance in the proof of Theorem Amaxlower at l = 1, s = 0 and M = u, where A_max runs one request at a time

SETTINGS = ((1, 4), (4, 9), (1, 9))
"""(l, u) with a rational √(l/u), at which the displayed values are compared."""

LARGE, FEW = 10**6, 60
"""a of the instance, which the proof takes large, and requests of a small one, which is run."""


def fraction(mix: SymExpr) -> SymExpr:
    """Return the proof's (u/l)(au+bl)(a+b)/(ua²+2lab+ub²) in α, at a/b = ``mix``."""
    return (mix + alpha) * (mix + 1) / (alpha * (mix**2 + 2 * alpha * mix + 1))


def totals(a: int, b: int, u: int) -> tuple[Fraction, int]:
    """Return (E TEL(A_max), TEL(H-SF)) for a·u requests of length 1 and b of length u at s = 0 and M = u.

    A_max starts one request at a time; H-SF runs a batches of u requests of length 1, then one of length u after the other.
    """
    n = a * u + b
    return Fraction(n + 1, 2) * (a * u + b * u), u * a * (a + 1) // 2 + b * a + u * b * (b + 1) // 2


def instance(bound: Any, mix: Any) -> Evidence:
    """Decide whether the instance, with a/b = mix and a large, has a ratio of at least bound(α)."""
    for up in (u for low, u in SETTINGS if low == 1):
        value, share = (expr.subs(alpha, sp.Rational(1, up)) for expr in (bound, mix))
        if not (share.is_Rational and share > 0 and value.is_Rational):
            continue
        limit = Fraction(str(fraction(mix).subs(alpha, sp.Rational(1, up))))
        a, b = (int(part) * LARGE for part in (share.p, share.q))
        mean, best = totals(a, b, up)
        if limit < Fraction(str(value)) and mean / best < Fraction(str(value)):
            return Refuted(
                {"s": 0, "l": 1, "u": up, "M": up, "a": a, "b": b},
                f"at least {value}",
                f"{mean / best} = {float(mean / best):.6f}",
                _small_member(int(share.p), int(share.q), up),
                f"as $a, b → ∞$ with $a/b = {share}$ the ratio tends to ${limit}$",
            )
    if at_least(fraction(mix), bound, alpha, Fraction(0), Fraction(1)).holds:
        return by_theorem(
            theorem("the instance of Theorem Amaxlower"),
            argument="A_max runs one request at a time, H-SF whole batches; the fraction is at least the bound",
        )
    return Open("the instance at $α = 1/4$ and $1/9$")


def _small_member(p: int, q: int, up: int) -> JsonObject:
    """Run the instance with a : b = p : q, where it is small, or 1 : 1, by the literal process.

    A_max runs one at a time, so that its mean over all orders is that of an order and its reverse.
    """
    a, b = (p, q) if p * up + q <= FEW else (1, 1)
    lengths = [1] * (a * up) + [up] * b
    runs = [confirmed_total("a-max", order, up, 0, 1, up) for order in (lengths, lengths[::-1])]
    mean, best = Fraction(sum(runs), 2), confirmed_total("h-sf", lengths, up, 0, 1, up)
    agree(totals(a, b, up), (mean, best), "the totals of the proof's instance")
    return {"a": a, "b": b, "E_TEL_A_max": str(mean), "TEL_H_SF": best, "ratio": str(mean / best)}


def last_equality(mix: Any, displayed: Any) -> Evidence:
    """Decide the proof's last equality: the fraction at a/b = mix is the displayed expression."""
    ratio_of_latencies: Any = fraction(mix)
    root = sp.Symbol("t", positive=True)  # α = t², so that √α is rational in t
    for low, up in SETTINGS:
        values: list[Any] = [expr.subs(alpha, sp.Rational(low, up)) for expr in (ratio_of_latencies, displayed, mix)]
        computed, claimed, ratio = values
        if computed.is_Rational and claimed.is_Rational and ratio.is_Rational and ratio > 0 and computed != claimed:
            a, b = int(ratio.p), int(ratio.q)
            by_numbers = Fraction(up * (a * up + b * low) * (a + b), low * (up * a**2 + low * 2 * a * b + up * b**2))
            records = theorem("the fraction at a/b = √α").records if mix.equals(sp.sqrt(alpha)) else ()
            second = f"{agree(Fraction(str(computed)), by_numbers, 'the fraction')}, of a and b"
            witness = {"l": low, "u": up, "a": a, "b": b}
            return Refuted(witness, str(claimed), str(computed), second, theorems=records)
    name = "the last equality of Theorem Amaxlower's proof"
    proof = Proof(name, "0 < α = t² < 1", sp.latex(sp.Eq(displayed, ratio_of_latencies)))
    sides = (side.subs(alpha, root**2) for side in (displayed, ratio_of_latencies))
    return by_theorem(proof.identity("", *sides, steps.Bound(root, 0, strict=True, high=1)).qed())
