"""Figure G&LG: the ratio of A_min's form under the geometric and the linearly weighted geometric law, against q."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, BinaryIO

import sympy as sp

from crtools.papers.adaptive.figures import style
from crtools.plotting.canvas import canvas, write_png
from crtools.plotting.figure import Figure
from crtools.ratios import Derivation, derive

SIZES = (0, 1, 5, 100)
"""The prompt sizes s that are drawn."""

PUBLISHED = {"geometric": 1.7, "linear-geometric": 1.6}
"""The bounds that Section 5 reads off its plots."""

PLACES = tuple(Fraction(k, 200) for k in range(4, 200))


def geometric() -> Figure:
    """Compute both panels from the closed forms and return the figure."""
    laws = {name: {s: derive(f"{name}(q)", s=s) for s in SIZES} for name in PUBLISHED}
    table: dict[str, Any] = {"q": [float(q) for q in PLACES]}
    numbers: dict[str, Any] = {}
    for name, by_size in laws.items():
        for s, law in by_size.items():
            table[f"{name}_s={s}"] = [law.value(q) for q in PLACES]
            found = law.supremum()
            numbers[f"{name}, s = {s}"] = {
                "text": f"limit {float(law.limit(q=1)):.5f}, supremum {found.enclosure.middle:.5f}, {found.place}",
                "closed_form": str(law.ratio) if s < 10 else None,
                "limit": str(law.limit(q=1)),
                "supremum": found.as_json(),
            }
    notes = {"published": PUBLISHED, "source": "Figure G&LG and Section 5; its data are not published"}
    return Figure("geometric", table, lambda file: _draw(file, table, laws), numbers, notes)


def _draw(file: BinaryIO, table: dict[str, Any], laws: dict[str, dict[int, Derivation]]) -> None:
    from matplotlib import colormaps

    page = canvas(11, 5)
    shades = [colormaps["Blues"](0.35 + 0.6 * place / (len(SIZES) - 1)) for place in range(len(SIZES))][::-1]
    titles = {"geometric": r"$G(p)$: $P(k)=p\,q^{k-1}$", "linear-geometric": r"$LG(p)$: $P(k)=k\,p^2q^{k-1}$"}
    for axis, (name, by_size) in zip(page.subplots(1, 2, sharey=True), laws.items(), strict=True):
        for shade, (s, law) in zip(shades, by_size.items(), strict=True):
            axis.plot(table["q"], table[f"{name}_s={s}"], color=shade, lw=2.2 if s == 0 else 1.4, label=f"$s={s}$")
            found = law.supremum()
            at = 1.0 if found.at == 1 else found.at.middle
            axis.plot([at], [found.enclosure.middle], "o", color=shade, ms=5, mfc="w" if found.at == 1 else None)
        limit = by_size[0].limit(q=1)
        axis.axhline(
            float(limit), color="k", ls=":", lw=1, label=rf"limit $q\to1$: ${sp.latex(limit)}={float(limit):.4f}$"
        )
        axis.axhline(PUBLISHED[name], color=style.PUBLISHED, ls="--", lw=1, label=f"published bound {PUBLISHED[name]}")
        axis.set_xlabel("$q$")
        axis.set_title(titles[name])
        axis.grid(alpha=0.25)
        axis.legend(loc="lower right", fontsize=8.5)
        axis.set_xlim(0, 1.02)
    page.axes[0].set_ylabel(rf"competitive ratio of the form of {style.LOOKS['a-min'].label}")
    page.suptitle(
        "Figure G&LG: at $s=0$ both published bounds hold; from $s=5$ on both are exceeded, 1.7 from $s=1$ on\n"
        r"dots: suprema over $q$ (open: approached as $q\to1$, not attained)",
        fontsize=11.5,
    )
    write_png(page, file, dpi=140)
