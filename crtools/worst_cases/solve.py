"""``worst_case``: which of five routes applies to a pair of forms."""

from __future__ import annotations

from collections.abc import Iterable

from crtools.forms import Form, form, numerator
from crtools.setting import LARGEST_IN_FORMULAS, LARGEST_LENGTH, Setting
from crtools.worst_cases.base import WorstCase
from crtools.worst_cases.blockwise import Blockwise
from crtools.worst_cases.general import General
from crtools.worst_cases.known import known
from crtools.worst_cases.perron import Perron
from crtools.worst_cases.proved import Between, Proved


def worst_case(
    policy: str | Form | None = None,
    l: int | None = None,
    u: int | None = None,
    s: int = 0,
    against: str | Form = "h-sf",
    *,
    intervals: Iterable[tuple[int, int]] | None = None,
) -> WorstCase:
    """Return the worst case over weights x ≥ 0 on [l, u] (l = 1 unless given) of the form ``policy`` (the default one) over ``against``.

    For A_min over H-SF it is the spectral radius of B⁻¹A (Theorem "positivity": B⁻¹A > 0, so by Perron–Frobenius
    the supremum is attained at a positive x), for A_max and A_random a proved formula, and otherwise bounded from both
    sides. For these three u may reach ``LARGEST_IN_FORMULAS``; beyond ``LARGEST_LENGTH`` A_min's is bounded by formulas.
    Only lengths at which both forms are defined have weight: {l, u} for A_ℓ. ``s`` is the prompt size in tokens;
    ``intervals`` stands for l and u; A_min's worst case on several of them is the largest of theirs, by a theorem.
    Raises ``InputError`` for a setting or a form that is not allowed.
    """
    pair = numerator(policy), form(against, "against")
    most = LARGEST_IN_FORMULAS if known("bounded", *pair) or known("proved", *pair) else LARGEST_LENGTH
    return _on(*pair, Setting(s, l, u, intervals=intervals, most=most))


def _on(policy: Form, against: Form, setting: Setting) -> WorstCase:
    if not setting.single:
        if known("blockwise", policy, against):
            return Blockwise(policy, against, setting, [_on(policy, against, part) for part in setting.parts()])
        return General(policy, against, setting)
    if setting.u > LARGEST_LENGTH and known("bounded", policy, against):
        return Between(policy, against, setting)
    route = Perron if known("positive", policy, against) else Proved if known("proved", policy, against) else General
    return route(policy, against, setting)
