"""One grammar: what is studied, then the law; both orders where they can be told apart; every mistake names its mend."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import crt

from crtools import Form, InputError, Policy, derive, distribution, ratio, simulate, switch, verify, worst_case

LAW = "geometric(q=1/2)"

OWN = """
from crtools import Form, Policy, distribution
from neighbour import price
LENGTHS = distribution("two-point(l=1, u=4, weight=1/4)")
SLOTS = Form.from_entry(lambda i, j, s: price(i, j, s), name="slots")
FIRST = Policy("first", priority=lambda r: r.l, assumed=lambda r, age: r.u, longest=lambda r: r.u, fixed=True)
SECOND = Policy("second", priority=lambda r: r.length, assumed=lambda r, age: r.length, fixed=True, knows="o")
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "neighbour.py").write_text("def price(i, j, s):\n    return (s + 4) * (i + j) / 2\n")
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "only.py").write_text(
        "from crtools import Form\nSLOTS = Form.from_entry(lambda i, j, s: i + j, name='only')\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path / "own.py"


def document(*arguments: str) -> Any:
    done = crt(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


# ---- the order of words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "same",
    [
        [["ratio", "h-sf", LAW, "--s", "2", "--against", "volume"], ["ratio", LAW, "h-sf", "--s", "2", "--against", "volume"],
         ["ratio", LAW, "--policy", "h-sf", "--s", "2", "--against", "volume"],
         ["ratio", "--against", "volume", "h-sf", "--s", "2", LAW]],
        [["ratio", LAW], ["ratio", "a-min", LAW], ["ratio", "--policy", "a-min", LAW]],
        [["derive", "volume", "geometric(q)"], ["derive", "geometric(q)", "--policy", "volume"]],
        [["worst-case", "a-max", "--u", "9"], ["worst-case", "--policy", "a-max", "--u", "9"], ["worst-case", "-u", "9", "a-max"]],
        [["switch", "volume", "h-sf", "geometric(q)"], ["switch", "geometric(q)", "volume", "h-sf"]],
        [["simulate", "h-sf", "uniform(1, 5)", "-n", "9", "-m", "20"],
         ["simulate", "uniform(1, 5)", "--n", "9", "--memory", "20", "--policy", "h-sf"]],
    ],
    ids=lambda same: same[0][0],
)  # fmt: skip
def test_the_same_in_every_order(same: list[list[str]]) -> None:
    first, *others = (document(*arguments) for arguments in same)
    assert all(other == first for other in others)


def test_the_words_say_which_form() -> None:
    names = [document("ratio", *words)["policy"] for words in ([LAW], ["volume", LAW], [LAW, "h-sf"])]
    assert names == ["a-min", "volume", "h-sf"]


def test_replay_takes_policies_before_the_instance(tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    file.write_text('{"memory": 9, "lengths": [3, 1, 2]}')
    found = document("replay", "h-sf", "a-max", str(file))
    assert [run["policy"] for run in found["runs"]] == ["h-sf", "a-max"]
    assert document("replay", str(file), "--policy", "h-sf", "a-max") == found


def test_the_same_in_python() -> None:
    law = distribution(LAW)
    values = [ratio("volume", law, 1).value, ratio(law, "volume", 1).value, ratio(law, policy="volume", s=1).value]
    values += [ratio(policy="volume", dist=LAW, s=1).value, ratio("volume", dist=LAW, s=1).value]
    assert len(set(values)) == 1 and values[0] != ratio(law, s=1).value
    forms = [derive("a-ell", "two-point(1, 4, w)"), derive("two-point(1, 4, w)", policy="a-ell")]
    forms += [derive("two-point(1, 4, w)", "a-ell")]
    assert {str(found.ratio) for found in forms} == {str(forms[0].ratio)}
    assert forms[0].policy.name == "a-ell"
    assert worst_case("a-max", u=9).policy.name == "a-max"
    assert switch("geometric(q)", "volume", "h-sf").first.name == "volume"
    assert [result.id for result in verify("t1")] == ["t1"]


# ---- mistakes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ratio", "a-min"], "law: give a law after a-min, which is a form, for example 'geometric(q=9/10)'"),
        (["ratio"], "law: give a law, for example"),
        (["ratio", LAW, "uniform(1,3)"], "law = uniform(1,3): unexpected argument; the law "),
        (["ratio", "a-min", "a-max", LAW], "must be a law, or a form and a law"),
        (["ratio", "a-min", LAW, "--policy", "a-max"], "policy = a-max: unexpected argument; a-min was already given"),
        (["ratio", "a-mn", LAW], "policy = a-mn: did you mean a-min?"),
        (["ratio", "geometric(q=2)"], "q = 2: must lie strictly between 0 and 1\n"),
        (["worst-case"], "--u: give the upper end, for example --u 100, or --intervals\n"),
        (["worst-case", "--u", "9", "--intervals", "1-4,5-9"], "--u = 9: must be left out with --intervals"),
        (["worst-case", LAW, "--u", "9"], "crtools ratio takes one law"),
        (["worst-case", "a-min", "a-max", "--u", "9"], "policy = a-max: unexpected argument; a-min was already given"),
        (["worst-case", "--policy", "foo", "--u", "9"], "or FILE.py[:NAME]\n"),
        (["figure"], "NAME: give figures, of log-fit, "),
        (["experiment"], "experiment: give 1 (one interval for all), 2 (ten buckets) or 3"),
        (["switch", "h-sf", "geometric(q)"], "give two forms and a law"),
        (["discover"], "policy: give one, for example h-sf"),
        (["replay"], "FILE: give a JSON file"),
        (["replay", "h-sf"], "FILE: give a JSON file"),
        (["minimax", "-u", "3"], "did you mean --u?"),
        (["simulate", "nonsense", "-n", "3", "-m", "9"], "must be written name(…)"),
        (["ratio", "a-min geometric(q=1/2)"], "contains several words: quote each of them separately"),
        (["compare", "a-min h-sf", LAW, "-m", "40"], "contains several words: quote each of them separately"),
        (["verify", "trace thm-log"], "contains several words: quote each of them separately"),
        (["worst-case", "a-min", "u=100"], "argument = u=100: is an option here: --u 100"),
        (["best", "a-min", LAW], f"argument = {LAW}: unexpected argument: crtools best takes LAW"),
        (["list", "claims", "forms"], "argument = forms: unexpected argument: crtools list takes [KIND]"),
        (["compare", LAW, "-m", "40", "fcfs", "--csv", "o.csv"], "unrecognized arguments: --csv o.csv"),
        (["compare", LAW, "-m", "40", "fcfs", "--jsn"], "unrecognized arguments: --jsn; did you mean --json?"),
        (["verify", "trace", "--show", "trce"], "claim = trce: did you mean trace?"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)  # fmt: skip
def test_a_mistake_names_its_mend(arguments: list[str], says: str) -> None:
    done = crt(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_python_type_is_printed_of_a_number_or_a_symbol() -> None:
    for text in ("geometric(q=2)", "negative-binomial(a, 1/2)", "poisson(mean=-1/3)"):
        assert "Fraction" not in (said := crt("ratio", text).stderr) and "Symbol" not in said and said


def test_a_workload_that_is_shipped_is_a_law() -> None:
    law = distribution("azure-conv")
    assert (law.spec(), law.finite, sum(w for _, w in law.items()) > 0) == ("azure-conv", True, True)
    assert document("ratio", "azure-conv")["status"] == "certified"
    assert document("simulate", "h-sf", "azure-conv", "-n", "20", "-m", "5000")["distribution"] == "azure-conv"


def test_a_table_of_compare_keeps_its_numbers_beside_a_long_name() -> None:
    long = "best:two-point(l=1, u=100, weight=1/4)"
    done = crt("compare", long, "h-sf", "uniform(1,100)", "-m", "1649", "-n", "60", "--seeds", "3")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80 and len([line for line in lines if "best:two-p" in line and "…" in line]) >= 1
    rows = [line for line in lines if line.lstrip().startswith(("1649 ", "h-sf"))]
    assert len(rows) == 4 and not any(line.rstrip().endswith("…") for line in rows)


# ---- FILE.py:NAME -------------------------------------------------------------------------------------------------


def test_a_file_is_taken_wherever_something_is_named(own: Path) -> None:
    assert document("ratio", "own.py:SLOTS", "own.py:LENGTHS")["value"] == ratio("own.py:SLOTS", "own.py:LENGTHS").value
    expected = ratio(Form.from_entry(lambda i, j, s: (s + 4) * (i + j) / 2), "two-point(1, 4, 1/4)")
    assert ratio("own.py:SLOTS", "own.py:LENGTHS").value == expected.value
    assert document("worst-case", "own.py", "--u", "4")["policy"] == "slots"  # the only form in it
    assert (
        document("worst-case", "h-sf", "--against", "own.py:slots", "--u", "4")["against"] == "slots"
    )  # by its own name
    assert document("derive", "own.py:SLOTS", "two-point(1, 4, w)")["policy"] == "slots"
    assert document("switch", "own.py:SLOTS", "volume", "two-point(1, 4, w)")["first"] == "slots"
    found = document("simulate", "own.py:FIRST", "h-sf", "own.py:LENGTHS", "-n", "9", "-m", "20")
    assert [run["policy"] for run in found["runs"]] == ["first", "h-sf"]
    assert simulate("own.py:SECOND", [3, 1], 9).total_latency == simulate("h-sf", [3, 1], 9).total_latency
    names = [row["name"] for row in document("list", "own.py")["names"]]
    assert names == ["own.py:SLOTS", "own.py:FIRST", "own.py:SECOND", "own.py:LENGTHS"]
    arguments = ["experiment", "1", "-n", "9", "--seeds", "1", "--clock", "steps", "--policy", "own.py:FIRST", "h-sf"]
    assert {row["policy"] for row in document(*arguments)["rows"]} == {"first", "h-sf"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ratio", "own.py"], "holds a law (LENGTHS) and a form (SLOTS): name one, as FILE.py:NAME"),
        (["simulate", "own.py", "-n", "9", "-m", "20"], "holds a law (LENGTHS) and a policy (FIRST, SECOND): name one"),
        (["simulate", LAW, "--policy", "own.py:LENGTHS", "-n", "9", "-m", "20"], "unexpected argument; the law "),
        (["discover", "own.py"], "must contain one policy, or be FILE.py:NAME (there are: FIRST, SECOND)"),
        (["discover", "own.py:THIRD"], "(there are: FIRST, SECOND)"),
        (["ratio", "own.py:THIRD"], "file = own.py:THIRD: has no form of that name, or several (there are: SLOTS)"),
        (["compare", "own:FIRST", LAW, "-m", "40"], "policy = own:FIRST: did you mean own.py:FIRST?"),
        (["ratio", "own", LAW], "policy = own: did you mean own.py?"),
        (["compare", "only.py", LAW, "-m", "40"], "must contain a policy, has none, but the form SLOTS"),
        (["worst-case", "own.py:FIRST", "--u", "4"], "(there are: SLOTS)"),
        (["worst-case", "missing.py", "--u", "4"], "must be a readable Python file"),
        (["ratio", "mix(1*own.py)"], "must be written name(…)"),
        (["ratio", "mix(1*own.py:LENGTHS+1*point(3))"], "must be written name(…)"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_say_which(own: Path, arguments: list[str], says: str) -> None:
    done = crt(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\ny = nothing\n", "NameError: name 'nothing' is not defined (own.py, line 2)"),
        ("x = 1 +\n", "SyntaxError: invalid syntax (own.py, line 1)"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3 (own.py, line 2)"),
        ("import helper\n", "ZeroDivisionError: division by zero (helper.py, line 2)"),
        ("from crtools import form\n\nF = form('nobody')\n", "(own.py, line 3)"),
    ],
)
def test_an_error_in_a_file_names_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "helper.py").write_text("\n1 / 0\n")
    (tmp_path / "own.py").write_text(text)
    done = crt("worst-case", "own.py", "--u", "4")
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr and done.stderr.startswith("crtools: policy = own.py: must run: ")
    assert done.stderr.count("\n") == 1


def test_neighbours_of_two_folders_do_not_mix_and_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    for folder, value in (("a", 2), ("b", 3)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "shared.py").write_text(f"VALUE = {value}\n")
        text = (
            "from crtools import Form\nfrom shared import VALUE\nF = Form.from_entry(lambda i, j, s: VALUE * (i + j))\n"
        )
        (tmp_path / folder / "own.py").write_text(text)
    values = [worst_case(str(tmp_path / folder / "own.py"), u=1).value for folder in "ab"]
    assert values[1] / values[0] == pytest.approx(1.5)
    (tmp_path / "b" / "own.py").write_text(
        "from crtools import Form\nF = Form.from_entry(lambda i, j, s: 8 * (i + j))\n"
    )
    assert worst_case(str(tmp_path / "b" / "own.py"), u=1).value / values[0] == pytest.approx(4)


def test_a_ledger_s_file_brings_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "led.py").write_text(
        "from crtools import Form\n"
        "from crtools.ledger import Ledger, Level\n"
        "def forms():\n    return {'mine': Form.from_entry(lambda i, j, s: i + j, name='mine')}\n"
        "LEDGER = Ledger(name='led', title='t', source='s', levels=(Level('form', 'f', 'w', 'q?'),), load=tuple, forms=forms)\n"
    )
    assert document("worst-case", "led.py:mine", "--u", "4")["policy"] == "mine"
    assert "mine" in [row["name"] for row in document("list", "forms", "--ledger", "led.py")["forms"]]


def test_a_file_s_policy_travels_to_other_processes(own: Path) -> None:
    arguments = ["simulate", "own.py:FIRST", LAW, "-n", "30", "-m", "90", "--replicates", "3"]
    assert document(*arguments, "--jobs", "2") == document(*arguments)


def test_python_objects_still_stand_where_names_do() -> None:
    mine = Policy("mine", priority=lambda r: r.length, assumed=lambda r, age: r.length, fixed=True)
    assert simulate(mine, [2, 1], 5).policy == "mine"
    with pytest.raises(InputError, match=r"must be one of .*, or FILE.py\[:NAME\]"):
        simulate("nobody", [2, 1], 5)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["worst-case", "h-sf", "100"], "--u = 100: the upper end is an option: --u 100"),
        (["worst-case", "geometric(q=1/2)", "--u", "9"], "a worst case is over all laws"),
        (["minimax", "4"], "unrecognized arguments: 4; did you mean --u 4?"),
        (["compare", LAW, "-m", "30", "--intervals", "1-9"], "did you mean --predictions?"),
        (["compare", LAW, "-m", "30", "--replicates", "3"], "did you mean --seeds?"),
        (["simulate", LAW, "-n", "9", "-m", "30:60"], "must be one integer; crtools compare takes several"),
        (["compare", "rows.csv", "-m", "30"], "must name a column: csv:rows.csv#COLUMN"),
        (["derive", "geometric(q)", "--over", "p"], "over = p: must be one of q"),
        (["ratio", "a-max", "geometric(q=1/2)"], "pmf(q**k, q=1/2, u=20) ends at 20"),
        (["switch", "a-max", "a-min", "geometric(q)"], "in derive and switch, a u such as 2/(1-q)"),
        (["ratio", "a-min", "zipf(a=16/5)"], "pmf(k**(-16/5)) has no end"),
        (["ratio", "a-ell", "lognormal(2, 1, u=60)"], "is defined for laws on two lengths only"),
        (["derive", "a-max", "geometric(q)"], "in derive and switch, a u such as 2/(1-q)"),
        (["verify", "all"], "claim = all: leave it out to select all claims"),
        (["verify", "Theorem 5"], "claim = Theorem 5: must be an id; this place has thm-log"),
        (["verify", "Theorem"], "claim = Theorem: must be one of"),
    ],
)  # fmt: skip
def test_what_a_newcomer_types_is_answered_with_the_mend(arguments: list[str], says: str) -> None:
    done = crt(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_rule_with_other_arguments_is_refused_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "from crtools import Policy\nP = Policy('p', priority=lambda r: 0, assumed=lambda r: r.u)\n"
    (tmp_path / "own.py").write_text(text)
    done = crt("compare", "own.py", LAW, "-m", "30")
    assert done.returncode == 2
    assert "assumed = <lambda>: must be a function of a request and an age (own.py, line 2)" in done.stderr
