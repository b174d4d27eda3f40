"""a-restart on [l, u]: phases with thresholds L_k = l, 2l, 4l, …, u; Σ_k L_k(s+L_k) T_k (T_k + T_{k+1}), T_k = P(o > L_{k−1}).

Phase k starts every request that is left with assumed length L_k; half of those that it completes wait for half of it,
on average, and the others for all of it. The factor 2 stands also in the policy (``policies/__init__.py``), in ``literal/forms.py`` and
in the proved constants of ``bounds/restart.py``.
"""

from dataclasses import replace
from functools import partial

from crtools.forms.base import Form, unbound
from crtools.numeric_types import RingElement


def thresholds(l: int, u: int) -> list[int]:
    """Return L_0 = l, 2l, 4l, …, and at last u."""
    values = [l]
    while values[-1] < u:
        values.append(min(2 * values[-1], u))
    return values


def bind(l: int, u: int) -> Form:
    """Return the form on [l, u]: Σ_k L_k(s+L_k) [i > L_{k−1}] (1 + ½[i > L_k] + ½[j > L_k]) for i ≤ j."""
    steps = thresholds(l, u)

    def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        total = 0 * (i + j)
        for before, threshold in zip([0, *steps], steps, strict=False):
            total = (
                total + threshold * (s + threshold) * (i > before) * (2 + (i > threshold) * 1 + (j > threshold) * 1) / 2
            )
        return total

    return replace(A_RESTART, formula=entry, bind=None)


A_RESTART = Form(
    name="a-restart",
    formula=partial(unbound, "a-restart"),
    describes=("a-restart",),
    given_for=("a-restart",),
    kind="upper",
    source="not in the paper: kill and restart with doubled thresholds; an upper bound on the process (theorem “kill and restart”)",
    bind=bind,
    summary="kill and restart with doubled thresholds",
)
