"""Claims in one call: a formula, a bound, a measurement. What each says stands in the theory's text, once.

The text gives a claim's sentence, its level, its given value and the theorem that its finding names
(docs/theory-text.md); Python adds what the judge cannot do: how the right value is computed another way, where to look
for a counterexample, what is measured. Each helper returns a :class:`crtools.ledger.Claim`; :func:`together` joins those
of one claim with several findings, and :func:`ledger` makes a ledger of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, product
from typing import Any

import sympy as sp

from check import conditions
from check.facts import alike
from check.kernel import Rejected, Work
from check.statements import Statement
from check.theory import called
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError
from crtools.expressions import Expr, number
from crtools.ledger.agreement import agree
from crtools.ledger.claim import Claim, Variant
from crtools.ledger.deciders.bounds import Bound, Family, Side, apart, decide_bound
from crtools.ledger.deciders.formulas import decide_formula, distinct
from crtools.ledger.deciders.measured import Interval
from crtools.ledger.deciders.measured import measured as decide_measured
from crtools.ledger.deciders.ranges import Range, constant, formula_on, integers_from
from crtools.ledger.evidence import Evidence, Open, Proved, Refuted, by_theorem
from crtools.ledger.ledger import Ledger
from crtools.ledger.level import Level
from crtools.ledger.parameters import Given
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict
from crtools.proof.steps import Computation
from crtools.proof.text import Text
from crtools.proof.theorem import Theorem

__all__ = ["Text", "bound", "formula", "ledger", "measured", "together"]

Value = int | Fraction | Enclosure
"""What a number is known as: exactly, or between two bounds."""

Other = str | Mapping[str, str] | Variant
"""Another value for a claim: that of the given name that is meant, or several by name."""

NO_FORMULA: Any = sp.nan
"""What is right where neither the text nor its author gives a formula."""

GRID = {0: 1, 1: 12, 2: 5, 3: 3}
"""How many values each parameter of a range takes among the points that are looked at, by the number of parameters."""


def formula(
    text: Text,
    id: str,
    direct: Callable[..., Value],
    *,
    finding: str = "",
    of: str = "",
    on: Range | None = None,
    points: Iterable[Mapping[str, int | Fraction]] | None = None,
    true: Any = None,
    second: Callable[..., Value] | None = None,
    reading: str = "",
    corrupted: Sequence[Other] = (),
    variants: Sequence[Other] = (),
    place: str = "",
) -> Claim:
    """Return the claim that a given formula is the right one, everywhere in a range.

    It is proved by the theorem that the text's finding names: one about any formula, ``equal jobs(triangle)``, is judged with
    the given one in the place of ``triangle``; one about what the text says that the formula ``is``, if it is that. The first
    point at which ``direct`` and a second computation both differ from it refutes it.

    ``direct``: the right value, called with the formula's variables by name: another way than the proof's, such as
    counting. ``finding``, ``of``: the finding and the given name, where the text has several. ``on``: where the formula is
    claimed (:mod:`crtools.ledger.deciders.ranges`), by default for all integers ≥ 1. ``points``: where to look first.
    ``reading``: who is quantified how, by default as the theorem says. ``true``: the right formula as a SymPy expression;
    what :func:`crtools.derive` finds may stand here, its symbols are matched by name. It must be what the text says that the
    formula is (``is``), if it says so. ``second``: the right value once more, where neither gives it. ``corrupted``,
    ``variants``: values that make it false, and others that make it true. Raises ``InputError`` where the text has no such
    claim.

    >>> formula(TEXT, "equal-jobs", lambda n: sum(range(1, n + 1)), corrupted=["n*(n-1)/2"])  # doctest: +SKIP
    """
    own = _Stated.of(text, id, finding, of, variants)
    name = own.theorem
    parameter = own.parameter(text)
    variables = text.theory.theorems[name].parameters[parameter] if parameter else ()
    if on is None:
        on = integers_from(**dict.fromkeys(variables or ("n",), 1))
    symbols = _symbols(on)
    stands = own.statement.stands.get(own.name, "")
    right = _by_name(true, symbols) if true is not None else NO_FORMULA
    if stands:
        says = _by_name(text.read(stands), symbols)
        if true is not None and sp.simplify(says - right) != 0:
            raise InputError("true", str(true), f"must be what the text says that {own.name} is: {stands}")
        right = says
    elif true is None and second is None:
        allowed = f"needs second=, or below its given value in the text 'is f(…)', the function that {own.name} is"
        raise InputError("claim", id, allowed)

    def again(point: Mapping[str, Any]) -> Any:
        if second is not None:
            return second(**point)
        return right.subs({symbols[key]: sp.Rational(str(value)) for key, value in point.items()})

    def decide(given: Given) -> Decision:
        tree, found = formula_on(own.name, given[own.name], symbols, on)

        def theorem() -> Theorem:
            if parameter:
                put = sp.Lambda(tuple(symbols[v] for v in variables), found) if variables else found
                return text.theorem(own.full_theorem, **{parameter: put})
            if not stands:
                raise ValueError("the text names no theorem that it is a parameter of")
            proved = text.theorem(own.full_theorem)
            return proved if _alike(text, given[own.name], stands) else _the_same(proved, found, right, on)

        looked = [_numbers(point) for point in (points if points is not None else _grid(on))]
        further = () if right is NO_FORMULA else (_numbers(point) for point in distinct(found - right, on))
        evidence = decide_formula(own.name, theorem, tree, chain(looked, further), lambda point: direct(**point), again)
        why = f"the formula is {evidence.status}"
        if isinstance(evidence, Refuted):
            at = ", ".join(f"{key} = {value}" for key, value in evidence.witness.items())
            why = f"at ${at}$ it gives {_short(evidence.claimed)}, and {_short(evidence.actual)} is right"
        where = reading or (text.theory.theorems[name].reading if name else on.text)
        says = f"the right formula for {own.name} is ``{given[own.name]}``"
        return own.decision(evidence, says, where, why, "a theorem, or a point where it fails")

    return own.claim(decide, place, corrupted, variants)


def bound(
    text: Text,
    id: str,
    ratio: Callable[..., Value],
    places: Iterable[Mapping[str, Any]] = (),
    *,
    side: Side = "at most",
    finding: str = "",
    of: str = "",
    on: Range | None = None,
    at: Callable[..., int | Fraction] | None = None,
    theorem: str = "",
    repair: str = "",
    second: Callable[..., Value] | None = None,
    reading: str = "",
    corrupted: Sequence[Other] = (),
    variants: Sequence[Other] = (),
    place: str = "",
) -> Claim:
    """Return the claim that a ratio is at most (``side``: at least) a given bound: a number, or a formula of one variable.

    It is proved by a theorem that takes the bound, ``move to front(factor)``: the judge puts the value in and decides the
    facts with it. It is refuted by the first of ``places`` that is beyond it, if the second computation says so too. That is
    the judge's, where the text has a witness for the claim whose ``holds`` compares the two; else ``second``. Without either
    it stays open. Where the theorem holds and a place is beyond the bound, one of them is wrong: ``InputError``.

    ``ratio``: what is so at a place, called with its numbers and lists by name: of a form under a law, of a form's worst
    case, of a schedule; exact or enclosed. ``places``: plainest first. ``on``: the range of the bound's variable
    (:mod:`crtools.ledger.deciders.ranges`), ``at``: its value at a place. ``theorem``: the one that takes the bound, where
    the finding names none, as it is refuted. ``repair``: a value that may stand in the place of a bound that is false.
    Raises ``InputError`` where the text has no such claim, or a theorem that does not take the bound.
    """
    own = _Stated.of(text, id, finding, of, variants)
    on = on or constant()
    [variable] = _symbols(on).values() or [sp.Symbol("x", positive=True)]
    witness = own.statement.witness
    own.parameter(text, theorem)
    spots = list(map(_point, places))

    def decide(given: Given) -> Decision:
        limit = Bound.given(own.name, given[own.name], variable, on)
        beyond_it: list[str] = []

        def refuted(spot: Mapping[str, Any], claimed: Enclosure, value: Fraction, looked: int) -> Refuted | None:
            beyond_it.append(
                f"at {_spot(spot)} the ratio is {value}, which is {'more' if side == 'at most' else 'less'}"
            )
            try:
                once_more = second(**spot) if second else _judged(text, witness, spot, given) if witness else None
            except Rejected:
                return None
            if once_more is None:
                return None
            exact = _enclosed(ratio(**spot))
            what = agree(exact, _enclosed(once_more), f"the ratio at {dict(spot)}")
            beyond = (claimed.upper, value) if side == "at most" else (value, claimed.lower)
            small, large = apart(*beyond)
            claims, is_so = (small, large) if side == "at most" else (large, small)
            if claimed.width == 0:
                claims = str(claimed.lower)
            here = is_so if exact.width or len(str(value)) > len("1000000/1000000") else str(value)
            shown = {key: _datum(each) for key, each in spot.items()}
            return Refuted(
                shown,
                claims,
                here,
                _shown(what) + ("" if second else ", by the judge"),
                values={"settings_looked_at": looked},
            )

        def end(spot: Mapping[str, Any], claimed: Fraction) -> Fraction:
            found = _enclosed(ratio(**spot))
            return found.lower if side == "at most" else found.upper

        family = Family[Mapping[str, Any]](
            point=lambda spot: Fraction(at(**spot)) if at else Fraction(1), ratio=end, refuted=refuted, places=spots
        )
        evidence = decide_bound(limit, family, tried="the places", side=side)
        proof = (
            evidence
            if isinstance(evidence, Refuted)
            else own.proof(text, theorem, given[own.name], limit.expr, variable)
        )
        if isinstance(proof, Proved) and beyond_it:
            raise InputError(own.name, given[own.name], f"is wrong, though its theorem holds: {beyond_it[0]}")
        evidence = evidence if proof is None else proof
        why = f"the bound is {evidence.status}"
        if isinstance(evidence, Refuted):
            beyond = "above" if side == "at most" else "below"
            why = f"at ${_spot(evidence.witness)}$ it is {_short(evidence.actual)}, {beyond} {_short(evidence.claimed)}"
        says = f"the ratio is {side} ``{given[own.name]}``"
        where = reading or (on.text if on.names else "as the sentence says")
        method = "the theorem with the bound in it, or a place beyond it"
        repairs: tuple[Repair, ...] = ()
        if repair and isinstance(evidence, Refuted):
            tree = Bound.given("repair", repair, variable, on)
            backed = own.proof(text, theorem, repair, tree.expr, variable)
            found = () if backed is None else (Finding("repair", f"the ratio is {side} ``{repair}``", backed),)
            repairs = (Repair(own.statement.level, f"the ratio is {side} ``{repair}``", found),) if found else ()
        return replace(own.decision(evidence, says, where, why, method), repairs=repairs)

    return own.claim(decide, place, corrupted, variants)


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
    corrupted: Sequence[Other] = (),
    variants: Sequence[Other] = (),
    place: str = "",
) -> Claim:
    """Return the claim that measured figures lie where it says: supported, contradicted, or not told. It proves nothing.

    ``says``: its sentence; what is measured has no certificate, and no statement in a text. ``figures``: each (low, high), what
    it may be by its own error; or a list of independent values, or a mean over seeds as :func:`crtools.compare` returns
    them (``.to_form``): its 95 % interval. They are measured once in a process. ``least``, ``most``: what is allowed, of the
    given numbers by name. ``sample``: in words, what
    was looked at and how much of it.
    """
    kept: list[Interval | None] = []
    names = tuple(given)

    def decide(values: Given) -> Decision:
        numbers = {name: number(name, values[name]) for name in names}
        low = -float("inf") if least is None else least(**numbers)
        high = float("inf") if most is None else most(**numbers)
        if not kept:
            kept.extend(_interval(figure) for figure in figures())
        seen = ", ".join("no error known" if f is None else f"[{float(f[0]):.4g}, {float(f[1]):.4g}]" for f in kept)
        allowed = f"allowed [{float(low):.6g}, {float(high):.6g}]"
        evidence = decide_measured(kept, least=low, most=high, sample=sample, margin=f"{allowed}, seen {seen}")
        own = Finding("measured", says, evidence)
        verdict = Verdict(level, reading or sample, f"measured: {evidence.status}", "simulation", (own,))
        return Decision(f"{sample}: {evidence.status}", (verdict,), PublishedProof())

    return Claim(
        id=id, place=place or "measured", statement=says, stated_at=level, given=dict(given), decide=decide,
        corrupted=_others(corrupted, names[0], "measured"), variants=_others(variants, names[0], "measured"),
    )  # fmt: skip


def together(*claims: Claim) -> Claim:
    """Return the claim whose findings are those of several, all of one id and one level: it holds where all of them do."""
    first = claims[0]
    if {(own.id, own.stated_at) for own in claims} != {(first.id, first.stated_at)}:
        raise InputError("claims", ", ".join(own.id for own in claims), "must be of one id and one level")

    def decide(given: Given) -> Decision:
        decided = [own.decide(given) for own in claims]
        findings = tuple(f for each in decided for f in each.verdicts[0].findings)
        why = "; ".join(each.why for each in decided)
        return Decision(why, (replace(decided[0].verdicts[0], why=why, findings=findings),), PublishedProof())

    return replace(first, decide=decide, variants=tuple(variant for own in claims for variant in own.variants))


def ledger(
    text: Text, *claims: Claim, title: str = "", source: str = "", levels: Sequence[Level] = (), **more: Any
) -> Ledger:
    """Return the ledger of a text and these claims; its name is that of the text's file.

    ``levels``: by default those at which the claims are stated. ``forms`` and ``policies`` in ``more`` may be lists; the
    rest is as of :class:`crtools.ledger.Ledger`.
    """
    ids = dict.fromkeys(own.stated_at for own in claims)
    for kind in ("forms", "policies"):
        if isinstance(brought := more.get(kind), list | tuple):
            things: Sequence[Any] = brought
            more[kind] = lambda things=things: {own.name: own for own in things}
    return Ledger(
        name=text.theory.name, title=title or text.theory.name, source=source or text.file,
        levels=tuple(levels) or tuple(Level(id, id[0], f"what the text calls {id}", "is it true?") for id in ids),
        load=lambda: claims, theory=lambda: text, **more,
    )  # fmt: skip


# ---- what the text says ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Stated:
    """A finding of a claim, as the text states it. ``name``: of the given value that it is about."""

    statement: Statement
    finding: str
    name: str

    @classmethod
    def of(cls, text: Text, id: str, finding: str, of: str, others: Sequence[Other]) -> _Stated:
        """Return it; ``InputError`` where the text has no such claim, or where it is not said which finding or value is meant."""
        found = [own for (name, _), own in text.book.claims.items() if name == id and own.ledger == text.theory.name]
        if len(found) != 1:
            known = ", ".join(dict.fromkeys(own.id for own in text.book.claims.values()))
            levels = "at one level" if found else f"; it has {known or 'none'}"
            raise InputError("claim", id, f"must be a claim of the text {text.file}{' ' if found else ''}{levels}")
        [statement] = found
        return cls(statement, _one("finding", id, finding, statement.findings), _one("of", id, of, statement.given))

    @property
    def full_theorem(self) -> str:
        """The first theorem that the finding names, with its functions; "" for none."""
        return next(iter(self.statement.findings[self.finding].proofs), "")

    @property
    def theorem(self) -> str:
        """Its name alone."""
        return called(self.full_theorem)[0]

    def parameter(self, text: Text, theorem: str = "") -> str:
        """Return the parameter of the theorem that the given value is put in the place of; "" where 'is' ties it.

        Raises ``InputError`` for a theorem that does not take it.
        """
        name = theorem or self.full_theorem
        if not name:
            return ""
        plain, taken = (name, ()) if name in text.theory.theorems else called(name)
        if plain not in text.theory.theorems:
            raise InputError("theorem", name, f"must stand in the text {text.file}")
        parameters = text.theory.theorems[plain].parameters
        function = self.statement.stands.get(self.name, "").partition("(")[0]
        tied = {True: function, False: self.statement.given[self.name]}
        found = [own for (own, of), by in zip(parameters.items(), taken, strict=False) if by == tied[bool(of)]]
        if found or (theorem and len(parameters) == 1):
            return found[0] if found else next(iter(parameters))
        if not function or theorem:
            allowed = (
                f"must take it, {plain}({self.name}), so that the judge puts it in; or 'is f(…)' stands below its value"
            )
            raise InputError("theorem", name, allowed)
        return ""

    def proof(self, text: Text, theorem: str, given: str, value: Any, variable: Any) -> Evidence | None:
        """Return what the theorem proves with a value in the place of the given one; None where there is none."""
        name, parameter = theorem or self.full_theorem, self.parameter(text, theorem)
        if not name:
            return None
        if not parameter:
            stands = self.statement.stands[self.name]
            same = _alike(text, given, stands)
            return by_theorem(text.theorem(name)) if same else Open(f"its theorem is about {stands}")
        plain = name if name in text.theory.theorems else called(name)[0]
        of = text.theory.theorems[plain].parameters[parameter]
        if not of and not value.is_Rational:
            return Open(f"{parameter} must be a fraction for the judge to put it in")
        names = (variable,) if len(of) == 1 else tuple(map(sp.Symbol, of))
        return by_theorem(text.theorem(name, **{parameter: sp.Lambda(names, value) if of else value}))

    def decision(self, evidence: Evidence, says: str, reading: str, why: str, method: str) -> Decision:
        """Return the decision of a claim with this finding alone."""
        own = Finding(self.finding, says, evidence)
        verdict = Verdict(self.statement.level, reading, why, method, (own,))
        return Decision(why, (verdict,), PublishedProof())

    def claim(
        self, decide: Callable[[Given], Decision], place: str, corrupted: Sequence[Other], variants: Sequence[Other]
    ) -> Claim:
        """Return the claim."""
        own = self.statement
        return Claim(
            id=own.id, place=place or f"{self.statement.ledger}.txt", statement=own.says, stated_at=own.level, given=dict(own.given),
            decide=decide, corrupted=_others(corrupted, self.name, self.finding),
            variants=_others(variants, self.name, self.finding),
        )  # fmt: skip


def _one(argument: str, id: str, name: str, known: Mapping[str, Any]) -> str:
    if name in known or (not name and len(known) == 1):
        return name or next(iter(known))
    raise InputError(argument, name or id, f"must be one of those of {id} in the text: {', '.join(known) or 'none'}")


def _others(values: Sequence[Other], name: str, finding: str) -> tuple[Variant, ...]:
    made: list[Variant] = []
    for value in values:
        if isinstance(value, Variant):
            made.append(value)
        else:
            own = {name: value} if isinstance(value, str) else dict(value)
            made.append(Variant(", ".join(own.values()), own, finding))
    return tuple(made)


def _judged(text: Text, witness: str, spot: Mapping[str, Any], given: Mapping[str, str]) -> Any:
    """Return the ratio as the judge computes it from the text's witness, in whose lines it is called ``ratio``.

    Raises ``Rejected`` where it does not hold.
    """
    part = text.book.witnesses[witness]
    data = {name: _datum(spot[name]) for name in (*part.reads, *part.inner) if name in spot}
    Work.start()
    found = conditions.check(part, data, conditions.given(given), text.theory.definitions)
    if "ratio" not in found:
        raise InputError("witness", witness, "must have a line 'let ratio = …', which is compared with the bound")
    return Fraction(found["ratio"])


# ---- numbers --------------------------------------------------------------------------------------------------------


def _alike(text: Text, one: str, other: str) -> bool:
    """Return whether two formulas are one function, as the judge compares them."""
    Work.start()
    try:
        return alike(one, other, text.theory.meanings)
    except (Rejected, ArithmeticError, ValueError, TypeError, IndexError):
        return False


def _symbols(on: Range) -> dict[str, Any]:
    """Return a symbol for each name of a range, with what the range says of it."""
    kinds = ("integer", "positive", "nonnegative", "real")
    case = on.cases[0]
    return {
        name: sp.Symbol(name, **{kind: True for kind in kinds if getattr(sp.sympify(value), f"is_{kind}")})
        for name, value in case.items()
    }


def _by_name(expr: Expr, symbols: Mapping[str, Any]) -> Any:
    """Return an expression in these symbols: those of the same names, whatever was assumed of them."""
    own = sp.sympify(expr)
    unknown = sorted(s.name for s in own.free_symbols if s.name not in symbols)
    if unknown:
        raise InputError("expression", str(own), f"has {unknown[0]}, which must be one of {', '.join(symbols)}")
    return own.xreplace({s: symbols[s.name] for s in own.free_symbols})


def _grid(on: Range) -> Iterable[Mapping[str, Any]]:
    for case, parameters in zip(on.cases, on.parameters, strict=True):
        few = GRID.get(len(parameters), 2)
        if not all(p.is_integer for p in parameters):
            few = min(3, few)
        values = [[sp.Integer(k + bool(p.is_positive)) for k in range(few)] for p in parameters]
        for each in product(*values):
            put = dict(zip(parameters, each, strict=True))
            yield {key: sp.sympify(expr).subs(put) for key, expr in case.items()}


def _numbers(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a point with integers where they are, else fractions."""
    found = {
        key: Fraction(value) if isinstance(value, int | str | Fraction) else fraction(value)
        for key, value in point.items()
    }
    return {key: int(value) if value.denominator == 1 else value for key, value in found.items()}


def _point(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a place with integers where they are, else fractions; lists stay lists."""

    def value(own: Any) -> Any:
        return [value(each) for each in own] if isinstance(own, list | tuple) else _numbers({"": own})[""]

    return {key: value(own) for key, own in point.items()}


def _spot(spot: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in spot.items())


def _the_same(proved: Theorem, claimed: Any, right: Any, on: Range) -> Theorem:
    """Return a theorem's steps with one more that crtools computed: that two formulas are the same everywhere in a range."""

    def differ() -> str | None:
        for case in on.cases:
            put = {symbol: case[symbol.name] for symbol in claimed.free_symbols | right.free_symbols}
            if sp.simplify((claimed - right).subs(put)) != 0:
                return "they are not seen to be the same"
        return None

    says = sp.latex(sp.Eq(claimed, right, evaluate=False))
    own = Computation(name="the same", text="the same formula, written otherwise", conclusion=says, compute=differ)
    return Theorem(f"{proved.name}, written otherwise", says, proved.reading, (*proved.steps, own), proved.judge)


def _enclosed(value: Any) -> Enclosure:
    """Return a number that an author's function returned as an enclosure. Raises ``InputError`` for anything else."""
    if isinstance(value, Enclosure):
        return value
    try:
        return Enclosure(Fraction(value), Fraction(value))
    except (TypeError, ValueError, OverflowError):
        raise InputError("ratio", repr(value), "must be a finite number or an Enclosure") from None


def _datum(value: Any) -> Any:
    """Return a number as JSON data."""
    return (
        [_datum(own) for own in value] if isinstance(value, list) else value if isinstance(value, int) else str(value)
    )


def _shown(value: Any) -> str:
    own = _enclosed(value)
    return str(own.lower) if own.width == 0 else own.decimals(12)[0]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 24 else f"{float(Fraction(text)):.6g}"


def _interval(figure: Any) -> Interval | None:
    """Return what a figure may be: a pair, or the interval of a mean over seeds (None of one seed), given or of a list."""
    if isinstance(figure, list):
        from crtools.process.statistics import Mean

        values: Any = figure
        figure = Mean.of(values)
    own = figure if isinstance(figure, tuple) else figure.interval
    return None if own is None else (own[0], own[1])
