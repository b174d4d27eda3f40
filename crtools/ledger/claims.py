"""How claims are defined: the ``claim`` decorator, and helpers for claims in one call. Users and our ledgers use both.

A claim with several levels, a published proof or displays is a function from the given values to a ``Decision``, decorated by
:func:`claim`; use :func:`verdict`, :func:`decision` and :mod:`crtools.ledger.deciders`. For a claim with one finding,
:func:`formula` and :func:`bound` take the sentence, the level, the given value and the theorem from the theory's text
(docs/theory-text.md). A measured claim (:func:`measured`) has no statement in a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import chain, product
from pathlib import Path
from typing import Any, TypedDict, Unpack, get_args

import sympy as sp

from check import conditions
from check.facts import alike
from check.kernel import Rejected, Work
from check.statements import Statement
from check.theory import called
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant, claim
from crtools.ledger.deciders.bounds import Bound, Setting, Side, separating_decimals
from crtools.ledger.deciders.formulas import Point, as_enclosure, decide_formula, distinct, point_as_json, value_text
from crtools.ledger.deciders.measured import Interval
from crtools.ledger.deciders.measured import measured as decide_measured
from crtools.ledger.deciders.ranges import Range, constant, formula_on, integers_from
from crtools.ledger.evidence import Evidence, Open, Proved, Refuted, agree, by_theorem
from crtools.ledger.ledger import Ledger, Level
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, decision, decision_at, verdict
from crtools.names import named_arguments
from crtools.numeric_types import SymExpr
from crtools.proof.steps import Computation
from crtools.proof.text import Text
from crtools.proof.theorem import Theorem

__all__ = [
    "Text", "bound", "claim", "decision", "decision_at", "formula", "ledger", "measured", "proved_or_refuted", "theorem", "together",
    "verdict",
]  # fmt: skip

Number = int | Fraction | Enclosure
"""A number that is known exactly, or between two bounds."""

OtherValue = str | Mapping[str, str] | Variant
"""Another value for a claim: that of its given name, or several by name."""

SAMPLES = {0: 1, 1: 12, 2: 5, 3: 3}
"""The number of values of each parameter at the sample points of a range, by the number of parameters."""

NOT_EXAMINED = PublishedProof(note="no published proof is examined")


class Options(TypedDict, total=False):
    """Further arguments of :func:`formula` and :func:`bound`.

    ``finding``, ``of``: the finding and the given name, where the text has several. ``reading``: the quantifiers; by default those
    of the theorem or the range. ``corrupted``, ``variants``: values that make the claim false, and others that make it true.
    ``place``, ``published``: the claim's place in its source, and the judgement of the proof there.
    """

    finding: str
    of: str
    reading: str
    corrupted: Sequence[OtherValue]
    variants: Sequence[OtherValue]
    place: str
    published: PublishedProof


@named_arguments(*Options.__annotations__)
def formula(
    text: Text,
    id: str,
    direct: Callable[..., Number],
    *,
    on: Range | None = None,
    points: Iterable[Point] | None = None,
    true: SymExpr | None = None,
    second: Callable[..., Number] | None = None,
    **options: Unpack[Options],
) -> Claim:
    """Return the claim that a given formula is the right one, everywhere in a range.

    It is proved by the theorem that the text's finding names. A theorem about any formula, ``equal jobs(triangle)``, is judged with
    the given formula in the place of ``triangle``; any other theorem proves the formula after ``is`` in the text. The first point
    at which ``direct`` and a second computation both differ from the formula refutes it.

    Parameters
    ----------
    text, id
        The theory's text, and the claim's id in it.
    direct
        Returns the right value at a point, called with the variables by name. It computes in another way than the proof,
        for instance by counting.
    on
        Where the formula is claimed (:mod:`crtools.ledger.deciders.ranges`); by default for all integers ≥ 1.
    points
        Points to look at first.
    true
        The right formula, as SymPy or :func:`crtools.derive` returns it; symbols are matched by name. Where the text says
        what the formula ``is``, it must be the same.
    second
        Computes the right value a second time, where neither the text nor ``true`` gives it.
    options
        See :class:`Options`.

    Raises
    ------
    InputError
        Where the text has no such claim, or the right formula is not known.

    Examples
    --------
    >>> formula(TEXT, "equal-jobs", lambda n: sum(range(1, n + 1)), corrupted=["n*(n-1)/2"])  # doctest: +SKIP
    """
    stated = _StatedFinding.in_text(text, id, **options)
    parameter = stated.parameter()
    variables = text.theory.theorems[stated.theorem].parameters[parameter] if parameter else ()
    variables = variables and stated.arguments
    on = on or integers_from(**dict.fromkeys(variables or ("n",), 1))
    symbols = _symbols(on)
    in_text: Any = _in_symbols(text.read(stated.stands), symbols) if stated.stands else None
    right: Any = in_text if true is None else _in_symbols(true, symbols)
    if in_text is not None and sp.simplify(in_text - right) != 0:
        raise InputError("true", str(true), f"must be what the text says that {stated.name} is: {stated.stands}")
    if right is None and second is None:
        allowed = f"needs second=, or below its given value in the text 'is f(…)', the function that {stated.name} is"
        raise InputError("claim", id, allowed)

    def again(point: Point) -> Any:
        if second is not None:
            return second(**point)
        return sp.sympify(right).subs({symbols[name]: sp.Rational(str(value)) for name, value in point.items()})

    def decide(given: Given) -> Decision:
        value = given[stated.name]
        tree, expr = formula_on(stated.name, value, symbols, on)

        def theorem() -> Theorem:
            if parameter:
                put = sp.Lambda(tuple(symbols[v] for v in variables), expr) if variables else expr
                return text.theorem(stated.full_theorem, **{parameter: put})
            if in_text is None:
                raise ValueError("the text names no theorem that it is a parameter of")
            proved = text.theorem(stated.full_theorem)
            return proved if _alike(text, value, stated.stands) else _the_same(proved, expr, right, on)

        candidates = () if right is None else distinct(expr - right, on)
        tested = map(_exact_numbers, chain(_samples(on) if points is None else points, candidates))
        evidence = decide_formula(stated.name, theorem, tree, tested, lambda point: direct(**point), again)
        reading = text.theory.theorems[stated.theorem].reading if stated.theorem else on.text
        method, why = "a theorem, or a point where it fails", "the formula is right"
        return stated.decision(evidence, f"the right formula for {stated.name} is ``{value}``", reading, method, why)

    return stated.claim(decide)


@named_arguments(*Options.__annotations__)
def bound(
    text: Text,
    id: str,
    ratio: Callable[..., Number],
    places: Iterable[Point] = (),
    *,
    side: Side = "at most",
    on: Range | None = None,
    at: Callable[..., int | Fraction] | None = None,
    theorem: str = "",
    repair: str = "",
    second: Callable[..., Number] | None = None,
    **options: Unpack[Options],
) -> Claim:
    """Return the claim that a ratio is at most (``side``: at least) a given bound: a number, or a formula of one variable.

    It is proved by a theorem with the bound as a parameter, ``move to front(factor)``: the judge substitutes the value and decides
    the facts with it. It is refuted by the first of ``places`` beyond the bound that a second computation confirms: the judge's,
    where the text has a witness for the claim with a line ``let ratio = …``; else ``second``. Without either it stays open.

    Parameters
    ----------
    text, id
        As for :func:`formula`.
    ratio
        Returns the ratio at a place, exact or enclosed; called with the place's numbers and lists by name.
    places
        Candidates for a counterexample, simplest first: numbers and lists by name, such as an instance.
    side
        ``"at most"`` or ``"at least"``.
    on, at
        The range of the bound's variable (:mod:`crtools.ledger.deciders.ranges`), and its value at a place.
    theorem
        The theorem with the bound as a parameter, where the finding names none because it is refuted.
    repair
        A true bound, printed if the given one is false; it is proved by the same theorem.
    second
        Computes the ratio at a place a second time, by other code.
    options
        See :class:`Options`.

    Raises
    ------
    InputError
        Where the text has no such claim, where the theorem does not take the bound, and, when the claim is decided, where
        the theorem holds although a place is beyond the bound.
    """
    stated = _StatedFinding.in_text(text, id, **options)
    on = on or constant()
    [variable] = _symbols(on).values() or [sp.Symbol("x", positive=True)]
    stated.parameter(theorem)
    if side not in get_args(Side):
        raise InputError("side", side, "must be 'at most' or 'at least'")
    candidates = [_exact_numbers(point) for point in places]
    at_most = side == "at most"

    def refutation(limit: Bound, given: Given) -> tuple[Refuted | None, str]:
        """Return the first confirmed place beyond the bound, and a sentence on the first place beyond it."""
        beyond = ""
        for looked_at, point in enumerate(candidates):
            place = f"the ratio at {point_as_json(point)}"
            share = as_enclosure(at(**point), f"at {point_as_json(point)}").lower if at else Fraction(1)
            claimed, value = limit.at(share), as_enclosure(ratio(**point), place)
            if claimed is None:
                continue
            small, large = (claimed, value) if at_most else (value, claimed)
            if small.upper >= large.lower:
                continue
            end = value.lower if at_most else value.upper
            at_point = ", ".join(f"{name} = {number}" for name, number in point.items())
            beyond = beyond or f"at {at_point} the ratio is {end}, which is {'more' if at_most else 'less'}"
            confirmed = second(**point) if second else _judged(text, stated.statement.witness, point, given)
            if confirmed is not None:
                again = agree(value, as_enclosure(confirmed, place), place)
                decimals = separating_decimals(small.upper, large.lower)
                says, actual = decimals if at_most else decimals[::-1]
                return Refuted(
                    point_as_json(point),
                    str(claimed.lower) if claimed.width == 0 else says,
                    str(value.lower) if value.width == 0 else actual,
                    value_text(again, 12) + ("" if second else ", by the judge"),
                    values={"settings_looked_at": looked_at},
                ), beyond
        return None, beyond

    def repaired() -> tuple[Repair, ...]:
        limit = Bound.given("repair", repair, variable, on) if repair else None
        backing = limit and stated.proof(theorem, repair, limit.expr, variable)
        if backing is None:
            return ()
        sentence = f"the ratio is {side} ``{repair}``"
        return (Repair(stated.statement.level, sentence, (Finding("repair", sentence, backing),)),)

    def decide(given: Given) -> Decision:
        value = given[stated.name]
        limit = Bound.given(stated.name, value, variable, on)
        refuted, beyond = refutation(limit, given)
        evidence = refuted or stated.proof(theorem, value, limit.expr, variable)
        if isinstance(evidence, Proved) and beyond:
            raise InputError(stated.name, value, f"is wrong, though its theorem holds: {beyond}")
        evidence = evidence or Open("the places", {"settings_looked_at": len(candidates)} if candidates else {})
        if isinstance(evidence, Open) and beyond:
            unconfirmed = "no second computation confirms it (second=, or a witness of the text that holds there)"
            evidence = replace(evidence, tried=f"{evidence.tried}; {beyond}, but {unconfirmed}")
        reading, method = on.text if on.names else "as the sentence says", "a theorem, or a place beyond the bound"
        result = stated.decision(evidence, f"the ratio is {side} ``{value}``", reading, method, "the bound holds")
        return replace(result, repairs=repaired()) if refuted else result

    return stated.claim(decide)


@named_arguments()
def measured(
    id: str,
    says: str,
    figures: Callable[[], Iterable[Any]],
    *,
    level: str,
    sample: str,
    given: Mapping[str, str],
    least: Callable[..., Fraction] | None = None,
    most: Callable[..., Fraction] | None = None,
    reading: str = "",
    corrupted: Sequence[OtherValue] = (),
    variants: Sequence[OtherValue] = (),
    place: str = "",
) -> Claim:
    """Return the claim that measured figures lie within limits: supported, contradicted or open, never proved.

    Parameters
    ----------
    id, says, level, given
        The claim's id, sentence, level and given values, which stand here: a measured claim has no certificate, and so no block in a text.
    figures
        Returns the figures; it is called once in a process. Each is a pair (low, high), the value less and plus its error;
        a list of independent values, whose mean's 95 % interval is taken; or a mean over seeds as :func:`crtools.compare`
        returns it (``.to_form``).
    sample
        What was measured and how much of it, in words.
    least, most
        Return the limits, called with the given numbers by name.
    reading, corrupted, variants, place
        As for :func:`formula`.
    """
    names = tuple(given)
    intervals = cache(lambda: [*map(_interval, figures())])
    false_values, true_values = (_variants(values, names[0], "measured") for values in (corrupted, variants))
    place = place or "measured"

    @claim(id, level, place, says, given=given, corrupted=false_values, variants=true_values)
    def decided(values: Given) -> Decision:
        numbers = {name: number(name, values[name]) for name in names}
        low = -float("inf") if least is None else least(**numbers)
        high = float("inf") if most is None else most(**numbers)
        ends = ["no error known" if f is None else f"[{float(f[0]):.4g}, {float(f[1]):.4g}]" for f in intervals()]
        margin = f"allowed [{float(low):.6g}, {float(high):.6g}], seen {', '.join(ends)}"
        evidence = decide_measured(intervals(), least=low, most=high, sample=sample, margin=margin)
        finding = Finding("measured", says, evidence)
        why = ("the figures lie within the limits", "a figure lies outside the limits")
        undecided = "the figures do not tell"
        of_level = verdict(level, reading or sample, "simulation", why, finding, undecided=undecided)
        return Decision(f"{sample}: {evidence.status}", (of_level,), NOT_EXAMINED)

    return decided


def theorem(text: Text, id: str, *, place: str = "", published: PublishedProof = NOT_EXAMINED) -> Claim:
    """Return a claim without a given value, each of whose findings is proved by the theorems that the text names for it.

    A finding stays open where a step of a theorem fails, since nothing refutes it. The claim has no corrupted values: only the
    text could be wrong, and the judge decides every fact of it.

    Parameters
    ----------
    text, id
        As for :func:`formula`.
    place, published
        See :class:`Options`.

    Raises
    ------
    InputError
        Where the text has no such claim, the claim has a given value, or a finding has no theorem.

    Examples
    --------
    >>> theorem(TEXT, "front")  # doctest: +SKIP
    """
    stated = _stated(text, id)
    without = [name for name, finding in stated.findings.items() if not finding.proofs]
    if stated.given or without:
        wrong = f"{without[0]} names no theorem" if without else "it has a given value, which formula or bound takes"
        raise InputError("claim", id, f"must rest on theorems alone: {wrong}")

    @claim(id, stated.level, place or f"{stated.ledger}.txt", stated.says)
    def decided(_: Given) -> Decision:
        proofs = {id: [text.theorem(name) for name in own.proofs] for id, own in stated.findings.items()}
        hold = {id: " and ".join(f"“{own.name}”" for own in of) + " hold" for id, of in proofs.items()}
        findings = [Finding(id, hold[id] + "s" * (len(of) == 1), by_theorem(*of)) for id, of in proofs.items()]
        readings = dict.fromkeys(own.reading for of in proofs.values() for own in of)
        only = verdict(stated.level, "; ".join(readings), "theorems", "its theorems hold", *findings)
        return Decision(only.why, (only,), published)

    return decided


def together(*claims: Claim, why: str = "") -> Claim:
    """Return the claim with the findings of several claims of one id and one level; it holds if all of them do.

    ``why``: its reason where all are proved, by default theirs.

    Raises
    ------
    InputError
        Where the claims have different ids or levels.
    """
    first = claims[0]
    if len({(each.id, each.stated_at) for each in claims}) > 1:
        raise InputError("claims", ", ".join(each.id for each in claims), "must be of one id and one level")

    def decide(given: Given) -> Decision:
        decisions = [each.decide(given) for each in claims]
        findings = tuple(finding for each in decisions for finding in each.verdicts[0].findings)
        proved = all(finding.status == "proved" for finding in findings)
        reason = (proved and why) or "; ".join(dict.fromkeys(each.why for each in decisions))
        all_findings = replace(decisions[0].verdicts[0], why=reason, findings=findings)
        return replace(decisions[0], why=reason, verdicts=(all_findings,))

    return replace(first, decide=decide, variants=tuple(variant for each in claims for variant in each.variants))


def proved_or_refuted(
    theorem: Theorem, settings: Iterable[Setting], refuted: Callable[[Setting], Refuted | None]
) -> Evidence:
    """Return the proof by the theorem, else the refutation in the first setting that has one, else why the theorem fails."""
    proof = by_theorem(theorem)
    return proof if proof.status == "proved" else next(filter(None, map(refuted, settings)), proof)


def ledger(
    text: Text, *claims: Claim, title: str = "", source: str = "", levels: Sequence[Level] = (), **more: Any
) -> Ledger:
    """Return the ledger of a text and these claims; its name is that of the text's file.

    Parameters
    ----------
    text, claims
        The theory's text, and its claims in their order.
    title, source
        The subject and the source of the theory; by default the name of the text and of its file.
    levels
        The levels of reading; by default those at which the claims are stated.
    more
        Other fields of :class:`crtools.ledger.Ledger`; ``forms`` and ``policies`` may be lists.
    """
    for kind in {"forms", "policies"} & set(more):
        if isinstance(items := more[kind], list | tuple):
            more[kind] = partial(dict[str, Any], {each.name: each for each in items})
    heads: dict[str, str] = {}
    for id in dict.fromkeys(each.stated_at for each in claims):
        heads[id] = next((letter for letter in id if letter not in heads.values()), id[0])
    return Ledger(
        name=text.theory.name, title=title or text.theory.name, source=source or Path(text.file).name,
        levels=tuple(levels) or tuple(Level(id, head, f"the level {id} of the theory's text", "is it true?") for id, head in heads.items()),
        load=lambda: claims, theory=lambda: text, **more,
    )  # fmt: skip


# ---- the statement in the text --------------------------------------------------------------------------------------


def _stated(text: Text, id: str) -> Statement:
    """Return a claim of the text; ``InputError`` where it has no such claim, or has it at several levels."""
    stated = [s for (name, _), s in text.book.claims.items() if name == id and s.ledger == text.theory.name]
    if len(stated) != 1:
        ids = ", ".join(dict.fromkeys(each.id for each in text.book.claims.values()))
        levels = " at one level" if stated else f"; it has {ids or 'none'}"
        raise InputError("claim", id, f"must be a claim of the text {text.file}{levels}")
    return stated[0]


@dataclass(frozen=True)
class _StatedFinding:
    """A finding of a claim, as the text states it, and the name of the given value that it is about."""

    text: Text
    statement: Statement
    finding: str
    name: str
    options: Options

    @classmethod
    def in_text(cls, text: Text, id: str, finding: str = "", of: str = "", **options: Any) -> _StatedFinding:
        """Look it up; ``InputError`` where the text has no such claim, or where ``finding`` or ``of`` is needed."""
        only = _stated(text, id)
        if not only.given:
            allowed = "must have a line 'given NAME = VALUE' in the text; theorem(…) takes one without"
            raise InputError("claim", id, allowed)
        finding, name = _one("finding", id, finding, only.findings), _one("of", id, of, only.given)
        return cls(text, only, finding, name, Options(**options))

    @property
    def full_theorem(self) -> str:
        """The first theorem that the finding names, with its functions; "" for none."""
        return next(iter(self.statement.findings[self.finding].proofs), "")

    @property
    def theorem(self) -> str:
        return called(self.full_theorem)[0]

    @property
    def stands(self) -> str:
        """The formula that the text has for the given value after ``is``; "" for none."""
        return self.statement.stands.get(self.name, "")

    @property
    def arguments(self) -> list[str]:
        """The names in ``is f(b, a)``, of which the given formula is a function; none where f is at anything else."""
        inside = re.fullmatch(r"\w+\((.*)\)", self.stands)
        names = inside[1].replace(" ", "").split(",") if inside else []
        return names if all(map(str.isidentifier, names)) and len(set(names)) == len(names) else []

    def parameter(self, theorem: str = "") -> str:
        """Return the parameter of the theorem for the given value; "" where the text has a formula for the value after ``is``.

        A formula that ``is f(2*n)`` is no function of f's argument: it is tied so, and f itself is put in.

        Raises ``InputError`` for a theorem that has no such parameter.
        """
        full_name = theorem or self.full_theorem
        if not full_name:
            return ""
        theorems = self.text.theory.theorems
        name, arguments = (full_name, ()) if full_name in theorems else called(full_name)
        if name not in theorems:
            raise InputError("theorem", full_name, f"must stand in the text {self.text.file}")
        parameters, function = theorems[name].parameters, self.stands.partition("(")[0]
        for (parameter, variables), argument in zip(parameters.items(), arguments, strict=False):
            if argument == (function if variables else self.statement.given[self.name]):
                return parameter if len(self.arguments) == len(variables) or not variables else ""
        if theorem and len(parameters) == 1 and (self.arguments or not self.stands):
            return next(iter(parameters))
        if not function or theorem:
            takes = f"must take it, {name}({self.name}), so that the judge puts it in"
            raise InputError("theorem", full_name, f"{takes}; or 'is f(…)' stands below its value")
        return ""

    def proof(self, theorem: str, value: str, expr: SymExpr, variable: SymExpr) -> Evidence | None:
        """Return the evidence of the theorem with a value in the place of the given one; None where there is no theorem."""
        full_name, parameter = theorem or self.full_theorem, self.parameter(theorem)
        if not full_name:
            return None
        if not parameter:
            same = _alike(self.text, value, self.stands)
            return by_theorem(self.text.theorem(full_name)) if same else Open(f"its theorem is about {self.stands}")
        theorems = self.text.theory.theorems
        name = full_name if full_name in theorems else called(full_name)[0]
        variables = theorems[name].parameters[parameter]
        if not variables and not expr.is_Rational:
            return Open(f"{parameter} must be a fraction for the judge to put it in")
        symbols = (variable,) if len(variables) == 1 else tuple(map(sp.Symbol, self.arguments or variables))
        return by_theorem(self.text.theorem(name, **{parameter: sp.Lambda(symbols, expr) if variables else expr}))

    def decision(self, evidence: Evidence, says: str, reading: str, method: str, why: str) -> Decision:
        """Return the decision of a claim with this finding alone; ``why`` is the reason where it holds."""
        finding = Finding(self.finding, says, evidence)
        only = verdict(self.statement.level, self.options.get("reading") or reading, method, why, finding)
        return Decision(only.why, (only,), self.options.get("published", NOT_EXAMINED))

    def claim(self, decide: Callable[[Given], Decision]) -> Claim:
        s, options = self.statement, self.options
        corrupted = _variants(options.get("corrupted", ()), self.name, self.finding)
        variants = _variants(options.get("variants", ()), self.name, self.finding)
        place = options.get("place") or f"{s.ledger}.txt"
        return claim(s.id, s.level, place, s.says, given=s.given, corrupted=corrupted, variants=variants)(decide)


def _one(argument: str, id: str, name: str, names: Iterable[str]) -> str:
    """Return the name that is meant: the only one, where it is left out."""
    allowed = list(names)
    if name in allowed or (not name and len(allowed) == 1):
        return name or allowed[0]
    stand = ", ".join(allowed) or "none"
    raise InputError(argument, name or id, f"must be one of those of {id} in the text: {stand}")


def _variants(values: Iterable[OtherValue], name: str, finding: str) -> tuple[Variant, ...]:
    several = [values] if isinstance(values, str) else values
    given = [value if isinstance(value, Mapping | Variant) else {name: str(value)} for value in several]
    return tuple(v if isinstance(v, Variant) else Variant(", ".join(v.values()), dict(v), finding) for v in given)


def _judged(text: Text, witness: str, point: Point, given: Mapping[str, str]) -> Fraction | None:
    """Return the ratio as the judge computes it from the text's witness; None without one, or where it does not hold."""
    if not witness:
        return None
    part = text.theory.witnesses[witness]
    data = point_as_json({name: point[name] for name in (*part.reads, *part.inner) if name in point})
    Work.start()
    try:
        values = conditions.check(part, data, conditions.given(given), text.theory.meanings)
    except (Rejected, TypeError):  # a condition may not hold, or compare with a given value that is no number
        return None
    if "ratio" not in values:
        raise InputError("witness", witness, "must have a line 'let ratio = …', which is compared with the bound")
    return Fraction(values["ratio"])


def _alike(text: Text, formula: str, other: str) -> bool:
    Work.start()
    try:
        return alike(formula, other, text.theory.meanings)
    except (Rejected, ArithmeticError, ValueError, TypeError, IndexError):
        return False


# ---- points and numbers ---------------------------------------------------------------------------------------------


def _symbols(on: Range) -> dict[str, sp.Symbol]:
    kinds = ("integer", "positive", "nonnegative", "real")
    return {
        name: sp.Symbol(name, **{kind: True for kind in kinds if getattr(sp.sympify(value), f"is_{kind}")})
        for name, value in on.cases[0].items()
    }


def _in_symbols(expr: SymExpr, symbols: Mapping[str, sp.Symbol]) -> SymExpr:
    """Return an expression in these symbols, matched by name whatever their assumptions."""
    tree: Any = sp.sympify(expr)
    unknown = sorted(s.name for s in tree.free_symbols if s.name not in symbols)
    if unknown:
        raise InputError("expression", str(tree), f"has {unknown[0]}, which must be one of {', '.join(symbols)}")
    return tree.xreplace({s: symbols[s.name] for s in tree.free_symbols})


def _samples(on: Range) -> Iterator[Point]:
    for case, parameters in zip(on.cases, on.parameters, strict=True):
        count = SAMPLES.get(len(parameters), 2)
        count = count if all(p.is_integer for p in parameters) else min(3, count)
        values = [[sp.Integer(k + bool(p.is_positive)) for k in range(count)] for p in parameters]
        for each in product(*values):
            put = dict(zip(parameters, each, strict=True))
            yield {name: sp.sympify(expr).subs(put) for name, expr in case.items()}


def _exact_numbers(point: Point) -> dict[str, Any]:
    """Return a point with integers where its numbers are integers, else fractions."""

    def exact(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [exact(each) for each in value]
        rational = Fraction(value) if isinstance(value, int | str | Fraction) else fraction(value)
        return int(rational) if rational.denominator == 1 else rational

    try:
        return {name: exact(value) for name, value in point.items()}
    except (AttributeError, TypeError, ValueError):
        allowed = "must be numbers and lists by name, each number an int, a Fraction or its text"
        raise InputError("place", point, allowed) from None


def _the_same(proved: Theorem, claimed: Any, right: Any, on: Range) -> Theorem:
    """Return a theorem with a further step, computed by crtools: two formulas are equal everywhere in a range."""

    def difference() -> str | None:
        for case in on.cases:
            put = {symbol: case[str(symbol)] for symbol in claimed.free_symbols | right.free_symbols}
            if sp.simplify((claimed - right).subs(put)) != 0:
                return "they are not seen to be the same"
        return None

    says = sp.latex(sp.Eq(claimed, right, evaluate=False))
    step = Computation(name="the same", text="the same formula, written otherwise", conclusion=says, compute=difference)
    return Theorem(f"{proved.name}, written otherwise", says, proved.reading, (*proved.steps, step), proved.judge)


def _interval(figure: Any) -> Interval | None:
    """Return a figure's interval: the pair itself, or that of a mean over seeds or over a list (None of one value)."""
    if isinstance(figure, list) or hasattr(figure, "tolist"):
        from crtools.process.measures import Mean

        figure = Mean.of(list(figure))
    interval = figure if isinstance(figure, tuple) else getattr(figure, "interval", ())
    if interval is not None and (len(interval) != 2 or interval[1] < interval[0]):
        raise InputError("figures", figure, "must be pairs (low, high), lists of values, or means over seeds")
    return interval
