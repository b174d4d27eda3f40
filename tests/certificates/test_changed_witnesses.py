"""Every single change of every witness: the checker refuses it, but for those listed here, which leave a true one."""

from __future__ import annotations

from typing import Any

import pytest
from forged import Key, changes, leaves, put, refused_witness

from check import statements

TRUE_CHANGES: dict[str, tuple[str, dict[str, list[Any]]]] = {
    "b-random-best.kernel": ("ends that still enclose the root", {
        "low": ["3066670157/1073741825"], "high": ["6133340327/2147483649"]}),
    "blind-lower.algorithm": ("an end that still encloses the root, and numbers that are still below roots", {
        "low": ["2322387/625001"], "root": ["2357/1667"], "d": ["79591/100001"]}),
    "blind-lower.machine": ("an end that still encloses the root, and numbers that are still below roots", {
        "low": ["2322387/625001"], "root": ["2357/1667"], "d": ["79591/100001"]}),
    "blind-upper.algorithm": ("an end that still encloses the root", {"low": ["2322387/625001"]}),
    "blind-upper.machine": ("an end that still encloses the root", {"low": ["2322387/625001"]}),
    "continuous-limit.form": ("a t that is less by 2·10⁻¹²", {"t_low": ["470015204347/500000000001"]}),
    "geometric.algorithm": ("laws beside it, at which the areas are above the bound, too", {
        "q": ["49/101"], "u": [24, 22]}),
    "geometric.form": ("laws and prompts beside them, at which both are false, too", {
        "bound.s": [2], "bound.q": ["3/4"], "monotone.s": [2], "monotone.q.0": ["3/4"], "monotone.q.1":
        ["99/101"]}),
    "hsf-lower.algorithm": ("a longer last request; two of one length exchanged", {
        "smallest.lengths.3": [4], "smallest.starts": [[1, 0, 0, 3]]}),
    "lem-amin.algorithm": ("laws and prompts beside it, at which the areas are above the form, too", {
        "a_min.s": [2], "a_min.u": [11, 9], "a_min.r": ["9/11"]}),
    "lem-max-random.algorithm": ("three such requests", {"in_expectation.lengths": [[4, 4, 4]]}),
    "lg-extremes.form-at-zero": ("a law and a length beside them", {"q": ["1/3"], "k": [7]}),
    "lg-mode.form-at-zero": ("a law beside it", {"q": ["1/21"]}),
    "minimax-closes.algorithm": ("the last digit of every weight and share: both bounds hold there, too", {
        "weights.*": [2], "shares.*": [2]}),
    "minimax-closes.machine": ("the last digit of every weight and share: both bounds hold there, too", {
        "weights.*": [2], "shares.*": [2]}),
    "observation-1.algorithm": ("more memory", {"smallest.M": [7]}),
    "own-lower.algorithm": ("ends that still enclose the root", {
        "low": ["1994915243/536870913"], "high": ["2659886995/715827883"]}),
    "own-offsets.kernel": ("ends that still enclose the root", {
        "low": ["1994915243/536870913"], "high": ["2659886995/715827883"]}),
    "packed-random.algorithm": ("another order of what comes late; other lengths with the same starts", {
        "order_passing.order": [[2, 1, 0]], "packed.lengths.1": [3], "packed.lengths.2": [3], "packed.order":
        [[2, 1, 0]]}),
    "prop-memory.algorithm": ("the same late request twice", {"smallest.late": [[1, 1]]}),
    "prop-transition.algorithm": ("two requests of the longer length; more memory", {
        "smallest.lengths": [[1, 2, 2]], "smallest.M": [4]}),
    "rho-star.number": ("an end that still encloses the root", {"low": ["4644774001056079727/1250000000000000001"]}),
    "thm-aell.algorithm": ("a longer prompt, at which the ratio is above the bound, too", {"s": [1]}),
    "thm-aell.form": ("settings, weights and numbers beside them, at which all three are false, too", {
        "bound.s": [2], "bound.u": [3], "bound.x_l": [0], "bound.x_u": [3], "display_1_left.l": ["1/2"],
        "display_1_left.u": ["3"], "display_1_left.x": ["1/2"], "display_1_left.y": ["3"], "inference.t":
        ["1/3"], "inference.gives": ["1/3"]}),
    "thm-amax-lower.algorithm": ("numbers of requests beside it", {"true_by_rounding.n": [43, 41]}),
    "thm-endpoints.algorithm": ("the same requests in the other order, and others; either of two equal ones", {
        "process.o": [[4, 2]], "process.o.0": [3], "process.o.1": [3], "expectations.lengths": [[2, 2, 2]],
        "expectations.lengths.1": [3], "expectations.request_changed": [1]}),
    "thm-lg.algorithm": ("laws beside it, at which the areas are above both, too", {"q": ["29/101"], "u": [19, 17]}),
    "thm-lg.form": ("laws and prompts beside them, at which all five are false, too", {
        "closed_form.s": [2], "closed_form.q": ["1/3"], "bound.s": [2], "bound.q": ["7/11"], "weaker_bound.s":
        [6], "monotone.s": [2], "monotone.q.0": ["7/11"], "monotone.q.1": ["99/101"], "denominator.q": ["1/3"]}),
    "thm-optimality.algorithm": ("a bound beside it, between the same two lengths", {"residuals.bound_i": [3]}),
    "thm-optimality.form": ("weights beside them and the first two exchanged: own offsets are better there, too", {
        "x.*": [2], "x": [[1903, 10000, 985, 608, 415, 303, 232, 184, 150, 981]]}),
    "thm-optimality.form-at-zero": ("weights beside them and the first two exchanged: own offsets are better there, too", {
        "x.*": [2], "x": [[2481, 10000, 1073, 600, 385, 270, 200, 155, 124, 735]]}),
    "thm-two-point.algorithm": ("shares beside them, at which the areas are above the bound, too", {
        "a_min_bound.share_of_u": ["1/7"], "with_prompts.share_of_u": ["1/5"]}),
    "thm-two-point.form": ("settings and weights beside them, at which the ratio is above the bound, too", {
        "s": [2], "u": [4], "x_l": [3]}),
    "uniform-bounds.algorithm": ("laws beside them, at which the areas are above the bounds, too", {
        "two_point.share_of_u": ["1/11"], "geometric.q": ["49/101"], "geometric.u": [24, 22],
        "linear_geometric.q": ["29/101"], "linear_geometric.u": [19, 17]}),
    "uniform-bounds.form": ("settings, weights and laws beside them, at which the bounds are false, too", {
        "two_point.s": [2], "two_point.u": [7], "two_point.x_l": [4], "geometric.s": [2], "geometric.q":
        ["3/4"], "linear_geometric.s": [2], "linear_geometric.q": ["7/11"]}),
}  # fmt: skip
"""By claim and level: why a change leaves a true witness, and the places with the values that do.

``weights.*``: how many changes of each entry do; how many entries there are a search in floats says.
"""

BOOK = statements.book()
LONG = ("blind-finite", "thm-lg", "at-zero")


def _asked() -> list[Any]:
    """The claims and levels whose witness has fields in a certificate, those that take long under ``-m exhaustive``."""
    parts = {key: BOOK.theories[own.ledger].witnesses[own.witness] for key, own in BOOK.claims.items() if own.witness}
    keys = [key for key, part in parts.items() if part.reads or part.asked]
    long = [any(name in ".".join(key) for name in LONG) for key in keys]
    marks = [(pytest.mark.exhaustive,) if each else () for each in long]
    return [pytest.param(key, id=".".join(key), marks=mark) for key, mark in zip(keys, marks, strict=True)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("key", _asked())
def test_every_single_change_of_a_witness_is_refused(key: Key, documents: dict[Key, dict[str, Any]]) -> None:
    witness, tried = documents[key]["witness"], 0
    accepted: dict[str, list[Any]] = {}
    for path, value in leaves(witness):
        for new in changes(value):
            tried += 1
            if refused_witness(key, put(witness, path, new)) is None:
                accepted.setdefault(".".join(map(str, path)), []).append(new)
    listed = TRUE_CHANGES.get(".".join(key), ("", {}))[1]
    names = {name.removesuffix(".*") for name in listed if name.endswith(".*")}
    assert {f"{name}.*": each(accepted, name, len(witness[name])) for name in names} | {
        path: values for path, values in accepted.items() if path.rpartition(".")[0] not in names
    } == listed
    assert tried > 5


def each(accepted: dict[str, list[Any]], name: str, entries: int) -> list[int]:
    """How many changes of an entry of a list are accepted: one number where it is the same for all."""
    return sorted({len(accepted.get(f"{name}.{n}", [])) for n in range(entries)})


def test_every_listed_change_says_why() -> None:
    assert all(reason for reason, _ in TRUE_CHANGES.values())
    assert set(TRUE_CHANGES) <= {".".join(key) for key in BOOK.claims}
