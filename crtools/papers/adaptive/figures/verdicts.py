"""Every claim's verdict at every level, as tiles."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from crtools.ledger import verify
from crtools.ledger.cache import default_folder
from crtools.ledger.display.words import SIGNS
from crtools.ledger.registry import load
from crtools.numeric_types import JsonObject
from crtools.plotting.figure import Figure, columns
from crtools.plotting.sheet import Sheet

COLOURS = {
    "proved": "#0072B2", "certified": "#56B4E9", "supported": "#CFE3F1", "contradicted": "#F6C9A0", "refuted": "#D55E00",
    "inconclusive": "#DDDDDD",
}  # fmt: skip
"""Colours of the tiles; each tile has its sign too."""

ACROSS = 2
"""Tables of tiles side by side."""


def verdicts(progress: Callable[..., Any]) -> Figure:
    """Decide the claims of this ledger, or read their results from the cache, and return the figure."""
    bar = None if progress is iter else progress  # verify also passes the number of results, which iter does not take
    results = verify(ledger="adaptive", cache=default_folder(), progress=bar)
    levels = [level.id for level in load("adaptive").levels]
    accepted = load("adaptive").accepted()
    rows = [
        {"claim": r.id, "place": r.place, "stated_at": r.stated_at, "words": r.stated.mark(accepted)}
        | {level: r.at(level).status if level in r.levels else "" for level in levels}
        for r in results
    ]
    counts = {level: Counter(row[level] for row in rows) for level in levels}
    fits = {level: {"text": ", ".join(f"{n[status]} {status}" for status in COLOURS)} for level, n in counts.items()}
    return Figure("verdicts", columns(rows), partial(_draw, rows=rows, levels=levels), fits)


def _sign(row: JsonObject, level: str) -> str:
    """Return the sign of a verdict, and where the claim is stated what it rests on."""
    return f"{SIGNS[row[level]]}  {row['words']}" if row["stated_at"] == level else SIGNS[row[level]]


def _draw(sheet: Sheet, rows: list[JsonObject], levels: list[str]) -> Any:
    from matplotlib.patches import Patch, Rectangle

    page = sheet.canvas(7.6, 7.2)
    each = -(-len(rows) // ACROSS)
    for axis, start in zip(page.subplots(1, ACROSS), range(0, len(rows), each), strict=True):
        part = rows[start : start + each]
        for y, row in enumerate(part):
            for x, level in enumerate(levels):
                stated = row["stated_at"] == level
                if status := row[level]:
                    axis.add_patch(Rectangle((x, y), 0.94, 0.86, fc=COLOURS.get(status, "#DDDDDD"), ec="none"))
                    axis.text(
                        x + 0.47, y + 0.43, _sign(row, level), ha="center", va="center", fontsize="small",
                        color="white" if status in ("proved", "refuted") else "black", fontweight="bold" if stated else "normal",
                    )  # fmt: skip
                if stated:
                    axis.add_patch(Rectangle((x, y), 0.94, 0.86, fc="none", ec="black", lw=1.4))
        axis.set(xlim=(-0.05, len(levels)), ylim=(each, -0.05))
        axis.set_yticks([y + 0.43 for y in range(len(part))], [row["claim"] for row in part], fontsize="small")
        axis.set_xticks(
            [x + 0.47 for x in range(len(levels))], [level.replace("-", "\n", 1) for level in levels], fontsize="small"
        )
        axis.xaxis.tick_top()
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
    used = [status for status in COLOURS if any(row[level] == status for row in rows for level in levels)]
    handles: list[Any] = [Patch(fc=COLOURS[status], label=f"{SIGNS[status]} {status}") for status in used]
    handles.append(Patch(fc="none", ec="black", lw=1.4, label="where it is stated"))
    as_stated = Counter(row[row["stated_at"]] for row in rows)
    tally = ", ".join(f"{as_stated[status]} {SIGNS[status]}" for status in COLOURS if as_stated[status])
    alone = "; w: a witness decides" if any(row["words"].startswith("w") for row in rows) else ""
    title = (
        f"{len(rows)} claims at {len(levels)} levels; as stated: {tally}\n"
        f"beside the sign: sentences no machine judges; Coq: its kernel accepts all{alone}"
    )
    return sheet.finished(page, title, handles)
