"""Which forms are finite under a law with weights like k^(−a).

Let an entry for i ≤ j be a polynomial in i over one in j, of degree D in all and r in j. Then Σ N_ij x_i x_j is finite for
a > max(r + 1, D/2 + 1); where it is ≥ 0 it is infinite else: for a ≤ r + 1 a row of some i is infinite already, for
a ≤ D/2 + 1 the pairs with j/2 ≤ i ≤ j are, in which the part of degree D is of the order j^D.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from crtools.distributions import Distribution
from crtools.errors import InputError
from crtools.forms import Form
from crtools.ratios.direct_sums import separated

GIVE_AN_END = "give it an end, u=…"


def least_exponent(form: Form, s: int) -> Fraction | None:
    """Return the a above which the form is finite at weights like k^(−a); None where the entry does not show it."""
    rational = form.rational
    if rational is None or not separated(form, s):
        return None
    above, below = rational.monomials(s)
    degree = max(b for _, b in below)
    if not above:
        return Fraction(1)
    return max(Fraction(max(b for _, b in above) - degree + 1), Fraction(max(a + b for a, b in above) - degree, 2) + 1)


def check_tail(policy: Form, against: Form, law: Distribution, s: int) -> None:
    """Raise ``InputError`` where a form is infinite under a law, or not seen to be finite."""
    if law.decay is None:
        return
    a = law.decay
    exponents = {f.name: least_exponent(f, s) for f in (policy, against)}
    if all(least is not None and a > least for least in exponents.values()):
        return
    order = max(ceil(a) - 1, 1)
    name = {1: "mean", 2: "second moment"}.get(order, f"moment of order {order}")
    reason = f"heavy tail: the {name} is infinite (weights like k^(−{a}))"
    for f in (policy, against):
        least = exponents[f.name]
        if least is None or (a <= least and not f.nonnegative_at(s)):
            raise InputError(
                "distribution", law.spec(), f"{reason}, and {f.name} is not seen to be finite; {GIVE_AN_END}"
            )
    infinite = [name for name, least in exponents.items() if least is not None and a <= least]
    if len(infinite) == len(exponents):
        what = f"and so {'are' if len(infinite) > 1 else 'is'} {' and '.join(infinite)}: the ratio has no value"
    elif infinite == [policy.name]:
        what = f"and so is {policy.name}, while {against.name} is finite: the ratio is infinite"
    else:
        what = f"and so is {against.name}, while {policy.name} is finite: the ratio is 0"
    raise InputError("distribution", law.spec(), f"{reason}, {what}; {GIVE_AN_END}")
