"""Settings: what is allowed, what is refused and how, and that a setting is a value."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import InputError, Setting, form, worst_case
from crtools.setting import LARGEST_LENGTH, integer, listed

fixed = settings(deadline=None, derandomize=True, max_examples=100)
plain_text = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")))


def refused(argument: str, *parts: str, **given_: object) -> None:
    """Assert that the setting is refused in one line that names the argument, the value and what is allowed."""
    with pytest.raises(InputError) as caught:
        Setting(**given_)  # pyright: ignore[reportArgumentType]
    check_line(caught.value, argument, *parts)


def check_line(error: InputError, argument: str, *parts: str) -> None:
    line = str(error)
    assert line.startswith(f"{argument} = "), line
    assert len(line.splitlines()) == 1
    assert error.argument == argument
    assert error.allowed in line
    for part in parts:
        assert part in line


# ---- what is refused -----------------------------------------------------------------------------------------------

NOT_INTEGERS = (1.0, 2.5, float("nan"), float("inf"), "3", "", None, True, False, Fraction(1, 3), 1j, [1], (1,), b"1")


@pytest.mark.parametrize("value", NOT_INTEGERS, ids=repr)
def test_what_is_not_an_integer_is_refused_wherever_an_integer_is_meant(value: object) -> None:
    shown = str(value)
    refused("s", shown, "must be an integer ≥ 0", s=value, l=1, u=5)
    if value is not None:  # None is the default of l and of u
        refused("l", shown, f"must be an integer from 1 to {LARGEST_LENGTH}", s=0, l=value, u=5)
        refused("u", shown, f"must be an integer from 1 to {LARGEST_LENGTH}", s=0, l=1, u=value)
    refused("l_1", shown, intervals=((value, 5), (6, 7)))
    refused("u_1", shown, intervals=((1, value), (6, 7)))
    refused("l_2", shown, intervals=((1, 5), (value, 7)))
    refused("u_2", shown, intervals=((1, 5), (6, value)))


@pytest.mark.parametrize(
    ("argument", "given_", "allowed"),
    [
        ("s", {"s": -1, "l": 1, "u": 5}, "s = -1: must be an integer ≥ 0"),
        ("l", {"l": 0, "u": 5}, "l = 0: must be an integer from 1 to 100000000"),
        ("l", {"l": -3, "u": 5}, "l = -3: must be an integer from 1"),
        ("l", {"l": 10**8 + 1, "u": 10**8 + 1}, "l = 100000001"),
        ("u", {"l": 1, "u": 0}, "u = 0: must be an integer from 1"),
        ("u", {"l": 1, "u": 10**8 + 1}, "u = 100000001: must be an integer from 1 to 100000000"),
        ("u", {"l": 7, "u": 6}, "u = 6: must be at least the interval's lower end l = 7"),
        ("u", {"l": 7}, "u = None: give u, or intervals"),
        ("u", {}, "u = None: give u, or intervals"),
        ("intervals", {"l": 1, "u": 5, "intervals": ((1, 5),)}, "give either l and u or intervals, not both"),
        ("intervals", {"u": 5, "intervals": ((1, 5),)}, "not both"),
        ("intervals", {"l": 1, "intervals": ((1, 5),)}, "not both"),
        ("intervals", {"intervals": ()}, "must be pairs (l, u) with u_j ≤ l_{j+1}"),
        ("intervals", {"intervals": 5}, "intervals = 5: must be pairs"),
        ("intervals", {"intervals": "15"}, "must be pairs"),
        ("intervals", {"intervals": (1, 5)}, "must be pairs"),
        ("intervals", {"intervals": ((1, 5, 6),)}, "must be pairs"),
        ("intervals", {"intervals": ((1,), (2, 3))}, "must be pairs"),
        ("intervals", {"intervals": (None,)}, "must be pairs"),
        ("u_1", {"intervals": ((5, 1),)}, "u_1 = 1: must be at least the interval's lower end l = 5"),
        ("u_2", {"intervals": ((1, 5), (9, 8))}, "u_2 = 8: must be at least the interval's lower end l = 9"),
        ("l_2", {"intervals": ((1, 5), (4, 8))}, "l_2 = 4: must be at least u_1 = 5"),
        ("l_3", {"intervals": ((1, 2), (4, 8), (3, 9))}, "l_3 = 3: must be at least u_2 = 8"),
        ("l_1", {"intervals": ((0, 5),)}, "l_1 = 0: must be an integer from 1"),
        ("u_2", {"intervals": ((1, 5), (6, 10**8 + 1))}, "u_2 = 100000001"),
    ],
)
def test_bad_values_are_refused_in_one_line(argument: str, given_: dict[str, object], allowed: str) -> None:
    refused(argument, allowed, **given_)


@pytest.mark.parametrize("value", [Fraction(3)], ids=repr)
def test_the_message_tells_a_fraction_from_an_integer(value: object) -> None:
    with pytest.raises(InputError) as caught:
        Setting(s=value, u=5)  # pyright: ignore[reportArgumentType]
    assert str(caught.value) == "s = 3: must be an integer ≥ 0, and not a Fraction"


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(InputError) as caught:
        Setting(s="x" * 10_000, u=5)  # pyright: ignore[reportArgumentType]
    assert len(str(caught.value)) < 150
    assert "must be an integer ≥ 0" in str(caught.value)


BREAKS = ("\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


@pytest.mark.parametrize(
    "separator",
    ["\n", *BREAKS],
    ids=ascii,
)
def test_a_value_with_line_breaks_still_gives_one_line(separator: str) -> None:
    refused("s", "must be an integer ≥ 0", s=f"a{separator}b", u=5)


@fixed
@given(st.one_of(st.floats(), plain_text, st.binary(), st.booleans(), st.none(), st.fractions(), st.lists(plain_text)))
def test_any_value_of_another_type_is_an_input_error(value: object) -> None:
    with pytest.raises(InputError) as caught:
        Setting(s=value, u=5)  # pyright: ignore[reportArgumentType]
    check_line(caught.value, "s", "must be an integer ≥ 0")


@fixed
@given(st.integers(), st.integers(), st.integers())
def test_a_setting_is_made_exactly_where_it_is_allowed(s: int, l: int, u: int) -> None:
    allowed = s >= 0 and 1 <= l <= u <= LARGEST_LENGTH
    if not allowed:
        with pytest.raises(InputError):
            Setting(s, l, u)
        return
    made = Setting(s, l, u)
    assert (made.s, made.l, made.u) == (s, l, u)


@fixed
@given(st.lists(st.tuples(st.integers(-1, 12), st.integers(-1, 12)), max_size=3))
def test_intervals_are_taken_exactly_where_they_are_in_order(pairs: list[tuple[int, int]]) -> None:
    in_order = all(1 <= low <= up for low, up in pairs)
    in_order = in_order and all(pairs[k][1] <= pairs[k + 1][0] for k in range(len(pairs) - 1))
    if pairs and in_order:
        assert Setting(intervals=pairs).intervals == tuple(pairs)
    else:
        with pytest.raises(InputError):
            Setting(intervals=pairs)


def test_the_same_checks_stand_before_forms_and_worst_cases() -> None:
    for call, argument in (
        (lambda: worst_case("a-min", l=0, u=5), "l"),
        (lambda: worst_case("a-min", l=6, u=5), "u"),
        (lambda: worst_case("a-min"), "u"),
        (lambda: worst_case("a-min", u=5, s=-1), "s"),
        (lambda: worst_case("nobody", u=5), "policy"),
        (lambda: worst_case("a-min", u=5, against="nobody"), "against"),
        (lambda: worst_case("a-min", u=5).enclosure(0), "digits"),
        (lambda: worst_case("a-min", u=5).enclosure(2.5), "digits"),  # pyright: ignore[reportArgumentType]
        (lambda: worst_case("a-min", u=5).enclosure(1001), "digits"),
        (lambda: form("nobody"), "form"),
    ):
        with pytest.raises(InputError) as caught:
            call()
        check_line(caught.value, argument)


# ---- what is taken -------------------------------------------------------------------------------------------------


def test_defaults() -> None:
    made = Setting(u=10)
    assert (made.s, made.l, made.u, made.intervals, made.single) == (0, 1, 10, ((1, 10),), True)
    assert made.size == 10
    assert made.alpha == Fraction(1, 10)
    assert repr(made) == "Setting(s=0, l=1, u=10)"


def test_numpy_integers_become_ints() -> None:
    made = Setting(np.int64(3), np.int32(2), np.uint8(9))
    assert made == Setting(3, 2, 9)
    assert all(type(v) is int for v in (made.s, made.l, made.u))


def test_the_largest_length_is_allowed() -> None:
    assert Setting(0, LARGEST_LENGTH, LARGEST_LENGTH).size == 1
    assert integer("x", LARGEST_LENGTH, 1, LARGEST_LENGTH) == LARGEST_LENGTH


def test_several_intervals() -> None:
    made = Setting(s=4, intervals=[[1, 3], (5, 9)])
    assert (made.s, made.l, made.u, made.size) == (4, 1, 9, 9)
    assert made.intervals == ((1, 3), (5, 9))
    assert not made.single
    assert made.blocks() == ((1, 3), (5, 9))
    assert repr(made) == "Setting(s=4, intervals=((1, 3), (5, 9)))"
    assert Setting(intervals=(pair for pair in ((1, 3), (5, 9)))) == Setting(intervals=((1, 3), (5, 9)))


@pytest.mark.parametrize(
    ("intervals", "blocks"),
    [
        (((1, 4), (4, 9)), ((1, 3), (4, 9))),
        (((1, 4), (4, 4), (4, 9)), ((1, 3), (4, 9))),
        (((2, 2), (2, 5)), ((2, 5),)),
        (((1, 4), (4, 6), (6, 6)), ((1, 3), (4, 5), (6, 6))),
        (((3, 3),), ((3, 3),)),
        (((1, 2), (5, 7), (7, 9), (20, 20)), ((1, 2), (5, 6), (7, 9), (20, 20))),
    ],
)
def test_a_shared_end_belongs_to_the_later_interval(
    intervals: tuple[tuple[int, int], ...], blocks: tuple[tuple[int, int], ...]
) -> None:
    assert Setting(intervals=intervals).blocks() == blocks


@fixed
@given(st.lists(st.integers(1, 30), min_size=2, max_size=8).filter(lambda e: len(e) % 2 == 0))
def test_blocks_give_every_length_to_the_interval_of_the_largest_lower_end(edges: list[int]) -> None:
    edges = sorted(edges)
    made = Setting(intervals=list(zip(edges[::2], edges[1::2], strict=True)))
    for length in range(made.l, made.u + 1):
        owners = [low for low, up in made.intervals if low <= length <= up]
        blocks = [low for low, up in made.blocks() if low <= length <= up]
        assert blocks == ([max(owners)] if owners else [])


# ---- a setting is a value ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["s", "l", "u", "intervals", "size", "new"])
def test_nothing_can_be_set(name: str) -> None:
    made = Setting(0, 1, 5)
    with pytest.raises(AttributeError):
        setattr(made, name, 3)
    assert made == Setting(0, 1, 5)


@pytest.mark.parametrize("name", ["s", "l", "u", "intervals"])
def test_nothing_can_be_deleted(name: str) -> None:
    made = Setting(0, 1, 5)
    with pytest.raises(AttributeError):
        delattr(made, name)
    assert made == Setting(0, 1, 5)


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))],
    ids=["copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("made", [Setting(2, 1, 5), Setting(2, intervals=((1, 3), (3, 7)))], ids=repr)
def test_a_setting_can_be_copied_and_sent_to_another_process(duplicate: object, made: Setting) -> None:
    twin = duplicate(made)  # pyright: ignore[reportCallIssue, reportUnknownVariableType]
    assert twin == made
    assert (twin.s, twin.l, twin.u) == (made.s, made.l, made.u)


def test_equality_and_hash() -> None:
    assert Setting(0, 1, 5) == Setting(u=5)
    assert Setting(0, 1, 5) == Setting(intervals=((1, 5),))
    assert hash(Setting(0, 1, 5)) == hash(Setting(intervals=[(1, 5)]))
    others = [
        Setting(1, 1, 5),
        Setting(0, 2, 5),
        Setting(0, 1, 6),
        Setting(intervals=((1, 2), (3, 5))),
        Setting(intervals=((1, 3), (3, 5))),
    ]
    assert all(Setting(0, 1, 5) != other for other in others)
    assert len({*others, *others, Setting(0, 1, 5)}) == 6
    assert Setting(0, 1, 5) != (0, 1, 5)
    assert Setting(0, 1, 5).__eq__("Setting(s=0, l=1, u=5)") in (False, NotImplemented)


# ---- lengths and lists ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("intervals", "lengths"),
    [
        (((3, 3),), [3]),
        (((2, 5),), [2, 3, 4, 5]),
        (((1, 2), (2, 4)), [1, 2, 3, 4]),
        (((1, 1), (1, 3)), [1, 2, 3]),
        (((1, 2), (5, 6), (9, 9)), [1, 2, 5, 6, 9]),
    ],
)
def test_lengths_are_those_of_the_intervals_once_each(
    intervals: tuple[tuple[int, int], ...], lengths: list[int]
) -> None:
    assert Setting(intervals=intervals).lengths() == lengths


@pytest.mark.parametrize("values", ["12", b"12", {1: 2}, {1, 2}, frozenset({1}), 3, None])
def test_what_has_no_order_is_no_list(values: object) -> None:
    with pytest.raises(InputError, match=r"^seeds = .*: must be numbers$"):
        listed("seeds", values, "must be numbers")


@pytest.mark.parametrize("values", [[1, 2], (1, 2), range(1, 3), np.array([1, 2]), iter([1, 2]), {1: 1, 2: 2}.values()])
def test_what_has_an_order_is_a_list(values: object) -> None:
    assert listed("seeds", values, "must be numbers") == [1, 2]
