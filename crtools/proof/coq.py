"""Proofs as Coq files: a lemma over the reals for each step that is a formula.

Coq's kernel accepts a lemma or does not; nothing here is taken on trust, and nothing that the steps' own checks compute
is used. What is said in words (inferences, arguments) has no lemma and stands as a comment. ``Prelude.v`` is written by
hand: finite sums, and tactics for equalities and signs of rational functions.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import sympy as sp
from sympy.printing.precedence import precedence
from sympy.printing.str import StrPrinter

from crtools.expressions import arguments
from crtools.files import FOLDER, output_folder, refused, write_whole
from crtools.numeric_types import SymObject, SymPoly
from crtools.proof.accepted import AXIOMS, PRELUDE, by_hand, digest, packed, sha256, stated_in
from crtools.proof.steps import Formula, Identity, Induction, PolynomialIntegral, Positive, Step, Telescoping
from crtools.proof.theorem import Citation, StepResult, Theorem

LIBRARY = "Crtools"

TO_ACCEPT, DIGESTS, ASSUMPTIONS = "to-accept.json", "digests", "Assumptions.v"


# ---- folders --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Development:
    """The theorems of a text, for the file ``name``.v, by their names there; files written by hand that use them, by their names.

    The ``Makefile`` compiles all files as they were written, and asks what their theorems rest on (``Print Assumptions``). Where coqc
    accepts every one, and they rest on AXIOMS alone, what was to be accepted becomes the record of what is.
    """

    name: str
    theorems: Mapping[str, Theorem]
    by_hand: Mapping[str, str]

    @cached_property
    def steps_by_lemma(self) -> dict[str, Step]:
        """The steps that are lemmas, by the full name of the lemma."""
        numbered = ((name, *step) for name, each in self.theorems.items() for step in enumerate(each.steps, start=1))
        return {f"{self.name}.{name}.{lemma_name(at, step)}": step for name, at, step in numbered if _writer(step)}

    @cached_property
    def files(self) -> dict[str, str]:
        """The text of every file by its name: prelude, lemmas, files by hand, and what ``make`` needs.

        Raises ``ValueError`` for a step that cannot be a lemma.
        """
        handwritten = {PRELUDE: packed(PRELUDE), **self.by_hand}
        generated = {f"{self.name}.v": theorems_file(self.theorems)} if self.theorems else {}
        record = {
            "coq": "VERSION",
            "by_hand": sha256(handwritten),
            "generated": sha256(generated),
            "steps": sorted({digest(StepResult(step, None).as_json()) for step in self.steps_by_lemma.values()}),
        }
        project = "\n".join([f"-R . {LIBRARY}", *handwritten, *generated, ""])
        texts = {**handwritten, **generated, ASSUMPTIONS: self.questions}
        return {
            **texts,
            DIGESTS: "".join(f"{digest}  {name}\n" for name, digest in sha256(texts).items()),
            "_CoqProject": project,
            TO_ACCEPT: json.dumps(record, indent=1) + "\n",
            "Makefile": packed("Makefile").replace("AXIOMS", "|".join(AXIOMS)),
        }

    @property
    def questions(self) -> str:
        """Coq's questions on which axioms a file rests: for the lemmas of its steps, or its theorems below a comment."""
        results = {file: [stated.name for _, stated in stated_in(file, text)] for file, text in self.by_hand.items()}
        if self.theorems:
            results[self.name] = list(self.steps_by_lemma)
        lines = [f"From {LIBRARY} Require {' '.join(file.removesuffix('.v') for file in results)}."]
        for number, names in enumerate(results.values()):
            all_of = "".join(f"(@{name}, " for name in names) + "tt" + ")" * len(names)
            lines.append(f"Definition all_{number} := {all_of}.\nPrint Assumptions all_{number}.")
        return "\n".join([*lines, ""])

    def write(self, argument: str, folder: str | Path) -> Path:
        """Write the files, each whole or not at all, and return the folder; ``InputError`` where that fails."""
        path = output_folder(argument, folder)
        with refused(argument, folder, FOLDER):
            write_whole({path / name: text.encode() for name, text in self.files.items()})
        return path


def developed(package: str) -> Development:
    """Return the lemmas of the theorems of a package's module ``theory``, and the files written by hand in its folder ``coq``.

    The theorems are those without parameters, and the instances that the text names.
    """
    text = import_module(f"{package}.theory").TEXT
    theorems = {identifier(name): text.theorem(name) for name in text.names}
    with_lemmas = {name: theorems[name] for name in sorted(theorems) if lemmas(theorems[name])}
    return Development(text.theory.name.replace("-", "_"), with_lemmas, by_hand(files(package) / "coq"))


def identifier(name: str) -> str:
    """Return a name as Coq's: letters, digits and _; a letter of another alphabet by the last word of its Unicode name."""
    letters = (c if c.isascii() else f" {unicodedata.name(c, 'x').split(' ')[-1].lower()} " for c in name)
    return re.sub(r"\W+", "_", "".join(letters)).strip("_")


def theorems_file(theorems: Mapping[str, Theorem]) -> str:
    """Return the lemmas of theorems as the text of a Coq file, a module for each theorem."""
    modules = [f"From {LIBRARY} Require Import Prelude.\n"]
    for name, theorem in theorems.items():
        steps = (_entry(number, step) for number, step in enumerate(theorem.steps, start=1))
        head = f"{_comment(f'{theorem.name}: {theorem.reading}')}\nModule {name}.\n"
        modules.append("\n".join([head, *steps, f"End {name}.\n"]))
    return "\n".join(modules)


def lemma_name(number: int, step: Step) -> str:
    """Return the name of a step's lemma: with its own name where that is a word, else with its number."""
    return f"step_{step.name if re.fullmatch('[A-Za-z]+', step.name) else number}"


def lemmas(theorem: Theorem) -> int:
    """Return how many steps of a theorem are lemmas."""
    return sum(_writer(step) is not None for step in theorem.steps)


# ---- lemmas ---------------------------------------------------------------------------------------------------------


def _entry(number: int, step: Step) -> str:
    if isinstance(step, Citation):
        return f"{_comment(f'Cited: {step.theorem.name}')}\n"
    write = _writer(step)
    if write is None:
        why = "No lemma" if isinstance(step, Formula) else "In words"
        return f"{_comment(f'{why}: {step.text or step.latex()}')}\n"
    return f"{_comment(step.text or step.name)}\n{write(lemma_name(number, step), step)}"


def _stated(name: str, variables: str, premises: Iterable[str], conclusion: str, script: Iterable[str]) -> str:
    bound = f"forall {variables}, " if variables else ""
    statement = " -> ".join([*premises, conclusion])
    return "\n  ".join([f"Lemma {name} : {bound}\n    {statement}.\nProof.", *script]) + "\nQed.\n"


def _identity(name: str, step: Identity) -> str:
    lhs, rhs = sp.sympify(step.lhs), sp.sympify(step.rhs)
    return _stated(name, _reals(lhs, rhs), _defined(lhs, rhs), f"{_text(lhs)} = {_text(rhs)}", ["intros. equal."])


def _positive(name: str, step: Positive) -> str:
    where = [(v, sp.sympify(low)) for v, low, *_ in step.where]
    variables = [v for v, _ in where]
    if sp.sympify(step.expr).free_symbols - set(variables):
        raise ValueError(f"{step.expr} has a variable without a bound")

    def shifted(part: SymObject) -> SymObject:
        for v, bound in reversed(where):
            part = part.xreplace({v: bound + v})
        return part

    expr, squares = sp.sympify(step.expr), [sp.sympify(q) for q in step.squares]
    remainder = shifted(sp.Add(expr, *(-(q**2) for q in squares)))
    above, below = _quotient(remainder, variables)
    kept = " + ".join(f"({_text(shifted(q))}) ^ 2" for q in squares) or "0"
    divisors = denominators(expr, *(bound for _, bound in where))
    at_bounds = [d for d in divisors if _quotient(shifted(d), variables)[0].eval(dict.fromkeys(variables, 0)) == 0]
    kind, relation, tactic = ("positive", "<", "positive") if step.strict else ("nonnegative", "<=", "nonnegative")
    script = [
        "intros.",
        *(f"shift {_text(v)} ({_text(bound)})." for v, bound in reversed(where)),
        *(tactic for d in divisors if d not in at_bounds for tactic in _not_zero(shifted(d), variables)),
        f"apply (by_quotient_{kind} ({_polynomial(above)}) ({_polynomial(below)}) ({kept})).",
        f"- {tactic}.",
        "- positive.",
        "- nonnegative.",
        "- intros. equal.",
    ]
    premises = [*(f"{_text(bound)} <= {_text(v)}" for v, bound in where), *_defined(*(1 / d for d in at_bounds))]
    return _stated(name, _reals(*variables), premises, f"0 {relation} {_text(expr)}", script)


def _telescoping(name: str, step: Telescoping) -> str:
    f, big, k = sp.sympify(step.summand), sp.sympify(step.antidifference), step.index

    def at_index(expr: SymObject) -> str:
        return _text(expr.xreplace({k: sp.Symbol(f"INR {k}")}))

    defined = _defined(*(at.xreplace({k: sp.Symbol(f"INR {k}")}) for at in (f, big, big.xreplace({k: k - 1}))))
    everywhere = f"(forall {k} : nat, (first <= {k} <= last)%nat -> " + " /\\ ".join(defined) + ")"
    return _stated(
        name,
        f"{_reals(f, big, without=k)} (first last : nat)".strip(),
        [f"let F := fun {k} => {_text(big)} in\n    (first <= S last)%nat", *([everywhere] if defined else [])],
        f"Sum (fun {k} => {at_index(f)}) first last = F (INR last) - F (INR first - 1)",
        ["intros. apply Sum_telescopes; [assumption |].", "intros k_ K. subst F. at_index K. cbn beta. equal."],
    )


def _induction(name: str, step: Induction) -> str:
    n, sides = step.index, [sp.sympify(side) for side in (step.lhs, step.rhs)]
    expressions = sorted({expression for side in sides for expression in side.atoms(sp.Sum)}, key=str)
    sums = [_FiniteSum(expression, n, step.start) for expression in expressions]
    first = max([step.start, *(term.low - 1 - term.offset for term in sums)])  # from there on one term more at a time
    named = {term.expression: sp.Symbol(f"Sum {term.arguments(str(n))}") for term in sums}
    equation = " = ".join(_text(side.xreplace(named).xreplace({n: sp.Symbol(f"INR {n}")})) for side in sides)
    outside = [side.xreplace(dict.fromkeys(named, sp.Dummy())) for side in sides]
    next_to = [part.xreplace({n: n + 1}) for part in outside] + [term.next_term for term in sums]
    real = sp.Symbol("x_")
    under = (d.xreplace({n: first + real}) for d in denominators(*outside, *next_to))
    return _stated(
        name,
        f"{_reals(*sides, without=n)} ({n} : nat)".strip(),
        [f"({step.start} <= {n})%nat"],
        equation,
        [
            "intros *. intro B.",
            *(f"destruct (Nat.eq_dec {n} {at}) as [-> | N{at}]; [at_number |]." for at in range(step.start, first)),
            f"assert ({first} <= {n})%nat as L by lia. clear - L.",
            f"revert {n} L. apply (from_start (fun {n} => {equation})).",
            "- at_number.",
            f"- intros {n} B I. apply (by_increment _ _ _ _ I). clear I.",
            *(f"  rewrite (Sum_last {term.arguments(str(n))} {term.end(f'S {n}')}) by lia." for term in sums),
            f"  at_next {n}. apply le_INR in B. rewrite (INR_IZR_INZ {first}) in B. cbn in B.",
            f"  revert B. generalize (INR {n}). intros {real} B. shift {real} {first}.",
            *(f"  {tactic}" for d in under for tactic in _not_zero(d, [real])),
            "  equal.",
        ],
    )


class _FiniteSum:
    """A sum from a number to n + offset, n ≥ start; ``ValueError`` unless both are natural numbers."""

    def __init__(self, total: SymObject, n: SymObject, start: int) -> None:
        (i, low, high), offset = total.limits[0], sp.expand(total.limits[0][2] - n)
        if len(total.limits) != 1 or not (low.is_Integer and offset.is_Integer and low >= 0 and start + offset >= 0):
            raise ValueError(f"{total} does not run from a natural number to {n} and a constant")
        self.expression, self.low, self.offset = total, int(low), int(offset)
        self.next_term = total.function.xreplace({i: high + 1})
        self.function = f"(fun {i} => {_text(total.function.xreplace({i: sp.Symbol(f'INR {i}')}))})"

    def end(self, n: str) -> str:
        """Return the upper end at n, a natural number."""
        return f"({n} {'-' if self.offset < 0 else '+'} {abs(self.offset)})" if self.offset else f"({n})"

    def arguments(self, n: str) -> str:
        """Return the arguments of Coq's ``Sum`` at n."""
        return f"{self.function} {self.low} {self.end(n)}"


def _integral(name: str, step: PolynomialIntegral) -> str:
    integrand, v = sp.sympify(step.integrand), step.variable
    limits = [sp.sympify(limit) for limit in (step.low, step.high, step.value)]
    poly = sp.Poly(sp.together(integrand), v)
    terms = [f"({_text(sp.factor(c / (p + 1)))}) * {v} ^ {p + 1}" for (p,), c in poly.terms()]
    low, high, value = (f"({_text(limit)})" for limit in limits)
    return _stated(
        name,
        _reals(integrand, *limits, without=v),
        _defined(integrand, *limits),
        f"Integral (fun {v} => {_text(integrand)}) {low} {high} {value}",
        [f"intros. exists (fun {v} => {' + '.join(terms)}). split; [intros; derivative | equal]."],
    )


_WRITERS: dict[type[Step], Callable[[str, Any], str]] = {
    Identity: _identity,
    Positive: _positive,
    Telescoping: _telescoping,
    Induction: _induction,
    PolynomialIntegral: _integral,
}


def _writer(step: Step) -> Callable[[str, Any], str] | None:
    """Return the function that writes a step's lemma, by its name and the step, or None for a step without one.

    The judge alone decides a step with a minimum, a maximum, exp, a factorial, a binomial or a variable exponent; an induction with
    bounds of other variables; and a sign on a range that is bounded from above, or on which a denominator is not 0 only because
    of several variables together. A lemma would say nothing where SymPy has simplified an identity to equal sides, or
    a sign to that of a number. A sentence has no lemma.
    """
    if any(map(_only_the_judge, step.expressions)) or (isinstance(step, Induction) and step.where):
        return None
    if isinstance(step, Identity | Induction) and _text(step.lhs) == _text(step.rhs):
        return None
    if isinstance(step, Positive):
        bounded_above = any(bound.high is not None for bound in step.where)
        if bounded_above or not sp.sympify(step.expr).free_symbols or _together_above_0(step):
            return None
    return _WRITERS.get(type(step))


def _only_the_judge(expr: SymObject) -> bool:
    """Return whether an expression has a function for which no lemma is written."""
    without_lemma = expr.has(sp.Min, sp.Max, sp.exp, sp.E, sp.factorial, sp.binomial)
    return without_lemma or any(power.exp.free_symbols for power in expr.atoms(sp.Pow))


def _together_above_0(step: Positive) -> bool:
    """Return whether a denominator of several variables vanishes at the lower ends, which not all of them reach."""
    lowest = [(v, sp.sympify(low)) for v, low, *_ in reversed(step.where)]
    several = (d for d in denominators(sp.sympify(step.expr)) if len(d.free_symbols) > 1)
    return any(bound.strict for bound in step.where) and any(sp.expand(d.subs(lowest)) == 0 for d in several)


def _defined(*exprs: SymObject) -> list[str]:
    """Return premises by which no denominator is 0: of one that has denominators itself, its numerator is not 0."""
    nonzero = dict.fromkeys(sp.fraction(sp.together(d))[0] if any(_under(d)) else d for d in denominators(*exprs))
    return [f"{_text(d)} <> 0" for d in nonzero]


# ---- texts ----------------------------------------------------------------------------------------------------------


class _Printer(StrPrinter):
    def _print_Pow(self, expr: SymObject, rational: bool = False) -> str:
        base, exponent = arguments(expr)
        factor = self.parenthesize(base, precedence(expr))
        if exponent == sp.Rational(1, 2):
            return f"sqrt ({self._print(base)})"
        if not exponent.is_Integer:
            raise ValueError(f"{expr} is not a rational function")
        power = factor if abs(exponent) == 1 else f"{factor}^{abs(exponent)}"
        return power if exponent > 0 else f"(1/{power})"

    def _print_Float(self, expr: SymObject) -> str:
        raise ValueError(f"{expr} is not exact")


@lru_cache(10_000, typed=True)
def _text(expr: sp.Basic | int) -> str:
    return str(_Printer().doprint(sp.sympify(expr)))


def _polynomial(poly: SymPoly) -> str:
    """Return a polynomial as a sum of monomials, the constant last."""
    monomials: list[str] = []
    for powers, c in poly.terms():
        factors = [_text(v**p) for v, p in zip(poly.gens, powers, strict=True) if p]
        monomials.append("*".join(factors if c == 1 and factors else [_text(c), *factors]))
    return " + ".join(monomials)


def _quotient(expr: SymObject, variables: Sequence[SymObject]) -> list[SymPoly]:
    """Return numerator and denominator, integer polynomials, the denominator's leading coefficient positive."""
    above, below = (sp.Poly(part, *variables, domain="QQ") for part in sp.fraction(sp.together(expr)))
    return list(above.cancel(below, include=True))


def _not_zero(denominator: SymObject, variables: Sequence[SymObject]) -> Iterator[str]:
    """Iterate over tactics: a denominator, or its numerator where it has some itself, has coefficients of one sign, and a constant."""
    above, below = _quotient(denominator, variables)
    side, positive = ("below", -above) if above.LC() < 0 else ("above", above)
    lemma = f"nonzero_{side} ({_polynomial(positive)}) ({_polynomial(below)})"
    yield f"assert ({_text(denominator)} <> 0) by (apply ({lemma}); [positive | positive | intros; equal])."
    if not below.is_one:
        yield from _not_zero(above.as_expr(), variables)


def denominators(*exprs: SymObject) -> list[SymObject]:
    """Return what stands under a bar in these expressions and is not a number, each once."""
    return list(dict.fromkeys(d for expr in exprs for d in _under(expr)))


def _under(expr: SymObject) -> Iterator[SymObject]:
    part: SymObject
    for part in sp.postorder_traversal(expr):
        if part.is_Pow and part.exp.is_negative and not part.base.is_number:
            yield part.base


def _reals(*exprs: SymObject, without: SymObject = None) -> str:
    """Return the binder of the variables of these expressions, in alphabetical order.

    Raises ``ValueError`` where two of them have one name: as one variable they would say less.
    """
    symbols = {x for expr in exprs for x in expr.free_symbols} | ({without} - {None})
    if len({str(x) for x in symbols}) < len(symbols):
        raise ValueError(f"two variables of {symbols} have one name")
    names = sorted(str(x) for x in symbols - {without})
    return f"({' '.join(names)} : R)" if names else ""


def _comment(text: str) -> str:
    return f"(* {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"
