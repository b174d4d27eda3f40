"""The claims that each published proof rests on, which of these are false where they are used, and a drawing of all as SVG.

Claims stand in columns, the claims that a proof uses to its left. Each is a link, unless it is not among the results.
The class ``s-STATUS`` of a box has its colour and border in ``templates/page.css``. ``page.py`` and ``errata.py``
use this module; tests/report/test_graph.py tests the drawing, tests/report/test_page.py ``dependencies``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, pairwise

from markupsafe import Markup

from crtools.ledger.claim import ClaimResult
from crtools.ledger.display.words import SIGNS, word
from crtools.ledger.evidence import FALSE
from crtools.ledger.verdict import Verdict


@dataclass(frozen=True)
class Node:
    """A claim in the graph. ``status``: that of its verdict at the level where it is stated, or ``undecided``.

    ``rests_on``: the claims that its published proof uses. ``false``: the verdicts by which some are false, at the level at
    which this claim is stated, or at their own where they have no verdict there.
    """

    id: str
    status: str
    rests_on: tuple[str, ...]
    false: tuple[Verdict, ...]
    used_by: tuple[str, ...]


def dependencies(results: Sequence[ClaimResult]) -> dict[str, Node]:
    """Return a node for every claim and for every claim that it rests on, in the ledger's order."""
    by_id = {r.id: r for r in results}
    names = dict.fromkeys([*by_id, *(name for r in results for name in r.rests_on)])
    nodes: dict[str, Node] = {}
    for name in names:
        used_by = tuple(r.id for r in results if name in r.rests_on)
        nodes[name] = Node(name, "undecided", (), (), used_by)
        if result := by_id.get(name):
            level, others = result.stated_at, [by_id[other] for other in result.rests_on if other in by_id]
            used = {other.id: other.at(level) if level in other.levels else other.stated for other in others}
            false = tuple(replace(verdict, claim=id) for id, verdict in used.items() if verdict.status in FALSE)
            nodes[name] = Node(name, result.stated.status, result.rests_on, false, used_by)
    return nodes


WIDE, HIGH = 164, 26
"""Pixels of a box."""

ACROSS, DOWN = 240, 40
"""Pixels from a box to the next one in a row and in a column."""

LETTERS = 19
"""Letters of a name that fit into a box; a longer name is shortened, and complete in its title."""

Corner = tuple[int, int]

Crossing = tuple[str, str, int]
"""(from, to, column): where the line between two claims passes a column that lies between them."""


def linked(nodes: Mapping[str, Node]) -> dict[str, tuple[str, ...]]:
    """Return the claims with dependencies, each with those that its published proof uses."""
    return {node.id: node.rests_on for node in nodes.values() if node.rests_on or node.used_by}


def columns(uses: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return the column of each claim: one more than the last of those that it uses. Of a circle one line runs back."""
    numbers: dict[str, int] = {}

    def rank(name: str, above: frozenset[str]) -> int:
        if name not in numbers:
            used = [other for other in uses[name] if other not in above]
            numbers[name] = 1 + max((rank(other, above | {name}) for other in used), default=-1)
        return numbers[name]

    for name in uses:
        rank(name, frozenset({name}))
    return numbers


def ways(uses: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, str], list[str | Crossing]]:
    """Return the line between each claim and one that uses it: from box to box, through the columns between."""
    column = columns(uses)
    return {
        (used, name): [used, *((used, name, rank) for rank in range(column[used] + 1, column[name])), name]
        for name, grounds in uses.items()
        for used in grounds
    }


def corners_of(uses: Mapping[str, tuple[str, ...]]) -> dict[str | Crossing, Corner]:
    """Return the corner of each box and crossing: in its column, near the mean height of the boxes that it comes from."""
    column = columns(uses)
    sources: dict[str | Crossing, list[str | Crossing]] = {name: [] for name in uses}
    for source, target in chain.from_iterable(map(pairwise, ways(uses).values())):
        sources.setdefault(target, []).append(source)
    corners: dict[str | Crossing, Corner] = {}
    for rank in range(max(column.values(), default=-1) + 1):
        keys = [key for key in sources if (column[key] if isinstance(key, str) else key[2]) == rank]
        heights = {key: [corners[source][1] for source in sources[key] if source in corners] for key in keys}
        wanted = {key: sum(ys) / len(ys) if (ys := heights[key]) else n * DOWN for n, key in enumerate(keys)}
        free = 0
        for key in sorted(keys, key=lambda key: wanted[key]):
            y = max(free, round(wanted[key]))
            corners[key] = (rank * ACROSS, y)
            free = y + DOWN
    return corners


def graph(nodes: Mapping[str, Node]) -> Markup:
    """Return the drawing as SVG: boxes with the sign and colour of their verdict, joined to the claims that they use.

    A line from a claim that is false where it is used is dashed. Empty where no claim rests on another.
    """
    uses = linked(nodes)
    corners = corners_of(uses)
    if not corners:
        return Markup()
    width, height = (max(corner[axis] for corner in corners.values()) for axis in (0, 1))
    false = {(ground.claim, name) for name in uses for ground in nodes[name].false}
    lines = [_line([corners[key] for key in way], ends in false, " ".join(ends)) for ends, way in ways(uses).items()]
    boxes = [_box(nodes[name], corners[name]) for name in uses]
    size = f'viewBox="-4 -4 {width + WIDE + 8} {height + HIGH + 8}" width="{width + WIDE + 8}" height="{height + HIGH + 8}"'
    return Markup(
        f'<div class="scroll"><svg class="graph" {size} role="group" aria-label="What rests on what">'
        f"{''.join(lines)}{''.join(boxes)}</svg></div>"
    )


def _line(way: Sequence[Corner], false: bool, between: str) -> str:
    path = ""
    for (x, y), (right, below) in pairwise(way):
        start, middle, end = x + WIDE, y + HIGH // 2, below + HIGH // 2
        bend = max((right - start) // 2, 30)
        path += f"{'L' if path else 'M'}{start},{middle}C{start + bend},{middle} {right - bend},{end} {right},{end}"
    kind = ' class="false"' if false else ""
    return f'<path{kind} data-between="{escape(between)}" d="{path}"/>'


def _box(node: Node, corner: Corner) -> str:
    x, y = corner
    short = node.id if len(node.id) <= LETTERS else f"{node.id[: LETTERS - 1]}…"
    box = (
        f'<rect class="s-{node.status}" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="4"/>'
        f'<text x="{x + 9}" y="{y + 17}"><tspan class="sign s-{node.status}">{SIGNS[node.status]}</tspan> {escape(short)}</text>'
    )
    about = escape(f"{node.id}: {word(node.status)}")
    if node.status == "undecided":
        return f'<g data-claim="{escape(node.id)}"><title>{about}</title>{box}</g>'
    return f'<a href="#claim-{escape(node.id)}" data-claim="{escape(node.id)}" aria-label="{about}"><title>{about}</title>{box}</a>'
