"""Evidence for a finding: ``Proved``, ``Certified``, ``Refuted``, ``Measured`` or ``Open``. The type gives the status."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypeVar

from crtools.numeric_types import JsonObject

if TYPE_CHECKING:
    from crtools.proof.theorem import Theorem

    JsonValue: TypeAlias = "str | int | float | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
    """A JSON value; a tuple is written as a list."""
else:
    JsonValue = Any  # the cache evaluates annotations of evidence; such a value needs no conversion

Status = Literal["proved", "certified", "supported", "contradicted", "refuted", "inconclusive", "skipped"]

WEAKEST_FIRST: tuple[Status, ...] = (
    "refuted", "contradicted", "skipped", "inconclusive", "supported", "certified", "proved",
)  # fmt: skip
"""A verdict has the status of its finding that comes first here: refuted if a finding is, else the weakest."""


def weakest(statuses: Iterable[Status]) -> Status:
    """Return the status of several things taken together; ``inconclusive`` of none."""
    present = set(statuses) or {"inconclusive"}
    return next(status for status in WEAKEST_FIRST if status in present)


FALSE: tuple[Status, ...] = ("refuted", "contradicted")
SURE: tuple[Status, ...] = ("proved", "certified")
DECIDED: tuple[Status, ...] = (*SURE, "refuted")

Data = JsonObject


class _Evidence:
    """Stores its fields as JSON data: each theorem once, and what theorems use from the literature.

    Raises ``ValueError`` where a field of ``needs`` is empty or a theorem does not hold.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        evidence: Any = self
        for name in (*self.needs, "values"):
            value = (named if name in ("values", "witness") else json_data)(getattr(self, name))
            if name in self.needs and (value is None or value in ("", {}, [])):
                raise ValueError(f"{evidence.kind} evidence needs {name}")
            object.__setattr__(self, name, value)
        if isinstance(evidence, Proved | Refuted):
            if not all(theorem["holds"] for theorem in evidence.theorems):
                raise ValueError("a theorem that does not hold neither proves nor refutes")
            cited = (use for theorem in evidence.theorems for step in theorem["steps"] for use in step.get("uses", ()))
            object.__setattr__(self, "uses", tuple(dict.fromkeys([*evidence.uses, *cited])))
            object.__setattr__(self, "theorems", tuple(by_name(json_data(evidence.theorems)).values()))

    def as_json(self) -> Data:
        """Return the fields that are not empty as JSON data; theorems by name, without those that others of them cite."""
        fields: Data = {}
        for name, value in vars(self).items():
            if name == "theorems":
                value = uncited(value)
            if name != "uses" and value not in ("", (), [], {}):
                fields[name] = value
        return {"kind": fields.pop("kind"), **fields}


@dataclass(frozen=True)
class Proved(_Evidence):
    """Proved for every value in the reading: by theorems whose every step was checked, or by an argument in words.

    ``theorems``: records of theorems that hold, and of those that they cite (``Theorem.records``). ``argument``: a
    sentence that leads from them to the finding, or proves it alone; it is counted as a step in words. ``values``: what else was computed.
    """

    theorems: tuple[Data, ...] = ()
    argument: str = ""
    values: Data = field(default_factory=JsonObject)
    uses: tuple[str, ...] = ()
    kind: Literal["proved"] = "proved"
    status: ClassVar[Status] = "proved"

    def __post_init__(self) -> None:
        if not self.theorems and not self.argument.strip():
            raise ValueError("what is proved needs a theorem or an argument")
        if not self.argument.isprintable():
            raise ValueError("an argument is words that can be printed")
        super().__post_init__()


@dataclass(frozen=True)
class Certified(_Evidence):
    """A value in exact or ball arithmetic, for a finite range. ``second``: the same value, computed by other code."""

    value: JsonValue
    range: str
    second: JsonValue
    values: Data = field(default_factory=JsonObject)
    uses: tuple[str, ...] = ()
    kind: Literal["certified"] = "certified"
    status: ClassVar[Status] = "certified"
    needs: ClassVar = ("value", "range", "second")


@dataclass(frozen=True)
class Refuted(_Evidence):
    """A witness: an instance, exact or rigorously enclosed, at which the sentence fails.

    ``witness``: the instance. ``claimed`` and ``actual``: what the sentence says there and what is so. ``second``: the
    same by code that shares nothing with the first. ``stays``: why it is no artefact of rounding, ties or small sizes.
    ``theorems``: records of theorems that hold, and of those that they cite, where the witness is a family.
    """

    witness: Data
    claimed: Any
    actual: Any
    second: JsonValue
    stays: str = ""
    theorems: tuple[Data, ...] = ()
    values: Data = field(default_factory=JsonObject)
    uses: tuple[str, ...] = ()
    kind: Literal["refuted"] = "refuted"
    status: ClassVar[Status] = "refuted"
    needs: ClassVar = ("witness", "claimed", "actual", "second")

    @property
    def family(self) -> list[Data]:
        """The records of a family's theorems, without those that others of them cite."""
        names = uncited(self.theorems)
        return [theorem for theorem in self.theorems if theorem["theorem"] in names]


@dataclass(frozen=True)
class Measured(_Evidence):
    """Floats or simulation agree with the sentence, or disagree beyond a margin: no guarantee either way.

    ``sample``: the kind and number of measurements, in words. ``margin``: the distance of the figures from the limit.
    """

    agrees: bool
    sample: str
    margin: JsonValue
    values: Data = field(default_factory=JsonObject)
    uses: tuple[str, ...] = ()
    kind: Literal["measured"] = "measured"
    needs: ClassVar = ("sample", "margin")

    @property
    def status(self) -> Status:
        """``supported`` or ``contradicted``."""
        return "supported" if self.agrees else "contradicted"


@dataclass(frozen=True)
class Open(_Evidence):
    """Not decided. ``tried``: what was tried, in words; for the kind ``skipped``, why the claim was skipped."""

    tried: str
    values: Data = field(default_factory=JsonObject)
    uses: tuple[str, ...] = ()
    kind: Literal["open", "skipped"] = "open"
    needs: ClassVar = ("tried",)

    @property
    def status(self) -> Status:
        """``inconclusive``, or ``skipped``."""
        return "inconclusive" if self.kind == "open" else "skipped"


Evidence = Proved | Certified | Refuted | Measured | Open


def theorems_of(*evidence: Evidence) -> list[Data]:
    """Return the records of the theorems that evidence names, each once."""
    named = (one.theorems for one in evidence if isinstance(one, Proved | Refuted))
    return list(by_name(theorem for theorems in named for theorem in theorems).values())


def uncited(theorems: Sequence[Data]) -> list[str]:
    """Return the names of the theorems that no other one of them cites."""
    cited = {step.get("theorem") for theorem in theorems for step in theorem["steps"]}
    return [theorem["theorem"] for theorem in theorems if theorem["theorem"] not in cited]


def by_theorem(*theorems: Theorem, argument: str = "", values: Data | None = None) -> Proved | Open:
    """Return ``Proved`` where every theorem holds, else ``Open`` with the first step that fails."""
    failed = [(theorem, theorem.first_failure) for theorem in theorems if not theorem.holds]
    more = dict(values or {})
    if failed:
        theorem, step = failed[0]
        reason = "it has no steps" if step is None else f"step “{step.step.name}”: {step.failure}"
        return Open(f"Theorem {theorem.name} was tried; {reason}", more)
    return Proved(records(*theorems), argument, more)


def records(*theorems: Theorem) -> tuple[Data, ...]:
    """Return the records of theorems and of those that they cite, each once."""
    return tuple(by_name(record for theorem in theorems for record in theorem.records).values())


Value = TypeVar("Value")


def agree(first: Value, second: Value, what: str) -> Value:
    """Return ``second`` if the two agree: equal, or, of enclosures, overlapping; else raise ``AssertionError``."""
    from crtools.enclosure import Enclosure  # here, as the import loads NumPy and python-flint

    if isinstance(first, Enclosure) and isinstance(second, Enclosure):
        same = first.lower <= second.upper and second.lower <= first.upper
    else:
        same = first == second
    if not same:
        raise AssertionError(f"two computations of {what} differ: {first} and {second}")
    return second


# ---- JSON data, whose names are identifiers --------------------------------------------------------------------------

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def json_data(value: Any) -> Any:
    """Return a value as JSON gives it back: lists for tuples, text for keys, Python's own numbers.

    Raises ``TypeError`` for a value that JSON cannot represent.
    """
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise TypeError(f"evidence is JSON data: {error}") from None


def json_fields(thing: Any, *names: str) -> JsonObject:
    """Return attributes of an object by name, as JSON data: an attribute with a method ``as_json`` converts itself."""
    return {name: _as_json(getattr(thing, name)) for name in names}


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple):
        rows: tuple[Any, ...] = value
        return [_as_json(row) for row in rows]
    return value.as_json() if hasattr(value, "as_json") else value


def by_name(records: Iterable[JsonObject]) -> JsonObject:
    """Return the records of theorems by name; ``AssertionError`` if two theorems have the same name."""
    table: JsonObject = {}
    for record in records:
        if table.setdefault(record["theorem"], record) != record:
            raise AssertionError(f"two theorems have the name {record['theorem']!r}")
    return table


def named(values: JsonObject) -> JsonObject:
    """Return a mapping as JSON data whose names are identifiers; ``TypeError`` for a name that is a sentence."""
    for name in values:
        if not NAME.fullmatch(name):
            raise TypeError(f"a name in evidence must be an identifier, not {name!r}")
    return json_data(values)
