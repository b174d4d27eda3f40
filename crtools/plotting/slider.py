"""A figure at several values of a parameter, with a slider that shows one picture at a time in a browser."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page

Interval = tuple[float, float]
"""The ends of an axis."""

CHOOSE = (
    "var at=+this.value,n=0;"
    "this.closest('.slider').querySelectorAll('figure').forEach(function(f){f.style.display=n++===at?'':'none'})"
)
"""JavaScript of the slider: show the picture at its position and no other."""

WAKE = "var s=this.closest('.slider').querySelector('input');s.style.display='';s.oninput()"
"""JavaScript of the first picture when it is loaded: show the slider, and with it one picture."""


@dataclass(frozen=True, repr=False)
class Slider:
    """The same figure at several values of the parameter ``name``, on the same axes; a notebook shows one, by a slider.

    The pictures are drawn beforehand and nothing runs behind them. Where scripts do not run all stand below each other.
    """

    name: str
    figures: Mapping[Any, Figure]

    def __repr__(self) -> str:
        return f"Slider({self.name} = {', '.join(map(str, self.figures))})"

    def _repr_html_(self) -> str:
        limits = self.limits()
        shown: list[str] = []
        for value, figure in self.figures.items():
            text = escape(f"{self.name} = {value}")
            picture = b64encode(written(partial(_page, figure, limits), "png", dpi=100)).decode()
            wake = "" if shown else f' onload="{WAKE}"'
            source = f'src="data:image/png;base64,{picture}" style="max-width:100%"'
            shown.append(f'<figure><figcaption>{text}</figcaption><img alt="{text}" {source}{wake}></figure>')
        places = f'min="0" max="{len(shown) - 1}" value="0" aria-label="{escape(self.name)}"'
        slider = f'<input type="range" {places} style="display:none;width:20em;max-width:90%" oninput="{CHOOSE}">'
        return f'<div class="slider">{slider}{"".join(shown)}</div>'

    def limits(self) -> list[tuple[Interval, Interval]]:
        """Return for each plot of a page the ends of both axes that hold all figures."""
        pages = [_plots(figure.page(Sheet())) for figure in self.figures.values()]
        return [
            (_ends([axis.get_xlim() for axis in same]), _ends([axis.get_ylim() for axis in same]))
            for same in zip(*pages, strict=True)
        ]


def _ends(pairs: list[Interval]) -> Interval:
    return min(low for low, _ in pairs), max(high for _, high in pairs)


def _plots(page: Page) -> list[Axes]:
    """Return the plots of a page without the scales of colours."""
    return [axis for axis in page.axes if axis.get_label() != "<colorbar>"]


def _page(figure: Figure, limits: list[tuple[Interval, Interval]]) -> Page:
    page = figure.page(Sheet())
    for axis, (x, y) in zip(_plots(page), limits, strict=True):
        axis.set_xlim(x)
        axis.set_ylim(y)
    return page
