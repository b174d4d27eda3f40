"""What is marked as kernel-checked: computed from the record of what coqc accepted, lost with any change to what is said."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from decided import decided

from crtools.cli import main
from crtools.ledger.evidence import by_theorem, kernel_checked
from crtools.ledger.registry import load
from crtools.ledger.run import as_json
from crtools.papers.adaptive import coq
from crtools.papers.adaptive.theorems.form import two_lengths
from crtools.proof.accepted import RECORD, Accepted, digest, quoted, recorded
from crtools.proof.steps import Identity, Induction, Positive
from crtools.proof.symbols import i, j, l, s, u
from crtools.proof.theorem import StepResult, Theorem
from crtools.report.page import page


@pytest.fixture(scope="module")
def accepted() -> Accepted:
    return load().accepted()


def changed(theorem: Theorem) -> list[Theorem]:
    return [replace(theorem, **{name: f"{getattr(theorem, name)} + 1"}) for name in ("name", "statement", "reading")]


def test_a_theorem_is_marked_only_as_it_is_quoted(accepted: Accepted) -> None:
    theorem = two_lengths.a_min_theorem()
    record = theorem.as_json()
    assert accepted.mark(record) == {"theorem": "TwoLengths.two_point_bound", "steps": len(theorem.steps)}
    assert [accepted.theorem(other.as_json()) for other in changed(theorem)] == ["", "", ""]
    assert Accepted().mark(record) == {"theorem": "", "steps": 0}


def test_a_finding_is_marked_only_where_nothing_is_left_to_words(accepted: Accepted) -> None:
    theorem, other = two_lengths.a_min_theorem(), changed(two_lengths.a_min_theorem())[0]
    assert kernel_checked(by_theorem(theorem), accepted)
    assert not kernel_checked(by_theorem(theorem), Accepted())
    assert not kernel_checked(by_theorem(theorem, argument="and so on"), accepted)
    assert not kernel_checked(by_theorem(theorem, other), accepted)


STEPS: dict[str, tuple[Any, tuple[dict[str, Any], ...]]] = {
    "identity": (Identity(name="", lhs=i + i, rhs=2 * i), ({"rhs": 3 * i}, {"lhs": i - i}, {"rhs": 2 * j})),
    "sign": (
        Positive(name="", expr=i * j - s, where=((s, 0), (i, 1), (j, i))),
        ({"expr": i * j + s}, {"where": ((s, 0), (i, 0), (j, i))}, {"strict": False}),
    ),
    "root": (Identity(name="", lhs=sp.sqrt(l), rhs=sp.sqrt(u)), ({"rhs": -sp.sqrt(u)}, {"rhs": 2 * sp.sqrt(u)})),
    "induction": (
        Induction(name="", lhs=sp.Sum(i, (i, 1, u)), rhs=u * (u + 1) / 2, index=u),
        ({"lhs": sp.Sum(i, (i, 2, u))}, {"rhs": u * (u - 1) / 2}, {"start": 2}),
    ),
}


@pytest.mark.parametrize("kind", STEPS)
def test_a_coefficient_a_sign_or_an_index_changes_the_digest(kind: str) -> None:
    step, changes = STEPS[kind]
    others = [step, *(replace(step, **change) for change in changes)]
    assert len({digest(StepResult(own, None).as_json()) for own in others}) == len(others)
    words = replace(step, name="other", text="other words")
    assert digest(StepResult(words, None).as_json()) == digest(StepResult(step, None).as_json())


def test_nothing_is_marked_where_a_file_is_not_the_recorded_one(accepted: Accepted, tmp_path: Path) -> None:
    texts = {own.name: own.read_text("utf-8") for own in files(coq).iterdir() if own.name.endswith((".v", ".json"))}

    def marked(**other: str) -> Accepted:
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        place.mkdir()
        for name, text in (texts | {f"{name}.v": text for name, text in other.items()}).items():
            (place / name).write_text(text, "utf-8")
        return recorded(place)

    assert marked() == accepted
    assert marked(Suprema=texts["Suprema.v"].replace("5 / 4", "6 / 5")) == Accepted()
    assert marked(Another="(* a file that was not compiled *)") == Accepted()
    del texts["Forms.v"]
    assert marked() == Accepted()
    del texts[RECORD]
    assert marked() == Accepted()


def test_only_what_stands_directly_above_a_theorem_is_quoted() -> None:
    quote = '(* Theorem "t": x = \\n   y\n   Reading: every\n   x *)\n'
    key = ("t", "x = \\n y", "every x")
    assert quoted("F.v", f"{quote}(* more *)\nTheorem one : True.") == {key: "F.one"}
    assert quoted("F.v", f"{quote}Lemma one : True.\n(* more *)\nTheorem two : True.") == {}
    assert quoted("F.v", quote) == {}


def test_every_quoted_theorem_is_one_of_the_ledger(accepted: Accepted, ledger: list[Any]) -> None:
    marks = [own["kernel_checked"]["theorem"] for own in as_json(ledger)["theorems"].values()]
    assert sorted(filter(None, marks)) == sorted(accepted.theorems.values())


def test_the_marks_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    own, result = load(), decided("t1")
    assert "form-at-zero: proved, kernel-checked (Coq)" in result.show(80, own.accepted())
    assert "kernel-checked" not in result.show()
    assert "kernel-checked (Coq)" in page([result], own) and "Inverse.T1_closed" in page([result], own)
    assert main(["verify", "t1", "--json"]) == 0
    theorem = json.loads(capsys.readouterr().out)["theorems"]["t1"]
    assert theorem["kernel_checked"]["theorem"] == "Inverse.T1_closed"
    assert main(["verify", "t1"]) == 0
    assert "1 theorem is also accepted, whole, by Coq's kernel" in capsys.readouterr().out
