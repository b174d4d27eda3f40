"""``minimax``: the best ratio ρ* of a blind scheduler, the state of both inequalities, and bounds for one interval of lengths.

``crtools minimax`` prints the result (:mod:`crtools.cli.blind`). Tests: tests/blind/test_minimax.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log, sqrt
from pathlib import Path

from crtools.blind.offsets_against_h_sf import BASE, Bound
from crtools.blind.offsets_against_h_sf import bound as against_h_sf_form
from crtools.blind.rho_star import LeastCost, cost, least_cost, process_bound
from crtools.blind.worst_law import MOST_LENGTHS, Closed, closed, on_a_part, on_few_lengths
from crtools.enclosure import Enclosure, decimal
from crtools.errors import InputError, NotCertified
from crtools.ledger import verify
from crtools.ledger.registry import answering
from crtools.names import named_arguments
from crtools.numeric_types import JsonObject
from crtools.plotting.figure import Figure, curve
from crtools.setting import Setting
from crtools.tables import WithRows

BLIND = "blind: learns a length when the request completes; kill and restart: a request that does not run has lost its tokens"
"""The class of policies, as the command prints it; the docstring of ``crtools.blind`` defines it in full."""

AGAINST = {
    "value": "the optimum",
    "lower": "the optimum",
    "upper": "the optimum",
    "against_h_sf_process": "H-SF as a process",
    "against_h_sf": "H-SF's form",
    "own_offsets_against_h_sf_form": "H-SF's form",
}
"""The benchmark of each number in the document. The least ratio to H-SF as a process is open, between 1 and ρ*."""


@dataclass(frozen=True)
class State:
    """How a claim decides one inequality at a level. ``argued``: the sentences in words that its verdict rests on."""

    side: str
    claim: str
    level: str
    status: str
    argued: int
    why: str


@dataclass(frozen=True, repr=False)
class Interval:
    """Bounds for lengths in [l, u] at prompt size s, for n → ∞ and then M → ∞.

    ``lower``: no blind policy of the process has a smaller ratio to the optimum; ``method`` says how this is known.
    ``upper``: some blind policy attains this ratio to the optimum under every distribution, and so (``against_h_sf_process``) to H-SF as
    a process. It is the mixture of plans of ``closed`` if both sides meet, else own random offsets, whose bound is ``own_offsets``.
    ``h_sf_form``: the bound of own offsets in steps (killed at whole ages, no threshold below v(l)) in units of H-SF's form, for every
    u; ``against_h_sf`` is this number.
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
        """The bound ``upper``: H-SF's total latency is at least the optimum."""
        return self.upper

    @property
    def against_h_sf(self) -> Fraction:
        """The bound of own offsets in steps, in units of H-SF's form."""
        return self.h_sf_form.factor

    def as_json(self) -> JsonObject:
        """Return the object ``interval`` of the document."""
        form = {
            "upper": decimal(self.against_h_sf, 10, up=True),
            "base": str(BASE),
            "status": "certified",
            "for": "every u",
            "policy": "own offsets in steps: kills at whole ages, no threshold below v(l)",
            "method": self.h_sf_form.method,
        }
        numbers = ("lower", "upper", "against_h_sf_process", "against_h_sf", "own_offsets")
        return {
            **{name: getattr(self, name) for name in ("s", "l", "u", "method")},
            **{name: decimal(getattr(self, name), 10, up=name != "lower") for name in numbers},
            "own_offsets_against_h_sf_form": form,
            "worst_law": self.closed and {str(o): str(w) for o, w in self.closed.weights.items()},
            "plans": self.closed
            and [{"thresholds": [*plan.thresholds], "share": str(plan.share)} for plan in self.closed.plans],
        }


@dataclass(frozen=True, repr=False)
class Minimax(WithRows):
    """The best ratio of a blind scheduler to the optimum, as :func:`minimax` returns it.

    Parameters
    ----------
    least : LeastCost
        Enclosures of ρ*, and of the y and the base b = y² at which it is attained.
    digits : int
        The number of digits that were asked for.
    states : tuple of State
        What is decided of both inequalities: the claim, its level, status and number of argued sentences.
    interval : Interval, optional
        Bounds for one interval of lengths.

    Notes
    -----
    ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y). Own random offsets attain it for every distribution, and no blind policy has a
    smaller ratio for all (claims blind-upper and blind-lower).

    Examples
    --------
    >>> from crtools.blind import least_cost
    >>> Minimax(least_cost(12), 12, ())
    ρ* in [2.7283724269301, 2.7283724269302] (certified): minimax
    """

    least: LeastCost
    digits: int
    states: tuple[State, ...]
    interval: Interval | None = None

    def __repr__(self) -> str:
        """Show ρ*, the state of each inequality with its number of argued sentences, and the interval."""
        low, high = self.value.decimals(self.digits + 2)
        sides = [f"{state.claim} {state.status} at {state.level} ({state.argued} sentences)" for state in self.states]
        interval = [] if self.interval is None else [repr(self.interval)]
        return "; ".join([f"ρ* in [{low}, {high}] (certified): minimax", *sides, *interval])

    @property
    def latex(self) -> str:
        """ρ* as a minimum, in LaTeX."""
        minimum = r"\min_{y>1} \frac{(y-1)(2y-1)}{y\,(\ln y)^2}"
        return rf"\rho^* = {minimum} \in [{', '.join(self.value.decimals(self.digits + 2))}]"

    def _rows(self) -> list[JsonObject]:
        names = ("side", "claim", "level", "status", "argued")
        return [{name: getattr(state, name) for name in names} for state in self.states]

    def plot(self) -> Figure:
        """Return (y−1)(2y−1)/(y ln² y), whose minimum ρ* is, against the base b = y² of own random offsets, as a figure."""
        bases = [1.5 + k / 20 for k in range(350)]
        ratios = [cost(y, log(y)) for y in map(sqrt, bases)]
        title = f"own random offsets: the least ratio is ρ* = {self.value.middle:.6g}"
        return curve("minimax", {"base b": bases, "ratio to the optimum": ratios}, title)

    @property
    def value(self) -> Enclosure:
        """The enclosure of ρ*."""
        return self.least.value

    def as_json(self) -> JsonObject:
        """Return the document of ``crtools minimax --json``; decimals are rounded outward."""
        document: JsonObject = {"policies": BLIND, "against": AGAINST}
        for name in ("value", "y", "base"):
            low, high = getattr(self.least, name).decimals(self.digits + 2)
            document[name] = {"lower": low, "upper": high, "status": "certified"}
        document["inequalities"] = [vars(state) for state in self.states]
        document["interval"] = None if self.interval is None else self.interval.as_json()
        return document


@named_arguments()
def minimax(
    digits: int = 10,
    *,
    s: int | None = None,
    l: int | None = None,
    u: int | None = None,
    cache: str | Path | None = None,
) -> Minimax:
    """Return ρ*, the best ratio of a blind scheduler to the optimum under every distribution of lengths.

    Parameters
    ----------
    digits : int
        The width of the enclosure is at most 10^(1 − digits); from 1 to 10,000.
    s : int, optional
        The prompt size of the interval, by default 0.
    l, u : int, optional
        The interval of lengths for which to return bounds too; ``l`` is 1 by default. For up to 100 lengths the lower and the upper
        bound meet, which takes up to some minutes.
    cache : path, optional
        The folder in which ``verify`` keeps results.

    Returns
    -------
    Minimax
        The enclosure of ρ*, the verdicts of the claims that decide both inequalities, and the bounds for the interval.

    Raises
    ------
    InputError
        If ``digits`` or the interval is out of range, or ``s`` or ``l`` is given without ``u``.

    Examples
    --------
    >>> minimax().value.decimals(6)
    ('2.72837', '2.72838')
    >>> minimax(u=20, l=20).interval
    lengths in [20, 20], s = 0: between 1 and 1.000000001
    """
    if u is None and (s, l) != (None, None):
        raise InputError("u", "nothing", "must be given with s or l")
    least = least_cost(digits)
    interval = None if u is None else on_interval(s or 0, 1 if l is None else l, u)
    return Minimax(least, digits, (*_states("upper", cache), *_states("lower", cache)), interval)


def _states(side: str, cache: str | Path | None) -> Iterator[State]:
    """Yield the state of an inequality at each level of the claim that decides it."""
    ledger, claim, name = answering(f"minimax, {side}")
    for result in verify([claim], ledger=ledger, cache=cache):
        for verdict in result.verdicts:
            for finding in verdict.findings:
                if finding.id == name:
                    yield State(side, claim, verdict.level, finding.status, verdict.argued, verdict.why)


def on_interval(s: int, l: int, u: int) -> Interval:
    """Return bounds for one interval; they meet if it has at most ``MOST_LENGTHS`` lengths and the search succeeds."""
    quick = bounds(s, l, u)
    if u - l >= MOST_LENGTHS:
        return quick
    try:
        exact = closed(s, l, u)
    except NotCertified:
        return quick
    return replace(quick, lower=exact.value.lower, upper=exact.value.upper, method=exact.value.method, closed=exact)


def bounds(s: int, l: int, u: int) -> Interval:
    """Return bounds for one interval that need not meet; the lower one does not fall as u grows, for the same s and l.

    It is the best of three: the formula for every u; a distribution on few lengths (for more than 100 lengths on intervals whose ends
    grow by a quarter of a power of ten); and a distribution on a part of the interval, which takes some twenty seconds if not stored.
    """
    Setting(s=s, l=l, u=u)
    lower, smallest = process_bound(s, l, u)
    method = f"the price in closed form, lengths above {smallest}" if lower > 1 else "every ratio is at least 1"
    last = u if u - l < MOST_LENGTHS else l * max(end for k in range(33) if l * (end := round(10 ** (k / 4))) <= u)
    few, part = on_few_lengths(s, l, last), on_a_part(s, l, u)
    for mixture, where in ((few, f"a law on {len(few.requests.sizes)} lengths"), (part, "a law on 100 of the lengths")):
        if mixture is not None and (exact := mixture.lower()) > lower:
            lower, method = exact, f"{where} with its price, in exact arithmetic"
    own_offsets = least_cost(20).value.upper
    return Interval(s, l, u, lower, method, own_offsets, own_offsets, against_h_sf_form(s, l))
