"""The policies: small pure descriptions of who goes first, how long a request is assumed to be, and who is cancelled.

A policy of one's own is one expression. Shortest lower bound first, without cancellation (so it must assume u):

>>> from crtools.process import Policy, simulate
>>> lower_first = Policy(
...     "lower-first", priority=lambda r: r.l, assumed=lambda r, age: r.u, longest=lambda r: r.u, fixed=True
... )
>>> simulate(lower_first, [3, 1, 2], memory=5, l=[2, 1, 1], u=[3, 2, 2]).schedule.starts
(1, 0, 0)

Every function takes a request and must not change it. ``priority``, ``bound``, ``longest`` and, with
``fixed=True``, ``assumed`` are written with arithmetic alone, so that they take a request of integers or one whose
fields are arrays over all requests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from crtools.errors import InputError


class Request(Protocol):
    """What a policy sees of a request; ``length`` is for policies with hindsight only."""

    @property
    def index(self) -> Any:
        """The request's number, from 0."""
        ...

    @property
    def s(self) -> Any:
        """The prompt size in tokens."""
        ...

    @property
    def l(self) -> Any:  # noqa: E743 -- the paper's name
        """The lower end of the prediction interval, in tokens."""
        ...

    @property
    def u(self) -> Any:
        """The upper end of the prediction interval, in tokens."""
        ...

    @property
    def length(self) -> Any:
        """The true output length o in tokens."""
        ...

    @property
    def bound(self) -> Any:
        """The running bound õ; fixed while the request runs, renewed where it is cancelled."""
        ...

    @property
    def joined(self) -> Any:
        """The request's number in the queue: those who join later have larger ones."""
        ...


Draw = Callable[[], float]
"""A function that returns a uniform number in [0, 1)."""


@dataclass(frozen=True)
class Policy:
    """A policy as a table of rules; docs/model.md names them in these words.

    name: what it is called in results.
    priority: waiting requests are tried in increasing priority, up to the first that does not fit.
    assumed: the length L that the admission test assumes of a request of the given age (0: a new one).
    equals: who goes first among equals: the lower ``index``; the earlier in the run's ``order``; or whom ``ties``
        names, and without it a draw made afresh at every instant.
    bound: the bound õ that a request has at first.
    longest: the most that the policy can come to assume of a request; s + longest ≤ M is required.
    cancel: looks at each running request after completions, with its age and a source of random numbers, and
        returns its new bound if it is cancelled here and now, else None.
    overflow: whether, where the next instant would need more than M, running requests are cancelled in increasing
        order of õ until it fits; then õ := max(õ, tokens generated).
    peaks: whether admission reserves Σ (s + L) ≤ M instead of the paper's Eq. (5).
    requires: raises ``InputError`` where the requests are not what the policy needs; fields are arrays.
    knows: which of l, u and the true length o the rules use, as text. summary: what the policy does, in a few words.
    fixed: whether nothing is ever cancelled and ``priority`` and ``assumed`` never change for a request. Then the
        fast engine runs the policy as well.

    docs/add-a-policy.md has a file to start from. Raises ``InputError`` where a rule is no function, or where
    ``fixed`` contradicts another rule.
    """

    name: str
    priority: Callable[[Request], Any]
    assumed: Callable[[Request, int], Any]
    equals: Literal["index", "order", "ties"] = "index"
    bound: Callable[[Request], Any] = lambda r: r.l
    longest: Callable[[Request], Any] = lambda r: r.length
    cancel: Callable[[Request, int, Draw], int | None] | None = None
    overflow: bool = False
    peaks: bool = False
    requires: Callable[[Request], None] | None = None
    fixed: bool = False
    knows: str = ""
    summary: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("name", self.name, "must be the policy's name")
        for rule in ("priority", "assumed", "bound", "longest", "cancel", "requires"):
            value = getattr(self, rule)
            if not callable(value) and not (value is None and rule in ("cancel", "requires")):
                raise InputError(rule, value, "must be a function of a request")
        if self.equals not in ("index", "order", "ties"):
            raise InputError("equals", self.equals, "must be index, order or ties")
        if self.fixed and (self.cancel is not None or self.overflow or self.peaks):
            raise InputError("fixed", True, "goes with neither cancel, overflow nor peaks")


def _at_most_lengths(r: Request) -> None:
    wrong = (r.l > r.length).nonzero()[0]
    if wrong.size:
        i = int(wrong[0])
        raise InputError("l", int(r.l[i]), f"must be at most the request's length, {r.length[i]} for request {i}")


def _two_lengths(r: Request) -> None:
    wrong = ((r.length != r.l) & (r.length != r.u)).nonzero()[0]
    if wrong.size:
        i = int(wrong[0])
        raise InputError("lengths", int(r.length[i]), f"a-ell needs lengths l = {r.l[i]} or u = {r.u[i]} (request {i})")


def _tossed(r: Request, age: int, draw: Draw) -> int | None:
    past = age >= r.bound
    return max(r.bound, age + 1) if past and draw() < 1 / (r.s + age + 1) else None


H_SF = Policy(
    "h-sf",
    priority=lambda r: r.length,
    assumed=lambda r, age: r.length,
    fixed=True,
    knows="o",
    summary="shortest first, in hindsight",
)
"""H-SF, hindsight shortest first: increasing o, stable."""

A_RANDOM = Policy(
    "a-random",
    priority=lambda r: 0,
    assumed=lambda r, age: r.length,
    equals="order",
    fixed=True,
    knows="o",
    summary="a random order, lengths known",
)
"""A_random, auxiliary: a random permutation, with known lengths."""

A_MAX = Policy(
    "a-max",
    priority=lambda r: r.u,
    assumed=lambda r, age: r.u,
    equals="order",
    longest=lambda r: r.u,
    fixed=True,
    knows="u",
    summary="assumes u of every request; never cancels",
)
"""A_max, Algorithm 1: every request is assumed to need u until it really finishes; increasing u, ties random."""

A_MIN_LITERAL = Policy(
    "a-min-literal",
    priority=lambda r: r.bound,
    assumed=lambda r, age: max(r.bound, age + 1),
    equals="ties",
    overflow=True,
    requires=_at_most_lengths,
    knows="l",
    summary="Algorithm 2: assumes l, cancels what overflows",
)
"""A_min, Algorithm 2 to the letter: increasing õ; past its bound a request counts for the next instant only."""

A_MIN_COHORT = Policy(
    "a-min-cohort",
    priority=lambda r: r.bound,
    assumed=lambda r, age: max(r.bound, age + 1),
    equals="ties",
    cancel=_tossed,
    overflow=True,
    peaks=True,
    requires=_at_most_lengths,
    knows="l",
    summary="A_min as its proof treats it: cancels by coin",
)
"""A_min as its analysis describes it: past its bound a request is cancelled with probability 1/(s + age + 1)."""

A_ELL = Policy(
    "a-ell",
    priority=lambda r: r.joined,
    assumed=lambda r, age: r.bound,
    equals="order",
    longest=lambda r: r.u,
    cancel=lambda r, age, draw: r.u if age == r.bound < r.u else None,
    requires=_two_lengths,
    knows="l, u",
    summary="runs l tokens, then goes to the end and assumes u",
)
"""A_ℓ, promote-ℓ: first in, first out; at age ℓ an unfinished request goes to the end of the queue with õ = u."""

A_RESTART = Policy(
    "a-restart",
    priority=lambda r: r.joined,
    assumed=lambda r, age: r.bound,
    equals="order",
    longest=lambda r: r.u,
    cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.u else None,
    knows="l, u",
    summary="kill and restart with doubled bounds",
)
"""Not in the paper: kill and restart. At age õ an unfinished request goes to the end of the queue with õ doubled, at
most u; õ is l at first. Like A_ℓ it uses l and u only, but for every length."""

PAPER = (H_SF, A_RANDOM, A_MAX, A_MIN_LITERAL, A_MIN_COHORT, A_ELL)
"""The policies of the paper, both readings of A_min among them."""

POLICIES = {p.name: p for p in (*PAPER, A_RESTART)}
"""The policies by name; ``switch`` and ``a-min`` stand for one of them."""


def switched(l: int, u: int) -> Policy:
    """Return what ``switch`` runs: A_ℓ if l/u < α* = (3 − √5)/2, else A_min; decided in integers."""
    # l/u < (3 − √5)/2  ⟺  √5·u < 3u − 2l, and 3u − 2l > 0
    return A_ELL if 5 * u * u < (3 * u - 2 * l) ** 2 else A_MIN_LITERAL
