"""Policies: the table of rules that a policy is, and the policies that are known by name.

Numba compiles the rules where it can (:mod:`crtools.process.kernels.rules`); a rule that is arithmetic alone may be called
once with arrays over all requests.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cache, wraps
from inspect import signature
from pathlib import Path
from traceback import walk_tb
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from crtools.errors import InputError
from crtools.installed_ledgers import brought
from crtools.names import canonical, named_arguments
from crtools.numeric_types import FloatArray
from crtools.process.clocks import STEPS, Clock
from crtools.user_file import Kind, from_file, is_file

Lengths = Literal["any", "at-least-l", "l-or-u"]
"""Which true lengths in [1, u] a policy can run: all of them; those that are at least l; l and u alone."""

Kernel = Literal["lower-bounds", "lower-bounds-by-coin"]
"""Compiled loops for particular policies; ``crtools.process.engine`` says what each runs."""

RuleInteger: TypeAlias = Any
"""An int, or an int64 array over all requests where a rule is called once for all of them."""

RuleNumber: TypeAlias = Any
"""The same with floats."""

Priority: TypeAlias = RuleNumber | tuple[RuleNumber, ...]
"""What a priority rule returns."""


@dataclass
class Request:
    """What a policy's rules see of a request; where a rule is called for all requests at once, the fields are arrays.

    Attributes
    ----------
    index : int
        The request's number, from 0.
    s : int
        The prompt size in tokens.
    l, u : int
        The ends of the prediction interval, in tokens.
    length : int
        The true output length o in tokens. A policy that reads it is a hindsight policy.
    drawn : float
        What the policy's ``draws`` made of the request's own random number; 0 without ``draws``.
    bound : int
        The running bound õ. It is fixed while the request runs and renewed where it is cancelled.
    queue_number : int
        0 until the request is first cancelled; the k-th cancellation of the run gives it k.
    release : int or float
        The time from which on the request is present, in the clock's unit.
    predicted : int
        A predicted output length in tokens, which may be wrong.
    kept : int
        The tokens that the request generated before it was last cancelled, where preemption keeps them; else 0.
    work : float
        The work of the whole request: in seconds that of :func:`crtools.process.flow_bounds.step_work`, in steps the volume
        in token-steps. It depends on the length, so a policy that reads it is a hindsight policy.
    """

    index: RuleInteger
    s: RuleInteger
    l: RuleInteger
    u: RuleInteger
    length: RuleInteger
    drawn: RuleNumber = 0
    bound: RuleInteger = 0
    queue_number: RuleInteger = 0
    release: RuleNumber = 0
    predicted: RuleInteger = 0
    kept: RuleInteger = 0
    work: RuleNumber = 0

    @property
    def joined(self) -> RuleInteger:
        """The former name of ``queue_number``."""
        return self.queue_number

    @property
    def own(self) -> RuleNumber:
        """The former name of ``drawn``."""
        return self.drawn


REQUEST_FIELDS = tuple(field.name for field in fields(Request))
"""The fields of a request that rules may read."""

RENAMED_FIELDS = {"joined": "queue_number", "own": "drawn"}
"""Former names of fields, which rules may still read."""

Draw = Callable[[], float]
"""A function that returns a uniform number in [0, 1)."""


class Now(NamedTuple):
    """What the rules ``limit`` and ``opens`` see of an instant.

    time: in the clock's unit. running, waiting: the numbers of requests. held: the tokens held at this instant by those that
    still run. memory: M. completed, output: how many requests have completed, and their output tokens. base, per_token,
    per_held: the coefficients of the clock.
    """

    time: RuleNumber
    running: RuleInteger
    waiting: RuleInteger
    held: RuleInteger
    memory: RuleInteger
    completed: RuleInteger
    output: RuleInteger
    base: float
    per_token: float
    per_held: float


class NotCompiled(Exception):
    """Says why the compiled engine cannot run a policy; the reference engine can."""


@dataclass(frozen=True, repr=False)
class Policy:
    """A policy as a table of rules, each a function of a request and, where it runs, its age in tokens.

    No rule may change the request. docs/model.md defines the process in these words; docs/add-a-policy.md has a file to
    start from.

    Parameters
    ----------
    name : str
        What the policy is called in results.
    priority : callable
        ``priority(r)``: waiting requests are tried in increasing priority, up to the first that does not fit. A number or
        a tuple of up to three. Among equal priorities the earlier release goes first, then ``equals`` decides.
    assumed : callable
        ``assumed(r, age)``: the length L in tokens that the admission test assumes of a request of this age (0: a new one).
    equals : {"index", "order", "ties"}
        Who goes first among equal priorities and releases: the lower ``index``; the earlier in the run's permutation ``order``; or the
        earlier in ``ties``, and without ``ties`` a fresh uniform draw at every instant.
    bound : callable
        ``bound(r)``: the bound õ that a request has at first. Default: l.
    longest : callable
        ``longest(r)``: the most that the policy can come to assume of a request; s + longest ≤ M is required. Default: o.
    cancel : callable, optional
        ``cancel(r, age, draw)``: asked of each running request after completions. It returns the new bound if the request
        is cancelled now, else None. ``draw()`` returns a uniform number in [0, 1).
    overflow : bool or "latest"
        Whether running requests are cancelled while the next instant would need more than M: with True in increasing order
        of õ, with õ := max(õ, tokens generated); with "latest" the latest started first, with õ unchanged.
    victim : callable, optional
        ``victim(r, age)``, given instead of ``overflow``: while the next instant would need more than M, the running request
        of least value is cancelled, among equals the latest admitted, with õ unchanged.
    reserve : float or callable
        The share of M in [0, 1) that admission keeps free while something runs; or ``reserve(clock)``, which returns it.
    limit : callable, optional
        ``limit(r, now)``: the first request that waits may start only if nothing runs or ``now.running + 1`` is at most
        this number; ``now`` is a :class:`Now`.
    opens : callable, optional
        ``opens(now)``: asked once at each instant, before the first admission. Where it is false, nothing starts.
    peaks : bool
        Whether admission reserves Σ (s + L) ≤ M and does not look at each later instant.
    draws : callable, optional
        ``draws(numbers)``: makes ``r.drawn`` of one uniform number in [0, 1) for each request, drawn once from the seed; it
        takes the array of all of them. ``draws(numbers, requests)`` also takes a request whose fields are arrays over all.
    paced : bool
        Whether attempts are paid for: at age L an unfinished request is cancelled, with õ := L + 1; where the next instant
        would need more than M, the latest started one is cancelled, with õ unchanged; admission looks at the next instant
        alone, but starts no more than its credit pays for (docs/model.md).
    takes : {"any", "at-least-l", "l-or-u"}
        Which true lengths the policy can run.
    fixed : bool
        Whether nothing is ever cancelled and ``priority`` and ``assumed`` never change for a request. The fastest loop then
        runs the policy; it also does where the rules show this by themselves.
    kernel : str, optional
        The compiled loop that makes the same runs as these rules. It is used only for a policy that crtools or a ledger
        brings under this name.
    knows : str
        Which of l, u and o the rules use, as text for people; ``Run.hindsight`` says whether they read the length.
    summary : str
        What the policy does, in a few words.
    usual : bool
        Whether the policy of a ledger runs, where it fits, when no policy is named.
    informed : callable, optional
        ``informed(history, load)``: the policy that also knows past requests, a pair of arrays (prompts, outputs) or None, and
        the offered load.
    plan : Plan, optional
        How the policy lists attempts in advance. Of the rules, only ``draws``, ``bound`` and ``longest`` then count.

    Raises
    ------
    InputError
        Where a rule is not a function, or ``fixed`` or ``paced`` contradicts another rule.

    Examples
    --------
    Shortest lower bound first, without cancellation (so it must assume u):

    >>> from crtools.process import Policy, simulate
    >>> lower_first = Policy(
    ...     "lower-first", priority=lambda r: r.l, assumed=lambda r, age: r.u, longest=lambda r: r.u, fixed=True
    ... )
    >>> simulate(lower_first, [3, 1, 2], memory=5, l=[2, 1, 1], u=[3, 2, 2]).schedule.starts
    (1, 0, 0)

    The same, but a request is cancelled at twice its bound, and its bound doubled:

    >>> doubling = Policy(
    ...     "doubling",
    ...     priority=lambda r: r.bound,
    ...     assumed=lambda r, age: min(2 * r.bound, r.u),
    ...     cancel=lambda r, age, draw: 2 * r.bound if age == 2 * r.bound < r.u else None,
    ...     longest=lambda r: r.u,
    ... )
    >>> run = simulate(doubling, [3, 1, 2], memory=5, l=1, u=4)
    >>> run.schedule.starts, run.cancellations
    ((2, 0, 1), 1)
    """

    name: str
    priority: Callable[[Request], Priority]
    assumed: Callable[[Request, int], RuleInteger]
    equals: Literal["index", "order", "ties"] = "index"
    bound: Callable[[Request], RuleInteger] = lambda r: r.l
    longest: Callable[[Request], RuleInteger] = lambda r: r.length
    cancel: Callable[[Request, int, Draw], int | None] | None = None
    overflow: bool | Literal["latest"] = False
    peaks: bool = False
    draws: Callable[..., FloatArray] | None = None
    paced: bool = False
    takes: Lengths = "any"
    fixed: bool = False
    kernel: Kernel | None = None
    knows: str = ""
    summary: str = ""
    usual: bool = True
    plan: Any = None  # a crtools.process.plans.Plan, which imports this module
    victim: Callable[[Request, int], RuleNumber] | None = None
    reserve: float | Callable[[Clock], float] = 0
    limit: Callable[[Request, Now], RuleNumber] | None = None
    opens: Callable[[Now], bool] | None = None
    informed: Callable[[Any, float], Policy] | None = None

    def __repr__(self) -> str:
        return f"{self.summary or 'a policy'}: Policy({self.name!r})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle a policy of crtools or of a ledger by its name: its rules are functions without a name."""
        if self.is_known:
            return policy_called, (self.name,)
        return super().__reduce__()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("name", self.name, "must be a text that is not empty")
        for what in ("knows", "summary"):
            if not isinstance(getattr(self, what), str):
                raise InputError(what, getattr(self, what), "must be a text")
        for what in ("peaks", "paced", "fixed", "usual"):
            if not isinstance(getattr(self, what), bool):
                raise InputError(what, getattr(self, what), "must be True or False")
        for rule in RULES:
            value = getattr(self, rule)
            if value is None and rule in OPTIONAL:
                continue
            if not callable(value) or not (takes(value, ARGUMENTS[rule]) or (rule == "draws" and takes(value, ", "))):
                allowed = f"must be a function of {ARGUMENTS[rule].replace(', ', ' and ')}"
                raise InputError(rule, getattr(value, "__name__", value), allowed)
        for rule, names in (("equals", ("index", "order", "ties")), ("takes", get_args(Lengths))):
            if getattr(self, rule) not in names:
                raise InputError(rule, getattr(self, rule), f"must be {', '.join(names[:-1])} or {names[-1]}")
        if self.kernel not in (None, *get_args(Kernel)):
            raise InputError("kernel", self.kernel, f"must be one of {', '.join(get_args(Kernel))}")
        if self.overflow not in (True, False, "latest"):
            raise InputError("overflow", self.overflow, 'must be True, False or "latest"')
        if self.fixed and (self.cancel is not None or self.overflow or self.paced or self.kernel):
            raise InputError("fixed", True, "must be left out with cancel, overflow, paced or kernel")
        if self.plan is not None and not self.paced:
            raise InputError("paced", False, "must be True for a policy with a plan")
        if self.paced and (self.cancel is not None or self.overflow or self.peaks or self.victim is not None):
            raise InputError("paced", True, "must be left out with cancel, overflow, victim or peaks")
        if self.victim is not None and self.overflow:
            raise InputError("victim", "given", "must be left out with overflow: each says who is cancelled for memory")
        if not callable(self.reserve):
            self.reserved(STEPS)

    def reserved(self, clock: Clock) -> float:
        """Return the share of the memory that admission keeps free in a clock."""
        share = self.reserve(clock) if callable(self.reserve) else self.reserve
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:  # pyright: ignore
            raise InputError("reserve", share, "must be a number from 0 to less than 1")
        return share

    @property
    def is_known(self) -> bool:
        """Whether crtools or a ledger brings this policy under its name; a copy with another rule is not known."""
        return known_policies().get(self.name) == self

    @property
    def is_basic(self) -> bool:
        """Whether the policy has none of the rules victim, reserve, limit and opens."""
        return not self.reserve and self.victim is None and self.limit is None and self.opens is None

    @property
    def own(self) -> Callable[..., FloatArray] | None:
        """The former name of ``draws``."""
        return self.draws


def _accept_own(initialise: Callable[..., None]) -> Callable[..., None]:
    """Let ``Policy(own=...)``, the former name of ``draws``, work with a warning."""

    @wraps(initialise)
    def with_own(self: Policy, *args: Any, **rules: Any) -> None:
        if "own" in rules:
            message = f"Policy(own=...) is now Policy(draws=...), and rules read {renamings(RENAMED_FIELDS)}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            vars(self)["_warned"] = {"fast", "reference"}
            rules["draws"] = rules.pop("own")
        initialise(self, *args, **rules)

    return with_own


Policy.__init__ = _accept_own(named_arguments()(Policy.__init__))


def renamings(names: Iterable[str]) -> str:
    """Return how rules read fields now that they read by former ``names``, in words."""
    return " and ".join(f"r.{RENAMED_FIELDS[name]} for r.{name}" for name in sorted(names))


ARGUMENTS = {
    "priority": "a request", "assumed": "a request, an age", "bound": "a request", "longest": "a request",
    "cancel": "a request, an age, a source of numbers", "draws": "a number",
    "victim": "a request, an age", "limit": "a request, an instant", "opens": "an instant",
}  # fmt: skip
OPTIONAL = ("cancel", "draws", "victim", "limit", "opens")
RULES = tuple(ARGUMENTS)
"""The fields of a policy that are functions, and what they are called with."""


def takes(rule: Callable[..., object], arguments: str) -> bool:
    """Return whether a function can be called with so many arguments, as far as its signature is known."""
    try:
        signature(rule).bind(*arguments.split(","))
    except TypeError:
        return False
    except ValueError:  # a built-in function has no signature
        pass
    return True


@contextmanager
def told(policy: Policy) -> Generator[None, None, None]:
    """Turn an error that a rule of the policy raises into an ``InputError`` with the file and the line."""
    try:
        yield
    except Exception as error:
        codes = [getattr(getattr(policy, rule), "__code__", None) for rule in RULES]
        frames = list(walk_tb(error.__traceback__))
        if isinstance(error, InputError) or not any(frame.f_code in codes for frame, _ in frames):
            raise
        frame, line = next(pair for pair in reversed(frames) if pair[0].f_code in codes)
        where = f"{Path(frame.f_code.co_filename).name}, line {line}"
        raise InputError("policy", policy.name, f"a rule raised {_words(error)} ({where})") from error


def _words(error: Exception) -> str:
    """Return a rule's error in words; for an attribute that a request lacks, with the attributes that it has."""
    name = getattr(error, "name", None)
    if isinstance(error, AttributeError) and isinstance(error.obj, Request):
        return f"AttributeError: a request has no {name}; it has {', '.join(REQUEST_FIELDS)}"
    return f"{type(error).__name__}: {error}".removesuffix(": ")


@dataclass(frozen=True)
class Choice:
    """A name that stands for one of several policies.

    Parameters
    ----------
    name : str
        The name, as it is written where a policy is named.
    choose : callable
        ``choose(l, u)`` returns the policy for requests that share the prediction interval [l, u].
    summary : str
        What is chosen, in a few words.

    Examples
    --------
    >>> from crtools.process import Choice, known_policies
    >>> known = known_policies()
    >>> choice = Choice("by-width", lambda l, u: known["h-sf"] if l == u else known["fcfs"])
    >>> choice.choose(1, 10).name
    'fcfs'
    """

    name: str
    choose: Callable[[int, int], Policy]
    summary: str = ""


@dataclass(frozen=True)
class Family:
    """A family of policies with an argument, written NAME:TEXT; ``make`` returns the policy of a text, as ``example`` is one.

    ``make`` raises ``InputError`` for a text that it cannot read; the policy's name holds a text that it can read again.
    """

    name: str
    make: Callable[[str], Policy]
    example: str
    knows: str = ""
    summary: str = ""


H_SF = Policy(
    "h-sf",
    priority=lambda r: r.length,
    assumed=lambda r, age: r.length,
    fixed=True,
    knows="o",
    summary="shortest first, in hindsight",
)
"""H-SF, hindsight shortest first: increasing o, stable. Where prompts are equal, the benchmark of the other policies."""

FCFS = Policy(
    "fcfs",
    priority=lambda r: r.release,
    assumed=lambda r, age: age + 1,
    overflow="latest",
    summary="first come first served; the latest is preempted",
)
"""First come first served, as servers do it today: requests start by release, then number, as long as memory is free for
what is held at the next instant; where it would overflow, the latest started is preempted, and comes first again. It knows
nothing of lengths. In this process a preempted request loses its tokens, as every cancelled one does; a server that computes
its cache anew from prompt and answer so far loses that computation only."""

H_VOLUME = replace(
    H_SF,
    name="h-volume",
    priority=lambda r: r.length * (2 * r.s + r.length + 1),
    usual=False,
    summary="smallest volume first, in hindsight",
)
"""Increasing volume s·o + o(o+1)/2, then number; admission with the true lengths."""

SHORTEST_PROMPT = replace(
    FCFS,
    name="shortest-prompt",
    priority=lambda r: r.s,
    usual=False,
    summary="shortest prompt first; the latest is preempted",
)
"""Increasing prompt, then number; admission looks at the next instant, and the latest started is preempted."""

LARGEST_LOAD_FACTOR = 5.0
"""The largest value of 1/(1 − load) that widens the limit on requests that run at once."""


def load_factor(load: float) -> float:
    """Return min(1/(1 − load), 5): a second of delay costs all who come in the rest of a busy period."""
    return min(1 / (1 - load), LARGEST_LOAD_FACTOR) if load < 1 else LARGEST_LOAD_FACTOR


def parallel_limit(output: RuleNumber, s: RuleInteger, now: Now) -> RuleNumber:
    """Return b² for the number b of requests beyond which one more delays the others by more than it saves.

    With m requests unfinished, one more in parallel saves base·m/b² per step of a request, and delays those that run by
    per_token·(s + output)/output·b/2.
    """
    unfinished = now.running + now.waiting
    return 2 * unfinished * now.base * output / (now.per_token * (s + output))


def h_work(load: float = 0) -> Policy:
    """Return ``h-work``: increasing work, then number; admission with the true lengths, in seconds while few enough run.

    In steps it is ``h-volume``. ``load``: the offered load, which widens the limit.
    """
    factor = 4 * load_factor(load)
    return Policy(
        "h-work",
        priority=lambda r: r.work,
        assumed=lambda r, age: r.length,
        limit=lambda r, now: math.sqrt(factor * parallel_limit(r.length, r.s, now)) if now.per_token else math.inf,
        informed=lambda history, load: h_work(load),
        knows="o",
        usual=False,
        summary="least work first, in hindsight",
    )


@cache
def known_names() -> dict[str, Policy | Choice]:
    """Return the policies by all their names: those of this module, and those of the installed ledgers."""
    return brought("policies", {policy.name: policy for policy in (H_SF, FCFS, H_VOLUME, h_work(), SHORTEST_PROMPT)})


@cache
def families() -> dict[str, Family]:
    """Return the families of policies of the installed ledgers, by name."""
    return brought("families", {})


@cache
def policy_called(name: str) -> Policy | Choice:
    """Return the policy, or the choice of policies, of a name that :func:`known_policy` returned."""
    family, colon, text = name.partition(":")
    return families()[family].make(text) if colon and family in families() else known_names()[name]


@cache
def known_policies() -> dict[str, Policy]:
    """Return every policy by its own name, without the names that stand for another."""
    return {name: p for name, p in known_names().items() if isinstance(p, Policy) and p.name == name}


def usual_policies() -> list[str]:
    """Return the names of the policies that run, where they fit, when no policy is named."""
    return [name for name, policy in known_policies().items() if policy.usual]


POLICY = Kind("policy", Policy, "policies", families=families)
"""Policies in a user's Python file (:mod:`crtools.user_file`)."""


def known_policy(policy: object) -> str | Policy:
    """Return the canonical name of a policy, or the policy of ``FILE.py[:NAME]``, whose file is run.

    A ``Policy`` is returned unchanged. Raises ``InputError`` for anything else.
    """
    if isinstance(policy, Policy):
        return policy
    if is_file(policy):
        return from_file("policy", str(policy), POLICY)
    if POLICY.made(policy):
        family, _, text = str(policy).partition(":")
        return families()[family.strip().lower()].make(text).name
    more = "".join(f", {family.example}" for family in families().values())
    return canonical("policy", policy, known_names(), f"{more}, or FILE.py[:NAME]")


def read_policy(policy: str | Policy | Path) -> Policy:
    """Return the policy of a name, or of ``FILE.py[:NAME]``, which is run; ``InputError`` where there is not one."""
    found = known_policy(policy)
    known = policy_called(found) if isinstance(found, str) else found
    if isinstance(known, Choice):
        raise InputError("policy", found, f"stands for one policy or another ({known.summary}): name one of them")
    return known
