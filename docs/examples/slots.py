"""Fixed slots of s + u tokens: a ledger of four claims."""

from fractions import Fraction
from pathlib import Path

import sympy as sp

from crtools import Form, Policy, Setting, compare, derive, ratio
from crtools.ledger.claims import Text, bound, formula, ledger, measured
from crtools.ledger.deciders.ranges import reals, unit

q, c, alpha = sp.symbols("q c alpha", positive=True)
SUP = (1 + sp.sqrt(2 / (1 + alpha))) / (2 * alpha)
POLICY = Policy("slots", priority=lambda r: 0, equals="order", assumed=lambda r, age: r.u, peaks=True)


def slots(u):
    return Form.from_entry(lambda i, j, s: (s + u) * (i + j) / 2, name=f"slots-{u}")


def derived():
    found = derive("geometric(q)", policy=slots(1)).ratio * c / (1 - q)
    return None if sp.cancel(found - TEXT.value("geometric", q, c)) == 0 else f"derive finds {found}"


def supremum(alpha):
    law = f"two-point(l={alpha.numerator}, u={alpha.denominator}, weight=w)"
    return derive(law, policy=slots(alpha.denominator)).supremum().enclosure


def under_geometric(q, c):
    return ratio(slots(1), f"geometric(q={q})").exact * c / (1 - q)


def two_lengths(l, u, x_l, x_u):
    return ratio(slots(u), f"two-point(l={l}, u={u}, weight={Fraction(x_l, x_l + x_u)})").exact


def latencies():
    x, s, l, u = [0.1] * 10, 1, 1, 10
    for memory, n in ((110, 100), (220, 200)):
        form = float(slots(u).on(Setting(s=s, l=l, u=u)).value(x)) * n**2 / (2 * memory)
        runs = compare(POLICY, f"uniform(l={l}, u={u})", n=n, memory=memory, s=s, seeds=6).runs
        yield [run.total_latency / form for run in runs]


TEXT = Text(Path(__file__).with_name("slots.txt"), {"derived": derived})
PLACES = [{"l": 1, "u": 2, "x_l": 5, "x_u": 1}, {"l": 1, "u": 2, "x_l": 530, "x_u": 97}]
LEDGER = ledger(
    TEXT,
    formula(TEXT, "two-lengths", supremum, on=unit("alpha"), corrupted=["1/alpha", f"{SUP} - 1e-9"]),
    formula(TEXT, "geometric", under_geometric, on=reals(q=(0, 1), c=(0, None)), corrupted=["c*(1+q)**2/(1-q**2)"]),
    bound(TEXT, "at-most-2", two_lengths, PLACES, theorem="at most", repair="9/4", corrupted=["2.1547"], variants=["9/4"]),
    measured("process", "Fixed slots take as long as the form says.", latencies, level="process", given={"within": "1/4"},
             least=lambda within: 1 - within, most=lambda within: 1 + within, corrupted=["1/1000"],
             sample="uniform(1, 10), s = 1, M = 110 and 220, n = 10M/11, 6 seeds each"),
    policies=[POLICY],
)  # fmt: skip
