"""Forged certificates: each was accepted once, or kept the checker busy; each is refused in one line now."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from changed_texts import functions_in
from forged import Key, Path_, check, leaves, put, refused_witness, rejected, signed

from check import command, kernel, process, statements, theory
from check.theory import NUMBER, called
from crtools.ledger.certificates import CertificateFolder
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM

Documents = dict[Key, dict[str, Any]]


# ---- witnesses that are none ----------------------------------------------------------------------------------------


def test_a_schedule_that_idles_at_first_is_not_packed(documents: Documents) -> None:
    for lengths, first, second in (([1], [0], [1]), ([2, 1], [0, 0], [1, 1])):
        row = {"lengths": lengths, "s": 1, "M": 10, "beta_M": 9, "I": first, "I_prime": second, "late": [0]}
        assert (
            _memory(documents, row)
            == "it does not hold that feasible(J, lengths, s, beta_M) and packed(J, lengths, s, beta_M)"
        )


def test_the_late_request_could_not_have_been_earlier(documents: Documents) -> None:
    """Request 0 is late, and packed: it cannot go back to the batch before its own, but it can to the one before that."""
    row = {"lengths": [1, 2, 2], "s": 1, "M": 6, "beta_M": 5, "I": [0, 0, 0], "I_prime": [2, 0, 1]}
    assert process.packed([2, 0, 1], [1, 2, 2], 1, 5)
    reason = _memory(documents, {**row, "late": [0]})
    assert reason is not None
    assert reason.startswith("it does not hold that not any([feasible(moved(J, i, k)")


def _memory(documents: Documents, example: dict[str, Any]) -> str | None:
    data = documents["prop-memory", ALGORITHM]
    return rejected(signed(data, witness={**data["witness"], "smallest": example}))


@pytest.mark.parametrize(
    ("law", "high", "low"),
    [([[2, "1"]], 2, 1), ([[7, "1"]], 7, 3), ([[2, "1/2"], [5, "1/2"]], 2, 1), ([[3, "1/3"], [9, "2/3"]], 3, 1)],
    ids=["point mass", "another", "bounds up to the least length", "another below"],
)  # fmt: skip
def test_a_tie_of_conditional_expectations_needs_two_lengths_and_bounds_in_their_range(
    law: list[Any], high: int, low: int, documents: Documents
) -> None:
    weights = {o: Fraction(w) for o, w in law}
    mean = str(sum(o * w for o, w in weights.items()))
    data = documents["thm-optimality", ALGORITHM]
    means = {"law": law, "high": high, "low": low, "left": mean, "right": mean}
    assert rejected(signed(data, witness={**data["witness"], "expectations": means})) is not None


@pytest.mark.parametrize(("alpha", "t"), [("1/4", "1/2"), ("1/2", "1/100"), ("1/10", "19/2")])
def test_an_inference_is_not_refuted_where_its_conclusion_is_true(alpha: str, t: str, documents: Documents) -> None:
    """At the denominator itself the premise is true, and so is the conclusion; below the premise nothing is said."""
    a, at = Fraction(alpha), Fraction(t)
    own, premise = a**2 * at**2 + 2 * a**2 * at + 1, 2 * a * (1 + a) * at
    data = documents["thm-aell", FORM]
    for value, reason in (
        (own, "gives > alpha/(2*(1 - alpha))"),
        (premise / 2, "alpha**2*(t + 2)/gives >= 2*alpha*(1 + alpha)*t"),
    ):
        inference = {"alpha": alpha, "t": t, "gives": str(a**2 * (at + 2) / value)}
        found = rejected(signed(data, witness={**data["witness"], "inference": inference}))
        assert found == f"it does not hold that {reason}"


# ---- values that are written otherwise ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, True, False, 0, [], {}, ""])
def test_given_has_no_further_key(value: Any, documents: Documents) -> None:
    for data in documents.values():
        assert rejected(signed(data, given={**data["given"], "more": value})) is not None


def _one_of_each(witness: Any) -> Iterator[tuple[Path_, Any]]:
    """Iterate over the values of a witness, one of each list of its kind."""
    seen: set[Path_] = set()
    for path, value in leaves(witness):
        kind = tuple(part for part in path if isinstance(part, str))
        if (kind, type(value)) not in seen:
            seen.add((kind, type(value)))
            yield path, value


def test_truth_values_are_no_integers(documents: Documents) -> None:
    tried = 0
    for data in documents.values():
        for path, value in leaves(data["witness"]):
            if type(value) is int and value in (0, 1):
                tried += 1
                with pytest.raises(kernel.Rejected, match="no value of a certificate"):
                    kernel.plain(put(data["witness"], path, bool(value)))
    assert tried > 40


@pytest.mark.exhaustive  # takes seconds
def test_numbers_have_one_spelling(documents: Documents) -> None:
    scripts = [{ord(str(digit)): chr(ord(zero) + digit) for digit in range(10)} for zero in ("٠", "০", "０")]
    tried = 0
    for key, data in documents.items():
        for path, value in _one_of_each(data["witness"]):
            if isinstance(value, str) and re.fullmatch(r"-?\d+([./]\d+)?", value):
                tried += 1
                spelled = [*(value.translate(script) for script in scripts), f"0{value}", f"+{value}", f" {value}"]
                for other in (*spelled, f"{value}\n", f"-0{value}"):
                    assert refused_witness(key, put(data["witness"], path, other)) is not None, (path, other)
    assert tried > 20


@pytest.mark.parametrize(
    ("text", "places"),
    [("01.25", 2), ("00.25", 2), ("-0.00", 2), ("1.٢5", 2), ("1.2", 2), (".25", 2), ("1.25 ", 2), ("1.25\n", 2)],
)  # fmt: skip
def test_a_decimal_has_one_spelling(text: str, places: int) -> None:
    with pytest.raises(kernel.Rejected, match="expected a decimal"):
        kernel.decimal(text, places)
    assert kernel.decimal("0.25", places) == Fraction(1, 4)


# ---- what paints a terminal -----------------------------------------------------------------------------------------

UNPRINTABLE = [
    "\u200b",
    "\u2060",
    "\x1b[1A\x1b[2K\x1b[8m",
    "x\ntel-identity  algorithm  proved  verified\n\n1 of 1 verified",
    "\u202e",
]


@pytest.mark.parametrize("says", UNPRINTABLE, ids=ascii)
def test_a_sentence_that_prints_otherwise_than_it_stands_is_refused(says: str, tmp_path: Path) -> None:
    """Sentences stand in the texts alone; what follows a line's end is another line, which is no sentence."""
    for other in (says, f"it is so{says}"):
        text = f"theorem t\n  reading every x\n  states x\n  so {other}\n"
        (tmp_path / "t.txt").write_text(text, encoding="utf-8")
        with pytest.raises(theory.Wrong, match=r"printable|expected"):
            statements.of_files([str(tmp_path / "t.txt")])


@pytest.mark.exhaustive  # takes seconds
def test_a_rejected_file_paints_nothing(documents: Documents, tmp_path: Path) -> None:
    """Neither what its fields are called nor its own name: the row says rejected, and why."""
    over = "\r\x1b[2Ktrace  form-at-zero  proved  verified\x1b[8m"
    data = documents["trace", AT_ZERO]
    for number, (forged, name) in enumerate((
        (signed(data, ledger=over), "a.json"), (signed(data, witness={over: 1}), "b.json"),
        (signed(data, id=over), "c.json"), (signed(data, further=[over]), "d.json"), ({**data, over: 1}, "e.json"),
        (signed(data, findings={over: 1}), "f.json"), (signed(data, given={over: "1"}), "g.json"), (data, over + ".json"),
        (signed(data, status="refuted"), over + "2.json"),
    )):  # fmt: skip
        path = tmp_path / name
        path.write_text(json.dumps(forged), encoding="utf-8")
        done = check(path)
        assert all(line.isprintable() for line in done.stdout.split("\n"))
        assert (done.returncode, done.stderr) == (0 if number == 7 else 1, "")
        assert ("rejected" in done.stdout) == (number != 7)
    done = check(tmp_path)
    assert done.returncode == 1
    assert all(line.isprintable() for line in done.stdout.split("\n"))


def test_the_lower_bound_of_a_max_is_refuted_where_its_sentence_says(documents: Documents) -> None:
    data = documents["thm-amax-lower", ALGORITHM]
    for up in (9, 16):
        for name in ("bound_of_algorithm_at_zero", "bound_of_algorithm"):
            assert rejected(signed(data, witness=put(data["witness"], (name, "u"), up))) == (
                "it does not hold that [l, u] == [1, 4] and root**2 == u/l and least_M > s + u + 1"
            )


# ---- statements that say something false ----------------------------------------------------------------------------


@pytest.fixture
def stated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Replace texts in the statements; each has to stand there."""
    own = statements.get_data

    def replace(*changes: tuple[str, str]) -> None:
        def changed(package: str, name: str) -> bytes:
            text = (own(package, name) or b"").decode()
            for old, new in changes:
                text = text.replace(old, new)
            return text.encode()

        texts = "".join(own("check", f"{name}.txt").decode() for name in statements.LEDGERS)  # type: ignore[union-attr]
        assert all(old in texts for old, _ in changes)
        monkeypatch.setattr(statements, "get_data", changed)
        statements.book.cache_clear()

    yield replace
    monkeypatch.undo()
    statements.book.cache_clear()


def test_the_closed_form_of_another_ratio_is_refused(stated: Any, documents: Documents) -> None:
    """4q for 3q in the text: the certificate is of another text, and with its digest the fact does not hold."""
    data = documents["thm-lg", AT_ZERO]
    stated(("(1 + q)^2*(1 + 3*q + 6*q^2 + 3*q^3 + q^4)/(1 + 2*q", "(1 + q)^2*(1 + 4*q + 6*q^2 + 3*q^3 + q^4)/(1 + 2*q"))
    assert "it is of another text" in str(rejected(data))
    assert "the two sides differ" in str(rejected(signed(data, text=statements.book().theories["adaptive"].digest)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["trace", "t1", "t2"])
def test_a_trace_with_another_matrix_than_the_inverse_is_refused(name: str, stated: Any, documents: Documents) -> None:
    """The same sums with 1/i² more on the diagonal and less beside it: then the inverse is another."""
    data = documents[name, AT_ZERO]
    assert rejected(data) is None
    stated(
        ("define diagonal(i) = 4*i/(4*i**2 - 1)", "define diagonal(i) = 4*i/(4*i**2 - 1) + 1/i**2"),
        ("define off(i) = -1/(2*i + 1)", "define off(i) = -1/(2*i + 1) - (i + 1)/(2*i*(i**2 + 2*i + 1/2))"),
    )
    forged = signed(data, text=statements.book().theories["adaptive"].digest)
    assert re.search(r"adaptive.txt, line \d+: ", str(rejected(forged)))


FALSE_TEXTS: list[tuple[str, Key, str, str, str]] = [
    ("the same point twice", ("lem-pd", AT_ZERO), "let points = [0, 1]", "let points = [1, 1]", "len(points) == len(vector) and all("),
    ("a point without a weight", ("lem-pd", AT_ZERO), "let points = [0, 1]", "let points = [0]", "len(points) == len(vector) and all("),
    ("the zero vector", ("lem-pd", AT_ZERO), "let vector = [1, -1]", "let vector = [0, 0]", "any([c != 0 for c in vector])"),
    ("a vector whose form is above 0", ("lem-pd", AT_ZERO), "let vector = [1, -1]", "let vector = [1, -2]", "sum([c*d for c in"),
    ("a setting where growth is not above", ("thm-optimality", ALGORITHM), "let u = 2000", "let u = 100", "u/2/(1 + 2*(s + 1)"),
    ("a law whose needs do not fall", ("lem-deletion", ALGORITHM), "let r = 1 - 1/u", "let r = 1", "all([p > 0 for o, p in law]) and "),
    ("a length of which all is claimed", ("lem-deletion", ALGORITHM), "let u = 10\n  let r", "let u = 1\n  let r", "spared(1, u, s) < 1"),
    ("as much memory as all need", ("lem-deletion", ALGORITHM), "let n = [8, 36, 40]", "let n = [8, 9, 40]", "M < n*(s + 1) and ties.over"),
]  # fmt: skip
"""What a certificate held once and a text computes now: a false one in the text, judged under the digest that fits."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("note", "key", "old", "new", "condition"), FALSE_TEXTS, ids=[f"{row[1][0]}: {row[0]}" for row in FALSE_TEXTS]
)
def test_a_text_with_a_false_witness_is_refused(
    note: str, key: Key, old: str, new: str, condition: str, stated: Any, documents: Documents
) -> None:
    assert rejected(documents[key]) is None
    stated((old, new))
    found = rejected(signed(documents[key], text=statements.book().theories["adaptive"].digest))
    assert str(found).startswith(f"it does not hold that {condition}"), note


def test_a_text_with_another_share_than_is_claimed_is_refused(stated: Any, documents: Documents) -> None:
    """(s+i)/(s+j) complete in a period, says the claim; what recurs with another share is no solution of the recursion."""
    data = documents["prop-transition", ALGORITHM]
    stated(("define spared(i, j, s) = (s + i)/(s + j)", "define spared(i, j, s) = (s + i)/(s + j + 1)"))
    found = rejected(signed(data, text=statements.book().theories["adaptive"].digest))
    assert found == "given first is not spared(l, j, s), which its theorems are about"


ELSEWHERE = {
    ("tel-identity", "waiting"), ("tel-identity", "processing"), ("rate-amax", "slow"), ("uniform-bounds", "two_point"),
    ("thm-lg", "weaker_bound"), ("thm-endpoints", "M"), ("thm-endpoints", "high"), ("thm-endpoints", "u"), ("blind-upper", "bound"),
    ("blind-upper", "base"), ("blind-lower", "bound"), ("blind-lower", "constant"), ("at-zero", "coefficient"),
    ("own-offsets", "least"), ("own-offsets", "b"), ("intervals-help", "factor"), ("lem-max-random", "factor"),
}  # fmt: skip
"""Given numbers that stand in no fact or condition: in a proof's words, or (factors 1, a lower end) as the form of a formula."""


def test_every_given_number_stands_in_a_fact_or_a_condition() -> None:
    missing = set[tuple[str, str]]()
    for (id, _), own in statements.book().claims.items():
        theory = statements.book().theories[own.ledger]
        text = " ".join(line for name in own.needed() for line in _facts(name))
        text += " ".join(_conditions(theory.witnesses[own.witness]) if own.witness else ())
        text += " ".join(theory.words[word] for word in own.words)
        numbers = {Fraction(number) for number in re.findall(r"\d+(?:\.\d+)?(?:/[1-9]\d*)?", text)}
        for name, value in own.given.items():
            if (
                re.fullmatch(r"\d+(\.\d+)?(/\d+)?", value)
                and Fraction(value) not in numbers
                and f"given.{name}" not in text
            ):
                missing.add((id, name))
    assert missing <= ELSEWHERE


def _text_of(name: str) -> theory.Theory:
    """The theory that a theorem stands in."""
    return next(own for own in statements.book().theories.values() if name in own.own or called(name)[0] in own.own)


def _facts(name: str) -> list[str]:
    text = _text_of(name)
    own = [step.says for step in text.instance(name)[0].steps if step.kind == "fact"]
    return own + [text.defined[each].text for each in called(name)[1] if each in text.defined]


def _conditions(part: Any) -> Iterator[str]:
    yield from (*part.lines, *part.reads.values())
    for own in part.inner.values():
        yield from _conditions(own)


# ---- certificates of a text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": "0" * 64}, "it is of another text than nonclairvoyant.txt"),
        ({"ledger": "adaptive"}, "of the text adaptive, not nonclairvoyant: give the text under"),
        ({"proofs": []}, "unknown field 'proofs'"),
        ({"further": []}, "unknown field 'further'"),
        ({"findings": {"ratio": {"status": "proved", "theorems": ["equal sizes"]}}}, "other findings"),
        ({"findings": {"ratio": {"status": "proved", "theorems": []}}}, "other findings"),
        ({"witness": {"low": "1"}}, "the statement has no witness"),
        ({"format": 3}, "the format must be 4"),
    ],
)
def test_a_forged_certificate_of_a_text_is_refused(change: dict[str, Any], reason: str, documents: Documents) -> None:
    data = documents["rr-upper", ALGORITHM]
    assert rejected(data) is None
    found = rejected(signed(data, **change))
    assert found is not None and reason in found


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("each job is in n − 1 pairs", "each job is in n pairs"),
        ("2.72837.\n", "2.9.\n"),
        ("- squares A - B\n", "- squares A - B\n\n"),
    ],
)
def test_changed_words_are_another_text(old: str, new: str, stated: Any, documents: Documents) -> None:
    """What forged/055 changed in a certificate can only be changed in the text, whose digest then differs."""
    data = documents["own-lower", ALGORITHM]
    assert rejected(data) is None
    stated((old, new))
    assert "it is of another text" in str(rejected(data))


def test_a_text_that_says_something_false_is_refused_with_its_own_digest(stated: Any, documents: Documents) -> None:
    data = documents["rr-upper", ALGORITHM]
    stated(
        ("define round_robin(n) = 2 - 2/(n + 1)", "define round_robin(n) = 2 - 3/(n + 1)"),
        (
            "given ratio = 2-2/(n+1)\n    is round_robin(n)\nlevel algorithm",
            "given ratio = 2-3/(n+1)\n    is round_robin(n)\nlevel algorithm",
        ),
    )
    own = statements.book().theories["nonclairvoyant"].digest
    unlike = rejected(signed(data, text=own))
    assert unlike is not None and "given" in unlike
    found = rejected(signed(data, text=own, given={**data["given"], "ratio": "2-3/(n+1)"}))
    assert found is not None and re.fullmatch(r"nonclairvoyant.txt, line \d+: the two sides differ", found)


# ---- given formulas that are not those that are judged -------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("key", "name", "old", "new", "function"),
    [
        (("trace", AT_ZERO), "closed_form", "sum(1/i, i, 1, u)", "sum(1/i, i, 2, u)", "harmonic(u)"),
        (("b-inverse", AT_ZERO), "off_diagonal", "-1/(2*i+1)", "1/(2*i+1)", "off(i)"),
        (("cor-ab", AT_ZERO), "b", "min(i,j)**2", "max(i,j)**2", "displayed_b(i, j)"),
        (("spt-optimal", "kernel"), "pair", "min(i, j)", "max(i, j)", "min(i, j)"),
        (("blind-upper", "machine"), "bound", "2.7284", "2.7283", "own_bound(n)"),
        (("thm-lg", AT_ZERO), "closed_form", "(1+q)**2*", "(1+q)**3*", "lg_ratio(q)"),
    ],
)
def test_a_given_formula_that_is_not_the_one_judged_is_refused(
    key: Key, name: str, old: str, new: str, function: str, stated: Any, documents: Documents
) -> None:
    """The text and the certificate give another formula than the function that their findings' theorems are about."""
    data = documents[key]
    given = data["given"][name]
    forged = given.replace(old, new)
    stated((f"given {name} = {given}\n    is {function}", f"given {name} = {forged}\n    is {function}"))
    text = statements.book().theories[data["ledger"]].digest
    found = rejected(signed(data, text=text, given={**data["given"], name: forged}))
    assert found == f"given {name} is not {function}, which its theorems are about"


def test_a_given_formula_that_cannot_be_read_is_refused(stated: Any, documents: Documents) -> None:
    data = documents["trace", AT_ZERO]
    stated(("given closed_form = sum(1/i, i, 1, u)\n", "given closed_form = sum(1/i, i, 1\n"))
    text = statements.book().theories["adaptive"].digest
    assert "no expression" in str(rejected(signed(data, text=text, given={"closed_form": "sum(1/i, i, 1"})))


UNTIED = {
    "best_threshold": "the given one has a root of a quotient", "less_than_the_best_base": "a bound on the best base, not given",
    "from_761": "from where on the given factor holds", "share_of_tries": "its coefficient is given", "twice": "a factor that is 1",
    "charge": "of every claim", "spared": "of a display", "in_later_periods": "of a display",
}  # fmt: skip
"""Functions that theorems are taken with, and that no given value of the claim is, each with why."""


def test_what_a_finding_is_about_is_given() -> None:
    """Each function that a claim's theorem is taken with is a given value, and each that is said to be given is used."""
    for (id, level), own in statements.book().claims.items():
        theorems = [name for finding in own.findings.values() for name in finding.proofs]
        arguments = [each for name in [*theorems, *own.further, *own.beside] for each in called(name)[1]]
        taken = {each for each in arguments if not NUMBER.fullmatch(each)}
        said = {name for text in own.stands.values() for name in functions_in(text)}
        assert taken - said <= set(UNTIED), (id, level, taken - said)
    for ledger, text in (
        (own.ledger, text) for own in statements.book().claims.values() for text in own.stands.values()
    ):
        theory = statements.book().theories[ledger]
        used = {f for name in statements.book().named_in(theory) for f in called(name)[1]}
        used |= {
            f
            for own in theory.theorems.values()
            for step in own.steps
            if step.kind == "fact"
            for f in functions_in(step.says)
        }
        used |= {f for line in re.findall(r"\n  let (.+)", theory.text) for f in functions_in(line)}
        assert {*functions_in(text)} & used, text


# ---- what is too large, or no file ----------------------------------------------------------------------------------


LARGE: list[tuple[str, Key, Path_, Any, str]] = [
    ("a q of 50 digits", ("geometric", FORM), ("witness", "bound", "q"), f"{10**49}/{10**49 + 1}", "at most three digits"),
    ("an s of 50 digits", ("geometric", FORM), ("witness", "bound", "s"), 10**49, "more than 18 digits"),
    ("a fraction of 4000 digits", ("geometric", FORM), ("witness", "bound", "q"), f"1/{10**3999}", "a string of more than"),
    ("a share of 900 digits", ("thm-two-point", ALGORITHM), ("witness", "a_min_bound", "share_of_u"), f"1/{10**899}", "more than 250"),
    ("an r of 100 digits", ("lem-amin", ALGORITHM), ("witness", "a_min", "r"), f"{10**99 - 1}/{10**99}", "denominator(r) <= 1000"),
    ("a long law", ("geometric", ALGORITHM), ("witness", "u"), 400, "from 2 to"),
    ("long ties", ("prop-transition", ALGORITHM), ("witness", "smallest", "lengths"), [15, 16, 17, 18, 19, 20], "from 1 to"),
    ("many ties", ("update-distribution", ALGORITHM), ("witness", "smallest", "lengths"), [2, 2, 3, 3, 4, 4], "len(lengths) <= 4"),
    ("a deep list", ("geometric", FORM), ("witness", "bound", "q"), json.loads("[" * 100 + "]" * 100), "levels deep"),
]  # fmt: skip


@pytest.mark.parametrize(("note", "key", "path", "value", "reason"), LARGE, ids=[row[0] for row in LARGE])
def test_what_is_too_large_is_refused_before_it_is_computed(
    note: str, key: Key, path: Path_, value: Any, reason: str, documents: Documents
) -> None:
    found = rejected(signed(put(documents[key], path, value)))
    assert found is not None, note
    assert reason in found


def test_certificates_keep_a_distance_to_the_limits(written: CertificateFolder, documents: Documents) -> None:
    assert max(path.stat().st_size for path in written.folder.iterdir()) < command.LARGEST_FILE // 4
    for data in documents.values():
        for path, value in leaves(data):
            assert len(path) + 3 < kernel.DEEPEST
            if isinstance(value, str | list):
                assert len(value) <= kernel.LONGEST_STRING // 2


@pytest.mark.exhaustive  # takes seconds
def test_a_file_that_is_refused_does_not_stop_the_rest(written: CertificateFolder, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(written.folder, tmp_path / "copy"))
    names = [
        "trace.form-at-zero",
        "t1.form-at-zero",
        "t2.form-at-zero",
        "cor-ab.form-at-zero",
        "wlog.form",
        "hsf-lower.algorithm",
    ]
    spoiled = [folder / f"{name}.json" for name in names]
    for path in spoiled:
        path.unlink()
    spoiled[0].write_text("[" * 990 + "]" * 990)
    spoiled[1].symlink_to("/dev/zero")
    os.mkfifo(spoiled[2])
    spoiled[3].mkdir()
    spoiled[4].write_text('{"id": "wlog", "level": "form", "given": ' + '{"s": ' * 100 + "2" + "}" * 101)
    spoiled[5].write_bytes(b" " * (command.LARGEST_FILE + 1))
    done = check(folder, "--json")
    assert done.returncode == 1
    assert done.stderr == ""
    bad = {f"{row['id']}.{row['level']}": row for row in json.loads(done.stdout)["certificates"] if row["reason"]}
    assert set(bad) == set(names)
    reasons = [bad[name]["reason"] for name in names]
    assert [("levels deep" in r or "JSON" in r, "regular" in r, "bytes" in r) for r in reasons] == [
        (True, False, False), (False, True, False), (False, True, False), (False, True, False), (True, False, False),
        (False, False, True),
    ]  # fmt: skip
    assert {row["worth"] for row in bad.values()} == {""}
    for path in spoiled[:5]:
        if not path.is_dir():
            alone = check(path)
            assert (alone.returncode, alone.stderr) == (1, "")
            assert "rejected" in alone.stdout


# ---- what a result is worth -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trusted(documents: Documents) -> dict[Key, theory.Judged]:
    """What each certificate rests on and the checker does not check."""
    return {key: command.check_document(data)[1] for key, data in documents.items()}


@pytest.mark.exhaustive  # takes seconds
def test_a_result_says_what_it_is_worth(
    written: CertificateFolder, trusted: dict[Key, theory.Judged], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([str(written.folder)]) == 0
    table = capsys.readouterr().out
    found = set[str]()
    for key, own in trusted.items():
        status, count, more = statements.book().claims[key].status, len(own.argued), len(own.computed)
        several = f" and {more} not recomputed" if more else ""
        many = f"verified modulo {count} argued{several} step{'s' if count + more > 1 else ''}"
        nothing = "verified at the witness" if status == "refuted" else "verified"
        worth = many if count else nothing
        found.add(worth)
        assert re.search(rf"^{key[0]} +{key[1]} +{status} +{worth}$", table, re.MULTILINE)
    assert {"verified", "verified at the witness"} < found


@pytest.mark.exhaustive  # takes seconds
def test_every_sentence_of_a_proof_counts(documents: Documents, trusted: dict[Key, theory.Judged]) -> None:
    """A step in words in a proof that a claim rests on is printed: none is dropped on the way to the worth."""
    for key in documents:
        statement, own = statements.book().claims[key], trusted[key].argued
        counted = set(statement.counted())
        written = [f"{name}: {says}" for name in counted for says in _text_of(name).judge(name).argued]
        assert sorted(written) == sorted(set(own) & set(written))
        joined = sum(finding.how == "joined" for finding in statement.findings.values())
        assert len(own) == len(written) + joined + len(statement.words)


@pytest.mark.exhaustive  # takes seconds
def test_one_certificate_prints_its_argued_steps(written: CertificateFolder, trusted: dict[Key, theory.Judged]) -> None:
    for key in (("lem-amin", ALGORITHM), ("trace", AT_ZERO), ("hsf-lower", ALGORITHM)):
        shown = check(written.folder / f"{key[0]}.{key[1]}.json").stdout
        argued = [line.removeprefix("argued: ") for line in shown.splitlines() if line.startswith("argued: ")]
        assert argued == [*trusted[key].argued]


def test_what_decides_a_finding_alone_is_a_witness() -> None:
    for statement in statements.book().claims.values():
        for finding in statement.findings.values():
            assert finding.how in ("", "joined", "alone", "aside")
            assert finding.how != "alone" or statement.witness
            assert finding.proofs or statement.further or statement.witness
