"""``minimax``: the best ratio of a blind scheduler, the state of both inequalities, and bounds for one interval of lengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from crtools.blind.offsets_against_h_sf import BASE, Bound
from crtools.blind.offsets_against_h_sf import bound as against_h_sf_form
from crtools.blind.price import process_bound
from crtools.blind.rho_star import LeastCost, least_cost
from crtools.blind.worst_law import MOST_LENGTHS, Closed, closed, on_a_part, on_few_lengths
from crtools.enclosure import Enclosure, decimal
from crtools.errors import InputError, NotCertified
from crtools.setting import Setting

SIDES = ("upper", "lower")
"""The two inequalities; the claims that decide them are a ledger's."""

BLIND = "blind: learns a length when the request completes; kill and restart: a request that does not run has lost its tokens"
"""The class of policies, as the command prints it; the package's text has it whole."""

AGAINST = {
    "value": "the optimum",
    "lower": "the optimum",
    "upper": "the optimum",
    "against_h_sf_process": "H-SF as a process",
    "against_h_sf": "H-SF's form",
    "own_offsets_against_h_sf_form": "H-SF's form",
}
"""Against what a number is, by its name in the document; the least ratio to H-SF as a process is open, between 1 and ρ*."""


@dataclass(frozen=True)
class State:
    """How far a claim's finding decides one inequality at a level: ``argued``: the sentences that its verdict rests on."""

    side: str
    claim: str
    level: str
    status: str
    argued: int
    why: str


@dataclass(frozen=True, repr=False)
class Interval:
    """Bounds for lengths in [l, u] at prompt size s.

    ``lower``: no blind policy of the process has a smaller ratio to the optimum (n → ∞, then M → ∞), with the ``method``. ``upper``:
    some blind policy is within this of the optimum under every law, in the same limit, and so (``against_h_sf_process``) of H-SF as a
    process: where the interval is ``closed``, its mixture of plans, else own random offsets, which are within ``own_offsets``.
    ``h_sf_form``: what own offsets in steps (killed at whole ages, no threshold below v(l)) have at most in units of H-SF's form,
    for every u; ``against_h_sf`` is this number.
    """

    s: int
    l: int
    u: int
    lower: Fraction
    method: str
    upper: Fraction
    own_offsets: Fraction
    h_sf_form: Bound
    closed: Closed | None = None

    def __repr__(self) -> str:
        low, high = decimal(self.lower, 10, up=False), decimal(self.upper, 10, up=True)
        return f"lengths in [{self.l}, {self.u}], s = {self.s}: between {low} and {high}"

    @property
    def against_h_sf_process(self) -> Fraction:
        """H-SF's total is no less than the optimum's."""
        return self.upper

    @property
    def against_h_sf(self) -> Fraction:
        """In units of H-SF's form."""
        return self.h_sf_form.factor

    def as_json(self) -> dict[str, Any]:
        """Return the object ``interval`` of the document."""
        form = self.h_sf_form
        own = {"upper": decimal(form.factor, 10, up=True), "base": str(BASE), "status": "certified", "for": "every u"}
        own["policy"] = "own offsets in steps: kills at whole ages, no threshold below v(l)"
        numbers = ("lower", "upper", "against_h_sf_process", "against_h_sf", "own_offsets")
        return {
            **{name: getattr(self, name) for name in ("s", "l", "u", "method")},
            **{name: decimal(getattr(self, name), 10, up=name != "lower") for name in numbers},
            "own_offsets_against_h_sf_form": {**own, "method": form.method},
            "worst_law": self.closed and {str(o): str(w) for o, w in self.closed.weights.items()},
            "plans": self.closed and [{"thresholds": [*t], "share": str(w)} for t, w in self.closed.plans],
        }


@dataclass(frozen=True, repr=False)
class Minimax:
    """ρ* with the y and the base b = y² at which it is had, the state of both inequalities, and bounds for an interval."""

    least: LeastCost
    digits: int
    states: tuple[State, ...]
    interval: Interval | None = None

    def __repr__(self) -> str:
        """Show ρ*, what is decided of it, each with the sentences that it rests on, and the interval."""
        low, high = self.value.decimals(self.digits + 2)
        sides = [f"{own.claim} {own.status} at {own.level} ({own.argued} sentences)" for own in self.states]
        interval = [] if self.interval is None else [repr(self.interval)]
        return "; ".join([f"minimax: ρ* in [{low}, {high}] (certified)", *sides, *interval])

    @property
    def value(self) -> Enclosure:
        """The enclosure of ρ*."""
        return self.least.value

    def as_json(self) -> dict[str, Any]:
        """Return the document of ``crtools minimax --json``; decimals are rounded outward."""
        document: dict[str, Any] = {"policies": BLIND, "against": AGAINST}
        for name in ("value", "y", "base"):
            low, high = getattr(self.least, name).decimals(self.digits + 2)
            document[name] = {"lower": low, "upper": high, "status": "certified"}
        document["inequalities"] = [vars(state) for state in self.states]
        document["interval"] = None
        if self.interval is not None:
            document["interval"] = self.interval.as_json()
        return document


def minimax(
    digits: int = 10,
    *,
    s: int | None = None,
    l: int | None = None,
    u: int | None = None,
    cache: str | Path | None = None,
) -> Minimax:
    """Return ρ*, the best ratio of a blind scheduler to the optimum, enclosed with upper − lower ≤ 10^(1−digits).

    Both inequalities are decided by the claims of the ledger that answers for them, as ``verify`` decides them; ``cache`` is its
    folder of results. With ``u`` (and ``s``, by default 0, and ``l``, by default 1) there are bounds for that interval too: of up
    to 100 lengths both sides meet, which takes up to some minutes.

    Raises ``InputError`` for digits or an interval that is not allowed.

    >>> minimax().value.decimals(6)
    ('2.72837', '2.72838')
    >>> minimax(u=20, l=20).interval
    lengths in [20, 20], s = 0: between 1 and 1.000000001
    """
    if u is None and (s, l) != (None, None):
        raise InputError("u", "nothing", "must be given where s or l is")
    least = least_cost(digits)
    interval = None if u is None else on_interval(s or 0, 1 if l is None else l, u)
    return Minimax(least, digits, tuple(state for side in SIDES for state in _states(side, cache)), interval)


def _states(side: str, cache: str | Path | None) -> Iterator[State]:
    """Iterate over the levels at which the claim that decides an inequality has a verdict."""
    from crtools.ledger import verify
    from crtools.ledger.registry import answering

    ledger, claim, name = answering(f"minimax, {side}")
    for result in verify([claim], ledger=ledger, cache=cache):
        for verdict in result.verdicts:
            for finding in verdict.findings:
                if finding.id == name:
                    yield State(side, claim, verdict.level, finding.status, verdict.argued, verdict.why)


def on_interval(s: int, l: int, u: int) -> Interval:
    """Return the bounds for one interval, which meet where it has at most ``MOST_LENGTHS`` lengths and the worst law is found."""
    quick = bounds(s, l, u)
    if u - l >= MOST_LENGTHS:
        return quick
    try:
        found = closed(s, l, u)
    except NotCertified:
        return quick
    return replace(quick, lower=found.value.lower, upper=found.value.upper, method=found.value.method, closed=found)


def bounds(s: int, l: int, u: int) -> Interval:
    """Return bounds for one interval without closing it; the lower one does not fall as u grows, for the same s and l.

    It is the best of the formula for every u, of a law on few lengths (beyond 100 on intervals whose ends grow by a quarter of a
    power of ten), and of a law on a part of the interval, which takes some twenty seconds where it is not kept.
    """
    Setting(s=s, l=l, u=u)
    lower, least = process_bound(s, l, u)
    method = f"the price in closed form, lengths above {least}" if lower > 1 else "every ratio is at least 1"
    last = u if u - l < MOST_LENGTHS else l * max(end for k in range(33) if l * (end := round(10 ** (k / 4))) <= u)
    few, part = on_few_lengths(s, l, last), on_a_part(s, l, u)
    for own, where in ((few, f"a law on {len(few.requests.sizes)} lengths"), (part, "a law on 100 of the lengths")):
        if own is not None and (exact := own.lower()) > lower:
            lower, method = exact, f"{where} with its price, in exact arithmetic"
    own_offsets = least_cost(20).value.upper
    return Interval(s, l, u, lower, method, own_offsets, own_offsets, against_h_sf_form(s, l))
