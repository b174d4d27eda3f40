"""Memory over time as SVG: an outline for each attempt, its prompt darker at the foot, lost work hatched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING

from crtools.plotting.boxes import COLOURS, Box, Scale, ticks

if TYPE_CHECKING:
    from crtools.plotting.occupancy import Picture

LEFT, TOP, BOTTOM, RIGHT = 34.0, 16.0, 34.0, 12.0
WIDE, HIGH = 300.0, 150.0
SMALLEST = 9.0
"""A box of fewer pixels has no number."""

LETTER = 6.6
"""The width of a letter of the title, about; a title that would be wider than the drawing is set narrower."""

STYLE = (
    ".schedule text{font:11px/1 system-ui,sans-serif;fill:#222;text-anchor:middle}"
    ".schedule .title{font-weight:600;text-anchor:start}.schedule .tick{fill:#555}"
    ".schedule .tick.left,.schedule .limit{text-anchor:end}.schedule .limit{fill:#a3262a;font-weight:600}"
    ".schedule .block{stroke:#333;stroke-width:.8}.schedule .prompt{fill:rgb(0 0 0/16%);stroke:none}"
    ".schedule .hatch{fill:none;stroke:#333;stroke-width:.8}.schedule .axis{fill:none;stroke:#555}"
    ".schedule .capacity{stroke:#a3262a;stroke-width:1.6;stroke-dasharray:6 3}"
) + "".join(f".schedule .c{n}{{fill:{colour}}}" for n, colour in enumerate(COLOURS))
"""For a drawing that stands alone; a report has its own, with the same classes."""

Place = Callable[[float, float], tuple[float, float]]
"""From (time, tokens) to the drawing's own units."""


def alone(own: Picture) -> str:
    """Return a drawing with its style, and with its name and its total latency above it."""
    title = "; ".join(filter(None, (own.name, own.note)))
    narrow = f' textLength="{WIDE:.0f}" lengthAdjust="spacingAndGlyphs"' if len(title) * LETTER > WIDE + RIGHT else ""
    above = f'<style>{STYLE}</style><text class="title" x="{LEFT}" y="-4"{narrow}>{escape(title)}</text>'
    drawing = svg(own, own.name, Scale(own.instants, own.tokens), above, 14)
    return drawing.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def svg(own: Picture, name: str, scale: Scale, above: str = "", margin: int = 0) -> str:
    """Return a picture as an SVG on a scale, for a page of HTML; ``name``: for those who hear it; ``above``: what is drawn before it."""
    across, up = WIDE / scale.instants, HIGH / (scale.tokens + 0.5)
    base, end = TOP + HIGH, LEFT + WIDE

    def place(time: float, tokens: float) -> tuple[float, float]:
        return LEFT + time * across, base - tokens * up

    parts = [above, *(_block(box, place) for box in own.boxes)]
    parts += [f'<path class="block prompt" d="{d}"/>' for d in _feet(own.boxes, place) if d]
    parts += [f'<path class="hatch" d="{_hatch(box, place)}"/>' for box in own.boxes if box.attempt.lost]
    parts += [_number(box, place) for box in own.boxes if _roomy(box, across, up)]
    if own.memory is not None:
        line = place(0, own.memory)[1]
        parts.append(f'<path class="capacity" d="M{LEFT:.1f},{line:.1f} H{end:.1f}"/>')
        parts.append(f'<text class="limit" x="{end:.1f}" y="{line - 4:.1f}">M = {own.memory}</text>')
    parts.append(f'<path class="axis" d="M{LEFT:.1f},{TOP:.1f} V{base:.1f} H{end:.1f}"/>')
    for t in ticks(scale.instants, 12):
        parts.append(f'<text class="tick" x="{place(t, 0)[0]:.1f}" y="{base + 14:.1f}">{t}</text>')
    for k in ticks(scale.tokens, 6):
        parts.append(f'<text class="tick left" x="{LEFT - 5:.1f}" y="{place(0, k)[1] + 4:.1f}">{k}</text>')
    parts.append(f'<text class="tick" x="{LEFT + WIDE / 2:.1f}" y="{base + 29:.1f}">time</text>')
    parts.append(f'<text class="tick" transform="translate(9,{TOP + HIGH / 2:.1f}) rotate(-90)">tokens held</text>')
    held = "" if own.memory is None else f", M = {own.memory}"
    requests = len({attempt.request for attempt in own.attempts})
    about = f"{name}: memory over time, {requests} requests{held}, {own.note}".rstrip(", ")
    return (
        f'<svg class="schedule" viewBox="0 {-margin} {end + RIGHT:.0f} '
        f'{base + BOTTOM + margin:.0f}" role="img" aria-label="{escape(about)}" style="max-width:640px">{"".join(parts)}</svg>'
    )


def _block(box: Box, place: Place) -> str:
    kind = f"c{box.attempt.request % len(COLOURS)}" + (" lost" if box.attempt.lost else "")
    return f'<path class="block {kind}" d="{_path(box.outline, place)}"/>'


def _feet(boxes: Iterable[Box], place: Place) -> Iterable[str]:
    """Yield the prompts as one path."""
    yield "".join(_path(_foot(box), place) for box in boxes if box.attempt.prompt)


def _foot(box: Box) -> list[tuple[int, int]]:
    lower = tuple(own._replace(top=own.bottom + box.attempt.prompt) for own in box.columns)
    return Box(box.attempt, lower).outline


def _hatch(box: Box, place: Place) -> str:
    """Return a stroke across each column, a token long, for every second token."""
    lines = [
        (place(t - 1, k), place(t, min(k + 1, top))) for t, bottom, top in box.columns for k in range(bottom, top, 2)
    ]
    return "".join(f"M{x:.1f},{y:.1f}L{right:.1f},{above:.1f}" for (x, y), (right, above) in lines)


def _number(box: Box, place: Place) -> str:
    x, y = place(*box.middle)
    return f'<text class="who" x="{x:.1f}" y="{y + 4:.1f}">{box.attempt.request}</text>'


def _roomy(box: Box, across: float, up: float) -> bool:
    _, bottom, top = box.columns[len(box.columns) // 2]
    return across * len(box.columns) >= SMALLEST and (top - bottom) * up >= SMALLEST


def _path(corners: Iterable[tuple[float, float]], place: Place) -> str:
    points = [place(*corner) for corner in corners]
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points) + "z"
