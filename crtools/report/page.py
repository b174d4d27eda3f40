"""The report: one HTML page that needs no network and no script. A small script adds filters and sorting."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from shlex import quote
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from crtools import __version__
from crtools.installed_ledgers import DEFAULT
from crtools.ledger.cache import LIBRARIES
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.display.pictures import counterexample, schedules_of
from crtools.ledger.display.proof_words import (
    DECIDED,
    both_sides,
    coq_note,
    coq_words,
    counted,
    rests_on,
    step_kind,
    step_name,
    strength,
    titled,
)
from crtools.ledger.display.status_marks import MEANINGS, PROOFS, SIGNS, word
from crtools.ledger.evidence import FALSE, WEAKEST_FIRST, Evidence, uncited
from crtools.ledger.headline import Row, rows
from crtools.ledger.ledger import Ledger
from crtools.ledger.run import resting, tally, theorems
from crtools.notation import mathml
from crtools.notation.mathml import formula, prose, statement
from crtools.notation.terminal import unmarked
from crtools.notation.values import label, scalar
from crtools.report.dependencies import dependencies
from crtools.report.errata import CONTRADICTIONS, INTRODUCTION, chapters, errata
from crtools.report.figures import Figures
from crtools.report.graph import graph
from crtools.report.schedule_drawing import drawings, drawn_once
from crtools.report.terminal import split

PROOF_ORDER = ("false-step", "gap", "not-examined", "sound")
MOST_ROWS = 20
"""Rows of a table of evidence; the JSON has the others."""

FIELDS = {
    "witness": "at", "claimed": "the sentence says", "actual": "it is", "value": "it is", "second": "by other code",
    "stays": "no artefact, since", "sample": "what was run", "margin": "margin", "tried": "what was tried",
    "argument": "in words", "range": "for", "reason": "why not",
}  # fmt: skip
"""The fields of evidence in words; ``values`` stands below them."""

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The browser itself refuses whatever is not on the page."""


def page(results: Sequence[ClaimResult], ledger: Ledger, figures: Figures | None = None) -> str:
    """Return the whole page. Raises ``AssertionError`` where evidence holds a schedule that is none."""
    nodes = dependencies(results)
    shown = theorems(results, ledger)
    headlines = rows(ledger.headlines(), results)
    whole = _environment().get_template("page.html").render(
        ledger=ledger,
        results=results,
        nodes=nodes,
        counts=tally(results),
        resting=resting(results, ledger),
        words=_words(results, ledger),
        kernel=coq_note(sum(bool(own["kernel_checked"]["theorem"]) for own in shown.values())),
        chapters=chapters(errata(results)),
        introduction=INTRODUCTION,
        contradictions=CONTRADICTIONS,
        theorems=list(shown.values()),
        anchors={name: f"theorem-{n}" for n, name in enumerate(shown, start=1)},
        users=_users(results),
        accepted=ledger.accepted(),
        figures=figures or Figures(),
        first=_first(results, figures or Figures()),
        headlines=headlines,
        plans=_plans(headlines, results),
        asked="" if ledger.name == DEFAULT and not ledger.file else f" --ledger {quote(ledger.address)}",
        policy=POLICY,
        version=__version__,
        made_with=", ".join(_made_with()),
    )  # fmt: skip
    return drawn_once(whole)


@cache
def _environment() -> Environment:
    """Return the templates of this package; whatever they print is escaped."""
    found = Environment(
        loader=PackageLoader("crtools.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters: dict[str, Callable[..., Any]] = {
        "prose": prose,
        "formula": formula,
        "statement": statement,
        "label": label,
        "name": mathml.name,
        "step_name": step_name,
        "step_kind": step_kind,
        "both_sides": both_sides,
        "titled": titled,
        "strength": strength,
        "rests_on": rests_on,
        "split": split,
        "coq_words": coq_words,
        "uncited": uncited,
        "unmarked": unmarked,
        "word": word,
        "scalar": scalar,
        "facts": facts,
        "schedules": schedules_of,
        "drawings": drawings,
        "graph": graph,
        "counterexample": counterexample,
        "verbatim": _verbatim,
    }
    found.filters.update(filters)
    shared: dict[str, Any] = {
        "signs": SIGNS,
        "meanings": MEANINGS,
        "proofs": PROOFS,
        "statuses": WEAKEST_FIRST,
        "proof_order": PROOF_ORDER,
        "false_statuses": FALSE,
        "most_rows": MOST_ROWS,
    }
    found.globals.update(shared)
    return found


def _verbatim(name: str) -> Markup:
    """Return a file of the package as it is: the page's own style and script."""
    environment = _environment()
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0])


def facts(evidence: Evidence) -> dict[str, Any]:
    """Return the fields of evidence that say something, but for its kind, its theorems and what they take."""
    fields = {name: item for name, item in vars(evidence).items() if name not in ("kind", "theorems", "uses", "agrees")}
    first = fields.get("actual", fields.get("value"))
    if "second" in fields and fields["second"] == first:
        fields["second"] = "the same"
    return {FIELDS.get(name, name): item for name, item in fields.items() if item not in ("", (), [], {})}


def _words(results: Sequence[ClaimResult], ledger: Ledger) -> str:
    """Return how many of the decided verdicts rest on words, for the page's first paragraph."""
    accepted = ledger.accepted()
    kinds = [v.kind(accepted) for result in results for v in result.verdicts if v.status in DECIDED]
    many = f"Of {counted(len(kinds), 'verdict')} by proof, enclosure or counterexample, {kinds.count('words')} rest on sentences"
    return f"{many} that no machine judges; beside each stands how many."


def _plans(headlines: Sequence[Row], results: Sequence[ClaimResult]) -> list[Mapping[str, Any]]:
    """Return the first two schedules that the first headline's claim is refuted by; none where it is not."""
    own = [result for result in results if headlines and result.id == headlines[0].claim]
    evidence = [f.evidence for result in own for f in result.stated.findings if f.status in FALSE]
    found = [plans for e in evidence for plans in map(schedules_of, e.values.values()) if plans]
    return list(found[0][:2]) if found else []


def _users(results: Sequence[ClaimResult]) -> dict[str, list[str]]:
    """Return the claims that name each theorem."""
    users: dict[str, list[str]] = {}
    for result in results:
        for theorem in result.theorems:
            users.setdefault(theorem["theorem"], []).append(result.id)
    return users


def _first(results: Sequence[ClaimResult], figures: Figures) -> dict[str, str]:
    """Return the first claim that each figure belongs to: there it stands, and the others point to it."""
    first: dict[str, str] = {}
    for result in results:
        first.setdefault(figures.of(result.id), result.id)
    return first


def _made_with() -> Iterator[str]:
    yield f"crtools {__version__}"
    yield f"Python {platform.python_version()}"
    for name in LIBRARIES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue
