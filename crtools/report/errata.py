"""Errata of the paper, computed from the ledger: what is printed, why it is false, and what may stand in its place.

A claim has an entry where a part of it is refuted or contradicted, or where its published proof has a false step or a
gap. A replacement is printed only while the parts that back it are proved or certified.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from crtools.ledger.result import ClaimResult, Part, Repair
from crtools.report.dependencies import FALSE, Node, dependencies
from crtools.report.maths import tex
from crtools.report.tokens import LETTERS, SHORT_WORDS, typed

LEFT_OUT = frozenset(
    [
        "second computation", "settings looked at before", "smaller instances", "theorem", "statement", "reading", "holds", "steps",
        "schedules", "growth", "plain sums", "margin", "repair", "strongest true form", "right with", "what holds", "≈",
        "ratio as a float", "as a float",
    ]
)  # fmt: skip
"""Keys of evidence that an erratum does not repeat; the ledger has them."""

MOST_FACTS, LONGEST = 9, 90
INSTANCES = {"family": 300, "law of o": 90, "family of laws": 300}
"""Keys that say which instance is meant: they are shown although they are longer, or mappings."""
FAULTS = {"refuted": "false", "contradicted": "contradicted by runs, without a proof"}
NONE_KNOWN = "no replacement is known to be true"
INTRODUCTION = (
    "Each entry says what the paper claims, in short, why it does not hold, and what may stand in its place. A replacement is printed "
    "only where it is proved (for every value in its reading) or certified (exact or ball arithmetic, for a stated range) here."
)


@dataclass(frozen=True)
class Fault:
    """A part that is false, and its counterexample or figures on one line."""

    part: str
    status: str
    facts: str


@dataclass(frozen=True)
class Erratum:
    """One entry."""

    id: str
    place: str
    printed: str
    stated: str
    argued: str
    faults: tuple[Fault, ...]
    proof: str
    step: str
    sand: tuple[str, ...]
    repairs: tuple[Repair, ...]


def errata(results: Sequence[ClaimResult]) -> list[Erratum]:
    """Return the entries in the ledger's order."""
    nodes = dependencies(results)
    found = [_erratum(result, nodes[result.id]) for result in results]
    return [e for e in found if e.faults or e.proof in ("false-step", "gap")]


def _erratum(result: ClaimResult, node: Node) -> Erratum:
    argued = result.verdict("where-argued")
    faults: dict[str, Fault] = {}
    for verdict in result.verdicts:
        for part in verdict.parts:
            if part.status in FALSE:
                faults.setdefault(part.part, Fault(part.part, part.status, facts(part)))
    return Erratum(
        result.id,
        result.place,
        result.statement,
        result.verdicts[0].status,
        argued.status if len(result.verdicts) > 1 else "",
        tuple(faults.values()),
        result.proof.state,
        result.proof.step,
        node.sand,
        result.standing_repairs,
    )


def facts(part: Part) -> str:
    """Return a part's counterexample, or its figures, on one line."""
    evidence = dict(part.evidence)
    counterexample = _flat(evidence.pop("counterexample", {}))
    others = _flat({k: v for k, v in evidence.items() if not isinstance(v, Mapping)})
    first = "counterexample: " + _pairs(counterexample) if counterexample else ""
    rest = _pairs({**others, **_interval(evidence)})
    return "; ".join(x for x in (first, rest) if x)


def _interval(evidence: Mapping[str, Any]) -> dict[str, str]:
    """Return measured ratios, which are mappings with a mean and an interval, as text."""
    found: dict[str, str] = {}
    for key, value in evidence.items():
        if isinstance(value, Mapping) and "mean" in value and "interval" in value:
            ends = value["interval"]
            around = f" (95 % interval {_scalar(ends[0])} to {_scalar(ends[1])})" if ends else ""
            found[key] = f"{_scalar(value['mean'])}{around}"
    return found


def _pairs(values: Mapping[str, str]) -> str:
    shown = [(LETTERS.get(k, k), v) for k, v in list(values.items())[:MOST_FACTS]]
    return ", ".join(v if not k else f"{k} = {v}" if _symbol(k) else f"{k}: {v}" for k, v in shown)


def _symbol(key: str) -> bool:
    words = key in SHORT_WORDS or not re.fullmatch(r"[A-Za-zα-ωΑ-Ωℓ]{1,2}(_\w+)?'?|lengths|slope|shift|intercept", key)
    return not words


def _flat(value: Any) -> dict[str, str]:
    """Return the short scalars of a counterexample; of several rows the first."""
    if isinstance(value, str):
        return {"": value} if len(value) <= LONGEST else {}
    if isinstance(value, list):
        return _flat(value[0]) if value else {}
    if not isinstance(value, Mapping):
        return {}
    if isinstance(value.get("rows"), list):
        return _flat(value["rows"])
    shown: dict[str, str] = {}
    for key, item in value.items():
        text = _law(item) if key == "law of o" else _scalar(item)
        if key not in LEFT_OUT and text and len(text) <= INSTANCES.get(str(key), LONGEST):
            shown[str(key)] = text
    return shown


def _law(item: Any) -> str:
    """Return a law, lengths with their shares, on one line."""
    return ", ".join(f"{k} with {v}" for k, v in item.items()) if isinstance(item, Mapping) else _scalar(item)


def _scalar(item: Any) -> str:
    """Return a scalar, or a short list of them, as text; floats and long fractions with five figures."""
    if isinstance(item, bool) or item is None:
        return ""
    if isinstance(item, float):
        return f"{item:.5g}"
    if isinstance(item, int):
        return str(item)
    if isinstance(item, str):
        if re.fullmatch(r"-?\d+/\d+", item) and len(item) > 7:
            value = Fraction(item)
            return f"{item} ≈ {float(value):.5g}" if len(item) <= 40 else f"{float(value):.5g}"
        if re.fullmatch(r"-?\d+\.\d{7,}", item):
            return item[: item.index(".") + 6] + "…"
        return "∞" if item == "oo" else item
    if isinstance(item, list) and 0 < len(item) <= 12 and not any(isinstance(x, Mapping | list) for x in item):
        texts = [_scalar(x) for x in item]
        enclosure = len(texts) == 2 and texts[0] == texts[1] and texts[0].endswith("…")
        return texts[0] if enclosure or len(texts) == 1 else "(" + ", ".join(texts) + ")"
    return ""


def verdict_words(entry: Erratum) -> str:
    """Return both verdicts as words."""
    same = "" if not entry.argued else f"; in the setting of the proof: {entry.argued}"
    return f"as stated: {entry.stated}{same}"


def fault_words(fault: Fault) -> str:
    """Return a fault as a sentence."""
    return f"“{fault.part}” is {FAULTS[fault.status]}" + (f"; {fault.facts}" if fault.facts else "")


def proof_words(entry: Erratum) -> str:
    """Return what is wrong with the published proof, empty where nothing is known to be."""
    if entry.proof not in ("false-step", "gap"):
        return ""
    return ("false step" if entry.proof == "false-step" else "gap") + (f": {entry.step}" if entry.step else "")


def markdown(results: Sequence[ClaimResult]) -> str:
    """Return the errata as a Markdown page."""
    lines = [
        "# Errata of the paper",
        "",
        "<!-- Made by `crtools report --errata docs/errata.md` from the ledger; do not edit by hand. -->",
        "",
        "On Chen, Ye and Zhou, *Adaptively Robust LLM Inference Optimization under Prediction Uncertainty* (arXiv 2508.14544). "
        + INTRODUCTION,
        "",
        "Every number comes from `crtools verify ID --json` (in short: `--show`), where ID stands in brackets after the place.",
    ]
    for entry in errata(results):
        lines += ["", f"## {_md(entry.place)} (`{entry.id}`)", ""]
        lines.append(f"- **Claimed:** {_md(entry.printed)}")
        lines.append(f"- **Verdict:** {_md(verdict_words(entry))}")
        lines += [f"- **What is wrong:** {_md(fault_words(f))}" for f in entry.faults]
        if proof_words(entry):
            lines.append(f"- **Its proof:** {_md(proof_words(entry))}")
        if entry.sand:
            lines.append(f"- **Rests on what is false:** {', '.join(f'`{name}`' for name in entry.sand)}")
        lines += [f"- **Read instead:** {_md(r.sentence)} ({r.status})" for r in entry.repairs]
        if not entry.repairs:
            lines.append(f"- **Read instead:** {NONE_KNOWN}")
    return "\n".join(lines) + "\n"


def _md(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", typed(text))


def latex(results: Sequence[ClaimResult]) -> str:
    """Return the errata as a LaTeX list that can be pasted into a revision (``amsmath`` is all it needs)."""
    lines = [r"\section*{Errata}", r"\begin{itemize}"]
    for entry in errata(results):
        lines.append(rf"\item \textbf{{{tex(entry.place)}.}} Claimed: {tex(entry.printed)}.")
        lines += [rf"  {tex(fault_words(f))}." for f in entry.faults]
        if proof_words(entry):
            lines.append(rf"  Proof: {tex(proof_words(entry))}.")
        lines += [rf"  \emph{{Replace by}} ({r.status}): {tex(r.sentence)}." for r in entry.repairs]
        if not entry.repairs:
            lines.append(rf"  \emph{{{NONE_KNOWN[0].upper()}{NONE_KNOWN[1:]}.}}")
    return "\n".join([*lines, r"\end{itemize}"]) + "\n"
