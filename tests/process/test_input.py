"""What is refused before anything runs, in one line; policies of one's own; and what importing loads."""

from __future__ import annotations

import doctest
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crtools.errors import InputError
from crtools.process import Livelock, Policy, policies, replay, simulate
from crtools.process.policies import known_policies


class Sized:
    """Has a length and no items."""

    def __len__(self) -> int:
        return 3


GOOD: dict[str, Any] = {"policy": "a-min-literal", "lengths": [2, 1, 3], "memory": 9, "s": 1, "l": 1, "u": 4}


@pytest.mark.parametrize(
    ("changes", "name", "says"),
    [
        ({"lengths": []}, "lengths", "at least one"),
        ({"lengths": [1, 0]}, "lengths", "≥ 1"),
        ({"lengths": [1, 2.5]}, "lengths", "integer"),
        ({"lengths": [1, True]}, "lengths", "integer"),
        ({"lengths": [1, "2"]}, "lengths", "integer"),
        ({"lengths": [1, [2]]}, "lengths", "integer"),
        ({"lengths": [1, None]}, "lengths", "integer"),
        ({"lengths": [1, 10**30]}, "lengths", "integer"),
        ({"lengths": [float("nan"), 1, 1]}, "lengths", "integer"),
        ({"lengths": {1: 2, 2: 3}}, "lengths", "list"),
        ({"lengths": {1, 2, 3}}, "lengths", "list"),
        ({"lengths": b"12"}, "lengths", "list"),
        ({"lengths": range(1, 10**12)}, "lengths", "at most"),
        ({"lengths": Sized()}, "lengths", "list"),
        ({"lengths": np.ma.array([1, 2, 3], mask=[1, 0, 0])}, "lengths", "integer"),
        ({"lengths": np.array([True, True])}, "lengths", "list of integers"),
        ({"lengths": np.array([2**63, 1], dtype=np.uint64)}, "lengths", "integer"),
        ({"lengths": "12"}, "lengths", "list"),
        ({"lengths": 3}, "lengths", "list"),
        ({"lengths": np.array([1.0, 2.0])}, "lengths", "list of integers"),
        ({"lengths": np.array([[1, 2]])}, "lengths", "list of integers"),
        ({"lengths": np.array([0, 2])}, "lengths", "≥ 1"),
        ({"memory": 0}, "memory", "integer"),
        ({"memory": 3.0}, "memory", "integer"),
        ({"memory": 3}, "memory", "must hold 1 + 3 tokens"),
        ({"policy": "a-max", "memory": 4}, "memory", "must hold 1 + 4 tokens"),
        ({"policy": "a-ell", "lengths": [1, 4], "memory": 4}, "memory", "must hold 1 + 4 tokens"),
        ({"s": -1}, "s", "from 0"),
        ({"s": [1, 1]}, "s", "one for each of 3"),
        ({"s": [1, 1, -1]}, "s", "≥ 0"),
        ({"l": 0}, "l", "from 1"),
        ({"l": 2}, "l", "request 1"),
        ({"l": [1, 1, 4]}, "l", "request 2"),
        ({"u": 2}, "lengths", "at most u = 2"),
        ({"l": 3, "u": 2}, "u", "at least l = 3"),
        ({"policy": "a-ell"}, "lengths", "l = 1 or u = 4"),
        ({"policy": "switch", "l": [1, 1, 2]}, "policy", "one interval"),
        ({"policy": "switch"}, "lengths", "a-ell"),
        ({"order": [0, 1]}, "order", "permutation"),
        ({"order": [0, 1, 1]}, "order", "permutation"),
        ({"order": [1, 2, 3]}, "order", "permutation"),
        ({"ties": [0, 1, 5]}, "ties", "permutation"),
        ({"ties": [0, 1, 1.5]}, "ties", "integer"),
        ({"ties": "012"}, "ties", "list"),
        ({"order": {0, 1, 2}}, "order", "list"),
        ({"order": [False, True, 2]}, "order", "integer"),
        ({"ties": [0.0, 1.0, 2.0]}, "ties", "integer"),
        ({"engine": np.array([1, 2])}, "engine", "auto"),
        ({"engine": None}, "engine", "auto"),
        ({"memory": True}, "memory", "integer"),
        ({"memory": 10**400}, "memory", "integer"),
        ({"s": float("nan")}, "s", "integer"),
        ({"u": 10**9}, "u", "integer"),
        ({"seed": 2**63}, "seed", "integer"),
        ({"limit": 2**70}, "limit", "integer"),
        ({"policy": "a-mix"}, "policy", "h-sf, fcfs, h-volume"),
        ({"policy": 3}, "policy", "h-sf, fcfs, h-volume"),
        ({"engine": "quick"}, "engine", "auto"),
        ({"seed": -1}, "seed", "integer"),
        ({"limit": 0}, "limit", "integer"),
    ],
)
def test_bad_input_is_refused_in_one_line(changes: dict[str, Any], name: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        simulate(**{**GOOD, **changes})
    assert caught.value.argument == name
    assert says in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"n": 9, "memory": 9}, "n = 9: give simulate a list of lengths; compare draws n requests from a law"),
        (
            {"lengths": [1], "memory": 9, "sead": 3},
            "argument = sead: did you mean seed? It must be one of policy, lengths",
        ),
        ({"lengths": [1]}, "memory: give the capacity in tokens, for example memory=100"),
        ({"memory": 9}, "lengths: give the output lengths, for example [3, 1]"),
    ],
)
def test_missing_and_unknown_arguments_are_refused_in_one_line(arguments: dict[str, Any], line: str) -> None:
    with pytest.raises(InputError) as caught:
        simulate("h-sf", **arguments)
    assert str(caught.value).startswith(line) and "unknown" not in str(caught.value)


def test_policies_that_know_the_lengths_do_not_need_room_for_u() -> None:
    for policy in ("h-sf", "a-random", "a-min-literal", "a-min-cohort"):
        assert simulate(policy, [1, 2, 3], 4, s=1, l=1, u=50).peak_memory == 4


def test_a_lower_end_above_a_length_matters_to_policies_that_use_it() -> None:
    assert simulate("h-sf", [1, 3], 4, l=2, u=4).total_latency > 0
    with pytest.raises(InputError):
        simulate("a-min-cohort", [1, 3], 4, l=2, u=4)


def test_replay_reads_files_and_mappings(tmp_path: Path) -> None:
    instance = {"name": "any", "memory": 7, "s": 1, "l": 1, "u": 4, "lengths": [1, 2, 3, 4]}
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(instance))
    assert replay(path, "h-sf")["h-sf"].total_latency == 12
    assert replay(str(path), ["a-min"])["a-min-literal"].n == 4
    usual = [name for name, policy in known_policies().items() if policy.usual]
    found = replay(instance)
    assert list(found) == [name for name in usual if name != "a-ell"]
    assert list(found.left_out) == ["a-ell"] and "l = 1 or u = 4" in found.left_out["a-ell"]
    assert list(replay({**instance, "lengths": [1, 4]})) == usual
    assert list(replay({**instance, "u": 9}).left_out) == ["a-max", "a-ell", "a-restart", "a-offset", "a-learn"]
    with pytest.raises(InputError, match="a-max"):
        replay({**instance, "u": 9}, ["h-sf", "a-max"])
    with pytest.raises(InputError, match="under h-sf"):
        replay({**instance, "memory": 4})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "JSON"),
        ("", "JSON"),
        ("[1, 2]", "object"),
        ("{}", "memory"),
        ('{"memory": 5}', "lengths"),
        ('{"memory": 5, "lengths": []}', "at least one"),
        ('{"memory": 5, "lengths": [1, 2], "order": [0, 0]}', "permutation"),
        ('{"memory": 5, "lengths": {"a": 1}}', "list"),
        ('{"memory": 5, "lengths": [NaN]}', "integer"),
        ('{"memory": Infinity, "lengths": [1]}', "integer"),
        ('{"memory": 5, "lengths": [1e2]}', "integer"),
        ('{"memory": 5, "lengths": [true]}', "integer"),
        ('{"memory": null, "lengths": [1]}', "integer"),
        ('{"memory": "5", "lengths": [1]}', "integer"),
        ('{"memory": 5, "lengths": "111"}', "list"),
        ('{"memory": 5, "lengths": [[1]]}', "integer"),
        ('{"memory": 5, "lengths": [1], "s": {}}', "list"),
        ('{"memory": 5, "lengths": [1], "ties": 0}', "list"),
        ('{"memory": 5, "lengths": [1]} 6', "JSON"),
        ("null", "object"),
        ("[" * 100_000, "JSON"),
        ('{"memory": ' + "9" * 5000 + "}", "JSON"),
        ("\0", "JSON"),
    ],
)
def test_bad_files_are_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "instance.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        replay(path)
    assert says in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [None, 3, 1.5, [1], {1}, np.array([1]), object()])
def test_what_is_no_instance_and_no_policy_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError) as caught:
        replay(wrong)
    assert caught.value.argument == "instance" and "\n" not in str(caught.value)
    if wrong is not None:
        with pytest.raises(InputError) as caught:
            replay({"lengths": [1], "memory": 2}, wrong)
        assert caught.value.argument in ("policies", "policy")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be a readable file"):
        replay(tmp_path / "none.json")


def test_a_policy_of_ones_own_runs_in_either_engine() -> None:
    longest_first = Policy(
        "longest-first", priority=lambda r: -r.length, assumed=lambda r, age: r.length, equals="ties", fixed=False
    )
    run = simulate(longest_first, [1, 2, 3], 3)
    assert (run.policy, run.engine) == ("longest-first", "reference")
    assert run.schedule.starts == (3, 3, 0)
    assert simulate(longest_first, [1, 2, 3], 3, engine="fast").schedule.starts == (3, 3, 0)
    paced = Policy("paced", priority=lambda r: r.l, assumed=lambda r, age: r.u, paced=True, equals="ties")
    assert simulate(paced, [1, 2, 3], 4, engine="fast").engine == "fast"


def test_a_policy_that_assumes_too_little_is_stopped() -> None:
    careless = Policy("careless", priority=lambda r: 0, assumed=lambda r, age: r.l, fixed=True)
    for engine in ("reference", "fast"):
        with pytest.raises(InputError, match="none in time: memory 6 > M = 5 at t = 3"):
            simulate(careless, [3, 3], 5, l=1, engine=engine)


def asked_in_turn(**rules: Any) -> Policy:
    return Policy(
        **{"name": "own", "priority": lambda r: 0, "assumed": lambda r, age: r.u, "longest": lambda r: r.u, **rules}
    )


@pytest.mark.parametrize(
    ("rules", "changes", "says"),
    [
        ({"draws": lambda numbers: 1 / 0}, {"memory": 2}, "memory = 2: must hold 0 [+] 3 tokens"),
        ({"draws": lambda numbers: numbers + 5, "longest": lambda r: r.drawn}, {}, "longest must return lengths ≥ 1"),
        ({"reserve": lambda clock: 2}, {"limit": 0}, "limit = 0"),
        ({"reserve": lambda clock: 2}, {"engine": "slow"}, "engine = slow"),
        ({"reserve": lambda clock: 2}, {}, "reserve = 2"),
        ({}, {"seed": -1, "order": [0]}, "seed = -1"),
        ({}, {"order": [0], "ties": [0]}, "order = .*permutation"),
        ({}, {"ties": [0], "memory": 2}, "ties = .*permutation"),
    ],
)
def test_arguments_are_checked_in_turn(rules: dict[str, Any], changes: dict[str, Any], says: str) -> None:
    for engine in ("fast", "reference"):
        with pytest.raises(InputError, match=says):
            simulate(asked_in_turn(**rules), [1, 2, 3], **{"memory": 5, "engine": engine, **changes})


def test_longest_is_asked_again_with_the_bounds() -> None:
    rules = asked_in_turn(bound=lambda r: r.u, longest=lambda r: r.bound)
    for engine in ("fast", "reference"):
        assert simulate(rules, [1, 2, 3], 5, engine=engine).total_latency == 9


def test_replay_takes_the_name_of_one_policy_from_an_array() -> None:
    assert list(replay({"memory": 5, "lengths": [3, 1]}, np.array(["h-sf"])[0])) == ["h-sf"]


def test_replay_checks_policies_before_the_permutations() -> None:
    given = {"memory": 5, "lengths": [1, 2, 3], "order": [0]}
    for wrong in (3, ["h-sf", "none"]):
        with pytest.raises(InputError, match="polic"):
            replay(given, wrong)  # pyright: ignore[reportArgumentType]
    for named in ("none", "h-sf", ["h-sf"], None):
        with pytest.raises(InputError, match=r"order = .*permutation"):
            replay(given, named)


def test_the_documented_example() -> None:
    assert doctest.testmod(policies).failed == 0


def test_runs_and_errors_can_be_sent_to_other_processes() -> None:
    run = simulate("h-sf", [1, 2, 3], 4)
    assert pickle.loads(pickle.dumps(run)) == run
    error = pickle.loads(pickle.dumps(Livelock("a-min-literal", 5, 1, 2, 3)))
    assert (error.limit, error.waiting, error.running, error.cancellations) == (5, 1, 2, 3)


def test_importing_and_small_runs_do_not_load_numba() -> None:
    code = "import sys, crtools.process as c; c.simulate('h-sf', [1, 2], 9); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "False", done.stderr
