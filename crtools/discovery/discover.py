"""``discover``: from runs of a policy to the form of its latency, as a guess that further runs confirm."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from crtools.discovery.interpolation import Guess, Point, interpolate
from crtools.discovery.mean_field import NoMeanField, mean_field_entries, mean_field_value
from crtools.discovery.runs import (
    Entries,
    ThirdDifferences,
    exact_runs,
    matched,
    matched_entries,
    residues,
    third_differences,
)
from crtools.discovery.two_lengths import form_on_ends
from crtools.errors import InputError
from crtools.files import input_file
from crtools.forms import Form
from crtools.process import Choice, Policy
from crtools.process.fast import has_fast_engine
from crtools.process.policies import known_names, known_policy

FITTED = tuple((i, j, s) for i, j in combinations(range(1, 5), 2) for s in range(3))
"""The lengths i < j and the s whose entries make the guess."""

HELD_BACK = ((2, 5, 1), (3, 5, 3), (4, 5, 0), (1, 6, 2))
"""Those that confirm it."""

MIXTURES = (((1, 2, 4), 0), ((2, 3, 3, 5), 1))
"""Patterns of more than two lengths or other shares, with s, that confirm a guess for every length."""

TESTED = (2, 5, 1)
"""The lengths and the s at which third differences are taken."""

Sizes = tuple[tuple[int, int, int], tuple[int, int, int]]
"""M, n/M and the number of seeds, twice; the second M is four times the first, and n/M grows."""

SIZES: Sizes = ((360, 12, 32), (1440, 24, 16))
"""The runs behind third differences."""

SLOW_SIZES: Sizes = ((36, 6, 24), (144, 12, 12))
"""Those of a policy that the fast engine does not run."""

NEGLIGIBLE = 0.005
"""A third difference beyond its interval by more than this, relative to the largest value, speaks against a form."""

AGREES = 0.1
"""The guess and the runs in random orders, extrapolated to n/M → ∞, differ by at most this, relative to the guess."""

EXACT = "exact runs with matched counts"
"""How entries are measured first; for coins, mean-field runs follow."""

Measure = Callable[[int, int, int], Entries | None]


@dataclass(frozen=True)
class Discovery:
    """What runs say about a policy's form.

    quadratic: whether its latency is quadratic in the shares; None where that stays open.
    status: ``supported`` where the runs speak clearly, for a confirmed form or against every form, else ``inconclusive``.
    differences: third differences in the shares, at growing sizes.
    method: how entries were measured. entries: them, at (i, j, s).
    residues: the form's value at equal shares of ``TESTED`` where counts are r requests from matched ones.
    guesses: one guess for i ≤ j; or three, at (l, l), (l, u) and (u, u), for a policy that knows l and u; or none.
    mixtures: how many mixtures confirm the guess. tried: what was tried in vain.
    apart: the largest relative distance of the guess to the runs in random orders, extrapolated to n/M → ∞.
    """

    policy: str
    quadratic: bool | None
    status: str
    differences: tuple[ThirdDifferences, ...]
    method: str = ""
    entries: Mapping[Point, Entries] = field(default_factory=dict[Point, Entries])
    guesses: tuple[Guess, ...] = ()
    mixtures: int = 0
    tried: tuple[str, ...] = ()
    residues: Mapping[int, Fraction | None] = field(default_factory=dict[int, "Fraction | None"])
    apart: float | None = None

    @property
    def entry(self) -> str | None:
        """The entry at i < j, and at i = j too where there is one guess, as text that SymPy reads; None without a guess."""
        return self.guesses[len(self.guesses) // 2].text if self.guesses else None

    @property
    def ends(self) -> tuple[str, str] | None:
        """The entries at (l, l) and (u, u), i = l and j = u, of a form on two lengths; None for any other."""
        return (self.guesses[0].text, self.guesses[2].text) if len(self.guesses) == 3 else None

    @cached_property
    def form(self) -> Form | None:
        """The guessed form, for ``worst_case``, ``ratio`` and ``derive``."""
        functions = [guess.function for guess in self.guesses]
        name = f"{self.policy}-guess"
        if len(functions) == 3:
            low, mixed, high = functions
            return form_on_ends(low, mixed, high, name)
        return Form.from_entry(functions[0], name) if functions else None

    def as_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "policy": self.policy,
            "quadratic": self.quadratic,
            "status": self.status,
            "entry": self.entry,
            "ends": self.ends and dict(zip(("low", "high"), self.ends, strict=True)),
            "method": self.method,
            "fitted": len(self.guesses[0].fitted) if self.guesses else 0,
            "confirmed": len(self.guesses[0].confirmed) + self.mixtures if self.guesses else 0,
            "third_differences": [
                {
                    "lengths": list(TESTED[:2]), "s": TESTED[2], "memory": d.memory, "n": d.n, "mean": list(d.means),
                    "half_width": list(d.halves), "scale": d.scale,
                }
                for d in self.differences
            ],
            "entries": [
                {"i": i, "j": j, "s": s, "ii": str(e.low), "ij": str(e.mixed), "jj": str(e.high)}
                for (i, j, s), e in self.entries.items()
            ],
            "residues": {str(r): None if value is None else str(value) for r, value in self.residues.items()},
            "apart": self.apart,
            "tried": list(self.tried),
        }  # fmt: skip

    def as_python(self) -> str:
        """Return a Python file that makes the guessed form; raises ``InputError`` where there is none."""
        if not self.guesses:
            raise InputError("--out", self.policy, "needs a form, and none was found")
        ends = len(self.guesses) == 3
        names = ("low", "mixed", "high") if ends else ("entry",)
        where = ("at (l, l)", "at (l, u)", "at (u, u)") if ends else ("for i ≤ j",)
        parts = [
            f'def {name}(i, j, s):\n    """The entry {at}{", i = l and j = u" if ends else ""}."""\n'
            f"    return {guess.text}\n"
            for name, at, guess in zip(names, where, self.guesses, strict=True)
        ]
        head = f'"""The form of {self.policy}: a guess from runs, supported and not proved."""\n'
        load = "from crtools.discovery import form_on_ends\n" if ends else "from crtools import Form\n"
        name = repr(f"{self.policy}-guess")
        make = f"form_on_ends(low, mixed, high, {name})" if ends else f"Form.from_entry(entry, name={name})"
        return "\n\n".join([f"{head}\n{load}", *parts, f"form = {make}\n"])


def discover(
    policy: str | Policy | Path,
    *,
    sizes: Sizes | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Discovery:
    """Find the form of a policy's latency from runs, as a guess.

    policy: a name, a ``Policy``, or a Python file that holds one (``FILE.py`` or ``FILE.py:NAME``), which is run.
    sizes: M, n/M and seeds of the two sets of runs behind third differences, by default ``SIZES``. progress: wraps steps.

    Raises ``InputError`` for a policy that cannot be found or run.
    """
    found = read_policy(policy)
    i, j, s = TESTED
    chosen = sizes or (SIZES if has_fast_engine(found) else SLOW_SIZES)
    (memory, batches, first), (large, more, second) = chosen
    if large != 4 * memory or more <= batches or batches < 1 or min(memory, first - 1, second - 1) < 1:
        raise InputError("sizes", chosen, "must be (M, n/M, seeds) and (4M, more, seeds), with two seeds or more")
    differences = tuple(
        third_differences(found, i, j, s, memory=memory, n=memory * batches, seeds=seeds, progress=progress)
        for memory, batches, seeds in chosen
    )
    if not_quadratic(differences):
        return Discovery(found.name, False, "supported", differences)
    return _guessed(found, differences, progress)


def not_quadratic(differences: tuple[ThirdDifferences, ...]) -> bool:
    """Return whether a third difference stays clearly away from 0 as M → ∞.

    What vanishes like 1/√M is taken out: M grows by four, so the limit is twice the second less the first, with an
    interval as wide as both together.
    """
    before, last = differences
    return any(
        abs(2 * b - a) - (2 * h + g) > NEGLIGIBLE * last.scale
        for a, b, g, h in zip(before.means, last.means, before.halves, last.halves, strict=True)
    )


def _guessed(
    policy: Policy, differences: tuple[ThirdDifferences, ...], progress: Callable[..., Iterable[Any]]
) -> Discovery:
    tried: list[str] = []
    for method, measure, value in _ways(policy):
        entries: dict[Point, Entries] = {}
        try:
            for at in progress((TESTED, *FITTED, *HELD_BACK)):
                found = measure(*at)
                if found is None:
                    tried.append(f"{method}: totals at lengths {at[0]}, {at[1]} and s = {at[2]} fit no form")
                    break
                entries[at] = found
            else:
                return _confirmed(
                    Discovery(
                        policy.name, True, "inconclusive", differences, method, entries, guess(entries), tried=tuple(tried),
                        residues=residues(exact_runs(policy), *TESTED) if method == EXACT else {},
                    ),
                    value,
                )  # fmt: skip
        except NoMeanField as error:
            tried.append(f"{method}: {error}")
    return Discovery(policy.name, None, "inconclusive", differences, tried=tuple(tried))


def _confirmed(found: Discovery, value: Callable[[tuple[int, ...], int], Fraction | None]) -> Discovery:
    """Return the discovery as ``supported`` where mixtures and random orders confirm its guess, else why they do not."""
    if not found.guesses:
        reason = "no simple rational function passes through the entries and those held back"
        return replace(found, tried=(*found.tried, f"{found.method}: {reason}"))
    mixtures = MIXTURES if len(found.guesses) == 1 else ()
    apart = _apart(found.guesses, found.differences)
    wrong = [f"lengths {m}, s = {s}" for m, s in mixtures if value(m, s) != at_shares(found.guesses[0], m, s)]
    if apart > AGREES:
        wrong.append(f"lengths {TESTED[:2]} in random orders, by {apart:.0%}")
    if wrong:
        reason = f"{found.method}: the guess {found.entry} fails at {wrong[0]}"
        return replace(found, quadratic=None, guesses=(), tried=(*found.tried, reason))
    return replace(found, status="supported", mixtures=len(mixtures), apart=apart)


def _apart(guesses: tuple[Guess, ...], differences: tuple[ThirdDifferences, ...]) -> float:
    """Return how far the guess is from the values at random orders, extrapolated to n/M → ∞, at most."""
    before, last = differences[-2:]
    i, j, s = map(Fraction, TESTED)
    at = ((i, i, s), (i, j, s), (j, j, s)) if len(guesses) == 1 else ((i, j, s),) * 3
    low, mixed, high = (g.function(*p) for g, p in zip(guesses * (3 // len(guesses)), at, strict=True))
    weight = last.n / last.memory / (last.n / last.memory - before.n / before.memory)
    steps = len(last.values) - 1
    worst = 0.0
    for k, (one, two) in enumerate(zip(before.values, last.values, strict=True)):
        x = Fraction(k, steps)
        form = float(x * x * low + 2 * x * (1 - x) * mixed + (1 - x) ** 2 * high)
        worst = max(worst, abs(one + weight * (two - one) - form) / form if form else float("inf"))
    return worst


def guess(entries: Mapping[Point, Entries]) -> tuple[Guess, ...]:
    """Return one guess for i ≤ j, or three on two lengths, or none; those at ``HELD_BACK`` confirm it."""
    fit, held = ({at: entries[at] for at in part} for part in (FITTED, HELD_BACK))
    if _merged(entries) is not None:
        single = interpolate(_merged(fit) or {}, _merged(held) or {})
        if single is not None:
            return (single,)
    parts = [
        interpolate(*({at: getattr(e, part) for at, e in half.items()} for half in (fit, held)))
        for part in ("low", "mixed", "high")
    ]
    return tuple(part for part in parts if part is not None) if None not in parts else ()


def _merged(entries: Mapping[Point, Entries]) -> dict[Point, Fraction] | None:
    """Return the entries at i ≤ j, or None where one on the diagonal depends on the other length."""
    merged: dict[Point, Fraction] = {}
    for (i, j, s), e in entries.items():
        for at, value in (((i, i, s), e.low), ((i, j, s), e.mixed), ((j, j, s), e.high)):
            if merged.setdefault(at, value) != value:
                return None
    return merged


def at_shares(guess: Guess, pattern: tuple[int, ...], s: int) -> Fraction:
    """Return the guessed form at the shares of a pattern of lengths."""
    pairs = [(Fraction(min(a, b)), Fraction(max(a, b))) for a in pattern for b in pattern]
    return sum((guess.function(i, j, Fraction(s)) for i, j in pairs), Fraction(0)) / len(pattern) ** 2


def _ways(policy: Policy) -> Iterable[tuple[str, Measure, Callable[[tuple[int, ...], int], Fraction | None]]]:
    total = exact_runs(policy)

    def value(pattern: tuple[int, ...], s: int) -> Fraction | None:
        return matched(total, pattern, s, min(pattern), max(pattern))

    yield EXACT, lambda i, j, s: matched_entries(total, i, j, s), value
    for batches in (1, 4):
        yield (
            "mean-field runs",
            lambda i, j, s, b=batches: mean_field_entries(policy, i, j, s, batches=b),
            lambda pattern, s, b=batches: mean_field_value(policy, pattern, s, min(pattern), max(pattern), b),
        )


def read_policy(policy: str | Policy | Path) -> Policy:
    """Return the policy of a name, or of a Python file, which is run; ``InputError`` where there is not one."""
    text = str(policy)
    path, _, name = text.partition(".py:")
    if isinstance(policy, Policy) or not (name or text.endswith(".py")):
        found = known_policy(policy)
        known = known_names()[found] if isinstance(found, str) else found
        if isinstance(known, Choice):
            raise InputError("policy", text, f"stands for one policy or another ({known.summary}): name one of them")
        return known
    file = input_file("policy", f"{path}.py" if name else text, "Python file")
    try:
        values = runpy.run_path(str(file))
    except Exception as error:
        raise InputError("policy", text, f"must be a Python file that runs ({type(error).__name__}: {error})") from None
    there = {key: value for key, value in values.items() if isinstance(value, Policy)}
    chosen = [there[name]] if name in there else [] if name else list(there.values())
    if len(chosen) != 1:
        raise InputError(
            "policy", text, f"must hold one Policy, or be FILE.py:NAME (there are: {', '.join(there) or 'none'})"
        )
    return chosen[0]
