"""Headlines: a paper's main sentences in plain words, with the answer of the claim's verdicts, and what is true instead."""

from collections.abc import Sequence
from dataclasses import dataclass

from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.evidence import FALSE, SURE

NOTHING = "not known"
"""The last column of a headline whose ``instead`` is not backed by proved repairs."""


@dataclass(frozen=True)
class Headline:
    """A claim in plain words (``says``), and a true sentence ``instead``.

    ``instead`` is shown only while the claim has a standing repair at each of the ``levels``, whose sentences it sums up.
    """

    claim: str
    says: str
    instead: str
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A headline with its verdict: the claim, what the paper says, whether that is true, and what is true instead."""

    claim: str
    says: str
    answer: str
    instead: str


def rows(headlines: Sequence[Headline], results: Sequence[ClaimResult]) -> list[Row]:
    """Return a row for every headline whose claim is among the results, in the headlines' order."""
    by_id = {result.id: result for result in results}
    table: list[Row] = []
    for headline in headlines:
        if result := by_id.get(headline.claim):
            backed = {repair.level for repair in result.standing_repairs} >= set(headline.levels)
            instead = headline.instead if backed else NOTHING
            table.append(Row(headline.claim, headline.says, answer(result), instead))
    return table


def answer(result: ClaimResult) -> str:
    """Return whether a claim is true: yes, no, runs disagree, or open; at each level where they differ."""
    levels_of: dict[str, list[str]] = {}
    for verdict in result.verdicts:
        levels_of.setdefault(_word(verdict.status), []).append(verdict.level)
    if len(levels_of) == 1:
        return next(iter(levels_of))
    return "; ".join(f"{word} ({', '.join(levels)})" for word, levels in levels_of.items())


def _word(status: str) -> str:
    if status in SURE:
        return "yes"
    if status in FALSE:
        return "no" if status == "refuted" else "runs disagree"
    return "runs agree" if status == "supported" else "open"
