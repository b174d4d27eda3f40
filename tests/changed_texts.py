"""Changes of one sign, number, bound, index or relation in the facts and definitions of a theory's text."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from check.facts import fact
from check.kernel import Rejected, bound
from check.theory import Line, Step, Theorem, Theory, called

TOKEN = re.compile(r"\d+|>=|>|\*\*|\^|[-+*/]|\b[A-Za-z]\w*\b(?!\()")
OTHER = {"+": "-", "-": "+", "*": "+", "/": "*", ">": ">=", ">=": ">", "^": "*", "**": "*"}
WORDS = {"sum", "over", "integral", "from", "to", "for"}


def changes(text: str) -> Iterator[str]:
    """Every text with one token changed: a number by one, a sign, an operation, a relation, a variable for another."""
    names = sorted({token[0] for token in TOKEN.finditer(text) if token[0][0].isalpha()} - WORDS)
    for token in TOKEN.finditer(text):
        own = token[0]
        if own.isdecimal():
            new = str(int(own) + 1)
        elif own in OTHER:
            new = OTHER[own]
        else:
            new = names[(names.index(own) + 1) % len(names)] if own in names else own
        if new != own:
            yield text[: token.start()] + new + text[token.end() :]


def functions_in(text: str) -> list[str]:
    """The names of the functions that occur in a line."""
    return re.findall(r"\b([A-Za-z]\w*)\(", text)


def holds(theory: Theory, own: Theorem, step: Step, instance: str) -> bool:
    """Whether the judge accepts a fact in the place of a step of a theorem."""
    try:
        theory.fact(step, own, theory.instance(instance)[1])
    except Rejected:
        return False
    return True


Change = tuple[str, Step, str]
"""An instance of a theorem, a fact of it, and the line that is put in its place."""


def of_facts(theory: Theory, instances: Iterable[str]) -> list[Change]:
    """Every changed fact of these instances."""
    return [
        (name, step, text)
        for name in instances
        for step in theory.instance(name)[0].steps
        if step.kind == "fact"
        for text in changes(step.says)
    ]


def survivors(theory: Theory, changed: Iterable[Change]) -> list[tuple[str, str]]:
    """The changes that the judge accepts: the theorem's instance, and the changed line."""
    return [
        (name, text)
        for name, step, text in changed
        if holds(theory, theory.instance(name)[0], step._replace(says=text), name)
    ]


def of_definitions(theory: Theory) -> list[tuple[str, str]]:
    """Every change of a definition of a text: its name, and another value."""
    return [(name, text) for name in own_definitions(theory) for text in changes(theory.defined[name].text)]


def own_definitions(theory: Theory) -> list[str]:
    """The names of what a text defines itself."""
    return [name for name in theory.defined if not any(name in parent.defined for parent in theory.parents)]


def redefined(theory: Theory, name: str, value: str) -> Theory:
    """A theory with another value of a definition, and of those that use it. Raises ``Wrong`` where it has none."""
    other = Theory(
        theory.name, theory.file, theory.text, parents=theory.parents, theorems=theory.theorems, own=theory.own
    )
    for each, own in theory.defined.items():
        if each in own_definitions(theory):
            text = f"define {each}({', '.join(own.parameters)}) = {value if each == name else own.text}"
            other.define(Line(theory.file, 0, 0, text))
        else:
            other.defined[each] = own
    return other


def uses(theory: Theory, instance: str) -> set[str]:
    """The functions that occur in the facts of an instance, with those of their definitions."""
    own = theory.instance(instance)[0]
    texts = [text for step in own.steps if step.kind == "fact" for text in (step.says, *own.where, *step.squares)]
    found = [*_arguments(instance), *(name for text in texts for name in functions_in(text))]
    for name in found:
        if name in theory.defined:
            found += [each for each in functions_in(theory.defined[name].text) if each not in found]
    return set(found)


def refused_at(theory: Theory, name: str, value: str, instances: Iterable[str]) -> bool:
    """Whether the judge refuses one of these instances with another value of a definition."""
    try:
        other = redefined(theory, name, value)
        for each in instances:
            other.judge(each)
    except Rejected:
        return True
    return False


def true_at(theory: Theory, instance: str, text: str, chance: random.Random) -> bool:
    """Whether a fact is true at points of its range, by fractions and without the kernel.

    A sum telescopes at 1, 2, 3, … and an induction is looked at from its start on; of an integral only the mean of values
    at four places is compared with Simpson's rule, which is exact up to the third power.
    """
    own, _ = theory.instance(instance)
    name = instance if instance in theory.theorems else called(instance)[0]
    functions = dict(zip(theory.theorems[name].parameters, _arguments(instance), strict=True))
    data = fact(text, own.where)
    for _ in range(25):
        point: dict[str, Any] = {"": functions}
        for line in data.get("where", ()):
            name, low, strict, high, _ = bound(line)
            start = value(low, point, theory)
            more = Fraction(chance.randint(1, 60), chance.choice((1, 2, 7))) * (1 if strict else chance.choice((0, 1)))
            end = value(high, point, theory) if high else None
            point[name] = start + more if end is None else (start + more * end) / (1 + more)
        if not _true(data, point, theory):
            return False
    return True


def _arguments(instance: str) -> list[str]:
    return list(called(instance)[1])


def _true(data: Mapping[str, Any], point: dict[str, Any], theory: Theory) -> bool:
    def at(text: str, **more: Any) -> Fraction:
        return value(data[text], {**point, **more}, theory)

    match data["rule"]:
        case "identity":
            return at("left") == at("right")
        case "sign":
            return at("expression") > 0 if data["relation"] == ">" else at("expression") >= 0
        case "sum":
            k, index = point[data["index"]], data["index"]
            return at("total") - at("total", **{index: k - 1}) == at("summand")
        case "induction":
            start, index = data["start"], data["index"]
            return all(
                at("left", **{index: Fraction(n)}) == at("right", **{index: Fraction(n)})
                for n in range(start, start + 9)
            )
        case _:
            low, high, name = at("low"), at("high"), data["variable"]
            ends = [at("integrand", **{name: x}) for x in (low, (low + high) / 2, high)]
            return (high - low) * (ends[0] + 4 * ends[1] + ends[2]) / 6 == at("value")


def value(text: str, point: Mapping[str, Any], theory: Theory) -> Fraction:
    """Return an expression's value at a point, by fractions; a variable that the point has not is a number of its own."""
    return _value(ast.parse(text.replace("^", "**"), mode="eval").body, point, theory)


def _value(tree: Any, point: Mapping[str, Any], theory: Theory) -> Fraction:
    match tree:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.Name(id=name):
            return point[name] if name in point else Fraction(sum(map(ord, name)), 7)
        case ast.UnaryOp(operand=operand):
            return -_value(operand, point, theory)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _value(left, point, theory), _value(right, point, theory)
            if isinstance(op, ast.Pow):
                return a ** int(b)
            if isinstance(op, ast.Div):
                return a / b
            return a + b if isinstance(op, ast.Add) else a - b if isinstance(op, ast.Sub) else a * b
        case ast.Call(func=ast.Name(id="Sum"), args=[term, ast.Tuple(elts=[ast.Name(id=index), low, high])]):
            ends = (int(_value(each, point, theory)) for each in (low, high))
            first, last = ends
            terms = (_value(term, {**point, index: Fraction(k)}, theory) for k in range(first, last + 1))
            return sum(terms, Fraction(0))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            values = [_value(each, point, theory) for each in arguments]
            name = point.get("", {}).get(name, name)
            if name in ("min", "max"):
                return {"min": min, "max": max}[name](values)
            own = theory.defined[name]
            return value(own.text, {"": point.get("", {}), **dict(zip(own.parameters, values, strict=True))}, theory)
        case _:
            raise TypeError(ast.unparse(tree))


def refused(theory: Theory, instance: str, old: str, new: str) -> bool:
    """Whether the judge refuses a fact of a theorem with ``new`` in the place of ``old``, which some fact has."""
    own, _ = theory.instance(instance)
    found = [step for step in own.steps if step.kind == "fact" and old in step.says]
    assert found, f"{instance} has no fact with {old}"
    return any(not holds(theory, own, step._replace(says=step.says.replace(old, new)), instance) for step in found)
