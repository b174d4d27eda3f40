"""The table of a ledger's variants: what is read from it, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from crtools.errors import InputError
from crtools.ledger.claim import Variant, with_variants
from crtools.ledger.registry import load

CLAIMS = load("nonclairvoyant").load()[:1]
ID = CLAIMS[0].id


def read(path: Path, text: str) -> tuple[tuple[Variant, ...], tuple[Variant, ...]]:
    path.write_text(text, "utf-8")
    [claim] = with_variants(CLAIMS, path)
    return claim.wrong[len(CLAIMS[0].wrong) :], claim.true[len(CLAIMS[0].true) :]


def test_rows_are_added_in_their_order(tmp_path: Path) -> None:
    text = f"# said\n\n{ID}\n  wrong  at-most@form  a = 1; b = x<=2  # less: 1\n  true   -  a = 2*3  # more\n  wrong  @form  a =   # none\n"
    with pytest.raises(InputError, match=r"own\.txt:6: "):
        read(tmp_path / "own.txt", text)
    wrong, true = read(tmp_path / "own.txt", text.replace("a =   #", "a = 0  #"))
    assert wrong == (
        Variant("less: 1", {"a": "1", "b": "x<=2"}, "at-most", "form", holds=False),
        Variant("none", {"a": "0"}, "", "form", holds=False),
    )
    assert true == (Variant("more", {"a": "2*3"}),)


@pytest.mark.parametrize(
    "line",
    [
        "no-such-claim",
        "  wrong  -  a  # no value",
        "  false  -  a = 1  # another word",
        "  wrong  a = 1  # nothing is changed",
        "  wrong  -  a = 1",
        "  wrong  -  a = 1; b  # half a value",
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"variants = own\.txt:2: must be the id of a claim, or a row"):
        read(tmp_path / "own.txt", f"{ID}\n{line}\n")


def test_a_row_before_any_claim_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"own\.txt:1: "):
        read(tmp_path / "own.txt", "  wrong  -  a = 1  # of nothing\n")
