"""A theory as a text: its definitions and theorems, read for whoever wants them, and judged by the kernel.

The grammar is in docs/theory-text.md. Reading a text judges nothing; ``Theory.judge`` asks the kernel about each fact of
a theorem, and counts what no machine judges. Errors are ``Wrong``: the file, the line, and what was expected there.

Sections: lines · theorems · theories.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from check.facts import BUILT_IN, Meaning, Written, bounds, fact, judged, names_in, parsed
from check.kernel import ATOMS, Data, Definition, Reader, Rejected, Work, named, need

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


class Block(NamedTuple):
    """A line with those below it that are further in."""

    line: Line
    inner: list[Block]


def lines(file: str, text: str) -> Iterator[Line]:
    """Iterate over the lines that say something: not empty, and no comment, which begins with # at the margin."""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = Line(file, number, len(raw) - len(raw.lstrip(" ")), raw.strip())
        if not line.text or raw.startswith("#"):
            continue
        if line.indent not in (0, 2, 4):
            raise line.wrong(f"expected an indent of 0, 2 or 4 spaces, not {line.indent}")
        if not line.text.isprintable():
            raise line.wrong(f"expected printable characters only: {ascii(line.text)[:60]}")
        yield line


def blocks(found: Iterable[Line]) -> list[Block]:
    """Return the lines at the margin, each with those at two spaces below it, each with those at four."""
    result: list[Block] = []
    for line in found:
        place, depth = result, 0
        while place and depth < line.indent:
            place, depth = place[-1].inner, depth + 2
        if depth < line.indent:
            raise line.wrong(f"expected an indent of {depth} spaces at most, below the line above")
        place.append(Block(line, []))
    return result


def joined(found: Iterable[Block]) -> str:
    """Return the words of lines that go on with each other."""
    return " ".join(block.line.text for block in found)


# ---- theorems ---------------------------------------------------------------------------------------------------

SAID = ("argued", "so", "computed")
CALL = re.compile(r"(?P<name>.*?)\((?P<inner>[^()]*(?:\([^()]*\)[^()]*)*)\)")
FUNCTION = re.compile(r"(?P<name>[A-Za-z]\w*)\((?P<of>\w+(?:, \w+)*)\)")


class Step(NamedTuple):
    """A step as it is written. ``kind``: fact, cites, argued, so or computed.

    ``says``: a fact's line, a theorem's name, or a conclusion. ``words`` stand below it. ``of``: the names of the steps
    that a conclusion follows from, () for all before it. ``function``: what tries an argument, or computes.
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

    @property
    def sentence(self) -> str:
        """What a reader has to judge."""
        return "; ".join(filter(None, (self.says, self.words)))


class Theorem(NamedTuple):
    """A theorem as it is written; ``parameters`` are functions that stand for any, by their own parameters."""

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
            if word in said or steps:
                raise inner.line.wrong(f"expected one line {word!r}, before the steps")
            said[word] = " ".join(filter(None, (rest, joined(inner.inner))))
        elif word == "where":
            where += _checked(inner.line, lambda rest=rest: bounds(rest))
        else:
            steps += _steps(inner, len(steps))
    for word in ("reading", "states"):
        if not said.get(word, "").strip():
            raise line.wrong(f"expected a line '  {word} …' in the theorem {name!r}")
    if not steps:
        raise line.wrong(f"expected a fact or words in the theorem {name!r}")
    _in_order(steps)
    for step in steps[:-1]:
        if step.kind == "so" and not step.words:
            raise step.line.wrong("expected words below it: only the last step may be its conclusion alone")
    return Theorem(line, name, parameters, said["reading"], said["states"], tuple(where), tuple(steps))


def _head(line: Line, text: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return a theorem's name, and the functions in the parentheses behind it."""
    found = CALL.fullmatch(text)
    name = found["name"].strip() if found else text
    inner = [found.groupdict() for found in FUNCTION.finditer(found["inner"])] if found else []
    if (
        not name
        or ";" in text
        or (found and ", ".join(f"{own['name']}({own['of']})" for own in inner) != found["inner"])
    ):
        raise line.wrong("expected a name without semicolons, and functions such as (F(u), G(i, j)) behind it")
    return name, {own["name"]: tuple(own["of"].split(", ")) for own in inner}


def called(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the theorem's name and the functions that it is taken with: tails(a_min) is tails with a_min."""
    found = CALL.fullmatch(name)
    return (found["name"], tuple(found["inner"].split(", "))) if found else (name, ())


def _steps(block: Block, before: int) -> list[Step]:
    line = block.line
    tag = re.fullmatch(r"\[([^\]]+)\] (.+)", line.text)
    name, text = (tag[1], tag[2]) if tag else ("", line.text)
    word, _, rest = text.partition(" ")
    if word == "cites":
        if block.inner or tag or not all(part.strip() for part in rest.split(";")):
            raise line.wrong("expected names of theorems after 'cites', with ; between them")
        return [Step(line, "cites", part.strip(), name=part.strip()) for part in rest.split(";")]
    name = name or str(before + 1)
    if word not in SAID:
        return [_fact(block, Step(line, "fact", text, name=name))]
    inner = list(block.inner)
    while rest.count("$") % 2 and inner:
        rest += " " + inner.pop(0).line.text
    return [_said(Step(line, word, rest.strip(), name=name), inner)]


def _fact(block: Block, own: Step) -> Step:
    words, marked = _marked(block.inner)
    own = own._replace(words=words)
    for line, word, rest in marked:
        if word != "squares":
            raise line.wrong("expected '- squares e; e' below a fact, or words")
        own = own._replace(squares=tuple(rest.replace("^", "**").split("; ")))
    return own


def _said(own: Step, inner: list[Block]) -> Step:
    words, marked = _marked(inner)
    own = own._replace(words=words)
    for line, word, rest in marked:
        if word == "tested" and own.kind == "argued" and (found := re.fullmatch(r"by ([A-Za-z]\w*): (.+)", rest)):
            own = own._replace(function=found[1], tested=found[2])
        elif word == "by" and own.kind == "computed" and rest.isidentifier():
            own = own._replace(function=rest)
        elif word in ("of", "uses") and own.kind == "so" and rest:
            own = own._replace(**{word: tuple(rest.split("; "))})
        else:
            raise line.wrong(
                "expected '- tested by f: what' (argued), '- by f' (computed), '- of a; b' or '- uses a; b' (so)"
            )
    if not own.says or own.says.count("$") % 2:
        raise own.line.wrong(f"expected what follows after {own.kind!r}, with every $ closed")
    if own.kind != "so" and not (words and own.function):
        raise own.line.wrong(f"expected words below {own.kind!r}, and the name of a function that tries or computes it")
    return own


def _marked(inner: Sequence[Block]) -> tuple[str, list[tuple[Line, str, str]]]:
    """Return the words of the lines below a step, and what is marked with '- ', each line going on with the one above."""
    words: list[str] = []
    marked: list[tuple[Line, str, str]] = []
    for block in inner:
        text = block.line.text
        if text.startswith("- "):
            word, _, rest = text[2:].partition(" ")
            marked.append((block.line, word, rest))
        elif marked:
            line, word, rest = marked[-1]
            marked[-1] = line, word, f"{rest} {text}"
        else:
            words.append(text)
    return " ".join(words), marked


def _in_order(steps: Sequence[Step]) -> None:
    seen: list[str] = []
    for step in steps:
        missing = [name for name in step.of if name not in seen]
        if step.name in seen:
            raise step.line.wrong(f"expected a name of its own, not {step.name!r} again")
        if missing:
            raise step.line.wrong(f"expected the names of steps before it, not {missing[0]!r}")
        seen.append(step.name)


# ---- theories ---------------------------------------------------------------------------------------------------


class Defined(NamedTuple):
    """A definition: its parameters, its value as it is written and as it is judged, and how it is displayed."""

    parameters: tuple[str, ...]
    text: str
    value: Definition | Written
    written: str = ""


class Judged(NamedTuple):
    """A theorem that holds: how many facts the kernel has judged, the sentences that count, and what only crtools computes."""

    facts: int
    sentences: tuple[str, ...]
    computed: tuple[str, ...]


@dataclass
class Theory:
    """Definitions and theorems by name, with those of the theories that it builds on. ``own`` are its own theorems."""

    name: str
    file: str = ""
    text: str = ""
    parents: tuple[Theory, ...] = ()
    defined: dict[str, Defined] = field(default_factory=dict[str, Defined])
    theorems: dict[str, Theorem] = field(default_factory=dict[str, Theorem])
    own: list[str] = field(default_factory=list[str])
    known: dict[str, Judged] = field(default_factory=dict[str, Judged])

    @property
    def digest(self) -> str:
        """The SHA-256 of its text; of one that builds on others, of their digests and its text's, a line each."""
        texts = [parent.digest for parent in self.parents]
        plain = hashlib.sha256(self.text.encode()).hexdigest()
        return hashlib.sha256("\n".join([*texts, plain]).encode()).hexdigest() if texts else plain

    @property
    def definitions(self) -> dict[str, Definition]:
        """The definitions as the kernel takes them."""
        return {name: own.value for name, own in self.defined.items() if isinstance(own.value, Definition)}

    @property
    def written(self) -> dict[str, Written]:
        """The definitions that the kernel does not take, with sums, minima or maxima."""
        return {name: own.value for name, own in self.defined.items() if isinstance(own.value, Written)}

    # -- reading

    def build_on(self, line: Line, parents: Iterable[Theory]) -> None:
        """Take the definitions and theorems of other theories."""
        for parent in parents:
            for name, own in parent.defined.items():
                if self.defined.setdefault(name, own) is not own:
                    raise line.wrong(f"{name} is defined in two theories that it builds on")
            for name, theorem in parent.theorems.items():
                if self.theorems.setdefault(name, theorem) is not theorem:
                    raise line.wrong(f"the theorem {name!r} stands in two theories that it builds on")
            self.known |= parent.known
            self.parents = (*self.parents, parent)

    def define(self, line: Line) -> None:
        """Read ``define f(a, b) = e`` or ``define f(a, b) written LATEX = e``: closed, and never defined again."""
        found = re.fullmatch(r"define ([A-Za-z]\w*)\((\w+(?:, \w+)*)\)(?: written \$(.+)\$)? = (.+)", line.text)
        if not found:
            raise line.wrong("expected define f(a, b) = e, or define f(a, b) written $…$ = e")
        name, parameters, value = found[1], tuple(found[2].split(", ")), found[4].replace("^", "**")
        if name in self.defined or name in BUILT_IN:
            raise line.wrong(f"{name} is defined already")
        if len({*parameters}) < len(parameters):
            raise line.wrong("expected parameters of different names")
        read = _checked(line, lambda: self._read(value, parameters))
        self.defined[name] = Defined(parameters, value, read, found[3] or "")

    def _read(self, value: str, parameters: tuple[str, ...]) -> Definition | Written:
        if {*BUILT_IN, *self.written}.isdisjoint(names_in(value)[1]):
            self._closed(value, parameters)
            Work.start()
            Work.keep((*ATOMS, *parameters))
            reader = Reader(self.definitions)
            return Definition(parameters, reader.read(value), tuple(reader.divisors))
        parsed(value)
        own = Written(parameters, value)
        self._closed(value, (*parameters, *own.indices))
        unknown = [name for name in names_in(value)[1] if name not in self.defined and name not in BUILT_IN]
        need(not unknown, f"{', '.join(unknown)} is not defined")
        return own

    def _closed(self, value: str, parameters: Sequence[str]) -> None:
        """Refuse a definition with another variable than its parameters, or a name that stands for two things."""
        self._once(value, ())
        self._once(" ".join(parameters), ())
        unknown = [name for name in names_in(value)[0] if name not in parameters]
        need(not unknown, f"{', '.join(unknown)} is no parameter")

    def _once(self, text: str, functions: Iterable[str]) -> None:
        """Refuse a variable with the name of a function. (A function that is not defined the kernel refuses.)"""
        for name in map(named, names_in(text)[0]):
            need(name not in self.defined and name not in functions, f"{name} is a definition, and no variable")

    def add(self, block: Block) -> None:
        """Read a theorem: its name is new, what it cites comes before it, and its facts have no name of two meanings."""
        own = theorem(block)
        if own.name in self.theorems:
            raise block.line.wrong(f"the theorem {own.name!r} stands there twice")
        if taken := [name for name in own.parameters if name in self.defined or name in BUILT_IN]:
            raise block.line.wrong(f"{taken[0]} is defined, and can be no parameter")
        for step in own.steps:
            if step.kind == "cites":
                _checked(step.line, lambda step=step: self.instance(step.says))
            elif step.kind == "fact":
                _checked(step.line, lambda step=step: self._named_once(step, own))
        self.theorems[own.name] = own
        self.own.append(own.name)

    def _named_once(self, step: Step, own: Theorem) -> None:
        data = fact(step.says, own.where)
        texts = [text for value in data.values() for text in (value if isinstance(value, list) else [value])]
        for text in (*(text for text in texts if isinstance(text, str) and text != data["rule"]), *step.squares):
            self._once(text, own.parameters)

    # -- judging

    def instance(self, name: str) -> tuple[Theorem, dict[str, Meaning]]:
        """Return a theorem, and what stands for each of its parameters: a definition, or min or max."""
        plain, functions = (name, ()) if name in self.theorems else called(name)
        need(plain in self.theorems, f"expected a theorem that comes before, not {plain[:60]!r}")
        own = self.theorems[plain]
        need(
            len(functions) == len(own.parameters),
            f"{plain} takes {len(own.parameters)} functions, not {len(functions)}",
        )
        result: dict[str, Meaning] = {}
        for (parameter, of), function in zip(own.parameters.items(), functions, strict=True):
            if function in ("min", "max"):
                result[parameter] = function
                size = 2
            else:
                need(function in self.defined, f"{function} is not defined")
                result[parameter] = self.defined[function].value
                size = len(self.defined[function].parameters)
            need(size == len(of), f"{function} has another number of parameters than {parameter}")
        return own, result

    def judge(self, name: str) -> Judged:
        """Ask the kernel about every fact of a theorem, or of one of its instances, once. Raises ``Wrong``."""
        if name not in self.known:
            own, functions = self.instance(name)
            self.known[name] = self._judge(own, functions)
        return self.known[name]

    def fact(self, step: Step, own: Theorem, functions: Mapping[str, Meaning]) -> Data:
        """Ask the kernel about a fact of a theorem, with what stands for its parameters; ``Wrong`` where it is refused."""
        Work.start()
        data = _checked(step.line, lambda: fact(step.says, own.where))
        _checked(step.line, lambda: judged(data, step.squares, self.definitions, functions, self.written))
        return data

    def _judge(self, own: Theorem, functions: Mapping[str, Meaning]) -> Judged:
        facts = [self.fact(step, own, functions) for step in own.steps if step.kind == "fact"]
        alike = [
            data for data in facts if data["rule"] == "identity" and _letters(data["left"]) == _letters(data["right"])
        ]
        sentences = [step.sentence for step in own.steps if step.kind in ("argued", "so")]
        if not ends_itself(own):
            sentences.append(own.states)
        if facts and len(alike) == len(facts):
            sentences.append(f"{own.states}; its formulas are the same letter by letter")
        computed = tuple(step.sentence for step in own.steps if step.kind == "computed")
        return Judged(len(facts), tuple(sentences), computed)

    def with_cited(self, names: Iterable[str]) -> list[str]:
        """Return theorems with all that they cite, and these, each once."""
        found = list(names)
        for name in found:
            found += [cited for cited in self.instance(name)[0].cites() if cited not in found]
        return list(dict.fromkeys(found))

    def instances(self) -> list[str]:
        """Return its own theorems, those with parameters as they are cited; ``Wrong`` where one never is."""
        result: list[str] = []
        cited = [name for own in self.theorems.values() for name in own.cites()]
        for name in self.own:
            own = self.theorems[name]
            found = [name] if not own.parameters else [each for each in cited if called(each)[0] == name]
            result += found
        return list(dict.fromkeys(result))


def ends_itself(own: Theorem) -> bool:
    """Return whether its last step is what it states: a ``so`` that all steps lead to, or the only step."""
    loose: dict[str, None] = {}
    before: list[str] = []
    for step in own.steps:
        if step.kind == "so":
            for name in step.of or before:
                loose.pop(name, None)
        before.append(step.name)
        loose[step.name] = None
    return len(loose) == 1


def _letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def _checked(line: Line, action: Callable[[], T]) -> T:
    """Return what an action returns; what it refuses is wrong at this line."""
    try:
        return action()
    except Wrong:
        raise
    except Rejected as error:
        raise line.wrong(error) from None
    except ZeroDivisionError:
        raise line.wrong("a denominator is 0") from None
    except RecursionError:
        raise line.wrong("no expression that can be read: too deep") from None
