"""``crtools list`` and every ``--help``: short lines, texts from where things are defined, and examples that run."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crtools.cli import build_parser, main
from crtools.cli.listing import KINDS
from crtools.distributions import distribution
from crtools.distributions.spec import notations
from crtools.forms import known_forms
from crtools.ledger.claim import Claim
from crtools.ledger.ledger import Ledger, Level
from crtools.plotting import known_figures
from crtools.process import POLICIES
from crtools.process.plans import Seen
from crtools.process.policies import families
from crtools.tables import WIDTH
from crtools.worst_cases.base import CERTIFIED_DIGITS

COMMANDS = build_parser()[1]


def undecided(given: Any) -> Any:
    raise AssertionError("a list must decide nothing")


def claim(id: str, place: str, statement: str) -> Claim:
    return Claim(id=id, place=place, statement=statement, stated_at="zero", given={}, decide=undecided)


SMALL = Ledger(
    name="small",
    title="A theory with two claims",
    source="none",
    levels=(Level("zero", "0", "forms " * 30, "is it so?"),),
    load=lambda: (claim("one", "Theorem 1", "CR is at most $α^2$"), claim("two-b", 'Lemma "x" ' * 9, "long " * 40)),
    slow=frozenset({"one"}),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.ledger.registry.ledgers", lambda: {"small": SMALL})


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    out, error = capsys.readouterr()
    assert error == ""
    return out


# ---- list -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("claims", "levels")])
def test_a_list_has_a_short_line_for_each_and_nothing_is_cut(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", kind).splitlines()
    rows = json.loads(printed(capsys, "list", kind, "--json"))[kind]
    assert len(lines) == len(rows) > 4
    for line, row in zip(lines, rows, strict=True):
        assert len(line) <= WIDTH
        assert "…" not in line.replace("l, …, u", "")
        assert row["summary"], row
        assert row["summary"] in line
        assert line.startswith(row.get("signature") or row["name"])


def test_the_lists_are_of_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    names = {kind: {r["name"] for r in json.loads(printed(capsys, "list", kind, "--json"))[kind]} for kind in
             ("forms", "policies", "figures", "laws")}  # fmt: skip
    assert names["forms"] == set(known_forms())
    assert names["policies"] == {*POLICIES, "a-min", "switch", *(own.example for own in families().values())}
    assert names["figures"] == set(known_figures())


def test_every_example_of_a_law_is_one() -> None:
    for law in notations():
        if law.name not in ("csv", "jsonl", "parquet"):
            read = distribution(law.example)
            assert read.spec().startswith(law.name), law
            assert not read.parameters, law


def test_claims_are_listed_without_deciding_any(small: None, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", "claims", "--ledger", "small").splitlines()
    assert lines[:2] == ["one  Theorem 1 (slow)", "  CR is at most α^2"]
    assert lines[2].startswith('two-b  Lemma "x" ')
    assert " ".join(lines[3:]).split().count("long") == 40  # whole, on as many lines as it takes
    assert all(len(line) <= WIDTH for line in lines)
    one, two = json.loads(printed(capsys, "list", "Claims", "--ledger", "small", "--json"))["claims"]
    assert one == {"id": "one", "place": "Theorem 1", "statement": "CR is at most α^2", "slow": True}
    assert two["statement"] == "long " * 40


def test_levels_are_listed_with_what_they_ask(small: None, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", "levels", "--ledger", "small").splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[0].startswith("zero ")
    assert lines[-1].strip() == "is it so?"
    assert json.loads(printed(capsys, "list", "levels", "--ledger", "small", "--json"))["levels"][0]["head"] == "0"


def test_without_a_kind_it_says_what_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list").splitlines()
    assert [line.split()[2] for line in lines] == list(KINDS)
    assert all(len(line) <= WIDTH for line in lines)


class Watched(SimpleNamespace):
    """A request that remembers which of its fields are looked at."""

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_"):
            object.__getattribute__(self, "_seen").add(name)
        return object.__getattribute__(self, name)


def test_what_a_plan_may_look_at_holds_no_length() -> None:
    known = {field.name for field in fields(Seen)}
    assert known == {
        "memory", "s", "l", "u", "drawn", "tokens", "done", "pilot", "release", "released", "clock", "resume",
    }  # fmt: skip
    for policy in POLICIES.values():
        assert policy.plan is None or policy.knows in ("l, u", "s", "u")


@pytest.mark.parametrize("policy", [p for p in POLICIES.values() if p.plan is None], ids=lambda policy: policy.name)
def test_a_policy_knows_what_its_line_says(policy: Any) -> None:
    seen: set[str] = set()
    request = Watched(_seen=seen, index=0, s=1, l=2, u=9, length=5, bound=2, queue_number=0, release=0, drawn=3.0,
                      work=20.0)  # fmt: skip
    for age in range(9):
        policy.priority(request)
        policy.assumed(request, age)
        if policy.cancel is not None:
            policy.cancel(request, age, lambda: 0.0)
    if "bound" in seen:
        policy.bound(request)
    known = {"o" if name in ("length", "work") else name for name in seen & {"l", "u", "length", "work"}}
    assert known == set(filter(None, policy.knows.split(", ")))


# ---- help -------------------------------------------------------------------------------------------------------


def help_of(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as leave:
        main([command, "--help"])
    assert leave.value.code == 0
    return capsys.readouterr().out


def test_the_help_of_all_has_each_command_on_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line.split(maxsplit=1) for line in help_of("--help", capsys, monkeypatch).splitlines()]
    for name, (_, words) in zip(COMMANDS, [line for line in lines if line and line[0] in COMMANDS], strict=True):
        assert len(words) > 10, name


def test_the_help_of_worst_case_has_the_digits_of_a_certified_value(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"(default: {CERTIFIED_DIGITS} where they are reached)" in help_of("worst-case", capsys, monkeypatch)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_two_examples_and_short_lines(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = help_of(command, capsys, monkeypatch).splitlines()
    assert [line for line in lines if len(line) > WIDTH] == []
    assert len([line for line in lines if line.startswith(f"  crtools {command} ")]) == (3 if command == "new" else 2)


def test_help_says_where_the_names_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {
        "verify": ("claims", "levels"), "worst-case": ("forms",), "ratio": ("laws", "forms"), "derive": ("laws", "forms"),
        "simulate": ("laws", "policies"), "replay": ("policies",), "experiment": ("laws",), "figure": ("figures",),
        "discover": ("policies",),
    }  # fmt: skip
    for command, kinds in wanted.items():
        text = " ".join(help_of(command, capsys, monkeypatch).split())
        assert all(f"crtools list {kind}" in text for kind in kinds), command


CLAIMS_TOO: tuple[str, ...] = ()
"""Set to ("verify", "report") to run the examples that decide claims as well."""


def examples() -> Iterator[str]:
    for name, parser in COMMANDS.items():
        if name not in ("verify", "report") or name in CLAIMS_TOO:
            yield from (line.strip() for line in (parser.epilog or "").splitlines()[1:])


LONG = {"crtools figure log-fit", "crtools minimax --u 1000 --s 5 --json", "crtools discover h-sf --u 20"}
"""Run in the exhaustive run; other tests run the same commands with less to do."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "example",
    [pytest.param(line, marks=[pytest.mark.exhaustive] if line in LONG else []) for line in examples()],
)
def test_every_example_runs(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("instance.json").write_text('{"memory": 5, "lengths": [3, 1]}')
    Path("trace.csv").write_text("out,prompt\n5,7\n40,3\n")
    program, *arguments = shlex.split(example)
    assert program == "crtools"
    lines = printed(capsys, *arguments).splitlines()
    assert lines
    if arguments[0] in ("list", "worst-case", "simulate", "replay", "discover") and "--json" not in arguments:
        assert [line for line in lines if len(line) > WIDTH] == []


# ---- wrong commands and options ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("verfy",), "command = verfy: did you mean verify"),
        (("worstcas", "--u", "5"), "did you mean worst-case"),
        (("nothing-like-it",), "must be one of verify, list"),
        (("list", "polices"), "list = polices: did you mean policies"),
        (("list", "claims", "--ledger", "adaptiv"), "ledger = adaptiv: did you mean adaptive"),
        (("ratio", "geometric(q=1/2)", "--polcy=a-min"), "--polcy=a-min; did you mean --policy?"),
        (("worst-case", "--u", "5", "--wieghts"), "did you mean --weights?"),
        (("--verson",), "did you mean --version?"),
        (("figure", "logfits"), "figure = logfits: did you mean log-fit"),
        (("experiment", "1", "--clock", "step"), "clock = step: did you mean steps"),
        (("worst-case", "--u", "5", "--policy", "amim"), "did you mean a-min"),
        (("simulate", "geometri(q=1/2)", "--n", "5", "--memory", "9"), "did you mean geometric"),
    ],
)
def test_a_wrong_word_gets_the_nearest_and_exit_code_2(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(arguments)
    except SystemExit as leave:
        code = leave.code
    out, error = capsys.readouterr()
    assert (code, out) == (2, "")
    assert error.startswith("crtools: ")
    assert error.count("\n") == 1
    assert words in error


def test_commands_and_names_are_read_in_other_spellings(capsys: pytest.CaptureFixture[str]) -> None:
    as_it_is = printed(capsys, "worst-case", "--u", "5", "--policy", "a-min", "--against", "h-sf")
    assert printed(capsys, "Worst_Case", "--u", "5", "--policy", "A_min", "--against", "HSF") == as_it_is
    assert "linear-geometric(q=4/5)" in printed(capsys, "ratio", "LG(p=1/5)", "--policy", "amin")
