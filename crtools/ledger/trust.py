"""``Trust``: how many facts, sentences and computations a verdict rests on, as the judge counts them (``check.command.counted``)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from check.command import counted
from check.kernel import Rejected, Work, judge
from check.theory import Judged
from crtools.ledger.data import JsonValue
from crtools.ledger.evidence import Data, Evidence, Proved, Refuted, theorems_of
from crtools.notation.terminal import readable
from crtools.proof import PRODUCTS

NOT_CHECKED = "it was not asked for"
"""Why a verdict has no certificate before the judge was run on it."""


@dataclass(frozen=True)
class Trust:
    """What a verdict rests on: the numbers of facts that the judge accepted, of sentences, and of steps that only crtools computed.

    ``missing``: why there is no certificate; empty where the judge has accepted one. ``witness``: whether the verdict rests on a
    witness, which the judge recomputes.
    """

    facts: int = 0
    argued: int = 0
    computed: int = 0
    witness: bool = False
    missing: str = NOT_CHECKED

    @property
    def was_checked(self) -> bool:
        """Whether the judge was run on the verdict."""
        return self.missing != NOT_CHECKED

    def mark(self, in_coq: bool) -> str:
        """Return the mark after the status sign: Coq, w, the number of sentences, +c for c computations, - for no certificate."""
        if in_coq:
            return "Coq"
        if self.witness and not (self.facts or self.argued or self.computed):
            return "w"
        words = str(self.argued) if self.argued or not self.missing else ""
        return words + f"+{self.computed}" * bool(self.computed) + "-" * bool(self.missing)

    def kind(self, in_coq: bool) -> str:
        """Return the mark's kind, for a tally: how many sentences there are does not matter."""
        return "words" if self.argued and not in_coq else self.mark(in_coq)


def trusted(*evidence: Evidence) -> Judged:
    """Return what evidence rests on, counted from its proofs: the kernel judges their formulas.

    A formula for which the kernel has no rule counts as a computation of crtools. No statement is checked.
    """
    table = {record["theorem"]: record for record in theorems_of(*evidence)}
    judged = {name: judged_record(record, table) for name, record in table.items()}
    return counted(judged, filter(None, map(linking_sentence, evidence)))


def argued(*evidence: Evidence) -> int:
    """Return the number of sentences that evidence rests on: steps in words, each once, and :func:`linking_sentence`."""
    return len(trusted(*evidence).argued)


def linking_sentence(evidence: Evidence) -> str:
    """Return the sentence that leads from theorems to a finding, or proves it alone; "" for none."""
    if isinstance(evidence, Proved):
        return evidence.argument
    if isinstance(evidence, Refuted) and evidence.theorems:
        return f"claimed: {_words(evidence.claimed)}; it is {_words(evidence.actual)}"
    return ""


def _words(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(item)}" for name, item in value.items())
    return ", ".join(map(_words, value)) if isinstance(value, list | tuple) else str(value)


def judged_record(record: Data, table: Mapping[str, Data]) -> Judged:
    """Return what the record of a theorem rests on; ``table`` has the records that it cites."""
    facts = 0
    sentences: dict[str, list[str]] = {"argued": [], "computed": []}
    for rule, says, formal in _steps(record, table):
        if formal and _holds(formal):
            facts += 1
        elif rule != "cited":
            sentences["argued" if rule == "argued" else "computed"].append(says)
    return Judged(facts, tuple(sentences["argued"]), tuple(sentences["computed"]))


WORDS = {"Citation": "cited", "Inference": "argued", "Argument": "argued", "Computation": "computed"}


def _steps(record: Data, table: Mapping[str, Data]) -> Iterator[tuple[str, str, Data]]:
    """Yield (rule, sentence, formula) of the steps, of a formula's text that counts, and of the statement, unless a step says it.

    Where the kernel has no rule for a formula (balls, a root), crtools computed the step: it is said and not proved.
    """
    steps: list[Data] = record["steps"]
    for step in steps:
        formal: Data = step.get("formal", {})
        if formal:
            yield formal["rule"], step["step"], formal
        if not formal or "said" in step:
            says = "; ".join(filter(None, (readable(step["latex"]), step["text"])))
            yield WORDS.get(step["kind"], "argued" if formal else "computed"), says, {}
    formulas = [step["latex"] for step in steps if step["kind"] not in WORDS]
    cited = [table.get(step["theorem"], record) for step in steps if step["kind"] == "Citation"]
    same = [each["statement"] for each in cited if each is not record and each["reading"] == record["reading"]]
    ended = [step["latex"] for step in steps[-1:] if WORDS.get(step["kind"]) not in (None, "cited")]
    stated = [r",\quad ".join(formulas), *ended, *same * (len(cited) == len(steps))]
    if record["statement"] not in stated:
        yield "argued", readable(record["statement"]), {}


def _holds(formal: Data) -> bool:
    Work.start(PRODUCTS)  # a formula written out without definitions may cost more than in its text
    try:
        judge(formal)
    except Rejected:
        return False
    return True
