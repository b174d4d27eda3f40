"""A claim as HTML for a notebook: its statement, its verdict at each level, and what is true instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from crtools.ledger.display.status_marks import SIGNS, word
from crtools.notation.mathml import prose, statement

if TYPE_CHECKING:
    from crtools.ledger.verdict import DecidedClaim


def card(result: DecidedClaim) -> str:
    """Return the claim as HTML with formulas as MathML, without scripts or links to the network."""
    rows = [
        (verdict.level + (" (stated here)" if verdict.level == result.stated_at else ""), verdict.status, verdict.why)
        for verdict in result.verdicts
    ]
    rows += [(f"instead, {repair.level}", repair.status, repair.sentence) for repair in result.repairs]
    row = Markup('<tr><td>{}</td><td>{}&nbsp;{}</td><td style="text-align:left">{}</td></tr>')
    body = Markup("").join(row.format(where, SIGNS[status], status, prose(text)) for where, status, text in rows)
    proof = Markup("<p>The published proof: {} {}.</p>").format(SIGNS[result.proof.state], word(result.proof.state))
    head = Markup("<p><b>{}</b> ({}): {}</p>").format(result.id, prose(result.place), statement(result.statement))
    return str(Markup("<div>{}<table><tbody>{}</tbody></table>{}</div>").format(head, body, proof))
