"""``minimax``: the best ratio of a blind scheduler, the state of both inequalities, and bounds for one interval of lengths."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from crtools.blind.certificate import find_price
from crtools.blind.least import LeastCost, least_cost
from crtools.blind.price import process_bound
from crtools.enclosure import Enclosure, decimal
from crtools.errors import InputError
from crtools.setting import Setting

LEDGER = "beyond"
CLAIMS = {"upper": ("blind-upper", "best-base"), "lower": ("blind-lower", "bound")}
"""The ledger, and the claims and findings that decide the two inequalities."""


@dataclass(frozen=True)
class State:
    """How far a claim's finding decides one inequality at a level: ``argued`` steps rest on words."""

    side: str
    claim: str
    level: str
    status: str
    argued: int
    why: str


@dataclass(frozen=True)
class Interval:
    """Bounds for lengths in [l, u] at prompt size s.

    ``lower``: no blind policy of the process has a smaller ratio (n → ∞, then M → ∞), with the ``method``. ``upper``: at most this
    is what own random offsets have, in the same limit; ``against_h_sf``: and in units of H-SF's form.
    """

    s: int
    l: int
    u: int
    lower: Fraction
    method: str
    upper: Fraction
    against_h_sf: Fraction


@dataclass(frozen=True)
class Minimax:
    """ρ* with the y and the base b = y² at which it is had, the state of both inequalities, and bounds for an interval."""

    least: LeastCost
    digits: int
    states: tuple[State, ...]
    interval: Interval | None = None

    @property
    def value(self) -> Enclosure:
        """The enclosure of ρ*."""
        return self.least.value

    def as_json(self) -> dict[str, Any]:
        """Return the document of ``crtools minimax --json``; decimals are rounded outward."""
        document: dict[str, Any] = {}
        for name in ("value", "y", "base"):
            low, high = getattr(self.least, name).decimals(self.digits + 2)
            document[name] = {"lower": low, "upper": high, "status": "certified"}
        document["inequalities"] = [vars(state) for state in self.states]
        document["interval"] = None
        if self.interval is not None:
            own = vars(self.interval)
            rounded = {name: decimal(own[name], 10, up=name != "lower") for name in ("lower", "upper", "against_h_sf")}
            document["interval"] = {**own, **rounded}
        return document


def minimax(
    digits: int = 10,
    *,
    s: int | None = None,
    l: int | None = None,
    u: int | None = None,
    cache: str | Path | None = None,
) -> Minimax:
    """Return the best competitive ratio ρ* of a blind scheduler, enclosed with upper − lower ≤ 10^(1−digits).

    Both inequalities are decided by the claims blind-upper and blind-lower of the ledger ``beyond``, as ``verify`` decides them;
    ``cache`` is its folder of results. With ``u`` (and ``s``, by default 0, and ``l``, by default 1) there are bounds for that
    interval too. Raises ``InputError`` for digits or an interval that is not allowed.
    """
    from crtools.ledger import verify
    from crtools.ledger.evidence import argued

    if u is None and (s, l) != (None, None):
        raise InputError("u", "nothing", "must be given where s or l is")
    least = least_cost(digits)
    interval = None if u is None else bounds(s or 0, 1 if l is None else l, u)
    decided = {result.id: result for result in verify([id for id, _ in CLAIMS.values()], ledger=LEDGER, cache=cache)}
    states = tuple(
        State(side, id, verdict.level, finding.status, argued(finding.evidence), verdict.why)
        for side, (id, name) in CLAIMS.items()
        for verdict in decided[id].verdicts
        for finding in verdict.findings
        if finding.id == name
    )
    return Minimax(least, digits, states, interval)


def bounds(s: int, l: int, u: int) -> Interval:
    """Return the bounds for one interval: from below the better of the formula for every u and a certificate for this one."""
    Setting(s=s, l=l, u=u)
    lower, least = process_bound(s, l, u)
    method = f"the price in closed form, lengths above {least}" if lower > 1 else "every ratio is at least 1"
    if lower < Fraction(7, 3):  # beyond that the few lengths of a certificate lose more than the closed form does
        price = find_price(s, l, u)
        if (exact := price.check()) > lower:
            lower, method = exact, f"a price checked in exact arithmetic, {len(price.lengths)} lengths"
    most = least_cost(20).value.upper
    return Interval(s, l, u, lower, method, most, most * Fraction(2 * s + l + 1, 2 * (s + l)))
