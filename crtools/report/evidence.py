"""Evidence as HTML: proofs step by step, tables, schedules, and numbers that are shortened with the whole value at hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any

from crtools.ledger.result import Part
from crtools.report.maths import formula, prose
from crtools.report.schedule_drawing import drawings
from crtools.report.tokens import POLICIES

PROOF_KEYS = frozenset({"theorem", "statement", "reading", "holds", "steps"})
LONG_TEXT, LONG_NUMBER, MOST_ROWS = 260, 24, 60


@dataclass
class Shown:
    """What a page has shown already: a proof that occurs again is a link to its first place."""

    proofs: dict[str, str] = field(default_factory=dict[str, str])


def evidence(part: Part, shown: Shown) -> str:
    """Return a part's evidence as HTML."""
    data = dict(part.evidence)
    schedules: Any = data.pop("schedules", None)
    own = {k: data.pop(k) for k in PROOF_KEYS if k in data} if "steps" in data else {}
    html = drawings(schedules) if schedules else ""
    html += _facts(data, shown) if data else ""
    return html + (proof(own, shown) if own else "")


def proof(theorem: Mapping[str, Any], shown: Shown) -> str:
    """Return a theorem and its steps, folded, or a link where the same one stands above."""
    steps: Sequence[Mapping[str, Any]] = theorem["steps"]
    title = str(theorem.get("theorem", "proof"))
    key = json.dumps(theorem, sort_keys=True, default=str)
    if key in shown.proofs:
        return f'<p class="same">Proof: <a href="#{shown.proofs[key]}">{prose(title)}, as above</a>.</p>'
    anchor = f"proof-{len(shown.proofs) + 1}"
    shown.proofs[key] = anchor
    held = sum(bool(s["holds"]) for s in steps)
    state = "all re-checked" if held == len(steps) else f"{len(steps) - held} of which fails"
    several = f"{len(steps)} steps" if len(steps) != 1 else "one step"
    head = f"<summary>Proof: {prose(title)} ({several}, {state})</summary>"
    statement = str(theorem.get("statement", ""))
    body = f'<p class="display">{formula(statement) if _is_latex(statement) else prose(statement)}</p>'
    if theorem.get("reading"):
        body += f'<p class="small">{prose(str(theorem["reading"]))}</p>'
    return f'<details class="proof" id="{anchor}">{head}{body}<ol>{"".join(_step(s) for s in steps)}</ol></details>'


def _is_latex(text: str) -> bool:
    return bool(re.search(r"\\[A-Za-z]+|[_^]\{", text))


def _step(step: Mapping[str, Any]) -> str:
    mark = '<span class="good">✓</span>' if step["holds"] else '<span class="bad">✗ fails</span>'
    text = f": {prose(str(step['text']))}" if step.get("text") else ""
    notes: list[str] = []
    if step.get("follows_from"):
        notes.append("follows from " + ", ".join(prose(str(x)) for x in step["follows_from"]))
    if step.get("uses"):
        notes.append("uses " + ", ".join(prose(str(x)) for x in step["uses"]))
    if step.get("failure"):
        notes.append("fails: " + prose(str(step["failure"])))
    latex = str(step.get("latex", ""))
    shown = f'<div class="display">{formula(latex)}</div>' if latex else ""
    note = f'<div class="small">{"; ".join(notes)}</div>' if notes else ""
    kind = escape(str(step.get("kind", "")))
    return (
        f"<li>{mark} <strong>{prose(str(step['step']))}</strong>{text} <span class=kind>{kind}</span>{shown}{note}</li>"
    )


def _facts(data: Mapping[str, Any], shown: Shown) -> str:
    """Return a table of names and values; what is wider than a line, tables and nested proofs, stands below it."""
    rows: list[str] = []
    below: list[str] = []
    for key, item in data.items():
        if isinstance(item, Mapping) and "steps" in item:
            own = {k: v for k, v in item.items() if k in PROOF_KEYS}
            rest = {k: v for k, v in item.items() if k not in PROOF_KEYS}
            below.append(f'<p class="small">{_name(key)}:</p>{_facts(rest, shown) if rest else ""}{proof(own, shown)}')
        elif _is_wide(item):
            below.append(f'<div class="small">{_name(key)}:</div>{value(item, shown)}')
        else:
            rows.append(f'<tr><th scope="row">{_name(key)}</th><td>{value(item, shown)}</td></tr>')
    table = f'<table class="facts"><tbody>{"".join(rows)}</tbody></table>' if rows else ""
    return table + "".join(below)


def _is_step(item: Any) -> bool:
    return isinstance(item, Mapping) and {"step", "latex", "holds"} <= item.keys()


def _name(key: str) -> str:
    """Return a key as words: names in snake case lose their underscores."""
    snake = re.fullmatch(r"[A-Za-z]{2,}(_[A-Za-z]{2,})+|[A-Za-z](_[A-Za-z]{3,})+", key)
    return prose(key.replace("_", " ") if snake and key.rpartition("_")[2] not in POLICIES else key)


def _is_wide(item: Any) -> bool:
    """Return whether a value is a table, or holds one."""
    if _is_step(item):
        return True
    if isinstance(item, Mapping):
        return any(_is_wide(v) for v in item.values()) or any(isinstance(v, Mapping) for v in item.values())
    return isinstance(item, list | tuple) and bool(item) and all(isinstance(x, Mapping) for x in item)


def value(item: Any, shown: Shown) -> str:
    """Return any JSON value as HTML."""
    if isinstance(item, Mapping):
        return _mapping({str(k): v for k, v in item.items()}, shown)
    if isinstance(item, list | tuple):
        return _list(list(item), shown)
    return scalar(item)


def _mapping(item: dict[str, Any], shown: Shown) -> str:
    """Return short values on one line, longer ones below it."""
    if not item:
        return "none"
    if _is_step(item):
        return f'<ul class="step">{_step(item)}</ul>'
    if "mean" in item and isinstance(item.get("interval"), list) and len(item["interval"]) == 2:
        low, high = item["interval"]
        return f"{scalar(item['mean'])}, 95 % interval [{scalar(low)}, {scalar(high)}]"
    short = {k: v for k, v in item.items() if _is_short(v) or (isinstance(v, list) and all(map(_is_short, v)))}
    line = ", ".join(f"{_name(k)} = {value(v, shown)}" for k, v in short.items())
    rest = {k: v for k, v in item.items() if k not in short}
    if any(_is_wide(v) or isinstance(v, Mapping) for v in rest.values()):
        return f"<p>{line}</p>{_facts(rest, shown)}" if line else _facts(rest, shown)
    return "<br>".join(x for x in (line, *(f"{_name(k)}: {value(v, shown)}" for k, v in rest.items())) if x)


def _is_short(item: Any) -> bool:
    return not isinstance(item, Mapping | list | tuple) and len(str(item)) <= 40


def _list(items: list[Any], shown: Shown) -> str:
    if not items:
        return "none"
    if all(isinstance(x, Mapping) and x.keys() >= PROOF_KEYS for x in items):
        return "".join(proof({k: x[k] for k in PROOF_KEYS}, shown) for x in items)
    if all(isinstance(x, Mapping) and x and all(not isinstance(v, Mapping) for v in x.values()) for x in items):
        return _table(items, shown)
    if all(_is_short(x) for x in items):
        numbers = all(isinstance(x, int | float) or re.fullmatch(r"[-\d./…]+", str(x)) for x in items)
        text = ", ".join(scalar(x) for x in items)
        return f"({text})" if numbers else text
    return "<ul>" + "".join(f"<li>{value(x, shown)}</li>" for x in items[:MOST_ROWS]) + "</ul>" + _more(items)


def _table(rows: list[Mapping[str, Any]], shown: Shown) -> str:
    columns = list(dict.fromkeys(str(k) for row in rows for k in row))
    head = "".join(f'<th scope="col">{_name(c)}</th>' for c in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{value(row[c], shown) if c in row else ''}</td>" for c in columns) + "</tr>"
        for row in rows[:MOST_ROWS]
    )
    table = f'<table class="rows"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="scroll" role="region" aria-label="table" tabindex="0">{table}</div>{_more(rows)}'


def _more(items: Sequence[Any]) -> str:
    left = len(items) - MOST_ROWS
    return f'<p class="small">{left} more in the JSON.</p>' if left > 0 else ""


def scalar(item: Any) -> str:
    """Return a scalar: floats with seven figures, long exact numbers as a decimal, each with its whole value at hand."""
    if item is None:
        return "none"
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, int):
        return _folded(str(item), f"{float(item):.7g}") if len(str(item)) > LONG_NUMBER else str(item)
    if isinstance(item, float):
        near = f"{item:.7g}"
        return near if float(near) == item else f'<span title="{item!r}">{near}</span>'
    text = str(item)
    if text == "oo":
        return "∞"
    if re.fullmatch(r"-?\d+/\d+", text):
        approximate = f"{float(Fraction(text)):.7g}"
        return (
            _folded(text, f"≈ {approximate}")
            if len(text) > LONG_NUMBER
            else f"{text} ≈ {approximate}"
            if len(text) > 9
            else text
        )
    if re.fullmatch(r"-?\d+(\.\d+)?", text) and len(text) > LONG_NUMBER:
        return _folded(text, text[:12] + "…")
    if re.search(r"\d{25,}", text):
        return _folded(text, re.sub(r"(\d{6})\d{13,}(\d{6})", r"\1…\2", text))
    if len(text) > LONG_TEXT and " " not in text[:LONG_TEXT]:
        return _folded(text, text[:LONG_TEXT] + "…")
    return prose(text)


def _folded(whole: str, short: str) -> str:
    return f'<details class="number"><summary>{escape(short)}</summary><code>{escape(whole)}</code></details>'
