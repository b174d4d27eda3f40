"""Every step of every proof is needed: without it, before what it rests on, or weakened, the proof is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import sympy as sp
from amount import part_and_all
from forged import Key, rejected, signed

from check import kernel, statements
from crtools.proof.builder import Proof
from crtools.proof.rules import proofs
from crtools.proof.steps import Identity, Induction, Positive, Telescoping
from crtools.proof.symbols import i, j, k, n

Documents = dict[Key, dict[str, Any]]
Step = dict[str, Any]


@pytest.fixture(scope="module")
def steps(documents: Documents) -> dict[str, list[Step]]:
    """The steps of every proof by its name; a proof is the same in all certificates that hold it."""
    found: dict[str, list[Step]] = {}
    for data in documents.values():
        for proof in data.get("proofs", ()):
            assert found.setdefault(proof["proof"], proof["steps"]) == proof["steps"]
    assert set(found) == set(statements.book().demands)
    return found


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that was accepted once is not computed again: proofs are changed in thousands of places."""
    kept: dict[str, kernel.Fact] = {}
    own = kernel.judge

    def remember(data: Any) -> kernel.Fact:
        key = json.dumps(data)
        if key not in kept:
            kernel.Work.left = kernel.MOST_WORK
            kept[key] = own(data)
        return kept[key]

    monkeypatch.setattr(kernel, "judge", remember)


def _cited(own: list[Step]) -> Any:
    return dict.fromkeys(str(step.get("proof")) for step in own)


def _refused(name: str, changed: list[Step], cites: Any) -> str | None:
    """The reason why a proof is refused that has these steps and may cite these proofs."""
    try:
        statements.shows(name, kernel.accept(changed, cites))
    except (kernel.Rejected, ZeroDivisionError) as error:
        return str(error)
    return None


def test_every_proof_shows_what_is_asked_for(steps: dict[str, list[Step]]) -> None:
    for name, own in steps.items():
        assert _refused(name, own, _cited(own)) is None, name


@pytest.mark.usefixtures("remembered")
def test_a_proof_with_one_step_removed_or_added_is_refused(steps: dict[str, list[Step]]) -> None:
    for name, own in steps.items():
        for at in range(len(own)):
            assert _refused(name, own[:at] + own[at + 1 :], _cited(own)), (name, at)
            assert _refused(name, [*own[: at + 1], *own[at:]], _cited(own)), (name, at)
            assert _refused(name, [*own[: at + 1], {**own[at], "step": "more"}, *own[at + 1 :]], _cited(own)), (
                name,
                at,
            )


@pytest.mark.usefixtures("remembered")
def test_a_proof_with_a_step_before_what_it_rests_on_is_refused(steps: dict[str, list[Step]]) -> None:
    tried = 0
    for name, own in steps.items():
        names = [step["step"] for step in own]
        for at, step in enumerate(own):
            for premise in step.get("of", ()):
                tried += 1
                rest = own[:at] + own[at + 1 :]
                place = names.index(premise)
                assert _refused(name, [*rest[:place], step, *rest[place:]], _cited(own)), (name, step["step"], premise)
            if step["rule"] == "cited":
                tried += 1
                reason = _refused(name, own, {key: None for key in _cited(own) if key != step["proof"]})
                assert reason is not None
                assert "does not come before it" in reason
    assert tried > 200


def test_a_proof_after_one_that_cites_it_is_refused(documents: Documents) -> None:
    tried = 0
    for data in documents.values():
        own = data.get("proofs", ())
        for at, proof in enumerate(own):
            cites = [step["proof"] for step in proof["steps"] if step["rule"] == "cited"]
            if cites:
                tried += 1
                first = min(n for n, other in enumerate(own) if other["proof"] in cites)
                moved = [*own[:first], proof, *own[first:at], *own[at + 1 :]]
                reason = rejected(signed(data, proofs=moved))
                assert reason is not None
                assert "does not come before it" in reason
    assert tried > 40


@pytest.mark.usefixtures("remembered")
@part_and_all("every", 12, 1)
def test_a_proof_with_one_step_weakened_is_refused(every: int, steps: dict[str, list[Step]]) -> None:
    """A coefficient, a sign, an index, a bound, a relation, a start, a premise: each changed alone.

    A few changes leave the same functions, such as another sign of an expression that is 0: these say the same. Where a
    step has its rule still, the proof is refused as the step is, or shows another fact than the one that is asked for.
    """
    tried = same = 0
    for name, own in [*steps.items()][::every]:
        facts = iter(statements.facts(name))
        for at, step in enumerate(own):
            wanted = next(facts) if step["rule"] in kernel.RULES else None
            for weak in (weak for weak in _weakened(step) if weak != step):
                tried += 1
                if wanted is None or weak.get("rule") != step["rule"]:
                    assert _refused(name, [*own[:at], weak, *own[at + 1 :]], _cited(own)), (name, step, weak)
                elif _shows(weak, wanted):
                    same += 1
                    assert _fact(weak).same(_fact(step)), (name, step, weak)
    assert tried > 5000 / every
    assert same < tried / 100


def _shows(step: Step, wanted: kernel.Fact) -> bool:
    kernel.Work.start()
    try:
        return _fact(step).same(wanted)
    except kernel.Rejected:
        return False


def _fact(step: Step) -> kernel.Fact:
    return kernel.judge({name: value for name, value in step.items() if name != "step"})


def _weakened(step: Step) -> Iterator[Step]:
    for field in ("left", "right", "expression", "summand", "total", "integrand", "value", "low", "high"):
        for text in _other_texts(step[field]) if field in step else ():
            yield {**step, field: text}
    for index, bound in enumerate(step.get("where", ())):
        relation = ">=" if ">=" in bound else ">"
        variable = bound.split(f" {relation} ")[-2].split(" > ")[-1]
        other_relation = bound.replace(f"{variable} {relation} ", f"{variable} {'>' if relation == '>=' else '>='} ")
        for other in (f"{bound} + 1", f"{bound} - 1", bound.replace(f"{variable} {relation}", f"{variable}x {relation}"),
                      other_relation, f"{bound} + 1000 > {bound}"):  # fmt: skip
            yield {**step, "where": [*step["where"][:index], other, *step["where"][index + 1 :]]}
        yield {**step, "where": [*step["where"][:index], *step["where"][index + 1 :]]}
    if "where" in step:
        yield {**step, "where": [*step["where"], "more >= 1"]}
    if step["rule"] == "sign":
        yield {**step, "relation": {">": ">=", ">=": ">"}[step["relation"]]}
        yield {**step, "relation": "<"}
        yield {**step, "squares": ["1000"]}
    for name in ("index", "variable"):
        if name in step:
            yield {**step, name: f"{step[name]}x"}
    if "start" in step:
        yield from ({**step, "start": start} for start in (step["start"] + 1, step["start"] - 1, 30))
    if step["rule"] != "computed":
        yield {"step": step["step"], "rule": "computed", "says": "so it is"}
    else:
        yield {**step, "rule": "argued", "of": []}
    yield {**step, "rule": "argued"}
    yield {**step, "rule": "proved"}
    yield {**step, "more": "1"}
    for name in step.keys() - {"step"}:
        yield {key: value for key, value in step.items() if key != name}
    if step["rule"] == "argued":
        yield from ({**step, "of": [*step["of"], name]} for name in (step["step"], "no such step", *step["of"][:1]))
    if "says" in step:
        yield {**step, "says": " "}


def _other_texts(text: str) -> Iterator[str]:
    """Iterate over an expression with a number more by one, a name by another, or with another sign or summand."""
    for found in list(re.finditer(r"\d+", text))[::3]:
        yield text[: found.start()] + str(int(found.group()) + 1) + text[found.end() :]
    for found in list(re.finditer(r"(?<=[^*]) [-+] ", text))[:3]:
        yield text[: found.start()] + {"+": " - ", "-": " + "}[found.group().strip()] + text[found.end() :]
    for found in list(re.finditer(r"\b[a-zA-Z]\w*\b(?!\()", text))[:3]:
        yield f"{text[: found.start()]}({found.group()} + 1){text[found.end() :]}"
    yield f"{text} + 1"
    if text != "0":
        yield f"-({text})"


def test_a_certificate_without_one_of_its_proofs_is_refused(documents: Documents) -> None:
    data = documents["lem-amin", "algorithm"]
    for at, proof in enumerate(data["proofs"]):
        assert rejected(signed(data, proofs=data["proofs"][:at] + data["proofs"][at + 1 :])) is not None
        assert rejected(signed(data, proofs=[*data["proofs"], proof])) is not None
    other = documents["trace", "form-at-zero"]["proofs"]
    assert rejected(signed(data, proofs=[*data["proofs"], *other])) is not None


# ---- the rules ------------------------------------------------------------------------------------------------------


def _checked(step: Any) -> kernel.Fact:
    assert step.formal is not None
    return _fact(step.formal)


def test_what_a_step_shows_is_what_a_statement_asks_for() -> None:
    def wanted(line: str) -> kernel.Fact:
        return kernel.read(kernel.formula(line))

    sign = _checked(Positive(name="", expr=j - i, where=((i, 1), (j, i)), strict=False))
    assert sign.same(wanted("i >= 1, j >= i: j - i >= 0"))
    for other in ("i >= 1, j >= i: j - i > 0", "i >= 0, j >= i: j - i >= 0", "j >= 1, i >= j: j - i >= 0", "j = i"):
        assert not sign.same(wanted(other))
    total = _checked(Telescoping(name="", summand=2 * k, antidifference=k * (k + 1), index=k))
    assert total.same(wanted("sum over k >= 1: 2*k = k**2 + k"))
    assert not total.same(wanted("sum over k >= 1: 2*k = k**2 + k + 1"))
    own: Any = sp.Sum(k, (k, 1, n))
    grown = _checked(Induction(name="", lhs=own, rhs=n * (n + 1) / 2, index=n))
    assert grown.same(wanted("for n >= 1: Sum(m, (m, 1, n)) = (n**2 + n)/2"))
    for other in ("for n >= 2: Sum(m, (m, 1, n)) = (n**2 + n)/2", "for n >= 1: Sum(m, (m, 0, n)) = (n**2 + n)/2"):
        assert not grown.same(wanted(other))


def test_what_is_in_words_is_counted_and_joins_earlier_steps() -> None:
    proof = Proof("p", "r").identity("", i, i).nonnegative("", i, i >= 0)
    theorem = proof.add(Identity(name="3", lhs=2 * i, rhs=i + i)).qed()
    [own] = proofs(theorem.records)
    assert [step["rule"] for step in own["steps"]] == ["identity", "sign", "identity", "argued"]
    assert own["steps"][-1]["of"] == ["1", "2", "3"]
    assert len(kernel.accept(own["steps"], {}).argued) == 1
    for changed, reason in (
        (own["steps"][:-1], "nothing follows"),
        ([*own["steps"][:-1], {**own["steps"][-1], "of": ["1", "2"]}], "nothing follows"),
        ([*own["steps"][:-1], {**own["steps"][-1], "of": ["1", "2", "2", "3"]}], "named twice"),
        ([], "one or more|1 or more"),
    ):
        with pytest.raises(kernel.Rejected, match=reason):
            kernel.accept(changed, {})
