"""Hostile expressions from a grammar: every command ends in an answer or in one line, never in a traceback or a hang."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable

import pytest
from amount import part_and_all
from commands import crt

from crtools.ledger.registry import load

SEED = int(os.environ.get("CRTOOLS_GRAMMAR_SEED", "0"))
"""Another one draws other commands; the message of a failure names it."""

NUMBERS = [
    "0", "1", "2", "3", "7", "-1", "1/2", "-2/3", "0.1", "1e-30", "10**9", "10**30", "2**64", "1.6822338332", "99/100", "1/0",
]  # fmt: skip
POWERS = ["2", "-1", "0", "3", "17", "64", "65", "1/2", "-1/2", "101/100", "10**6", "1e-41"]


class Grammar:
    """Draws expressions in names: mostly sensible, with what users and enemies type mixed in."""

    def __init__(self, seed: int, names: list[str]) -> None:
        self.draw, self.names = random.Random(seed), names

    def number(self) -> str:
        return self.draw.choice(NUMBERS)

    def expression(self, depth: int) -> str:
        choose = self.draw.choice
        if depth == 0 or self.draw.random() < 0.15:
            return choose([*self.names, *self.names, self.number()])
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        return choose(
            [
                lambda: f"{a}+{b}",
                lambda: f"({a})-({b})",
                lambda: f"({a})*({b})",
                lambda: f"({a})/({b})",
                lambda: f"({a})**{choose(POWERS)}",
                lambda: f"({a})**({b})",
                lambda: f"sqrt({a})",
                lambda: f"log({a})",
                lambda: f"max({a},{b})",
                lambda: f"min({a},{b})",
                lambda: f"sum({a}*i,i,{self.number()},{b})",
                lambda: f"sum(1/i,i,{choose(['1', 'u', '10**9'])},{choose(['u', '5', '-3', a])})",
                lambda: f"harmonic({a})",
                lambda: f"-({a})",
                lambda: choose(
                    ["", "(", "__import__('os')", "x.y", "lambda: 1", "١", "1e999", "nan", "oo", a + " " + b, "'"]
                ),
            ]
        )()


def outcome(arguments: list[str]) -> int:
    """Run a command in this process; it ends, by its own budget at the latest, with at most one line of complaint."""
    code, out, text = crt(*arguments)
    assert code in (0, 1, 2)
    assert text.count("\n") == (code != 0 and not out), text
    assert "Traceback" not in text
    if code == 2:
        assert json.loads(text).keys() == {"error"} if "--json" in arguments else text.startswith("crtools: ")
        assert not out
    return code


def every(count: int, seed: int, command: Callable[[Grammar], list[str]], names: list[str]) -> dict[int, int]:
    """Run drawn commands and count their exit codes; a failure names the command and how to have it again."""
    codes = {0: 0, 1: 0, 2: 0}
    for number in range(count):
        arguments = command(Grammar(seed + number, names))
        try:
            codes[outcome(arguments)] += 1
        except BaseException as error:
            pytest.fail(f"CRTOOLS_GRAMMAR_SEED={SEED}: crtools {arguments!r}: {type(error).__name__}: {error}")
    return codes


def law(grammar: Grammar) -> str:
    choose, number = grammar.draw.choice, grammar.number
    weight = grammar.expression(2)
    return choose(
        [
            lambda: f"pmf({weight},q={number()})",
            lambda: f"pmf({weight},u={choose(['3', '10', '1000'])})",
            lambda: f"pmf(q**k*({weight}),q={choose(['1/2', '1/10'])})",
            lambda: f"geometric({number()})",
            lambda: f"linear-geometric(q={number()})",
            lambda: f"negative-binomial({number()},{number()})",
            lambda: f"zipf({number()},{choose(['5', '100', number()])})",
            lambda: f"uniform({number()},{number()})",
            lambda: f"two-point({number()},{number()},{number()})",
            lambda: f"poisson({number()})",
            lambda: f"mix({number()}*geometric(1/2)+{number()}*geometric({number()}))",
            lambda: f"empirical({number()}:{number()},3:1)",
        ]
    )()


def ratio(grammar: Grammar) -> list[str]:
    policy, size = grammar.draw.choice(["a-min", "a-max", "a-random", "a-restart"]), grammar.draw.choice("0125")
    return ["ratio", law(grammar), "--policy", policy, "--s", size, *grammar.draw.choice([[], ["--json"]])]


@part_and_all("count", 80, 1700)
def test_ratios_of_hostile_laws(count: int) -> None:
    codes = every(count, SEED, ratio, ["k", "q", "k", "u"])
    assert codes[0] > count // 40 and codes[2] > count // 40


WORDS = [
    "a-min", "h-sf", "a-mn", "geometric(q=1/2)", "uniform(1,9)", "own.py", "own.py:X", ":", "", " ", "é", "csv:x#y,z", "csv:#", "x.py:",
    "--policy", "--s", "5", "-u", "-n", "9", "--memory", "20:10", "90", "60,90", "--predictions", "x2", "1-9", "a,b", "--skip-invalid",
    "--u", "azure-conv", "--over", "w", "--intervals", "1-3,4-9", "--lengths", "2,4", "--plot", "x.gif", "--replicates", "all", "4",
    "two-point(1, 4, w)", "rows.csv", "best:uniform(1,3)",
]  # fmt: skip
COMMANDS = [
    "ratio",
    "derive",
    "worst-case",
    "switch",
    "compare",
    "simulate",
    "replay",
    "list",
    "figure",
    "best",
    "new",
    "show",
]


def words(grammar: Grammar) -> list[str]:
    """Draw words in any order and place; what is sensible runs on few requests."""
    draw = grammar.draw
    few = {"compare": ["-n", "9", "--seeds", "1", "--memory", draw.choice(["90", "60:90:30", "0", "x"])]}
    few |= {"simulate": ["-n", "9", "--memory", "90"], "derive": ["--timeout", "2"]}
    command = draw.choice(COMMANDS)
    sensible = [draw.choice(WORDS[:2]), draw.choice(WORDS[3:5])]
    first = draw.sample(sensible, 2) if draw.random() < 0.5 else []
    return [command, *first, *draw.choices(WORDS, k=draw.choice([0, 0, 1, 4])), *few.get(command, [])]


@part_and_all("count", 60, 1500)
def test_hostile_words(count: int) -> None:
    codes = every(count, SEED, words, ["k"])
    assert codes[0] > count // 40 and codes[2] > count // 4


def derivation(grammar: Grammar) -> list[str]:
    weight = grammar.draw.choice(["q**k", "k*q**k", "q**k/k", "(q/(1+q))**k", "1"])
    return ["derive", f"pmf(({grammar.expression(1)})*{weight})", "--s", grammar.draw.choice("015")]


@part_and_all("count", 6, 150)
def test_derivations_of_hostile_laws(count: int) -> None:
    codes = every(count, SEED, derivation, ["k", "q"])
    assert codes[2] > count // 8


QUICK = [
    "cor-ab", "lem-pd", "b-inverse", "t1", "t2", "trace", "switch", "lg-mode", "ex-amax", "ex-order", "amin-derivation",
]  # fmt: skip


def changed(grammar: Grammar) -> list[str]:
    given = {claim.id: claim.given for claim in load("adaptive").claims}
    claim = grammar.draw.choice(QUICK)
    name = grammar.draw.choice(list(given[claim]))
    old = given[claim][name]
    value = grammar.draw.choice(
        [grammar.expression(2), f"{old}+({grammar.expression(1)})", f"({old})*({grammar.expression(1)})"]
    )
    return ["verify", claim, "--no-cache", "--jobs", "1", "--set", f"{name}={value}"]


@part_and_all("count", 12, 150)
def test_claims_with_hostile_values(count: int) -> None:
    codes = every(count, SEED, changed, ["u", "i", "j", "alpha", "q", "k"])
    assert codes[2] > count // 8
