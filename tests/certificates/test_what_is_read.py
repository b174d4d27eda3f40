"""What is judged is what a text says: nothing in a fact, a definition or a witness is dropped, or read as something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.conditions import Part, check
from check.kernel import Definition, Rejected, Work, variable
from check.statements import Book, of_files
from check.theory import Judged, Wrong

THEOREM = "theorem t\n  reading r\n  states s\n"
CHARACTERS = "expected an expression of names, integers and"


def judged(text: str, tmp_path: Path) -> list[Judged]:
    """What holds of a text; ``Wrong`` where something does not."""
    path = tmp_path / "own.txt"
    path.write_bytes(text.encode())
    own = of_files([str(path)]).theories["own"]
    return [own.judge(name) for name in Book({own.name: own}).named_in(own)]


def refused(text: str, tmp_path: Path) -> str:
    """What is wrong with a text: one line, with the file and its line before it."""
    with pytest.raises(Wrong) as found:
        judged(text, tmp_path)
    reason = str(found.value)
    assert reason.startswith(f"{tmp_path / 'own.txt'}, line ") and reason.isprintable()
    return reason.removeprefix(f"{tmp_path / 'own.txt'}, line ")


# ---- branches of minima, on the range on which a rule evaluates --------------------------------------------------------

CAPPED = "define capped(k) = min(k, 3)\ndefine g(k) = max(k, 2)\ndefine above(k) = max(1/k, 5)\n"
OF_ANY = """theorem a(F(k))
  reading r
  states s
  sum over k >= {}: {} = F(k)
theorem b
  reading r
  states s
  cites a(g)
  so $x$
"""


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("sum over k >= 3: 0 = capped(k)", False),
        ("sum over k >= 4: 0 = capped(k)", True),
        ("sum over k >= 3: 1 = capped(k)", False),
        ("sum over k >= 1: 0 = max(5, 1/k)", False),
        ("sum over k >= 2: 0 = max(5, 1/k)", True),
        ("sum over k >= 1: 0 = above(k)", False),
        ("x >= 1, sum over k >= x: 1 = max(1, k) - 2", False),
        ("x >= 2, sum over k >= x: 1 = max(1, k) - 2", True),
        ("sum over k >= 2: 1 = max(k, 2)", False),
        ("sum over k >= 2: 1 = max(k, 1)", True),
        ("sum over k >= 2: max(k, 2) = k*(k + 1)/2", True),
        ("sum over k >= 1: max(k, 2) = k*(k + 1)/2", False),
        ("sum over k >= 1: 0 = (k - 0)/(k - 0)", False),
        ("sum over k >= 1: 0 = min(1, 1 + 0/k)", False),
        ("for n >= 2: max(n, 2) = n", True),
        ("for n >= 1: max(n, 2) = n", False),
        ("for n >= 0: Sum(max(k, 1), (k, 1, n)) = n*(n + 1)/2", True),
        ("for n >= 0: Sum(max(k, 1), (k, 0, n)) = n*(n + 1)/2 + 1", False),
        ("for n >= 3: Sum(max(k, n), (k, 1, n)) = n^2", False),
        ("for n >= 1: Sum(max(k, 2), (k, 2, n + 1)) = (n + 1)*(n + 2)/2 - 1", True),
        ("for n >= 1: Sum(min(1, 1 + 0/(k - 1)), (k, 1, n)) = n", False),
        ("integral over v from 0 to 1: max(v, 0) = 1/2", False),
        ("integral over v from 0 to 1: min(v, 1) + 0 = 1/2", False),
        ("a >= 2, integral over v from 0 to max(a, 2): 1 = a", True),
        ("a >= 1, integral over v from 0 to max(a, 2): 1 = a", False),
        ("a >= 1: min(a, 1/(a - 1)) - min(a, 1/(a - 1)) >= 0", False),
        ("a >= 2, b >= max(a, 2): b - a >= 0", True),
        ("a >= 1, b >= max(a, 2): b - a >= 0", False),
        ("b >= max(a, 2), a >= 2: b - 2 >= 0", False),
    ],
)
def test_the_range_of_the_rule_decides_which_is_the_min(line: str, holds: bool, tmp_path: Path) -> None:
    text = f"{CAPPED}{THEOREM}  {line}\n"
    if holds:
        assert [own.facts for own in judged(text, tmp_path)] == [1]
    else:
        assert refused(text, tmp_path)


def test_a_parameter_has_the_branches_of_the_range_on_which_it_stands(tmp_path: Path) -> None:
    assert "which is the max is not seen" in refused(CAPPED + OF_ANY.format(2, 1), tmp_path)
    assert [own.facts for own in judged(CAPPED + OF_ANY.format(3, 1), tmp_path)] == [1, 0]


def test_squares_are_of_the_range(tmp_path: Path) -> None:
    text = f"{THEOREM}  a >= 2: a^2 - 4*a + 4 >= 0\n    - squares max(a, 2) - 2\n"
    assert [own.facts for own in judged(text, tmp_path)] == [1]
    assert "which is the max" in refused(text.replace("a >= 2", "a >= 1"), tmp_path)
    assert "only a sign has squares" in refused(f"{THEOREM}  1 = 2 - 1\n    - squares 1\n", tmp_path)


# ---- characters and words ------------------------------------------------------------------------------------------------

FUNCTIONS = "define g(a) = a\ndefine h(a, b) = min(a, b)\n"


@pytest.mark.parametrize(
    "line",
    [
        "x >= 1: x # - 5 >= 0", "x = x # + 1", "for n >= 1: Sum(k, (k, 1, n)) # + 5 = n*(n+1)/2", "x >= 1: x >= 0 # >= 0",
        "sum over k >= 1 # + 5: 1 = k", "𝑠/𝑠 = 1", "x >= 1: 𝑔 - 𝑔 + x > 0", "х = х", "x = １*x", "x² = x*x", "−x = 0 - x",
        "x·2 = 2*x", "x ＋ 1 = 1 + x", "ſ = ſ*1", "ﬁ = ﬁ*1", "x = x*0x1", "x*10 = x*1_0", "01 = 1", "0o7 = 7", "0b1 = 1", "x*1.0 = x",
        "x*.5 = x/2", "1e1 = 10", "1j*1j = 0 - 1", "x >= 5: max(x, 0, key=x - 7) = x", "x >= 0, y >= x: h(x, b=y) = x", "g(a=x) = x",
        "g(x, y=5) = x", "(y := x) = x", "f'{x}' = x", "'a' = 'a'", "x.real = x", "~x + x = 0 - 1", "x @ y = x*y", "x < 1 = x < 1",
        "x \\ = x", "x % 2 = x", "x = x = x", "{x} = {x}", "x; y = x", "x[0] = x", "x >= 1: x >= 0 >= 0", "x ! = x", "x & y = y & x",
        "$x$ = x", "_x = _x", "x = x if 𝑦 else x",
    ],
)  # fmt: skip
def test_other_characters_are_refused_where_they_stand(line: str, tmp_path: Path) -> None:
    assert refused(f"{FUNCTIONS}{THEOREM}  {line}\n", tmp_path).startswith(
        ("6: expected an expression", "6: expected a bound")
    )


@pytest.mark.parametrize(
    "line",
    [
        "x if 1 else y = x", "g(*x) = x", "g(**x) = x", "g(^x) = x", "x*^2 = x", "x^^2 = x", "x // 1 = x", "x or y = x", "x and x = x",
        "not x = x", "x is x = 1", "x in x = 1", "lambda = 1", "+x = x", "x = +x", "x x = x", "(x = x", "g(x)(x) = x",
        "x >= 1: (lambda: x) >= 0",
        "2(x) = 2*x", "x^(y if 1 else 2) = x", "await x = x", "yield = x", "x, = x", "a, b = a, b", "() = ()", "True = 1", "None = None",
    ],
)  # fmt: skip
def test_what_is_no_expression_is_refused(line: str, tmp_path: Path) -> None:
    reason = refused(f"{FUNCTIONS}{THEOREM}  {line}\n", tmp_path)
    assert "no expression" in reason or "only integers" in reason


@pytest.mark.parametrize(
    "line",
    [
        "x == x", "[x] = [x]", "x ＝ x", ": x = x*1", ", x >= 1: x >= 0", "x >= 1, , y >= 1: x >= 0", "for n >= 1_0: n*1 = n",
        "for n >= ١: n*1 = n", "for n >= 01: n*1 = n", "for n from 1: n*1 = n", "sum over k from 1: 1 = k", "sum over 𝑘 >= 1: 1 = 𝑘",
        "integral over v >= 0 to 1: 1 = 1", "integral over v from 0 to 1 # : 1 = 1", "integral over 𝑣 from 0 to 1: 𝑣 = 1/2",
        "𝑥 >= 1: 1 = 2 - 1", "x ≥ 1: x >= 0", "x >= 1：x >= 0", "x >= 1: x ≥ 0", "x >= 1: x >= 00", "x\u00a0= x", "x\u200b = x",
    ],
)  # fmt: skip
def test_what_is_no_line_of_a_fact_is_refused(line: str, tmp_path: Path) -> None:
    assert refused(f"{THEOREM}  {line}\n", tmp_path).startswith("4: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("define f(max) = max(max, 0)\n", "1: max is a function, and no variable"),
        ("define f(sum) = sum\n", "1: sum is a function, and no variable"),
        ("define f(Sum) = 1\n", "1: Sum is a function, and no variable"),
        ("define sum(a, b) = a\n", "1: sum is defined already"),
        ("define f(a) = min(𝑏, a)\n", f"1: {CHARACTERS}"),
        ("define f(a) = a # + 1\n", f"1: {CHARACTERS}"),
        ("define f(a) = a + 1_0\n", f"1: {CHARACTERS}"),
        ("define f(a) = 1.5*a\n", f"1: {CHARACTERS}"),
        ("define f(𝑎) = a\n", "1: expected define f(a, b) = e"),
        ("define 𝑓(a) = a\n", "1: expected define f(a, b) = e"),
        ("define f(a) = min(a, b)\n", "1: b is no parameter"),
        ("define f(a) = Sum(b, (k, 1, a))\n", "1: b is no parameter"),
        ("define f(a) = Sum(k, (k, 1, a)) + k\n", "1: k is the index of a sum, and no variable"),
        ("theorem t(min(k))\n  reading r\n  states s\n  1 = 2 - 1\n", "1: min is defined, and can be no parameter"),
        ("theorem t(𝐹(k))\n  reading r\n  states s\n  1 = 2 - 1\n", "1: expected a name"),
        ("theorem t(F(𝑘))\n  reading r\n  states s\n  1 = 2 - 1\n", "1: expected a name"),
        ("theorem t(F(k))\n  reading r\n  states s\n  F = F*1\n", "4: F is a definition, and no variable"),
        (f"{THEOREM}  min >= 0: min*1 >= 0\n", "4: min is a function, and no variable"),
        (f"{THEOREM}  Sum*1 = Sum\n", "4: Sum is a function, and no variable"),
        (f"{THEOREM}  where 𝑠 >= 0\n  1 = 2 - 1\n", "4: expected a bound"),
        (f"{THEOREM}  where s >= 0 # + 1\n  1 = 2 - 1\n", f"4: {CHARACTERS}"),
        (f"{THEOREM}  where s >= 0x0\n  1 = 2 - 1\n", f"4: {CHARACTERS}"),
        (f"{THEOREM}  where min >= 0\n  1 = 2 - 1\n", "4: min is a function, and no variable"),
        (f"{THEOREM}  a >= 0, b >= 0: (a - b)^2 >= 0\n    - squares a - b # + 1\n", f"4: {CHARACTERS}"),
        (f"{THEOREM}  a >= 0, b >= 0: (a - b)^2 >= 0\n    - squares a - 𝑏\n", f"4: {CHARACTERS}"),
        ("# comment\rtheorem t\n", "1: expected printable characters only"),
        ("# comment\u2028theorem t\n", "1: expected printable characters only"),
        ("\u00a0# comment\n", "1: expected printable characters only"),
        ("claim c\n  given f = x\n    is x # y\n", f"3: {CHARACTERS}"),
        ("claim c\n  given f = x\n    is 𝑥\n", f"3: {CHARACTERS}"),
        ("claim c\n  given f = x\n    is x if x else x\n", "3: 'x if x else x' is no expression"),
    ],
)
def test_names_and_lines_are_what_they_look_like(text: str, reason: str, tmp_path: Path) -> None:
    assert refused(text, tmp_path).startswith(reason)


@pytest.mark.parametrize("line", ["x = (x)", "x = ( x )", "x^2 = x**2", "x +1 = (x+ 1)", "g((x)) = g(x)"])
def test_what_is_the_same_but_for_blanks_and_parentheses_counts(line: str, tmp_path: Path) -> None:
    [own] = judged(f"{FUNCTIONS}{THEOREM}  {line}\n", tmp_path)
    assert [says for says in own.argued if "the same letter by letter" in says]


def test_a_text_may_have_the_line_ends_of_windows(tmp_path: Path) -> None:
    assert judged(f"{FUNCTIONS}{THEOREM}  2 = 1 + 1\n".replace("\n", "\r\n"), tmp_path) == [Judged(1, ("s",), ())]


def test_a_parameter_may_have_any_other_name(tmp_path: Path) -> None:
    text = f"define f(self) = self + 1\n{THEOREM}  f(x) = x + 1\n"
    assert judged(text, tmp_path) == [Judged(1, ("s",), ())]


# ---- witnesses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "holds 1 == 1 # no", "holds 𝑥 == 1", "let 𝑥 = 1", "let x = 1_0", "let x=1", "let x == 1", "let given = 1", "let row = 1", "holds",
        "holds 1.0 == 1", "holds 1e1 == 10", "holds 1j == 1j", "holds 0x1 == 1", "holds max([1], key=1) == 1", "holds abs(*[1]) == 1",
        "holds 1 < 2 if 1 else 0", "holds (x := 1) == 1", "holds lambda: 1", "holds f'{1}' == 1", "holds 'q' == 'q'",
        'holds "q # " == "q"', "holds [a async for a in [1]] == [1]", "holds [1][0:1] == [1]", "holds {1: 2} == 1", "holds 1 is 1",
        "holds 1 not in [2]", "holds ~1 == 0 - 2", "holds 1 << 1 == 2", "holds 1 @ 1 == 1", "holds x.real(1) == 1", "holds 2^2 == 4",
        "holds None == 1", "hold 1 == 1", "note x", "like nobody", "in a[2]", "in a b", "each a", "each a[0]", "each a[1_0]", "each a[٣]",
        "each a[3]]]", "reads n: integer(0, 1", "reads n: integer(0, 1_0)", "reads n: integer(0, 1) # x", "reads n: integer(0, 1] + [2)",
        "reads n: something(0)", "reads 𝑛: integer(0, 1)", "reads given: integer(0, 1)", "reads n integer(0, 1)", "reads n: n.integer(0)",
        "reads n: integer(0, 9)\n  reads n: integer(0, 1)",
    ],
)  # fmt: skip
def test_a_line_of_a_witness_that_would_be_read_as_another_is_refused(line: str, tmp_path: Path) -> None:
    for own in (line, line.replace("holds ", "let own = ")):
        assert refused(f"witness w\n  {own}\n", tmp_path)[0] in "23"


def witness(*lines: str) -> Part:
    """A witness of these lines."""
    own = Part()
    for line in lines:
        own.add(line, {})
    return own


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("let y = total([0], [1]) == 1", "total is a function of every witness, and of the text another one"),
        ("let y = twice(5) == 0", r"twice\(5\) is 0, and divided by"),
        ("let y = 4**(1/2) == 2", "an exponent must be an integer"),
        ("let y = other(1) == 1", "other is not defined"),
        ("let y = twice(1, 2) == 1", "twice has other parameters"),
    ],
)
def test_a_function_of_a_witness_is_the_texts_and_defined_there(line: str, reason: str) -> None:
    Work.start()
    x = variable("x")
    own = {"total": Definition(("x",), x), "twice": Definition(("x",), 1 / (1 / (x - 5)), (("x - 5", (x - 5).num),))}
    with pytest.raises(Rejected, match=reason):
        check(witness(line), {}, {}, own)
    assert check(witness("let y = twice(7) == 2 and 2**(0 - 1) == 1/2"), {}, {}, own)["y"]
