"""Forged certificates: each was accepted once, or kept the checker busy; each is refused in one line now."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from forged import Key, Path_, check, leaves, put, rejected, signed

import crtools_check
from crtools.certificates import Written
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.literal import process as literal
from crtools.schedule import Schedule

Documents = dict[Key, dict[str, Any]]


# ---- witnesses that are none ----------------------------------------------------------------------------------------


def test_the_definitions_of_packed_agree_on_all_small_schedules() -> None:
    packed = 0
    for n, s in product((1, 2, 3), (1, 2)):
        for lengths in combinations_with_replacement((1, 2, 3), n):
            for starts, memory in product(product(range(4), repeat=n), {s + 3, s + 4, 2 * s + 4}):
                own = crtools_check.packed(starts, lengths, s, memory)
                assert own == Schedule(starts, lengths, s).optimally_packed(memory), (starts, lengths, s, memory)
                assert own == (literal.packed(starts, lengths, s, memory) is None), (starts, lengths, s, memory)
                packed += own
    assert packed > 100
    assert not crtools_check.packed([1], [1], 1, 2)
    assert crtools_check.packed([0], [1], 1, 2)


def test_a_schedule_that_idles_at_first_is_not_packed(documents: Documents) -> None:
    for lengths, first, second in (([1], [0], [1]), ([2, 1], [0, 0], [1, 1])):
        totals = [sum(first) + sum(lengths), sum(second) + sum(lengths)]
        row = {"lengths": lengths, "s": 1, "M": 10, "smaller": 9, "I": first, "I'": second, "totals": totals, "late": 0}
        assert _memory(documents, row) == "not feasible or not packed"


def test_the_late_request_could_not_have_been_earlier(documents: Documents) -> None:
    """Request 0 is late, and packed: it cannot go back to the batch before its own, but it can to the one before that."""
    row = {"lengths": [1, 2, 2], "s": 1, "M": 6, "smaller": 5, "I": [0, 0, 0], "I'": [2, 0, 1], "totals": [5, 8]}
    assert crtools_check.packed([2, 0, 1], [1, 2, 2], 1, 5)
    assert _memory(documents, {**row, "late": 0}) == "the late request could have been earlier"


def _memory(documents: Documents, example: dict[str, Any]) -> str | None:
    data = documents["prop-memory", ALGORITHM]
    return rejected(signed(data, evidence={**data["evidence"], "example": example}))


@pytest.mark.parametrize(
    ("law", "high", "low"),
    [([[2, "1"]], 2, 1), ([[7, "1"]], 7, 3), ([[2, "1/2"], [5, "1/2"]], 2, 1), ([[3, "1/3"], [9, "2/3"]], 3, 1)],
    ids=["point mass", "another", "bounds up to the least length", "another below"],
)  # fmt: skip
def test_a_tie_of_conditional_expectations_needs_two_lengths_and_bounds_in_their_range(
    law: list[Any], high: int, low: int, documents: Documents
) -> None:
    weights = {o: Fraction(w) for o, w in law}
    mean = str(sum(o * w for o, w in weights.items()))
    data = documents["thm-optimality", ALGORITHM]
    means = {"law": law, "high": high, "low": low, "left": mean, "right": mean}
    assert rejected(signed(data, evidence={**data["evidence"], "expectations": means})) is not None


@pytest.mark.parametrize(("alpha", "t"), [("1/4", "1/2"), ("1/2", "1/100"), ("1/10", "19/2")])
def test_an_inference_is_not_refuted_where_its_conclusion_is_true(alpha: str, t: str, documents: Documents) -> None:
    """At the denominator itself the premise is true, and so is the conclusion; below the premise nothing is said."""
    a, at = Fraction(alpha), Fraction(t)
    own, premise = a**2 * at**2 + 2 * a**2 * at + 1, 2 * a * (1 + a) * at
    data = documents["thm-aell", FORM]
    for value, reason in ((own, "the conclusion is true"), (premise / 2, "the premise is false")):
        inference = {"alpha": alpha, "t": t, "denominator": str(value), "h": str(a**2 * (at + 2) / value)}
        assert rejected(signed(data, evidence={**data["evidence"], "inference": inference})) == reason


# ---- values that are written otherwise ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, True, False, 0, [], {}, ""])
def test_given_has_no_further_key(value: Any, documents: Documents) -> None:
    for data in documents.values():
        assert rejected(signed(data, given={**data["given"], "more": value})) is not None


def _outside_polynomials(data: dict[str, Any]) -> Iterator[tuple[Path_, Any]]:
    for path, value in leaves(data["evidence"]):
        if not {"numerator", "denominator", "P", "Q", "R"} & set(path):
            yield path, value


@pytest.fixture
def fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every digest fits, as if recomputed."""
    monkeypatch.setattr(crtools_check, "digest", lambda _: "fits")


@pytest.mark.usefixtures("fitting")
def test_truth_values_are_no_integers(documents: Documents) -> None:
    tried = 0
    for data in documents.values():
        for path, value in _outside_polynomials(data):
            if type(value) is int and value in (0, 1):
                tried += 1
                reason = rejected({**data, "evidence": put(data["evidence"], path, bool(value)), "digest": "fits"})
                assert reason is not None, path
                assert "no value of a certificate" in reason
    assert tried > 40


ZEROS = {"Arabic": "٠", "Bengali": "০", "fullwidth": "０"}


@pytest.mark.usefixtures("fitting")
def test_numbers_have_one_spelling(documents: Documents) -> None:
    scripts = [{ord(str(digit)): chr(ord(zero) + digit) for digit in range(10)} for zero in ZEROS.values()]
    tried = 0
    for data in documents.values():
        for path, value in _outside_polynomials(data):
            if isinstance(value, str) and re.fullmatch(r"-?\d+([./]\d+)?", value):
                tried += 1
                translated = [value.translate(script) for script in scripts]
                for other in (*translated, "0" + value, "+" + value, " " + value, value + "\n", "-0" + value):
                    changed = {**data, "evidence": put(data["evidence"], path, other), "digest": "fits"}
                    assert rejected(changed) is not None, (path, other)
    assert tried > 40


@pytest.mark.parametrize(
    ("text", "places"),
    [("01.25", 2), ("00.25", 2), ("-0.00", 2), ("1.٢5", 2), ("1.2", 2), (".25", 2), ("1.25 ", 2), ("1.25\n", 2)],
)  # fmt: skip
def test_a_decimal_has_one_spelling(text: str, places: int) -> None:
    with pytest.raises(crtools_check.Rejected, match="expected a decimal"):
        crtools_check.decimal(text, places)
    assert crtools_check.decimal("0.25", places) == Fraction(1, 4)


# ---- what is too large, or no file ----------------------------------------------------------------------------------


def _power(exponent: int) -> list[Any]:
    return [["1", [exponent, 0]]]


LARGE: list[tuple[str, Key, Path_, Any, str]] = [
    ("a degree of 499", ("thm-random", AT_ZERO), ("steps", 2, "numerator"), _power(499), "expected an integer from 0 to"),
    ("5000 terms", ("thm-random", AT_ZERO), ("steps", 2, "numerator"), [["1", [0, 0]]] * 5000, "a list of more than"),
    ("200 terms", ("thm-random", AT_ZERO), ("steps", 2, "numerator"), [["1", [0, 0]]] * 200, "expected a list of"),
    ("a coefficient of 50 digits", ("thm-random", AT_ZERO), ("steps", 2, "numerator"), [["9" * 50, [0, 0]]], "20 digits"),
    ("a q of 50 digits", ("geometric", FORM), ("example", "q"), f"{10**49}/{10**49 + 1}", "at most three digits"),
    ("an s of 50 digits", ("geometric", FORM), ("example", "s"), 10**49, "more than 18 digits"),
    ("a fraction of 4000 digits", ("geometric", FORM), ("example", "q"), f"1/{10**3999}", "a string of more than"),
    ("long ties", ("prop-transition", ALGORITHM), ("example", "lengths"), [15, 16, 17, 18, 19, 20], "from 1 to"),
    ("many ties", ("update-distribution", ALGORITHM), ("example", "lengths"), [2, 2, 3, 3, 4, 4], "a few requests"),
    ("a deep list", ("geometric", FORM), ("example", "q"), json.loads("[" * 100 + "]" * 100), "levels deep"),
]  # fmt: skip


@pytest.mark.parametrize(("note", "key", "path", "value", "reason"), LARGE, ids=[row[0] for row in LARGE])
def test_what_is_too_large_is_refused_before_it_is_computed(
    note: str, key: Key, path: Path_, value: Any, reason: str, documents: Documents
) -> None:
    data = documents[key]
    found = rejected(signed(data, evidence=put(data["evidence"], path, value)))
    assert found is not None, note
    assert reason in found


def test_certificates_keep_a_distance_to_the_limits(written: Written, documents: Documents) -> None:
    assert max(path.stat().st_size for path in written.folder.iterdir()) < crtools_check.LARGEST_FILE // 4
    for data in documents.values():
        for path, value in leaves(data):
            assert len(path) + 3 < crtools_check.DEEPEST
            if isinstance(value, str | list):
                assert len(value) <= crtools_check.LONGEST_STRING


def test_a_file_that_is_refused_does_not_stop_the_rest(written: Written, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(written.folder, tmp_path / "copy"))
    names = [
        "trace.form-at-zero",
        "t1.form-at-zero",
        "t2.form-at-zero",
        "cor-ab.form-at-zero",
        "wlog.form",
        "hsf-lower.algorithm",
    ]
    spoiled = [folder / f"{name}.json" for name in names]
    for path in spoiled:
        path.unlink()
    spoiled[0].write_text("[" * 990 + "]" * 990)
    spoiled[1].symlink_to("/dev/zero")
    os.mkfifo(spoiled[2])
    spoiled[3].mkdir()
    spoiled[4].write_text('{"format": ' * 100 + "2" + "}" * 100)
    spoiled[5].write_bytes(b" " * (crtools_check.LARGEST_FILE + 1))
    done = check(folder, "--json")
    assert done.returncode == 1
    assert done.stderr == ""
    bad = {f"{row['id']}.{row['level']}": row for row in json.loads(done.stdout)["certificates"] if row["reason"]}
    assert set(bad) == set(names)
    reasons = [bad[name]["reason"] for name in names]
    assert [("levels deep" in r, "regular" in r, "bytes" in r) for r in reasons] == [
        (True, False, False), (False, True, False), (False, True, False), (False, True, False), (True, False, False),
        (False, False, True),
    ]  # fmt: skip
    assert {row["worth"] for row in bad.values()} == {""}
    for path in spoiled[:5]:
        if not path.is_dir():
            alone = check(path)
            assert (alone.returncode, alone.stderr) == (1, "")
            assert "rejected" in alone.stdout


# ---- what a result is worth -----------------------------------------------------------------------------------------

ARGUED = [
    (id, ALGORITHM)
    for id in ("tel-identity", "infeasible-pair", "hsf-cardinality", "amax-safe", "thm-complexity", "lem-amin")
]


def test_a_result_says_what_it_is_worth(written: Written) -> None:
    done = check(written.folder, "--json")
    rows = {(row["id"], row["level"]): row for row in json.loads(done.stdout)["certificates"]}
    table = check(written.folder).stdout
    for key, row in rows.items():
        count = len(crtools_check.argued_steps(crtools_check.CLAIMS[key].check))
        many = f"verified modulo {count} argued step{'s' if count > 1 else ''}"
        nothing = "verified at the witness" if row["status"] == "refuted" else "verified"
        assert row["worth"] == (many if count else nothing)
        assert re.search(rf"^{key[0]} +{key[1]} +{row['status']} +{row['worth']}$", table, re.MULTILINE)
    assert {"verified", "verified at the witness"} < {row["worth"] for row in rows.values()}
    for key in ARGUED:
        assert "argued" in rows[key]["worth"]


def test_one_certificate_prints_its_argued_steps(written: Written) -> None:
    for id, level in (("lem-amin", ALGORITHM), ("trace", AT_ZERO), ("hsf-lower", ALGORITHM)):
        shown = check(written.folder / f"{id}.{level}.json").stdout
        steps = crtools_check.argued_steps(crtools_check.CLAIMS[id, level].check)
        assert [line.removeprefix("argued: ") for line in shown.splitlines() if line.startswith("argued: ")] == steps


def test_every_argument_in_words_is_counted_by_a_claim() -> None:
    """An argument in a docstring of this file belongs to a claim: it is not forgotten as code moves."""
    counted = {
        step for statement in crtools_check.CLAIMS.values() for step in crtools_check.argued_steps(statement.check)
    }
    written = re.findall(r"^ +\* (\S.*)$", Path(crtools_check.__file__).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(written) > 80
    for line in written:
        assert any(step.startswith(" ".join(line.split())) for step in counted), line
