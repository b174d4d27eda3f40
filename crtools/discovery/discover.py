"""``discover``: from a policy to the form of its latency, proved by its phases where it has some, else guessed from runs."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from crtools.discovery import third_differences
from crtools.discovery.entries import Entries, Point, at_shares, known_form
from crtools.discovery.guess import FITTED, HELD_BACK, Formula, agree, guess, largest_distance
from crtools.discovery.measurements import ExactRuns, MeanFieldRuns, Measurement, NoMeanField, PacedAttempts
from crtools.discovery.phase_theorem import ByPhases, by_phases
from crtools.discovery.result import Discovery, form_by_phases, form_name, form_of, in_ledgers
from crtools.discovery.rules import NoPhases, entries_at
from crtools.discovery.third_differences import AGREES, AGREES_PACED, Progress, Sizes
from crtools.names import named_arguments
from crtools.process import Policy
from crtools.process.policies import read_policy
from crtools.setting import Setting

MIXTURES = (((1, 2, 4), 0), ((2, 3, 3, 5), 1))
"""Patterns of more than two lengths or other shares, with s, that confirm a formula for every length."""


@named_arguments()
def discover(
    policy: str | Policy | Path,
    *,
    sizes: Sizes | None = None,
    progress: Progress = iter,
    say: Callable[[str], None] = lambda line: None,
) -> Discovery:
    """Find the form of a policy's latency.

    Parameters
    ----------
    policy
        A name, a ``Policy``, or a Python file that holds one (``FILE.py`` or ``FILE.py:NAME``), which is run.
    sizes
        M, n/M and the number of seeds of the two sets of runs behind third differences, by default ``SIZES``.
    progress
        Wraps the steps, as ``tqdm`` does.
    say
        Called with one line of text before each part of the work.

    Returns
    -------
    Discovery
        The form, what proves or confirms it, and the methods that failed.

    Raises
    ------
    InputError
        For a policy that cannot be found or run.

    Examples
    --------
    >>> discover("h-sf").entry
    'i*(i + s)'
    """
    rules = read_policy(policy)
    chosen = third_differences.sizes_for(rules, sizes)
    say(f"{rules.name}: is its latency quadratic? third differences at five pairs of lengths, in random orders")
    looks = third_differences.looked_at(rules, chosen, progress)
    say("the same where they are clearest, with more runs, at M and 4M")
    differences = third_differences.clearest(rules, looks, chosen, progress)
    result = Discovery(rules.name, None, "inconclusive", looks, differences, in_ledgers=in_ledgers(rules))
    try:
        say("do its rules make phases, for every length and s?")
        proof = by_phases(rules)
    except NoPhases as reason:
        proof, result = None, result.without(f"rule of phases: {reason}")
    if proof is not None or not third_differences.not_quadratic(*differences):
        say("its entries at pairs of lengths, by exact runs or by masses")
        result = _measured(rules, result, progress)
        if result.entries:
            say("a formula for them, and what confirms it")
            return _with_formulas(rules, result, proof)
        if not third_differences.has_large_runs(rules):
            return result.without("larger runs: left out, as they take long")
        more = third_differences.clearest(rules, looks, [third_differences.larger(chosen)], progress)
        result = replace(result, differences=(*differences, *more))
    if third_differences.not_quadratic(*result.differences[-2:]):
        areas = third_differences.over_areas(rules, chosen, progress)
        return replace(result, quadratic=False, status="supported", areas=areas, tried=())
    return result.without("third differences: those found shrink as M grows, or are too small to tell")


def _measured(policy: Policy, result: Discovery, progress: Progress) -> Discovery:
    """Return the entries by the first measurement that gives all of them, or why none does."""
    for measurement in _measurements(policy):
        entries: dict[Point, Entries] = {}
        try:
            for i, j, s in progress((*HELD_BACK, *FITTED)):
                measured = measurement.entries(i, j, s)
                if measured is None:
                    result = result.without(f"{measurement.name}: totals at lengths {i}, {j} and s = {s} fit no form")
                    break
                entries[i, j, s] = measured
            else:
                residues = measurement.residues(*HELD_BACK[0]) if isinstance(measurement, ExactRuns) else {}
                return replace(result, quadratic=True, method=measurement.name, entries=entries, residues=residues)
        except NoMeanField as error:
            result = result.without(f"{measurement.name}: {error}")
    return result


def _measurements(policy: Policy) -> Iterator[Measurement]:
    if policy.draws is None:  # else each run is another draw
        yield PacedAttempts(policy) if policy.paced else ExactRuns(policy)
    yield MeanFieldRuns(policy)


def _with_formulas(policy: Policy, result: Discovery, proof: ByPhases | None) -> Discovery:
    """Return the discovery with formulas for its entries, proved or guessed, or with the form by the phases of each pair."""
    values = {
        (Setting(s, i, j), *pair): value
        for (i, j, s), e in result.entries.items()
        for pair, value in (((i, i), e.low), ((i, j), e.mixed), ((j, j), e.high))
    }
    result = replace(result, known=known_form(values))
    if proof is not None:
        confirmed = agree(proof.formulas, result.entries)
        if not (confirmed and proof.theorem.holds):
            return result.without("rule of phases: its entries are not those of the runs")
        result = replace(result, status="proved", theorem=proof.theorem, confirmed=confirmed)
        return _confirmed(policy, result, proof.formulas)
    guessed = guess(result.entries)
    if guessed is not None:
        result = replace(result, status="supported", fitted=guessed.fitted, confirmed=guessed.confirmed)
        return _confirmed(policy, result, guessed.formulas)
    if all(entries_at(policy, *at) == measured for at, measured in result.entries.items()):
        form = form_by_phases(policy, form_name(policy.name))
        return replace(result, status="certified", form=form, confirmed=len(result.entries))
    return result.without(f"{result.method}: no simple rational function passes through all entries")


def _confirmed(policy: Policy, result: Discovery, formulas: tuple[Formula, ...]) -> Discovery:
    """Return the discovery with these formulas, or with the reason why mixtures or random orders do not confirm them."""
    measurement = next(measurement for measurement in _measurements(policy) if measurement.name == result.method)
    mixtures = MIXTURES if len(formulas) == 1 else ()
    distance = largest_distance(formulas, *result.differences[-2:])
    wrong: list[str] = []
    for m, s in mixtures:
        measured = measurement.value(m, s, dict.fromkeys(m, (min(m), max(m))))
        if measured != at_shares(formulas[0].function, m, s):
            wrong.append(f"lengths {m}, s = {s}")
    if distance > (AGREES_PACED if policy.paced else AGREES):
        wrong.append(f"lengths {result.differences[0].at[:2]} in random orders, by {distance:.0%}")
    if wrong:
        failed = replace(result, quadratic=None, status="inconclusive", theorem=None)
        return failed.without(f"{result.method}: {formulas[len(formulas) // 2].text} fails at {wrong[0]}")
    form = form_of(policy.name, formulas)
    confirmed = result.confirmed + len(mixtures)
    return replace(result, formulas=formulas, form=form, confirmed=confirmed, apart=distance)
