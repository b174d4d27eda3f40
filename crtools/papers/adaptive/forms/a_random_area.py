"""A random order that charges each request its area: (Σ x_i)(Σ (s i + i(i+1)/2) x_i).

Eq. (3) lets requests of different ages share the memory. Where starts are spread over time the memory is full on average,
so a request delays the others by its token-instants and not by i(s+i), its length times its peak. No result of the
paper: what the simulated ``a-random`` approaches under laws on many lengths (figure convergence), not under two-point
laws, where equal requests keep in step; and what the literal A_min approaches where its memory settles.

Algorithm 2 admits whatever fits at the next instant and cancels only what overflows. Where the memory that completed
requests leave is enough for those that run, nothing is cancelled, nobody learns anything, and requests complete in
random order, each delaying the others by its token-instants. ``crtools.papers.adaptive.policies.settling`` says under which laws;
docs/algorithm-2.md proves it from below for laws whose needs shrink with age. Elsewhere the literal A_min follows no
quadratic form.
"""

from dataclasses import replace
from fractions import Fraction

from crtools.forms.base import Form
from crtools.forms.volume import entry as volume
from crtools.numeric_types import RingElement


def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
    """½ (v_i + v_j) with v_i = s i + i(i+1)/2."""
    return (volume(i, i, s) + volume(j, j, s)) / 2


A_RANDOM_AREA = Form(
    name="a-random-area",
    formula=entry,
    describes=("a-random",),
    source="token-instants per request; measured, not proved",
    growth=Fraction(1),
    summary="random order, charged token-instants (measured)",
)

A_MIN_LITERAL_AREA = replace(
    A_RANDOM_AREA,
    name="a-min-literal-area",
    describes=("a-min-literal",),
    summary="Algorithm 2 where its memory settles (measured)",
    source="no result of the paper: measured where crtools.papers.adaptive.policies.settling says that a law settles; "
    "a lower bound is proved where needs shrink (docs/algorithm-2.md)",
)
