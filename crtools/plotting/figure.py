"""A figure as data and how it is drawn; ``Drawing`` computes one from its parameters, ``Figure`` saves it, ``Slider`` shows several.

All files of a figure appear at once or not at all, and the same figure gives the same bytes.
"""

from __future__ import annotations

import csv
import json
import re
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from io import StringIO
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from crtools.errors import InputError
from crtools.files import FILE, FOLDER, output_file, output_folder, refused, write_whole
from crtools.names import nearest
from crtools.numeric_types import Columns, JsonObject
from crtools.plotting.sheet import FORMATS, Sheet, checked_size, crowded, rendered
from crtools.setting import integer, read_integer
from crtools.tables import frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page
    from matplotlib.transforms import Bbox

DIGITS = 12
"""Significant digits of floats in files: fewer than a float has, so that the last bits of a sum do not show."""


LARGER = ((1.0, 1.3), (1.0, 1.7), (1.3, 1.3), (1.6, 1.6), (2.0, 2.0), (2.5, 2.5), (3.1, 3.1))
"""Factors of width and height that are tried in turn where a size is too small."""


class _TooSmall(Exception):
    """A sheet has no room for a figure; the message is the reason."""


@dataclass(frozen=True, repr=False)
class Figure:
    """A figure: ``data`` (columns of equal length), ``fits`` and other numbers, and how it is drawn.

    ``page(sheet)`` draws it on a ``crtools.plotting.sheet.Sheet`` and returns a Matplotlib figure; :meth:`draw` returns it
    as the bytes of a file. ``notes`` are further entries of the JSON file.

    Examples
    --------
    >>> from crtools import figure
    >>> two = figure("hsf-lower")
    >>> list(two.data)
    ['schedule', 'request', 'start', 'length', 'end']
    >>> two.draw("svg")[:5]
    b'<?xml'
    """

    name: str
    data: Columns
    page: Callable[[Sheet], Page]
    fits: JsonObject = field(default_factory=JsonObject)
    notes: JsonObject = field(default_factory=JsonObject)

    def __repr__(self) -> str:
        rows = len(next(iter(self.data.values()), ()))
        names = ", ".join(list(self.data)[:6]) + (", …" if len(self.data) > 6 else "")
        return f"Figure({self.name!r}: {rows} rows of {names}; {len(self.fits)} fits; .save(folder), .data, .table())"

    def _repr_png_(self) -> bytes:
        return self.draw()

    def table(self) -> Any:
        """Return the data as a pandas DataFrame or, where pandas is not installed, as a list that prints as a table."""
        return frame(dict(zip(self.data, row, strict=True)) for row in zip(*self.data.values(), strict=True))

    def draw(self, kind: str = "png", size: tuple[float, float] | None = None, title: bool = True) -> bytes:
        """Return the figure as the bytes of a file, in Matplotlib's default style whatever the user's is.

        Parameters
        ----------
        kind
            png, svg or pdf.
        size
            Width and height in inches; None for the figure's own.
        title
            Whether to draw the title above, which a paper's caption replaces.

        Raises
        ------
        InputError
            For another ``kind``, and for a ``size`` that is too small for what is drawn.
        """
        if kind not in FORMATS:
            raise InputError("kind", kind, f"must be one of {', '.join(FORMATS)}")
        sheet = Sheet(None if size is None else checked_size(size), title)
        try:
            return self._drawn(sheet, kind)
        except _TooSmall as why:
            width, height = sheet.size or (0.0, 0.0)
            allowed = f"is too small for {self.name}: {why}{self._enough(sheet)}"
            raise InputError("size", f"{width:g}x{height:g}", allowed) from None

    def _drawn(self, sheet: Sheet, kind: str) -> bytes:
        def page() -> Page:
            drawn = self.page(sheet)
            if sheet.size is not None and crowded(drawn):
                raise _TooSmall("its words would run into one another")
            return drawn

        with warnings.catch_warnings():
            warnings.filterwarnings("error", "constrained_layout not applied")
            try:
                return rendered(page, kind, letters=sheet.letters)
            except UserWarning:
                raise _TooSmall("no room is left for its curves") from None

    def _enough(self, sheet: Sheet) -> str:
        """Return a larger size that is enough, in words: the first of a few, higher and then wider ones; "" if none is."""
        width, height = sheet.size or (0.0, 0.0)
        for across, down in LARGER:
            size = (round(across * width, 1), round(down * height, 1))
            with suppress(_TooSmall, InputError):
                self._drawn(Sheet(checked_size(size), sheet.titled), "svg")
                return f"; {size[0]:g}x{size[1]:g} is enough"
        return ""

    def save(
        self,
        folder: str | Path = "figures",
        kind: str = "png",
        size: tuple[float, float] | None = None,
        title: bool = True,
    ) -> dict[str, Path]:
        """Write name.png (or .svg, .pdf), name.csv and name.json into ``folder``, which is made if it is missing.

        Parameters
        ----------
        folder
            Where the files go; nothing half-written is left behind there.
        kind, size, title
            As in :meth:`draw`.

        Returns
        -------
        dict
            The path of each file, by its ending. Floats in them have ``DIGITS`` significant digits.

        Raises
        ------
        InputError
            Where the folder cannot be written.
        """
        target, drawn = output_folder("out", folder), self.draw(kind, size, title)
        text = json.dumps(rounded(self.as_json()), indent=2, ensure_ascii=False) + "\n"
        contents = {kind: drawn, "csv": self._csv().encode("utf-8"), "json": text.encode("utf-8")}
        paths = {kind: target / f"{self.name}.{kind}" for kind in contents}
        with refused("out", folder, FOLDER):
            write_whole({paths[kind]: content for kind, content in contents.items()})
        return paths

    def save_as(self, file: str | Path) -> tuple[Path, Path]:
        """Write the picture to a file whose name ends in .png, .svg or .pdf, and its data to NAME.data.csv in the same folder.

        Returns both paths. Raises ``InputError`` as :func:`picture_file` does, and where they cannot be written.
        """
        path = picture_file(file)
        table = path.with_suffix(".data.csv")
        contents = {path: self.draw(path.suffix[1:].lower()), table: self._csv().encode("utf-8")}
        with refused("plot", file, FILE):
            write_whole(contents)
        return path, table

    def as_json(self) -> JsonObject:
        """Return the fits and notes as JSON data."""
        return {"name": self.name, "fits": dict(self.fits), **self.notes}

    def _csv(self) -> str:
        text = StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(self.data.keys())
        writer.writerows(rounded(row) for row in zip(*self.data.values(), strict=True))
        return text.getvalue()


T = TypeVar("T")

Read: TypeAlias = Callable[[str, object], T]
"""Returns the value of a parameter from its name and a text or a Python value; raises ``InputError``."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a figure: ``says`` is its help on the command line, ``default`` a text, ``read`` its reader."""

    says: str
    default: str
    read: Read[Any]


def whole(low: int, high: int) -> Read[int]:
    """Return a reader of an integer from ``low`` to ``high``."""

    def read(name: str, value: object) -> int:
        try:
            value = read_integer(value) if isinstance(value, str) else value
        except ValueError:
            raise InputError(name, value, f"must be an integer from {low} to {high}") from None
        return integer(name, value, low, high)

    return read


def several(one: Read[T], number: int, what: str = "names") -> Read[tuple[T, ...]]:
    """Return a reader of 1 to ``number`` values, separated by commas; ``one`` reads each of them."""

    def read(name: str, value: object) -> tuple[T, ...]:
        values = tuple(one(name, part) for part in _parts(value))
        if not 0 < len(values) <= number:
            raise InputError(name, value, f"must be from 1 to {number} {what} with commas between")
        return values

    return read


def wholes(low: int, high: int, number: int) -> Read[tuple[int, ...]]:
    """Return a reader of 1 to ``number`` integers from ``low`` to ``high``, separated by commas."""
    return several(whole(low, high), number, "integers")


def _parts(value: object) -> Sequence[object]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]


def read_all(figure: str, parameters: Mapping[str, Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the value of every parameter of a figure; raise ``InputError`` for an unknown name or a bad value."""
    for name, value in given.items():
        if name not in parameters:
            near = nearest(name, list(parameters))
            allowed = f"is no parameter of {figure}, which has {', '.join(parameters) or 'none'}"
            raise InputError(name, value, allowed + (f"; did you mean {near}?" if near else ""))
    return {name: parameter.read(name, given.get(name, parameter.default)) for name, parameter in parameters.items()}


def as_text(value: object) -> str:
    """Return a parameter's value as a user types it."""
    if isinstance(value, list | tuple):
        return ",".join(map(as_text, cast("Sequence[object]", value)))
    return str(getattr(value, "name", value))


@dataclass(frozen=True)
class Drawing:
    """A figure that can be computed: ``says`` describes it on one line, ``make`` computes it.

    ``make`` takes ``progress`` and the ``parameters`` by name; as a text ``package.module:function`` it is imported when it is
    called. ``beside``: the claims with which a report shows the figure.
    """

    says: str
    make: str | Callable[..., Figure]
    beside: tuple[str, ...] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict[str, Parameter])

    def __call__(
        self, progress: Callable[[Sequence[Any]], Iterable[Any]] = iter, name: str = "figure", **given: object
    ) -> Figure:
        """Compute the figure; where parameters differ from their defaults, its name and its notes say which.

        Raises ``InputError`` for an unknown parameter, or a bad value.
        """
        values = read_all(name, self.parameters, given)
        defaults = read_all(name, self.parameters, {})
        make: Any = resolve_name(self.make) if isinstance(self.make, str) else self.make
        made: Figure = make(progress, **values)
        changed = {key: as_text(value) for key, value in values.items() if value != defaults[key]}
        if not changed:
            return made
        in_file_name = {key: re.sub(r"[^\w.]+", "-", text).strip("-.") for key, text in changed.items()}
        parts = [made.name, *(f"{key}-{text}" for key, text in in_file_name.items())]
        return replace(made, name="-".join(parts)[:LONGEST_NAME], notes={**made.notes, "parameters": changed})


LONGEST_NAME = 120
"""Letters of a file name without its ending."""


def picture_file(file: str | Path) -> Path:
    """Return the path of a picture that can be written; ``InputError`` for another ending, or where it cannot be."""
    path = output_file("plot", file)
    if path.suffix[1:].lower() not in FORMATS:
        raise InputError("plot", str(file), f"must end in .{', .'.join(FORMATS[:-1])} or .{FORMATS[-1]}")
    return path


def columns(rows: Sequence[JsonObject]) -> dict[str, list[Any]]:
    """Return rows with the same names as columns, a figure's ``data``."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def where(rows: Iterable[JsonObject], **values: object) -> list[JsonObject]:
    """Return the rows that have these values."""
    return [row for row in rows if all(row[name] == value for name, value in values.items())]


def rounded(value: Any) -> Any:
    """Return JSON data or a row with every float rounded to ``DIGITS`` significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value


def curve(name: str, data: Columns, title: str) -> Figure:
    """Return the second column of ``data`` drawn against the first; their names label the axes."""
    return Figure(name, data, partial(_draw, data=data, title=title))


def _draw(sheet: Sheet, data: Columns, title: str) -> Page:
    page = sheet.canvas(6, 3.6)
    axis = page.subplots()
    (x, xs), (y, ys) = data.items()
    marker = "o" if len(xs) <= 60 else ""
    axis.plot(xs, [float(value) for value in ys], color="tab:blue", lw=1.6, marker=marker, ms=4)
    axis.set(xlabel=x, ylabel=y)
    axis.grid(alpha=0.25)
    return sheet.finished(page, title)


CHOOSE = (
    "var at=+this.value,n=0;"
    "this.closest('.slider').querySelectorAll('figure').forEach(function(f){f.style.display=n++===at?'':'none'})"
)
"""JavaScript of the slider: show the picture at its position and no other."""

WAKE = "var s=this.closest('.slider').querySelector('input');s.style.display='';s.oninput()"
"""JavaScript of the first picture when it is loaded: show the slider, and with it one picture."""


@dataclass(frozen=True, repr=False)
class Slider:
    """The same figure at several values of the parameter ``name``, on the same axes; in a notebook a slider chooses one.

    The pictures are drawn beforehand; no kernel is needed. Without scripts all pictures stand below each other.
    """

    name: str
    figures: Mapping[Any, Figure]

    def __repr__(self) -> str:
        return f"Slider({self.name} = {', '.join(map(str, self.figures))})"

    def _repr_html_(self) -> str:
        limits = self.limits()
        html: list[str] = []
        for value, figure in self.figures.items():
            text = escape(f"{self.name} = {value}")
            picture = b64encode(rendered(partial(_page, figure, limits), "png", dpi=100)).decode()
            wake = "" if html else f' onload="{WAKE}"'
            source = f'src="data:image/png;base64,{picture}" style="max-width:100%"'
            html.append(f'<figure><figcaption>{text}</figcaption><img alt="{text}" {source}{wake}></figure>')
        positions = f'min="0" max="{len(html) - 1}" value="0" aria-label="{escape(self.name)}"'
        slider = f'<input type="range" {positions} style="display:none;width:20em;max-width:90%" oninput="{CHOOSE}">'
        return f'<div class="slider">{slider}{"".join(html)}</div>'

    def limits(self) -> list[Bbox]:
        """Return for each plot of a page the limits that hold those of all figures."""
        from matplotlib.transforms import Bbox

        pages = [_plots(figure.page(Sheet())) for figure in self.figures.values()]
        return [Bbox.union([axis.viewLim for axis in same]) for same in zip(*pages, strict=True)]


def _plots(page: Page) -> list[Axes]:
    """Return the plots of a page without the scales of colours."""
    return [axis for axis in page.axes if axis.get_label() != "<colorbar>"]


def _page(figure: Figure, limits: list[Bbox]) -> Page:
    page = figure.page(Sheet())
    for axis, box in zip(_plots(page), limits, strict=True):
        axis.set(xlim=box.intervalx, ylim=box.intervaly)
    return page
