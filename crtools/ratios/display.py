"""A derivation for Jupyter: formula, supremum with its status, and the curve of one parameter."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from html import escape
from typing import Any, Protocol

import sympy as sp

from crtools.errors import InputError, NotCertified
from crtools.plotting.figure import Figure
from crtools.ratios.supremum import LONGEST, Supremum


class _Derivation(Protocol):
    """What is shown of a ``Derivation``."""

    @property
    def ratio(self) -> Any: ...
    @property
    def latex(self) -> str: ...
    @property
    def parameter(self) -> str: ...
    def supremum(self) -> Supremum: ...
    def plot(self) -> Figure: ...


def in_latex(own: _Derivation) -> str | None:
    """Return the formula and its supremum in LaTeX; None where there is no formula."""
    if own.ratio is None:
        return None
    lines = [own.latex]
    if (top := _supremum(own)) is not None:
        lines.append(rf"\text{{supremum }} {_latex(top)} \text{{, {top.place} ({top.status})}}")
    body = r" \\[1ex] &".join(lines)
    return rf"$\displaystyle \begin{{aligned}}&{body}\end{{aligned}}$"


def in_html(own: _Derivation) -> str | None:
    """Return the formula, its supremum with its status and, of one parameter, its curve; None where there is no formula."""
    if own.ratio is None:
        return None
    from latex2mathml.converter import convert

    shown = [f"<p>{convert(own.latex)}</p>"]
    if (top := _supremum(own)) is not None:
        shown.append(f"<p>supremum {convert(_latex(top))}, {escape(top.place)} <b>{top.status}</b></p>")
    with suppress(InputError, NotCertified):
        picture = b64encode(own.plot().draw()).decode()
        what = escape(f"the ratio against {own.parameter}")
        shown.append(f'<img alt="{what}" src="data:image/png;base64,{picture}" style="max-width:100%">')
    return f"<div>{''.join(shown)}</div>"


def _supremum(own: _Derivation) -> Supremum | None:
    with suppress(InputError, NotCertified):
        return own.supremum()
    return None


def _latex(found: Supremum) -> str:
    """Return a supremum in LaTeX: its exact value where that is short."""
    short = found.value is not None and len(str(found.value)) <= LONGEST
    return sp.latex(found.value, ln_notation=True) if short else rf"\text{{{found.shown}}}"
