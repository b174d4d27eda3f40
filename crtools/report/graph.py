"""What rests on what as a drawing: claims in columns, what a proof uses to the left of it, each a link to its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from markupsafe import Markup

from crtools.ledger.display.status_marks import SIGNS, word
from crtools.report.dependencies import Node

WIDE, HIGH = 164, 26
"""Of a box."""

ACROSS, DOWN = 240, 40
"""From a box to the next one in a row, and in a column."""

LETTERS = 19
"""Of a name that fits a box; a longer one is cut, and whole in its title."""

Place = tuple[int, int]

Lane = tuple[str, str, int]
"""Where the line from one claim to another passes a column that lies between them, in a place of its own."""


def ties(nodes: Mapping[str, Node]) -> dict[str, tuple[str, ...]]:
    """Return the claims that are tied to others, each with those that its published proof uses."""
    return {node.id: node.rests_on for node in nodes.values() if node.rests_on or node.used_by}


def ranks(uses: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return the column of each claim: one more than the last of those that it uses. A circle's claims stand in one."""
    found: dict[str, int] = {}

    def rank(name: str, above: frozenset[str]) -> int:
        if name not in found:
            grounds = [own for own in uses[name] if own not in above]
            found[name] = 1 + max((rank(own, above | {name}) for own in grounds), default=-1)
        return found[name]

    for name in uses:
        rank(name, frozenset({name}))
    return found


def lanes(own: str, name: str, column: Mapping[str, int]) -> list[Lane]:
    """Return what a line passes from a claim to the one that uses it."""
    return [(own, name, rank) for rank in range(column[own] + 1, column[name])]


def places(uses: Mapping[str, tuple[str, ...]]) -> dict[str | Lane, Place]:
    """Return the corner of each box and lane: in its column, near the middle of what it comes from."""
    column = ranks(uses)
    comes: dict[str | Lane, list[str | Lane]] = {name: [] for name in uses}
    for name, grounds in uses.items():
        for own in grounds:
            *before, last = own, *lanes(own, name, column)
            comes |= {lane: [source] for lane, source in zip([*before, last][1:], before, strict=True)}
            comes[name].append(last)
    found: dict[str | Lane, Place] = {}
    for rank in range(max(column.values(), default=-1) + 1):
        own = [key for key in comes if (column[key] if isinstance(key, str) else key[2]) == rank]
        heights = {key: [found[source][1] for source in comes[key] if source in found] for key in own}
        wanted = {key: sum(ys) / len(ys) if (ys := heights[key]) else place * DOWN for place, key in enumerate(own)}
        free = 0
        for key in sorted(own, key=lambda key: wanted[key]):
            y = max(free, round(wanted[key]))
            found[key] = (rank * ACROSS, y)
            free = y + DOWN
    return found


def graph(nodes: Mapping[str, Node]) -> Markup:
    """Return the drawing as SVG: boxes in the colour of their verdict, with its sign, and a line to each from what it uses.

    A line from what is false where it is used is dashed. Empty where no claim rests on another.
    """
    uses = ties(nodes)
    at = places(uses)
    if not at:
        return Markup()
    width, height = (max(place[axis] for place in at.values()) for axis in (0, 1))
    false = {(name, ground.claim) for name in uses for ground in nodes[name].false}
    column = ranks(uses)
    lines = [
        _line([at[key] for key in (own, *lanes(own, name, column), name)], (name, own) in false, f"{own} {name}")
        for name, grounds in uses.items()
        for own in grounds
    ]
    boxes = [_box(nodes[name], at[name]) for name in uses]
    size = f'viewBox="-4 -4 {width + WIDE + 8} {height + HIGH + 8}" width="{width + WIDE + 8}" height="{height + HIGH + 8}"'
    return Markup(
        f'<div class="scroll"><svg class="graph" {size} role="group" aria-label="What rests on what">'
        f"{''.join(lines)}{''.join(boxes)}</svg></div>"
    )


def _line(way: Sequence[Place], false: bool, between: str) -> str:
    path = ""
    for (x, y), (right, below) in pairwise(way):
        start, middle, end = x + WIDE, y + HIGH // 2, below + HIGH // 2
        bend = max((right - start) // 2, 30)
        path += f"{'L' if path else 'M'}{start},{middle}C{start + bend},{middle} {right - bend},{end} {right},{end}"
    kind = ' class="false"' if false else ""
    return f'<path{kind} data-between="{escape(between)}" d="{path}"/>'


def _box(node: Node, place: Place) -> str:
    x, y = place
    short = node.id if len(node.id) <= LETTERS else f"{node.id[: LETTERS - 1]}…"
    box = (
        f'<rect class="s-{node.status}" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4"/>'
        f'<text x="{x + 9}" y="{y + 17}"><tspan class="sign s-{node.status}">{SIGNS[node.status]}</tspan> {escape(short)}</text>'
    )
    about = escape(f"{node.id}: {word(node.status)}")
    if node.status == "undecided":
        return f'<g data-claim="{escape(node.id)}"><title>{about}</title>{box}</g>'
    return f'<a href="#claim-{escape(node.id)}" data-claim="{escape(node.id)}" aria-label="{about}"><title>{about}</title>{box}</a>'
