"""``Proof`` builds a theorem step by step; a step rests on all steps before it unless it names some.

>>> from crtools.proof.symbols import n
>>> proof = Proof("odd numbers", "every n ≥ 1")
>>> _ = proof.telescoping("the increment of n²", 2 * n - 1, n**2, n)
>>> proof.therefore(r"\\sum_{k=1}^n (2k-1) = n^2").qed().holds
True
"""

from collections.abc import Callable
from typing import Any, Self

from crtools.numeric_types import SymObject
from crtools.proof import steps as kinds
from crtools.proof.steps import Argument, Bound, Step
from crtools.proof.theorem import Citation, Theorem


class Proof:
    """A proof being written. Methods add a step, ``add`` and ``cite`` any number, and return the proof; ``qed`` the theorem.

    A step's name is its number unless given.

    ``where`` of a sign are lower bounds of variables, such as ``i >= 1`` or ``b > 1``; a bound may contain the variables before
    it in the list. For a symbol that SymPy takes as positive write a pair ``(x, 0)``, and ``Bound(x, 0, True, 1)`` for 0 < x < 1.
    Anything else raises ``ValueError``. ``of`` names the steps that a conclusion rests on, by default all earlier ones. The text
    of a formula is a note, no sentence; a ``statement`` counts as a sentence unless it repeats the last conclusion or the formulas.
    """

    def __init__(self, name: str, reading: str, statement: str = "") -> None:
        self.name, self.reading, self.statement = name, reading, statement
        self.steps: list[Step] = []

    def add(self, *steps: Step) -> Self:
        """Add steps that are made elsewhere, for what no method makes."""
        self.steps += steps
        return self

    def _step(self, kind: type[Step], name: str, **fields: Any) -> Self:
        return self.add(kind(name=name or str(len(self.steps) + 1), **fields))

    def identity(self, text: str, lhs: SymObject, rhs: SymObject, *where: SymObject, name: str = "") -> Self:
        """Add the step that two rational functions are equal above the bounds; a divisor's variable without one is at least 1."""
        return self._step(kinds.Identity, name, text=text, lhs=lhs, rhs=rhs, where=tuple(map(_bound, where)))

    def positive(
        self,
        text: str,
        expr: SymObject,
        *where: SymObject,
        squares: tuple[SymObject, ...] = (),
        name: str = "",
        strict: bool = True,
    ) -> Self:
        """Add the step that a rational function is > 0 above the bounds, or ≥ 0 if not ``strict``."""
        bounds = tuple(map(_bound, where))
        return self._step(kinds.Positive, name, text=text, expr=expr, where=bounds, strict=strict, squares=squares)

    def nonnegative(
        self, text: str, expr: SymObject, *where: SymObject, squares: tuple[SymObject, ...] = (), name: str = ""
    ) -> Self:
        """Add the step that a rational function is ≥ 0 above the bounds."""
        return self.positive(text, expr, *where, squares=squares, name=name, strict=False)

    def telescoping(
        self,
        text: str,
        summand: SymObject,
        antidifference: SymObject,
        index: SymObject,
        *where: SymObject,
        name: str = "",
    ) -> Self:
        """Add the step that a sum telescopes: F(k) − F(k−1) = f(k), above the bounds, of which the index's is the last, or 1."""
        fields = {"summand": summand, "antidifference": antidifference, "index": index}
        return self._step(kinds.Telescoping, name, text=text, **fields, where=tuple(map(_bound, where)))

    def induction(
        self, text: str, lhs: SymObject, rhs: SymObject, index: SymObject, *, start: int = 1, name: str = ""
    ) -> Self:
        """Add the step that two expressions with finite sums are equal at every integer from ``start`` on."""
        return self._step(kinds.Induction, name, text=text, lhs=lhs, rhs=rhs, index=index, start=start)

    def integral(
        self,
        text: str,
        integrand: SymObject,
        over: tuple[SymObject, SymObject, SymObject],
        value: SymObject,
        *,
        name: str = "",
    ) -> Self:
        """Add the integral of a polynomial ``over`` (variable, low, high)."""
        v, low, high = over
        fields = {"integrand": integrand, "variable": v, "low": low, "high": high, "value": value}
        return self._step(kinds.PolynomialIntegral, name, text=text, **fields)

    def argued(
        self, conclusion: str, text: str, *, test: Callable[[], str | None], tested: str, name: str = ""
    ) -> Self:
        """Add a conclusion about every run of the process, argued in words; ``test`` looks at the small runs ``tested``."""
        return self._step(Argument, name, conclusion=conclusion, text=text, test=test, tested=tested)

    def computed(self, conclusion: str, text: str, compute: Callable[[], str | None], *, name: str = "") -> Self:
        """Add a step that exact numbers or balls decide; ``compute`` returns None where it holds, else why not."""
        return self._step(kinds.Computation, name, conclusion=conclusion, text=text, compute=compute)

    def cite(self, *theorems: Theorem) -> Self:
        """Add the statements of other theorems."""
        return self.add(*(Citation(name=theorem.name, theorem=theorem) for theorem in theorems))

    def therefore(
        self, conclusion: str, text: str = "", *, of: tuple[str, ...] = (), uses: tuple[str, ...] = (), name: str = ""
    ) -> Self:
        """Add a conclusion in words, with the theorems of the literature that it ``uses``."""
        of = of or tuple(step.name for step in self.steps)
        return self._step(kinds.Inference, name, conclusion=conclusion, text=text, premises=of, uses=uses)

    def qed(self) -> Theorem:
        """Return the theorem; where no statement was given, it is the last step's conclusion."""
        return Theorem(self.name, self.statement or self.steps[-1].latex(), self.reading, tuple(self.steps))


def _bound(given: SymObject) -> tuple[Any, ...]:
    """Return (variable, bound) of ``variable >= bound``, and whether it is above it."""
    if isinstance(given, tuple):
        return given
    if getattr(given, "rel_op", "") not in (">=", ">") or not given.lhs.is_Symbol:
        raise ValueError(f"{given} is not a bound of a variable from below, such as i >= 1, b > 1 or (x, 0)")
    return (given.lhs, given.rhs) if given.rel_op == ">=" else Bound(given.lhs, given.rhs, strict=True)
