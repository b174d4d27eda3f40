"""Each kind of step accepts what is true and rejects what is not; a theorem holds only if every step does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.errors import NotCertified
from crtools.ledger.evidence import by_theorem
from crtools.proof.builder import Proof
from crtools.proof.steps import (
    LITERATURE,
    Bound,
    Computation,
    Identity,
    Induction,
    Inference,
    PolynomialIntegral,
    Positive,
    Step,
    Telescoping,
)
from crtools.proof.theorem import Theorem

i, j, k, l, n, s, u = sp.symbols("i j k l n s u", integer=True)
v = sp.Symbol("v", positive=True)
HALF = sp.Rational(1, 2)
RATIONALS = st.fractions(min_value=-5, max_value=5, max_denominator=9)


def rational(q: Fraction) -> sp.Rational:
    return sp.Rational(q.numerator, q.denominator)


def holds(step: Step) -> bool:
    reason = step.check()
    assert reason is None or (isinstance(reason, str) and reason)
    return reason is None


# ---- Identity ---------------------------------------------------------------------------------------------------

SQUARE = Identity(name="square", lhs=(i + j) ** 2, rhs=i**2 + 2 * i * j + j**2)
FRACTIONS = Identity(name="fractions", lhs=1 / (2 * i - 1) + 1 / (2 * i + 1), rhs=4 * i / (4 * i**2 - 1))


@pytest.mark.parametrize("step", [SQUARE, FRACTIONS, Identity(name="0", lhs=0, rhs=i - i)])
def test_identity_accepts(step: Identity) -> None:
    assert holds(step)


@pytest.mark.parametrize(
    "changed",
    [
        replace(SQUARE, rhs=i**2 + sp.Rational(201, 100) * i * j + j**2),
        replace(SQUARE, rhs=i**2 - 2 * i * j + j**2),
        replace(SQUARE, lhs=(i + j + 1) ** 2),
        replace(SQUARE, lhs=(i + j) ** 2 + sp.Rational(1, 10**40)),
        replace(FRACTIONS, lhs=1 / (2 * i - 1) + 1 / (2 * i + 3)),
        replace(FRACTIONS, rhs=-FRACTIONS.rhs),
        Identity(name="numbers", lhs=sp.Rational(1, 3), rhs=sp.Rational(3333333333, 10**10)),
    ],
)
def test_identity_rejects(changed: Identity) -> None:
    assert not holds(changed)


@settings(max_examples=40, deadline=None)
@given(st.lists(RATIONALS, min_size=1, max_size=5), RATIONALS)
def test_identity_of_a_shifted_polynomial_holds_and_fails_with_a_residue(
    coefficients: list[Fraction], extra: Fraction
) -> None:
    shown = sum((rational(c) * (i + 1) ** p for p, c in enumerate(coefficients)), sp.Integer(0))
    step = Identity(name="p", lhs=shown / (i + 2), rhs=sp.expand(shown) / (i + 2))
    assert holds(step)
    assert holds(replace(step, lhs=step.lhs + rational(extra) / (i + 5))) == (extra == 0)


# ---- Positive ---------------------------------------------------------------------------------------------------

TRIANGLE = Positive(name="j > i − 1", expr=j - i + 1, where=((i, 1), (j, i)))


@pytest.mark.parametrize(
    "step",
    [
        TRIANGLE,
        Positive(name="quotient", expr=1 / (2 * k - 1) - 1 / (2 * k + 1), where=((k, 1),)),
        Positive(name="both signs turned", expr=(-1 - k) / (-2 - k), where=((k, 0),)),
        Positive(name="weak", expr=j - i, where=((i, 1), (j, i)), strict=False),
        Positive(name="weak zero", expr=k - k, where=((k, 1),), strict=False),
        Positive(name="squares", expr=k**2 - 2 * k + 2, where=((k, 0),), squares=(k - 1,)),
        Positive(name="a constant", expr=sp.Rational(1, 10**40), where=((k, 0),)),
    ],
)
def test_positive_accepts(step: Positive) -> None:
    assert holds(step)


@pytest.mark.parametrize(
    "changed",
    [
        replace(TRIANGLE, expr=j - i),  # 0 at i = j
        replace(TRIANGLE, expr=i - j + 1),
        replace(TRIANGLE, expr=j - sp.Rational(101, 100) * i + 1),
        replace(TRIANGLE, where=((i, 1), (j, i - 1))),
        replace(TRIANGLE, where=((j, 1),)),  # i has no bound
        replace(TRIANGLE, where=((i, 1),)),  # j has no bound
        replace(TRIANGLE, where=()),
        replace(TRIANGLE, expr=TRIANGLE.expr + s),  # s is free
        Positive(name="zero", expr=k - k, where=((k, 1),)),
        Positive(name="weak, negative", expr=j - i - sp.Rational(1, 10**40), where=((i, 1), (j, i)), strict=False),
        Positive(name="a pole at the bound", expr=1 / (k - 1), where=((k, 1),)),
        Positive(name="a pole at the bound, weak", expr=1 / (k - 1), where=((k, 1),), strict=False),
        Positive(name="a pole inside", expr=1 / (k - 3) ** 2, where=((k, 1),)),
        Positive(name="a negative denominator", expr=1 / (-k), where=((k, 1),)),
        Positive(name="squares that do not fit", expr=k**2 - 2 * k + 2, where=((k, 0),), squares=(k + 2,)),
        Positive(name="squares too large", expr=k**2 - 2 * k + 2, where=((k, 0),), squares=(2 * (k - 1),)),
        Positive(name="squares leave 0", expr=(k - 1) ** 2, where=((k, 0),), squares=(k - 1,)),
        Positive(name="no hint", expr=k**2 - 2 * k, where=((k, 0),)),
        Positive(name="negative at 2", expr=k**2 - 4 * k + sp.Rational(39, 10), where=((k, 0),), squares=(k - 2,)),
    ],
    ids=lambda step: step.name,
)
def test_positive_rejects(changed: Positive) -> None:
    assert not holds(changed)


def test_positive_is_not_fooled_by_the_order_of_its_bounds() -> None:
    """J ≥ i, i ≥ −1 is the same range in either order: j − i is 0 on its boundary."""
    for where in (((i, -1), (j, i)), ((j, i), (i, -1))):
        assert Positive(name="order", expr=j - i, where=where).check() is not None


def test_positive_is_not_fooled_by_a_second_bound_or_an_imaginary_square() -> None:
    assert Positive(name="two bounds", expr=k - 2, where=((k, 1), (k, 2))).check() is not None
    with pytest.raises(ValueError, match="no rational function with exact numbers"):
        Positive(name="i²", expr=sp.Integer(-1), where=((k, 0),), squares=(2 * sp.I,)).check()


@settings(max_examples=60, deadline=None)
@given(st.lists(RATIONALS, min_size=1, max_size=4), st.integers(-3, 3))
def test_positive_never_accepts_what_is_not_positive(coefficients: list[Fraction], low: int) -> None:
    expr = sum((rational(c) * k**p for p, c in enumerate(coefficients)), sp.Integer(0))
    if holds(Positive(name="p", expr=expr, where=((k, low),))):
        for at in range(low, low + 30):
            assert sum(c * at**p for p, c in enumerate(coefficients)) > 0


@settings(max_examples=40, deadline=None)
@given(st.lists(st.fractions(0, 5, max_denominator=9), min_size=1, max_size=4), st.integers(-3, 3))
def test_positive_accepts_nonnegative_coefficients_at_the_bound(coefficients: list[Fraction], low: int) -> None:
    expr = sp.expand(1 + sum((rational(c) * (k - low) ** p for p, c in enumerate(coefficients)), sp.Integer(0)))
    assert holds(Positive(name="p", expr=expr, where=((k, low),)))
    assert not holds(Positive(name="p", expr=-expr, where=((k, low),)))


# ---- Telescoping ------------------------------------------------------------------------------------------------

SQUARES = Telescoping(name="Σ k²", summand=k**2, antidifference=k * (k + 1) * (2 * k + 1) / 6, index=k)
SPLIT = Telescoping(name="1/(k(k+1))", summand=1 / (k * (k + 1)), antidifference=-1 / (k + 1), index=k)


@pytest.mark.parametrize("step", [SQUARES, SPLIT, replace(SQUARES, antidifference=SQUARES.antidifference + i)])
def test_telescoping_accepts(step: Telescoping) -> None:
    assert holds(step)


@pytest.mark.parametrize(
    "changed",
    [
        replace(SQUARES, summand=sp.Rational(101, 100) * k**2),
        replace(SQUARES, summand=-(k**2)),
        replace(SQUARES, summand=(k + 1) ** 2),
        replace(SQUARES, antidifference=(k - 1) * k * (2 * k - 1) / 6),
        replace(SQUARES, antidifference=SQUARES.antidifference + k),
        replace(SQUARES, index=i),
        replace(SPLIT, antidifference=-1 / k),
        replace(SPLIT, antidifference=1 / (k + 1)),
    ],
)
def test_telescoping_rejects(changed: Telescoping) -> None:
    assert not holds(changed)


@settings(max_examples=40, deadline=None)
@given(st.lists(RATIONALS, min_size=1, max_size=4), st.integers(-3, 3), st.integers(0, 6))
def test_an_accepted_telescoping_gives_the_sum(coefficients: list[Fraction], low: int, size: int) -> None:
    big = sum((rational(c) * k**p for p, c in enumerate(coefficients)), sp.Integer(0))
    step = Telescoping(name="F", summand=sp.expand(big - big.subs(k, k - 1)), antidifference=big, index=k)
    assert holds(step)
    total = sum(step.summand.subs(k, at) for at in range(low, low + size))
    assert total == big.subs(k, low + size - 1) - big.subs(k, low - 1)


# ---- Induction --------------------------------------------------------------------------------------------------

TRIANGULAR = Induction(name="Σ k", lhs=sp.Sum(k, (k, 1, n)), rhs=n * (n + 1) / 2, index=n)
SHIFTED = Induction(name="two sums", lhs=sp.Sum(1 / k, (k, 1, n)), rhs=1 + sp.Sum(1 / (i + 1), (i, 1, n - 1)), index=n)
FROM_FOUR = Induction(name="from 4", lhs=sp.Sum(2 * k, (k, 4, n)), rhs=n * (n + 1) - 12, index=n, start=4)


@pytest.mark.parametrize("step", [TRIANGULAR, SHIFTED, FROM_FOUR], ids=lambda step: step.name)
def test_induction_accepts(step: Induction) -> None:
    assert holds(step)


@pytest.mark.parametrize(
    "changed",
    [
        replace(TRIANGULAR, rhs=n * (n + 1) / 2 + 1),  # right increments, wrong base
        replace(TRIANGULAR, rhs=n),  # right base, wrong increments
        replace(TRIANGULAR, rhs=sp.Rational(101, 200) * n * (n + 1)),
        replace(TRIANGULAR, rhs=-TRIANGULAR.rhs),
        replace(TRIANGULAR, rhs=n * (n - 1) / 2),
        replace(TRIANGULAR, lhs=sp.Sum(k, (k, 1, n - 1))),  # a boundary term
        replace(TRIANGULAR, lhs=sp.Sum(k, (k, 2, n))),
        replace(TRIANGULAR, lhs=sp.Sum(k, (k, 1, 2 * n))),
        replace(TRIANGULAR, lhs=sp.Sum(n, (k, 1, n))),
        replace(SHIFTED, rhs=1 + sp.Sum(1 / (i + 1), (i, 1, n))),
        replace(SHIFTED, rhs=sp.Sum(1 / (i + 1), (i, 1, n - 1))),
        replace(FROM_FOUR, start=3, rhs=n * (n + 1) - 12 + 1),
        replace(FROM_FOUR, rhs=n * (n + 1) - 8),
    ],
)
def test_induction_rejects(changed: Induction) -> None:
    assert not holds(changed)


@pytest.mark.parametrize("power", [3, 12, 20, 30, 40, 100])
def test_induction_sees_a_base_case_that_is_off_by_little(power: int) -> None:
    for sign in (1, -1):
        wrong = replace(TRIANGULAR, rhs=TRIANGULAR.rhs + sp.Rational(sign, 10**power))
        assert wrong.check() is not None, power


def test_induction_does_not_count_the_terms_of_an_empty_range() -> None:
    """Σ_{k=5}^{n} 1 is 0 at n = 1, 2, 3, 4: it is not n − 1 although base and naive increments agree."""
    assert Induction(name="empty", lhs=sp.Sum(1, (k, 5, n)), rhs=n - 1, index=n).check() is not None
    late = sp.Sum(1 / k, (k, 4, n)) - (sp.Sum(1 / k, (k, 1, n)) - 1)
    assert Induction(name="late", lhs=late, rhs=sp.Integer(0), index=n).check() is not None


@pytest.mark.parametrize("gap", [1, 2, 3])
@pytest.mark.parametrize(("low", "offset"), [(1, 0), (5, 0), (1, -2), (-3, 2), (4, 1)])
def test_induction_begins_where_no_range_is_inverted(low: int, offset: int, gap: int) -> None:
    """Σ_{k=low}^{n+offset} 1 is 0 up to n = low − offset − 1, where n − start is not."""
    start = low - offset - 1 - gap
    step = Induction(name="late", lhs=sp.Sum(1, (k, low, n + offset)), rhs=n - start, index=n, start=start)
    assert not holds(step)
    assert holds(replace(step, rhs=n + offset - low + 1, start=start + gap))


@settings(max_examples=30, deadline=None)
@given(st.lists(RATIONALS, min_size=1, max_size=3), st.integers(0, 4), RATIONALS)
def test_an_accepted_induction_gives_the_sum(coefficients: list[Fraction], start: int, constant: Fraction) -> None:
    term = sum((rational(c) * k**p for p, c in enumerate(coefficients)), sp.Integer(0))
    closed = sp.summation(term, (k, start, n)) + rational(constant)
    step = Induction(name="Σ", lhs=sp.Sum(term, (k, start, n)), rhs=closed, index=n, start=start)
    assert holds(step) == (constant == 0)


# ---- PolynomialIntegral -----------------------------------------------------------------------------------------

LINEAR = PolynomialIntegral(name="∫ v", integrand=v, variable=v, low=0, high=i, value=i**2 / 2)
GRAM = PolynomialIntegral(
    name="Gram",
    integrand=12 * v * (1 - v / i) * (1 - v / j) / (i * j),
    variable=v,
    low=0,
    high=i,
    value=2 * i / j - (i / j) ** 2,
)


@pytest.mark.parametrize("step", [LINEAR, GRAM, replace(LINEAR, low=1, value=(i**2 - 1) / 2)])
def test_integral_accepts(step: PolynomialIntegral) -> None:
    assert holds(step)


@pytest.mark.parametrize(
    "changed",
    [
        replace(LINEAR, value=sp.Rational(101, 200) * i**2),
        replace(LINEAR, value=-LINEAR.value),
        replace(LINEAR, low=1),
        replace(LINEAR, high=i + 1),
        replace(LINEAR, integrand=v**2),
        replace(LINEAR, integrand=v + 1),
        replace(GRAM, value=2 * i / j - 2 * (i / j) ** 2),
        replace(GRAM, high=j),
        replace(GRAM, integrand=GRAM.integrand.subs(j, j + 1)),
    ],
)
def test_integral_rejects(changed: PolynomialIntegral) -> None:
    assert not holds(changed)


# ---- Inference and Theorem --------------------------------------------------------------------------------------

AFTER = Inference(name="so", conclusion="C", premises=("square", "Σ k²"), uses=("Abel summation",))
WHOLE = Theorem("T", "C", "for all", (SQUARE, SQUARES, AFTER))
FALSE = replace(SQUARE, rhs=SQUARE.rhs + 1)


def test_inference_rests_on_something_and_cites_the_closed_list() -> None:
    assert holds(AFTER)
    assert not holds(replace(AFTER, premises=()))
    assert not holds(replace(AFTER, uses=("Fermat's last theorem",)))
    assert not holds(replace(AFTER, uses=("Abel summation", "it is well known")))
    assert holds(replace(AFTER, uses=LITERATURE))


def test_a_theorem_with_true_steps_holds_and_names_what_it_uses() -> None:
    assert WHOLE.holds
    assert WHOLE.first_failure is None
    assert by_theorem(WHOLE).uses == ("Abel summation",)


@pytest.mark.parametrize(
    ("steps", "failing"),
    [
        ((SQUARE, SQUARES, SQUARE, AFTER), "square"),
        ((SQUARE, SQUARES, replace(SQUARES, name="square"), AFTER), "square"),
        ((SQUARE, AFTER), "so"),  # a premise is missing
        ((AFTER, SQUARE, SQUARES), "so"),  # its premises come later
        ((FALSE, SQUARES, AFTER), "square"),
        ((SQUARE, SQUARES, replace(AFTER, premises=("so",))), "so"),
        ((SQUARE, SQUARES, replace(AFTER, uses=("folklore",))), "so"),
    ],
    ids=["duplicate", "one name twice", "missing", "late", "failed", "circular", "uncitable"],
)
def test_a_theorem_rejects(steps: tuple[Step, ...], failing: str) -> None:
    theorem = Theorem("T", "C", "for all", steps)
    assert not theorem.holds
    assert theorem.first_failure is not None
    assert theorem.first_failure.step.name == failing


def test_a_theorem_that_held_is_not_given_other_steps() -> None:
    assert WHOLE.holds
    with pytest.raises(FrozenInstanceError):
        WHOLE.steps = (FALSE,)  # pyright: ignore[reportAttributeAccessIssue]


def test_a_theorem_without_steps_does_not_hold() -> None:
    assert not Theorem("T", "C", "for all", ()).holds


def test_what_rests_on_a_failed_step_fails_too() -> None:
    last = Inference(name="last", conclusion="D", premises=("so",))
    theorem = Theorem("T", "D", "for all", (FALSE, SQUARES, AFTER, last))
    assert [r.holds for r in theorem.results] == [False, True, False, False]
    assert "'so'" in (theorem.results[3].failure or "")


def _chain() -> tuple[Step, ...]:
    return (SQUARE, TRIANGLE, SQUARES, TRIANGULAR, GRAM, AFTER)


@pytest.mark.parametrize("make", [_chain, lambda: (FALSE, *_chain()[1:])], ids=["true", "false"])
def test_a_theorem_is_json(make: Callable[[], tuple[Step, ...]]) -> None:
    theorem = Theorem("T", "C", "for all", make())
    data = json.loads(json.dumps(theorem.as_json(), allow_nan=False))
    assert data["theorem"] == "T"
    assert data["reading"] == "for all"
    assert data["holds"] is theorem.holds
    assert [step["step"] for step in data["steps"]] == [step.name for step in theorem.steps]
    assert [step["kind"] for step in data["steps"]] == [type(step).__name__ for step in theorem.steps]
    assert all(isinstance(step["latex"], str) and step["latex"] for step in data["steps"])
    assert all(("failure" in step) is not step["holds"] for step in data["steps"])
    assert data["steps"][-1]["follows_from"] == list(AFTER.premises)
    assert data["steps"][-1]["uses"] == ["Abel summation"]


def test_a_computation_holds_where_its_enclosure_is_reached() -> None:
    def not_reached() -> str | None:
        raise NotCertified("too wide")

    for compute, failure in ((lambda: None, None), (lambda: "above", "above"), (not_reached, "too wide")):
        assert Computation(name="1", conclusion="x < 1", compute=compute).check() == failure


# ---- the kernel judges ----------------------------------------------------------------------------------------------

UNDEFINED = [
    Induction(
        name="Σ over a pole",
        lhs=sp.Sum(1 / ((k - 5) * (k - 6)), (k, 1, n)),
        rhs=-sp.Rational(1, 5) - 1 / (n - 5),
        index=n,
    ),
    Positive(
        name="a sign with a gap", expr=sp.Mul(n - 5, 1 / (n - 5), evaluate=False) + 1 / (n - 5) ** 2, where=((n, 1),)
    ),
    Positive(name="a pole at the bound", expr=(v**2 + 1) / (v - 1) ** 2, where=((v, 1),)),
    Telescoping(name="a sum over a pole", summand=1 / ((k - 5) * (k - 6)), antidifference=-1 / (k - 5), index=k),
    Telescoping(name="F at 0", summand=1 / (k * (k - 1)), antidifference=-1 / k, index=k, where=((k, 1),)),
    Identity(name="no range", lhs=1 / (n - 5), rhs=1 / (n - 5)),
    Identity(name="at the bound", lhs=1 / s, rhs=1 / s, where=((s, 0),)),
    PolynomialIntegral(name="a pole beside", integrand=v / i, variable=v, low=0, high=i, value=i / 2, where=((i, 0),)),
]


@pytest.mark.parametrize("step", UNDEFINED, ids=lambda step: step.name)
def test_what_is_undefined_somewhere_in_its_range_does_not_hold(step: Step) -> None:
    reason = step.check()
    assert reason is not None
    assert "may be 0 where it is divided by" in reason


@pytest.mark.parametrize(
    "step",
    [
        Induction(name="", lhs=sp.Sum(1 / (k * (k + 1)), (k, 1, n)), rhs=1 - 1 / (n + 1), index=n),
        Positive(name="", expr=(v**2 + 1) / (v - 1) ** 2, where=((v, 1, True),)),
        Positive(name="", expr=v * (1 - v), where=(Bound(v, 0, strict=True, high=1),)),
        Telescoping(name="", summand=1 / (k * (k - 1)), antidifference=-1 / k, index=k, where=((k, 2),)),
        Identity(name="", lhs=1 / (n - 5), rhs=1 / (n - 5), where=((n, 6),)),
        Identity(name="", lhs=1 / s, rhs=1 / s),
    ],
    ids=lambda step: type(step).__name__,
)
def test_and_holds_where_the_range_leaves_that_out(step: Step) -> None:
    assert step.check() is None


def test_two_variables_of_one_name_are_not_taken_for_one() -> None:
    one, other = sp.Symbol("x"), sp.Symbol("x", positive=True)
    for step in (
        Identity(name="", lhs=one, rhs=other),
        Positive(name="", expr=1 + one - other, where=((one, 0), (other, 0))),
    ):
        with pytest.raises(ValueError, match="two variables have the name x"):
            step.check()
    dummy = sp.Dummy("n")
    with pytest.raises(ValueError, match="two variables"):
        Identity(name="", lhs=sp.Symbol("n_"), rhs=dummy).check()


@pytest.mark.parametrize("value", [sp.pi, sp.I, sp.oo, sp.zoo, sp.nan, sp.sqrt(2), sp.Float(1.5)], ids=str)
def test_what_is_no_rational_number_is_not_taken_for_a_variable(value: sp.Expr) -> None:
    step = Identity(name="", lhs=value, rhs=value)
    assert step.formal is None
    with pytest.raises(ValueError, match="rational function"):
        step.check()


def test_a_name_that_the_kernel_does_not_read_is_spelled_for_it() -> None:
    greek, long, word = sp.symbols("ρ a_very_long_name lambda")
    assert holds(
        Identity(
            name="", lhs=(greek + long + word) ** 2 - (greek + long) ** 2, rhs=word * (2 * greek + 2 * long + word)
        )
    )
    assert not holds(Identity(name="", lhs=greek, rhs=long))
    assert Identity(name="", lhs=word, rhs=word).formal == {
        "rule": "identity",
        "where": [],
        "left": "lambda_",
        "right": "lambda_",
    }


@settings(max_examples=60, deadline=None)
@given(st.lists(RATIONALS, min_size=1, max_size=4), st.lists(RATIONALS, min_size=1, max_size=4), st.booleans())
def test_sympy_is_of_the_same_opinion(above: list[Fraction], below: list[Fraction], equal: bool) -> None:
    """A second implementation of the algebra: where the kernel accepts an identity, SymPy cancels its difference, and else not."""
    top, under = (
        sum((rational(c) * (i - 1) ** p for p, c in enumerate(part)), sp.Integer(0)) for part in (above, below)
    )
    one = top / (1 + under**2 + i**2)
    other = sp.expand(top) / sp.expand(1 + under**2 + i**2) + (0 if equal else rational(above[0]) / (i + 1))
    reason = Identity(name="", lhs=one, rhs=other).check()
    if reason is None or "the two sides differ" in reason:
        assert (reason is None) == (sp.cancel(sp.together(one - other)) == 0)


def test_only_the_last_step_in_words_may_be_its_conclusion_alone() -> None:
    joined = Proof("p", "every n").identity("a", n + n, 2 * n).therefore("so it is")
    assert joined.qed().holds
    more = joined.therefore("and more").qed()
    assert not more.holds
    failure = more.first_failure
    assert failure is not None and failure.failure is not None and "does not say why" in failure.failure


@pytest.mark.parametrize("words", ["\u200b", "\u2060", "\x1b[2K", "a\nb", "  "])
def test_words_that_nobody_can_read_are_none(words: str) -> None:
    proof = Proof("p", "every n").identity("a", n + n, 2 * n)
    assert not proof.therefore(words, "text").qed().holds
    for text in {words} - {"  "}:
        assert not Proof("q", "every n").identity("a", n, n).therefore("so", text).qed().holds
    said = Proof("r", "every n").argued("so", words, test=lambda: None, tested="nothing").qed()
    assert not said.holds
