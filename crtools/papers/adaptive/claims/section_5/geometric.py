"""geometric: the law P(k) ∝ q^k."""

from __future__ import annotations

from crtools.ledger import Decision, Finding, Given, Repair, Verdict
from crtools.ledger.claims import claim
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import constant
from crtools.ledger.evidence import SURE, Evidence, Refuted
from crtools.papers.adaptive.evidence import one_parameter as laws
from crtools.papers.adaptive.evidence.one_parameter import DIRECTIONS, GEOMETRIC, q, typed
from crtools.papers.adaptive.evidence.reading import one_of, reading_of
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM


@claim(
    "geometric",
    AT_ZERO,  # "the left plot … indicates": the plot is of the form at s = 0
    "Section 5.2",
    "$CR(A_min)$ under $G(p)$ increases with $q$ and is bounded by 1.7",
    rests_on=["amin-derivation"],
)
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
