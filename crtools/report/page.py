"""The report: one HTML page that needs no network; a small script adds filters and sorting. ``page.html`` is its template."""

import platform
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from importlib.metadata import PackageNotFoundError, version
from shlex import quote
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from crtools import __version__
from crtools.installed_ledgers import DEFAULT
from crtools.ledger.cache import LIBRARIES
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.display import proof_words
from crtools.ledger.display.pictures import Row as ScheduleRow
from crtools.ledger.display.pictures import checked_schedule, counterexample, schedules_of
from crtools.ledger.display.proof_words import DECIDED, coq_note
from crtools.ledger.display.status_marks import MEANINGS, PROOFS, SIGNS, word
from crtools.ledger.evidence import FALSE, WEAKEST_FIRST, Evidence, uncited
from crtools.ledger.headline import Row, rows
from crtools.ledger.ledger import Ledger
from crtools.ledger.run import resting, tally, theorems
from crtools.names import count_text
from crtools.notation import mathml
from crtools.notation.mathml import formula, prose, statement
from crtools.notation.terminal import unmarked
from crtools.notation.values import label, scalar
from crtools.numeric_types import JsonObject
from crtools.plotting.occupancy import Picture, Scale, scales, svg
from crtools.report.dependencies import dependencies, graph
from crtools.report.errata import CONTRADICTIONS, INTRODUCTION, chapters, errata
from crtools.report.figures import Figures
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

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content security policy: the browser loads nothing that is not on the page."""


def page(results: Sequence[ClaimResult], ledger: Ledger, figures: Figures | None = None) -> str:
    """Return the whole page. Raises ``AssertionError`` where evidence holds a schedule that is none."""
    nodes, figures = dependencies(results), figures or Figures()
    records = theorems(results, ledger)
    headlines = rows(ledger.headlines(), results)
    users: dict[str, list[str]] = {}  # the claims that name each theorem
    for result in results:
        for theorem in result.theorems:
            users.setdefault(theorem["theorem"], []).append(result.id)
    html = _environment().get_template("page.html").render(
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
        plans=_plans(headlines, results),
        asked="" if ledger.name == DEFAULT and not ledger.file else f" --ledger {quote(ledger.address)}",
        policy=POLICY,
        version=__version__,
        made_with=", ".join(_made_with()),
    )  # fmt: skip
    return drawn_once(html)


@cache
def _environment() -> Environment:
    """Return the templates of this package, which escape all that they print."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.loader = PackageLoader("crtools.report")
    filters: tuple[Callable[..., Any], ...] = (
        prose, formula, statement, label, mathml.name, proof_words.step_name, proof_words.step_kind, proof_words.both_sides,
        proof_words.titled, proof_words.strength, proof_words.rests_on, proof_words.coq_words, in_brackets, uncited, unmarked, word,
        scalar, facts, drawings, graph, counterexample,
    )  # fmt: skip
    named: JsonObject = {each.__name__: each for each in filters} | {"schedules": schedules_of, "verbatim": _verbatim}
    environment.filters.update(named)
    shared: JsonObject = {
        "signs": SIGNS, "meanings": MEANINGS, "proofs": PROOFS, "statuses": WEAKEST_FIRST, "proof_order": PROOF_ORDER,
        "false_statuses": FALSE, "most_rows": MOST_ROWS,
    }  # fmt: skip
    environment.globals.update(shared)
    return environment


def _verbatim(name: str) -> Markup:
    """Return a file of the package without escapes, for the style sheet and the script."""
    environment = _environment()
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0])


def facts(evidence: Evidence) -> JsonObject:
    """Return the non-empty fields of evidence by their words, without its kind and its theorems."""
    fields = {name: item for name, item in vars(evidence).items() if name not in ("kind", "theorems", "uses", "agrees")}
    first = fields.get("actual", fields.get("value"))
    if "second" in fields and fields["second"] == first:
        fields["second"] = "the same"
    return {FIELDS.get(name, name): item for name, item in fields.items() if item not in ("", (), [], {})}


def _words(results: Sequence[ClaimResult], ledger: Ledger) -> str:
    """Return the sentence of the first paragraph about verdicts that rest on words."""
    accepted = ledger.accepted()
    kinds = [v.kind(accepted) for result in results for v in result.verdicts if v.status in DECIDED]
    share = f"Of {count_text(len(kinds), 'verdict')} by proof, enclosure or counterexample, {kinds.count('words')} rest on sentences"
    return f"{share} that no machine judges; the ledger counts them."


def _plans(headlines: Sequence[Row], results: Sequence[ClaimResult]) -> list[ScheduleRow]:
    """Return the first two schedules that refute the first headline's claim; none where nothing does."""
    first = next((result for result in results if headlines and result.id == headlines[0].claim), None)
    return [] if first is None else counterexample(first)[:2]


def _made_with() -> Iterator[str]:
    yield f"crtools {__version__}"
    yield f"Python {platform.python_version()}"
    for name in LIBRARIES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue


def drawings(schedules: Sequence[ScheduleRow]) -> Markup:
    """Return schedules side by side, those of nearly one size on one scale, with their numbers below.

    Every schedule is checked again. Raises ``AssertionError`` where an entry is no schedule.
    """
    plans = [checked_schedule(row) for row in schedules]
    pictures = [plan.plot(int(row["M"]), str(row["name"])) for row, plan in zip(schedules, plans, strict=True)]
    figures = [
        _figure(picture, plan, scale, row.get("assumed"))
        for row, plan, picture, scale in zip(schedules, plans, pictures, _scales(pictures), strict=True)
    ]
    return Markup(f'<div class="schedules">{"".join(figures)}</div>')


CARDS = '<section id="claims">'

AGAIN = re.compile(r"<figure>(<svg [^>]*class=\"schedule\".*?</svg>)(<figcaption>.*?</figcaption>)</figure>", re.DOTALL)


def drawn_once(page: str) -> str:
    """Keep the first drawing of each schedule on the cards of a page; the others become a link to it.

    Drawings before the cards stay. Two schedules are the same if they have the same caption, or, where that lacks some
    numbers, the same drawing.
    """
    numbers: dict[str, int] = {}

    def once(match: re.Match[str]) -> str:
        drawing, caption = match.groups()
        key = caption if "; starts " in caption else caption + drawing
        if key in numbers:
            to = f'<a href="#drawing-{numbers[key]}">drawn above</a>'
            return f'<figure class="again">{caption.replace("</figcaption>", f" ({to})</figcaption>")}</figure>'
        numbers[key] = len(numbers) + 1
        return f'<figure id="drawing-{numbers[key]}">{drawing}{caption}</figure>'

    before, cards, after = page.partition(CARDS)
    return before + cards + AGAIN.sub(once, after)


def _scales(pictures: Sequence[Picture]) -> list[Scale | None]:
    """Return the scale of each picture, None for one that is too large to draw."""
    drawn = iter(scales([picture for picture in pictures if picture.drawable]))
    return [next(drawn) if picture.drawable else None for picture in pictures]


def _figure(picture: Picture, plan: Schedule, scale: Scale | None, assumed: object) -> str:
    memory = picture.memory or 0
    notes = [
        f"total latency {plan.total_latency}",
        f"largest use {plan.peak_memory} of {memory}" + ("" if plan.feasible(memory) else ", which is exceeded"),
        "starts " + ", ".join(map(str, plan.starts)),
        "lengths " + ", ".join(map(str, plan.lengths)),
        "s = " + (str(plan.s) if isinstance(plan.s, int) else ", ".join(map(str, plan.s))),
    ]
    if isinstance(assumed, Sequence):
        notes.append("memory reserved for lengths " + ", ".join(map(str, assumed)))
    numbers = notes if plan.n <= 12 else notes[:2]
    drawing = "<p>Too large to draw.</p>"
    if scale is not None:
        drawing = svg(picture, scale, titled=False, name=unmarked(picture.name))
    caption = f"<strong>{prose(picture.name)}</strong>: {escape('; '.join(numbers))}"
    return f"<figure>{drawing}<figcaption>{caption}</figcaption></figure>"
