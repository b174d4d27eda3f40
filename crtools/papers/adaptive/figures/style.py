"""One name, one colour and one line for each policy in every figure, and one colour each for what is published or proved."""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """How a policy appears."""

    label: str
    colour: str
    line: str = "-"
    marker: str = "o"


LOOKS = {
    "h-sf": Look("H-SF", "black"),
    "a-min": Look(r"$\mathcal{A}_{\min}$", "tab:blue"),
    "a-min-literal": Look(r"$\mathcal{A}_{\min}$, literal", "tab:blue"),
    "a-min-cohort": Look(r"$\mathcal{A}_{\min}$, cohort", "tab:cyan", marker="s"),
    "a-max": Look(r"$\mathcal{A}_{\max}$", "tab:red"),
    "a-max-random-order": Look(r"$\mathcal{A}_{\max}$, random order", "tab:red", ":"),
    "a-random": Look(r"$\mathcal{A}_{\mathrm{random}}$", "tab:gray", "--"),
    "a-ell": Look(r"$\mathcal{A}_\ell$", "tab:green", marker="^"),
    "a-restart": Look("kill and restart, doubling", "tab:olive", marker="v"),
    "a-offset": Look("a-offset", "deeppink", marker="D"),
}
"""By the policy's or the form's name; the form a-min is what both readings of the policy are held against."""

PUBLISHED = "tab:purple"
"""The colour of the paper's own numbers and curves."""

PROVED = "tab:orange"
"""The colour of bounds that crtools proves."""
