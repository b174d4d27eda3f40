"""The report: one HTML page that needs no network; a small script adds filters and sorting. ``page.html`` is its template."""

import platform
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from io import BytesIO
from pathlib import Path
from shlex import quote
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from crtools import __version__
from crtools.errors import InputError
from crtools.installed_ledgers import DEFAULT
from crtools.ledger.cache import versions
from crtools.ledger.claim import ClaimResult
from crtools.ledger.display import words
from crtools.ledger.display.claim_text import Record, checked_schedule, counterexample, schedules_of
from crtools.ledger.display.words import MEANINGS, PROOFS, SIGNS, coq_note, word
from crtools.ledger.evidence import DECIDED, FALSE, WEAKEST_FIRST, Evidence, uncited
from crtools.ledger.ledger import Ledger, rows
from crtools.ledger.run import resting, tally, theorems
from crtools.names import count_text
from crtools.notation import mathml
from crtools.notation.mathml import formula, prose, statement
from crtools.notation.terminal import label, scalar, unmarked
from crtools.numeric_types import JsonObject
from crtools.plotting.figure import Drawing
from crtools.plotting.occupancy import Picture, Scale, scales, svg
from crtools.report.dependencies import dependencies, graph
from crtools.report.errata import CONTRADICTIONS, INTRODUCTION, chapters, errata
from crtools.report.terminal import in_brackets
from crtools.schedule import Schedule

PROOF_ORDER = ("false-step", "gap", "not-examined", "sound")
MOST_ROWS = 20
"""Upper limit on the rows of a table of evidence; the JSON has them all."""

FIELDS = {
    "witness": "at", "claimed": "the sentence says", "actual": "it is", "value": "it is", "second": "by other code",
    "stays": "no artefact, since", "sample": "what was run", "margin": "margin", "tried": "what was tried",
    "argument": "in words", "range": "for", "reason": "why not",
}  # fmt: skip
"""The fields of evidence in words."""

COLOURS, WIDEST = 32, 640
"""Of an embedded figure (pixels): lines and letters on white need no more, if the colours are chosen far apart."""

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content security policy: the browser loads nothing that is not on the page."""


@dataclass(frozen=True)
class Figures:
    """PNG files by figure name, ready to be embedded, what they show, and the names that were wanted and are not there."""

    png: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    drawings: Mapping[str, Drawing] = field(default_factory=dict[str, Drawing])
    missing: tuple[str, ...] = ()

    def of(self, claim: str) -> str:
        """Return the name of a claim's figure, empty where there is none."""
        return next((name for name in self.png if claim in self.drawings[name].beside), "")

    def uri(self, name: str) -> str:
        """Return a figure as a data URI."""
        return "data:image/png;base64," + b64encode(self.png[name]).decode("ascii")


def read_figures(drawings: Mapping[str, Drawing], claims: Iterable[str], folder: str | Path | None) -> Figures:
    """Return the claims' figures that lie in a folder as PNG; None or a missing folder has none of them.

    Raises ``InputError`` where a file of that name is no PNG or cannot be read.
    """
    ids = set(claims)
    wanted = [name for name, drawing in drawings.items() if ids & set(drawing.beside)]
    paths = {} if folder is None else {name: Path(folder) / f"{name}.png" for name in wanted}
    png = {name: _read(path) for name, path in paths.items() if path.is_file()}
    return Figures(png, drawings, tuple(name for name in wanted if name not in png))


def _read(path: Path) -> bytes:
    """Return a PNG with few pixels and few colours."""
    from PIL import Image

    target = BytesIO()
    try:
        with Image.open(path, formats=["PNG"]) as image:
            small = image.convert("RGB")
            small.thumbnail((WIDEST, 2 * WIDEST))
            reduced = small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            reduced.save(target, "PNG", optimize=True)
    except (OSError, SyntaxError) as error:
        raise InputError("figures", str(path), f"must be a readable PNG file ({error})") from None
    return target.getvalue()


def page(results: Sequence[ClaimResult], ledger: Ledger, figures: Figures | None = None) -> str:
    """Return the whole page. Raises ``AssertionError`` where evidence holds a schedule that is none."""
    nodes, figures = dependencies(results), figures or Figures()
    records = theorems(results, ledger)
    headlines = rows(ledger.headlines(), results)
    first = [result for result in results if headlines and result.id == headlines[0].claim]
    users: dict[str, list[str]] = {}  # the claims that name each theorem
    for result in results:
        for theorem in result.theorems:
            users.setdefault(theorem["theorem"], []).append(result.id)
    return _environment().get_template("page.html").render(
        ledger=ledger,
        results=results,
        nodes=nodes,
        counts=tally(results),
        resting=resting(results, ledger),
        words=_words(results, ledger),
        kernel=coq_note(sum(bool(record["kernel_checked"]["theorem"]) for record in records.values())),
        chapters=chapters(errata(results)),
        introduction=INTRODUCTION,
        contradictions=CONTRADICTIONS,
        theorems=list(records.values()),
        anchors={name: f"theorem-{n}" for n, name in enumerate(records, start=1)},
        users=users,
        accepted=ledger.accepted(),
        figures=figures,
        first={figures.of(result.id): result.id for result in reversed(results)},  # the others link to its card
        headlines=headlines,
        plans=[plan for result in first for plan in counterexample(result)[:2]],  # of the first headline
        asked="" if ledger.name == DEFAULT and not ledger.file else f" --ledger {quote(ledger.address)}",
        policy=POLICY,
        version=__version__,
        made_with=", ".join((f"crtools {__version__}", f"Python {platform.python_version()}", *versions()[1:])),
    )  # fmt: skip


def _environment() -> Environment:
    """Return the templates of this package for one page: they escape all that they print, and draw a schedule on the cards once."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.loader = PackageLoader("crtools.report")
    filters: tuple[Callable[..., Any], ...] = (
        prose, formula, statement, label, mathml.name, words.step_name, words.step_kind, words.both_sides,
        words.titled, words.strength, words.rests_on, words.coq_words, in_brackets, uncited, unmarked, word,
        scalar, facts, drawings, graph, counterexample,
    )  # fmt: skip
    named: JsonObject = {each.__name__: each for each in filters}
    environment.filters.update(named, schedules=schedules_of, drawn_once=partial(drawings, drawn={}))
    environment.globals.update(JsonObject(
        signs=SIGNS, meanings=MEANINGS, proofs=PROOFS, statuses=WEAKEST_FIRST, proof_order=PROOF_ORDER,
        false_statuses=FALSE, most_rows=MOST_ROWS,
    ))  # fmt: skip
    return environment


def facts(evidence: Evidence) -> JsonObject:
    """Return the non-empty fields of evidence by their words, without its kind and its theorems."""
    fields = {name: item for name, item in vars(evidence).items() if name not in ("kind", "theorems", "uses", "agrees")}
    first = fields.get("actual", fields.get("value"))
    if "second" in fields and fields["second"] == first:
        fields["second"] = "the same"
    return {FIELDS.get(name, name): item for name, item in fields.items() if item not in ("", (), [], {})}


def _words(results: Sequence[ClaimResult], ledger: Ledger) -> str:
    accepted = ledger.accepted()
    kinds = [v.kind(accepted) for result in results for v in result.verdicts if v.status in DECIDED]
    share = f"Of {count_text(len(kinds), 'verdict')} by proof, enclosure or counterexample, {kinds.count('words')} rest on sentences"
    return f"{share} that no machine judges; the ledger counts them."


def drawings(schedules: Sequence[Record], drawn: dict[str, int] | None = None) -> Markup:
    """Return schedules side by side, those of nearly one size on one scale, with their numbers below.

    A schedule that is in ``drawn``, by its caption or, where that lacks some numbers, its drawing, becomes a link; the others are
    added. Every schedule is checked again. Raises ``AssertionError`` where an entry is no schedule.
    """
    plans = [checked_schedule(row) for row in schedules]
    pictures = [plan.plot(int(row["M"]), str(row["name"])) for row, plan in zip(schedules, plans, strict=True)]
    at_scale = iter(scales([picture for picture in pictures if picture.drawable]))
    sizes = (next(at_scale) if picture.drawable else None for picture in pictures)
    figures = map(partial(_figure, drawn), schedules, plans, pictures, sizes)
    return Markup(f'<div class="schedules">{"".join(figures)}</div>')


def _figure(drawn: dict[str, int] | None, row: Record, plan: Schedule, picture: Picture, scale: Scale | None) -> str:
    """Return a schedule as a figure, or a link to it if it is among those ``drawn``; without a ``scale`` it is too large to draw."""
    memory = picture.memory or 0
    notes = [
        f"total latency {plan.total_latency}",
        f"largest use {plan.peak_memory} of {memory}" + ("" if plan.feasible(memory) else ", which is exceeded"),
        "starts " + ", ".join(map(str, plan.starts)),
        "lengths " + ", ".join(map(str, plan.lengths)),
        "s = " + (str(plan.s) if isinstance(plan.s, int) else ", ".join(map(str, plan.s))),
    ]
    if isinstance(assumed := row.get("assumed"), Sequence):
        notes.append("memory reserved for lengths " + ", ".join(map(str, assumed)))
    complete = plan.n <= 12
    caption = f"<strong>{prose(picture.name)}</strong>: {escape('; '.join(notes if complete else notes[:2]))}"
    if scale is None:
        return f"<figure><p>Too large to draw.</p><figcaption>{caption}</figcaption></figure>"
    drawing, id = svg(picture, scale, titled=False, name=unmarked(picture.name)), ""
    if drawn is not None:
        key = caption if complete else caption + drawing
        if key in drawn:
            link = f'<a href="#drawing-{drawn[key]}">drawn above</a>'
            return f'<figure class="again"><figcaption>{caption} ({link})</figcaption></figure>'
        drawn[key] = len(drawn) + 1
        id = f' id="drawing-{drawn[key]}"'
    return f"<figure{id}>{drawing}<figcaption>{caption}</figcaption></figure>"
