"""The costs of a pair of sizes i ≤ j as n → ∞: Σ C_j is n²/2 times the form at the shares of the sizes.

The sizes are the lengths that a law speaks of; prompts play no part, so no entry depends on s. With an offset drawn at
random the costs have logarithms of i/j in them and are no forms: the text of the theory has them.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from crtools.errors import InputError
from crtools.forms import Form, TailRow, TailRule
from crtools.papers.nonclairvoyant import JAEGER
from crtools.papers.nonclairvoyant.machine import threshold

SPT = Form(
    name="spt",
    formula=lambda i, j, s: i,  # the longer job waits for the shorter one
    describes=("spt",),
    source="Smith 1956",
    tails=TailRule(lambda l, s: TailRow(l), lambda k, s: TailRow(k / k)),
    growth=Fraction(1),
    summary="one machine: shortest first, the optimum",
)
ROUND_ROBIN = Form(
    name="round-robin",
    formula=lambda i, j, s: 2 * i,  # each waits for as much of the other as the shorter one has
    describes=("round-robin",),
    source="Motwani, Phillips, Torng 1994",
    tails=TailRule(lambda l, s: TailRow(2 * l), lambda k, s: TailRow(2 * k / k)),
    growth=Fraction(2),
    summary="one machine: all jobs at equal rates",
)
RANDOM_ORDER = Form(
    name="random-order",
    formula=lambda i, j, s: (i + j) / 2,  # one waits for the other, with even chances
    describes=("random-order",),
    source="the mean over both orders of a pair",
    tails=TailRule(
        lambda l, s: TailRow(l, left=(l / l,), right=(0 * l,)),
        lambda k, s: TailRow(0 * k, left=(0 * k,), right=(k / (2 * k),)),
    ),
    growth=Fraction(1),
    summary="one machine: a random order",
)
LARGEST_FIRST = Form(
    name="largest-first",
    formula=lambda i, j, s: j,  # the shorter job waits for the longer one
    describes=("largest-first",),
    source="the worst order of a pair",
    tails=TailRule(
        lambda l, s: TailRow(l, left=(l / l,), right=(0 * l,)),
        lambda k, s: TailRow(-k / k, left=(0 * k,), right=(k / k,)),
    ),
    growth=Fraction(1),
    summary="one machine: largest first, the worst order",
)


def b_scaling(b: int | Fraction) -> Form:
    """Return the form of killing and restarting at the lengths b^k, for jobs in the worst order, the longer one first.

    With T = b^k the length at which i completes, both wait T/(b − 1) for attempts that are shorter; if j is still there
    it takes T more, and then i; else j completes first. Raises ``InputError`` unless b > 1 is an int or a ``Fraction``.
    """
    if not isinstance(b, int | Fraction) or b <= 1:  # pyright: ignore[reportUnnecessaryIsInstance] -- from outside
        raise InputError("b", b, "must be an exact number > 1: an int or a Fraction")

    def entry(i: Any, j: Any, s: Any) -> Any:
        length = threshold(i, b)
        return 2 * length / (b - 1) + (length + i if j > length else j)

    form = Form.from_entry(entry, name=f"b-scaling-{b}", growth=Fraction(2 * b, b - 1) + b + 1)
    return replace(form, source=JAEGER, summary=f"one machine: killed at lengths {b}^k, largest first")


FORMS = {form.name: form for form in (SPT, ROUND_ROBIN, RANDOM_ORDER, LARGEST_FIRST, b_scaling(3))}
