"""Curves of several forms under one law: each value is that of the ratio at the law, and files are what they are called."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from crtools import InputError, ratio
from crtools.cli import main
from crtools.ratios.derivation import ratio_curves


def test_each_column_is_the_ratio_of_its_form() -> None:
    data = ratio_curves("two-point(1, 5, w)", ["a-min", "a-ell"], "volume", (0, 3), 6).data
    assert set(data) == {"w", "a-min s=0", "a-min s=3", "a-ell s=0", "a-ell s=3"}
    for k in (0, 3, 5):
        law = f"two-point(1, 5, {data['w'][k]!r})"
        for form in ("a-min", "a-ell"):
            for s in (0, 3):
                assert data[f"{form} s={s}"][k] == pytest.approx(ratio(form, law, s, "volume").value, rel=1e-9)


@pytest.mark.parametrize(
    ("law", "policies", "sizes"),
    [("geometric(q=1/2)", ["a-min"], (0,)), ("two-point(1, 5, w)", [], (0,)), ("two-point(1, 5, w)", ["a-min"] * 7, (0,)),
     ("two-point(l, 5, w)", ["a-min"], (0,)), ("geometric(q)", ["a-max"], (0,))],
)  # fmt: skip
def test_bad_input_is_one_line(law: str, policies: list[str], sizes: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        ratio_curves(law, policies, sizes=sizes)


@pytest.mark.exhaustive  # takes seconds
def test_derive_draws_its_curve_and_others_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "curve.pdf"
    assert main(["derive", "two-point(1, 4, w)", "--plot", str(file), "--also", "a-ell", "a-random"]) == 0
    assert f"drawn: {file} (data: " in " ".join(capsys.readouterr().out.split())
    assert file.read_bytes().startswith(b"%PDF")
    [head, *rows] = csv.reader((tmp_path / "curve.data.csv").open(encoding="utf-8", newline=""))
    assert head == ["w", "a-min s=0", "a-ell s=0", "a-random s=0"]
    assert len(rows) > 100


@pytest.mark.parametrize(
    "words",
    [["--plot", "curve.gif"], ["--also", "a-ell"], ["--plot", "c.png", "--s", "s"], ["--plot", "c.png", "--intervals", "1-4"],
     ["--plot", "nowhere/at/all.png"], ["--plot", "c.png", "--also", "a-nobody"]],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_in_one_line(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["derive", "two-point(1, 4, w)", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
