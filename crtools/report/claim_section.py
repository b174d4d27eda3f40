"""One claim in full: statement, verdicts with their parts and evidence, proof, relations, figure, and how to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from crtools.ledger.result import ClaimResult, Part, Verdict
from crtools.report.dependencies import FALSE, Node, used_by
from crtools.report.evidence import Shown, evidence
from crtools.report.figures import Figures
from crtools.report.marks import badge
from crtools.report.maths import prose

SCOPES = {"as-stated": "As stated", "where-argued": "Where argued"}


def claim_section(
    result: ClaimResult, nodes: Mapping[str, Node], figures: Figures, drawn: dict[str, str], shown: Shown
) -> str:
    """Return a claim's section. ``drawn`` and ``shown`` remember which figures and proofs stand above."""
    node, name = nodes[result.id], escape(result.id)
    two = len(result.verdicts) > 1
    argued = f'<span class="of">where argued {badge(result.verdicts[1].status)}</span>' if two else ""
    head = (
        f'<header><h3><a href="#claim-{name}">{name}</a></h3><span class="place">{escape(result.place)}</span>'
        f'<span class="of">as stated {badge(result.verdicts[0].status)}</span>{argued}'
        f'<span class="of">its proof {badge(result.proof.state)}</span></header>'
    )
    body = f'<blockquote class="statement">{prose(result.statement)}</blockquote>'
    body += _verdicts(result, shown) + _proof(result, node) + _repairs(result) + _relations(node, nodes)
    body += _figure(result.id, figures, drawn) + _command(result)
    return f'<article class="claim" id="claim-{name}">{head}{body}<p class="top"><a href="#ledger">Back to the ledger</a></p></article>'


def _verdicts(result: ClaimResult, shown: Shown) -> str:
    first = {p.part: p for p in result.verdicts[0].parts}
    blocks: list[str] = []
    for number, verdict in enumerate(result.verdicts):
        known = first if number else {}
        blocks.append(_verdict(verdict, known, shown))
    return "".join(blocks)


def _verdict(verdict: Verdict, known: Mapping[str, Part], shown: Shown) -> str:
    rows = [("Why", prose(verdict.why)), ("Reading", prose(verdict.reading)), ("Method", prose(verdict.method))]
    if verdict.uses:
        rows.append(("Uses", escape(", ".join(verdict.uses))))
    if verdict.degenerate:
        rows.append(("Does not count", "<br>".join(prose(d) for d in verdict.degenerate)))
    facts = "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in rows)
    parts = "".join(_part(p, _seen(p, verdict.parts[:n], known), shown) for n, p in enumerate(verdict.parts))
    return (
        f'<section class="verdict"><h4>{SCOPES[verdict.scope]}: {badge(verdict.status)}</h4><dl>{facts}</dl>'
        f'<ul class="parts">{parts}</ul></section>'
    )


def _seen(part: Part, before: tuple[Part, ...], known: Mapping[str, Part]) -> str:
    """Return where a part's evidence stands already, empty where it does not.

    Two searches without a hit may look alike and be different; a counterexample or a proof that is the same is the same.
    """
    if known.get(part.part) == part:
        return "as above"
    if not part.evidence.keys() & {"counterexample", "steps"}:
        return ""
    same = next((x.part for x in before if x.status == part.status and x.evidence == part.evidence), "")
    return same and f"with the same evidence as “{same}”"


def _part(part: Part, seen: str, shown: Shown) -> str:
    title = f"{badge(part.status)} {prose(part.part)}"
    if seen:
        return f'<li>{title} <span class="quiet">({prose(seen)})</span></li>'
    body = evidence(part, shown)
    if part.status in FALSE or not body:
        return f'<li class="open">{title}<div class="evidence">{body}</div></li>'
    return f'<li><details class="part"><summary>{title}</summary><div class="evidence">{body}</div></details></li>'


def _proof(result: ClaimResult, node: Node) -> str:
    step = f": {prose(result.proof.step)}" if result.proof.step else ""
    text = f"<h4>The published proof</h4><p>{badge(result.proof.state)}{step}</p>"
    if node.sand:
        text += f'<p class="on-sand-note"><strong>It stands on sand:</strong> it rests on {_links(node.sand)}, false as stated.</p>'
    return text


def _repairs(result: ClaimResult) -> str:
    rows = "".join(
        f"<li><div>{badge(r.status)} {prose(r.sentence)}</div><div class=small>by: {'; '.join(prose(p.part) for p in r.parts)}</div></li>"
        for r in result.standing_repairs
    )
    return f'<h4>What may stand in its place</h4><ul class="repairs">{rows}</ul>' if rows else ""


def _relations(node: Node, nodes: Mapping[str, Node]) -> str:
    users = used_by(nodes, node.id)
    if not node.rests_on and not users:
        return ""
    below = _marked(node.rests_on, nodes) if node.rests_on else "nothing in the ledger"
    above = _marked(users, nodes) if users else "nothing in the ledger"
    return f'<dl class="relations"><dt>Its published proof rests on</dt><dd>{below}</dd><dt>Used by</dt><dd>{above}</dd></dl>'


def _marked(names: tuple[str, ...], nodes: Mapping[str, Node]) -> str:
    return " ".join(
        f'<span class="of">{_links((n,)) if nodes[n].status != "undecided" else escape(n)} {badge(nodes[n].status)}</span>'
        for n in names
    )


def _links(names: tuple[str, ...]) -> str:
    return ", ".join(f'<a href="#claim-{escape(n)}">{escape(n)}</a>' for n in names)


def _figure(claim: str, figures: Figures, drawn: dict[str, str]) -> str:
    name = figures.of(claim)
    if not name:
        return ""
    if name in drawn:
        return f'<p class="small">Figure: <a href="#figure-{escape(name)}">{escape(name)}, under {escape(drawn[name])}</a>.</p>'
    drawn[name] = claim
    return (
        f'<figure class="plot" id="figure-{escape(name)}"><img alt="Figure {escape(name)}" src="{figures.uri(name)}">'
        f"<figcaption>Drawn by <code>crtools figure {escape(name)}</code>.</figcaption></figure>"
    )


def _command(result: ClaimResult) -> str:
    given = "".join(
        f"<tr><th scope=row><code>{escape(k)}</code></th><td><code>{escape(v)}</code></td></tr>"
        for k, v in result.given.items()
    )
    table = (
        '<details class="given"><summary>Its values, each of which can be replaced with <code>--set NAME=VALUE</code></summary>'
        f'<table class="facts"><tbody>{given}</tbody></table></details>'
        if given
        else ""
    )
    return f'<h4>Repeat it</h4><pre class="command"><code>crtools verify {escape(result.id)} --show</code></pre>{table}'
