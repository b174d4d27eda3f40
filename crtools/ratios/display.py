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
    """The part of ``Derivation`` that is displayed."""

    @property
    def ratio(self) -> Any: ...
    @property
    def latex(self) -> str: ...
    @property
    def parameter(self) -> str: ...
    def supremum(self) -> Supremum: ...
    def plot(self) -> Figure: ...


def in_latex(derivation: _Derivation) -> str | None:
    """Return the formula and its supremum in LaTeX; None where there is no formula."""
    if derivation.ratio is None:
        return None
    lines = [derivation.latex]
    if (top := _supremum(derivation)) is not None:
        lines.append(rf"\text{{supremum }} {_latex(top)} \text{{, {top.place} ({top.status})}}")
    body = r" \\[1ex] &".join(lines)
    return rf"$\displaystyle \begin{{aligned}}&{body}\end{{aligned}}$"


def in_html(derivation: _Derivation) -> str | None:
    """Return the formula, its supremum with its status and, of one parameter, its curve; None where there is no formula."""
    if derivation.ratio is None:
        return None
    from latex2mathml.converter import convert

    parts = [f"<p>{convert(derivation.latex)}</p>"]
    if (top := _supremum(derivation)) is not None:
        parts.append(f"<p>supremum {convert(_latex(top))}, {escape(top.place)} <b>{top.status}</b></p>")
    with suppress(InputError, NotCertified):
        picture = b64encode(derivation.plot().draw()).decode()
        what = escape(f"the ratio against {derivation.parameter}")
        parts.append(f'<img alt="{what}" src="data:image/png;base64,{picture}" style="max-width:100%">')
    return f"<div>{''.join(parts)}</div>"


def _supremum(derivation: _Derivation) -> Supremum | None:
    with suppress(InputError, NotCertified):
        return derivation.supremum()
    return None


def _latex(supremum: Supremum) -> str:
    """Return a supremum in LaTeX: its exact value where that is short."""
    short = supremum.value is not None and len(str(supremum.value)) <= LONGEST
    return sp.latex(supremum.value, ln_notation=True) if short else rf"\text{{{supremum.value_text}}}"
