"""Claims in one call: the four-claim ledger of the docs, each helper on right and wrong claims, and what they refuse."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from commands import crt
from forged import check, signed
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT

from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.ledger import Claim, verify
from crtools.ledger.certificates import write_certificates
from crtools.ledger.claims import Text, bound, formula, ledger, measured, theorem, together
from crtools.ledger.deciders.ranges import integers_from, reals, unit
from crtools.ledger.ledger import Level
from crtools.ledger.registry import load

EXAMPLES = ROOT / "docs" / "examples"

TEXT = r"""
define triangle(n) = n*(n + 1)/2
define smaller(n) = n*(n - 1)/2
define ratio(l, u) = 2*u/(l + u)
define root(r, a) = (1 + r)/a
define graham(m) = 2 - 1/m
define law(q) = (1 - q)*(1 + q)^2/(1 + q^2)

theorem equal jobs(total(n))
  reading every $n ≥ 1$
  states the total is $1 + … + n$
  for n >= 1: Sum(k, (k, 1, n)) = total(n)
    the k-th job ends at k

theorem pairs(number(n))
  reading every $n ≥ 1$
  states the number of pairs is $0 + … + n-1$
  for n >= 1: Sum(k - 1, (k, 1, n)) = number(n)

theorem at most(bound)
  reading all $u ≥ l ≥ 1$
  states $2u/(l+u) \le bound$
  where l >= 1, u >= l
  bound - ratio(l, u) >= 0

theorem at least(bound)
  reading all $u ≥ l ≥ 1$
  states $2u/(l+u) \ge bound$
  where l >= 1, u >= l
  ratio(l, u) - bound >= 0

theorem a root
  reading every $r > 1$
  states the ratio is $1/(r-1)$
  r > 1: root(r, r^2 - 1) = 1/(r - 1)

theorem a law
  reading every $0 < q < 1$
  states the ratio is $(1-q)(1+q)^2/(1+q^2)$
  1 > q > 0: law(q)*(1 + q^2) = (1 - q)*(1 + q)^2

theorem of machines(bound(m))
  reading every $m ≥ 1$
  states the ratio is at most $bound(m)$
  m >= 1: bound(m) - (2 - 1/m) >= 0

claim equal-jobs
  given total = n*(n+1)/2
    is triangle(n)
  given pairs = n*(n-1)/2
    is smaller(n)
level schedule proved
  says n jobs of size 1 take n(n+1)/2, and have n(n-1)/2 pairs.
  finding total proved: equal jobs(triangle)
  finding pairs proved: pairs(smaller)

claim two
  given factor = 2
level schedule proved
  says The ratio is at most 2.
  finding bounded proved: at most(factor)

claim one
  given factor = 1
level schedule proved
  says The ratio is at least 1.
  finding bounded proved: at least(factor)

claim root
  given root = (1+sqrt(1+alpha))/alpha
    is root(sqrt(1+alpha), alpha)
level schedule proved
  says The ratio has a root.
  finding formula proved: a root

claim law
  given ratio = (1-q)*(1+q)**2/(1+q**2)
    is law(q)
level schedule proved
  says The ratio under a law.
  finding formula proved: a law

claim machines
  given bound = 2-1/m
    is graham(m)
level schedule proved
  says The ratio is at most 2 - 1/m.
  finding bounded proved: of machines(graham)

# Jobs on m machines in the order in which they are listed, against the largest of the mean load and the longest job.
witness machines
  reads m: integer(1, 9)
  reads jobs: integers(1, 9)
  let ratio = sum(jobs)/max(sum(jobs)/m, max(jobs))
  holds ratio > given.factor

claim one-machine
  given factor = 1
level schedule refuted
  says As if all jobs ran on one machine.
  finding bounded refuted
  witness machines

witness lengths
  reads l, u: integer(1, 1000)
  let ratio = ratio(l, u)
  holds ratio > given.factor

claim three-halves
  given factor = 3/2
level schedule refuted
  says The ratio is at most 3/2.
  finding bounded refuted
  witness lengths
"""


@pytest.fixture
def text(tmp_path: Path) -> Text:
    (tmp_path / "jobs.txt").write_text(TEXT, encoding="utf-8")
    return Text(tmp_path / "jobs.txt")


def counted(n: int) -> int:
    return sum(range(1, n + 1))


def ratio(l: int, u: int) -> Fraction:
    return Fraction(u) / Fraction(l + u) * 2


PLACES = [{"l": 1, "u": u} for u in (1, 2, 3, 4, 10)]


def status(claim: Claim, **changed: str) -> str:
    return claim.check(changed).stated.status


def total(text: Text, **more: Any) -> Claim:
    return formula(text, "equal-jobs", counted, finding="total", of="total", **more)


# ---- the ledger of the docs -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def slots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slots")
    for name in ("slots.py", "slots.txt"):
        shutil.copy(EXAMPLES / name, folder)
    done = crt("verify", "--ledger", str(folder / "slots.py"), "--certificates", str(folder / "certs"), "--json")
    assert done.returncode == 0, done.stderr
    (folder / "found.json").write_text(done.stdout, encoding="utf-8")
    return folder


def test_four_claims_take_sixty_lines_and_the_judge_accepts_them(slots: Path) -> None:
    assert len((slots / "slots.py").read_text(encoding="utf-8").splitlines()) <= 60
    found = {c["id"]: c["levels"][0] for c in json.loads((slots / "found.json").read_text(encoding="utf-8"))["claims"]}
    assert {id: own["status"] for id, own in found.items()} == {
        "two-lengths": "proved", "geometric": "proved", "at-most-2": "refuted", "process": "supported",
    }  # fmt: skip
    witness = found["at-most-2"]["findings"][0]["evidence"]
    assert (witness["actual"], witness["second"]) == ("28/13", "28/13, by the judge")
    done = check(str(slots / "certs"), "--theory", str(slots / "slots.txt"))
    assert done.returncode == 0 and "3 of 3 verified" in done.stdout


@pytest.mark.parametrize(
    ("old", "new"), [('"x_l": 5', '"x_l": 1'), ('"u": 2', '"u": 3'), ('"factor": "2"', '"factor": "1"')]
)
def test_another_digit_in_a_certificate_is_refused(slots: Path, tmp_path: Path, old: str, new: str) -> None:
    own = (slots / "certs" / "at-most-2.form.json").read_text(encoding="utf-8")
    assert own.count(old) == 1
    changed = tmp_path / "at-most-2.form.json"
    changed.write_text(json.dumps(signed(json.loads(own.replace(old, new)))), encoding="utf-8")
    assert check(str(changed), "--theory", str(slots / "slots.txt")).returncode == 1


@pytest.mark.exhaustive
def test_every_wrong_value_of_the_ledger_is_caught(slots: Path) -> None:
    done = crt("verify", "--ledger", str(slots / "slots.py"), "--self-test", "--json")
    found = json.loads(done.stdout)["self_test"]
    assert (done.returncode, found["caught"], found["wrong"], found["accepted"], found["true"]) == (0, 5, 5, 1, 1)


def test_what_the_page_shows_stands_in_the_example() -> None:
    page = (ROOT / "docs" / "your-own-theory.md").read_text(encoding="utf-8")
    *shown, _ = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    whole = "".join((EXAMPLES / name).read_text(encoding="utf-8") for name in ("slots.py", "slots.txt"))
    lines = {line.strip().rstrip(",") for line in whole.splitlines()}
    assert len(shown) == 8
    assert [line for own in shown for line in own.splitlines() if line.strip().rstrip(",") not in lines] == []


# ---- a formula ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("n*(n+1)/2", "proved"), ("(n**2+n)/2", "proved"), ("sum(i, i, 1, n)", "proved"), ("n*(n-1)/2", "refuted"),
        ("n*(n+1)/2 + 1e-9", "refuted"), ("n**2", "refuted"), ("n*(n+1)/2 + (n-1)*(n-2)*(n-3)*(n-40)", "refuted"),
    ],
)  # fmt: skip
def test_a_formula(text: Text, value: str, wanted: str) -> None:
    result = total(text).check({"total": value})
    assert result.stated.status == wanted
    assert value in result.stated.findings[0].says  # a finding speaks of the value that it was given


@given(a=st.integers(-3, 3), b=st.integers(-3, 3))
@settings(max_examples=20, deadline=None)
def test_a_formula_is_proved_where_it_is_right_alone(tmp_path_factory: pytest.TempPathFactory, a: int, b: int) -> None:
    file = tmp_path_factory.mktemp("t") / "jobs.txt"
    file.write_text(TEXT, encoding="utf-8")
    assert status(total(Text(file)), total=f"n*(n+1)/2 + ({a})*n + ({b})") == ("refuted" if a or b else "proved")


def test_a_wrong_direct_computation_is_an_internal_check_that_fails(text: Text) -> None:
    own = formula(text, "equal-jobs", lambda n: n, finding="total", of="total")
    with pytest.raises(AssertionError, match="two computations of total"):
        own.check()


def test_a_formula_with_a_root_that_a_theorem_is_about(text: Text) -> None:
    """The right value is known from balls; a symbol of other assumptions is the one of its name."""
    a = sp.Symbol("alpha", positive=True)

    def root(alpha: Fraction) -> Enclosure:
        found = Fraction(str(sp.N(sp.sqrt(sp.Rational(str(1 + Fraction(alpha)))), 40)))
        return Enclosure(*((1 + found + e * Fraction(1, 10**30)) / alpha for e in (-1, 1)))

    own = formula(text, "root", root, true=(1 + sp.sqrt(1 + a)) / a, on=unit("alpha"))
    assert status(own, root="(1+sqrt(1+alpha))/alpha") == "proved"
    assert status(own, root="(1+sqrt(1+alpha))/alpha - 1e-9") == "refuted"
    assert status(own, root="1+alpha") == "refuted"
    assert status(formula(text, "root", root, on=unit("alpha"))) == "proved"  # what it is stands in the text
    written_otherwise = own.check({"root": "1/alpha + sqrt(1+alpha)/alpha"}).stated
    assert written_otherwise.rests.computed == 0  # the judge sees that both are the same
    written_otherwise = own.check({"root": "1/(sqrt(1+alpha) - 1)"}).stated
    assert written_otherwise.rests.computed == 1  # that both are the same is crtools' word
    with pytest.raises(InputError, match="must be what the text says that root is: root"):
        formula(text, "root", root, true=1 / a, on=unit("alpha"))


def test_what_derive_finds_may_be_the_right_formula(text: Text) -> None:
    from crtools import Form, derive
    from crtools import ratio as at_a_law

    slot = Form.from_entry(lambda i, j, s: (i + j) / 2, name="slot")
    found = derive("geometric(q)", policy=slot).ratio
    own = formula(text, "law", lambda q: at_a_law(slot, f"geometric(q={q})").exact, true=found, on=unit("q"))
    assert status(own, ratio="(1-q)*(1+q)**2/(1+q**2)") == "proved"
    assert status(own, ratio="(1-q)*(1+q)**2/(1+q**3)") == "refuted"


# ---- a bound ------------------------------------------------------------------------------------------------------------


def test_a_bound_with_a_witness_that_the_judge_computes_again(text: Text) -> None:
    own = bound(text, "three-halves", ratio, PLACES, theorem="at most")
    result = own.check().stated
    [finding] = result.findings
    assert (result.status, finding.evidence.as_json()["witness"]) == ("refuted", {"l": 1, "u": 4})
    assert [status(own, factor=value) for value in ("2", "5/2", "7/4", "1.8181")] == [
        "proved",
        "proved",
        "refuted",
        "refuted",
    ]
    for factor in ("1.99", "sqrt(2)"):  # no place is beyond it; the judge reads no root
        assert status(own, factor=factor) == "inconclusive"


def test_without_a_second_computation_a_bound_stays_open(text: Text) -> None:
    assert status(bound(text, "two", ratio, PLACES), factor="1") == "inconclusive"
    assert (
        status(bound(text, "two", ratio, PLACES, second=lambda l, u: 2 - Fraction(2 * l, l + u)), factor="1")
        == "refuted"
    )
    shown = bound(text, "two", ratio, PLACES).check({"factor": "1"}).verdicts[0].findings[0].evidence
    assert "at l = 1, u = 2 the ratio is 4/3, which is more, but no second computation confirms it" in str(shown)
    with pytest.raises(AssertionError, match="differ"):
        bound(text, "two", ratio, PLACES, second=lambda l, u: 3).check({"factor": "1"})


def test_a_bound_from_below(text: Text) -> None:
    own = bound(text, "one", ratio, PLACES, side="at least", second=lambda l, u: 2 - Fraction(2 * l, l + u))
    assert [status(own, factor=value) for value in ("1", "1/2", "3/2")] == ["proved", "proved", "refuted"]


def test_a_theorem_that_holds_does_not_prove_a_bound_that_a_place_is_beyond(text: Text) -> None:
    """The theorem of the text may be about something else; what is known of a place is looked at first."""
    with pytest.raises(InputError, match=r"factor = 2: is wrong, .*: at l = 1, u = 1 the ratio is 3, which is more"):
        bound(text, "two", lambda l, u: ratio(l, u) + 2, PLACES).check()
    with pytest.raises(InputError, match=r"at l = 1, u = 2 the ratio is 1/3, which is less"):
        bound(text, "one", lambda l, u: ratio(l, u) - 1 if u == 2 else ratio(l, u), PLACES, side="at least").check()
    found = bound(text, "two", lambda l, u: ratio(l, u) + 2, PLACES, second=lambda l, u: ratio(l, u) + 2)
    assert status(found) == "refuted"


@pytest.mark.parametrize("value", ["x", float("nan"), float("inf"), None, 2.0000000000000004, sp.Float(3)])
def test_a_ratio_that_is_not_exact_is_one_line(text: Text, value: Any) -> None:
    """A float would refute a true claim by its rounding."""
    with pytest.raises(InputError, match=r"the ratio at {'l': 1, 'u': 1} = .*: must be exact: an int, a Fraction"):
        bound(text, "two", lambda l, u: value, PLACES, second=lambda l, u: value).check()
    with pytest.raises(InputError, match=r"total at {.n.: 1} = .*: must be exact"):
        formula(text, "equal-jobs", lambda n: value, finding="total", of="total").check()


def test_a_side_is_one_of_two(text: Text) -> None:
    with pytest.raises(InputError, match="side = lower: must be 'at most' or 'at least'"):
        bound(text, "one", ratio, PLACES, side="lower")  # pyright: ignore[reportArgumentType]


def test_a_mistyped_option_is_refused_and_a_value_alone_is_one_value(text: Text) -> None:
    mistyped: dict[str, Any] = {"corrupt": ["1"]}
    with pytest.raises(InputError, match="argument = corrupt: did you mean corrupted"):
        bound(text, "two", ratio, **mistyped)
    alone: dict[str, Any] = {"corrupted": "1.9", "variants": [2.5]}
    assert [each.given["factor"] for each in bound(text, "two", ratio, **alone).variants] == ["2.5", "1.9"]


@pytest.mark.parametrize("place", [3, {"l": 1.5, "u": 2}, {"l": "x", "u": 2}, {"l": [1, None], "u": 2}])
def test_a_place_is_exact_numbers_by_name(text: Text, place: Any) -> None:
    with pytest.raises(InputError, match=r"place = .*: must be numbers and lists by name"):
        bound(text, "two", ratio, [place])


def test_an_error_in_a_function_of_a_claim_is_one_line(tmp_path: Path) -> None:
    """A file's functions are its author's: the line of the file says more than where crtools called it."""
    for name in ("slots.txt", "slots.py"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    file = tmp_path / "slots.py"
    file.write_text(file.read_text().replace("    return ratio(slots(1)", "    return 1 / 0, ratio(slots(1)"))
    done = crt("verify", "--ledger", str(file), "geometric")
    line = "crtools: claim = geometric: raised ZeroDivisionError: division by zero (slots.py, line 32)\n"
    assert (done.returncode, done.stderr) == (2, line)
    file.write_text(file.read_text().replace("1 / 0", "sp.sympify('1 +* 2')"))
    said = crt("verify", "--ledger", str(file), "--jobs", "2").stderr
    assert said.startswith("crtools: claim = geometric: raised SympifyError") and said.count("\n") == 1


def test_a_ledger_is_read_again_where_its_file_or_its_text_has_changed(tmp_path: Path) -> None:
    """A second call in one session, as in a notebook, must not repeat the verdict on what stood there before."""
    for name in ("classics.txt", "classics.py"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    text, file = tmp_path / "classics.txt", tmp_path / "classics.py"
    assert load(str(file)) is load(str(file))

    def list_update() -> str:
        return verify(["list-update"], ledger=str(file))[0].stated.status

    assert list_update() == "proved"
    text.write_text(text.read_text().replace("given ratio = 2-2/(n+1)", "given ratio = 2-3/(n+1)"))
    assert list_update() == "refuted"
    file.write_text(file.read_text().replace("return n / Fraction(", "return 2 * n / Fraction("))
    with pytest.raises(AssertionError, match="differ"):
        list_update()


ARGUMENTS = """
define larger(k, h) = k/(k - h + 1)
define same(r) = r

theorem a larger cache(found(k, h))
  reading every $k ≥ h ≥ 1$
  states formula
  h >= 1, k >= h: found(k, h)*(k - h + 1) - k = 0

theorem wait(found(r))
  reading every $r ≥ 1$
  states formula
  r >= 1: found(r)*r - r^2 = 0

claim cache
  given ratio = h/(h-k+1)
    is larger(h, k)
level online proved
  says The letters are exchanged.
  finding upper proved joined: a larger cache(larger)
    The ratio is found(h, k).

claim search
  given ratio = sqrt(phi)
    is same(sqrt(phi))
level offline proved
  says The ratio is a root.
  finding upper proved joined: wait(same)
    The ratio is found(r) for φ = r².
"""


def test_a_formula_is_put_in_by_the_arguments_of_its_function(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text(ARGUMENTS, encoding="utf-8")
    own = Text(tmp_path / "own.txt")
    cache = formula(own, "cache", lambda h, k: Fraction(h, h - k + 1), on=integers_from(k=1, h="k"))
    search = formula(own, "search", lambda phi: sp.sqrt(sp.Rational(str(phi))), on=reals(phi=(1, None)))
    assert (status(cache), status(search)) == ("proved", "proved")
    assert (status(cache, ratio="h/(h-k+2)"), status(search, ratio="phi")) == ("refuted", "refuted")
    assert [level.head for level in ledger(own, cache, search).levels] == ["o", "f"]
    at_most = bound(own, "search", lambda r: Fraction(r), on=reals(phi=(1, None)), at=lambda r: r**2)
    assert [status(at_most, ratio=value) for value in ("sqrt(phi)", "phi")] == ["proved", "inconclusive"]


def test_the_judge_puts_the_bound_in(text: Text, tmp_path: Path) -> None:
    """A claim whose text and Python say 1 is not proved: the theorem does not hold with it."""
    assert status(bound(text, "two", ratio), factor="1.9") == "inconclusive"
    (tmp_path / "front.txt").write_text(TEXT.replace("given factor = 2\n", "given factor = 1\n"), encoding="utf-8")
    own = Text(tmp_path / "front.txt")
    assert status(bound(own, "two", ratio)) == "inconclusive"
    done = check("--theory", str(tmp_path / "front.txt"))
    assert (done.returncode, "a coefficient is negative" in done.stdout) == (1, True)


def test_a_bound_of_one_variable(text: Text) -> None:
    own = bound(
        text, "machines", lambda m: 2 - Fraction(1, m), [{"m": m} for m in range(1, 5)], on=integers_from(m=1),
        at=lambda m: m,
    )  # fmt: skip
    values = ("2-1/m", "2", "2-1/(2*m)", "2-1/m-1/m**2")
    assert [status(own, bound=value) for value in values] == ["proved", "proved", "proved", "inconclusive"]


@pytest.mark.parametrize("repair", ["", "2"])
def test_a_witness_that_is_an_instance(text: Text, tmp_path: Path, repair: str) -> None:
    places = [{"m": 1, "jobs": [1, 2]}, {"m": 2, "jobs": (1, 1, 1)}]
    own = bound(
        text, "one-machine", lambda m, jobs: sum(jobs) / max(Fraction(sum(jobs), m), max(jobs)), places,
        theorem="at most", repair=repair,
    )  # fmt: skip
    result = own.check()
    assert result.stated.findings[0].evidence.as_json()["witness"] == {"m": 2, "jobs": [1, 1, 1]}
    assert [each.sentence for each in result.repairs] == ["the ratio is at most ``2``"] * bool(repair)
    found = write_certificates([result], tmp_path / "certs", ledger(text, own))
    assert found.written == (("one-machine", "schedule"),)
    assert check(str(tmp_path / "certs" / "one-machine.schedule.json"), "--theory", text.file).returncode == 0


def test_what_the_judge_refuses_is_not_written(text: Text, tmp_path: Path) -> None:
    own = total(text)
    [result] = [own.check()]
    wrong = replace(result, verdicts=tuple(replace(v, findings=v.findings[:1]) for v in result.verdicts))
    found = write_certificates([wrong], tmp_path, ledger(text, own))
    assert found.written == () and list(tmp_path.glob("*.json")) == []
    [(_, _, reason)] = found.without
    assert reason == "rejected: other findings than the text's"


def test_a_formula_that_is_spelled_otherwise_has_a_certificate(text: Text, tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text(TEXT.replace("= n*(n + 1)/2", "= (n^2 + n)/2"), encoding="utf-8")
    own = Text(tmp_path / "jobs.txt")
    pairs = formula(own, "equal-jobs", lambda n: n * (n - 1) // 2, finding="pairs", of="pairs")
    both = together(total(own), pairs)
    assert len(write_certificates([both.check()], tmp_path / "certs", ledger(own, both)).written) == 1


# ---- a measurement --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("within", "wanted"), [("1/10", "supported"), ("1/25", "inconclusive"), ("1/1000", "contradicted")]
)
def test_a_measurement(within: str, wanted: str) -> None:
    figures: list[Any] = [(1.02, 1.05), [1.03, 1.04, 1.035]]
    own = measured(
        "m", "It is close.", lambda: figures, level="p", sample="two sizes", given={"within": "1/10"},
        least=lambda within: 1 - within, most=lambda within: 1 + within,
    )  # fmt: skip
    assert status(own, within=within) == wanted


@pytest.mark.parametrize("figure", [1.0, (0.9, 1.0, 1.1), (1.1, 0.9)])
def test_a_figure_is_a_pair_or_values(figure: Any) -> None:
    own = measured("m", "It is close.", lambda: [figure], level="p", sample="one", given={"within": "1/10"})
    with pytest.raises(InputError, match=r"must be pairs .low, high., lists of values, or means over seeds"):
        own.check()


# ---- several, and what is refused -----------------------------------------------------------------------------------------


def test_findings_together(text: Text) -> None:
    pairs = formula(
        text, "equal-jobs", lambda n: n * (n - 1) // 2, finding="pairs", of="pairs", true=None,
        second=lambda n: len([1 for i in range(n) for j in range(i)]), corrupted=["n**2"],
    )  # fmt: skip
    own = together(total(text, corrupted=["n**2"]), pairs)
    assert {f.id: f.status for f in own.check({"pairs": "n**2"}).stated.findings}["pairs"] == "refuted"
    assert [v.finding for v in own.wrong] == ["total", "pairs"]
    with pytest.raises(InputError, match="one id"):
        together(total(text), bound(text, "two", ratio))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda t: formula(t, "nothing", counted), "must be a claim of the text"),
        (lambda t: formula(t, "equal-jobs", counted), "must be one of those of equal-jobs in the text: total, pairs"),
        (lambda t: formula(t, "equal-jobs", counted, finding="total", of="x"), "total, pairs"),
        (lambda t: formula(t, "two", counted), "needs second="),
        (lambda t: formula(t, "two", counted, true=sp.Symbol("z")), "has z"),
        (lambda t: bound(t, "two", ratio, theorem="a root"), "must take it, a root"),
        (lambda t: bound(t, "two", ratio, theorem="none"), "must stand in the text"),
    ],
)
def test_what_is_refused(text: Text, make: Callable[[Text], Claim], said: str) -> None:
    with pytest.raises(InputError, match=said):
        make(text)


def test_a_ledger_has_the_levels_of_its_claims(text: Text) -> None:
    own = ledger(text, total(text))
    assert (own.name, [level.id for level in own.levels]) == ("jobs", ["schedule"])
    named = ledger(text, total(text), levels=[Level("schedule", "s", "a schedule", "is it?")])
    assert named.levels[0].speaks_of == "a schedule"


def test_a_range_of_reals() -> None:
    own = reals(q=(0, 1), c=(Fraction(1, 2), None))
    assert (own.text, own.names) == ("0 < q < 1, 1/2 < c", ("q", "c"))
    r, t = own.parameters[0]
    case: Mapping[str, Any] = own.cases[0]
    assert case["q"].subs(r, 1) == sp.Rational(1, 2) and case["c"].subs(t, 1) == sp.Rational(3, 2)


def test_the_self_test_says_what_corrupts_a_false_claim(text: Text, tmp_path: Path) -> None:
    from crtools.ledger.run import self_test
    from crtools.report.terminal import closing, self_test_table

    false = bound(text, "three-halves", ratio, PLACES, theorem="at most", corrupted=["7/4"])
    own = ledger(text, false)
    said = self_test_table(self_test(ledger=own))
    assert "give a true variant of the same finding" in said.replace("\n  ", " ")
    assert all(len(line) <= 80 for line in said.splitlines())
    true = bound(text, "three-halves", ratio, PLACES, theorem="at most", corrupted=["7/4"], variants=["2"])
    assert not self_test(ledger=ledger(text, true)).missed
    assert "crtools verify --ledger jobs ID --show" in closing([own.claims[0].check()], own)[-1]


# ---- a claim without numbers --------------------------------------------------------------------------------------------

WITHOUT = """theorem halves
  reading every $n ≥ 1$
  states formula
  n >= 1: 2*n - n > 0

theorem doubles
  reading every $m ≥ 1$
  states formula
  m >= 1: 2*m - 1 > 0

claim plain
level algorithm proved
  says A number is less than twice itself.
  finding half proved joined: halves
    n is less than 2n
  finding both proved joined: halves; doubles
    and 1 is less than 2m
"""


def test_a_claim_is_what_its_theorems_state(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text(WITHOUT, encoding="utf-8")
    found = theorem(Text(file), "plain").check().stated
    assert (found.status, [own.id for own in found.findings]) == ("proved", ["half", "both"])
    assert found.reading == "every $n ≥ 1$; every $m ≥ 1$" and "“halves” and “doubles” hold" in found.findings[1].says
    file.write_text(file.read_text(encoding="utf-8").replace("2*m - 1 > 0", "2*m - 3 > 0"), encoding="utf-8")
    changed = theorem(Text(file), "plain").check().stated
    assert changed.status == "inconclusive" and [own.evidence.status for own in changed.findings] == [
        "proved",
        "inconclusive",
    ]


def test_a_claim_without_numbers_rests_on_theorems_alone(text: Text, tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text(WITHOUT, encoding="utf-8")
    with pytest.raises(InputError, match="equal-jobs: must rest on theorems alone: it has a given value"):
        theorem(text, "equal-jobs")
    with pytest.raises(InputError, match="plain: must have a line 'given NAME = VALUE' in the text; theorem"):
        formula(Text(file), "plain", lambda: 1)
    with pytest.raises(InputError, match="must be a claim of the text"):
        theorem(Text(file), "other")
