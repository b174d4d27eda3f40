"""What a policy is: who goes first, how long a request is assumed to be, and who is cancelled; and which are known.

A policy of one's own is one expression. Shortest lower bound first, without cancellation (so it must assume u):

>>> from crtools.process import Policy, simulate
>>> lower_first = Policy(
...     "lower-first", priority=lambda r: r.l, assumed=lambda r, age: r.u, longest=lambda r: r.u, fixed=True
... )
>>> simulate(lower_first, [3, 1, 2], memory=5, l=[2, 1, 1], u=[3, 2, 2]).schedule.starts
(1, 0, 0)

Every function takes a request and must not change it. Numba compiles the rules, where it can
(:mod:`crtools.process.kernels.rules`); a rule that is arithmetic alone may be asked once with arrays over all requests.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from inspect import signature
from pathlib import Path
from traceback import walk_tb
from typing import Any, Literal, Protocol, get_args

from crtools.errors import InputError
from crtools.installed_ledgers import brought
from crtools.names import canonical
from crtools.user_file import Kind, from_file, is_file

Lengths = Literal["any", "at-least-l", "l-or-u"]
"""Which true lengths in [1, u] a policy can run: all of them; those that are at least l; l and u alone."""

Kernel = Literal["lower-bounds", "lower-bounds-by-coin"]
"""Compiled loops for particular policies; ``crtools.process.engine`` says what each runs."""


class Request(Protocol):
    """What a policy sees of a request; ``length`` is for policies with hindsight only.

    index: the request's number, from 0. s: the prompt size in tokens. l, u: the ends of the prediction interval, in
    tokens. length: the true output length o in tokens. bound: the running bound õ; fixed while the request runs, renewed
    where it is cancelled. joined: the request's number in the queue: those who join later have larger ones. own: what the
    policy made of the request's own random number; 0 where it draws none.
    """

    index: Any
    s: Any
    l: Any
    u: Any
    length: Any
    bound: Any
    joined: Any
    own: Any


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
    overflow: whether, where the next instant would need more than M, running requests are cancelled until it fits: with
        True in increasing order of õ, with õ := max(õ, tokens generated) then; with "latest" the latest started first,
        with õ as it was.
    peaks: whether admission reserves Σ (s + L) ≤ M, and does not look at each instant to come.
    own: what becomes of a number that each request draws for itself, once, uniform on [0, 1) and from the seed. It
        takes the array of all of them.
    paced: whether requests are tried and killed: at age L an unfinished one is cancelled, with õ := L + 1; where the next
        instant would need more than M, the latest started goes first, with õ as it was; and admission looks at the next
        instant alone, but starts no more than its credit pays for. docs/model.md has the rules of credit.
    takes: which true lengths the policy can run.
    fixed: whether nothing is ever cancelled and ``priority`` and ``assumed`` never change for a request. Then the fastest
        loop runs the policy; it is taken, too, where the rules show this by themselves.
    kernel: the compiled loop that makes the same runs as these rules. It is taken for a policy with a name of its own in crtools or
        a ledger, and for no other: whoever brings one has to test that both engines agree.
    knows: which of l, u and the true length o the rules use, as text, which only describes: ``Run.hindsight`` says whether
        they read the length. summary: what the policy does, in a few words.
    usual: whether a policy that a ledger brings is one of those that run, where they fit, when no policy is named.
    plan: how the policy lists attempts beforehand, of what a pilot has shown; of the rules above those for ``own``, ``bound`` and
        ``longest`` then count alone.

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
    overflow: bool | Literal["latest"] = False
    peaks: bool = False
    own: Callable[[Any], Any] | None = None
    paced: bool = False
    takes: Lengths = "any"
    fixed: bool = False
    kernel: Kernel | None = None
    knows: str = ""
    summary: str = ""
    usual: bool = True
    plan: Any = None  # a crtools.process.plans.Plan, which imports this module

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("name", self.name, "must be the policy's name")
        for what in ("knows", "summary"):
            if not isinstance(getattr(self, what), str):
                raise InputError(what, getattr(self, what), "must be a text")
        for what in ("peaks", "paced", "fixed", "usual"):
            if not isinstance(getattr(self, what), bool):
                raise InputError(what, getattr(self, what), "must be True or False")
        for rule in RULES:
            value = getattr(self, rule)
            if value is None and rule in ("cancel", "own"):
                continue
            if not callable(value) or not _takes(value, ARGUMENTS[rule]):
                raise InputError(
                    rule,
                    getattr(value, "__name__", value),
                    f"must be a function of {ARGUMENTS[rule].replace(', ', ' and ')}",
                )
        for rule, names in (("equals", ("index", "order", "ties")), ("takes", get_args(Lengths))):
            if getattr(self, rule) not in names:
                raise InputError(rule, getattr(self, rule), f"must be {', '.join(names[:-1])} or {names[-1]}")
        if self.kernel not in (None, *get_args(Kernel)):
            raise InputError("kernel", self.kernel, f"must be one of {', '.join(get_args(Kernel))}")
        if self.overflow not in (True, False, "latest"):
            raise InputError("overflow", self.overflow, 'must be True, False or "latest"')
        if self.fixed and (self.cancel is not None or self.overflow or self.paced or self.kernel):
            raise InputError("fixed", True, "goes with neither cancel, overflow, paced nor kernel")
        if self.paced and (self.cancel is not None or self.overflow or self.peaks):
            raise InputError("paced", True, "goes with neither cancel, overflow nor peaks: it says who is cancelled")


ARGUMENTS = {
    "priority": "a request", "assumed": "a request, an age", "bound": "a request", "longest": "a request",
    "cancel": "a request, an age, a source of numbers", "own": "a number",
}  # fmt: skip
RULES = tuple(ARGUMENTS)
"""The fields of a policy that are functions, and what they are called with."""


def _takes(rule: Callable[..., Any], arguments: str) -> bool:
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
    """Return what a rule raised, and, where it asks a request for what that has not, what a request has."""
    name = getattr(error, "name", None)
    if isinstance(error, AttributeError) and {"bound", "joined", "own"} <= set(dir(getattr(error, "obj", None))):
        return f"AttributeError: a request has no {name}; it has {', '.join(Request.__annotations__)}"
    return f"{type(error).__name__}: {error}".removesuffix(": ")


@dataclass(frozen=True)
class Choice:
    """A name for one policy or another: which one is said by the ends l, u of the interval that all requests share."""

    name: str
    choose: Callable[[int, int], Policy]
    summary: str = ""


@dataclass(frozen=True)
class Family:
    """Policies with an argument, each written NAME:TEXT: ``make`` returns the one of a text, ``example`` is one.

    ``make`` raises ``InputError`` for a text that says nothing, and names the policy by a text that it reads again.
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
"""H-SF, hindsight shortest first: increasing o, stable. What the others are compared with."""


FCFS = Policy(
    "fcfs",
    priority=lambda r: r.index,
    assumed=lambda r, age: age + 1,
    overflow="latest",
    summary="first come first served; the latest is preempted",
)
"""First come first served, as servers do it today: requests start in the order of their numbers as long as memory is free
for what is held at the next instant; where it would overflow, the latest started is preempted, and comes first again. It knows
nothing of lengths. In this process a preempted request loses its tokens, as every cancelled one does; a server that computes
its cache anew from prompt and answer so far loses that computation only."""


@cache
def known_names() -> dict[str, Policy | Choice]:
    """Return what every name of a policy stands for: H-SF, first come first served, and what the installed ledgers bring."""
    return brought("policies", {"h-sf": H_SF, "fcfs": FCFS})


@cache
def families() -> dict[str, Family]:
    """Return the families of policies that the installed ledgers bring, by name."""
    return brought("families", {})


@cache
def policy_called(name: str) -> Policy | Choice:
    """Return what a name stands for that :func:`known_policy` returned."""
    family, colon, text = name.partition(":")
    return families()[family].make(text) if colon and family in families() else known_names()[name]


@cache
def known_policies() -> dict[str, Policy]:
    """Return every policy by its own name, without the names that stand for another."""
    return {name: p for name, p in known_names().items() if isinstance(p, Policy) and p.name == name}


def usual_policies() -> list[str]:
    """Return the names that run where none is given: of these, all that fit."""
    return [name for name, policy in known_policies().items() if policy.usual]


POLICY = Kind("policy", Policy, "policies", families=families)
"""What a file of one's own may hold (:mod:`crtools.user_file`)."""


def known_policy(policy: object) -> str | Policy:
    """Return the name of a policy as it is written here, or that of ``FILE.py[:NAME]``, which is run.

    A ``Policy`` is returned as it is. Raises ``InputError`` for anything else.
    """
    if isinstance(policy, Policy):
        return policy
    if is_file(policy):
        return from_file("policy", str(policy), POLICY)
    if POLICY.made(policy):
        family, _, text = str(policy).partition(":")
        return families()[family.strip().lower()].make(text).name
    more = "".join(f", {own.example}" for own in families().values())
    return canonical("policy", policy, known_names(), f"{more}, or FILE.py[:NAME]")
