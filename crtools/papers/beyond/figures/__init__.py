"""The figures of the further results, one file each."""

from crtools.plotting.figure import Drawing, Parameter, whole

FIGURES: dict[str, Drawing] = {
    "blind": Drawing(
        "simulated: a-offset stays near ρ*, A_min and A_max grow with $u$",
        f"{__name__}.blind:blind", ("blind-upper", "blind-lower"),
    ),
    "minimax": Drawing(
        "certified: the best blind worst case on $[\\ell, u]$, by $\\ell/u$ and $s/\\ell$",
        f"{__name__}.minimax:minimax_map", ("minimax-closes",),
        {"u": Parameter("the largest length; 100 take several minutes", "20", whole(2, 100))},
    ),
}  # fmt: skip
"""By name."""
