"""A theory's text: read line by line, judged alone, and refused with the file, the line and what was expected."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from changed_texts import (
    Change,
    of_definitions,
    of_facts,
    own_definitions,
    refused_at,
    survivors,
    true_at,
    uses,
)
from forged import check
from paths import ROOT

from check import command, kernel, statements, theory
from check.facts import alike, functions_in
from check.kernel import Rejected, bound
from check.statements import LEDGERS, book, of_files
from check.theory import Wrong

GRAMMAR = (ROOT / "docs" / "theory-text.md").read_text(encoding="utf-8")
TEXT = GRAMMAR.split("```text\n")[1].split("```")[0]
SMALL = """define f(a) = a*(a + 1)/2
define g(a, b) = a + 2*b

theorem sums
  reading every $n ≥ 1$
  states $1 + … + n$
  where a >= 0, b > a
  g(a, b) - 2*a - a > 0
    - note b is more than a
  a*a/(b - a) + a*a = a*a*(1/(b - a) + 1)
  for n >= 1: Sum(k, (k, 1, n)) = f(n)
  sum over k >= 1: k = f(k)
  integral over v from 0 to b: a + v = a*b + b^2/2
  min(a, b) + max(a, b) = a + b
    - note a < b
  a >= 2: a - 1 > 0
  so $1 + … + n$
    all together
"""


def read(text: str, tmp_path: Path) -> theory.Theory:
    """The theory of a text in a file of its own."""
    path = tmp_path / "own.txt"
    path.write_text(text, encoding="utf-8")
    return of_files([str(path)]).theories["own"]


def named_in(own: theory.Theory) -> list[str]:
    """The theorems of a text without claims, with the functions that they are cited with."""
    return statements.Book({own.name: own}).named_in(own)


def refused(text: str, tmp_path: Path) -> str:
    """What is wrong with a text, or with a theorem of it; "" where all holds."""
    try:
        own = read(text, tmp_path)
        for name in named_in(own):
            own.judge(name)
    except Wrong as error:
        return str(error).removeprefix(str(tmp_path / "own.txt"))
    return ""


# ---- what is judged alone ---------------------------------------------------------------------------------------


def test_the_text_of_the_docs_is_counted_as_they_say(tmp_path: Path) -> None:
    path = tmp_path / "machine.txt"
    path.write_text(TEXT, encoding="utf-8")
    done = check("--theory", path)
    said = re.findall(r"`(\d+ facts, .*? sentences)`", GRAMMAR)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [f"{path}: {said[0]}"] == done.stdout.splitlines()[:1]
    [row] = json.loads(check("--theory", path, "--json").stdout)["texts"]
    assert (row["facts"], row["theorems"], row["sentences"], row["wrong"]) == (2, 2, 4, [])
    assert row["digest"] in done.stdout


def test_a_small_text_holds_and_no_change_of_its_formulas_is_another_false_one(tmp_path: Path) -> None:
    assert refused(SMALL, tmp_path) == ""
    own = read(SMALL, tmp_path)
    assert own.judge("sums") == theory.Judged(7, ("$1 + … + n$; all together",), ())
    changed = of_facts(own, ["sums"])
    accepted = survivors(own, changed)
    assert len(changed) > 60
    for _, text in accepted:
        assert true_at(own, "sums", text, random.Random(1)), text
    assert len(accepted) < len(changed) / 4


def instances(own: theory.Theory) -> list[str]:
    """The theorems of a packed text, those with parameters as its theorems and claims name them."""
    return book().named_in(own)


SOME = 100
"""Changes of a text in the short run."""


def some(changed: list[Any], seed: int) -> list[Any]:
    return random.Random(seed).sample(changed, min(SOME, len(changed)))


def no_false_fact_is_accepted(own: theory.Theory, changed: list[Change]) -> None:
    for theorem, text in survivors(own, changed):
        assert true_at(own, theorem, text, random.Random(2)), (theorem, text)


@pytest.mark.parametrize("name", LEDGERS)
def test_of_some_changes_of_a_packed_text_none_is_a_false_fact_that_is_accepted(name: str) -> None:
    own = book().theories[name]
    no_false_fact_is_accepted(own, some(of_facts(own, instances(own)), 3))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", LEDGERS)
def test_no_change_of_a_packed_text_is_a_false_fact_that_is_accepted(name: str) -> None:
    own = book().theories[name]
    changed = of_facts(own, instances(own))
    no_false_fact_is_accepted(own, changed)
    print(f"{len(changed)} changes of the text {name}, none of which is a false fact that is accepted")
    assert len(changed) > 1000


ELSEWHERE = {
    "adaptive": {
        "a_max": "the form's entries (test_computing.py)",
        "largest_square": "a bound with room, whose value the conclusion says",
        "pair_h_sf": "the same function, as h_sf does not depend on j",
        "out_of_step": "a witness: the total of H-SF's schedule",
        "pair_volume": "the form's value (test_computing.py)",
        "part": "what it is for (test_computing.py)",
        "leaving": "a second computation (test_computing.py)",
        "literal_pair": "a second computation (test_computing.py)",
    },
    "any_memory": dict.fromkeys(
        ("half_of_small", "half_of_large", "length_of_small"), "the policy's (papers/any_memory/test_policies.py)"
    ),
}
"""Definitions of which some changes leave other true facts, bounds, and what else says what they are."""


def no_wrong_definition_is_accepted(own: theory.Theory, changed: list[tuple[str, str]]) -> None:
    """A definition that another one may replace, or that a value ``is``, is a claim's: it is compared with what is given."""
    elsewhere = ELSEWHERE.get(own.name, {})
    using = {name: uses(own, name) for name in instances(own)}
    of_claims = {each for name in using for each in theory.called(name)[1]}
    of_claims.update(*(functions_in(*statement.stands.values()) for statement in book().claims.values()))
    in_witnesses = {name for name in own_definitions(own) if not any(name in used for used in using.values())}
    for name, value in changed:
        asked = [each for each, used in using.items() if name in used]
        fixed = name in in_witnesses | of_claims | elsewhere.keys() or refused_at(own, name, value, asked)
        assert fixed, f"{name} = {value}"
    for name in in_witnesses - of_claims:
        assert re.search(rf"\n  +(let|holds) .*\b{name}\(", own.text), f"nothing uses {name}"


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("name", LEDGERS[1:])
def test_some_changes_of_a_definition_make_a_fact_false(name: str) -> None:
    own = book().theories[name]
    no_wrong_definition_is_accepted(own, some(of_definitions(own), 4)[: SOME // 4])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", LEDGERS)
def test_every_change_of_a_definition_makes_a_fact_false(name: str) -> None:
    own = book().theories[name]
    changed = of_definitions(own)
    no_wrong_definition_is_accepted(own, changed)
    print(f"{len(changed)} changes of the definitions of {name}")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("f(a) = a*(a + 1)/2", "f(a) = a*(a + 2)/2", ", line 11: the two sides differ at n = 1"),
        ("g(a, b) - 2*a", "g(a, b) - 3*a", ", line 8: "),
        ("b > a\n", "b >= a\n", ", line 8: it may vanish"),
        ("sum over k >= 1: k = f(k)", "sum over k >= 1: k + 1 = f(k)", ", line 12: F(k) − F(k−1) is not the summand"),
        ("b^2/2", "b^3/2", ", line 13: the integral is another"),
        ("= a + b\n", "= a + a\n", ", line 14: the two sides differ"),
        ("min(a, b) + max", "min(a, b, a) + max", ", line 14: expected min of two"),
        ("min(a, b) + max", "min(a, c) + max", ", line 14: which is the min is not seen from the bounds"),
        ("min(a, b) + max", "min(a, 2*b - 1) + max", ", line 14: which is the min is not seen from the bounds"),
    ],
)
def test_a_false_fact_is_refused_with_its_line(old: str, new: str, reason: str, tmp_path: Path) -> None:
    assert old in SMALL
    assert refused(SMALL.replace(old, new), tmp_path).startswith(reason)


WRITTEN = """define total(n) = Sum(k, (k, 1, n))
define least(i, j) = min(i, j)^2
define twice(n) = 2*total(n)

theorem sums(F(n), G(i, j))
  reading r
  states $F(n)$
  for n >= 1: F(n) = n*(n + 1)
  i >= 1, j >= i: G(j, i) = i^2
  so $x$

theorem some
  reading r
  states s
  cites sums(twice, least)
  so $y$
"""


def test_a_definition_may_hold_sums_and_minima(tmp_path: Path) -> None:
    own = read(WRITTEN, tmp_path)
    assert {*own.defined} == {"total", "least", "twice"}
    assert all(isinstance(each, kernel.Written) for each in own.meanings.values())
    assert refused(WRITTEN, tmp_path) == "" and own.judge("sums(twice, least)").facts == 2


def test_the_index_of_a_sum_is_known_in_this_sum_alone(tmp_path: Path) -> None:
    text = f"define sum_from(a, n) = Sum(k, (k, a, n))\n{THEOREM}  for m >= 1: sum_from(1, m) = m*(m + 1)/2\n"
    for name in "ank":
        assert (
            refused(
                text.replace("for m", f"for {name}").replace("m)", f"{name})").replace("m*(m", f"{name}*({name}"),
                tmp_path,
            )
            == ""
        )
    assert refused(text.replace("= m*", "= k*"), tmp_path) == ", line 5: the two sides differ at m = 1"
    for line, name in (
        ("for n >= 1: Sum(k, (k, 1, n)) + k = n*(n + 1)/2 + k", "k"), ("for n >= 1: Sum(n, (n, 1, n)) = n*(n + 1)/2", "n"),
        ("k >= 0: k - Sum(k, (k, 1, 1)) >= 0", "k"),
    ):  # fmt: skip
        assert refused(f"{THEOREM}  {line}\n", tmp_path) == f", line 4: {name} is the index of a sum, and no variable"
    for define, reason in (
        ("h(n) = Sum(k, (k, 1, n)) + k", "k is the index of a sum, and no variable"),
        ("h(k) = Sum(k, (k, 1, k))", "k is the index of a sum, and no variable"),
        ("h(n) = Sum(k, (k, 1, n)) + j", "j is no parameter"),
        ("h(n) = Sum(sum_from(1, k), (k, 1, n)) + Sum(j, (k, 1, n))", "j is no parameter"),
    ):
        assert (
            refused(f"define sum_from(a, n) = Sum(k, (k, a, n))\ndefine {define}\n", tmp_path) == f", line 2: {reason}"
        )


@pytest.mark.parametrize("ends", ["j, n", "j, n + j", "1, n + j - j"])
def test_the_ends_of_a_sum_do_not_contain_its_index(ends: str, tmp_path: Path) -> None:
    """Such a definition is not closed: it would be evaluated with the j of each fact."""
    text = f"define h(n) = Sum(j, (j, {ends}))\n{THEOREM}  j >= 1, for n >= j: h(n) = (n - j + 1)*(n + j)/2\n"
    assert refused(text, tmp_path) == ", line 5: a sum needs an index of its own, which its ends do not contain"


@pytest.mark.parametrize("value", ["u", "max(u, u)"])
def test_a_function_is_evaluated_with_the_functions_that_it_was_defined_with(value: str, tmp_path: Path) -> None:
    """A theorem's parameter F, replaced by g, is not the F that is defined below the theorem, in terms of which h is."""
    text = "define g(u) = u\ntheorem e(F(u), G(u))\n  reading r\n  states s\n  n >= 1: F(n) = G(n)\n"
    text += f"define F(u) = u + 5\ndefine h(u) = max(F(u), {value})\n{THEOREM}  cites e(g, h)\n"
    assert refused(text, tmp_path) == ", line 5: the two sides differ"
    assert refused(text.replace("e(g, h)", "e(F, h)"), tmp_path) == ""


def test_a_call_of_a_function_with_a_minimum_costs_work() -> None:
    own = kernel.define(("a",), f"min(a, {'1 + ' * 99}a)", {})
    kernel.Work.start()
    reader = kernel.Reader({"f": own})
    kernel.read_range(["a >= 1"], reader)
    assert reader.read("f(a)") == kernel.variable("a")
    assert kernel.Work.left < kernel.MOST_WORK - 10 * 3 * 99


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("2*total(n)", "3*total(n)", ", line 8: the two sides differ at n = 1"),
        ("(k, 1, n)", "(k, 2, n)", ", line 8: the two sides differ at n = 1"),
        ("= min(i", "= max(i", ", line 9: the two sides differ"),
        ("min(i, j)^2", "min(i, j, i)^2", ", line 9: expected min of two"),
        ("j >= i: G", "j >= 1: G", ", line 9: which is the min is not seen from the bounds"),
        ("Sum(k, (k, 1, n))", "Sum(k + m, (k, 1, n))", ", line 1: m is no parameter"),
        ("2*total(n)", "2*total(n) + other(n)", ", line 3: other is not defined"),
        ("2*total(n)", "2*total(n, n)", ", line 8: total has other parameters"),
        ("F(n) = n*(n + 1)", "F(n) = n*(n + 1) + 0*total(k)", ", line 8: a variable is left"),
        ("sums(twice, least)", "sums(least, twice)", ", line 15: least has another number of parameters than F"),
    ],
)
def test_sums_and_minima_are_put_in_their_place_or_refused(old: str, new: str, reason: str, tmp_path: Path) -> None:
    assert old in WRITTEN
    assert refused(WRITTEN.replace(old, new), tmp_path) == reason


# ---- what cannot be read ------------------------------------------------------------------------------------------

THEOREM = "theorem t\n  reading r\n  states s\n"
FORMULA = "theorem t\n  reading r\n  states formula\n"
NOTHING = "expected a finding that is not aside, and 'holds …' in the witness of what it decides"
BARE = "expected joined in the finding 'f', and why: its theorems state formulas alone"
DECIDED: Any = [
    FORMULA + "  2 = 1 + 1\nwitness empty\n  reads x: integer(0, 1)\n  in part\n    let y = 1\nclaim c\nlevel l proved\n  says P = NP\n",
    ("  finding f proved aside: t\n", 10, NOTHING),
    ("  finding f proved aside: t\n  further t\n", 10, NOTHING),
    ("  finding f proved alone: t\n", 10, NOTHING),
    ("  finding f proved alone: t\n  witness empty\n", 10, NOTHING),
    ("  finding f certified\n  witness empty\n", 10, NOTHING),
    ("  finding f proved joined: t\n    as 2 = 1 + 1\n  finding g proved alone: t\n", 10, NOTHING),
    ("  finding f proved: t\n", 10, BARE),
    ("  finding f proved\n  further t\n", 10, BARE),
]  # fmt: skip
"""What decides nothing, at 0 words, whatever the claim says."""


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("theorem t\n   reading r\n", "line 2: expected an indent of 0, 2 or 4 spaces, not 3"),
        ("    reading r\n", "line 1: expected an indent of 0 spaces at most"),
        (THEOREM + "  1 = 1\n    a\x07b\n", "line 5: expected printable characters only"),
        (THEOREM + "  so $1 = 1$\n    \u202e words\n", "line 5: expected printable characters only"),
        ("theorm t\n", "line 1: expected define, theorem, claim"),
        ("define f(a) = a\n  b\n", "line 2: expected nothing below a line 'define'"),
        ("define f(a) = a + b\n", "line 1: b is no parameter"),
        ("define f(a, a) = a\n", "line 1: expected parameters of different names"),
        ("define f(a) = a\ndefine f(a) = a\n", "line 2: f is defined already"),
        ("define min(a, b) = a\n", "line 1: min is defined already"),
        ("define f(a) = g(a)\n", "line 1: g is not defined"),
        ("define f = 2\n", "line 1: expected define f(a, b) = e"),
        ("define f(a) = a\ndefine g(f) = f\n", "line 2: f is a definition, and no variable"),
        ("define f(a) = 1/(a - a)\n", "line 1: "),
        ("theorem t\n  states s\n  1 = 1\n", "line 1: expected a line '  reading …' in the theorem 't'"),
        ("theorem t\n  reading r\n  1 = 1\n", "line 1: expected a line '  states …' in the theorem 't'"),
        ("theorem t\n  reading\n  states s\n  1 = 1\n", "line 1: expected a line '  reading …'"),
        (THEOREM, "line 1: expected a fact or words in the theorem 't'"),
        ("theorem t\n  reading r\n  reading s\n", "line 3: expected one line 'reading', before the steps"),
        ("theorem t\n    reading r\n", "line 2: expected an indent of 2 spaces at most"),
        (THEOREM + "  1 = 1\n" + THEOREM.replace(" t", " u") + "  cites t; \n", "line 8: expected names of theorems"),
        (THEOREM + "  2 = 1 + 1\n    - squares x\n", "line 4: only a sign has squares"),
        ("define f(a) = a\n" + THEOREM + "  f = 1\n", "line 5: f is a definition, and no variable"),
        ("define f(a) = a\n" + THEOREM + "  f >= 1: f > 0\n", "line 5: f is a definition, and no variable"),
        (THEOREM + "  g(1) = 1\n", "line 4: g is not defined"),
        (THEOREM + "  1 = 1\n  reading again\n", "line 5: expected one line 'reading', before the steps"),
        (THEOREM + "  1 = 1\n" + THEOREM + "  1 = 1\n", "line 5: the theorem 't' stands there twice"),
        (THEOREM.replace("t\n", "t\u043ep\n", 1), "line 1: expected a name of Latin letters"),
        (THEOREM.replace("t\n", "t\u03bfp\n", 1), "line 1: expected a name of Latin letters"),
        (
            "witness sm\u0430ll\n  reads x: integer(0, 1)\n",
            "line 1: expected a new name of ASCII letters, not 'sm\u0430ll'",
        ),
        (
            "theorem a; b\n  reading r\n  states s\n  1 = 1\n",
            "line 1: expected a name of Latin letters, without semicolons",
        ),
        (THEOREM + "  1 + 1\n", "line 4: "),
        (THEOREM + "  x > 0\n", "line 4: "),
        (THEOREM + "  x >= 0: x + 1 > 1\n", "line 4: "),
        (THEOREM + "  x >= 0, x >= 1: x >= 0\n", "line 4: a variable has two bounds"),
        (THEOREM + "  x >= y, y >= 0: x >= 0\n", "line 4: the bound of x uses"),
        (THEOREM + "  import os = 1\n", "line 4: "),
        (THEOREM + "  __import__(1) = 1\n", "line 4: "),
        (THEOREM + "  2.5 = 5/2\n", "line 4: "),
        (THEOREM + "  [a] 1 = 1\n  [a] 2 = 2\n", "line 5: expected a name of its own, not 'a' again"),
        (THEOREM + "  1 = 1\n    - tested by f: x\n", "line 5: expected '- squares e; e', '- note why'"),
        (THEOREM + "  cites u\n", "line 4: expected a theorem that comes before, not 'u'"),
        (THEOREM + "  cites t\n", "line 4: expected a theorem that comes before, not 't'"),
        (THEOREM + "  cites\n", "line 4: expected names of theorems after 'cites'"),
        (
            THEOREM + "  1 = 1\n" + THEOREM.replace(" t", " u") + "  cites t\n    words\n",
            "line 8: expected names of theorems",
        ),
        (
            THEOREM + "  2 = 1 + 1\n  so $a$\n  so $b$\n",
            "line 5: expected a conclusion, and words below it: only the last step",
        ),
        (THEOREM + "  so $a$\n  so $b$\n", "line 4: expected a conclusion, and words below it: only the last step"),
        (THEOREM + "  so\n    words\n  2 = 1 + 1\n", "line 4: expected a conclusion, and words below it"),
        (
            THEOREM + "  so\n    words\n    - note words\n",
            "line 6: expected '- squares e; e', '- note why' (a fact)",
        ),
        (THEOREM + "  2 = 1 + 1\n    - note\n", "line 5: expected '- squares e; e', '- note why' (a fact)"),
        (
            FORMULA + "  argued $a$\n    words\n    - tested by f: x\n",
            "line 1: expected a fact in 't': it states formulas",
        ),
        (FORMULA + "  so $a$\n    words\n", "line 1: expected a fact in 't': it states formulas"),
        (THEOREM + "  so $a\n", "line 4: expected what follows after 'so', with every $ closed"),
        (THEOREM + "  so $a$\n    - of b\n", "line 4: expected the names of steps before it, not 'b'"),
        (THEOREM + "  so $a$\n    - tested by f: x\n", "line 5: expected '- squares e; e', '- note why'"),
        (THEOREM + "  argued $a$\n    - tested by f: x\n", "line 4: expected words below 'argued'"),
        (THEOREM + "  argued $a$\n    words\n", "line 4: expected words below 'argued', and the name"),
        (THEOREM + "  computed $a$\n    words\n    - by 2\n", "line 6: expected"),
        (THEOREM + "  where x\n  1 = 1\n", "line 4: expected"),
        ("builds on nowhere\n", "line 1: expected a theory that is read before, or one of adaptive"),
        ("define f(a) = a\nbuilds on adaptive\n", "line 2: expected 'builds on NAME; NAME', before all else"),
        ("builds on adaptive\ndefine a_min(i) = i\n", "line 2: a_min is defined already"),
        ("theorem t(min(a, b))\n  reading r\n  states s\n  1 = 1\n", "line 1: min is defined, and can be no parameter"),
        ("claim c\n  given 3\n", "line 2: expected given NAME = VALUE"),
        ("claim c\n  given f = x\n    was g(x)\n", "line 3: expected 'is e', once"),
        ("claim c\n  given f = x\n    is g(x)\n    is g(x)\n", "line 3: expected 'is e', once"),
        ("level l proved\n", "line 1: expected level NAME STATUS below a claim"),
        ("claim c\nlevel l true\n", "line 2: expected level NAME STATUS below a claim"),
        ("claim c\nlevel l proved\n  finding f proved: t\n", "line 2: expected 'says SENTENCE' and a finding"),
        ("claim c\nlevel l proved\n  says x\n  finding f proved: t\n", "line 2: expected a theorem that comes before"),
        ("claim c\nlevel l proved\n  says x\n  finding f proved\n", "line 2: expected a theorem or a witness"),
        (
            "claim c\nlevel l proved\n  says x\n  finding f proved\n  witness w\n",
            "line 2: expected a witness of the text",
        ),
        ("claim c\nlevel l proved\n  says x\n  finding f true: t\n", "line 4: expected finding ID STATUS"),
        ("claim c\nlevel l proved\n  says x\n  finding f proved perhaps: t\n", "line 4: expected finding ID STATUS"),
        (
            THEOREM + "  1 = 1\nclaim c\nlevel l proved\n  says x\n  finding f proved: t\n  finding f proved: t\n",
            "line 9: expected finding ID STATUS",
        ),
        *((f"{DECIDED[0]}{own}", f"line {at}: {why}") for own, at, why in DECIDED[1:]),
        ("builds upon adaptive\n", "line 1: expected 'builds on NAME; NAME', before all else"),
        ("builds on\n", "line 1: expected 'builds on NAME; NAME', before all else"),
        ("claim c\nlevel l proved\n  hides x\n", "line 3: expected says, finding, further"),
        ("claim c\nlevel l proved\n  ledger x\n", "line 3: expected says, finding, further"),
        ("words w:  \n", "line 1: expected words NAME: SENTENCE"),
        (
            THEOREM + "  1 = 1\nclaim c\nlevel l proved\n  says x\n  finding f proved joined: t\n",
            "line 8: expected below a",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, reason: str, tmp_path: Path) -> None:
    assert refused(text, tmp_path).startswith(f", {reason}")
    done = check("--theory", tmp_path / "own.txt")
    assert (done.returncode, done.stderr.count("\n")) in ((1, 0), (2, 1))
    assert reason in done.stdout + done.stderr
    assert (done.stdout + done.stderr).replace("\n", "").isprintable()


# ---- what is too large ----------------------------------------------------------------------------------------------

MANY = [f"x{n}" for n in range(60)]
TWICE = "".join(f"define f{n}(a) = f{n - 1}(a) + f{n - 1}(a)\n" for n in range(1, 40))
LARGE_TEXTS: list[tuple[str, str, str]] = [
    ("a degree of 499", f"{THEOREM}  s >= 0: s^499 >= 0", "small integer"),
    ("a power", f"{THEOREM}  o^1000 = o^1000", "small integer"),
    ("a power of numbers", f"{THEOREM}  9^9^9^9 = 1", "small integer"),
    ("a power of powers", f"{THEOREM}  (((o + p + 1)^16)^16)^16 = 0", "too much to compute"),
    ("a number of powers", f"{THEOREM}  (((99999999^16)^16)^16)^16 = 0", "too large"),
    ("a power of definitions", f"define f(a) = a^16\ndefine g(a) = f(f(f(f(f(f(a))))))\n{THEOREM}  g(x) = 0", "the degree is too large"),
    ("definitions that double", f"define f0(a) = a*a + 1\n{TWICE}{THEOREM}  f39(x) = 0", "two sides differ"),
    ("minima that double", f"define f0(a) = min(a, a + 1)\n{TWICE}{THEOREM}  x >= 0: f39(x) >= 0", "too much to compute"),
    ("500 squares", f"{THEOREM}  s >= 0: s >= 0\n    - squares {'; '.join(['0'] * 500)}", "expected a list"),
    ("a coefficient of 400 digits", f"{THEOREM}  s >= 0: {'9' * 400}*s >= 0", "too large"),
    ("a shift of high powers", f"{THEOREM}  s >= 0, l >= 1: ((s + l + 1)^16)^5 >= 0", "too much to compute"),
    ("a product of sums", f"{THEOREM}  {'*'.join(['(o + p + q + r + s)'] * 40)} = 0", "too much to compute"),
    ("quotients", f"{THEOREM}  {' + '.join(f'1/(o + {n}*p + {n}*q*r)' for n in range(1, 80))} = 0", "too much to compute"),
    ("parentheses", f"{THEOREM}  {'(' * 900}o{')' * 900} = o", "no expression"),
    ("minus signs", f"{THEOREM}  {'-' * 1900}o = o", "no expression"),
    ("a long sum", f"{THEOREM}  1{' + 1' * 10**5} = 100001", "no expression"),
    ("many names", f"{THEOREM}  {' + '.join(f'x{n}' for n in range(150))} = 0", "too many variables"),
    ("many bounds", f"{THEOREM}  where {', '.join(f'{x} >= 0' for x in MANY)}\n  {' + '.join(MANY)} >= 0", "expected a list"),
    ("a sum of many terms", f"{THEOREM}  for n >= 1: Sum(k, (k, 1, n + 10^9)) = n", "a sum's ends"),
    ("a sum up to a number", f"{THEOREM}  Sum(k, (k, 1, 10^9)) = 0", "outside an induction"),
    ("an induction from far", f"{THEOREM}  for n >= {10**9}: Sum(k, (k, 1, n)) = n*(n + 1)/2", "an integer to start from"),
    ("a sum of sums", f"{THEOREM}  for n >= 1: Sum(Sum(i*k, (i, 1, n)), (k, 1, n)) = n", "outside an induction"),
    ("an integral of a power", f"{THEOREM}  integral over v from 0 to b: v^400 = b^401/401", "small integer"),
    ("a text of more bytes", "#" * statements.LARGEST_TEXT, "bytes"),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("note", "text", "reason"), LARGE_TEXTS, ids=[row[0] for row in LARGE_TEXTS])
def test_what_is_too_large_is_refused_in_one_line(note: str, text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(Rejected) as found:
        read(text + "\n", tmp_path).judge("t")
    assert reason in str(found.value) and str(found.value).isprintable(), note


def test_fresh_names_are_of_one_theorem(tmp_path: Path) -> None:
    """Eighty names of its own in each of many theorems: none of them is known after it."""
    sums = [" + ".join(f"0*z{number}x{n}" for n in range(80)) for number in range(12)]
    theorems = [THEOREM.replace("theorem t", f"theorem t{n}") + f"  o + {each} = o\n" for n, each in enumerate(sums)]
    own = read("".join(theorems), tmp_path)
    known = len(kernel.places())
    for name in own.theorems:
        assert own.judge(name).facts == 1
        kernel.Work.start()
        assert len(kernel.places()) <= known


def test_what_is_no_text_is_one_line(tmp_path: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("theorem ü".encode("latin-1"))
    other = tmp_path / "folder" / "latin.txt"
    other.parent.mkdir()
    other.write_text("", encoding="utf-8")
    for arguments, reason in (
        ((latin,), "expected UTF-8"),
        ((tmp_path / "none.txt",), "cannot be read"),
        ((tmp_path,), "cannot be read"),
        ((other, other), "expected files of different names"),
    ):
        done = check("--theory", *arguments)
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, "")
        assert reason in done.stderr


# ---- what counts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "sentences"),
    [
        ("  2 = 1 + 1\n", 1),  # one fact may state anything
        ("  2 = 1 + 1\n    words\n", 2),
        ("  2 = 1 + 1\n    - note words\n", 1),
        ("  2 = 1 + 1\n    words\n    - note more\n    of them\n  so s\n", 2),
        ("  1 = 1\n", 2),
        ("  2 = 1 + 1\n  3 = 1 + 2\n", 1),
        ("  1 = 1\n  2 = 2\n", 2),
        ("  2 = 1 + 1\n  so s\n", 1),
        ("  2 = 1 + 1\n  so\n", 1),
        ("  2 = 1 + 1\n  so\n    words\n", 1),
        ("  2 = 1 + 1\n  so $x$\n", 2),
        ("  2 = 1 + 1\n  so $x$\n    words\n  so\n", 2),
        ("  2 = 1 + 1\n  so s\n    words\n  3 = 1 + 2\n", 2),
        ("  [a] 2 = 1 + 1\n  3 = 1 + 2\n  so   s\n    - of a\n", 1),
        ("  [a] 2 = 1 + 1\n  so $x$\n    - of a\n", 2),
        ("  argued s\n    words\n    - tested by f: all\n", 1),
        ("  argued $x$\n    words\n    - tested by f: all\n", 2),
        ("  argued $x$\n    words\n    - tested by f: all\n  so s\n", 2),
        ("  computed s\n    words\n    - by f\n", 0),
        ("  computed $x$\n    words\n    - by f\n", 1),
    ],
)
def test_every_sentence_counts(steps: str, sentences: int, tmp_path: Path) -> None:
    own = read(THEOREM + steps, tmp_path)
    assert len(own.judge("t").argued) == sentences
    assert len(own.judge("t").computed) == steps.count("computed")


def test_words_that_begin_like_a_mark_stay_words(tmp_path: Path) -> None:
    own = read(THEOREM + "  so $x$\n    all of\n    of the words, tested by\n    uses or by\n", tmp_path)
    assert own.theorems["t"].steps[0].words == "all of of the words, tested by uses or by"
    assert own.theorems["t"].steps[0].of == ()


def test_steps_are_numbered_and_go_on_in_the_lines_below(tmp_path: Path) -> None:
    own = read(
        "define f(a, b) written $f_a$ = a + b\n" + THEOREM + "  [one] 2 = 1 + 1\n    all\n    words\n  3 = 1 + 2\n"
        "  argued $x\n    = y\n    + z$ and so on\n    words\n    - tested by try_it: all\n    runs\n"
        "  so $y$\n    - of one;\n    2\n    - uses Sturm;\n    Bochner\n",
        tmp_path,
    )
    one, two, argued, so = own.theorems["t"].steps
    assert [step.name for step in (one, two, argued, so)] == ["one", "2", "3", "4"]
    assert (one.says, one.words) == ("2 = 1 + 1", "all words")
    assert (argued.says, argued.words) == ("$x = y + z$ and so on", "words")
    assert (argued.function, argued.tested) == ("try_it", "all runs")
    assert (so.of, so.uses) == (("one", "2"), ("Sturm", "Bochner"))
    assert argued.sentence == "$x = y + z$ and so on; words"
    assert (own.defined["f"].written, own.defined["f"].parameters) == ("f_a", ("a", "b"))
    assert own.judge("t").argued == (one.sentence, argued.sentence, "$y$", "s")
    assert one.sentence == "2 = 1 + 1; all words"


OTHERS = "theorem a(F(n))\n  reading r\n  states $F(n) > 0$\n  n >= 1: F(n) > 0\ntheorem b\n  reading r\n  states b\n  2 = 1 + 1\n"


@pytest.mark.parametrize(
    ("text", "states", "sentences"),
    [
        (FORMULA + "  2 = 1 + 1\n", "2 = 1 + 1", 0),
        (FORMULA + "  where a >= 1\n  a > 0\n    - note why\n  2 = 1 + 1\n", "where a >= 1; a > 0; 2 = 1 + 1", 0),
        (FORMULA + "  2 = 1 + 1\n    every run ends\n", "2 = 1 + 1", 1),
        (FORMULA + "  1 = 1\n", "1 = 1", 1),
        ("theorem t\n  reading r\n  states all zeros of zeta are on the line\n  2 = 1 + 1\n", "all zeros of zeta are on the line", 1),
        ("theorem t\n  reading r\n  states a >= 0\n  where a >= 1\n  a >= 0\n", "a >= 0", 1),  # the bound is left out
        (OTHERS + "theorem t\n  reading r\n  states b\n  cites b\n", "b", 0),
        (OTHERS + "theorem t\n  reading more\n  states b\n  cites b\n", "b", 1),
        (OTHERS + "theorem t\n  reading r\n  states the Riemann hypothesis\n  cites b\n", "the Riemann hypothesis", 1),
        (OTHERS + "theorem t\n  reading r\n  states $F(n) > 0$\n  cites a(f)\n", "$F(n) > 0$", 1),  # of another F
    ],
)  # fmt: skip
def test_a_statement_counts_unless_it_is_its_facts(text: str, states: str, sentences: int, tmp_path: Path) -> None:
    own = read(f"define f(n) = n + 1\n{text}", tmp_path)
    assert own.theorems["t"].states == states
    assert len(own.judge("t").argued) == sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [("v >= 1", ("v", "1", False, "", False)), ("w > a + 1", ("w", "a + 1", True, "", False)),
     ("1 > x > 0", ("x", "0", True, "1", False)), ("1 > r >= 0", ("r", "0", False, "1", False)),
     ("1 >= r > 0", ("r", "0", True, "1", True)), ("f(a) + 1 >= r >= a", ("r", "a", False, "f(a) + 1", True))],
)  # fmt: skip
def test_a_bound_has_ends(text: str, parts: tuple[object, ...]) -> None:
    assert bound(text) == parts


def test_a_fact_has_the_bounds_that_its_variables_need(tmp_path: Path) -> None:
    own = read(f"{THEOREM}  where a >= 0, b > a, c > b, d >= 1\n  c - a > 0\n", tmp_path)
    step = own.theorems["t"].steps[0]
    assert own.fact(step, own.theorems["t"], {})["where"] == ["a >= 0", "b > a", "c > b"]


def test_a_false_claim_on_a_theorem_of_one_fact_is_verified_by_words_alone(tmp_path: Path) -> None:
    """Whatever a text says beside a true formula, or below it, is counted and printed."""
    claim = "claim rh\nlevel l proved\n  says The Riemann hypothesis.\n  finding f proved"
    for steps, sentences in (
        ("theorem t\n  reading r\n  states The Riemann hypothesis.\n  2 = 1 + 1\n" + f"{claim}: t\n", 1),
        (FORMULA + "  2 = 1 + 1\n    so no zero is off the line\n" + f"{claim} joined: t\n    It is a formula.\n", 2),
        (FORMULA + "  2 = 1 + 1\n    - note no zero is off the line\n" + f"{claim} joined: t\n    It is.\n", 1),
    ):
        (tmp_path / "own.txt").write_text(steps, encoding="utf-8")
        known = of_files([str(tmp_path / "own.txt")])
        finding = {"f": {"status": "proved", "theorems": ["t"]}}
        data = {
            "format": command.FORMAT,
            "ledger": "own",
            "text": known.theories["own"].digest,
            "id": "rh",
            "level": "l",
        }
        data |= {"status": "proved", "given": {}, "findings": finding, "witness": {}}
        statement, own = command.check_document({**data, "digest": command.digest(data)}, known)
        assert len(own.argued) == sentences
        assert command.worth(statement, own) == f"verified modulo {sentences} argued step{'s' * (sentences > 1)}"


# ---- functions as parameters --------------------------------------------------------------------------------------

PARAMETERS = """define right(n) = n*(n + 1)/2
define wrong(n) = n*(n - 1)/2
define two(n, m) = n + m

theorem sums(F(n))
  reading r
  states s
  for n >= 1: Sum(k, (k, 1, n)) = F(n)

theorem all
  reading r
  states s
  cites sums(right)
  so $x$
"""


def test_a_theorem_about_a_function_is_judged_with_those_that_are_named(tmp_path: Path) -> None:
    own = read(PARAMETERS, tmp_path)
    assert named_in(own) == ["sums(right)", "all"]
    assert own.judge("sums(right)").facts == 1
    for name, reason in (
        ("sums(wrong)", "line 8: the two sides differ at n = 1"),
        ("sums", "sums takes 1 parameters, not 0"),
        ("sums(right, right)", "sums takes 1 parameters, not 2"),
        ("sums(two)", "two has another number of parameters than F"),
        ("sums(min)", "min has another number of parameters than F"),
        ("sums(other)", "other is not defined"),
        ("all(right)", "all takes 0 parameters, not 1"),
    ):
        with pytest.raises(command.Rejected, match=re.escape(reason)):
            own.judge(name)
    assert ", line 13: right takes" not in refused(PARAMETERS, tmp_path)
    assert (
        refused(PARAMETERS.replace("sums(right)", "sums(wrong)"), tmp_path) == ", line 8: the two sides differ at n = 1"
    )
    taken = PARAMETERS.replace("F(n)", "right(n)")
    assert refused(taken, tmp_path) == ", line 5: right is defined, and can be no parameter"


def test_a_theorem_about_a_function_that_nobody_names_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(PARAMETERS.replace("  cites sums(right)\n", ""), encoding="utf-8")
    done = check("--theory", path)
    assert done.returncode != 0
    assert "line 5: expected a theorem or a claim that names it with its functions" in done.stdout + done.stderr


# ---- given formulas -----------------------------------------------------------------------------------------------


def test_a_given_formula_is_one_of_the_text(tmp_path: Path) -> None:
    own = read(WRITTEN + "define half(n) = n/2\ndefine within(i, j) = min(i, j)/i\n", tmp_path)
    for given, text, same in (
        ("0.5*n", "half(n)", True), ("n/2", "half(2*n)/2", True), ("n^2/2", "half(n)*n", True), ("n/3", "half(n)", False),
        ("m/2", "half(n)", False), ("sum(k, k, 1, n)", "total(n)", True), ("sum(k, k, 1, n)", "total(n - 1) + n", False),
        ("sum(k, k, 0, n)", "total(n)", False), ("sum(k, k, 1, m)", "total(n)", False), ("min(a, b)/a", "within(a, b)", True),
        ("max(a, b)/a", "within(a, b)", False), ("2*sqrt(n)/4", "sqrt(n)/2", True), ("sqrt(n)", "sqrt(m)", False),
        ("min(a, b)", "min(b, a)", False), ("atom0", "min(a, b)", False), ("sum(j, j, 1, n)", "total(n)", True),
        ("sum(sqrt(j), j, 1, n)", "Sum(sqrt(k), (k, 1, n))", True), ("sum(sqrt(j), j, 1, n)", "Sum(sqrt(n), (k, 1, n))", False),
        ("0.10*n", "half(n)/5", True), ("0.1000000000000000000001*n", "half(n)/5", False), ("0.5^2*n", "half(n)/2", True),
        ("half(n)", "half(n)", False), ("log(n)", "log(n)", True),
    ):  # fmt: skip
        assert alike(given, text, own.meanings) == same, (given, text)
    assert not alike("sqrt(n)", "sqrt(n)", read("define sqrt(x) = x\n", tmp_path).meanings)
    for given in (
        "n +",
        "i,i",
        "n < 2",
        "'n'",
        "n # + 1",
        "𝑛/2",
        "n/0x2",
        "sum(sum(j, j, 1, k), k, 1, n)",
        "1.",
        ".5*n",
        "1e2",
    ):
        with pytest.raises(command.Rejected):
            alike(given, "half(n)", own.meanings)


# ---- texts that build on others -----------------------------------------------------------------------------------


def test_a_text_builds_on_others_and_its_digest_covers_them(tmp_path: Path) -> None:
    base, own = tmp_path / "base.txt", tmp_path / "own.txt"
    base.write_text(SMALL, encoding="utf-8")
    own.write_text(f"builds on base; nonclairvoyant\n{THEOREM}  cites sums; round robin\n  so $x$\n", encoding="utf-8")
    known = of_files([str(base), str(own)])
    assert known.theories["own"].with_cited(["t"]) == ["t", "sums", "round robin", "shortest first"]
    before = known.theories["own"].digest
    base.write_text(SMALL.replace("all together", "together"), encoding="utf-8")
    assert of_files([str(base), str(own)]).theories["own"].digest != before
    with pytest.raises(Wrong, match="expected a theory that is read before"):
        of_files([str(own), str(base)])


def test_the_witnesses_and_words_of_a_packed_text_are_known_to_what_builds_on_it(tmp_path: Path) -> None:
    known = book()
    adaptive = next(own for own in known.claims.values() if own.ledger == "adaptive" and own.witness and own.words)
    claim = f"claim c\nlevel l proved\n  says x\n  finding f proved\n  witness {adaptive.witness}\n  words {adaptive.words[0]}\n"
    for names in ("adaptive", "nonclairvoyant; adaptive", "adaptive; nonclairvoyant"):
        assert refused(f"builds on {names}\n{claim}", tmp_path) == ""
    assert "expected a witness of the text" in refused(claim, tmp_path)
    assert [*book("adaptive").theories] == ["adaptive"]
    assert [*book("nonclairvoyant").theories] == ["adaptive", "nonclairvoyant"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("define f(a) = a\n", "'f'"),
        (f"{THEOREM}  2 = 1 + 1\n", "'t'"),
        ("words why: It is so. (Of NAME.)\n", "'why'"),
        ("witness w\n  reads x: integer(0, 1)\n", "'w'"),
    ],
)
def test_two_texts_that_a_third_builds_on_have_nothing_of_one_name(text: str, reason: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.txt" for name in ("one", "two", "own")]
    for path, own in zip(paths, (text, text.replace("NAME", "two"), "builds on one; two\n"), strict=True):
        path.write_text(own, encoding="utf-8")
    of_files(map(str, paths[:2]))
    with pytest.raises(Wrong, match=f"own.txt, line 1: {reason} stands in two that it builds on"):
        of_files(map(str, paths))


@pytest.mark.parametrize("line", ["  witness w\n", "  witness mine\n", "  words why\n"])
def test_a_claim_has_no_witness_and_no_words_of_a_text_that_it_does_not_build_on(line: str, tmp_path: Path) -> None:
    """They would not be part of its digest."""
    base, own = tmp_path / "base.txt", tmp_path / "own.txt"
    base.write_text("words why: It is so.\nwitness w\n  reads x: integer(0, 1)\n  holds x == 1\n", encoding="utf-8")
    mine = "witness mine\n  like w\n" if "mine" in line else "witness v\n  reads y: integer(0, 1)\n  holds y == 0\n"
    text = f"{mine}claim c\nlevel l refuted\n  says x\n  finding f refuted\n{line}"
    text += "  witness v\n" if "words" in line else ""
    with pytest.raises(Wrong, match=r"own\.txt, line .: expected (a witness|words)"):
        own.write_text(text, encoding="utf-8")
        of_files([str(base), str(own)])
    own.write_text(f"builds on base\n{text}", encoding="utf-8")
    of_files([str(base), str(own)])


def test_what_a_text_cites_elsewhere_is_judged_with_it(tmp_path: Path) -> None:
    base, own = tmp_path / "base.txt", tmp_path / "own.txt"
    base.write_text(SMALL.replace("= a + b\n", "= a + a\n"), encoding="utf-8")
    own.write_text(f"builds on base\n{THEOREM}  cites sums\n  so s\n", encoding="utf-8")
    known = of_files([str(base), str(own)])
    [base_row, own_row] = (command.judged_alone(each, known) for each in known.theories.values())
    assert base_row["wrong"] == own_row["wrong"] == [f"{base}, line 14: the two sides differ"]
    assert (own_row["facts"], own_row["theorems"], own_row["sentences"]) == (0, 1, 1)


def test_a_theorem_that_a_claim_alone_names_is_the_texts_and_a_cited_one_is_not(tmp_path: Path) -> None:
    base, own = tmp_path / "base.txt", tmp_path / "own.txt"
    base.write_text(SMALL, encoding="utf-8")
    claim = TEXT.replace(
        "finding total proved: equal jobs(triangle)", "finding total proved: equal jobs(triangle); sums"
    )
    own.write_text(f"builds on base\n{claim}", encoding="utf-8")
    known = of_files([str(base), str(own)])
    assert known.named_in(known.theories["own"]) == ["two jobs", "equal jobs(triangle)"]
    [claimed] = [each for each in known.claims.values() if each.stands]
    assert claimed.stands == {"total": "triangle(n)"} and claimed.needed(known) == ["equal jobs(triangle)", "sums"]


def test_a_text_of_so_many_bytes_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "LARGEST_TEXT", len(SMALL.encode()))
    assert refused(SMALL, tmp_path) == ""
    assert "expected at most" in refused(SMALL + "\n", tmp_path)


def test_proofs_outside_of_theorems_are_no_text(tmp_path: Path) -> None:
    assert "expected nothing below a line 'proof'" in refused(f"{THEOREM}  2 = 1 + 1\n\nproof p\n  1 = 1\n", tmp_path)


def test_the_packed_texts_hold() -> None:
    for name in LEDGERS:
        row: Any = command.judged_alone(book().theories[name], book())
        assert row["wrong"] == []
        assert row["facts"] > 50
        assert statements.packed(name) == book().theories[name].text


def test_a_theorem_that_cites_its_own_formulas_counts_its_statement(tmp_path: Path) -> None:
    cited = "theorem u\n  reading all\n  states formula\n  x >= 0: x >= 0\n"
    own = read(cited + "theorem t\n  reading all\n  states x >= 0: x >= 0\n  cites u\n", tmp_path)
    assert (own.judge("u").argued, own.judge("t").argued) == ((), ("x >= 0: x >= 0",))
