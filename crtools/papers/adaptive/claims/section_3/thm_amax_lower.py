"""thm-amax-lower: does CR(A_max) reach α⁻¹(1+α^(−1/2))/2? And the instance and the last equality of its proof."""

from __future__ import annotations

from collections.abc import Sequence

from crtools.ledger import Claim, Decision, Display, Finding, Given, PublishedProof, Variant, Verdict
from crtools.ledger.deciders.bounds import Bound
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import Refuted
from crtools.ledger.verdict import weakest
from crtools.papers.adaptive.evidence.queues import a_max_exact as a_max
from crtools.papers.adaptive.evidence.queues import one_worker, repairs
from crtools.papers.adaptive.evidence.queues import random_in_process as in_process
from crtools.papers.adaptive.evidence.reading import phrase
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.proof.symbols import alpha

SAYS = "$CR(A_max)$ is at least the bound"
_FORM = "all lengths $l < u$ with $l/u = α$, the supremum over all weights, of the form as $M → ∞$"


def decide(given: Given) -> Decision:
    """Decide CR(A_max) ≥ bound at the three levels, and the proof's instance and last equality."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    mix, shown = (formula_on(name, given[name], {"alpha": alpha}, unit("alpha"))[1] for name in ("mix", "display"))
    zero = Finding("bound-at-zero", f"{SAYS}, of the form at $s = 0$", given.evidence(a_max.reached, bound, 0))
    every = Finding("bound-of-form", f"{SAYS}, of the form for every $s$", given.evidence(a_max.reached, bound, 1))
    own = tuple(
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
            _own_why(own),
            "an upper bound at every n and M",
            own,
        ),
    )
    status = weakest(v.status for v in verdicts)
    why = phrase(status, "false: $A_max$ stays below it", "holds")
    where = "Section 3.2, proof of Theorem 2"
    displays = (
        Display(
            "instance",
            f"{where}: the instance $M = lu$, $N_l = au$, $N_u = bl$, with $a/b$ = {given['mix']}, gives the bound",
            one_worker.instance(bound.expr, mix),
        ),
        Display(
            "last-equality",
            f"{where}: $(u/l)(a·u+b·l)(a+b)/(u·a²+2·l·a·b+u·b²)$ is {given['display']} at $a/b$ = {given['mix']}",
            one_worker.last_equality(mix, shown),
            "at $a/b = √α$ the fraction is $α^{−1/2}(1+√α)²/(1+α+2α√α)$",
        ),
    )
    return Decision(why, verdicts, PublishedProof(displays), (repairs.a_max_of_form(), repairs.a_max_at_least()))


def _why(findings: Sequence[Finding], subject: str) -> str:
    status = weakest(f.status for f in findings)
    below = f"the largest ratio of {subject} on an interval is below the bound"
    return phrase(status, below, f"{subject} reaches it", f"no interval was found on which {subject} stays below it")


def _own_why(findings: Sequence[Finding]) -> str:
    if weakest(f.status for f in findings) != "refuted":
        return _why(findings, "A_max itself")
    parts = [_where(f.evidence) for f in findings if isinstance(f.evidence, Refuted)]
    return f"asymptotically $A_max$ stays below it, at every $n$: {'; '.join(parts)}"


def _where(found: Refuted) -> str:
    at = found.witness
    return f"on $[{at['l']}, {at['u']}]$, $s = {at['s']}$: {found.stays}"


CLAIM = Claim(
    id="thm-amax-lower",
    place="Section 3.2, Theorem 2 (thm:Amaxlower)",
    statement="$CR(A_max) ≥ α⁻¹(1+α^{−1/2})/2$",
    stated_at=ALGORITHM,
    given={
        "bound": "(1+1/sqrt(alpha))/(2*alpha)",
        "mix": "sqrt(alpha)",
        "display": "(1+1/sqrt(alpha))/(2*alpha)",
    },
    decide=decide,
    corrupted=(
        Variant("a constant", {"bound": "1.01*(1+1/sqrt(alpha))/(2*alpha)"}, "bound-at-zero"),
        Variant("an exponent", {"bound": "(1+1/alpha)/(2*alpha)"}, "bound-at-zero"),
        Variant("a power", {"bound": "1/alpha**2"}, "bound-of-algorithm"),
        Variant("a power, at s = 0", {"bound": "1/alpha**2"}, "bound-of-algorithm-at-zero"),
        Variant("a true bound and 1 %", {"bound": "1.01/alpha"}, "bound-at-zero"),
        Variant("a true bound by a hair", {"bound": "1/alpha+1e-9"}, "bound-at-zero"),
        Variant("what holds at s = 0 only", {"bound": "1/alpha"}, "bound-of-form"),
        Variant(
            "a sign in a right display",
            {"display": "(1-sqrt(alpha))**2/(sqrt(alpha)*(1+alpha+2*alpha**(3/2)))"},
            "last-equality",
        ),
        Variant("another mix of lengths", {"mix": "1", "display": "1/alpha+1e-9"}, "last-equality"),
        Variant("an instance with as many of each", {"mix": "1", "bound": "1.01/alpha"}, "instance"),
    ),
    variants=(
        Variant("a weaker bound", {"bound": "1/alpha"}, "bound-at-zero"),
        Variant("a much weaker bound", {"bound": "(1+1/sqrt(alpha))/2"}, "bound-at-zero"),
        Variant("a bound that says nothing, of the form", {"bound": "1"}, "bound-of-form"),
        Variant("a bound that says nothing", {"bound": "1"}, "bound-of-algorithm"),
        Variant("a bound that says nothing, at s = 0", {"bound": "1"}, "bound-of-algorithm-at-zero"),
        Variant(
            "a right display", {"display": "(1+sqrt(alpha))**2/(sqrt(alpha)*(1+alpha+2*alpha**(3/2)))"}, "last-equality"
        ),
        Variant("a right display of another mix", {"mix": "1", "display": "1/alpha"}, "last-equality"),
        Variant("what the instance gives", {"mix": "1", "bound": "1/alpha"}, "instance"),
    ),
)
