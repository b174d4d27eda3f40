"""Given values: each of a proved or certified level is tied to its theorems, its witness or its words, and another is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from changed_texts import changes
from forged import Key, check, signed

from check import command, statements
from check.conditions import Part
from check.kernel import Rejected
from check.statements import Book, Statement, book
from check.theory import NUMBER, Block, Wrong, blocks, lines

SURE = {key: own for key, own in book().claims.items() if own.status != "refuted"}
VALUES = [
    pytest.param(*key, name, marks=pytest.mark.exhaustive if key[0] == "b-random-best" else ())  # takes seconds
    for key, own in SURE.items()
    for name in own.given
]


# ---- the packed texts -----------------------------------------------------------------------------------------------


@cache
def claims_of(ledger: str) -> dict[str, tuple[Block, list[Block]]]:
    """Every claim of a packed text: its block, and those of its levels."""
    found: dict[str, tuple[Block, list[Block]]] = {}
    for block in blocks(lines(f"{ledger}.txt", statements.packed(ledger))):
        if block.line.text.startswith("claim "):
            found[block.line.text.removeprefix("claim ")] = (block, [])
        elif block.line.text.startswith("level "):
            found[list(found)[-1]][1].append(block)
    return found


def with_value(key: Key, name: str, value: str) -> tuple[Book, Statement]:
    """A book of one level of one claim, whose text has another value; ``Wrong`` where the judge does not read it."""
    known, ledger = book(), SURE[key].ledger
    own = Book(known.theories)
    head, levels = claims_of(ledger)[key[0]]
    claim = Statement(key[0], "", "", {}, ledger)
    for given in head.inner:
        old = f"given {name} = "
        new = old + value if given.line.text.startswith(old) else given.line.text
        statements._given(claim, Block(given.line._replace(text=new), given.inner))  # pyright: ignore[reportPrivateUsage]
    [level] = [each for each in levels if each.line.text.split()[1] == key[1]]
    statements._level(own, claim, level, level.line.text.removeprefix("level "))  # pyright: ignore[reportPrivateUsage]
    return own, own.claims[key]


def certificate(own: Statement, witness: Any, known: Book | None = None) -> dict[str, Any]:
    """What crtools writes of a statement."""
    findings = {id: {"status": each.status, "theorems": each.proofs} for id, each in own.findings.items()}
    text = (known or book()).theories[own.ledger].digest
    data = {"format": command.FORMAT, "ledger": own.ledger, "text": text, "id": own.id, "level": own.level}
    return signed({**data, "status": own.status, "given": own.given, "findings": findings, "witness": witness})


def refused(key: Key, name: str, value: str, witness: Any) -> str:
    """Why a value is refused, in the text and in the certificate at once; "" where the judge accepts both."""
    try:
        own, statement = with_value(key, name, value)
        command.check_document(certificate(statement, witness), own)
    except Rejected as error:
        return str(error)
    return ""


def others(value: str) -> Iterator[str]:
    """Values with one number, sign or letter changed."""
    parts = value.split(",")
    if NUMBER.fullmatch(value):
        above, _, below = value.partition("/")
        for step in (1, -1, -10):
            number = float(above) + step if "." in above else int(above) + step
            yield f"{number:.12g}" + (f"/{below}" if below else "")
    elif all(NUMBER.fullmatch(part) for part in parts):
        for at, part in enumerate(parts):
            yield ",".join([*parts[:at], str(int(part) + 1), *parts[at + 1 :]])
    elif re.search(r"\d|\w\(", value):
        yield from list(changes(value))[::3]
    else:
        yield f"{value}x"


TRUE_TOO = {
    "no-cancellations": {"later"},
    "infeasible-pair": {"remaining"}, "ex-amax": {"s", "M", "u"}, "lem-pd": {"hadamard_power"}, "geometric": {"bound"},
    "intervals-help": {"factor"}, "thm-lg": {"weaker_bound"}, "uniform-bounds": {"two_point", "geometric", "linear_geometric"},
    "ex-order": {"o", "i1", "i2", "i3"}, "run-through": {"bound"}, "own-lower": {"least"}, "rho-star": {"lower", "upper"},
    "blind-lower": {"bound", "constant"}, "lower-bound": {"third"}, "volume-order": {"at_two", "at_three", "limit"},
    "windows": {"factor"}, "box-offsets": {"per_kappa", "at_two", "at_three"}, "box-thresholds": {"per_kappa", "at_two", "at_three"},
    "minimax-closes": {"lower", "upper"}, "blind-finite": {"l", "u", "bound"},
}  # fmt: skip
"""Values of which some others make the claim say less, or something else that is true: those are accepted, others are not."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("id", "level", "name"), VALUES)
def test_another_value_is_refused(id: str, level: str, name: str, request: pytest.FixtureRequest) -> None:
    own = SURE[id, level]
    part = book().theories[own.ledger].witnesses[own.witness] if own.witness else Part()
    written = request.getfixturevalue("documents") if part.reads or part.asked else {}
    witness = written[id, level]["witness"] if written else {}
    assert refused((id, level), name, own.given[name], witness) == ""
    tried = {value: refused((id, level), name, value, witness) for value in others(own.given[name])}
    assert any(tried.values()), tried
    assert all(tried.values()) or name in TRUE_TOO.get(id, ()), tried


# ---- what ties a value ------------------------------------------------------------------------------------------------

TEXT = r"""define two(n) = 2
define other(n) = 2
theorem front(bound)
  reading all
  states $a \le bound b$
  where b >= 0
  bound*b - two(b)*b >= 0
theorem plain
  reading all
  states so
  two(1) = 2
  so $2$
    order = increasing
theorem sum
  reading all
  states formula
  two(1) + 1 = 3
words said: It is of ``factor = 2``.
witness small
  let x = given.factor
  holds x == 2
witness bare
  reads y: integer(0, 9)
  holds y > 1
witness misled
  in misgiven
    let factor = 2
  holds misgiven.factor == 2
claim one
  given factor = 2
level form proved
  says It is so.
  finding upper proved: plain
"""
PROVED = TEXT[TEXT.index("proved\n") :]


def read(tmp_path: Path, text: str) -> Book:
    (tmp_path / "own.txt").write_text(text, encoding="utf-8")
    return statements.of_files([str(tmp_path / "own.txt")])


TIE = "given factor: expected it in a theorem's parentheses, 'is f(…)' with f in a fact below, given.factor in the witness"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("proved: plain", "proved: plain"),
        ("given factor = 2", "given factor = 2\n    is 2"),
        ("proved: plain", "proved: front(2)"),
        ("proved: plain", "proved: plain\n  finding more proved aside: front(factor)"),
        (
            PROVED,
            PROVED.replace("proved", "certified", 1)
            + "  witness bare\n  finding more certified alone: front(factor)\n",
        ),
        ("    order = increasing", "    of ``factor = 3``"),
        ("given factor = 2", "given factor = max(2, 1)\n    is max(2, 1)"),
        ("proved: plain", "proved: plain\n  witness misled"),
    ],
)
def test_a_value_that_nothing_ties_is_refused(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(Wrong, match=re.escape(TIE)):
        read(tmp_path, TEXT.replace(old, new))
    refuted = re.sub(r"form \w+\n", "form refuted\n", TEXT.replace(old, new)).replace("upper proved", "upper refuted")
    read(tmp_path, refuted.replace("upper refuted: plain", "upper refuted: front(3)"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("given factor = 2", "given factor = 2\n    is two(n)", 2),
        ("proved: plain", "proved: front(factor)", None),
        ("proved: plain", "proved: plain\n  beside front(factor)", 2),
        ("proved: plain", "proved: plain\n  further front(factor)", None),
        ("proved: plain", "proved: plain\n  witness small", 2),
        ("proved: plain", "proved: plain\n  words said", 3),
        ("    order = increasing", "    of ``factor = 2``", 2),
    ],
)
def test_what_ties_a_value_refuses_another(tmp_path: Path, old: str, new: str, words: int | None) -> None:
    def judged(text: str) -> int:
        known = read(tmp_path, text)
        own = known.claims["one", "form"]
        return len(command.check_document(certificate(own, {}, known), known)[1].argued)

    assert judged(TEXT.replace(old, new)) == words or words is None
    with pytest.raises(Rejected):
        judged(TEXT.replace(old, new).replace("given factor = 2", "given factor = 1"))


def test_a_number_is_put_into_facts_and_formulas(tmp_path: Path) -> None:
    own = read(tmp_path, TEXT.replace("proved: plain", "proved: front(factor)"))
    [finding] = own.claims["one", "form"].findings.values()
    assert finding.proofs == ["front(2)"]
    found, _ = own.theories["own"].instance("front(-3/2)")
    assert (found.states, found.facts) == (r"$a \le (-3/2) b$", ["(-3/2)*b - two(b)*b >= 0"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bound*b - two(b)*b >= 0", "b - 0 >= 0", "expected a fact with bound"),
        ("given factor = 2", "given factor = sqrt(2)", "bound must be a number, not sqrt(2)"),
        ("given factor = 2", "given factor = 1_0", "bound must be a number, not 1_0"),
        ("given factor = 2", "given factor = 3/0", "a denominator is 0"),
        ("front(factor)", "front(two)", "bound must be a number, not two"),
        ("front(factor)", "front(factor, factor)", "front takes 1 parameters, not 2"),
        ("front(bound)", "front(b, bound)", "front takes 2 parameters, not 1"),
        ("front(bound)", "front(bound bound)", "parameters such as (F(u), G(i, j), bound)"),
        ("front(bound)", "front(two)", "two is defined, and can be no parameter"),
    ],
)
def test_a_parameter_that_is_no_number_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(Wrong, match=re.escape(said)):
        read(tmp_path, TEXT.replace("proved: plain", "proved: front(factor)").replace(old, new))


def test_a_false_number_is_refused_where_the_text_is_judged_alone(tmp_path: Path) -> None:
    text = TEXT.replace("proved: plain", "proved: front(factor)").replace("given factor = 2", "given factor = 19/10")
    (tmp_path / "own.txt").write_text(text, encoding="utf-8")
    done = check("--theory", tmp_path / "own.txt")
    assert done.returncode == 1
    assert done.stdout.startswith(f"{tmp_path / 'own.txt'}, line 7: a coefficient is negative\n")


def test_a_theorem_that_nobody_names_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text(TEXT, encoding="utf-8")
    for text in (
        TEXT.partition("claim one")[0],
        TEXT.replace("given factor = 2\n", "given factor = 2\n    is two(n)\n"),
    ):
        (tmp_path / "own.txt").write_text(text, encoding="utf-8")
        done = check("--theory", tmp_path / "own.txt")
        said = [line for line in done.stdout.splitlines() if "expected a theorem or a claim that names it" in line]
        assert (done.returncode, done.stderr, len(said)) == (1, "", 1)
        assert "line 3: " in said[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # A condition that holds whatever is read.
        ("holds x == 2", "holds x == x", "of different sides"),
        ("holds x == 2", "holds x == 2 and [x, 1] == [x, 1]", "of different sides"),
        ("holds x == 2", "holds 1 == 1", "a condition on what is read or given"),
        ("holds x == 2", "holds True", "a condition on what is read or given"),
        ("holds x == 2", 'holds "x" in ["x", "y"]', "a condition on what is read or given"),
        ("holds x == 2", "holds all([k > 0 for k in [1, 2]])", "a condition on what is read or given"),
        # Another value under the name of the given ones, or of what is read.
        ("  let x =", "  in given\n    reads factor: integer(0, 9)\n  let x =", "each NAME[SIZE], a new name"),
        ("  let x =", "  each row[1]\n    reads factor: integer(0, 9)\n  let x =", "each NAME[SIZE], a new name"),
        ("holds x == 2", "holds all([given.factor == 2 for given in [x]])", "a condition on what is read or given"),
        ("  let x =", "  reads x: integer(0, 9)\n  let x =", "names that are not there yet"),
        # A name that is given twice, or stands for others in a pattern; a line that takes the place of one above it.
        ("given factor = 2", "given factor = 2\n  given factor = 2", "each name once"),
        ("given factor = 2", "given f.* = 2", "expected given NAME = VALUE"),
        ("given factor = 2", "given f( = 2", "expected given NAME = VALUE"),
        ("claim one", "claim ../one", "expected level NAME STATUS below a claim"),
        ("claim one", "claim \u043ene", "expected level NAME STATUS below a claim"),
        ("It is so.\n", "It is so.\n  says It is not so.\n", "each but finding once"),
        ("proved: plain", "proved: plain\n  words said\n  words said", "each but finding once"),
        # What is proved by numbers alone.
        ("proved: plain", "proved", "for the finding 'upper', a theorem where it is proved"),
        ("proved: plain", "proved alone: plain", "for the finding 'upper', a theorem where it is proved"),
        ("proved: plain", "proved\n  further sum", "expected joined in the finding 'upper'"),
        ("proved: plain", "proved alone: plain\n  further sum", "expected joined in the finding 'upper'"),
        ("upper proved: plain", "upper certified", "expected the level certified"),
        ("upper proved: plain", "upper proved: plain\n  finding more refuted: plain", "expected the level refuted"),
    ],
)
def test_what_only_looks_like_a_tie_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = TEXT.replace("proved: plain\n", "proved: plain\n  witness small\n")
    read(tmp_path, text)
    with pytest.raises(Wrong, match=re.escape(said)):
        read(tmp_path, text.replace(old, new))


@pytest.mark.parametrize("stands", ["2 + 0*two(n)", "2 + two(n) - two(n)", "2*two(n)/two(n)"])
def test_a_value_of_whatever_function_is_tied_to_none(tmp_path: Path, stands: str) -> None:
    known = read(tmp_path, TEXT.replace("given factor = 2", f"given factor = 2\n    is {stands}"))
    with pytest.raises(Rejected, match="whatever its functions are"):
        command.check_document(certificate(known.claims["one", "form"], {}, known), known)


@pytest.mark.parametrize(
    ("stands", "fact"),
    [
        ("other(n)", "two(1) = 2"),
        ("other(n)*two(n)/two(n)", "two(1) = 2"),
        ("other(n) + two(n) - 2", "two(1) = 2"),
        ("other(n)", "two(1) = 2 + other(3) - other(3)"),
        ("other(n)", "two(1)*other(1)/other(1) = 2"),
        ("other(n)", "n >= 1: two(1)*(n + other(1)^2)/(n + other(2)^2) = 2"),
        ("other(n)", "sum over k >= 1: other(k)*0 + two(k) = 2*k"),
        ("other(n)", "n >= 1: two(n)*n^other(1) > 0"),
    ],
)
def test_a_value_by_a_function_on_which_no_fact_rests_is_refused(tmp_path: Path, stands: str, fact: str) -> None:
    text = TEXT.replace("given factor = 2", f"given factor = 2\n    is {stands}").replace("two(1) = 2", fact)
    known = read(tmp_path, text)
    with pytest.raises(Rejected, match=r"its theorems hold whatever other is$"):
        command.check_document(certificate(known.claims["one", "form"], {}, known), known)


@pytest.mark.parametrize(
    ("define", "fact"),
    [
        ("", "two(1) = other(1)"),
        ("define more(n) = other(n) + n\ndefine most(n) = 2*more(n)\n", "most(1) = 6"),
        ("define capped(n) = min(other(n), n)\n", "n >= 3: capped(n) = 2"),
        ("", "n >= 1: n - other(n) + 1 >= 0"),
        ("", "for n >= 1: Sum(other(k), (k, 1, n)) = 2*n"),
    ],
)
def test_a_value_by_a_function_on_which_a_fact_rests_is_accepted(tmp_path: Path, define: str, fact: str) -> None:
    text = TEXT.replace("given factor = 2", "given factor = 2\n    is other(n)").replace("two(1) = 2", fact)
    known = read(tmp_path, text.replace("theorem front", f"{define}theorem front"))
    assert command.check_document(certificate(known.claims["one", "form"], {}, known), known)[1].facts == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("two(1) = 2", "F(1) = 2"),
        ("states so", "states $F(n)$"),
        ("so $2$\n    order = increasing", "computed $2$\n    in balls\n    - by f"),
    ],
)
def test_a_function_that_a_theorem_takes_stands_in_its_facts_or_in_its_statement(
    tmp_path: Path, old: str, new: str
) -> None:
    taken = TEXT.replace("theorem plain", "theorem plain(F(n))").replace("proved: plain", "proved: plain(two)")
    taken = taken.replace("given factor = 2", "given factor = 2\n    is two(n)")
    with pytest.raises(Wrong, match=re.escape("expected F(…) in a fact or in what it states")):
        read(tmp_path, taken)
    known = read(tmp_path, taken.replace(old, new))
    assert command.check_document(certificate(known.claims["one", "form"], {}, known), known)[1].facts == 1


def test_a_number_is_put_into_what_a_theorem_states_as_its_formulas(tmp_path: Path) -> None:
    text = TEXT.replace(r"states $a \le bound b$", "states formula").replace("proved: plain", "proved: front(factor)")
    with pytest.raises(Wrong, match="expected joined in the finding 'upper'"):
        read(tmp_path, text)
    known = read(tmp_path, text.replace("proved: front(factor)", "proved joined: front(factor)\n    by it"))
    found, _ = known.theories["own"].instance("front(2)")
    assert found.states == found.formulas == "where b >= 0; 2*b - two(b)*b >= 0"
    assert known.theories["own"].judge("front(2)").argued == ()


def test_a_number_has_no_bound(tmp_path: Path) -> None:
    line = "for n >= 1: Sum(bound, (k, 1, n)) = bound*n"
    text = TEXT.replace("where b >= 0", "where bound >= 5").replace("bound*b - two(b)*b >= 0", line)
    with pytest.raises(Wrong, match="bound is a number, and has no bound"):
        read(tmp_path, text.replace("proved: plain", "proved: front(factor)"))
