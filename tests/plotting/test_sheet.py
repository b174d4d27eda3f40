"""Figures as a paper needs them: formats, sizes, no title, parameters of their own; the same bytes every time."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from crtools import InputError, figure
from crtools.cli import main
from crtools.plotting import known_figures
from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet, _wrapped, checked_size  # pyright: ignore[reportPrivateUsage]


def page(sheet: Sheet) -> Any:
    drawn = sheet.canvas(6, 4)
    axis = drawn.subplots()
    for n in range(5):
        axis.plot([0, 1], [n, 1], label=f"a curve with number {n}")
    sheet.legend(drawn, axis.get_legend_handles_labels()[0])
    sheet.title(drawn, "a title of many words that is as wide as it is long " * 2 + r"$\frac{1}{4}\log u$")
    return drawn


SMALL = Figure("small", {"u": [1, 2]}, page)


@pytest.mark.exhaustive  # takes seconds
def test_each_format_is_what_it_says_and_the_same_bytes_every_time() -> None:
    heads = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}
    for kind, head in heads.items():
        drawn = SMALL.draw(kind)
        assert drawn.startswith(head)
        assert drawn == SMALL.draw(kind)
        assert not re.search(rb"20\d\d-\d\d-\d\d|CreationDate|Matplotlib v", drawn)
    with pytest.raises(InputError, match="png"):
        SMALL.draw("gif")


def test_a_size_is_kept_and_letters_are_smaller_in_a_column() -> None:
    with Image.open(BytesIO(SMALL.draw("png", (3.4, 2.6)))) as image:
        assert image.size == (442, 338)
    assert Sheet((3.4, 2.6)).letters < Sheet((7, 4)).letters == Sheet().letters


@pytest.mark.parametrize("size", [None, (3.4, 3), (9, 4)])
def test_nothing_is_wider_than_the_page_and_the_legend_is_off_the_curves(size: Any) -> None:
    from matplotlib import rc_context

    sheet = Sheet(size)
    with rc_context({"font.size": sheet.letters}):
        drawn = page(sheet)
        drawn.draw_without_rendering()
    [axis], [legend] = drawn.axes, drawn.legends
    renderer = drawn.canvas.get_renderer()
    for own in (legend, *(text for text in drawn.texts if text.get_text())):
        box = own.get_window_extent(renderer)
        assert box.x0 >= 0
        assert box.x1 <= drawn.bbox.x1
    assert legend.get_window_extent(renderer).y1 < axis.get_window_extent(renderer).y0


def test_a_size_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(InputError, match=r"2x1.*no room"):
        SMALL.draw(size=(2, 1))
    assert SMALL.draw(size=(3.4, 3))


def test_without_a_title_there_is_none() -> None:
    assert "a title" in (drawn := page(Sheet())).get_suptitle()
    assert page(Sheet(titled=False)).get_suptitle() == ""
    assert SMALL.draw(title=False) != SMALL.draw()
    assert drawn.get_suptitle().endswith(r"$\frac{1}{4}\log u$")


def test_a_formula_is_not_cut_where_a_title_is() -> None:
    text = r"words and $a + b + c + d$ and words and $e + f$"
    found = _wrapped(text, 12)
    assert " ".join(found) == text
    assert len(found) > 2
    assert all(line.count("$") % 2 == 0 for line in found)


@pytest.mark.parametrize("text", ["3", "3x", "x", "0.1x3", "3x99", "nanx3", "3x4x5", "axb"])
def test_a_bad_size_is_one_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError):
        checked_size(text)
    assert main(["figure", "hsf-lower", "--size", text]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    with pytest.raises(InputError):
        SMALL.draw(size=(3, float("inf")))


@pytest.mark.exhaustive  # takes seconds
def test_a_figure_with_other_parameters_has_a_name_of_its_own_and_its_json_says_them(tmp_path: Path) -> None:
    made = figure("hsf-lower", lengths=(1, 1, 3), memory="5")
    assert made.name == "hsf-lower-lengths-1-1-3"
    assert made.as_json()["parameters"] == {"lengths": "1,1,3"}
    assert made.as_json()["lengths"] == [1, 1, 3]
    assert "parameters" not in figure("hsf-lower", memory=5).as_json()
    assert {path.name for path in made.save(tmp_path, "pdf").values()} == {
        f"{made.name}.{k}" for k in ("pdf", "csv", "json")
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [({"u": 5}, "is no parameter of hsf-lower"), ({"memory": "five"}, "integer"), ({"lengths": ""}, "integer"),
     ({"lengths": "1,2,3,4,5,6,7,8,9,10,11"}, "from 1 to 10"), ({"s": -1}, "integer"), ({"memory": 2}, "memory")],
)  # fmt: skip
def test_a_bad_parameter_is_an_input_error(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        figure("hsf-lower", **given)


def test_every_figure_describes_its_parameters_and_their_defaults_are_allowed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from crtools.plotting.figure import read_all

    for name, drawing in known_figures().items():
        assert set(read_all(name, drawing.parameters, {})) == set(drawing.parameters)
        with pytest.raises(SystemExit) as end:
            main(["figure", name, "--help"])
        assert end.value.code == 0
        text = capsys.readouterr().out
        assert all(f"--{own}" in text for own in drawing.parameters)
        assert text.count("(default") == len(drawing.parameters) + 3
        assert max(map(len, text.splitlines())) <= 80


def test_the_command_writes_what_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["figure", "hsf-lower", "--memory", "6", "--format", "svg", "--size", "5x3", "--no-title", "--json"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    [row] = json.loads(capsys.readouterr().out)["figures"]
    assert Path(row["path"]).name == "hsf-lower-memory-6.svg"
    assert 'width="360pt" height="216pt"' in Path(row["path"]).read_text(encoding="utf-8")
    assert main(["figure", "lengths", "--u", "5", "--out", str(tmp_path)]) == 2
    assert "lengths, which has none" in capsys.readouterr().err


PAPER = r"""\documentclass[twocolumn]{article}
\usepackage{graphicx}
\begin{document}
\begin{figure}\includegraphics{%s}\caption{In a column.}\end{figure}
\end{document}
"""


@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", ["hsf-lower", "two-point", "ratio"])
def test_a_figure_compiles_into_a_column_of_a_paper(name: str, tmp_path: Path) -> None:
    path = figure(name).save(tmp_path, "pdf", (3.1, 3.0), title=False)["pdf"]
    (tmp_path / "paper.tex").write_text(PAPER % path.name, encoding="utf-8")
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:]
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000
    assert "Overfull" not in run.stdout


def test_no_line_of_a_title_is_wider_than_the_sheet() -> None:
    sheet = Sheet()
    page = sheet.canvas(4.0, 2.0)
    text = "WWWW MMMM WWWW $\\mathcal{A}_{\\max}$ MMMM WWWW MMMM WWWW MMMM WWWW MMMM WWWW MMMM"
    sheet.title(page, text)
    [title] = page.texts if page.texts else [page._suptitle]
    assert title.get_window_extent(page.canvas.get_renderer()).width <= page.bbox.width
    assert " ".join(title.get_text().split()) == text


def titled_panels(sheet: Sheet, letters: int) -> Any:
    page = sheet.canvas(8, 4)
    for axes in page.subplots(1, 2):
        axes.set_title("w" * letters)
    return page


@pytest.mark.parametrize(("letters", "fits"), [(4, True), pytest.param(40, False, marks=pytest.mark.exhaustive)])
def test_a_size_at_which_words_run_into_one_another_is_too_small(letters: int, fits: bool) -> None:
    own = Figure("panels", {"x": (1,)}, partial(titled_panels, letters=letters))
    if fits:
        assert own.draw(size=(4, 3))
        return
    says = r"^size = 4x3: is too small for panels: its words would run into one another; ([\d.]+)x([\d.]+) is enough$"
    with pytest.raises(InputError, match=says) as refused:
        own.draw(size=(4, 3))
    found = re.match(says, str(refused.value))
    assert found and own.draw(size=(float(found[1]), float(found[2])))
    assert own.draw()  # its own size is the author's choice


@pytest.mark.parametrize(
    ("name", "few"), [("log-fit", {"u": "100"}), pytest.param("geometric", {"s": "0,5"}, marks=pytest.mark.exhaustive)]
)
def test_figures_of_the_paper_stand_in_a_column(name: str, few: dict[str, str]) -> None:
    assert figure(name, **few).draw("pdf", (3.4, 4.0), title=False)
