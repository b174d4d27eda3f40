"""A ledger: the claims of one theory, with the levels at which they are read. Found by entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from crtools.ledger.claim import Claim
from crtools.ledger.level import Level
from crtools.names import canonical
from crtools.plotting.figure import Drawing
from crtools.proof.accepted import Accepted

if TYPE_CHECKING:
    from crtools.proof.coq import Development
    from crtools.proof.theorem import Theorem


def when_asked(module: str, name: str) -> Callable[[], Any]:
    """Return what imports a module, by its full name, when it is first asked for what the module calls ``name``."""
    return lambda: getattr(import_module(module), name)


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """A theory that crtools can take apart.

    ``load`` returns its claims in the order of the paper and is called when they are first needed. ``slow`` are ids
    that ``--quick`` skips. ``forms``, ``policies``, ``figures``, ``worst_cases`` and ``commands`` return what else the
    theory brings: forms, policies (or a ``Choice`` of them) and figures by name, worst cases that it has proved, and
    functions that add a command to the command line. ``latencies`` returns, by a policy's name, sentences about its
    total latency and a form, each with the function that returns its theorem. ``coq`` returns its proofs as Coq files,
    ``accepted`` what Coq's kernel has accepted of them. ``certificates`` returns, for (claim id, level), what a
    certificate carries beside the proofs of its findings. ``default_form`` names the form whose ratio is asked for where
    a user names none. ``file`` is set where the ledger was read from a file.
    """

    name: str
    title: str
    source: str
    levels: tuple[Level, ...]
    load: Callable[[], tuple[Claim, ...]]
    slow: frozenset[str] = frozenset()
    forms: Callable[[], dict[str, Any]] = field(default=dict)
    policies: Callable[[], dict[str, Any]] = field(default=dict)
    figures: Callable[[], dict[str, Drawing]] = field(default=dict[str, Drawing])
    worst_cases: Callable[[], Any] | None = None
    latencies: Callable[[], dict[str, tuple[tuple[str, Callable[[], Theorem]], ...]]] = field(default=dict)
    certificates: Callable[[], dict[tuple[str, str], Any]] = field(default=dict)
    commands: Callable[[], tuple[Callable[[Any], None], ...]] = field(default=tuple)
    coq: Callable[[], Development] | None = None
    accepted: Callable[[], Accepted] = Accepted
    default_form: str = ""
    file: str = ""

    @property
    def address(self) -> str:
        """What finds it again, in another process too: its file, or its name."""
        return self.file or self.name

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims, in the paper's order."""
        return self.load()

    def select(self, ids: Iterable[str] | None = None) -> tuple[Claim, ...]:
        """Return the claims of these ids (all for None or none), in order; ``InputError`` for an unknown id."""
        known = [claim.id for claim in self.claims]
        wanted = {canonical("claim", id, known) for id in ids or ()}
        return tuple(claim for claim in self.claims if not wanted or claim.id in wanted)
