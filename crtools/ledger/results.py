"""``Results``: the list that ``verify`` returns; it prints as the ledger's table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from crtools.dataframes import frame
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.registry import load

if TYPE_CHECKING:
    from crtools.ledger.ledger import Ledger


class Results(list[ClaimResult]):
    """Decided claims, a list of ``ClaimResult`` in the paper's order."""

    def __init__(self, results: list[ClaimResult], ledger: str | Ledger) -> None:
        super().__init__(results)
        self.ledger = ledger

    def __repr__(self) -> str:
        from crtools.ledger.display.claim_line import claim_line, head

        ledger = load(self.ledger)
        return "\n".join([head(ledger)[-1], *(claim_line(result, ledger) for result in self)])

    def _repr_html_(self) -> str:
        rows = self.rows()
        used = [name for name in (rows[0] if rows else ()) if any(row[name] for row in rows)]
        heads = "".join(f"<th>{escape(name)}</th>" for name in used)
        body = "".join(f"<tr>{''.join(_cell(row[name]) for name in used)}</tr>" for row in rows)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"

    def rows(self) -> list[dict[str, str]]:
        """Return a row for each claim: its id, its place, a status for each level, its proof, and what was found."""
        from crtools.notation.terminal import unmarked

        levels = [level.id for level in load(self.ledger).levels]
        rows: list[dict[str, str]] = []
        for result in self:
            statuses = {verdict.level: verdict.status for verdict in result.verdicts}
            judged = {level: str(statuses.get(level, "")) for level in levels}
            words = result.stated.mark(result.accepted) if result.stated_at in statuses else ""
            outcome = {"words": words, "proof": str(result.proof.state), "found": unmarked(result.why)}
            rows.append({"claim": result.id, "place": unmarked(result.place), **judged, **outcome})
        return rows

    def table(self) -> Any:
        """Return :meth:`rows` as a pandas DataFrame or, where pandas is not installed, as a list that prints as a table."""
        return frame(self.rows())


def _cell(text: str) -> str:
    from crtools.ledger.display.status_marks import SIGNS

    sign = f"{SIGNS[text]} " if text in SIGNS else ""
    return f"<td style='text-align:left'>{sign}{escape(text)}</td>"
