"""``discover``: from a policy to the form of its latency, proved by its phases where it has some, else guessed from runs.

The result, ``Discovery``, is data, JSON, and a Python file that makes the form.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

from crtools.discovery import entries, third_differences
from crtools.discovery.entries import Entries, Entry, Formula, Point
from crtools.discovery.measurements import ExactRuns, MeanFieldRuns, Measurement, NoMeanField, PacedAttempts
from crtools.discovery.phase_theorem import ByPhases, by_phases
from crtools.discovery.rules import NoPhases, entries_at
from crtools.discovery.third_differences import AGREES, AGREES_PACED, OverArea, Progress, Sizes, ThirdDifferences
from crtools.errors import InputError
from crtools.forms import Form
from crtools.forms.base import unbound
from crtools.ledger.evidence import Status, by_theorem, json_fields
from crtools.ledger.registry import ledgers
from crtools.ledger.verdict import trusted
from crtools.names import named_arguments
from crtools.numeric_types import JsonObject, RingElement
from crtools.process import Policy
from crtools.process.policies import known_names, read_policy
from crtools.proof.theorem import Theorem
from crtools.setting import Setting
from crtools.tables import WithRows, shortened

MIXTURES = (((1, 2, 4), 0), ((2, 3, 3, 5), 1))
"""Patterns of more than two lengths or other shares, with s, that confirm a formula for every length."""


class InLedger(NamedTuple):
    """A sentence about a policy's total latency, and the theorem of a ledger that proves it."""

    ledger: str
    says: str
    theorem: str


def in_ledgers(policy: Policy) -> tuple[InLedger, ...]:
    """Return the ledgers' theorems about an installed policy, each checked; none for other rules with the same name."""
    if known_names().get(policy.name) != policy:
        return ()
    stated = [(name, row) for name, ledger in ledgers().items() for row in ledger.latencies().get(policy.name, ())]
    proofs = [(name, says, theorem()) for name, (says, theorem) in stated]
    return tuple(InLedger(name, says, proof.name) for name, says, proof in proofs if proof.holds)


@dataclass(frozen=True, repr=False)
class Discovery(WithRows):
    """What :func:`discover` found about the form of a policy's latency.

    Attributes
    ----------
    policy
        The policy's name.
    quadratic
        Whether its latency is quadratic in the shares of lengths; None where that stays open.
    status
        ``proved`` where a theorem proves the entry, ``certified`` where phases give each measured entry, ``supported``
        where runs confirm a guess or speak against every form, else ``inconclusive``.
    looks, differences
        Third differences at several lengths and s, from few runs; and where they are clearest, at growing sizes.
    areas
        The latency over that of the area form, where it is not quadratic.
    method, entries
        How entries were measured, and their values at (i, j, s).
    fitted, confirmed
        How many values the guess was made from, and how many others agree with the formulas.
    apart
        The largest relative distance of the formulas to runs in random orders, extrapolated to n/M → ∞.
    formulas
        One entry for i ≤ j; or three, at (l, l), (l, u) and (u, u), of a policy that knows l and u; or none.
    form
        The form of the formulas, or the one that phases give from pair to pair.
    theorem, known, in_ledgers
        What proves the formulas; the name of a form with all of these entries; what ledgers prove of the policy's latency.
    residues
        The form's value at equal shares of lengths 2 and 5, s = 1, where counts are r requests off the matched ones.
    tried
        The methods that failed, with the reasons.

    Examples
    --------
    >>> from crtools import discover
    >>> found = discover("h-sf")
    >>> found.status, found.entry, found.known
    ('proved', 'i*(i + s)', 'h-sf')
    >>> found.form.entry(2, 3, 1)
    Fraction(6, 1)
    """

    policy: str
    quadratic: bool | None
    status: Status
    looks: tuple[ThirdDifferences, ...]
    differences: tuple[ThirdDifferences, ...]
    areas: tuple[OverArea, ...] = ()
    method: str = ""
    entries: Mapping[Point, Entries] = field(default_factory=dict[Point, Entries])
    fitted: int = 0
    confirmed: int = 0
    apart: float | None = None
    formulas: tuple[Formula, ...] = ()
    form: Form | None = None
    theorem: Theorem | None = None
    known: str | None = None
    in_ledgers: tuple[InLedger, ...] = ()
    residues: Mapping[int, Fraction | None] = field(default_factory=dict[int, "Fraction | None"])
    tried: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Show whether the latency is quadratic, the entry, its status, and the form that has it already."""
        kind = {True: "quadratic", False: "not quadratic", None: "open whether quadratic"}[self.quadratic]
        entry = "no formula" if self.entry is None else f"entry {self.entry}"
        words = f", {self.argued} sentences" if self.theorem else ""
        form = f", that of the form {self.known}" if self.known else ""
        return f"{kind} ({self.status}{words}); {shortened(entry)}{form}: discover({self.policy!r})"

    @property
    def latex(self) -> str:
        """The entry in LaTeX; empty without one."""
        import sympy as sp

        entry = "" if self.entry is None else sp.latex(sp.sympify(self.entry))
        return entry and rf"N(i, j, s) = {entry}, \quad i \le j"

    def _rows(self) -> list[JsonObject]:
        return list(self.as_json()["entries"])

    @property
    def entry(self) -> str | None:
        """The entry at i < j, and at i = j too where there is one formula, as text that SymPy reads; None without one."""
        return self.formulas[len(self.formulas) // 2].text if self.formulas else None

    @property
    def ends(self) -> tuple[str, str] | None:
        """The entries at (l, l) and (u, u), i = l and j = u, of a form on two lengths; None for any other."""
        return (self.formulas[0].text, self.formulas[2].text) if len(self.formulas) == 3 else None

    @property
    def argued(self) -> int:
        """How many steps of the theorem are words."""
        return 0 if self.theorem is None else len(trusted(by_theorem(self.theorem)).argued)

    def without(self, reason: str) -> Self:
        """Return the discovery with the reason why one more method failed."""
        return replace(self, tried=(*self.tried, reason))

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return {
            **json_fields(self, "policy", "quadratic", "status", "entry"),
            "ends": self.ends and dict(zip(("low", "high"), self.ends, strict=True)),
            "known_form": self.known,
            "theorem": self.theorem and self.theorem.as_json() | {"argued": self.argued},
            "in_ledgers": [each._asdict() for each in self.in_ledgers],
            **json_fields(self, "method", "fitted", "confirmed", "apart"),
            "third_differences": [d.as_json() for d in self.differences],
            "looked_at": [d.as_json() for d in self.looks],
            **json_fields(self, "areas"),
            "entries": [
                {"i": i, "j": j, "s": s, "ii": str(e.low), "ij": str(e.mixed), "jj": str(e.high)}
                for (i, j, s), e in self.entries.items()
            ],
            "residues": {str(r): None if value is None else str(value) for r, value in self.residues.items()},
            "tried": list(self.tried),
        }  # fmt: skip

    @property
    def writable(self) -> bool:
        """Whether :meth:`as_python` has a form to write: that of a formula, or a known one that is certified."""
        return bool(self.formulas) or (self.known is not None and self.status == "certified")

    def as_python(self) -> str:
        """Return a Python file that makes the form; raises ``InputError`` where there is neither a formula nor a known form."""
        if self.writable and not self.formulas:
            head = f'"""The form of {self.policy}: all {len(self.entries)} pairs measured have the entries of {self.known}."""\n'
            return f"{head}\nfrom crtools import form as known\n\nform = known({self.known!r})\n"
        if not self.formulas:
            raise InputError("--out", self.policy, "needs a formula, and none was found")
        ends = len(self.formulas) == 3
        at_ends = {"low": "at (l, l)", "mixed": "at (l, u)", "high": "at (u, u)"}
        where = {name: f"{at}, i = l and j = u" for name, at in at_ends.items()} if ends else {"entry": "for i ≤ j"}
        parts = [
            f'def {name}(i, j, s):\n    """The entry {at}."""\n    return {formula.text}\n'
            for (name, at), formula in zip(where.items(), self.formulas, strict=True)
        ]
        rests = "proved for whole batches" if self.theorem else "a guess from runs, supported and not proved"
        head = f'"""The form of {self.policy}: {rests}."""\n'
        load = "from crtools.discovery import form_on_ends\n" if ends else "from crtools import Form\n"
        name = repr(form_name(self.policy))
        make = f"form_on_ends(low, mixed, high, {name})" if ends else f"Form.from_entry(entry, name={name})"
        return "\n\n".join([f"{head}\n{load}", *parts, f"form = {make}\n"])


def form_name(policy: str) -> str:
    """Return the name of the form that is found for a policy."""
    return f"{policy}-found"


def form_on_ends(low: Entry, mixed: Entry, high: Entry, name: str) -> Form:
    """Return the form with these entries at (l, l), (l, u) and (u, u), each a function of l, u and s."""

    def bind(l: int, u: int) -> Form:
        ends = Fraction(l), Fraction(u)

        def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
            return (low if j == l else high if i == u else mixed)(*ends, s)

        return Form.from_entry(entry, name)

    return Form(name, partial(unbound, name), bind=bind, lengths=lambda l, u: (l, u) if l < u else (l,))


def form_by_phases(policy: Policy, name: str) -> Form:
    """Return the form on two lengths l and u that the phases of each pair give, for entries that are no one formula."""

    def entry(which: str, i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        at_lengths = entries_at(policy, int(i), int(j), int(s))
        if at_lengths is None:
            raise InputError("form", name, f"has no phases at lengths {i} and {j}, s = {s}")
        return getattr(at_lengths, which)

    return form_on_ends(partial(entry, "low"), partial(entry, "mixed"), partial(entry, "high"), name)


@named_arguments()
def discover(
    policy: str | Policy | Path,
    *,
    sizes: Sizes | None = None,
    progress: Progress = iter,
    say: Callable[[str], None] = lambda line: None,
) -> Discovery:
    """Find the form of a policy's latency.

    Parameters
    ----------
    policy
        A name, a ``Policy``, or a Python file that holds one (``FILE.py`` or ``FILE.py:NAME``), which is run.
    sizes
        M, n/M and the number of seeds of the two sets of runs behind third differences, by default ``SIZES``.
    progress
        Wraps the steps, as ``tqdm`` does.
    say
        Called with one line of text before each part of the work.

    Returns
    -------
    Discovery
        The form, what proves or confirms it, and the methods that failed.

    Raises
    ------
    InputError
        For a policy that cannot be found or run.

    Examples
    --------
    >>> discover("h-sf").entry
    'i*(i + s)'
    """
    rules = read_policy(policy)
    chosen = third_differences.sizes_for(rules, sizes)
    say(f"{rules.name}: is its latency quadratic? third differences at five pairs of lengths, in random orders")
    looks = third_differences.looked_at(rules, chosen, progress)
    say("the same where they are clearest, with more runs, at M and 4M")
    differences = third_differences.clearest(rules, looks, chosen, progress)
    result = Discovery(rules.name, None, "inconclusive", looks, differences, in_ledgers=in_ledgers(rules))
    try:
        say("do its rules make phases, for every length and s?")
        proof = by_phases(rules)
    except NoPhases as reason:
        proof, result = None, result.without(f"rule of phases: {reason}")
    if proof is not None or not third_differences.not_quadratic(*differences):
        say("its entries at pairs of lengths, by exact runs or by masses")
        result = _measured(rules, result, progress)
        if result.entries:
            say("a formula for them, and what confirms it")
            return _with_formulas(rules, result, proof)
        if not third_differences.has_large_runs(rules):
            return result.without("larger runs: left out, as they take long")
        more = third_differences.clearest(rules, looks, [third_differences.larger(chosen)], progress)
        result = replace(result, differences=(*differences, *more))
    if third_differences.not_quadratic(*result.differences[-2:]):
        areas = third_differences.over_areas(rules, chosen, progress)
        return replace(result, quadratic=False, status="supported", areas=areas, tried=())
    return result.without("third differences: those found shrink as M grows, or are too small to tell")


def _measured(policy: Policy, result: Discovery, progress: Progress) -> Discovery:
    """Return the entries by the first measurement that gives all of them, or why none does."""
    for measurement in _measurements(policy):
        found: dict[Point, Entries] = {}
        try:
            for i, j, s in progress((*entries.HELD_BACK, *entries.FITTED)):
                measured = measurement.entries(i, j, s)
                if measured is None:
                    result = result.without(f"{measurement.name}: totals at lengths {i}, {j} and s = {s} fit no form")
                    break
                found[i, j, s] = measured
            else:
                residues = measurement.residues(*entries.HELD_BACK[0]) if isinstance(measurement, ExactRuns) else {}
                return replace(result, quadratic=True, method=measurement.name, entries=found, residues=residues)
        except NoMeanField as error:
            result = result.without(f"{measurement.name}: {error}")
    return result


def _measurements(policy: Policy) -> Iterator[Measurement]:
    if policy.draws is None:  # else each run is another draw
        yield PacedAttempts(policy) if policy.paced else ExactRuns(policy)
    yield MeanFieldRuns(policy)


def _with_formulas(policy: Policy, result: Discovery, proof: ByPhases | None) -> Discovery:
    """Return the discovery with formulas for its entries, proved or guessed, or with the form by the phases of each pair."""
    values = {
        (Setting(s, i, j), *pair): value
        for (i, j, s), e in result.entries.items()
        for pair, value in (((i, i), e.low), ((i, j), e.mixed), ((j, j), e.high))
    }
    result = replace(result, known=entries.known_form(values))
    if proof is not None:
        confirmed = entries.number_confirmed(proof.formulas, result.entries)
        if not (confirmed and proof.theorem.holds):
            return result.without("rule of phases: its entries are not those of the runs")
        result = replace(result, status="proved", theorem=proof.theorem, confirmed=confirmed)
        return _confirmed(policy, result, proof.formulas)
    guessed = entries.guess(result.entries)
    if guessed is not None:
        result = replace(result, status="supported", fitted=guessed.fitted, confirmed=guessed.confirmed)
        return _confirmed(policy, result, guessed.formulas)
    if all(entries_at(policy, *at) == measured for at, measured in result.entries.items()):
        form = form_by_phases(policy, form_name(policy.name))
        return replace(result, status="certified", form=form, confirmed=len(result.entries))
    return result.without(f"{result.method}: no simple rational function passes through all entries")


def _confirmed(policy: Policy, result: Discovery, formulas: tuple[Formula, ...]) -> Discovery:
    """Return the discovery with these formulas, or with the reason why mixtures or random orders do not confirm them."""
    measurement = next(measurement for measurement in _measurements(policy) if measurement.name == result.method)
    mixtures = MIXTURES if len(formulas) == 1 else ()
    distance = _largest_distance(formulas, *result.differences[-2:])
    wrong: list[str] = []
    for m, s in mixtures:
        measured = measurement.value(m, s, dict.fromkeys(m, (min(m), max(m))))
        if measured != entries.at_shares(formulas[0].function, m, s):
            wrong.append(f"lengths {m}, s = {s}")
    if distance > (AGREES_PACED if policy.paced else AGREES):
        wrong.append(f"lengths {result.differences[0].at[:2]} in random orders, by {distance:.0%}")
    if wrong:
        failed = replace(result, quadratic=None, status="inconclusive", theorem=None)
        return failed.without(f"{result.method}: {formulas[len(formulas) // 2].text} fails at {wrong[0]}")
    name, functions = form_name(policy.name), [formula.function for formula in formulas]
    form = Form.from_entry(functions[0], name) if len(functions) == 1 else form_on_ends(*functions, name=name)
    return replace(result, formulas=formulas, form=form, confirmed=result.confirmed + len(mixtures), apart=distance)


def _largest_distance(formulas: Sequence[Formula], before: ThirdDifferences, last: ThirdDifferences) -> float:
    """Return the largest relative distance of the formulas to the values at random orders, extrapolated to n/M → ∞."""
    i, j, s = map(Fraction, last.at)
    at = ((i, i, s), (i, j, s), (j, j, s)) if len(formulas) == 1 else ((i, j, s),) * 3
    low, mixed, high = (f.function(*p) for f, p in zip((*formulas,) * (3 // len(formulas)), at, strict=True))
    weight = last.n / last.memory / (last.n / last.memory - before.n / before.memory)
    steps = len(last.values) - 1
    worst = 0.0
    for k, (one, two) in enumerate(zip(before.values, last.values, strict=True)):
        share = Fraction(k, steps)
        form = float(share**2 * low + 2 * share * (1 - share) * mixed + (1 - share) ** 2 * high)
        worst = max(worst, abs(one + weight * (two - one) - form) / form if form else float("inf"))
    return worst
