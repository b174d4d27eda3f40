"""What the literal A_min approaches where its memory settles: the random order by areas, (Σ x_i)(Σ (s i + i(i+1)/2) x_i).

Algorithm 2 admits whatever fits at the next instant and cancels only what overflows. Where the memory that completed
requests leave is enough for those that run, nothing is cancelled, nobody learns anything, and requests complete in
random order, each delaying the others by its token-instants. ``crtools.papers.adaptive.policies.settling`` says under which laws;
docs/algorithm-2.md proves it from below for laws whose needs shrink with age. Elsewhere the literal A_min follows no
quadratic form.
"""

from __future__ import annotations

from dataclasses import replace

from crtools.papers.adaptive.forms.a_random_area import A_RANDOM_AREA

A_MIN_LITERAL_AREA = replace(
    A_RANDOM_AREA,
    name="a-min-literal-area",
    describes=("a-min-literal",),
    summary="Algorithm 2 where its memory settles (measured)",
    source="no result of the paper: measured where crtools.papers.adaptive.policies.settling says that a law settles; "
    "a lower bound is proved where needs shrink (docs/algorithm-2.md)",
)
