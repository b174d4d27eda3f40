"""A layered layout of a graph: rows by depth, few crossings, straight lines where they are possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

SWEEPS = 24


@dataclass
class Layout:
    """``rows``: names from the top, real ones and the bends of long edges. ``x``: the centre of each name.

    ``paths``: for each edge the names that its line passes, from the claim down to what it rests on.
    """

    rows: list[list[str]]
    x: dict[str, float] = field(default_factory=dict[str, float])
    paths: list[list[str]] = field(default_factory=list[list[str]])


def layered(names: Sequence[str], edges: Sequence[tuple[str, str]], width: Mapping[str, float], gap: float) -> Layout:
    """Return a layout in which every edge (upper, lower) goes down by at least one row.

    ``width``: the width of each name's box; ``gap``: the least space between boxes. An edge that closes a circle is
    drawn as it comes. The result depends on its arguments only.
    """
    depth = _depths(names, edges)
    deepest = max(depth.values(), default=0)
    rows: list[list[str]] = [[n for n in names if depth[n] == d] for d in range(deepest, -1, -1)]
    level = {n: deepest - depth[n] for n in names}
    paths: list[list[str]] = []
    for number, (upper, lower) in enumerate(edges):
        bends = [f"bend {number} {row}" for row in range(level[upper] + 1, level[lower])]
        for row, bend in enumerate(bends, start=level[upper] + 1):
            rows[row].append(bend)
        paths.append([upper, *bends, lower])
    links = [pair for path in paths for pair in pairwise(path)]
    _order(rows, links)
    layout = Layout(rows, paths=paths)
    bends_only = {name for path in paths for name in path[1:-1]}
    weight = {(a, b): 1.0 + 3.0 * (a in bends_only) + 3.0 * (b in bends_only) for a, b in links}
    layout.x = _places(rows, weight, {n: width.get(n, 2.0) for row in rows for n in row}, gap)
    return layout


def components(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the names in groups that no edge joins, the largest group first."""
    group = {name: {name} for name in names}
    for a, b in edges:
        if group[a] is not group[b]:
            joined = group[a] | group[b]
            for name in joined:
                group[name] = joined
    found: list[list[str]] = []
    for name in names:
        own = [n for n in names if n in group[name]]
        if own not in found:
            found.append(own)
    return sorted(found, key=len, reverse=True)


def _depths(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the length of the longest way down from each name, then pull lonely foundations up to their users."""
    depth = dict.fromkeys(names, 0)
    for _ in names:  # a longest way has fewer edges than there are names; with a circle this stops all the same
        for upper, lower in edges:
            depth[upper] = min(max(depth[upper], depth[lower] + 1), len(names))
    rests = {upper for upper, _ in edges}
    for name in names:
        above = [depth[upper] for upper, lower in edges if lower == name]
        if name not in rests and above:
            depth[name] = max(min(above) - 1, 0)
    used = sorted(set(depth.values()))
    return {name: used.index(d) for name, d in depth.items()}


def _neighbours(links: Sequence[tuple[str, str]]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    up: dict[str, list[str]] = {}
    down: dict[str, list[str]] = {}
    for upper, lower in links:
        down.setdefault(upper, []).append(lower)
        up.setdefault(lower, []).append(upper)
    return up, down


def _order(rows: list[list[str]], links: Sequence[tuple[str, str]]) -> None:
    """Sort each row by the mean place of its neighbours, downwards and upwards in turn; keep the order with fewest crossings."""
    up, down = _neighbours(links)
    best, least = [list(row) for row in rows], _crossings(rows, links)
    for sweep in range(SWEEPS):
        toward = up if sweep % 2 == 0 else down
        for row in rows if sweep % 2 == 0 else reversed(rows):
            place = {name: n for other in rows for n, name in enumerate(other)}
            means = {name: _mean([place[o] for o in toward.get(name, [])], place[name]) for name in row}
            row.sort(key=lambda name: means[name])
        now = _crossings(rows, links)
        if now < least:
            best, least = [list(row) for row in rows], now
    for row, kept in zip(rows, best, strict=True):
        row[:] = kept


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _centre(values: Sequence[tuple[float, float]], otherwise: float) -> float:
    return sum(v * w for v, w in values) / sum(w for _, w in values) if values else otherwise


def _crossings(rows: Sequence[Sequence[str]], links: Sequence[tuple[str, str]]) -> int:
    row_of = {name: n for n, row in enumerate(rows) for name in row}
    place = {name: n for row in rows for n, name in enumerate(row)}
    count = 0
    for n, (a, b) in enumerate(links):
        for c, d in links[n + 1 :]:
            if row_of[a] == row_of[c] and row_of[b] == row_of[d]:
                count += (place[a] - place[c]) * (place[b] - place[d]) < 0
    return count


def _places(
    rows: Sequence[Sequence[str]], weight: Mapping[tuple[str, str], float], width: Mapping[str, float], gap: float
) -> dict[str, float]:
    """Return centres: near the mean of the neighbours, in the row's order, never closer than the boxes allow.

    ``weight``: how strongly the two ends of a line pull; more along a long edge, which is to be straight.
    """
    pulls: dict[str, list[tuple[str, float]]] = {}
    for (a, b), strength in weight.items():
        pulls.setdefault(a, []).append((b, strength))
        pulls.setdefault(b, []).append((a, strength))
    x: dict[str, float] = {}
    for row in rows:
        at = 0.0
        for name in row:
            x[name] = at + width[name] / 2
            at += width[name] + gap
    for sweep in range(2 * SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [_centre([(x[o], strength) for o, strength in pulls.get(n, ())], x[n]) for n in row]
            for name, centre in zip(row, _apart(row, wanted, width, gap), strict=True):
                x[name] = centre
    left = min((x[n] - width[n] / 2 for n in x), default=0.0)
    return {name: value - left for name, value in x.items()}


def _apart(row: Sequence[str], wanted: Sequence[float], width: Mapping[str, float], gap: float) -> list[float]:
    """Return the centres nearest to the wanted ones (least squares) that keep the order and the distances.

    With the distances subtracted the centres must not decrease, so neighbours that do are pooled to their mean.
    """
    offsets = [0.0]
    for a, b in pairwise(row):
        offsets.append(offsets[-1] + (width[a] + width[b]) / 2 + gap)
    pools: list[tuple[float, int]] = []
    for value, offset in zip(wanted, offsets, strict=True):
        pools.append((value - offset, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, m), (b, n) = pools[-2:]
            pools[-2:] = [((a * m + b * n) / (m + n), m + n)]
    flat = [mean for mean, count in pools for _ in range(count)]
    return [value + offset for value, offset in zip(flat, offsets, strict=True)]
