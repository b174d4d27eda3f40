"""Algorithm 2 itself under q^k and k q^k: by areas, where memory needs shrink with age, against H-SF by peaks."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, log

import numpy as np

from crtools.forms import form
from crtools.ledger.result import Part
from crtools.papers.adaptive.evidence.algorithm_two import another_run
from crtools.papers.adaptive.evidence.process_bounds import at_least
from crtools.papers.adaptive.theorems.process.algorithm_two import h_sf_upper, lower_bound
from crtools.setting import Setting

FAMILIES = {"geometric(q)": 0, "linear-geometric(q)": 1}
"""The power e of the weights k^e q^k of each family."""

PLACES = {
    0: ((1, Fraction(3, 5)), (1, Fraction(13, 20)), (3, Fraction(3, 4)), (10, Fraction(9, 10)), (20, Fraction(19, 20))),
    1: ((1, Fraction(2, 5)), (20, Fraction(2, 3)), (50, Fraction(37, 50)), (100, Fraction(39, 50))),
}
"""Settings (s, q) at which a bound is compared with the ratio that the process has at least, by e."""


def cut(power: int, q: Fraction) -> int:
    """Return a length u beyond which k^e q^k has hardly any weight."""
    return ceil((16 + 6 * power) / -log(q))


def least_ratio(power: int, s: int, q: Fraction, u: int) -> Fraction | None:
    """Return Σ x_k (s k + k(k+1)/2) over H-SF's form under k^e q^k cut at u, l = 1; None where the needs do not shrink."""
    x = [k**power * q.numerator**k * q.denominator ** (u - k) for k in range(1, u + 1)]
    tails = list(accumulate(reversed(x)))[::-1]
    needs = [(s + a + 1) * tail for a, tail in enumerate(tails)]
    if not all(later < earlier for earlier, later in pairwise(needs)):
        return None
    area = sum(w * (s * k + k * (k + 1) // 2) for k, w in enumerate(x, start=1))
    peaks = sum((s + 2 * k - 1) * tail * tail for k, tail in enumerate(tails, start=1))
    return Fraction(area * tails[0], peaks)


def law_part(name: str, spec: str, bound: Fraction) -> Part:
    """Decide CR(A_min) ≤ bound under the family ``spec`` for Algorithm 2 itself: refuted at a place, else open."""
    proofs, power = (lower_bound(), h_sf_upper()), FAMILIES[spec]
    for s, q in PLACES[power]:
        u = cut(power, q)
        found = least_ratio(power, s, q, u)
        if found is None or found <= bound or not all(p.holds for p in proofs):
            continue
        again = further(power, s, q, u)
        if abs(float(found) - again) > 1e-4 or not again > bound:
            raise AssertionError("two computations of a ratio differ")
        evidence = {
            "counterexample": {
                "s": s,
                "l": 1,
                "q": str(q),
                "law": f"{spec.replace('(q)', '')}, cut at u = {u}; n independent lengths, n → ∞ and then M → ∞",
                "CR, at least": at_least(found),
                "claimed bound": str(bound),
                "cut at 2u": f"{again:.6g}",
            },
            "theorems": [p.as_json() for p in proofs],
            "second computation": {"cut at 2u, from the forms' entries, in floats": again, "a run": another_run()},
        }
        return Part(name, "refuted", evidence)
    tried = f"lower bounds on Algorithm 2 where its memory settles, at {len(PLACES[power])} settings"
    return Part(name, "inconclusive", {"tried": tried})


def further(power: int, s: int, q: Fraction, u: int) -> float:
    """Return the same ratio under the law cut at 2u, from the entries of both forms, in floats."""
    on, lengths = Setting(s, 1, 2 * u), np.arange(1, 2 * u + 1)
    x = (lengths**power * np.exp(lengths * log(q))).tolist()
    return float(form("a-min-literal-area").on(on).value(x) / form("h-sf").on(on).value(x))
