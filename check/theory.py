"""A theory as a text: its definitions and theorems, read for whoever wants them, and judged by the kernel.

The grammar is in docs/theory-text.md. Reading a text judges nothing; ``Theory.judge`` asks the kernel about each fact of
a theorem, and counts what no machine judges. Errors are ``Wrong``: the file, the line, and what was expected there.

Sections: lines · theorems · theories.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from check.facts import bounds, fact, functions_in, judged, names_in, says_nothing, texts
from check.kernel import ATOMS, BUILT_IN, Definition, Meaning, Rejected, Work, bound, define, named, need, ratio

T = TypeVar("T")

# ---- lines ------------------------------------------------------------------------------------------------------


class Wrong(Rejected):
    """A text that cannot be read, or a theorem that does not hold: the file, the line, and what was expected."""


class Line(NamedTuple):
    """A line of a text, without its indent of 0, 2 or 4 spaces."""

    file: str
    number: int
    indent: int
    text: str

    def wrong(self, reason: object) -> Wrong:
        """Return an error at this line."""
        return Wrong(f"{self.file}, line {self.number}: {reason}")

    def refuse(self, condition: object, reason: str) -> None:
        """Raise an error at this line if the condition holds."""
        if condition:
            raise self.wrong(reason)


class Block(NamedTuple):
    """A line with those below it that are further in."""

    line: Line
    inner: list[Block]


def lines(file: str, text: str) -> Iterator[Line]:
    """Iterate over the lines that say something: not empty, and no comment, which begins with # at the margin."""
    for number, raw in enumerate(text.split("\n"), start=1):
        raw = raw.removesuffix("\r").rstrip(" ")
        line = Line(file, number, len(raw) - len(raw.lstrip(" ")), raw.lstrip(" "))
        line.refuse(not raw.isprintable(), f"expected printable characters only: {ascii(line.text)[:60]}")
        if line.text and not raw.startswith("#"):
            line.refuse(line.indent not in (0, 2, 4), f"expected an indent of 0, 2 or 4 spaces, not {line.indent}")
            yield line


def blocks(found: Iterable[Line]) -> list[Block]:
    """Return the lines at the margin, each with those at two spaces below it, each with those at four."""
    result: list[Block] = []
    for line in found:
        place, depth = result, 0
        while place and depth < line.indent:
            place, depth = place[-1].inner, depth + 2
        line.refuse(depth < line.indent, f"expected an indent of {depth} spaces at most, below the line above")
        place.append(Block(line, []))
    return result


def joined(found: Iterable[Block]) -> str:
    """Return the words of lines that go on with each other."""
    return " ".join(block.line.text for block in found)


# ---- theorems ---------------------------------------------------------------------------------------------------

SAID = ("argued", "so", "computed")
LISTED = (("fact", "squares"), ("so", "of"), ("so", "uses"))
MARKED = "expected '- squares e; e', '- note why' (a fact), '- tested by f: what' (argued), '- by f' (computed), '- of a', '- uses a' (so)"
CALL = re.compile(r"(?P<name>.*?)\((?P<inner>[^()]*(?:\([^()]*\)[^()]*)*)\)")
PARAMETER = re.compile(r"(?P<name>[A-Za-z]\w*)(?:\((?P<of>\w+(?:, \w+)*)\))?", re.ASCII)
NUMBER = re.compile(r"-?\d+(?:[./]\d+)?", re.ASCII)
GREEK = "αβγδεζηθκλμπρστφχψω"
"""Letters of names beside the Latin ones: those that look like no other."""


class Step(NamedTuple):
    """A step as it is written. ``kind``: fact, cites, argued, so or computed.

    ``says``: a fact's line, a theorem's name, or a conclusion. ``words`` stand below it; below a fact they count as a
    sentence, and its ``note`` does not. ``of``: the names of the steps that a conclusion follows from, () for all
    before it. ``function``: what tries an argument, or computes.
    """

    line: Line
    kind: str
    says: str
    words: str = ""
    name: str = ""
    of: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    function: str = ""
    tested: str = ""
    note: str = ""

    @property
    def sentence(self) -> str:
        """What a reader has to judge."""
        return "; ".join(filter(None, (self.says, self.words)))


class Theorem(NamedTuple):
    """A theorem as it is written; ``parameters`` stand for any function, by its own parameters, or without these any number."""

    line: Line
    name: str
    parameters: Mapping[str, tuple[str, ...]]
    reading: str
    states: str
    where: tuple[str, ...]
    steps: tuple[Step, ...]

    def cites(self) -> list[str]:
        """Return what it cites, in order."""
        return [step.says for step in self.steps if step.kind == "cites"]

    def put(self, name: str, value: Fraction) -> Theorem:
        """Return the theorem with a number in the place of a parameter: in its facts, and elsewhere between dollar signs."""
        own, text = re.compile(rf"(?<![\\\w]){name}(?!\w)"), f"{value}" if f"{value}".isdecimal() else f"({value})"

        def put(says: str, fact: bool = True) -> str:
            return own.sub(text, says) if fact else re.sub(r"\$[^$]*\$", lambda found: own.sub(text, found[0]), says)

        def step(old: Step) -> Step:
            says, squares = put(old.says, old.kind == "fact"), tuple(map(put, old.squares))
            return old._replace(says=says, squares=squares, words=put(old.words, False))

        steps, where = tuple(map(step, self.steps)), tuple(map(put, self.where))
        need([s.says for s in steps if s.kind == "fact"] != self.facts, f"expected a fact with {name}")
        others = {other: of for other, of in self.parameters.items() if other != name}
        need(all(bound(each)[0] != name for each in self.where), f"{name} is a number, and has no bound")
        new = self._replace(parameters=others, steps=steps, where=where, states=put(self.states, False))
        return new._replace(states=new.formulas) if self.states == self.formulas else new

    @property
    def facts(self) -> list[str]:
        """Its facts, as they are written."""
        return [step.says for step in self.steps if step.kind == "fact"]

    @property
    def formulas(self) -> str:
        """Its facts with their bounds, as one statement: what ``states formula`` stands for."""
        return "; ".join([*(f"where {own}" for own in self.where), *self.facts])


def theorem(block: Block) -> Theorem:
    """Read a theorem; ``Wrong`` where a line is not what it should be."""
    line = block.line
    name, parameters = _head(line, line.text.removeprefix("theorem").strip())
    said: dict[str, str] = {}
    where: list[str] = []
    steps: list[Step] = []
    for inner in block.inner:
        word, _, rest = inner.line.text.partition(" ")
        if word in ("reading", "states"):
            inner.line.refuse(word in said or steps, f"expected one line {word!r}, before the steps")
            said[word] = " ".join(filter(None, (rest, joined(inner.inner))))
        elif word == "where":
            where += checked(inner.line, lambda rest=rest: bounds(rest))
        else:
            steps += _steps(inner, len(steps))
    for word in ("reading", "states"):
        line.refuse(not said.get(word, "").strip(), f"expected a line '  {word} …' in the theorem {name!r}")
    line.refuse(not steps, f"expected a fact or words in the theorem {name!r}")
    _in_order(steps)
    own = Theorem(line, name, parameters, said["reading"], said["states"], tuple(where), tuple(steps))
    if own.states == "formula":
        line.refuse(not own.facts, f"expected a fact in {name!r}: it states formulas")
        own = own._replace(states=own.formulas)
    if steps[-1].kind in SAID and steps[-1].says.split() in ([], own.states.split()):
        own = own._replace(steps=(*steps[:-1], steps[-1]._replace(says=own.states)))
    return own


def _head(line: Line, text: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return a theorem's name, and the parameters in the parentheses behind it."""
    found = CALL.fullmatch(text)
    name = found["name"].strip() if found else text
    inner = [found.group("name", "of") for found in PARAMETER.finditer(found["inner"])] if found else []
    read = ", ".join(f"{own}({of})" if of else own for own, of in inner) == (found["inner"] if found else "")
    strange = any(c.isalpha() and c > "ÿ" and c not in GREEK for c in name)
    head = "expected a name of Latin letters, without semicolons, and parameters such as (F(u), G(i, j), bound)"
    line.refuse(not name or ";" in text or not read or strange, head)
    return name, {own: tuple(of.split(", ")) if of else () for own, of in inner}


def called(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the theorem's name and what it is taken with: tails(a_min) is tails with a_min."""
    found = CALL.fullmatch(name)
    return (found["name"], tuple(found["inner"].split(", "))) if found else (name, ())


def _steps(block: Block, before: int) -> list[Step]:
    line = block.line
    tag = re.fullmatch(r"\[([^\]]+)\] (.+)", line.text)
    name, text = (tag[1], tag[2]) if tag else ("", line.text)
    word, _, rest = text.partition(" ")
    if word == "cites":
        names = [part.strip() for part in rest.split(";")]
        line.refuse(block.inner or tag or not all(names), "expected names of theorems after 'cites', split by ;")
        return [Step(line, "cites", own, name=own) for own in names]
    kind = word if word in SAID else "fact"
    inner, says = list(block.inner), rest if kind in SAID else text
    while kind in SAID and says.count("$") % 2 and inner:
        says += " " + inner.pop(0).line.text
    words, marked = _marked(inner)
    own = Step(line, kind, says.strip(), words, name or str(before + 1))
    for at in marked:
        word, _, rest = at.text.removeprefix("- ").partition(" ")
        if (kind, word) in LISTED and rest:
            own = own._replace(**{word: tuple(rest.split("; "))})
        elif word == "note" and kind == "fact" and rest and not own.note:
            own = own._replace(note=rest)
        elif word == "tested" and kind == "argued" and (found := re.fullmatch(r"by ([A-Za-z]\w*): (.+)", rest)):
            own = own._replace(function=found[1], tested=found[2])
        elif word == "by" and kind == "computed" and rest.isidentifier():
            own = own._replace(function=rest)
        else:
            raise at.wrong(MARKED)
    opened = kind in SAID and own.says.count("$") % 2
    line.refuse(not (own.says or kind == "so") or opened, f"expected what follows after {kind!r}, with every $ closed")
    untried = kind in ("argued", "computed") and not (words and own.function)
    line.refuse(untried, f"expected words below {kind!r}, and the name of a function that tries or computes it")
    return [own]


def _marked(inner: Sequence[Block]) -> tuple[str, list[Line]]:
    """Return the words of the lines below a step, and what is marked with '- ', each line going on with the one above."""
    words: list[str] = []
    marked: list[Line] = []
    for line, _ in inner:
        if line.text.startswith("- "):
            marked.append(line)
        elif marked:
            marked[-1] = marked[-1]._replace(text=f"{marked[-1].text} {line.text}")
        else:
            words.append(line.text)
    return " ".join(words), marked


def _in_order(steps: Sequence[Step]) -> None:
    seen: list[str] = []
    for step in steps:
        step.line.refuse(step.name in seen, f"expected a name of its own, not {step.name!r} again")
        for name in step.of:
            step.line.refuse(name not in seen, f"expected the names of steps before it, not {name!r}")
        seen.append(step.name)
        bare = step.kind == "so" and step is not steps[-1] and not (step.words and step.says)
        step.line.refuse(bare, "expected a conclusion, and words below it: only the last step may do without either")


# ---- theories ---------------------------------------------------------------------------------------------------


class Defined(NamedTuple):
    """A definition: its parameters, its value as it is written and as it is judged, and how it is displayed."""

    parameters: tuple[str, ...]
    text: str
    value: Meaning
    written: str = ""


class Judged(NamedTuple):
    """What holds: how many facts the kernel has judged, the sentences that count, and what only crtools computes."""

    facts: int
    argued: tuple[str, ...]
    computed: tuple[str, ...]


@dataclass
class Theory:
    """Definitions, theorems, witnesses and words by name, with those of the theories that it builds on; ``own`` theorems."""

    name: str
    file: str = ""
    text: str = ""
    parents: tuple[Theory, ...] = ()
    defined: dict[str, Defined] = field(default_factory=dict[str, Defined])
    theorems: dict[str, Theorem] = field(default_factory=dict[str, Theorem])
    own: list[str] = field(default_factory=list[str])
    witnesses: dict[str, Any] = field(default_factory=dict[str, Any])
    words: dict[str, str] = field(default_factory=dict[str, str])
    known: dict[str, Judged] = field(default_factory=dict[str, Judged])

    @property
    def digest(self) -> str:
        """The SHA-256 of its text; of one that builds on others, of their digests and its text's, a line each."""
        texts = [parent.digest for parent in self.parents]
        plain = hashlib.sha256(self.text.encode()).hexdigest()
        return hashlib.sha256("\n".join([*texts, plain]).encode()).hexdigest() if texts else plain

    @property
    def meanings(self) -> dict[str, Meaning]:
        """What each function of the text stands for."""
        return {name: own.value for name, own in self.defined.items()}

    # -- reading

    def build_on(self, line: Line, parent: Theory) -> None:
        """Take the definitions, theorems, witnesses and words of another theory."""
        for kind in ("defined", "theorems", "witnesses", "words"):
            mine: dict[str, object] = getattr(self, kind)
            for name, own in getattr(parent, kind).items():
                line.refuse(mine.setdefault(name, own) is not own, f"{name!r} stands in two that it builds on")
        self.known |= parent.known
        self.parents = (*self.parents, parent)

    def define(self, line: Line) -> None:
        """Read ``define f(a, b) = e`` or ``define f(a, b) written LATEX = e``: closed, and never defined again."""
        shape = r"define ([A-Za-z]\w*)\((\w+(?:, \w+)*)\)(?: written \$([^$]+)\$)? = (.+)"
        found: Any = re.fullmatch(shape, line.text, re.ASCII)
        line.refuse(not found, "expected define f(a, b) = e, or define f(a, b) written $…$ = e")
        name, parameters, value = found[1], tuple(found[2].split(", ")), found[4]
        line.refuse(name in self.defined or name in BUILT_IN, f"{name} is defined already")
        line.refuse(len({*parameters}) < len(parameters), "expected parameters of different names")
        read = checked(line, lambda: self._read(value, parameters))
        self.defined[name] = Defined(parameters, value, read, found[3] or "")

    def _read(self, value: str, parameters: tuple[str, ...]) -> Meaning:
        """Read a definition's value, which has no variable but its parameters and the indices of its sums."""
        self._once(names_in(*parameters, value))
        Work.start()
        Work.keep((*ATOMS, *parameters))
        return define(parameters, value, self.meanings)

    def _once(self, found: Sequence[tuple[str, str]], functions: Collection[str] = ()) -> None:
        """Refuse a variable with the name of a function or of an index. (An unknown function the kernel refuses.)"""
        for name in [named(name) for name, what in found if what != "function"]:
            need(name not in self.defined and name not in functions, f"{name} is a definition, and no variable")
            alone = (name, "index") not in found or (name, "variable") not in found
            need(alone, f"{name} is the index of a sum, and no variable")

    def add(self, block: Block) -> None:
        """Read a theorem: its name is new, what it cites comes before it, and its facts have no name of two meanings."""
        own = theorem(block)
        block.line.refuse(own.name in self.theorems, f"the theorem {own.name!r} stands there twice")
        for step in own.steps:
            if step.kind == "cites":
                checked(step.line, lambda step=step: self.instance(step.says))
            elif step.kind == "fact":
                checked(step.line, lambda step=step: self._named_once(step, own))
        heads = (block.line.text for step in own.steps if step.kind == "computed")
        said = " ".join([own.states, *own.where, *own.facts, *heads])
        for name, of in own.parameters.items():
            block.line.refuse(name in self.defined or name in BUILT_IN, f"{name} is defined, and can be no parameter")
            block.line.refuse(of and f"{name}(" not in said, f"expected {name}(…) in a fact or in what it states")
        self.theorems[own.name] = own
        self.own.append(own.name)

    def _named_once(self, step: Step, own: Theorem) -> None:
        functions = [name for name, of in own.parameters.items() if of]
        self._once(names_in(*texts(fact(step.says, own.where)), *step.squares), functions)

    # -- judging

    def instance(self, name: str) -> tuple[Theorem, dict[str, Meaning]]:
        """Return a theorem, with its numbers put in, and what stands for each of its functions.

        A function is a definition, or min or max.
        """
        plain, functions = (name, ()) if name in self.theorems else called(name)
        need(plain in self.theorems, f"expected a theorem that comes before, not {plain[:60]!r}")
        own = self.theorems[plain]
        takes = len(own.parameters)
        need(len(functions) == takes, f"{plain} takes {takes} parameters, not {len(functions)}")
        result: dict[str, Meaning] = {}
        known = {**self.defined, **{name: Defined(("a", "b"), name, name) for name in ("min", "max")}}
        for (parameter, of), function in zip(own.parameters.items(), functions, strict=True):
            if not of:
                need(NUMBER.fullmatch(function) is not None, f"{parameter} must be a number, not {function}")
                own = own.put(parameter, Fraction(function))
                continue
            need(function in known, f"{function} is not defined")
            same = len(known[function].parameters) == len(of)
            need(same, f"{function} has another number of parameters than {parameter}")
            result[parameter] = known[function].value
        return own, result

    def judge(self, name: str) -> Judged:
        """Ask the kernel about every fact of a theorem, or of one of its instances, once. Raises ``Wrong``."""
        if name not in self.known:
            self.known[name] = self._judge(*self.instance(name))
        return self.known[name]

    def fact(self, step: Step, own: Theorem, functions: Mapping[str, Meaning]) -> dict[str, Any]:
        """Ask the kernel about a fact of a theorem, with what stands for its parameters; ``Wrong`` where it is refused."""
        Work.start()
        data = checked(step.line, lambda: fact(step.says, own.where))
        checked(step.line, lambda: judged(data, step.squares, {**self.meanings, **functions}))
        return data

    def _judge(self, own: Theorem, functions: Mapping[str, Meaning]) -> Judged:
        facts = [self.fact(step, own, functions) for step in own.steps if step.kind == "fact"]
        sentences = [s.sentence for s in own.steps if s.kind in SAID[:2] or (s.kind == "fact" and s.words)]
        if not self.ends_itself(own):
            sentences.append(own.states)
        if facts and all(map(says_nothing, facts)):
            sentences.append(f"{own.states}; its formulas are the same letter by letter")
        return Judged(len(facts), tuple(sentences), tuple(s.sentence for s in own.steps if s.kind == "computed"))

    def ends_itself(self, own: Theorem) -> bool:
        """Return whether its statement says no more than a step: its facts, its last conclusion, or all that it cites."""
        cites = [self.instance(name)[0] for name in own.cites()] * (len(own.cites()) == len(own.steps))
        said = (own.states, own.reading, {})
        same = any((t.states, t.reading, t.parameters) == said and t.states != t.formulas for t in cites)
        return same or own.states in (own.formulas, *(step.says for step in own.steps[-1:] if step.kind in SAID))

    def with_cited(self, names: Iterable[str]) -> list[str]:
        """Return theorems with all that they cite, and these, each once."""
        found = list(names)
        for name in found:
            found += [cited for cited in self.instance(name)[0].cites() if cited not in found]
        return list(dict.fromkeys(found))

    def rests_on(self, function: str, names: Collection[str]) -> bool:
        """Return whether theorems are taken with a function, or a fact of them fails where it is 1, 2, 3 or 50."""
        taken = any(function in called(name)[1] for name in names)
        return taken or not all(self._hold_with(function, value, names) for value in (1, 2, 3, 50))

    def _hold_with(self, function: str, value: int, names: Collection[str]) -> bool:
        other, own = replace(self, defined={**self.defined}, known={}), self.defined[function]
        other.defined[function] = own._replace(value=Definition(own.parameters, ratio(value)))
        with suppress(Rejected):
            for name, own in self.defined.items():
                if any(other.defined.get(each) is not self.defined.get(each) for each in functions_in(own.text)):
                    other.defined[name] = own._replace(value=define(own.parameters, own.text, other.meanings))
            return all(map(other.judge, names))
        return False


def checked(line: Line, action: Callable[[], T]) -> T:
    """Return what an action returns; what it refuses is wrong at this line."""
    try:
        return action()
    except Wrong:
        raise
    except Rejected as error:
        raise line.wrong(error) from None
    except ZeroDivisionError:
        raise line.wrong("a denominator is 0") from None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise line.wrong(f"no expression that can be read: {error}") from None
