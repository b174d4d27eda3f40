"""Certificates of the best schedule and of the minimax on an interval: accepted, and refused where anything is changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT

from check import best as judge
from check.best import within_on_interval
from check.command import check_document
from check.kernel import Rejected
from crtools import Empirical, best
from crtools.blind.certificate_writer import LONGEST_LAW, SHARES, is_short, near, of_interval, of_law
from crtools.blind.worst_law import closed
from crtools.cli import main
from crtools.errors import NotCertified
from crtools.ledger.certificates import signed

Document = dict[str, Any]


@cache
def written(kind: str) -> Document:
    return of_law(best("uniform(1, 10)", digits=10)) if kind == "best" else of_interval(closed(0, 1, 7))


def again(document: Document) -> Document:
    return signed({name: value for name, value in document.items() if name != "digest"})


@settings(max_examples=20)
@given(st.dictionaries(st.integers(1, 40), st.integers(1, 50), min_size=1, max_size=6), st.integers(0, 20))
def test_every_law_s_certificate_is_accepted(weights: dict[int, int], s: int) -> None:
    found = best(Empirical(weights), s)
    document = of_law(found)
    statement, trusted = check_document(document)
    assert statement.id == "best" and len(trusted.argued) == 2
    assert Fraction(document["lower"]) <= found.value.lower <= found.value.upper <= Fraction(document["upper"])
    assert Fraction(document["upper"]) - Fraction(document["lower"]) <= 3 * Fraction(1, 10**9)


@pytest.mark.parametrize(("s", "l", "u"), [(0, 1, 10), (3, 2, 9), (0, 4, 4)])
def test_an_interval_s_certificate_is_accepted(s: int, l: int, u: int) -> None:
    document = of_interval(closed(s, l, u))
    assert f"[{l}, {u}], s = {s}" in check_document(document)[0].says
    assert Fraction(document["upper"]) - Fraction(document["lower"]) < Fraction(1, 10**9)


def test_a_law_with_rounded_requests_has_a_certificate_of_the_law_itself() -> None:
    assert "130 lengths" in check_document(of_law(best("zipf(1, 130)", 2)))[0].says


def decimals(document: Document, name: str, step: int) -> str:
    """Return one of the two decimals, changed in its last place."""
    places = document["places"]
    scaled = int(Fraction(document[name]) * 10**places) + step
    return f"{scaled // 10**places}.{scaled % 10**places:0{places}d}"


def a_larger_lower_side(document: Document) -> None:
    document["lower"] = decimals(document, "lower", 1)  # what the price proves is rounded down


def a_smaller_upper_side(document: Document) -> None:
    """``best``: what the mixture pays is rounded up. ``minimax``: it pays more than the lower side under the law itself."""
    document["upper"] = decimals(document, "upper", -1) if document["kind"] == "best" else document["lower"]


def weight_of_a_length(document: Document) -> None:
    document["law"][3][1] = str(Fraction(document["law"][3][1]) * Fraction(101, 100))


def a_longer_length(document: Document) -> None:
    document["law"][-1][0] += 1


def most_frequent(document: Document) -> int:
    """Return the place of the killing plan with the largest share: a search may end with plans that nobody would miss."""
    own = [n for n, (thresholds, _) in enumerate(document["plans"]) if thresholds]
    return max(own, key=lambda n: document["plans"][n][1])


def weight_of_a_plan(document: Document) -> None:
    plan = document["plans"][most_frequent(document)]
    plan[1] += plan[1] // 100


def threshold(document: Document) -> None:
    plan, _ = document["plans"][most_frequent(document)]
    plan[-1] = plan[-1] + 1 if plan[-1] + 1 < document["law"][-1][0] else plan[-1] - 1


def no_plan(document: Document) -> None:
    del document["plans"][most_frequent(document)]


def longer_prompt(document: Document) -> None:
    document["s"] += 1


def another_kind(document: Document) -> None:
    document["kind"] = "worst"


CHANGES = (
    a_larger_lower_side,
    a_smaller_upper_side,
    weight_of_a_length,
    a_longer_length,
    weight_of_a_plan,
    threshold,
    no_plan,
    longer_prompt,
    another_kind,
)


@pytest.mark.parametrize("kind", ["best", "minimax"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_changed_is_refused(kind: str, change: Callable[[Document], None]) -> None:
    document = deepcopy(written(kind))
    change(document)
    with pytest.raises(Rejected, match="digest is wrong"):
        check_document(document)
    with pytest.raises(Rejected) as error:
        check_document(again(document))
    assert "digest" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("law", []),
        ("law", [[1, "1/2"], [1, "1/2"]]),
        ("law", [[2, "1/2"], [1, "1/2"]]),
        ("law", [[1, "0"], [2, "1"]]),
        ("law", [[k, "1/" + str(10**240 + k)] for k in range(1, 40)]),
        ("plans", [[[99], 1]]),
        ("plans", [[[4, 3], 1]]),
        ("plans", [[[], 0]]),
        ("plans", [[[], 1, 1]]),
        ("s", -1),
        ("places", 16),
        ("lower", "1.7"),
        ("format", 3),
    ],
)
def test_what_is_no_such_document_is_refused(name: str, value: Any) -> None:
    with pytest.raises(Rejected):
        check_document(again({**written("best"), name: value}))


def test_a_number_may_have_one_decimal_and_thresholds_increase() -> None:
    document = deepcopy(written("best"))
    document |= {"places": 1, "lower": "1.1", "upper": "1.9"}
    assert check_document(again(document))[0].says.startswith("1.1 ≤ V ≤ 1.9 for a law of 10 lengths")
    document["plans"][0][0] = [4, 3]
    with pytest.raises(Rejected, match="the thresholds must increase"):
        check_document(again(document))


REFUSED: tuple[tuple[str, Any, str], ...] = (
    ("law", [[1, "0"], [2, "1"]], "the weights must be positive"),
    ("law", [[2, "1/2"], [1, "1/2"]], "the lengths must increase"),
    ("law", [[1, "1/2"], [1, "1/2"]], "the lengths must increase"),
    ("law", [[k, "1/" + str(10**17 + k)] for k in range(1, 399)], "too large a common denominator"),
    ("plans", [["x", 1]], "a plan must be a list of thresholds"),
    ("plans", [[[3, 3], 1]], "the thresholds must increase"),
)


@pytest.mark.parametrize(("name", "value", "reason"), REFUSED)
def test_what_is_no_law_or_plan_is_refused_for_its_reason(name: str, value: Any, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        check_document(again({**written("best"), name: value}))


def test_small_mixtures_by_hand() -> None:
    """Sizes 1 and 3, one request each, run to their ends: the area under 2 at 0 and 0 at 4, over 6; N = (1 2; 2 3), D = (1 1; 1 3)."""
    own = judge.Mixture(judge.Requests([1, 3], [1, 1]), [([0, 2], 1)])
    assert own.upper() == own.lower() == Fraction(4, 3)
    assert own.is_within(Fraction(13661, 10000)) and not own.is_within(Fraction(1366, 1000))
    with pytest.raises(Rejected, match="would run before"):
        judge.Mixture(judge.Requests([1, 3], [1, 1000]), [([0, 2], 1), ([0, 1, 2], 1)])
    assert judge.check_schedule("best", [[1, "1/2"], [2, "1/2"]], 0, [[[], 1]], 2, "1.33", "1.34").startswith(
        "1.33 ≤ V"
    )


def test_definite_by_hand() -> None:
    definite: Any = judge._positive_definite  # pyright: ignore[reportPrivateUsage]
    assert definite([[1]]) and definite([[2, 1], [1, 1]]) and not definite([[0]]) and not definite([[1, 1], [1, 1]])


@pytest.mark.parametrize("seed", range(20))
def test_a_matrix_is_definite_where_its_leading_minors_are_positive(seed: int) -> None:
    """Gram matrices of integer vectors: of as many as their space has dimensions definite, of one more singular."""
    draw, definite = Random(seed), judge._positive_definite  # pyright: ignore[reportPrivateUsage]
    size = draw.randint(2, 7)
    vectors = [[draw.randint(-9, 9) for _ in range(size)] for _ in range(size)]
    gram = [[sum(a * b for a, b in zip(v, w, strict=True)) for w in vectors] for v in vectors]
    assert definite(gram) is bool(sp.Matrix(gram).is_positive_definite)
    last = [sum(entries) for entries in zip(*vectors, strict=True)]
    more = [[sum(a * b for a, b in zip(v, w, strict=True)) for w in (*vectors, last)] for v in (*vectors, last)]
    assert not definite(more)
    more[-1][-1] += 1
    assert definite(more) is definite(gram)
    more[-1][-1] -= 2
    assert not definite(more)


def cheapest(requests: judge.Requests, price: list[tuple[int, int]]) -> int:
    """Return what the cheapest of all plans costs, each attempt at the corner at which it costs least."""
    last = len(requests.sizes) - 1
    plans = ((0, *own, last) for count in range(last) for own in combinations(range(1, last), count))
    attempts = [[requests.attempt(*own) for own in pairwise(plan)] for plan in plans]
    return min(sum(min(m * time + use * value for time, value in price) for m, use in plan) for plan in attempts)


@pytest.mark.parametrize("seed", range(20))
def test_the_cheapest_plan_is_the_least_of_all(seed: int) -> None:
    draw = Random(seed)
    size = draw.randint(1, 6)
    sizes, weights = sorted(draw.sample(range(1, 50), size)), [draw.randint(1, 20) for _ in range(size)]
    requests = judge.Requests(sizes, weights)
    price = [(draw.randint(0, 90), draw.randint(0, 90)) for _ in range(draw.randint(1, 5))]
    assert requests.cheapest(price) == cheapest(requests, price)


# ---- limits of work --------------------------------------------------------------------------------------------------


def a_law(weights: list[Any], plans: list[Any], **other: Any) -> Document:
    """Return a certificate that says nearly nothing of a law of the lengths 1, 2, …"""
    law = [[k, str(Fraction(weight))] for k, weight in enumerate(weights, start=1)]
    return again({**written("best"), "law": law, "plans": plans, "places": 1, "lower": "0.0", "upper": "99.0", **other})


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is counted as work, each time."""
    found: list[int] = []
    spend = judge.Work.spend
    monkeypatch.setattr(judge.Work, "spend", lambda products: (found.append(products), spend(products)))
    return found


@pytest.mark.parametrize("count", [250, 2000])
def test_many_lengths_and_few_attempts_cost_little(count: int, spent: list[int]) -> None:
    primes = list(sp.primerange(2, 1000))
    for weights in ([1] * count, [1 + Fraction(1, primes[k % len(primes)]) for k in range(count)]):
        assert f"{count} lengths" in check_document(a_law(weights, [[[], 1], [[count // 2], 1]]))[0].says
        assert spent and sum(spent) < judge.MOST_WORK / 10


@pytest.mark.parametrize("count", [83, 250, 1000, 2000])
def test_what_is_written_may_cost_what_it_does(count: int) -> None:
    """A law as long as one that is written may be, and a mixture of twice as many attempts as lengths, whatever s is."""
    bits = min(judge.MOST_BITS, LONGEST_LAW // count)
    sizes = [judge.LONGEST * (judge.LONGEST - count + k) for k in range(count)]
    requests = judge.Requests(sizes, [1] * (count - 1) + [2**bits - count])
    numbers = SHARES * requests.worked[-1]
    assert 2 * count * (count + 1) * (1 + numbers.bit_length() // judge.WORD) ** 2 <= judge.MOST_WORK


def never(*_: Any) -> Any:
    raise AssertionError("this should have been refused before")


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (lambda: a_law([1] * 2000, [[[*range(k, 1900, k)], 1] for k in range(1, 40)]), "too much to compute"),
        (lambda: a_law([10**240] + [1] * 999, [[[k], 1] for k in range(1, 999)]), "too much to compute"),
        (lambda: a_law([1 + Fraction(1, p) for p in sp.primerange(2, 9000)], [[[], 1]]), "too large a common"),
    ],
    ids=["attempts", "digits", "denominators"],
)
def test_what_would_take_longer_is_refused_before(
    document: Callable[[], Document], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = document()
    for name in ("attempt", "cheapest"):
        monkeypatch.setattr(judge.Requests, name, never)
    with pytest.raises(Rejected, match=reason):
        check_document(own)


def test_an_interval_s_matrix_counts_as_work(spent: list[int]) -> None:
    check_document(written("minimax"))
    attempts = {(a, c) for own, _ in written("minimax")["plans"] for a, c in pairwise((0, *own, 7))}
    assert spent == [len(attempts) * 8, (len(attempts) + 8) * 8**2]


def test_a_certificate_that_the_checker_refuses_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    found = best("uniform(1, 6)", digits=4)
    assert of_law(found)["kind"] == "best"
    monkeypatch.setattr(judge, "MOST_WORK", 10)
    with pytest.raises(NotCertified, match="the checker refuses the certificate: too much to compute"):
        of_law(found)


def test_a_law_with_one_huge_weight_is_not_short() -> None:
    assert is_short(Empirical(dict.fromkeys(range(1, 1001), 1)))
    assert not is_short(Empirical({k: 10**90 if k == 1 else 1 for k in range(1, 1001)}))


def test_a_witness_is_judged_as_its_certificate() -> None:
    document = written("minimax")
    lengths, weights = zip(*document["law"], strict=True)
    kills = [[int(length in own) for length in lengths[:-1]] for own, _ in document["plans"]]
    shares = [share for _, share in document["plans"]]
    sizes = [o * (o + 1) // 2 for o in lengths]
    upper, places = Fraction(document["upper"]), document["places"]
    found = within_on_interval(sizes, list(map(Fraction, weights)), kills, shares, upper)
    assert Fraction(document["lower"]) <= found < Fraction(document["lower"]) + Fraction(1, 10**places)
    with pytest.raises(Rejected, match="not positive definite"):
        within_on_interval(sizes, list(map(Fraction, weights)), kills, shares, upper - Fraction(1, 10**9))


def test_a_law_with_gaps_is_none_of_the_worst_on_an_interval() -> None:
    document = of_law(best(Empirical({1: 3, 2: 2, 4: 1})))
    check_document(document)
    with pytest.raises(Rejected, match="must follow each other"):
        check_document(again({**document, "kind": "minimax", "upper": "9.000000000"}))


def test_the_best_mixture_at_another_law_is_not_good_for_all() -> None:
    document = {**written("best"), "kind": "minimax"}
    with pytest.raises(Rejected, match="not positive definite"):
        check_document(again(document))


def test_the_command_writes_what_the_checker_accepts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "best.json"
    assert main(["best", "uniform(1, 10)", "--certificate", str(file)]) == 0
    capsys.readouterr()
    done = subprocess.run([sys.executable, str(ROOT / "check"), str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "proved: 1.747650756 ≤ V ≤ 1.747650757 for a law of 10 lengths up to 10, s = 0" in done.stdout
    assert done.stdout.count("argued: ") == 2
    document = json.loads(file.read_text(encoding="utf-8"))
    document["lower"] = "1.747650757"
    file.write_text(json.dumps(again(document)), encoding="utf-8")
    done = subprocess.run([sys.executable, str(ROOT / "check"), str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "the price proves" in done.stdout and "proved:" not in done.stdout


BESIDE = (
    ("geometric(q=1/2)", 8, "53 lengths up to 53", "cut off at 53"),
    ("poisson(3)", 6, "22 lengths up to 22", "cut off at 22"),
    ("lognormal(2, 1/2, u=60)", 8, "60 lengths up to 60", "with rounded weights"),
    pytest.param(
        "pmf((9/10)**k, u=150)", 6, "150 lengths up to 150", "with rounded weights", marks=pytest.mark.exhaustive
    ),
)


@pytest.mark.parametrize(("law", "digits", "lengths", "said"), BESIDE)
def test_a_law_that_is_not_short_has_a_certificate_of_one_beside_it(
    law: str, digits: int, lengths: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "best.json"
    assert main(["best", law, "--digits", str(digits), "--certificate", str(file)]) == 0
    assert said in " ".join(capsys.readouterr().out.split())
    document = json.loads(file.read_text(encoding="utf-8"))
    assert lengths in check_document(document)[0].says
    lower, upper = Fraction(document["lower"]), Fraction(document["upper"])
    fine = best(law, digits=digits + 2).value
    assert lower <= fine.lower and fine.upper <= upper < lower * (1 + Fraction(2, 10 ** (digits - 1)))
    document["lower"] = decimals(document, "upper", 1)
    with pytest.raises(Rejected, match="the price proves"):
        check_document(again(document))


def test_what_is_longer_is_put_at_the_last_length() -> None:
    own = best("geometric(q=1/2)", digits=3)
    beside = near(own.bracket)
    assert own.bracket.lengths == tuple(beside) and sum(beside.values()) == own.bracket.high.survivors[0]
    last = max(beside)
    assert beside[last] > own.bracket.high.weights[last - 1] and beside[last - 1] == own.bracket.high.weights[last - 2]


def test_many_lengths_have_a_certificate() -> None:
    found = best("uniform(1, 450)", 3, digits=4)
    assert "450 lengths up to 450, s = 3" in check_document(of_law(found))[0].says
