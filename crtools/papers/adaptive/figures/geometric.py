"""Figure G&LG: the ratio of A_min's form under the geometric and the linearly weighted geometric law, against q."""

from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.enclosure import Enclosure
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures import style
from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress
from crtools.ratios import Derivation, derive

PUBLISHED = {"geometric": 1.7, "linear-geometric": 1.6}
"""The bounds that Section 5 reads off its plots."""

LINES = ("-", "--", "-.", ":", (0, (1, 1)), (0, (5, 1)))
"""One for each prompt size."""

PLACES = tuple(Fraction(k, 200) for k in range(4, 200))


def geometric(_: Progress, s: tuple[int, ...]) -> Figure:
    """Compute both panels from the closed forms and return the figure."""
    laws = {name: {size: derive(f"{name}(q)", s=size) for size in s} for name in PUBLISHED}
    table: JsonObject = {"q": [float(q) for q in PLACES]}
    numbers: JsonObject = {}
    for name, by_size in laws.items():
        for size, law in by_size.items():
            table[f"{name}_s={size}"] = [law.value(q) for q in PLACES]
            supremum = law.supremum()
            numbers[f"{name}, s = {size}"] = {
                "text": f"limit {float(law.limit(q=1)):.5f}, supremum {supremum.enclosure.middle:.5f}, {supremum.place}",
                "closed_form": str(law.ratio) if size < 10 else None,
                "limit": str(law.limit(q=1)),
                "supremum": supremum.as_json(),
            }
    notes = {"published": PUBLISHED, "source": "Figure G&LG and Section 5; its data are not published"}
    return Figure("geometric", table, partial(_draw, table=table, laws=laws), numbers, notes)


def _draw(sheet: Sheet, table: JsonObject, laws: dict[str, dict[int, Derivation]]) -> Any:
    from matplotlib import colormaps

    page, a_min = sheet.canvas(11, 5), style.LOOKS["a-min"]
    sizes = len(next(iter(laws.values())))
    shades = [colormaps["Blues"](0.95 - 0.5 * index / max(sizes - 1, 1)) for index in range(sizes)]
    titles = {"geometric": r"$G(p)$: $P(k)=p\,q^{k-1}$", "linear-geometric": r"$LG(p)$: $P(k)=k\,p^2q^{k-1}$"}
    axes: Any = page.subplots(2, 1) if sheet.narrow else page.subplots(1, 2, sharey=True)
    for axis, (name, by_size) in zip(axes, laws.items(), strict=True):
        for index, (shade, (s, law)) in enumerate(zip(shades, by_size.items(), strict=True)):
            values, width = table[f"{name}_s={s}"], 2.2 if s == 0 else 1.4
            axis.plot(table["q"], values, color=shade, lw=width, ls=LINES[index], label=f"$s={s}$")
            supremum = law.supremum()
            at = supremum.at.middle if isinstance(supremum.at, Enclosure) else 1.0
            axis.plot([at], [supremum.enclosure.middle], "o", color=shade, ms=5, mfc="w" if supremum.at == 1 else None)
        limit = next(iter(by_size.values())).limit(q=1)
        label = rf"limit $q\to1$: ${sp.latex(limit, ln_notation=True)}={float(limit):.4f}$"
        axis.axhline(float(limit), color="k", ls=":", lw=1, label=label)
        axis.axhline(PUBLISHED[name], color=style.PUBLISHED, ls="--", lw=1, label=f"published bound {PUBLISHED[name]}")
        axis.set(xlabel="$q$", title=titles[name], xlim=(0, 1.02))
        axis.grid(alpha=0.25)
        below: JsonObject = {"bbox_to_anchor": (0.5, -0.16)}
        if sheet.narrow:
            below = {"bbox_to_anchor": (0.5, 0), "borderaxespad": 4.5}  # under the axis's name, however high the plot
        axis.legend(loc="upper center", ncols=2, fontsize="small", **below)
        if sheet.narrow or axis is axes[0]:
            axis.set_ylabel("competitive ratio" if sheet.narrow else rf"competitive ratio of the form of {a_min.label}")
    supremum = "; ".join(_finding(name, by_size) for name, by_size in laws.items())
    dots = r"dots: suprema over $q$ (open: approached as $q\to1$, not attained)"
    return sheet.finished(page, f"Figure G&LG: {supremum}\n{dots}")


def _finding(name: str, by_size: dict[int, Derivation]) -> str:
    """Return at which prompt sizes the certified supremum exceeds the published bound."""
    bound = PUBLISHED[name]
    above = [s for s, law in by_size.items() if law.supremum().enclosure.lower > Fraction(str(bound))]
    below = [s for s, law in by_size.items() if law.supremum().enclosure.upper <= Fraction(str(bound))]
    verbs = (("holds", below), ("is exceeded", above))
    clauses = [f"{verb} at $s={', '.join(map(str, sizes))}$" for verb, sizes in verbs if sizes]
    return f"the bound {bound} {', '.join(clauses)}"
