"""Distributions of output lengths: exact, immutable, and named by a spec that parses and prints.

``spec`` reads a text; ``families`` has the named distributions; ``base`` the class ``Distribution`` and ``Empirical``; ``pmf`` weights
given by an expression in k, ``real_weights`` those that are not rational, ``continuous`` rounded continuous ones and densities, the
limit of large lengths, ``mixture`` convex combinations. ``ranges`` finds where parameters may lie. Tests: ``tests/distributions``.
"""

from __future__ import annotations

from crtools.distributions.base import Distribution, Empirical
from crtools.distributions.continuous import Density, LogNormal, Pareto
from crtools.distributions.families import (
    FAMILIES,
    Geometric,
    Harmonic,
    LinearGeometric,
    LogSeries,
    NegativeBinomial,
    Point,
    Poisson,
    TwoPoint,
    Uniform,
    Zipf,
    from_scipy,
)
from crtools.distributions.mixture import Mixture
from crtools.distributions.pmf import Pmf
from crtools.distributions.spec import distribution

__all__ = [
    "FAMILIES", "Density", "Distribution", "Empirical", "Geometric", "Harmonic", "LinearGeometric", "LogNormal", "LogSeries",
    "Mixture", "NegativeBinomial", "Pareto", "Pmf", "Point", "Poisson", "TwoPoint", "Uniform", "Zipf", "distribution",
    "from_scipy",
]  # fmt: skip
