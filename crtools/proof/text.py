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
from functools import cache, cached_property, partial
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
from crtools.proof.steps import Argument, Bound, Step, kernel_text
from crtools.proof.theorem import Citation, Theorem, by_itself, formulas

Function = Callable[..., Any]
"""A function of SymPy expressions."""

Decides = Callable[[Step], str | None]
"""Returns why a step does not hold, None where it does."""


class Text:
    """A theory as a text: ``file`` is a path, or the name of a text that is packed with the judge.

    ``trials``, a module or a dictionary, has the functions that the text names: those that try an argument on small runs, and
    those that compute. Each returns None, or text that says where it fails. If it has an argument with the name of a parameter of
    the theorem, it gets that parameter's value. The trials of this package's texts are in its tests: they may be left out. A
    theorem of a text that this one ``builds_on`` is looked up there, with its trials. Raises ``InputError`` where the text
    cannot be read, or a function is missing.
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
        self._kept = cache(self._instance)

    @cached_property
    def book(self) -> statements.Book:
        """The text with those that it builds on, and their claims, as the judge reads them."""
        if self.ours:
            return statements.book()
        try:
            return statements.of_files([self.file])
        except (Rejected, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise InputError("theory", self.file, f"cannot be read: {reason}") from None

    @cached_property
    def theory(self) -> theory.Theory:
        """The text as the judge reads it."""
        name = self.file if self.ours else Path(self.file).stem
        return self.book.theories[name]

    @property
    def ours(self) -> bool:
        """Whether the text is one of this package's, whose arguments its tests try."""
        return self.file in statements.LEDGERS

    def value(self, name: str, *arguments: SymObject) -> SymObject:
        """Return the value of a function that the text defines, at SymPy expressions."""
        return _Reader(self.theory, {}).defined(name, list(arguments))

    def read(self, formula: str) -> SymObject:
        """Return a formula in the text's functions as a SymPy expression."""
        try:
            return _Reader(self.theory, {}).read(formula.replace("^", "**"))
        except KeyError as error:
            raise InputError("formula", formula, f"must be in the functions of {self.file}, not {error}") from None

    def theorem(self, name: str, **values: Function | SymObject) -> Theorem:
        """Return a theorem, or the instance of one with parameters, such as ``trace(closed_form)``; kept once read.

        ``values``, functions or numbers, are those of its parameters; those left out are taken from the instance that ``name``
        names, or from the only instance in the text. If the text defines all of these functions, the result is their instance.
        Otherwise the judge reads them as they are spelled, and crtools decides what it refuses.
        """
        parent = next((text for text in self.builds_on if text.has(name)), None)
        if parent is not None:
            return parent.theorem(name, **values)
        base = name if name in self.theory.theorems else theory.called(name)[0]
        instances = [name] if name != base else []
        if name in self.theory.theorems and () in self.theory.theorems[name].parameters.values():  # it takes a number
            instances = [each for each in self.names if theory.called(each)[0] == name]
        if values and base in self.theory.theorems:
            source = self.theory.theorems[base]
            defaults = theory.called(instances[0])[1] if len(instances) == 1 else ()
            for (parameter, arguments), default in zip(source.parameters.items(), defaults, strict=False):
                values.setdefault(parameter, self._function(default) if arguments else default)
            names = [
                self._names_of(values[parameter], len(arguments)) if arguments else [str(values[parameter])]
                for parameter, arguments in source.parameters.items()
            ]
            if not all(names):
                for parameter in [parameter for parameter, arguments in source.parameters.items() if not arguments]:
                    source = source.put(parameter, Fraction(str(values[parameter])))
                judge = self._judge(source, _meanings(source, values), by_itself)
                return self._theorem(base, source, values, judge)
            candidates = [f"{base}({', '.join(each)})" for each in product(*names)]
            name = next((candidate for candidate in candidates if candidate in self.names), candidates[0])
        elif len(instances) == 1:
            name = instances[0]
        return self._kept(name)

    def has(self, name: str) -> bool:
        """Return whether this text has the theorem, and the functions that the name gives to its parameters."""
        try:
            return name in self.theory.theorems or bool(self.theory.instance(name))
        except Rejected:
            return False

    @cached_property
    def names(self) -> list[str]:
        """The names of all its theorems, and of the instances of those with parameters that the text names."""
        try:
            return self.book.named_in(self.theory)
        except Rejected as error:
            raise InputError("theory", self.file, str(error)) from None

    def named(self, name: str) -> Callable[[], Theorem]:
        """Return a function without arguments that returns the theorem."""
        return lambda: self.theorem(name)

    def _instance(self, name: str) -> Theorem:
        """Return a theorem or an instance whose functions the text defines; the judge decides its formulas."""
        try:
            source, meanings = self.theory.instance(name)
        except Rejected as error:
            raise InputError("theorem", name, f"must stand in the text {self.file}: {error}") from None
        parameters = self.theory.theorems[source.name].parameters
        given = zip(parameters.items(), theory.called(name)[1] if parameters else (), strict=True)
        functions = {parameter: self._function(value) for (parameter, arguments), value in given if arguments}
        numeric = () in parameters.values()
        return self._theorem(source.name if numeric else name, source, functions, self._judge(source, meanings, None))

    def _judge(self, source: theory.Theorem, meanings: Mapping[str, Meaning], otherwise: Decides | None) -> Decides:
        """Return a function that asks the judge about facts; ``otherwise`` decides a fact that the judge refuses."""
        facts = {step.name: step for step in source.steps if step.kind == "fact"}

        def judge(step: Step) -> str | None:
            if step.name not in facts:
                return step.check()
            try:
                self.theory.fact(facts[step.name], source, meanings)
            except Rejected as error:
                return otherwise(step) if otherwise else str(error)
            return None

        return judge

    def _names_of(self, function: Function, arity: int) -> list[str]:
        """Return the names under which the text has this function: min, max, and those that it defines."""
        symbols = [sp.Symbol(f"x_{n}", positive=True) for n in range(arity)]
        defined = [name for name, definition in self.theory.defined.items() if len(definition.parameters) == arity]
        built_in = ["min", "max"] if arity == 2 else []
        value = _with_one_index(function(*symbols))
        return [name for name in (*built_in, *defined) if _with_one_index(self._function(name)(*symbols)) == value]

    def _function(self, name: str) -> Function:
        return {"min": sp.Min, "max": sp.Max}.get(name) or (lambda *values: self.value(name, *values))

    def _theorem(self, name: str, source: theory.Theorem, functions: Mapping[str, Function], judge: Decides) -> Theorem:
        steps = tuple(self._step(n, source, functions) for n in range(len(source.steps)))
        literal = source.states == source.formulas
        statement = formulas(steps) if literal else latex(_with_values(source.states, source, functions))
        return Theorem(name, statement, source.reading, steps, judge)

    def _step(self, n: int, source: theory.Theorem, functions: Mapping[str, Function]) -> Step:
        step = source.steps[n]
        if step.kind == "cites":
            return Citation(name=step.name, theorem=self.theorem(step.says))
        if step.kind == "fact":
            return _fact(step, fact(step.says, source.where), _Reader(self.theory, functions))
        conclusion = latex(_with_values(step.says, source, functions))
        fields: dict[str, Any] = {"name": step.name, "text": step.words, "conclusion": conclusion}
        if step.kind == "so":
            premises = step.of or tuple(earlier.name for earlier in source.steps[:n])
            return kinds.Inference(premises=premises, uses=step.uses, **fields)
        function = self.trials.get(step.function)
        if function is None and step.kind == "argued" and self.ours:
            return Argument(test=None, tested=step.tested, **fields)
        if function is None:
            reason = f"line {step.line.number} names {step.function}, which no trials have"
            raise InputError("theory", self.file, reason)
        function = _with_parameters(function, functions)
        if step.kind == "computed":
            return kinds.Computation(compute=function, **fields)
        return Argument(test=function, tested=step.tested, **fields)


def _with_parameters(function: Function, functions: Mapping[str, Function]) -> Function:
    """Bind those of a theorem's parameters that are required arguments of the function."""
    signature = inspect.signature(function).parameters if functions else {}
    required = [name for name, argument in signature.items() if argument.default is argument.empty]
    bound = {name: functions[name] for name in required if name in functions}
    return partial(function, **bound) if bound else function


def _values_at_arguments(source: theory.Theorem, functions: Mapping[str, Function]) -> dict[str, SymObject]:
    return {
        name: functions[name](*(sp.Symbol(argument, positive=True) for argument in arguments))
        for name, arguments in source.parameters.items()
    }


def _with_values(says: str, source: theory.Theorem, functions: Mapping[str, Function]) -> str:
    """Replace a parameter that is written as in the theorem's head by its value."""
    for name, value in _values_at_arguments(source, functions).items():
        says = says.replace(f"{name}({', '.join(source.parameters[name])})", sp.latex(value))
    return says


def _meanings(source: theory.Theorem, functions: Mapping[str, Function]) -> dict[str, Meaning]:
    """Return the values of the parameters as the judge reads them; those that are no rational functions are left out."""
    meanings: dict[str, Meaning] = {}
    for name, value in _values_at_arguments(source, functions).items():
        with suppress(Rejected, ValueError):
            meanings[name] = kernel.Written(source.parameters[name], parsed(kernel_text(value)))
    return meanings


def _with_one_index(value: SymObject) -> SymObject:
    """Rename the index of every sum to k, so that equal sums compare equal."""
    index = sp.Symbol("k", positive=True)

    def renamed(part: SymObject) -> SymObject:
        name, low, high = part.limits[0]
        return sp.Sum(part.function.xreplace({name: index}), (index, low, high))

    return sp.sympify(value).replace(lambda part: isinstance(part, sp.Sum) and len(part.limits) == 1, renamed)


def latex(says: str) -> str:
    """Return words with formulas between dollar signs as LaTeX."""
    parts = says.split("$")
    return "".join(part if n % 2 else rf"\text{{{part}}}" for n, part in enumerate(parts) if part)


# ---- formulas -------------------------------------------------------------------------------------------------------


def _fact(step: theory.Step, data: Data, reader: _Reader) -> Step:
    where = tuple(reader.bound(bound) for bound in data.get("where", ()))
    bounds = [*where, Bound(sp.Symbol(data["index"]), reader.read(str(data["start"])))] if "start" in data else where
    values = {name: reader.read(text) for name, text in data.items() if name in TEXTS}
    sides = {name: _without_extrema(value, bounds, name == "total") for name, value in values.items()}
    words = "; ".join(filter(None, (step.words, step.note)))
    fields: dict[str, Any] = {"name": step.name, "text": words, "said": bool(step.words)}
    match data["rule"]:
        case "identity":
            return kinds.Identity(lhs=sides["left"], rhs=sides["right"], where=where, **fields)
        case "sign":
            squares = tuple(_without_extrema(reader.read(square), where) for square in step.squares)
            strict = data["relation"] == ">"
            return kinds.Positive(expr=sides["expression"], where=where, strict=strict, squares=squares, **fields)
        case "sum":
            index = where[-1][0]
            fields |= {"summand": sides["summand"], "antidifference": sides["total"]}
            return kinds.Telescoping(index=index, where=() if where == (Bound(index, 1),) else where, **fields)
        case "induction":
            start = data["start"] if isinstance(data["start"], int) else reader.read(data["start"])
            fields |= {"lhs": sides["left"], "rhs": sides["right"], "where": where}
            return kinds.Induction(index=sp.Symbol(data["index"]), start=start, **fields)
        case "integral":
            return kinds.PolynomialIntegral(variable=sp.Symbol(data["variable"]), where=where, **sides, **fields)
        case rule:
            raise NotImplementedError(f"the rule {rule} has no step")


def _without_extrema(value: SymObject, where: Sequence[Bound], before: bool = False) -> SymObject:
    """Replace a minimum or maximum by the argument that the judge takes on the range; ``before``: on the range from one earlier."""

    def by_the_judge(extremum: SymObject) -> SymObject:
        with suppress(Rejected, ValueError):
            kernel.Work.start()
            bounds, judge = [bound.data() for bound in where], kernel.Reader()
            kernel.read_range([*bounds[:-1], f"{bounds[-1]} - 1"] if before else bounds, judge)
            chosen = judge.read(kernel_text(extremum))
            return next(argument for argument in extremum.args if judge.read(kernel_text(argument)) == chosen)
        return extremum

    return sp.sympify(value).replace(lambda part: isinstance(part, sp.Min | sp.Max), by_the_judge)


class _Reader:
    """Reads expressions as SymPy's; a variable that is at least a number ≥ 0 is taken as such."""

    def __init__(self, source: theory.Theory, functions: Mapping[str, Function]) -> None:
        self.theory, self.functions = source, functions
        self.symbols: dict[str, SymObject] = {}

    def bound(self, text: str) -> Bound:
        name, low, strict, high, closed = bound(text)
        assumptions = {"nonnegative": True} if low.isdecimal() else {}
        variable = self.symbols.setdefault(name, sp.Symbol(name, **assumptions))
        return Bound(variable, self.read(low), strict, self.read(high) if high else None, closed)

    def read(self, text: str) -> SymObject:
        return self._value(parsed(text), {})

    def defined(self, name: str, values: list[SymObject]) -> SymObject:
        definition = self.theory.defined[name]
        return self._value(parsed(definition.text), dict(zip(definition.parameters, values, strict=True)))

    def _value(self, tree: ast.AST, local: Mapping[str, SymObject]) -> SymObject:
        match tree:
            case ast.Constant(value=int(number)):
                return sp.Integer(number)
            case ast.Name(id=name):
                return local[name] if name in local else self.symbols.get(name, sp.Symbol(name))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._value(operand, local)
            case ast.BinOp(left=left, op=op, right=right):
                return _OPERATIONS[type(op)](self._value(left, local), self._value(right, local))
            case ast.Call(func=ast.Name(id="Sum"), args=[term, ast.Tuple(elts=[ast.Name(id=name), low, high])]):
                index = sp.Symbol(name)
                while index in sp.Tuple(*local.values()).free_symbols:
                    index = sp.Symbol(f"{index}_")
                limits = (self._value(limit, local) for limit in (low, high))
                return sp.Sum(self._value(term, {**local, name: index}), (index, *limits))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                values = [self._value(argument, local) for argument in arguments]
                function = {"min": sp.Min, "max": sp.Max, **self.functions}.get(name)
                if function is None and name not in self.theory.defined:
                    function = _FUNCTIONS.get(name)
                return function(*values) if function else self.defined(name, values)
            case _:
                raise InputError("theory", ast.unparse(tree), "must be an expression")


_FUNCTIONS: dict[str, Function] = {f.__name__: f for f in (sp.sqrt, sp.log, sp.exp, sp.factorial, sp.binomial)}
"""``sqrt`` and ``log`` occur only where a claim says what a given value ``is``: the kernel's ``BUILT_IN`` lacks them."""

_OPERATIONS = {**kernel.OPERATIONS, ast.Pow: operator.pow}
