"""The ledger as text: a table, and one claim in full. Colour only where the caller asks for it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

from crtools.claims.result import ClaimResult, Part
from crtools.claims.self_test import Row, SelfTest

COLOURS = {
    "proved": "32",
    "certified": "32",
    "sound": "32",
    "supported": "36",
    "contradicted": "33",
    "refuted": "31",
    "false-step": "31",
    "gap": "33",
}


def _paint(text: str, status: str, colour: bool) -> str:
    code = COLOURS.get(status)
    return f"\x1b[{code}m{text}\x1b[0m" if colour and code else text


def ledger_table(results: Sequence[ClaimResult], *, colour: bool = False, width: int = 120) -> str:
    """Return the table: id, as stated, where argued, proof, and one line why (wrapped to ``width``)."""
    header = ("claim", "as stated", "where argued", "proof", "why")
    rows: list[tuple[str, str, str, str, str]] = []
    for result in results:
        argued = next((v.status for v in result.verdicts if v.scope == "where-argued"), "")
        why = (
            result.verdicts[0].why
            if not argued
            else f"{result.verdicts[0].why} | where argued: {result.verdicts[1].why}"
        )
        rows.append((result.id, result.verdicts[0].status, argued or "same", result.proof.state, why))
    sizes = (
        [max(len(header[c]), *(len(r[c]) for r in rows)) for c in range(4)] if rows else [len(h) for h in header[:4]]
    )
    indent = sum(sizes) + 8
    lines = [
        "  ".join(h.ljust(n) for h, n in zip(header[:4], sizes, strict=True)) + "  why",
        "─" * max(width, indent + 20),
    ]
    for row in rows:
        cells = [row[0].ljust(sizes[0])]
        cells += [_paint(row[c].ljust(sizes[c]), row[c], colour) for c in (1, 2, 3)]
        why = textwrap.wrap(row[4], max(width - indent, 30)) or [""]
        lines.append("  ".join(cells) + "  " + why[0])
        lines += [" " * indent + more for more in why[1:]]
    counts: dict[str, int] = {}
    for result in results:
        for verdict in result.verdicts:
            counts[verdict.status] = counts.get(verdict.status, 0) + 1
    lines.append("")
    lines.append("verdicts: " + ", ".join(f"{n} {status}" for status, n in sorted(counts.items())))
    return "\n".join(lines)


def claim_text(result: ClaimResult) -> str:
    """Return one claim in full: statement, readings, parts and every step of their proofs."""
    lines = [f"{result.id} ({result.place})", f"  {result.statement}"]
    lines.append("  given: " + ", ".join(f"{k} = {v}" for k, v in result.given.items()))
    lines.append(f"  published proof: {result.proof.state}" + (f" ({result.proof.step})" if result.proof.step else ""))
    if result.rests_on:
        lines.append("  rests on: " + ", ".join(result.rests_on))
    for verdict in result.verdicts:
        lines += [
            "",
            f"  {verdict.scope}: {verdict.status}",
            f"    reading: {verdict.reading}",
            f"    why: {verdict.why}",
        ]
        if verdict.uses:
            lines.append("    uses: " + ", ".join(verdict.uses))
        for part in verdict.parts:
            lines += [f"    • {part.status}: {part.part}", *_evidence(part)]
        lines += [f"    does not count: {note}" for note in verdict.degenerate]
    return "\n".join(lines)


def self_test_table(found: SelfTest, *, colour: bool = False, width: int = 120) -> str:
    """Return the variants' table, those that came out wrong once more, and the totals."""
    header = ("claim", "kind", "expected", "got", "ok")
    rows = [(r.claim, r.kind, r.expected, r.got, "yes" if r.ok else "NO", _variant(r)) for r in found.rows]
    sizes = [max([len(header[c]), *(len(r[c]) for r in rows)]) for c in range(5)]
    space = max(width - sum(sizes) - 10, 30)
    lines = ["  ".join(h.ljust(n) for h, n in zip(header, sizes, strict=True)) + "  variant", "─" * width]
    for row in rows:
        cells = [text.ljust(n) for text, n in zip(row[:5], sizes, strict=True)]
        cells[3] = _paint(cells[3], row[3], colour)
        lines.append("  ".join(cells) + "  " + textwrap.shorten(row[5], space, placeholder=" …"))
    lines.append("")
    for row in found.missed:
        why = "cannot be told from the truth" if row.kind == "corrupted" else "is true and not accepted"
        lines.append(f"{row.claim}: {_variant(row)} {why} ({row.before} before, {row.got} now)")
    (caught, wrong), (accepted, true) = found.count("corrupted"), found.count("true")
    lines.append(f"wrong claims caught: {caught} of {wrong}; true ones accepted: {accepted} of {true}")
    return "\n".join(lines)


def _variant(row: Row) -> str:
    return f"{row.note} ({', '.join(f'{name}={value}' for name, value in row.given.items())})"


def _evidence(part: Part) -> list[str]:
    lines: list[str] = []
    for key, value in part.evidence.items():
        if key == "steps":
            for number, step in enumerate(value, start=1):
                mark = "✓" if step["holds"] else "✗"
                lines.append(f"        {number}. {mark} {step['step']}" + (f": {step['text']}" if step["text"] else ""))
                lines.append(f"             {step['latex']}")
        elif key not in ("holds", "theorem"):
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            lines.append(f"        {key}: {textwrap.shorten(text, 400, placeholder=' …')}")
    return lines
