"""One claim in full on a terminal: an outline first, formulas whole, tables instead of lists of values, schedules drawn."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from typing import Any

import pytest
from amount import part_and_all
from decided import decided
from hypothesis import given
from hypothesis import strategies as st

from crtools.ledger import ClaimResult, Decision, Finding, PublishedProof, Refuted, Verdict
from crtools.ledger.display.claim_text import claim_text, formula_lines, whole_formulas
from crtools.ledger.registry import load
from crtools.notation.marked_text import FUNCTIONS
from crtools.proof.accepted import NOTHING

WIDE = 80


def text_of(result: ClaimResult, width: int = WIDE) -> list[str]:
    return claim_text(result, width, NOTHING).splitlines()


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("id", ["thm-log", "trace", "hsf-lower"])
def test_no_line_is_too_long(id: str, width: int) -> None:
    assert max(map(len, text_of(decided(id), width))) <= width


BRACKETS = {"(": ")", "[": "]", "{": "}"}


def broken(lines: list[str]) -> list[str]:
    """Return the brackets of at most 28 signs, without words, in which a line ends; drawings and tables have none."""
    found: list[str] = []
    for paragraph in "\n".join(lines).split("\n\n"):
        open_at: list[int] = []
        for at, sign in enumerate(paragraph):
            if sign in BRACKETS:
                open_at.append(at)
            elif open_at and sign == BRACKETS[paragraph[open_at[-1]]]:
                own = paragraph[open_at.pop() : at + 1]
                whole = re.sub(r"\s+", " ", own)
                words = set(re.findall(r"[^\W\d_]{3,}", whole)) - FUNCTIONS
                if "\n" in own and len(whole) <= 28 and not words:
                    found.append(whole)
    return found


def labels(lines: list[str]) -> list[str]:
    """Return the names that stand before evidence."""
    return [m[1] for line in lines if (m := re.match(r" {8}(\S.*?)(?:  +\S|$)", line)) and "│" not in line]


OLD = {"witness", "claimed", "actual", "second", "theorems", "growth in L", "order in L", "stays"}
"""How evidence names its parts in JSON."""


@part_and_all("ids", ("thm-log", "trace", "hsf-lower"), None)
def test_formulas_stay_whole_and_evidence_is_named_in_words(ids: tuple[str, ...] | None) -> None:
    own = load()
    for id in ids or [claim.id for claim in own.select(()) if claim.id not in own.slow]:
        result = decided(id)
        lines = text_of(result)
        names = labels(lines)
        assert broken(lines) == [], id
        assert not OLD & set(names), (id, OLD & set(names))
        assert max(map(len, lines)) <= WIDE, id


def test_a_bracket_in_two_lines_is_seen() -> None:
    assert broken(["    a sum (a +", "    b) and (these", "    words)"]) == ["(a + b)"]


def test_the_outline_comes_first() -> None:
    result = decided("thm-log")
    lines = text_of(result)
    places = [next(n for n, line in enumerate(lines) if re.match(rf"  {level} +[✓✗]", line)) for level in result.levels]
    first_reading = next(n for n, line in enumerate(lines) if line.startswith("    reading: "))
    assert places == sorted(places) and max(places) < first_reading
    steps = [step for theorem in result.theorems for step in theorem["steps"]]
    [told] = re.findall(r"^  proofs, below: (.*?)\n\n", "\n".join(lines), re.MULTILINE | re.DOTALL)
    numbers = [int(number) for number in re.findall(r"\d+", told)]
    assert (numbers[0], sum(numbers[1:])) == (len(result.theorems), len(steps))


def test_schedules_are_drawn() -> None:
    page = "\n".join(text_of(decided("hsf-lower")))
    for said in ("H-SF, total latency 13, M = 5", "a better schedule, total latency 12, M = 5", "├─────┼─────┘"):
        assert said in page
    assert "├──" not in "\n".join(text_of(decided("trace")))


def made(**fields: Any) -> ClaimResult:
    evidence = Refuted(witness={"n": 1}, claimed="1", actual="2", second="2", **fields)
    verdict = Verdict("a", "for every n", "it is not", "a witness", (Finding("one", "it holds", evidence),))
    decision = Decision("it is not", (verdict,), PublishedProof())
    return ClaimResult(
        **vars(decision), id="c", place="p", statement="it holds", given={}, stated_at="a", rests_on=(), ledger=""
    )


def test_records_are_a_table_and_no_list_of_names_and_values() -> None:
    records = [{"s": s, "ratio": f"{s}/7", "again": {"M": 10 * s}} for s in (1, 2, 300)]
    from dataclasses import replace

    own = made(values={"growth_in_L": "L", "order_in_L": "L**2"})
    [finding] = own.verdicts[0].findings
    evidence = replace(finding.evidence, witness={"members": records})  # type: ignore[type-var]
    verdict = replace(own.verdicts[0], findings=(replace(finding, evidence=evidence),))
    lines = text_of(replace(own, verdicts=(verdict,)))
    at = lines.index("        counterexample: members")
    assert lines[at + 1].split() == ["s", "ratio", "M,", "again"]
    assert [line.split() for line in lines[at + 2 : at + 5]] == [[str(s), f"{s}/7", str(10 * s)] for s in (1, 2, 300)]
    orders = [line.partition("  order ")[2].split(maxsplit=1) for line in lines if "  order " in line]
    assert orders == [["claimed", "ln(1/α)"], ["found", "L^2 with L = ln(1/α)"]]
    narrow = text_of(replace(own, verdicts=(verdict,)), 40)
    assert max(map(len, narrow)) <= 40 and any("3000" in line for line in narrow)


# ---- formulas -------------------------------------------------------------------------------------------------------


def depths(text: str) -> list[int]:
    found, depth = [0], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        found.append(depth)
    return found


FORMULA = st.recursive(
    st.sampled_from(["x", "12 k", "i²"]),
    lambda inner: st.builds("({} + {})".format, inner, inner) | st.builds("{} - {}".format, inner, inner),
    max_leaves=12,
)


@given(formula=FORMULA, width=st.integers(30, 80))
def test_a_formula_breaks_outside_of_brackets(formula: str, width: int) -> None:
    lines = formula_lines(formula, width, 6)
    assert " ".join(line.strip() for line in lines) == formula
    assert all(len(line) <= width for line in lines)
    at, groups = 0, [len(part) for part in re.findall(r"\([^()]*\)", formula)]
    for line in lines[:-1]:
        at += len(line.strip()) + 1
        if depths(formula)[at]:  # only where what stands before is in these brackets whole
            outside = [k for k in range(at - len(line.strip()), at) if formula[k - 1] == " " and not depths(formula)[k]]
            assert not [k for k in outside if k < at], (formula, lines, groups)


def test_a_formula_that_is_longer_than_its_brackets_is_broken_before_them() -> None:
    assert formula_lines("aaaa + bbbb (- 2 i³ - 4 i² - i)", 30, 0) == ["aaaa + bbbb", "(- 2 i³ - 4 i² - i)"]


def test_words_with_a_formula_keep_its_brackets_together() -> None:
    said = whole_formulas("a sum $(a + b) + c$ (in words here)", 40)
    assert said.replace("\N{NO-BREAK SPACE}", "~") == "a sum (a~+~b) + c (in words here)"
    assert "√" in whole_formulas(r"with $r = \sqrt{2/(1+α)}$", 40)  # LaTeX between dollar signs, too


# ---- a terminal -------------------------------------------------------------------------------------------------------


def on_a_terminal(**more: str) -> str:
    """Return what a terminal of 24 lines is sent."""
    control, own = pty.openpty()
    command = [sys.executable, "-m", "crtools", "verify", "trace", "--show"]
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LESS", "PAGER")}
    process = subprocess.Popen(
        command, stdin=own, stdout=own, stderr=subprocess.DEVNULL, env=environment | {"TERM": "xterm"} | more
    )
    os.close(own)
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(control, 4096)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    assert process.wait() == 0
    os.close(control)
    return b"".join(parts).decode().replace("\r\n", "\n")


@pytest.mark.exhaustive  # takes seconds
def test_a_terminal_gets_colour_and_a_pager() -> None:
    shown = on_a_terminal(PAGER="sed s/^/through:/")
    assert all(line.startswith("through:") for line in shown.splitlines() if line)
    assert "\x1b[32m✓" in shown or "\x1b[32m" in shown
    plain = on_a_terminal(PAGER="cat", NO_COLOR="1")
    assert "\x1b[" not in plain and "trace" in plain
