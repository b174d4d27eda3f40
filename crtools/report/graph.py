"""The picture of what rests on what, as inline SVG: computed here, drawn by the browser, no library."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import pairwise

from markupsafe import Markup

from crtools.ledger.evidence import FALSE
from crtools.report.dependencies import Node, reduced
from crtools.report.layout import Layout, components, layered
from crtools.report.marks import SIGNS

CHAR, PAD, BOX, ROW, GAP, EDGE, BETWEEN = 7.6, 13.0, 34.0, 78.0, 16.0, 8.0, 40.0
GROUND = 100.0
"""Width of the words below the id of a claim that rests on a false one."""
WIDEST = 1140.0
"""Groups of claims that nothing joins stand side by side up to this width."""


def connected(nodes: Mapping[str, Node]) -> tuple[list[str], list[str]]:
    """Return the names that have an edge, and those that have none."""
    linked = {name for node in nodes.values() if node.rests_on for name in (node.id, *node.rests_on)}
    return [n for n in nodes if n in linked], [n for n in nodes if n not in linked]


def graph(nodes: Mapping[str, Node]) -> Markup:
    """Return the SVG of the claims that have an edge; every box links to its claim's section."""
    names, _ = connected(nodes)
    if not names:
        return Markup("")
    width = {name: _width(nodes[name]) for name in names}
    edges = reduced(nodes)
    drawn: list[str] = []
    left, top, right, high = EDGE, EDGE, 0.0, 0.0
    for group in components(names, edges):
        layout = layered(group, [e for e in edges if e[0] in group], width, GAP)
        across = max(layout.x[n] + width.get(n, 2.0) / 2 for n in layout.x)
        if left > EDGE and left + across > WIDEST:
            left, top, high = EDGE, top + high + BETWEEN, 0.0
        drawn.append(_group(group, layout, nodes, width, left, top))
        right = max(right, left + across)
        left += across + BETWEEN
        high = max(high, (len(layout.rows) - 1) * ROW + BOX)
    whole = right + EDGE, top + high + EDGE
    false = sum(nodes[n].status in FALSE for n in names)
    on_false = sum(bool(nodes[n].false) for n in names)
    about = (
        f"{len(names)} claims; an arrow leads from a claim down to what its published proof rests on. "
        f"{false} of them are false as stated, {on_false} rest on one that is false where they use it."
    )
    return Markup(
        f'<svg class="graph" viewBox="0 0 {whole[0]:.0f} {whole[1]:.0f}" width="{whole[0]:.0f}" height="{whole[1]:.0f}" '
        f'role="group" aria-labelledby="graph-title graph-about">'
        f'<title id="graph-title">What rests on what</title><desc id="graph-about">{escape(about)}</desc>'
        f"<defs>{_tip('tip')}{_tip('tip-false')}</defs>{''.join(drawn)}</svg>"
    )


def _tip(name: str) -> str:
    size = 'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"'
    return f'<marker id="{name}" {size}><path d="M0,0.8 L7,4 L0,7.2 z"/></marker>'


def _group(
    names: list[str], layout: Layout, nodes: Mapping[str, Node], width: Mapping[str, float], left: float, top: float
) -> str:
    rows = {name: n for n, row in enumerate(layout.rows) for name in row}
    place = {name: (layout.x[name] + left, rows[name] * ROW + top) for name in layout.x}
    lines = "".join(_edge(path, place, nodes) for path in layout.paths)
    return lines + "".join(_box(nodes[n], *place[n], width[n]) for n in names)


def _width(node: Node) -> float:
    return max(CHAR * (len(node.id) + 2), GROUND * bool(node.false)) + 2 * PAD


def _edge(path: list[str], place: Mapping[str, tuple[float, float]], nodes: Mapping[str, Node]) -> str:
    """A smooth line from the lower side of the claim's box to the upper side of the other's."""
    points: list[tuple[float, float]] = []
    for n, name in enumerate(path):
        x, y = place[name]
        points.append((x, y + BOX) if n == 0 else (x, y - 2) if n == len(path) - 1 else (x, y + BOX / 2))
    d = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) / 2
        straight = abs(x0 - x1) < 0.5
        d += f" L{x1:.1f},{y1:.1f}" if straight else f" C{x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}"
    false = path[-1] in [ground.claim for ground in nodes[path[0]].false]
    kind, tip = ("edge to-false", "tip-false") if false else ("edge", "tip")
    return f'<path class="{kind}" d="{d}" marker-end="url(#{tip})"/>'


def _box(node: Node, x: float, y: float, width: float) -> str:
    label = escape(node.id)
    about = f"{node.id}: {node.status} as stated" if node.status != "undecided" else f"{node.id}: not in the ledger"
    if node.false:
        about += "; " + "; ".join(f"rests on {g.claim}, {g.status} at level {g.level}" for g in node.false)
    kind = f"node s-{node.status}" + (" false" if node.status in FALSE else "")
    body = (
        f"<title>{escape(about)}</title>"
        f'<rect x="{x - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BOX:.0f}" rx="6"/>'
        f'<text x="{x:.1f}" y="{y + (15 if node.false else 21):.1f}"><tspan class="sign">{SIGNS[node.status]}</tspan> {label}</text>'
    )
    if node.false:
        body += f'<text class="ground" x="{x:.1f}" y="{y + 28:.1f}">rests on a false one</text>'
    inner = f'<g class="{kind}">{body}</g>'
    return inner if node.status == "undecided" else f'<a href="#claim-{label}">{inner}</a>'
