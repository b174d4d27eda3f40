"""How policies look in every figure: name, colour, line and marker; and the colours of published and of proved curves.

Any two colours are told apart by readers who see red and green alike too (a test simulates it), and each policy has a marker.
"""

from typing import NamedTuple


class Look(NamedTuple):
    """How a policy appears."""

    label: str
    colour: str
    line: str = "-"
    marker: str = "o"


LOOKS = {
    "h-sf": Look("H-SF", "#000000", marker="."),
    "a-min": Look(r"$\mathcal{A}_{\min}$", "#0072B2"),
    "a-min-literal": Look(r"$\mathcal{A}_{\min}$, literal", "#0072B2"),
    "a-min-cohort": Look(r"$\mathcal{A}_{\min}$, cohort", "#56B4E9", marker="s"),
    "a-max": Look(r"$\mathcal{A}_{\max}$", "#D55E00", marker="P"),
    "a-max-random-order": Look(r"$\mathcal{A}_{\max}$, random order", "#D55E00", ":", "X"),
    "a-random": Look(r"$\mathcal{A}_{\mathrm{random}}$", "#999999", "--", "p"),
    "fcfs": Look("first come, first served", "#924900", marker="<"),
    "a-ell": Look(r"$\mathcal{A}_\ell$", "#117733", marker="^"),
    "a-restart": Look("kill and restart, doubling", "#DDCC77", marker="v"),
    "a-offset": Look("a-offset", "#882255", marker="D"),
    "a-learn": Look("a-learn", "#3322EE", "-.", marker="*"),
}
"""By the policy's or the form's name; the form a-min is what both readings of the policy are held against."""

PUBLISHED = "#AA4499"
"""The colour of the paper's own numbers and curves."""

PROVED = "#FFB000"
"""The colour of bounds that crtools proves."""
