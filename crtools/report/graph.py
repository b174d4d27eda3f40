"""What rests on what as a drawing: claims in columns, what a proof uses to the left of it, each a link to its card."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from markupsafe import Markup

from crtools.report.dependencies import Node
from crtools.report.marks import SIGNS, word

WIDE, HIGH = 150, 26
"""Of a box."""

ACROSS, DOWN = 226, 40
"""From a box to the next one in a row, and in a column."""

LETTERS = 17
"""Of a name that fits a box; a longer one is cut, and whole in its title."""

Place = tuple[int, int]


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


def places(uses: Mapping[str, tuple[str, ...]]) -> dict[str, Place]:
    """Return the corner of each box: in its column, near the middle of those that it uses."""
    column = ranks(uses)
    found: dict[str, Place] = {}
    for rank in range(max(column.values(), default=-1) + 1):
        own = [name for name in uses if column[name] == rank]
        heights = {name: [found[ground][1] for ground in uses[name] if ground in found] for name in own}
        wanted = {name: sum(ys) / len(ys) if (ys := heights[name]) else place * DOWN for place, name in enumerate(own)}
        free = 0
        for name in sorted(own, key=lambda name: wanted[name]):
            y = max(free, round(wanted[name]))
            found[name] = (rank * ACROSS, y)
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
    lines = [
        _line(at[own], at[name], (name, own) in false, f"{own} {name}")
        for name, grounds in uses.items()
        for own in grounds
    ]
    boxes = [_box(nodes[name], at[name]) for name in uses]
    size = f'viewBox="-4 -4 {width + WIDE + 8} {height + HIGH + 8}" width="{width + WIDE + 8}" height="{height + HIGH + 8}"'
    return Markup(
        f'<div class="scroll"><svg class="graph" {size} role="group" aria-label="What rests on what">'
        f"{''.join(lines)}{''.join(boxes)}</svg></div>"
    )


def _line(start: Place, end: Place, false: bool, between: str) -> str:
    x, y, right, below = start[0] + WIDE, start[1] + HIGH // 2, end[0], end[1] + HIGH // 2
    bend = max((right - x) // 2, 30)
    kind = ' class="false"' if false else ""
    path = f"M{x},{y}C{x + bend},{y} {right - bend},{below} {right},{below}"
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
