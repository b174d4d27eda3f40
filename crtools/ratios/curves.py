"""Ratios of several forms under one distribution, against its one parameter, as one figure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from crtools.distributions import Distribution
from crtools.errors import InputError
from crtools.forms import Form
from crtools.installed_ledgers import policy_indices
from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet
from crtools.ratios.derivation import Derivation, derive

if TYPE_CHECKING:
    from collections.abc import Mapping

POINTS = 160
"""The number of points on a curve."""

COLOURS = ("#0072B2", "#D55E00", "#000000", "#117733", "#AA4499", "#FFB000")
MARKERS = "os^DPv"
LINES = ("-", "--", "-.", ":", (0, (1, 1)), (0, (6, 2)))
MARKED = 9
"""Markers on a curve."""


def ratio_curves(
    law: str | Distribution,
    policies: Sequence[str | Form],
    against: str | Form = "h-sf",
    sizes: Sequence[int] = (0,),
    places: int = POINTS,
) -> Figure:
    """Return the ratio of each form at each prompt size against the distribution's one parameter, as a figure.

    A colour and a marker for each form, a line for each size. Raises ``InputError`` for a distribution without a free parameter or
    with several, ``NotCertified`` where no closed form is reached.
    """
    if not 0 < len(policies) <= len(COLOURS) or not 0 < len(sizes) <= len(LINES):
        raise InputError("policies", len(policies), f"at most {len(COLOURS)} forms, at most {len(LINES)} prompt sizes")
    derivations = {(n, s): derive(law, f, s, against=against) for n, f in enumerate(policies) for s in sizes}
    first = next(iter(derivations.values()))
    symbol = first.parameter
    at = first.places(places)
    data: dict[str, list[float]] = {symbol: [float(x) for x in at]}
    for (_, s), derivation in derivations.items():
        data[_column(derivation, s)] = [derivation.value(x) for x in at]
    notes = {"law": first.distribution.spec(), "against": first.against.name}
    return Figure("ratio", data, partial(_draw, data=data, derivations=derivations), {}, notes)


def _column(derivation: Derivation, s: int) -> str:
    return f"{derivation.policy.name} s={s}"


def _named(form: Form) -> str:
    """Return a form's name as a figure shows it: an A with its index, or H-SF."""
    letter, _, index = form.name.partition("-")
    if letter == "a" and index in policy_indices():
        return r"$\mathcal{A}_\ell$" if index == "ell" else rf"$\mathcal{{A}}_{{\mathrm{{{index}}}}}$"
    return "H-SF" if form.name == "h-sf" else form.name


def _draw(sheet: Sheet, data: Mapping[str, Sequence[float]], derivations: Mapping[tuple[int, int], Derivation]) -> Any:
    page = sheet.canvas(7, 4.4)
    axis = page.subplots()
    symbol, xs = next(iter(data.items()))
    sizes = list(dict.fromkeys(s for _, s in derivations))
    for (n, s), derivation in derivations.items():
        marks = (len(xs) // MARKED * n // max(len(derivations), 1), max(len(xs) // MARKED, 1))
        axis.plot(
            xs, data[_column(derivation, s)], color=COLOURS[n], ls=LINES[sizes.index(s)], lw=1.5, marker=MARKERS[n], ms=4.5,
            mfc="white", markevery=marks, label=f"{_named(derivation.policy)}, $s={s}$",
        )  # fmt: skip
    axis.set_xlabel(f"${symbol}$")
    last = next(iter(derivations.values()))
    axis.set_ylabel(f"form over that of {_named(last.against)}")
    axis.grid(alpha=0.25)
    sheet.legend(page, axis.get_legend_handles_labels()[0])
    sheet.title(page, f"Ratios of forms under {last.distribution.spec()}")
    return page
