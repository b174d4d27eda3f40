"""No module of the toolkit names a theory: neither a ledger nor its claims, policies or forms."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import cache

import pytest
from parsed import TOOLKIT, parsed, source

import crtools
from crtools.errors import InputError
from crtools.installed_ledgers import DEFAULT, installed, policy_indices
from crtools.ledger import registry
from crtools.notation import terminal
from crtools.notation.latex import to_latex
from crtools.notation.terminal import label

OWN = {"two-point", "expected-work"}
"""Names of the toolkit's own things that a theory has too: a law, and a policy of crtools/blind that a ledger registers."""

DATA = {("installed_ledgers.py", DEFAULT)}
"""The one place where a ledger stands: the one that is meant where none is named."""


@cache
def names() -> tuple[frozenset[str], frozenset[str]]:
    """The names of what the ledgers bring: the ledgers' own, and those of claims, policies and forms.

    Of the others those with a hyphen: a name of one word (``trace``, ``switch``, ``lengths``) is a word of English.
    """
    ledgers = installed().values()
    kinds = [name for own in ledgers for kind in (own.policies, own.forms) for name in kind()]
    ids = [claim.id for own in ledgers for claim in own.claims]
    return frozenset(installed()), frozenset(name for name in (*ids, *kinds) if "-" in name) - OWN


@cache
def a_name() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names()[1]))})(?![\w-])")


def named(code: str) -> set[str]:
    """The names of theories in the texts of a module, docstrings apart: a ledger's as a whole text or after --ledger."""
    tree = parsed(code)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings]
    ledgers, _ = names()
    found = {text for text in texts if isinstance(text, str) and text in ledgers}
    for text in (text for text in texts if isinstance(text, str)):
        found |= set(re.findall(r"--ledger (\w+)", text)) & ledgers
        found |= set(a_name().findall(text))
    return found


CLOSED = ("best, two lengths", "best, uniform lengths")


def test_the_names_are_those_of_all_theories() -> None:
    ledgers, others = names()
    assert {"adaptive", "any-memory", "beyond", "nonclairvoyant"} <= ledgers
    assert {"thm-log", "blind-lower", "rr-upper", "a-min", "a-offset", "round-robin"} <= others
    assert len(others) > 60


def test_no_module_of_the_toolkit_names_a_theory() -> None:
    found = {(place, name) for place, path in TOOLKIT.items() for name in named(source(path))}
    assert found - set(DATA) == set()
    assert len(TOOLKIT) > 100


def test_the_default_alone_is_data() -> None:
    assert named(source(TOOLKIT["installed_ledgers.py"])) == {DEFAULT}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('LEDGER = "beyond"\nCLAIMS = {"upper": ("blind-upper", "best-base")}', {"beyond", "blind-upper"}),
        ('"""thm-log, of beyond"""\nx = "see thm-log for it"', {"thm-log"}),
        ('print("verify --ledger nonclairvoyant rr-upper")', {"nonclairvoyant", "rr-upper"}),
        ('x = f"{n} under a-min-literal", "two-point", "what is beyond", "xa-min", "a-minimum"', {"a-min-literal"}),
    ],
)
def test_a_name_is_seen(code: str, found: set[str]) -> None:
    assert named(code) == found


# ---- what the theories bring instead ------------------------------------------------------------------------------


def test_the_questions_of_the_toolkit_are_answered_by_claims_that_there_are() -> None:
    asked = [question for own in installed().values() for question in own.answers()]
    assert {"minimax, upper", "minimax, lower", "round robin, upper", *CLOSED} == set(asked)
    assert len(asked) == 5
    for question in asked:
        ledger, claim, _ = registry.answering(question)
        assert [own.id for own in ledger.select([claim])] == [claim]


def test_a_question_without_an_answer_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = {"adaptive": installed()["adaptive"]}
    monkeypatch.setattr(registry, "ledgers", lambda: alone)
    with pytest.raises(InputError, match="question = minimax, upper: must be one that an installed ledger answers"):
        registry.answering("minimax, upper")


def test_minimax_says_what_the_answering_finding_says(monkeypatch: pytest.MonkeyPatch) -> None:
    own = installed()["beyond"]
    other = replace(
        own, answers=lambda: {f"minimax, {side}": ("blind-upper", "best-base") for side in ("upper", "lower")}
    )
    monkeypatch.setattr(registry, "ledgers", lambda: {"beyond": other})
    states = crtools.minimax(5).states
    assert {(state.side, state.claim) for state in states} == {("upper", "blind-upper"), ("lower", "blind-upper")}


def test_a_policy_s_index_is_written_as_its_ledger_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"min", "max", "random", "ell"} <= policy_indices()
    assert (to_latex("A_min"), to_latex("A_other")) == (r"\mathcal{A}_{\text{min}}", r"A_{\text{other}}")
    assert (label("a_min_total"), label("A_min_total"), label("a_other")) == ("a-min total", "$A_min$ total", "a other")
    for module in ("latex", "terminal"):
        monkeypatch.setattr(f"crtools.notation.{module}.policy_indices", lambda: frozenset({"other"}))
    terminal._underscores.cache_clear()
    try:
        assert (to_latex("A_min"), to_latex("A_other")) == (r"A_{\text{min}}", r"\mathcal{A}_{\text{other}}")
        assert (label("a_min_total"), label("a_other")) == ("a min total", "a-other")
    finally:
        terminal._underscores.cache_clear()
