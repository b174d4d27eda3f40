"""thm-amax-lower: does CR(A_max) reach α⁻¹(1+α^(−1/2))/2? And the instance and the last equality of its proof."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from check import process as judge
from crtools.ledger import Decision, Finding, Given, PublishedProof, Verdict
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.ledger.verdict import weakest
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence import a_max_exact as a_max
from crtools.papers.adaptive.evidence import random_in_process as in_process
from crtools.papers.adaptive.evidence.reading import phrase
from crtools.papers.adaptive.evidence.repairs import repairs
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import theorem
from crtools.proof import steps
from crtools.proof.builder import Proof
from crtools.proof.symbols import alpha
from crtools.signs.one_variable import at_least

SAYS = "$CR(A_max)$ is at least the bound"
_FORM = "all lengths $l < u$ with $l/u = α$, the supremum over all weights, of the form as $M → ∞$"


@claim("thm-amax-lower", ALGORITHM, "Section 3.2, Theorem 2 (thm:Amaxlower)", "$CR(A_max) ≥ α⁻¹(1+α^{−1/2})/2$")
def thm_amax_lower(given: Given) -> Decision:
    """Decide CR(A_max) ≥ bound at the three levels, and the proof's instance and last equality."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    mix, displayed = (formula_on(name, given[name], {"alpha": alpha}, unit("alpha"))[1] for name in ("mix", "display"))
    zero = Finding("bound-at-zero", f"{SAYS}, of the form at $s = 0$", given.evidence(a_max.reached, bound, 0))
    every = Finding("bound-of-form", f"{SAYS}, of the form for every $s$", given.evidence(a_max.reached, bound, 1))
    process = tuple(
        Finding(id, f"{SAYS}, of A_max itself at ${where}$", given.evidence(in_process.max_reached, bound, sizes))
        for id, where, sizes in (
            ("bound-of-algorithm-at-zero", "s = 0", (0,)),
            ("bound-of-algorithm", "s ≥ 1", (1, 10, 100)),
        )
    )
    verdicts = (
        Verdict(AT_ZERO, f"$s = 0$, {_FORM}", _why([zero], "the form"), "sums of squares", (zero,)),
        Verdict(FORM, f"every $s ≥ 0$, {_FORM}", _why([every], "the form"), "sums of squares", (every,)),
        Verdict(
            ALGORITHM,
            "every $s ≥ 0$ and $l < u$ with $l/u = α$, $E$ over the permutation, against H-SF, the supremum over all lengths in "
            "$[l, u]$ and $n$, $M → ∞$: the theorem names no limit, Section 4 does (“asymptotically between” the two bounds)",
            _process_why(process),
            "an upper bound at every n and M",
            process,
        ),
    )
    status = weakest(v.status for v in verdicts)
    why = phrase(status, "false: $A_max$ stays below it", "holds")
    where = "Section 3.2, proof of Theorem 2"
    displays = (
        Finding(
            "instance",
            f"{where}: the instance $M = l u$, $N_l = a u$, $N_u = b l$, with $a/b$ = {given['mix']}, gives the bound",
            instance(bound.expr, mix),
        ),
        Finding(
            "last-equality",
            f"{where}: $(u/l)(a·u+b·l)(a+b)/(u·a²+2·l·a·b+u·b²)$ is {given['display']} at $a/b$ = {given['mix']}",
            last_equality(mix, displayed),
            instead="at $a/b = √α$ the fraction is $α^{−1/2}(1+√α)²/(1+α+2α√α)$",
        ),
    )
    return Decision(why, verdicts, PublishedProof(displays), repairs("a-max-of-form", "a-max-at-least"))


def _why(findings: Sequence[Finding], subject: str) -> str:
    status = weakest(f.status for f in findings)
    below = f"the largest ratio of {subject} on an interval is below the bound"
    return phrase(status, below, f"{subject} reaches it", f"no interval was found on which {subject} stays below it")


def _process_why(findings: Sequence[Finding]) -> str:
    if weakest(f.status for f in findings) != "refuted":
        return _why(findings, "A_max itself")
    refutations = [
        "on $[{l}, {u}]$, $s = {s}$: ".format(**finding.evidence.witness) + finding.evidence.stays
        for finding in findings
        if isinstance(finding.evidence, Refuted)
    ]
    return f"asymptotically $A_max$ stays below it, at every $n$: {'; '.join(refutations)}"


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
    n = len(lengths)
    orders = (range(n), range(n)[::-1])
    runs = [judge.total(judge.run_queue(order, [up] * n, lengths, 0, up), lengths) for order in orders]
    mean, best = Fraction(sum(runs), 2), judge.total(judge.shortest_first(lengths, 0, up), lengths)
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
