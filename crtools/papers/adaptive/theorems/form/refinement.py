"""A family at which refined intervals make the literal A_min slower in the mean, and faster at no draw."""

from __future__ import annotations

import sympy as sp

from crtools.proof.steps import Identity, Inference, Positive, Step
from crtools.proof.theorem import Theorem

m, X, Y = sp.symbols("m X Y", positive=True)


def refinement_hurts() -> Theorem:
    """At s = 1, M = 12m, 3m requests of length 2 and 3m of length 3: [1, 3] against [1, 2], [3, 3], for every m ≥ 1.

    X of the 2m requests that the single interval cancels have length 2 (hypergeometric, mean m). TEL is 15m, the
    sum of the lengths, plus the sum of the last starts.
    """
    later = 2 * m  # the cancelled requests: they start at 2 where there is room, the others at 3
    steps: tuple[Step, ...] = (
        Identity(name="all start", text="at t = 0 all 6m requests need M at t = 1", lhs=6 * m * (1 + 1), rhs=12 * m),
        Identity(name="2m cancelled", text="at t = 1 only 4m of them fit until t = 2", lhs=4 * m * (1 + 2), rhs=12 * m),
        Identity(
            name="refined",
            text="õ = 1 for length 2, õ = 3 for length 3: all 2m cancelled have length 2; the 3m of length 3 fill M "
            "until t = 3, where the 2m start",
            lhs=3 * m * (1 + 3),
            rhs=12 * m,
        ),
        Identity(name="refined total", lhs=15 * m + 3 * later, rhs=21 * m),
        Identity(
            name="room",
            text="single: at t = 2 the m + X of length 3 hold 4 each at t = 3; the rest holds 2 for each that starts",
            lhs=(12 * m - 4 * (m + X)) / 2,
            rhs=4 * m - 2 * X,
        ),
        Identity(
            name="X ≤ m",
            text="then all 2m start at 2",
            lhs=15 * m + 2 * later,
            rhs=19 * m,
        ),
        Identity(
            name="X = m + Y",
            text="then 4m − 2X start at 2 and the others at 3",
            lhs=15 * m + 2 * (4 * m - 2 * (m + Y)) + 3 * (later - (4 * m - 2 * (m + Y))),
            rhs=19 * m + 2 * Y,
        ),
        Identity(
            name="variance",
            text="of X: 2m draws without replacement among 6m, of which half",
            lhs=2 * m * sp.Rational(1, 4) * (6 * m - 2 * m) / (6 * m - 1),
            rhs=2 * m**2 / (6 * m - 1),
        ),
        Inference(
            name="mean",
            text="E max(X − m, 0) = ½ E|X − m|, at most half the standard deviation of X",
            conclusion=r"E\,\mathrm{TEL}(\text{single}) = 19m + 2E\max(X-m,0) \le 19m + \sqrt{2m^2/(6m-1)}",
            follows_from=("X ≤ m", "X = m + Y", "variance", "room", "all start", "2m cancelled"),
        ),
        Positive(name="Y ≤ m", text="X ≤ 2m: no draw is worse than the refined intervals", expr=21 * m - 19 * m - 2 * Y,
                 where=((Y, 0), (m, Y)), strict=False),
        Inference(
            name="ratio",
            conclusion=r"\frac{\mathrm{TEL}(\text{refined})}{E\,\mathrm{TEL}(\text{single})} \ge "
            r"\frac{21}{19+\sqrt{2/(6m-1)}} \to \frac{21}{19}",
            follows_from=("mean", "refined total", "refined", "2m cancelled", "Y ≤ m"),
        ),
    )  # fmt: skip
    return Theorem(
        "refined intervals can hurt", steps[-1].latex(), "the literal A_min, s = 1, M = 12m, n = 6m, every m ≥ 1", steps
    )
