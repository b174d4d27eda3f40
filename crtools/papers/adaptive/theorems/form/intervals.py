"""Several prediction intervals: the revised A_min's form lies between H-SF's and the single-interval A_min's.

The worst case over several intervals is the largest of the intervals'.
"""

from __future__ import annotations

from crtools.forms import Form, form
from crtools.forms.h_sf import H_SF
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, s
from crtools.proof.theorem import Theorem


def difference() -> Theorem:
    """A − B ≥ 0 entrywise at every s ≥ 0, A the matrix of A_min and B that of H-SF."""
    a, b = form("a-min").formula(i, j, s), form("h-sf").formula(i, j, s)
    shown = (s + i) * (j - i) * (s + i + j) / (2 * (s + j))
    proof = Proof(
        "A − B",
        "for all s ≥ 0 and i ≤ j, of the forms",
        r"a_{ij} - b_{ij} = \frac{(s+i)(j-i)(s+i+j)}{2(s+j)} \ge 0",
    )
    proof.identity("", a - b, shown, name="difference")
    proof.nonnegative("", shown, s >= 0, i >= 1, j >= i, name="A − B ≥ 0")
    return proof.qed()


def intervals_below_single() -> Theorem:
    """For x ≥ 0, intervals [l_1, u_1], …, [l_m, u_m] have a form ≤ that of the one interval [l_1, u_m], at every s ≥ 0.

    The form is B + blockdiag(A − B), and A − B ≥ 0 entrywise; A does not depend on an interval's lower end.
    """
    proof = Proof("intervals below single", "for all s ≥ 0 and intervals with u_j ≤ l_{j+1}, of the forms")
    proof.cite(difference())
    proof.therefore(
        r"B + \operatorname{blockdiag}(A-B) \le A \text{ entrywise}",
        "setting entries of A − B across intervals to 0 does not increase the form on x ≥ 0",
    )
    return proof.qed()


def largest_of_intervals(across: Form = H_SF) -> Theorem:
    """Against H-SF and the volume bound, A_min's worst case on several intervals is the largest of the intervals'.

    ``across`` gives the entries across two intervals. Each equals the diagonal entry of the shorter length, in the numerator N as
    in the denominator D. So for the largest λ of the intervals' worst cases λD − N is ≥ 0 across, and copositive inside.
    """
    proof = Proof("largest of the intervals", "for all s ≥ 0, all disjoint intervals and x ≥ 0, of the forms")
    proof.identity("", across.formula(i, j, s), form("a-min").formula(i, i, s), name="N across")
    for name in ("h-sf", "volume"):
        against = form(name).formula
        proof.identity("", against(i, j, s), against(i, i, s), name=f"{name} across")
        proof.nonnegative("", against(i, i, s) - 1, s >= 0, i >= 1, name=f"{name} is positive")
    proof.therefore(
        r"\lambda d_{ij} - n_{ij} = \lambda d_{ii} - n_{ii} \ge 0 \text{ for } i < j \text{ in two intervals}",
        "λ is at least the ratio at the length i alone, and on each interval λD − N is copositive; so it is on all of them",
    )
    return proof.therefore(r"\lambda \text{ is the worst case}", "weights on one interval alone attain its own").qed()
