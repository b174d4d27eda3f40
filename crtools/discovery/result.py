"""``Discovery``, the result of ``discover``: as data, as JSON, and as a Python file that makes the form."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple, Self

from crtools.discovery.entries import Entries, Entry, Point
from crtools.discovery.guess import Formula
from crtools.discovery.rules import entries_at
from crtools.discovery.third_differences import OverArea, ThirdDifferences
from crtools.errors import InputError
from crtools.forms import Form
from crtools.forms.base import unbound
from crtools.ledger.evidence import Status, by_theorem, json_fields
from crtools.ledger.registry import ledgers
from crtools.ledger.verdict import trusted
from crtools.numeric_types import JsonObject, RingElement
from crtools.process import Policy
from crtools.process.policies import known_names
from crtools.proof.theorem import Theorem
from crtools.tables import WithRows, shortened


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
        names = ("low", "mixed", "high") if ends else ("entry",)
        where = ("at (l, l)", "at (l, u)", "at (u, u)") if ends else ("for i ≤ j",)
        parts = [
            f'def {name}(i, j, s):\n    """The entry {at}{", i = l and j = u" if ends else ""}."""\n'
            f"    return {formula.text}\n"
            for name, at, formula in zip(names, where, self.formulas, strict=True)
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


def form_of(policy: str, formulas: tuple[Formula, ...]) -> Form:
    """Return the form with these entries, one or three, for ``worst_case``, ``ratio`` and ``derive``."""
    name, first, last = form_name(policy), formulas[0].function, formulas[-1].function
    return Form.from_entry(first, name) if len(formulas) == 1 else form_on_ends(first, formulas[1].function, last, name)


def form_on_ends(low: Entry, mixed: Entry, high: Entry, name: str) -> Form:
    """Return the form with these entries at (l, l), (l, u) and (u, u), each a function of l, u and s."""

    def bind(l: int, u: int) -> Form:
        ends = Fraction(l), Fraction(u)

        def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
            part = low if j == l else high if i == u else mixed
            return part(*ends, s)

        return Form.from_entry(entry, name)

    return Form(name, partial(unbound, name), bind=bind, lengths=lambda l, u: (l, u) if l < u else (l,))


def form_by_phases(policy: Policy, name: str) -> Form:
    """Return the form on two lengths l and u that the phases of each pair give, for entries that are no one formula."""

    def part(which: str) -> Entry:
        def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
            at_lengths = entries_at(policy, int(i), int(j), int(s))
            if at_lengths is None:
                raise InputError("form", name, f"has no phases at lengths {i} and {j}, s = {s}")
            return getattr(at_lengths, which)

        return entry

    return form_on_ends(part("low"), part("mixed"), part("high"), name)
