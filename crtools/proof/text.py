"""``Text``: the theorems of a theory's text, with formulas in SymPy for people and for Coq.

``check.theory`` alone reads the text, and the judge in ``check`` decides its facts; here its parts become steps
(``crtools.proof.steps``) in the order of the text. Ledgers call it: ``TEXT.theorem(name)``.
"""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import sympy as sp

from check import kernel, statements, theory
from check.facts import TEXTS, fact
from check.kernel import Data, Meaning, Rejected, bound, parsed
from crtools.errors import InputError
from crtools.numeric_types import SymObject
from crtools.proof import steps as kinds
from crtools.proof.steps import Argument, Bound, BoundFields, Step
from crtools.proof.steps import text as spelled
from crtools.proof.theorem import Citation, Theorem, by_itself, formulas

Function = Callable[..., Any]
"""A function of SymPy expressions."""

Judge = Callable[[Step], str | None]
"""Says why a step does not hold, None where it does."""


class Text:
    """A theory as a text: ``file`` is a path, or the name of a text that is packed beside the judge.

    ``trials`` is a module, or a dictionary, of the functions that the text names: those that try an argument on small
    runs, and those that compute; each returns None, or else where it fails; of a theorem with parameters it is called
    with those that it asks for by their names. Theorems of the texts that this one ``builds_on`` are theirs, with their trials.
    Raises ``InputError`` where the text cannot be read, or a function is not there.
    """

    def __init__(
        self,
        file: str | Path,
        trials: ModuleType | Mapping[str, Function] | None = None,
        builds_on: Sequence[Text] = (),
    ) -> None:
        self.file = str(file)
        self.builds_on = builds_on
        self.trials: Mapping[str, Function] = vars(trials) if isinstance(trials, ModuleType) else trials or {}
        self._made: dict[str, Theorem] = {}

    @cached_property
    def book(self) -> statements.Book:
        """All that the judge knows beside this text, and its claims."""
        if self.ours:
            return statements.book()
        try:
            return statements.of_files([self.file])
        except Rejected as error:
            raise InputError("theory", self.file, f"cannot be read: {error}") from None
        except OSError as error:
            raise InputError("theory", self.file, f"cannot be read: {error.strerror}") from None

    @cached_property
    def theory(self) -> theory.Theory:
        """The text as the judge reads it."""
        name = self.file if self.ours else Path(self.file).stem
        return self.book.theories[name]

    @property
    def ours(self) -> bool:
        """Whether the text is one of this package's: its tests try every argument, deciding a claim tries what is changed."""
        return self.file in statements.LEDGERS

    def tried(self, name: str) -> dict[str, str | None]:
        """Try the arguments of a theorem on small runs: by step, the run at which one fails, None where none does."""
        if name in self.theory.theorems and self.theory.theorems[name].parameters:
            return {}  # of functions that the text has not: these are tried where the claim is decided
        return {step.name: step.test() for step in self.theorem(name).steps if isinstance(step, Argument)}

    def value(self, name: str, *arguments: SymObject) -> SymObject:
        """Return a function that the text defines, at SymPy expressions."""
        return _Reader(self.theory, {}).defined(name, list(arguments))

    def read(self, formula: str) -> SymObject:
        """Return a formula in the text's functions as a SymPy expression."""
        try:
            return _Reader(self.theory, {}).read(formula.replace("^", "**"))
        except KeyError as error:
            raise InputError("formula", formula, f"must be in the functions of {self.file}, not {error}") from None

    def theorem(self, name: str, **functions: SymObject) -> Theorem:
        """Return a theorem, or the instance of one with parameters, such as ``trace(closed_form)``; kept once read.

        ``functions``, or numbers, stand for its parameters; others are as in the instance that is named, or as the text has
        them. Where the text has such functions it is the instance of these; else the judge does not know them, and crtools
        decides its formulas.
        """
        parent = next((text for text in self.builds_on if text.has(name)), None)
        if parent is not None:
            return parent.theorem(name, **functions)
        plain = name if name in self.theory.theorems else theory.called(name)[0]
        instances = [name] if name != plain else self._with_values(name) if plain in self.theory.theorems else []
        if functions and plain in self.theory.theorems:
            own = self.theory.theorems[plain]
            taken = theory.called(instances[0])[1] if len(instances) == 1 else ()
            for (parameter, of), each in zip(own.parameters.items(), taken, strict=False):
                functions.setdefault(parameter, self._function(each) if of else each)
            known = [
                self._known(functions[parameter], len(of)) if of else [str(functions[parameter])]
                for parameter, of in own.parameters.items()
            ]
            if not all(known):
                for parameter in [parameter for parameter, of in own.parameters.items() if not of]:
                    own = own.put(parameter, Fraction(str(functions[parameter])))
                return self._written(plain, own, functions, self._judge(own, _spelled(own, functions), by_itself))
            found = [f"{plain}({', '.join(each)})" for each in product(*known)]
            name = next((each for each in found if each in self.names), found[0])
        elif len(instances) == 1:
            name = instances[0]
        if name not in self._made:
            try:
                own, chosen = self.theory.instance(name)
            except Rejected as error:
                raise InputError("theorem", name, f"must stand in the text {self.file}: {error}") from None
            self._made[name] = self._judged(name, own, chosen)
        return self._made[name]

    def has(self, name: str) -> bool:
        """Return whether a theorem stands here, or in a text that this one builds on, and its functions too."""
        try:
            return name in self.theory.theorems or bool(self.theory.instance(name))
        except Rejected:
            return False

    @cached_property
    def names(self) -> list[str]:
        """The names of all its theorems; of one with parameters, with the functions that the text names."""
        try:
            return self.book.named_in(self.theory)
        except Rejected as error:
            raise InputError("theory", self.file, str(error)) from None

    def _with_values(self, name: str) -> list[str]:
        """Return the instances that the text names of a theorem with numbers as parameters."""
        numbers = () in self.theory.theorems[name].parameters.values()
        return [each for each in self.names if theory.called(each)[0] == name] if numbers else []

    def named(self, name: str) -> Callable[[], Theorem]:
        """Return what returns a theorem when it is asked for."""
        return lambda: self.theorem(name)

    def _judged(self, name: str, own: theory.Theorem, chosen: Mapping[str, Meaning]) -> Theorem:
        """Return a theorem whose formulas the judge decides."""
        head = self.theory.theorems[own.name].parameters
        functions = {
            parameter: self._function(each)
            for (parameter, of), each in zip(head.items(), theory.called(name)[1] if head else (), strict=True)
            if of
        }
        return self._written(own.name if () in head.values() else name, own, functions, self._judge(own, chosen))

    def _judge(self, own: theory.Theorem, chosen: Mapping[str, Meaning], otherwise: Judge | None = None) -> Judge:
        """Return what asks the judge about facts; what it refuses ``otherwise`` may still decide."""
        texts = {step.name: step for step in own.steps if step.kind == "fact"}
        tried = self.ours and otherwise is None

        def judge(step: Step) -> str | None:
            if step.name not in texts:
                return step.without_words() if tried and isinstance(step, Argument) else step.check()
            try:
                self.theory.fact(texts[step.name], own, chosen)
            except Rejected as error:
                return otherwise(step) if otherwise else str(error)
            return None

        return judge

    def _known(self, function: Function, arguments: int) -> list[str]:
        """Return the names of the text's functions that are the same expression."""
        values = [sp.Symbol(f"x_{n}", positive=True) for n in range(arguments)]
        known = [name for name, own in self.theory.defined.items() if len(own.parameters) == arguments]
        built_in = ["min", "max"] if arguments == 2 else []
        value = _alike(function(*values))
        return [name for name in (*built_in, *known) if _alike(self._function(name)(*values)) == value]

    def _function(self, name: str) -> Function:
        return {"min": sp.Min, "max": sp.Max}.get(name) or (lambda *values: self.value(name, *values))

    def _written(self, name: str, own: theory.Theorem, functions: Mapping[str, Function], judge: Judge) -> Theorem:
        steps: list[Step] = []
        for step in own.steps:
            steps.append(self._step(step, own, functions, tuple(each.name for each in steps)))
        literal = formulas(steps) if own.states == own.formulas else latex(_shown(own.states, own, functions))
        return Theorem(name, literal, own.reading, tuple(steps), judge)

    def _step(
        self, step: theory.Step, own: theory.Theorem, functions: Mapping[str, Function], before: tuple[str, ...]
    ) -> Step:
        if step.kind == "cites":
            return Citation(name=step.name, theorem=self.theorem(step.says))
        if step.kind == "fact":
            return _fact(step, fact(step.says, own.where), _Reader(self.theory, functions))
        conclusion = latex(_shown(step.says, own, functions))
        said: dict[str, Any] = {"name": step.name, "text": step.words, "conclusion": conclusion}
        if step.kind == "so":
            return kinds.Inference(premises=step.of or before, uses=step.uses, **said)
        function = self.trials.get(step.function)
        if function is None:
            raise InputError(
                "theory", self.file, f"line {step.line.number} names {step.function}, which no trials have"
            )
        function = _with(function, functions)
        if step.kind == "computed":
            return kinds.Computation(compute=function, **said)
        return Argument(test=function, tested=step.tested, **said)


def _with(function: Function, functions: Mapping[str, Function]) -> Function:
    """Return a function that a text names, with those of a theorem's parameters that it cannot be called without."""
    own = {
        name: functions[name]
        for name, parameter in (inspect.signature(function).parameters if functions else {}).items()
        if name in functions and parameter.default is parameter.empty
    }
    return partial(function, **own) if own else function


def _shown(says: str, own: theory.Theorem, functions: Mapping[str, Function]) -> str:
    """Return what a theorem says, with what stands for its parameters where they are written as in its head."""
    for name, of in own.parameters.items():
        value = functions[name](*(sp.Symbol(each, positive=True) for each in of))
        says = says.replace(f"{name}({', '.join(of)})", sp.latex(value))
    return says


def _spelled(own: theory.Theorem, functions: Mapping[str, Function]) -> dict[str, Meaning]:
    """Return functions of SymPy expressions as the judge reads them, without those that are no rational functions."""
    found: dict[str, Meaning] = {}
    for name, of in own.parameters.items():
        value = functions[name](*(sp.Symbol(each, positive=True) for each in of))
        with suppress(Rejected, ValueError):
            found[name] = kernel.Written(of, parsed(spelled(value)))
    return found


def _alike(value: SymObject) -> SymObject:
    """Return an expression in which the index of every sum has one name."""
    index = sp.Symbol("k", positive=True)

    def renamed(own: SymObject) -> SymObject:
        name, low, high = own.limits[0]
        return sp.Sum(own.function.xreplace({name: index}), (index, low, high))

    return sp.sympify(value).replace(lambda own: isinstance(own, sp.Sum) and len(own.limits) == 1, renamed)


def latex(says: str) -> str:
    """Return words with formulas between dollar signs as LaTeX."""
    parts = says.split("$")
    return "".join(part if n % 2 else rf"\text{{{part}}}" for n, part in enumerate(parts) if part)


# ---- formulas -------------------------------------------------------------------------------------------------------


def _fact(step: theory.Step, data: Data, reader: _Reader) -> Step:
    """Return a fact as a step."""
    where = tuple(reader.bound(own) for own in data.get("where", ()))
    known = [*where, (sp.Symbol(data["index"]), reader.read(str(data["start"])))] if "start" in data else where
    read = {name: reader.read(own) for name, own in data.items() if name in TEXTS}
    text: dict[str, SymObject] = {name: _chosen(own, known, name == "total") for name, own in read.items()}
    words = "; ".join(filter(None, (step.words, step.note)))
    named: dict[str, Any] = {"name": step.name, "text": words, "said": bool(step.words)}
    match data["rule"]:
        case "identity":
            return kinds.Identity(lhs=text["left"], rhs=text["right"], where=where, **named)
        case "sign":
            squares = tuple(_chosen(reader.read(own), where) for own in step.squares)
            return kinds.Positive(
                expr=text["expression"], where=where, strict=data["relation"] == ">", squares=squares, **named
            )
        case "sum":
            both = {"summand": text["summand"], "antidifference": text["total"]}
            index = where[-1][0]
            return kinds.Telescoping(index=index, where=() if where == ((index, 1),) else where, **both, **named)
        case "induction":
            both = {"lhs": text["left"], "rhs": text["right"], "where": where}
            start = data["start"] if isinstance(data["start"], int) else reader.read(data["start"])
            return kinds.Induction(index=sp.Symbol(data["index"]), start=start, **both, **named)
        case _:
            return kinds.PolynomialIntegral(variable=sp.Symbol(data["variable"]), where=where, **text, **named)


def _chosen(value: SymObject, where: Sequence[BoundFields], before: bool = False) -> SymObject:
    """Replace a minimum or maximum by the argument that the judge takes, on the range on which its rule evaluates it."""

    def by_the_judge(own: SymObject) -> SymObject:
        with suppress(Rejected, ValueError):
            kernel.Work.start()
            bounds, judge = [Bound(*each).data() for each in where], kernel.Reader()
            kernel.read_range([*bounds[:-1], f"{bounds[-1]} - 1"] if before else bounds, judge)
            chosen = judge.read(spelled(own))
            return next(each for each in own.args if judge.read(spelled(each)) == chosen)
        return own

    return sp.sympify(value).replace(lambda own: isinstance(own, sp.Min | sp.Max), by_the_judge)


class _Reader:
    """Reads expressions as SymPy's; a variable that is at least a number ≥ 0 is taken as such."""

    def __init__(self, own: theory.Theory, functions: Mapping[str, Function]) -> None:
        self.theory, self.functions = own, functions
        self.symbols: dict[str, SymObject] = {}

    def bound(self, text: str) -> BoundFields:
        """Return the fields of a step's bound."""
        name, low, strict, high, closed = bound(text)
        sure = {"nonnegative": True} if low.isdecimal() else {}
        variable = self.symbols.setdefault(name, sp.Symbol(name, **sure))
        more = (strict, self.read(high), *[True] * closed) if high else (strict,) if strict else ()
        return (variable, self.read(low), *more)

    def read(self, text: str) -> SymObject:
        """Return the value of a text."""
        return self._value(parsed(text), {})

    def defined(self, name: str, values: list[SymObject]) -> SymObject:
        """Return the value of a function of the text."""
        own = self.theory.defined[name]
        return self._value(parsed(own.text), dict(zip(own.parameters, values, strict=True)))

    def _value(self, tree: ast.AST, known: Mapping[str, SymObject]) -> SymObject:
        match tree:
            case ast.Constant(value=int(number)):
                return sp.Integer(number)
            case ast.Name(id=name):
                return known[name] if name in known else self.symbols.get(name, sp.Symbol(name))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._value(operand, known)
            case ast.BinOp(left=left, op=op, right=right):
                return _OPERATIONS[type(op)](self._value(left, known), self._value(right, known))
            case ast.Call(func=ast.Name(id="Sum"), args=[term, ast.Tuple(elts=[ast.Name(id=name), low, high])]):
                index = sp.Symbol(name)
                while index in sp.Tuple(*known.values()).free_symbols:
                    index = sp.Symbol(f"{index}_")
                ends = (self._value(each, known) for each in (low, high))
                return sp.Sum(self._value(term, {**known, name: index}), (index, *ends))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                values = [self._value(each, known) for each in arguments]
                own = {"min": sp.Min, "max": sp.Max, **self.functions}.get(name)
                if own is None and name not in self.theory.defined:
                    own = _FUNCTIONS.get(name)
                return own(*values) if own else self.defined(name, values)
            case _:
                raise InputError("theory", ast.unparse(tree), "must be an expression")


_FUNCTIONS: dict[str, Function] = {own.__name__: own for own in (sp.sqrt, sp.log, sp.exp, sp.factorial, sp.binomial)}
_OPERATIONS = {**kernel.OPERATIONS, ast.Pow: operator.pow}
