"""Names from outside: the paper's and Python's spellings are read, and a wrong one gets the nearest."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crtools import InputError, best, compare, form, ratio, simulate, workload, worst_case
from crtools.distributions import FAMILIES, distribution
from crtools.forms import known_forms
from crtools.names import PAPER_WORDS, canonical, nearest, one_of, squeezed
from crtools.papers.adaptive.workloads import experiment, lengths
from crtools.papers.adaptive.workloads.lengths import EMBEDDED
from crtools.plotting import known_figures
from crtools.process.policies import known_names, known_policy

NAMES = [
    sorted(known_forms()), list(known_names()), [*FAMILIES, "pmf", "mix", "empirical"], list(known_figures()),
    list(EMBEDDED),
]  # fmt: skip


def spellings(name: str) -> list[str]:
    """Return ways in which a name is written elsewhere."""
    snake = name.replace("-", "_")
    return [name, name.upper(), name.title(), snake, snake.upper(), name.replace("-", ""), name.replace("-", " ")]


@pytest.mark.parametrize("names", NAMES, ids=lambda names: names[0])
def test_every_spelling_of_every_name_is_the_name_itself(names: list[str]) -> None:
    for name in names:
        assert {canonical("name", way, names) for way in spellings(name)} == {name}


@given(st.text(max_size=12), st.sampled_from(NAMES))
def test_what_is_found_differs_in_case_and_marks_only_and_anything_else_is_refused(text: str, names: list[str]) -> None:
    try:
        found = canonical("name", text, names)
    except InputError as error:
        assert text not in names
        assert "\n" not in str(error)
    else:
        assert found in names
        short = squeezed(text)
        assert squeezed(found) == short or PAPER_WORDS[short] == found


@given(st.sampled_from([n for names in NAMES for n in names]), st.data())
def test_a_name_with_one_wrong_letter_is_refused_with_a_name_to_mean(name: str, data: Any) -> None:
    names = next(names for names in NAMES if name in names)
    place = data.draw(st.integers(0, len(name) - 1))
    wrong = name[:place] + "ß" + name[place + 1 :]
    if squeezed(wrong) in map(squeezed, names) or len(squeezed(name)) < 4:
        return
    with pytest.raises(InputError, match=r"did you mean [\w-]+\? It must be one of"):
        canonical("name", wrong, names)


def test_a_name_that_could_mean_two_is_refused() -> None:
    assert canonical("name", "a-b", ["a-b", "ab"]) == "a-b"
    for name in ("A-B", "a_b"):
        with pytest.raises(InputError, match="must be one of a-b, ab"):
            canonical("name", name, ["a-b", "ab"])


def test_one_of_takes_a_name_as_it_stands_only() -> None:
    assert one_of("name", "a-min", ["a-min"]) == "a-min"
    with pytest.raises(InputError, match="name = a_min: did you mean a-min"):
        one_of("name", "a_min", ["a-min"])


def test_the_nearest_name() -> None:
    assert nearest("--polcy", ["--policy", "--against"]) == "--policy"
    assert nearest("lgg", ["linear-geometric"]) is None
    assert nearest("lg", ["linear-geometric"]) == "linear-geometric"
    assert nearest("zzz", ["a", "b"]) is None


def test_the_papers_words_stand_for_families() -> None:
    assert set(PAPER_WORDS.values()) <= set(FAMILIES)
    assert not {squeezed(name) for name in FAMILIES} & set(PAPER_WORDS)


def test_python_takes_the_same_spellings_and_results_have_the_names() -> None:
    assert form("amin").name == "a-min"
    assert form("A_ℓ").name == "a-ell"
    found = ratio("hsf", "lg(q=1/2)", against="A_min")
    assert (found.policy.name, found.against.name) == ("h-sf", "a-min")
    assert simulate("a_min_literal", [1, 2], memory=3).policy == "a-min-literal"
    assert simulate("Amin", [1, 2], memory=3, engine="Reference").policy == "a-min-literal"  # type: ignore[arg-type]
    assert compare("arandom", "uniform(1, 3)", n=4, memory=5).policy == "a-random"
    assert lengths("paper_smooth").name == "paper-smooth"
    rows = experiment(1, sizes=[3], seeds=1, steps=["Unit"], policies=["hsf", "a_max"]).rows
    assert {row.policy for row in rows} == {"h-sf", "a-max"}


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: form("amim"), "form = amim: did you mean a-min"),
    (lambda: simulate("a-min-litteral", [1], memory=2), "policy = a-min-litteral: did you mean a-min-literal"),
    (lambda: compare("hfs", "uniform(1, 3)", n=4, memory=5), "policy = hfs: did you mean h-sf"),
    (lambda: known_policy(None), "policy = None: must be one of"),
    (lambda: simulate("h-sf", [1], memory=2, engine="fats"), "engine = fats: did you mean fast"),  # type: ignore[arg-type]
    (lambda: distribution("geometri(q=1/2)"), "distribution = geometri: did you mean geometric"),
    (lambda: distribution("two-point(l=1, u=2, wieght=1/2)"), "parameter = wieght: did you mean weight"),
    (lambda: lengths("paper-smoth"), "lengths = paper-smoth: did you mean paper-smooth"),
    (lambda: lengths("geometri(q=1/2)"), "did you mean geometric"),
    (lambda: experiment(1, steps=["afine"]), "step = afine: did you mean affine"),
    (lambda: experiment(1, policies=["a-mx"]), "policy = a-mx: did you mean a-max"),
    (lambda: experiment(1, policies=[]), "policy = none: there must be at least one"),
]


@pytest.mark.parametrize(("call", "words"), WRONG, ids=lambda x: x[:40] if isinstance(x, str) else "")
def test_a_wrong_name_gets_the_nearest_in_one_line(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: compare("h-sf", "uniform(1, 9)", memory=30, seed=4), "argument = seed: did you mean seeds?"),
        (lambda: compare("h-sf", "uniform(1, 9)", M=30), "argument = M: did you mean memory?"),
        (
            lambda: compare("h-sf", "uniform(1, 9)", memory=30, replicates=3),
            "argument = replicates: did you mean seeds?",
        ),
        (
            lambda: simulate("h-sf", [1], 9, 0, 1, 2, None, None, 0, "auto", 9, None, 0, "steps", "restart", None, 7),
            "argument = 7",
        ),
        (lambda: ratio("uniform(1, 9)", digits=3), r"digits = 3: is an argument of ratio(…).enclosure(digits)"),
        (lambda: ratio("uniform(1, 9)", law="uniform(1, 9)"), "argument = law: did you mean dist?"),
        (lambda: worst_case(u=9, prompt=1), "argument = prompt: did you mean s?"),
        (lambda: best("uniform(1, 9)", digit=3), "argument = digit: did you mean digits?"),
        (lambda: workload([1], prompts=3), "argument = prompts: did you mean s?"),
    ],
)
def test_an_argument_that_a_function_does_not_take_gets_a_suggestion(call: Any, says: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(says)


def test_the_signature_of_a_function_is_its_own() -> None:
    for function in (compare, simulate, ratio, worst_case, best, workload):
        kinds = {parameter.kind for parameter in signature(function).parameters.values()}
        assert not kinds & {Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL}
        assert all(parameter.annotation is not Parameter.empty for parameter in signature(function).parameters.values())


def test_a_message_has_80_characters_of_a_value() -> None:
    assert str(InputError("law", "a" * 80, "must be short")) == f"law = {'a' * 80}: must be short"
    assert str(InputError("law", "a" * 81, "must be short")) == f"law = {'a' * 79}…: must be short"
