"""Policies that never cancel: A_max, which assumes u of every request, and A_random, which knows the lengths."""

from __future__ import annotations

from crtools.process.policies import Policy

A_MAX = Policy(
    "a-max",
    priority=lambda r: r.u,
    assumed=lambda r, age: r.u,
    equals="order",
    longest=lambda r: r.u,
    fixed=True,
    knows="u",
    summary="assumes u of every request; never cancels",
)
"""A_max, Algorithm 1: every request is assumed to need u until it really finishes; increasing u, ties random."""

A_RANDOM = Policy(
    "a-random",
    priority=lambda r: 0,
    assumed=lambda r, age: r.length,
    equals="order",
    fixed=True,
    knows="o",
    summary="a random order, lengths known",
)
"""A_random, auxiliary: a random permutation, with known lengths."""
