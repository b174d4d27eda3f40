"""Several prediction intervals: the revised A_min's form lies between H-SF's and the single-interval A_min's."""

from __future__ import annotations

from crtools.forms import form
from crtools.proof.steps import Identity, Inference, Positive, Step
from crtools.proof.symbols import i, j, s
from crtools.proof.theorem import Theorem


def intervals_below_single() -> Theorem:
    """For x ≥ 0, intervals [l_1, u_1], …, [l_m, u_m] have a form ≤ that of the one interval [l_1, u_m], at every s ≥ 0.

    The form is B + blockdiag(A − B), and A − B ≥ 0 entrywise; A does not depend on an interval's lower end.
    """
    a, b = form("a-min").formula(i, j, s), form("h-sf").formula(i, j, s)
    steps: tuple[Step, ...] = (
        Identity(name="difference", lhs=a - b, rhs=(s + i) * (j - i) * (s + i + j) / (2 * (s + j))),
        Positive(
            name="A − B ≥ 0",
            text="for i ≤ j",
            expr=(s + i) * (j - i) * (s + i + j) / (2 * (s + j)),
            where=((s, 0), (i, 1), (j, i)),
            strict=False,
        ),
        Inference(
            name="bound",
            text="setting entries of A − B across intervals to 0 does not increase the form on x ≥ 0",
            conclusion=r"B + \operatorname{blockdiag}(A-B) \le A \text{ entrywise}",
            follows_from=("difference", "A − B ≥ 0"),
        ),
    )
    return Theorem(
        "intervals below single",
        steps[-1].latex(),
        "for all s ≥ 0 and intervals with u_j ≤ l_{j+1}, of the forms",
        steps,
    )
