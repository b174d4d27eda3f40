"""A form measured at lengths of one's own: known entries, own intervals, what has no form, and the file that is written."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from commands import crt

from crtools import POLICIES, Policy, ratio
from crtools.discovery import measure_form, table_form
from crtools.discovery.measurements import ExactRuns
from crtools.errors import InputError

DOUBLE = Policy(
    "double",
    priority=lambda r: r.bound,
    assumed=lambda r, age: min(r.bound, r.u),
    bound=lambda r: r.l,
    cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.u else None,
    longest=lambda r: r.u,
)


def test_known_entries_are_found_at_three_lengths() -> None:
    found = measure_form("h-sf", [2, 5, 3], 1)
    assert (found.status, found.known, found.lengths) == ("supported", "h-sf", (2, 3, 5))
    assert found.entries == {(i, j): i * (i + 1) for i in (2, 3, 5) for j in (2, 3, 5) if i <= j}
    assert found.apart is not None
    assert found.apart < 0.05


@pytest.mark.exhaustive  # takes seconds
def test_a_policy_of_ones_own_on_one_interval_and_on_own_intervals() -> None:
    found = measure_form(DOUBLE, [1, 2, 5], 1)
    assert (found.status, found.known) == ("supported", "a-restart")
    told = measure_form(DOUBLE, [2, 4], factor=2)
    assert (told.status, told.known, told.intervals) == ("supported", None, {2: (1, 4), 4: (2, 8)})
    # by hand: 2 runs for 1 and 2 instants, then 4 after 2 and 4; 1·1 + half of 2·2 times two, and so on
    assert told.entries == {(2, 2): 6, (2, 4): 7, (4, 4): 24}


@pytest.mark.exhaustive  # takes seconds
def test_mixtures_refuse_what_is_no_form() -> None:
    found = measure_form("a-restart", "uniform(2, 3)", intervals=[(1, 2), (3, 6)])
    assert found.intervals == {2: (1, 2), 3: (3, 6)}
    random = measure_form("a-random", [2, 5], 1)
    assert random.status == "inconclusive"
    assert any("mixtures" in line for line in random.tried)


def test_an_order_that_keeps_requests_in_step_is_found_out() -> None:
    found = measure_form(
        "a-max", [1, 2, 4]
    )  # slots of 4 tokens: 1, 2, 4, 1, 2, 4 … stay in step, a random order does not
    assert found.status == "inconclusive"
    assert any("random orders differ" in line for line in found.tried)


@pytest.mark.exhaustive  # takes seconds
def test_a_wrong_total_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    right = ExactRuns.value

    def wrong(runs: ExactRuns, pattern: list[int], s: int, told: dict[int, tuple[int, int]]) -> Fraction | None:
        value = right(runs, pattern, s, told)
        return None if value is None else value + (len(set(pattern)) == 2)

    monkeypatch.setattr(ExactRuns, "value", wrong)
    found = measure_form(replace(POLICIES["h-sf"], paced=False), [2, 3, 5])
    assert "exact runs with matched counts: mixtures are not what the entries give" in found.tried


def test_the_file_written_is_a_form_that_others_take(tmp_path: Path) -> None:
    out = tmp_path / "found.py"
    told = crt("discover", "a-restart", "--lengths", "1,2,5", "--s", "1", "--out", str(out))
    assert told.returncode == 0
    assert "crtools ratio" in told.stdout
    law = "empirical(1:3, 2:1, 5:1)"
    assert ratio(str(out), law, s=1).exact == ratio("a-restart", law, s=1).exact
    with pytest.raises(InputError, match="is known at s = 1 and the lengths 1, 2, 5 alone"):
        ratio(str(out), law).exact  # noqa: B018 -- computed when it is asked for


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("h-sf", "--lengths", "2,x"), "must be an integer, with commas between, such as 2,5"),
        (("h-sf", "--lengths", "2"), "must be 2 to 8 different lengths"),
        (("h-sf", "uniform(1, 30)"), "must be 2 to 8 different lengths"),
        (("h-sf", "geometric(q=1/2)"), "has unbounded support"),
        (("h-sf", "uniform(1, 3)", "--lengths", "1,2"), "was already given"),
        (("h-sf", "--intervals", "1-3"), "for example --lengths 2,4,6"),
        (("h-sf", "--lengths", "2,4", "--predictions", "1-4"), "must be a factor such as x2"),
        (("h-sf", "--lengths", "2,4", "--intervals", "1-3"), "must hold the length 4"),
        (
            ("h-sf", "--lengths", "2,4", "--intervals", "1-4", "--predictions", "x2"),
            "must be left out with intervals",
        ),
        (("h-sf", "--lengths", "701,702,703"), "whose s + length have common factors"),
    ],
)
def test_bad_arguments_name_the_mend(words: tuple[str, ...], says: str) -> None:
    told = crt("discover", *words)
    assert told.returncode == 2
    assert says in told.stderr


def test_a_table_is_known_at_its_lengths_alone() -> None:
    form = table_form({(1, 1): Fraction(2), (1, 2): Fraction(3), (2, 2): Fraction(6)}, 1)
    assert form.entry(2, 1, 1) == 3
    with pytest.raises(InputError, match="lengths 1, 2 alone"):
        form.entry(1, 3, 1)
