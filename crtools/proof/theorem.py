"""``Theorem``: a statement, a reading and the steps that prove it. Checking it checks every step again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import methodcaller

import sympy as sp

from crtools.numeric_types import JsonObject
from crtools.proof.steps import Formula, Sentence, Step


@dataclass(frozen=True)
class StepResult:
    """A step and why it failed (None where it holds)."""

    step: Step
    failure: str | None

    @property
    def holds(self) -> bool:
        """Whether the step holds."""
        return self.failure is None

    def as_json(self, before: Sequence[str] = ()) -> JsonObject:
        """Return the step as JSON data; ``follows_from`` is left out where that is all the steps ``before`` it.

        ``formal`` is what another program needs to check a step that is a formula; ``said``: its text counts as a sentence.
        """
        step = self.step
        optional = {
            "formal": step.formal if self.holds else None,
            "follows_from": list(step.premises) if set(step.premises) != set(before) else None,
            "theorem": step.theorem.name if isinstance(step, Citation) else None,
            "uses": list(step.uses),
            "said": isinstance(step, Formula) and step.said,
            "failure": self.failure,
        }
        fields = {"step": step.name, "kind": type(step).__name__, "text": step.text, "latex": step.latex()}
        return {**fields, "holds": self.holds, **{name: value for name, value in optional.items() if value}}


by_itself: Callable[[Step], str | None] = methodcaller("check")
"""Returns why a step does not hold by its own check, None where it does."""


@dataclass(frozen=True)
class Theorem:
    """A statement (LaTeX), its reading (who is quantified how) and the steps that prove it.

    ``results`` re-checks every step once per object, by its ``judge``; ``holds`` says whether all of them hold. A theorem
    without steps, with two steps of one name, or with a step whose premises do not come before it, does not hold. A step
    that is no formula says in words why it follows; only the last one, which joins the others, may be its conclusion alone.
    """

    name: str
    statement: str
    reading: str
    steps: tuple[Step, ...]
    judge: Callable[[Step], str | None] = by_itself

    @cached_property
    def results(self) -> tuple[StepResult, ...]:
        """The steps with their outcomes, in order."""
        held: set[str] = set()
        results: list[StepResult] = []
        for step in self.steps:
            missing = [p for p in step.premises if p not in held]
            if step.name in {r.step.name for r in results}:
                failure: str | None = "a step of that name came before"
            elif isinstance(step, Sentence) and not step.text.strip() and step is not self.steps[-1]:
                failure = "it does not say why it follows: only the last step may be its conclusion alone"
            elif missing:
                failure = f"its premise {missing[0]!r} does not hold or does not come before it"
            else:
                try:
                    failure = self.judge(step)
                except (ArithmeticError, ValueError, TypeError, sp.PolynomialError) as error:
                    failure = f"the check does not apply: {error}"
            results.append(StepResult(step, failure))
            if failure is None:
                held.add(step.name)
        return tuple(results)

    @property
    def holds(self) -> bool:
        """Whether there are steps and every one holds."""
        return bool(self.steps) and all(r.holds for r in self.results)

    @property
    def first_failure(self) -> StepResult | None:
        """The first step that does not hold."""
        return next((r for r in self.results if not r.holds), None)

    @cached_property
    def _json(self) -> JsonObject:
        names = [step.name for step in self.steps]
        return {
            "theorem": self.name,
            "statement": self.statement,
            "reading": self.reading,
            "holds": self.holds,
            "steps": [result.as_json(names[:n]) for n, result in enumerate(self.results)],
        }

    def as_json(self) -> JsonObject:
        """Return the proof as JSON data, written once; an inference without ``follows_from`` rests on all the steps before it."""
        return self._json

    @property
    def records(self) -> tuple[JsonObject, ...]:
        """The proof as JSON data, followed by those that it cites and that these cite."""
        cited = (step.theorem for step in self.steps if isinstance(step, Citation))
        return (self.as_json(), *(record for theorem in cited for record in theorem.records))


@dataclass(frozen=True, kw_only=True)
class Citation(Step):
    """The statement of another theorem, which is proved there."""

    theorem: Theorem

    def check(self) -> str | None:
        """Check every step of the theorem that is cited."""
        failed = self.theorem.first_failure
        if failed is not None:
            return f"Theorem {self.theorem.name} fails at “{failed.step.name}”: {failed.failure}"
        return None if self.theorem.steps else f"Theorem {self.theorem.name} has no steps"

    def latex(self) -> str:
        """Return what is cited."""
        return self.theorem.statement


def formulas(steps: Sequence[Step]) -> str:
    """Return what a theorem states that states its formulas alone."""
    return r",\quad ".join(step.latex() for step in steps if isinstance(step, Formula))


@cache
def kept(theorem: Callable[[], Theorem]) -> Theorem:
    """Return a theorem that does not depend on what a claim is given; its steps are checked once in a process."""
    return theorem()
