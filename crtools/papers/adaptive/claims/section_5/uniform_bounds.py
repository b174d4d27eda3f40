"""uniform-bounds: one bound for each of three families of laws."""

from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, Repair, Verdict
from crtools.ledger.deciders.bounds import Bound, ratio_of
from crtools.ledger.deciders.ranges import constant
from crtools.ledger.evidence import SURE
from crtools.papers.adaptive.evidence import algorithm_two, two_lengths
from crtools.papers.adaptive.evidence.one_parameter import GEOMETRIC, LINEAR, bounded_at, q
from crtools.papers.adaptive.evidence.two_lengths import alpha
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, reading_of, stated_claim

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
            given.evidence(bounded_at, level, GEOMETRIC, geometric),
            given.evidence(bounded_at, level, LINEAR, linear),
        )
        for level, decide_two in deciders.items()
    }
    read, verdicts = reading_of("uniform-bounds"), list[Verdict]()
    for level, row in rows.items():
        findings = tuple(
            Finding(id, f"under {family} laws $CR(A_min)$ is at most ${given[name].strip()}$, uniformly", evidence)
            for (name, (id, family)), evidence in zip(FAMILIES.items(), row, strict=True)
        )
        verdicts.append(read.verdict(level, _why(row), *findings))
    numbers = ", ".join(f"${given[name].strip()}$" for name in FAMILIES)
    sentence = f"at $s = 0$: {numbers} bound $CR(A_min)$ uniformly under two-point, geometric and $LG$ laws"
    return Decision(_line(rows), tuple(verdicts), read.proof(), (Repair(AT_ZERO, sentence, verdicts[0].findings),))


def _why(row: tuple[Evidence, ...]) -> str:
    fails = [
        f"{family} laws, at $s = {evidence.witness['s']}$: {ratio_of(evidence)}, above {evidence.claimed}"
        for (_, family), evidence in zip(FAMILIES.values(), row, strict=True)
        if isinstance(evidence, Refuted)
    ]
    if fails:
        return "; ".join(fails)
    sure = all(evidence.status in SURE for evidence in row)
    return "each bound is at least the exact supremum" if sure else "no bound fails; not every one is proved"


def _line(rows: dict[str, tuple[Evidence, ...]]) -> str:
    failing = {level: sum(isinstance(evidence, Refuted) for evidence in row) for level, row in rows.items()}
    if failing[ALGORITHM]:
        words = {1: "one", 2: "two", 3: "all three"}[failing[ALGORITHM]]
        return f"{words} exceeded by Algorithm 2"
    return "exceeded by the forms" if any(failing.values()) else "not exceeded"
