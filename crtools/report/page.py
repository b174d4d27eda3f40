"""The report: one HTML page that needs no network and no script. A small script adds filters and sorting."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from crtools import __version__
from crtools.ledger.result import ClaimResult
from crtools.report.claim_section import claim_section
from crtools.report.dependencies import Node, dependencies
from crtools.report.errata import INTRODUCTION, NONE_KNOWN, Erratum, errata, fault_words, latex, proof_words
from crtools.report.evidence import Shown
from crtools.report.figures import Figures
from crtools.report.graph import connected, graph
from crtools.report.marks import MEANINGS, SIGNS, badge
from crtools.report.maths import prose

STATUSES = ("refuted", "contradicted", "inconclusive", "supported", "certified", "proved", "skipped")
"""From what needs attention to what does not: the order of the ledger when it is sorted by a verdict."""

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The browser itself refuses whatever is not on the page."""


@dataclass(frozen=True)
class Ledger:
    """What every part of the page is made from."""

    results: tuple[ClaimResult, ...]
    nodes: Mapping[str, Node]
    entries: tuple[Erratum, ...]
    figures: Figures


def page(results: Sequence[ClaimResult], figures: Figures | None = None) -> str:
    """Return the whole page."""
    ledger = Ledger(tuple(results), dependencies(results), tuple(errata(results)), figures or Figures())
    shown = Shown()
    drawn: dict[str, str] = {}
    claims = "".join(claim_section(r, ledger.nodes, ledger.figures, drawn, shown) for r in ledger.results)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="generator" content="crtools {escape(__version__)}"><meta name="color-scheme" content="light dark">'
        f"<title>The ledger of claims</title><style>{_part('page.css')}</style></head><body>"
        f'<a class="skip" href="#ledger">Skip to the ledger</a>{_head(ledger)}<main>'
        f"{_ledger(ledger)}{_dependencies(ledger)}{_errata(ledger)}"
        f'<section id="claims"><h2>The claims</h2>{claims}</section></main>{_foot()}'
        f"<script>{_part('page.js')}</script></body></html>\n"
    )


def _part(name: str) -> str:
    return files("crtools.report").joinpath(name).read_text(encoding="utf-8")


def _head(ledger: Ledger) -> str:
    counts = {s: sum(r.verdicts[0].status == s for r in ledger.results) for s in STATUSES}
    chips = "".join(
        f'<li>{badge(s)} <strong>{n}</strong><span class="meaning">{escape(MEANINGS[s])}</span></li>'
        for s, n in counts.items()
        if n
    )
    return (
        "<header><h1>The claims of the paper, decided</h1>"
        "<p>Chen, Ye and Zhou, <cite>Adaptively Robust LLM Inference Optimization under Prediction Uncertainty</cite> "
        f"(arXiv 2508.14544): {len(ledger.results)} claims, each decided by a machine-checked proof, a rigorous enclosure, an "
        "exact counterexample, or runs. A verdict as stated takes the paper’s own quantifiers; where argued is the setting of "
        "the paper’s proof, usually prompt size s = 0 and the limit M → ∞.</p>"
        f'<h2 class="quiet">As stated</h2><ul class="counts">{chips}</ul>'
        '<nav aria-label="Contents"><a href="#ledger">Ledger</a> <a href="#dependencies">What rests on what</a> '
        '<a href="#errata">Errata</a> <a href="#claims">Claims</a></nav></header>'
    )


def _ledger(ledger: Ledger) -> str:
    rows = "".join(_row(n, r, ledger.nodes[r.id]) for n, r in enumerate(ledger.results))
    names = ("Claim", "Place", "As stated", "Where argued", "Proof", "Why")
    head = "".join(f'<th scope="col" data-name="{name}"><span>{name}</span></th>' for name in names)
    stated = _options({r.verdicts[0].status for r in ledger.results}, STATUSES)
    argued = _options({r.verdict("where-argued").status for r in ledger.results}, STATUSES)
    proofs = _options({r.proof.state for r in ledger.results}, ("false-step", "gap", "not-examined", "sound"))
    return (
        '<section id="ledger"><h2>The ledger</h2><form class="filters" hidden>'
        f'<label>As stated <select data-filter="stated"><option value="">any</option>{stated}</select></label>'
        f'<label>Where argued <select data-filter="argued"><option value="">any</option>{argued}</select></label>'
        f'<label>Proof <select data-filter="proof"><option value="">any</option>{proofs}</select></label>'
        '<label>Text <input type="search" data-filter="text" placeholder="id, place, statement, why"></label>'
        '<label class="tick"><input type="checkbox" data-filter="sand"> rests on a false claim</label>'
        '<button type="reset">Show all</button><output aria-live="polite"></output></form>'
        f'<table class="ledger"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></section>'
    )


def _options(present: set[str], order: Sequence[str]) -> str:
    from crtools.report.marks import PROOF_WORDS

    return "".join(
        f'<option value="{s}">{SIGNS.get(s, "")} {escape(PROOF_WORDS.get(s, s))}</option>'
        for s in order
        if s in present
    )


def _row(number: int, result: ClaimResult, node: Node) -> str:
    stated, argued = result.verdicts[0], result.verdict("where-argued")
    two = len(result.verdicts) > 1
    why = prose(stated.why) + (
        f" <em>Where argued:</em> {prose(argued.why)}" if two and argued.why != stated.why else ""
    )
    sand = '<span class="sand-mark">on sand</span>' if node.sand else ""
    text = escape(" ".join((result.id, result.place, result.statement, stated.why, argued.why)).lower())
    proofs = ("false-step", "gap", "not-examined", "sound")
    data = (
        f'data-order="{number}" data-stated="{stated.status}" data-argued="{argued.status}" data-proof="{result.proof.state}" '
        f'data-sand="{int(bool(node.sand))}" data-text="{text}"'
    )
    cells = (
        f'<th scope="row" data-sort="{escape(result.id)}"><a href="#claim-{escape(result.id)}">{escape(result.id)}</a> {sand}</th>'
        f'<td data-label="Place" data-sort="{number:04d}">{escape(result.place)}</td>'
        f'<td data-label="As stated" data-sort="{STATUSES.index(stated.status)}">{badge(stated.status)}</td>'
        f'<td data-label="Where argued" data-sort="{STATUSES.index(argued.status)}">'
        f"{badge(argued.status) if two else '<span class=quiet>same</span>'}</td>"
        f'<td data-label="Proof" data-sort="{proofs.index(result.proof.state)}">{badge(result.proof.state)}</td>'
        f'<td data-label="Why" data-sort="{escape(stated.why)}">{why}</td>'
    )
    return f"<tr {data}>{cells}</tr>"


def _dependencies(ledger: Ledger) -> str:
    nodes = ledger.nodes
    names, alone = connected(nodes)
    present = [s for s in (*STATUSES, "undecided") if any(nodes[n].status == s for n in names)]
    legend = "".join(f"<li>{badge(s)}</li>" for s in present)
    sand = [n for n in names if nodes[n].sand]
    items = "".join(f"<li>{_link(n)}: {', '.join(_link(x) for x in nodes[n].sand)}</li>" for n in sand)
    apart = ", ".join(_link(n) for n in alone)
    return (
        '<section id="dependencies"><h2>What rests on what</h2><p>An arrow leads from a claim down to what its published proof '
        "uses; arrows that follow from others are left out. The sign and the colour are those of the verdict as stated; false "
        "claims have a thick frame, and the arrows to them are broken. “On sand” means that the published proof "
        "rests, directly or through others, on a claim that is false as stated. It says nothing about the claim’s own verdict, "
        f'which does not use the published proof.</p><ul class="legend">{legend}</ul>'
        f'<div class="scroll graph-frame" role="region" aria-label="Graph of what rests on what" tabindex="0">{graph(nodes)}</div>'
        + (f'<h3>On sand</h3><ul class="sand-list">{items}</ul>' if sand else "<p>No claim rests on a false one.</p>")
        + (f'<p class="small">Without an arrow to or from them: {apart}.</p>' if alone else "")
        + "</section>"
    )


def _link(name: str) -> str:
    return f'<a href="#claim-{escape(name)}">{escape(name)}</a>'


def _errata(ledger: Ledger) -> str:
    entries = "".join(_erratum(e) for e in ledger.entries)
    source = escape(latex(ledger.results), quote=False)
    return (
        f'<section id="errata"><h2>Errata</h2><p>{escape(INTRODUCTION, quote=False)}</p>'
        f'<ol class="errata">{entries or "<li>None.</li>"}</ol>'
        '<details class="source" id="errata-latex"><summary>All errata as LaTeX, to be pasted into a revision</summary>'
        f'<button type="button" data-copy="errata-source" hidden>Copy</button><pre id="errata-source">{source}</pre></details></section>'
    )


def _erratum(entry: Erratum) -> str:
    lines = [f"<dt>Claimed</dt><dd>{prose(entry.printed)}</dd>"]
    verdicts = badge(entry.stated) + (
        f" as stated, {badge(entry.argued)} where argued" if entry.argued else " as stated"
    )
    lines.append(f"<dt>Verdict</dt><dd>{verdicts}</dd>")
    if entry.faults:
        lines.append("<dt>What is wrong</dt>" + "".join(f"<dd>{prose(fault_words(f))}</dd>" for f in entry.faults))
    if proof_words(entry):
        lines.append(f"<dt>Its proof</dt><dd>{prose(proof_words(entry))}</dd>")
    if entry.sand:
        lines.append(f"<dt>Rests on what is false</dt><dd>{', '.join(_link(n) for n in entry.sand)}</dd>")
    repairs = "".join(f"<dd>{prose(r.sentence)} {badge(r.status)}</dd>" for r in entry.repairs)
    lines.append(f"<dt>Read instead</dt>{repairs or f'<dd class=quiet>{NONE_KNOWN}</dd>'}")
    return (
        f'<li id="erratum-{escape(entry.id)}"><h3>{escape(entry.place)} <a class="id" href="#claim-{escape(entry.id)}">'
        f"{escape(entry.id)}</a></h3><dl>{''.join(lines)}</dl></li>"
    )


def _foot() -> str:
    from importlib.metadata import PackageNotFoundError, version

    found: list[str] = []
    for name in ("sympy", "python-flint", "numpy", "scipy", "numba", "mpmath"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    made = f"crtools {__version__}, Python {platform.python_version()}, {', '.join(found)}"
    return (
        f"<footer><p>Made by <code>crtools report --html FILE</code> with {escape(made)}. Every verdict is decided anew on every "
        "run; <code>crtools verify --json</code> has the same data.</p></footer>"
    )
