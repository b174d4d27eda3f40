"""Memory over time on a terminal: boxes of Unicode lines, lost work hatched, the capacity at its line."""

from __future__ import annotations

from crtools.plotting.boxes import Box, Occupancy, ticks

MOST_ROWS, WIDEST_CELL = 12, 6
"""Cells from the bottom to the top, and characters from one instant to the next, at most."""

MARGIN = 7
"""Characters to the left of the axis, itself included."""

LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The sign with arms up (1), right (2), down (4) and left (8), by the sum of these."""

HATCH = "╱"


def text(occupancy: Occupancy, width: int = 80) -> str:
    """Draw an occupancy in lines of at most ``width`` characters: a heading, the boxes, and the axis of time."""
    room = max(width - MARGIN - len(str(occupancy.instants)), 20)
    each = -(-occupancy.instants * 2 // room)  # instants in a cell
    cell = min(WIDEST_CELL, max(2, room * each // occupancy.instants))
    tall = -(-occupancy.tokens // MOST_ROWS)  # tokens in a cell
    columns, rows = -(-occupancy.instants // each), -(-occupancy.tokens // tall)
    owners = _boxes_by_cell(occupancy, each, tall, columns, rows)
    lines = _drawn(owners, cell, rows, columns)
    _number(occupancy, lines, owners, cell)
    parts = [occupancy.name, occupancy.note, "" if occupancy.memory is None else f"M = {occupancy.memory}"]
    if any(attempt.lost for attempt in occupancy.attempts):
        parts.append(f"{HATCH}: lost")
    scaled = [f"{name} in steps of {step}" for name, step in (("time", each), ("tokens", tall)) if step > 1]
    head = ", ".join(filter(None, [*parts, *scaled]))
    top = None if occupancy.memory is None else 2 * (rows - occupancy.memory // tall)
    body = [_left(row, rows, tall, row == top) + "".join(line).rstrip() for row, line in enumerate(lines)]
    return "\n".join([_cut(head, width), *body, *_axis(occupancy, each, cell, columns)])


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"


def _boxes_by_cell(occupancy: Occupancy, each: int, tall: int, columns: int, rows: int) -> dict[tuple[int, int], Box]:
    """Return the box at the middle of each cell (column, row from the bottom)."""
    held = {(column.instant, k): box for box in occupancy.boxes for column in box.columns for k in range(*column[1:])}
    cells = ((column, row) for column in range(columns) for row in range(rows))
    middles = {cell: (cell[0] * each + each // 2 + 1, cell[1] * tall + tall // 2) for cell in cells}
    return {cell: held[middle] for cell, middle in middles.items() if middle in held}


def _drawn(owners: dict[tuple[int, int], Box], cell: int, rows: int, columns: int) -> list[list[str]]:
    """Return the characters: a line of them along each edge of cells and one through their middles."""
    return [[_sign(owners, x, y, cell, rows) for x in range(columns * cell + 1)] for y in range(2 * rows + 1)]


def _sign(owners: dict[tuple[int, int], Box], x: int, y: int, cell: int, rows: int) -> str:
    """Return one character: a part of an outline, or the filling of a box."""
    right, below = x // cell, rows - 1 - y // 2
    left = right if x % cell else right - 1
    above = below if y % 2 else below + 1
    at = {side: owners.get(place) for side, place in _around(left, right, above, below).items()}
    arms = (
        (at["nw"] is not at["ne"]) * 1
        + (at["ne"] is not at["se"]) * 2
        + (at["sw"] is not at["se"]) * 4
        + (at["nw"] is not at["sw"]) * 8
    )
    if arms:
        return LINES[arms]
    box = at["se"]
    return HATCH if box is not None and box.attempt.lost and y % 2 else " "


def _around(left: int, right: int, above: int, below: int) -> dict[str, tuple[int, int]]:
    return {"nw": (left, above), "ne": (right, above), "sw": (left, below), "se": (right, below)}


def _number(occupancy: Occupancy, lines: list[list[str]], owners: dict[tuple[int, int], Box], cell: int) -> None:
    """Write each request's number into the middle of its box, where it has room."""
    rows = (len(lines) - 1) // 2
    for box in occupancy.boxes:
        cells = sorted(cell for cell, owner in owners.items() if owner is box)
        if not cells:
            continue
        middle = cells[len(cells) // 2][0]
        heights = [row for column, row in cells if column == middle]
        y = 2 * (rows - 1 - heights[len(heights) // 2]) + 1
        wide = sum((column, heights[len(heights) // 2]) in cells for column in {column for column, _ in cells})
        number = str(box.attempt.request)
        if len(number) >= wide * cell:
            continue
        centre = middle * cell + cell // 2 - (len(number) - 1) // 2
        if all(lines[y][centre + n] in f" {HATCH}" for n in range(len(number))):
            lines[y][centre : centre + len(number)] = number


def _left(line: int, rows: int, tall: int, capacity: bool) -> str:
    """Return the left margin of a line: the tokens at its height, and the axis."""
    height = (rows - line // 2) * tall
    labelled = line % 2 == 0 and height in ticks(rows * tall, 6)
    return f"{'M ' if capacity else '':>2}{height if labelled or capacity else '':>{MARGIN - 4}} {'╞' if capacity else '│'}"


def _axis(occupancy: Occupancy, each: int, cell: int, columns: int) -> list[str]:
    """Return the axis of time and its numbers."""
    numbers = [" "] * (columns * cell + 6)
    for t in ticks(occupancy.instants, max(1, min(12, columns * cell // 5))):
        if t % each == 0:
            place = t // each * cell
            numbers[place : place + len(str(t))] = str(t)
    return [" " * (MARGIN - 1) + "└" + "─" * (columns * cell + 1), " " * MARGIN + "".join(numbers).rstrip()]
