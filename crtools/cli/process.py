"""``crtools simulate`` and ``crtools replay``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from crtools.cli.common import DIST, add_command, add_json, add_words, answer, bar, clock, integers, to_int
from crtools.errors import MISSING, InputError
from crtools.installed_ledgers import default_form
from crtools.tables import table

if TYPE_CHECKING:
    from crtools.process import Policy, Run
    from crtools.process.comparing import Comparison, Mean


def add_process(commands: Any) -> None:
    """Add both commands."""
    examples = (
        f'"uniform(l=1, u=10)" --n 80 --memory 60 --policy {default_form()} h-sf',
        '"two-point(1, 4, 3/4)" --n 50 --memory 40 --replicates 3',
    )
    what = "run the discrete process on lengths drawn from a distribution"
    simulate = add_command(commands, "simulate", what, examples)
    add_words(simulate, "[POLICY…] LAW", f"policies (crtools list policies), then {DIST}")
    simulate.add_argument("-n", "--n", required=True, metavar="N", help="number of requests")
    simulate.add_argument("-m", "--memory", required=True, metavar="M", help="capacity in tokens")
    simulate.add_argument("--s", default="0", metavar="S", help="prompt size in tokens (default 0)")
    simulate.add_argument("--l", default=None, metavar="L", help="lower end (default: smallest length of the law)")
    simulate.add_argument("--u", default=None, metavar="U", help="upper end (default: largest of the law or drawn)")
    simulate.add_argument("--seed", default="0", metavar="SEED", help="first seed (default 0)")
    simulate.add_argument("--replicates", default="1", metavar="R", help="number of seeds (default 1)")
    simulate.add_argument("--jobs", metavar="J", help="processes (default: as many as are worth it)")
    simulate.add_argument("--dask", metavar="ADDRESS", help="run the seeds on this Dask cluster, tcp://HOST:PORT")
    _add_policies(simulate)
    add_json(simulate, _simulate)

    examples = ("instance.json", "instance.json --policy h-sf --json")
    replay = add_command(commands, "replay", "run the discrete process on an explicit instance", examples)
    what = 'JSON such as {"memory": 5, "lengths": [3, 1]}; may have s, l, u, order, ties too'
    add_words(replay, "[POLICY…] FILE", what)
    replay.add_argument("--seed", default="0", metavar="SEED", help="seed of what the instance leaves open (default 0)")
    _add_policies(replay)
    add_json(replay, _replay)


def _add_policies(parser: argparse.ArgumentParser) -> None:
    what = "policies (default: all that fit; crtools list policies)"
    parser.add_argument("--policy", nargs="+", action="extend", metavar="P", help=what)


def _simulate(options: argparse.Namespace) -> int:
    from crtools.distributions import distribution
    from crtools.grammar import split
    from crtools.process.comparing import LARGEST_SEED, LARGEST_SWEEP, compare_one
    from crtools.process.policies import POLICY, known_names, known_policy, usual_policies
    from crtools.process.requests import has_prompts
    from crtools.setting import integer

    with clock("reading the law"):
        own, named = split([*options.words, *(options.policy or ())], POLICY, known_names())
        law = None if has_prompts(named) else distribution(named)
    if re.search(r"[:,]", options.memory):
        raise InputError("--memory", options.memory, "must be one integer; crtools compare takes several")
    n, memory, s, low, high = integers(options, "n", "memory", "s", "l", "u")
    first, number, jobs = integers(options, "seed", "replicates", "jobs")
    integer("replicates", number, 1, LARGEST_SWEEP)
    integer("seed", first, 0, LARGEST_SEED - number + 1)
    left: dict[str, str] = {}
    found: list[Comparison] = []
    for policy in [known_policy(policy) for policy in own] or usual_policies():
        try:
            found.append(compare_one(
                policy, law or named, n=n, memory=memory, s=s, l=low, u=high, seeds=range(first, first + number),
                jobs=jobs, dask=options.dask, progress=bar(name_of(policy)),
            ))  # fmt: skip
        except InputError as error:
            if own or not found:  # what stops the first, H-SF, stops all
                raise
            left[name_of(policy)] = str(error)
    upper = {run.seed: run.upper for c in found for run in c.runs}
    ends = sorted(set(upper.values()))
    document = {
        "distribution": law.spec() if law else named,
        "n": n,
        "memory": memory,
        "s": s if law else None,
        "l": found[0].runs[0].lower,
        "u": {str(seed): u for seed, u in upper.items()} if len(ends) > 1 else ends[0],
        "runs": [_run_json(run) for c in found for run in c.runs],
        "ratios": {
            c.policy: {name: mean and mean.mean for name, mean in zip(RATIOS, _means(c), strict=True)} for c in found
        },
        "statistics": {c.policy: c.as_json() for c in found},
        "left_out": _left_out(left),
        "notes": _notes(found[0].runs[0]),
    }
    u = f"{ends[0]}" if len(ends) == 1 else f"{ends[0]} to {ends[-1]} (the largest drawn)"
    seeds = f"seed {first}" if number == 1 else f"{number} seeds from {first}"
    size = f"s = {s}" if law else "prompts of the file"
    head = f"{law or named}: n = {n}, M = {memory}, {size}, l = {document['l']}, u = {u}, {seeds}"
    return answer(options, document, [*_lines(head, found), *_remarks(document)])


def _left_out(left: dict[str, str]) -> list[dict[str, str]]:
    return [{"policy": policy, "why": why} for policy, why in left.items()]


def _notes(run: Run) -> list[str]:
    """Return the notes on the clock and, for unequal prompts, on H-SF."""
    from crtools.process.comparisons import FREE, UNEQUAL

    return [FREE, *([UNEQUAL] if run.prompts.min() < run.prompts.max() else [])]


def _remarks(document: dict[str, Any]) -> Iterator[str]:
    yield from document["notes"]
    yield from (f"left out: {row['policy']} ({row['why']})" for row in document["left_out"])


def name_of(policy: str | Policy) -> str:
    """Return what a policy is called."""
    return policy if isinstance(policy, str) else policy.name


def _instance(words: list[str]) -> tuple[list[str], str]:
    """Return the words that name policies, and the one that is the file of an instance."""
    from crtools.process.policies import known_names
    from crtools.user_file import is_file

    files = [word for word in words if not (is_file(word) or word in known_names())] or words[-1:]
    if not files or is_file(files[0]) or files[0] in known_names():
        raise InputError("FILE", MISSING, "give a JSON file with memory and lengths, for example instance.json")
    own = [word for word in words if word is not files[-1]]
    return own, files[-1]


RATIOS = ("to_h_sf", "to_volume", "to_form")


def _means(found: Comparison) -> list[Mean | None]:
    return [getattr(found, name) for name in RATIOS]


def _lines(head: str, found: list[Comparison]) -> Iterator[str]:
    yield head
    rows: list[tuple[str, ...]] = []
    number = len(found[0].runs)
    for c in found:
        mean = sum(r.mean_latency for r in c.runs) / number
        cancelled = sum(r.cancellations for r in c.runs) / number
        peak = max(r.peak_memory for r in c.runs)
        means, intervals = zip(*(mean.texts() if mean else ("–", "") for mean in _means(c)), strict=True)
        rows.append((c.policy, f"{mean:.5g}", f"{cancelled:.5g}", str(peak), *means))
        if any(intervals):
            rows.append(("", "", "", "", *intervals))
    yield table(rows, ("policy", "TEL/n", "cancels", "peak", "/H-SF", "/volume", "/form"), right=(1, 2, 3))
    over_seeds = ", with 95 % intervals over the seeds where they differ" if number > 1 else ""
    meaning = "TEL over H-SF's, over the volume bound, which is below every schedule's, and over the form given for the policy"
    yield meaning + over_seeds


def _replay(options: argparse.Namespace) -> int:
    from crtools.process import replay
    from crtools.process.policies import known_policy

    seed = to_int("seed", options.seed)
    with clock("replay"):
        own, file = _instance(options.words)
        policies = [known_policy(p) for p in [*own, *(options.policy or ())]] or None
        runs = replay(file, policies, seed=seed)
        best = runs["h-sf"] if "h-sf" in runs else replay(file, "h-sf")["h-sf"]
    ratios = {
        name: {"to_h_sf": run.total_latency / best.total_latency, "to_volume": run.to_volume, "to_form": None}
        for name, run in runs.items()
    }
    rows: list[list[str]] = []
    for name, run in runs.items():
        counts = run.total_latency, f"{run.mean_latency:.5g}", run.makespan, run.cancellations, run.peak_memory
        rows.append([name, *map(str, counts), f"{ratios[name]['to_h_sf']:.5g}", f"{run.to_volume:.5g}"])
    heads = ("policy", "TEL", "TEL/n", "makespan", "cancels", "peak", "/H-SF", "/volume")
    document = {"runs": [_run_json(run) for run in runs.values()], "ratios": ratios}
    document |= {"left_out": _left_out(runs.left_out), "notes": _notes(best)}
    notes = [f"{name}: {run.note}" for name, run in runs.items() if run.note]
    return answer(options, document, [table(rows, heads, right=range(1, 6)), *_remarks(document), *notes])


SHOWN = (
    "policy", "total_latency", "mean_latency", "cancellations", "wasted_tokens", "peak_memory", "mean_memory", "makespan",
    "volume_bound", "seed", "engine",
)  # fmt: skip
"""What the JSON document has of a run."""


def _run_json(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in SHOWN} | {"volume_bound": float(run.volume_bound)}
