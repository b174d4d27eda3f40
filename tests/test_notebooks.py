"""The notebooks are what notebooks/build.py writes, run again they print what they ship with, and they read nothing else."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import nbformat
import pytest
from decided import decided
from paths import ROOT

from crtools import best, derive
from crtools.plotting import Slider

EXPECTED = {
    "01-log-theorem": ("0.2555", "≈ 2.92392206022 (certified)", "✓&nbsp;proved", "✗&nbsp;refuted"),
    "02-new-distributions": (r"\frac{43}{29}", "('q', 1, 43/29)", "supremum 1.71555", "✗&nbsp;refuted", 'type="range"'),
    "03-simulation": ("h-sf: memory over time, 4 requests, M = 5, total latency 13",
                      "4 requests, M = 5, total latency 12", "proved optimal: True", "same starts: True"),
    "04-best-blind": (
        "in [2.288433081, 2.288433084]", "A_min over the best: 1.328", "= 243820/139513", "2.72837242693", "✗&nbsp;refuted",
        'type="range"',
    ),
    "05-which-scheduler": ("seconds  expected-work       71.4   253.6    1.17", "within 1.170 of the optimum", "the optimum is at least"),
}  # fmt: skip
"""What a reader must see among a notebook's outputs."""

FOLDER = ROOT / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
ELSEWHERE = re.compile(r"shared/|/home/|/root/|/tmp/|/work/|\.\./|parents\[|https?:|expanduser|urlopen")
"""What a cell that reads something outside the project would contain."""


@pytest.fixture(scope="module")
def builder() -> Any:
    spec = importlib.util.spec_from_file_location("build_notebooks", FOLDER / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shipped(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def code(book: Any) -> list[Any]:
    return [cell for cell in book.cells if cell.cell_type == "code"]


PICTURE = re.compile(r"data:image/png;base64,[^\"]*")
"""A picture within HTML: its bytes differ with the version of Matplotlib."""
MACHINE = re.compile(r"(?<=\.\d{25})\d+|(?<='best': )\d+(?= rows)|(?<=\d\.\d)\d+(?= times)")
"""What differs with the machine: ends of enclosures past their 25th decimal, how many plans a search in floats kept, runs of them."""


def said(cell: Any) -> str:
    """What a cell prints, and what it shows as text: objects, formulas, tables, drawings of runs."""
    found: list[str] = []
    for output in cell.outputs:
        data = output.get("data", {})
        found += [output.get("text", ""), *(data.get(f"text/{kind}", "") for kind in ("plain", "latex", "html"))]
    return PICTURE.sub("", "\n".join(found))


def kinds(cell: Any) -> set[str]:
    """The kinds of what a cell shows beside what it prints: pictures, formulas, tables."""
    return {kind for output in cell.outputs for kind in output.get("data", {})}


def test_there_is_a_notebook_for_each_list_of_cells(builder: Any) -> None:
    assert sorted(builder.NOTEBOOKS) == NAMES == sorted(EXPECTED)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_has_the_cells_of_the_builder_and_their_outputs(name: str, builder: Any) -> None:
    built, there = builder.build(builder.NOTEBOOKS[name]), shipped(name)
    cells = [[(c.id, c.cell_type, c.source) for c in book.cells] for book in (built, there)]
    assert cells[0] == cells[1], "python notebooks/build.py"
    own = code(there)
    assert len(own) >= 5
    assert [cell.execution_count for cell in own] == list(range(1, len(own) + 1))
    assert not any(ELSEWHERE.search(cell.source) for cell in own)
    text = "".join(map(said, own))
    assert not re.search(r"/tmp/|/home/|/root/", text)
    for expected in EXPECTED[name]:
        assert expected in text
    assert any("image/png" in kinds(cell) or "<svg" in said(cell) for cell in own)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_that_is_run_again_prints_what_it_ships_with(name: str, builder: Any) -> None:
    again = code(builder.run(builder.build(builder.NOTEBOOKS[name])))
    for old, new in zip(code(shipped(name)), again, strict=True):
        texts = [MACHINE.sub("…", said(cell)) for cell in (new, old)]
        assert texts[0] == texts[1], f"{old.id}: python notebooks/build.py {name}"
        assert kinds(new) == kinds(old)


def seen(own: Any, kind: str = "html") -> str:
    """What a notebook shows of an object."""
    return getattr(own, f"_repr_{kind}_")()


def test_a_slider_has_its_pictures_on_the_same_axes_and_needs_nothing_else() -> None:
    figures = {s: derive("geometric(q)", s=s).plot(5) for s in (0, 2)}
    slider = Slider("s", figures)
    html = seen(slider)
    assert repr(slider) == "Slider(s = 0, 2)"
    assert re.findall(r"<figcaption>(.*?)</figcaption>", html) == ["s = 0", "s = 2"]
    assert len(set(PICTURE.findall(html))) == 2
    assert 'max="1"' in html and "<script" not in html and "http" not in html
    [limits] = slider.limits()
    low, high = limits.intervaly
    tops = [max(figure.data["ratio"]) for figure in figures.values()]
    assert low < 1.2 < max(tops) < high and tops[0] != tops[1]


def test_a_slider_keeps_the_scale_of_a_colour() -> None:
    drawn = Slider("s", {s: best("uniform(1, 4)", s=s).plot() for s in (0, 1)})
    assert len(drawn.limits()) == 2, "the attempts and the price, and no bar of colours"


def test_a_claim_shows_what_it_says_and_what_is_true_instead() -> None:
    claim = decided("hsf-lower")
    card = seen(claim)
    assert "<b>hsf-lower</b> (Section 6)" in card and "algorithm (stated here)</td><td>✗&nbsp;refuted" in card
    assert card.count("<tr>") == len(claim.verdicts) + len(claim.repairs)
    assert "<math" in card and "$" not in card
