"""The ledger as text: a table, and one claim in full. Colour only where the caller asks for it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

from crtools.ledger.result import ClaimResult, Part
from crtools.ledger.self_test import Row, SelfTest
from crtools.report.dependencies import dependencies

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


PLACE = 20
"""Columns that the place in the paper takes; longer ones are wrapped."""


def ledger_table(results: Sequence[ClaimResult], *, colour: bool = False, width: int = 120) -> str:
    """Return the table: id, place, as stated, where argued, proof, and one line why (wrapped to ``width``).

    A claim whose published proof rests on a false one has that said below its line.
    """
    header = ("claim", "place", "as stated", "where argued", "proof")
    nodes = dependencies(results)
    rows: list[tuple[ClaimResult, tuple[str, ...], str]] = []
    for result in results:
        stated, argued = result.verdicts[0], next((v for v in result.verdicts if v.scope == "where-argued"), None)
        why = stated.why if argued is None or argued.why == stated.why else f"{stated.why} | where argued: {argued.why}"
        cells = (result.id, "", stated.status, argued.status if argued else "same", result.proof.state)
        rows.append((result, cells, why))
    sizes = [max([len(header[c]), *(len(cells[c]) for _, cells, _ in rows)]) for c in range(5)]
    sizes[1] = min(max([len(header[1]), *(len(r.place) for r in results)]), PLACE)
    indent = sum(sizes) + 10
    lines = [
        "  ".join(h.ljust(n) for h, n in zip(header, sizes, strict=True)) + "  why",
        "─" * max(width, indent + 20),
    ]
    for result, cells, why in rows:
        places = textwrap.wrap(result.place, sizes[1]) or [""]
        whys = textwrap.wrap(why, max(width - indent, 30)) or [""]
        sand = nodes[result.id].sand
        if sand:
            whys += textwrap.wrap(f"its proof rests on what is false: {', '.join(sand)}", max(width - indent, 30))
        for n in range(max(len(places), len(whys))):
            place = (places[n] if n < len(places) else "").ljust(sizes[1])
            shown = [cells[0] if n == 0 else "", place, *(c if n == 0 else "" for c in cells[2:])]
            painted = [
                _paint(text.ljust(size), text, colour) if c >= 2 else text.ljust(size)
                for c, (text, size) in enumerate(zip(shown, sizes, strict=True))
            ]
            lines.append(("  ".join(painted) + "  " + (whys[n] if n < len(whys) else "")).rstrip())
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
    if result.standing_repairs:
        lines += ["", "  what may stand in its place:"]
    for repair in result.standing_repairs:
        lines.append(f"    {repair.status}: {repair.sentence} (by: {'; '.join(p.part for p in repair.parts)})")
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
