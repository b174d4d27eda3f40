"""Commands that run the process: ``crtools compare``, and ``crtools simulate``, an older one at one memory that prints each run.

On requests that are given one by one ``replay`` runs policies, ``show`` draws memory over time, and ``guarantees`` puts proved
factors beside the numbers of a run (:mod:`crtools.process.guarantees`).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crtools.cli import arguments as cli
from crtools.cli.common import answer, bar, clock, integers, refuse, say_skipped, to_int
from crtools.errors import MISSING, InputError
from crtools.installed_ledgers import default_form
from crtools.ledger.registry import DEFAULT
from crtools.names import count_text
from crtools.plotting.figure import picture_file
from crtools.setting import integer
from crtools.tables import columns, shortened, table
from crtools.user_file import is_file

if TYPE_CHECKING:
    from crtools.numeric_types import JsonObject
    from crtools.plotting.occupancy import Picture
    from crtools.process import Comparison, Guarantees, Run
    from crtools.process.measures import Row

SHORTEST_NAME = 12
"""Smallest width of the column of policies."""

RUN_FIELDS = (
    "policy", "total_latency", "mean_latency", "cancellations", "wasted_tokens", "peak_memory", "mean_memory", "makespan",
    "volume_bound", "seed", "engine", "clock", "preemption", "tokens_lost", "tokens_prefilled_again",
)  # fmt: skip
"""Attributes of a run in the JSON documents of ``simulate`` and ``replay``."""


OF_PROCESS = (
    cli.option("--s", "S", "prompt size of a law in tokens (default 0)", "0"),
    cli.option("--l", "L", "lower end (default: smallest length)"),
    cli.option("--u", "U", "upper end (default: largest length)"),
    cli.option("--jobs", "J", "processes (default: as many as are worth it)"),
    cli.option("--dask", "ADDRESS", "run the seeds on this Dask cluster, tcp://HOST:PORT"),
    cli.SKIP_INVALID,
    cli.option("--clock", "CLOCK",
               "steps, seconds, B,P,H (seconds of a step, per token processed and per token held), or, in compare, both"),
    cli.option("--preemption", "KIND",
               "restart (a cancelled request loses its tokens) or resume (it keeps them; compare's default where prompts differ)"),
    cli.policies(),
)  # fmt: skip
"""What ``compare`` and ``simulate`` both take."""


def _policies_and_source(options: argparse.Namespace) -> tuple[list[str] | None, str]:
    """Return the policies, None where none is named, and the distribution or file."""
    from crtools.grammar import split
    from crtools.process.policies import POLICY, known_names

    policies, source = split([*options.words, *(options.policy or ())], POLICY, list(known_names()))
    return policies or None, source


@cli.command(
    "compare",
    (f'{default_form()} h-sf "uniform(1, 20)" -m 60:240:60 -n 99 --seeds 2',
     '"two-point(1, 4, 1/2)" --memory 40,80 -n 50 --seeds 2'),
    cli.words("[POLICY…] LAW_OR_FILE",
              f"policies (default: all that fit; FILE.py[:NAME] too), then {cli.LAW_WORD}, or csv:FILE#OUTPUTS,PROMPTS,TIMES"),
    cli.argument("-m", "--memory", required=True, metavar="M", help="in tokens: M, A:B[:STEP] or M,M,…"),
    cli.option("-n --n", "N", "requests (default: all rows of a file, 1000 of a law)"),
    cli.option("--seeds", "R", "number of seeds (default 5)"),
    *OF_PROCESS,
    cli.option("--predictions", "WHAT", "known of each output: L-U[,L-U…], columns LOW,HIGH, or a factor such as x2"),
    cli.option("--history", "FILE#OUT,PROMPT", "past requests, which the policy expected-work then knows"),
    cli.option("--load", "X[,X…]", "scale release times to this load, or to several; a law's requests arrive at random"),
    cli.option("--time-unit", "UNIT", "unit of release times: s (default), ms, us or ns"),
    cli.option("--predicted", "COLUMN", "predicted output lengths, which may be wrong"),
    cli.plot(),
)  # fmt: skip
def compare(options: argparse.Namespace) -> int:
    """Policies on the same requests, at one memory or load or several."""
    from crtools.process import compare

    policies, source = _policies_and_source(options)
    if options.plot is not None:
        picture_file(options.plot)
    n, seeds, s, l, u, jobs = integers(options, "n", "seeds", "s", "l", "u", "jobs")
    comparison = compare(
        policy=policies, dist=source, memory=options.memory, n=n, s=s, seeds=seeds, l=l, u=u, predictions=options.predictions,
        skip_invalid=options.skip_invalid, keep_runs=False, jobs=jobs, dask=options.dask, progress=_progress_bar("compare"),
        clock=options.clock, preemption=options.preemption, history=options.history, load=options.load, time_unit=options.time_unit or "s",
        predicted=options.predicted,
    )  # fmt: skip
    files = () if options.plot is None else comparison.plot(options.plot)
    document = comparison.document() | ({"files": list(map(str, files))} if files else {})
    return answer(options, document, _lines(comparison, files))


def _progress_bar(command: str) -> Any:
    from crtools.process.instance import current

    return bar(command, lambda task: f"{current}M = {task[0]}, {f'load {task[1]}, ' if task[1] else ''}seed {task[2]}")


@cli.command(
    "simulate", (f'"uniform(l=1, u=10)" --n 80 --memory 60 --policy {default_form()} h-sf',
     '"two-point(1, 4, 3/4)" --n 50 --memory 40 --seeds 3'),
    cli.words("[POLICY…] LAW", f"policies (crtools list policies), then {cli.LAW_WORD}"),
    cli.argument("-n", "--n", required=True, metavar="N", help="number of requests"),
    cli.argument("-m", "--memory", required=True, metavar="M", help="capacity in tokens"),
    cli.option("--seed", "SEED", "first seed (default 0)", "0"),
    cli.option("--seeds", "R", "number of seeds (default 1)", "1"),
    cli.argument("--replicates", dest="seeds", default=argparse.SUPPRESS, help=argparse.SUPPRESS),
    *OF_PROCESS,
)  # fmt: skip
def simulate(options: argparse.Namespace) -> int:
    """Run the process on lengths drawn from a law (deprecated: use compare)."""
    from crtools.distributions import distribution
    from crtools.process import compare
    from crtools.process.run import LARGEST_SEED
    from crtools.process.sweep import LARGEST_SWEEP
    from crtools.process.workload import names_rows

    with clock("reading the law"):
        policies, source = _policies_and_source(options)
        law = None if names_rows(source) else distribution(source, options.skip_invalid)
    if re.search(r"[:,]", options.memory):
        raise InputError("--memory", options.memory, "must be one integer; crtools compare takes several")
    n, memory, s, l, u = integers(options, "n", "memory", "s", "l", "u")
    first, number, jobs = integers(options, "seed", "seeds", "jobs")
    integer("seeds", number, 1, LARGEST_SWEEP)
    integer("seed", first, 0, LARGEST_SEED - number + 1)
    if options.clock == "both":
        raise InputError("--clock", "both", "must be one clock; crtools compare takes both")
    comparison = compare(
        policy=policies, dist=law or source, memory=memory, n=n, s=s, seeds=range(first, first + number), l=l, u=u,
        skip_invalid=options.skip_invalid, keep_runs=True, jobs=jobs, dask=options.dask, progress=_progress_bar("simulate"),
        clock=options.clock or "steps", preemption=options.preemption or "restart",
    )  # fmt: skip
    rows = {row.runs[0].policy: row for row in comparison.rows}
    runs = [run for row in comparison.rows for run in row.runs]
    left_out = {policy: why for (policy, _), why in comparison.left_out.items()}
    largest = {str(run.seed): run.upper for run in runs}
    document = {
        "distribution": law.spec() if law else source,
        "n": n,
        "memory": memory,
        "s": s if law else None,
        "l": runs[0].lower,
        "u": largest if len(set(largest.values())) > 1 else runs[0].upper,
        "runs": list(map(run_json, runs)),
        "ratios": {name: {ratio: row.as_json()[ratio] for ratio in row.statistics()} for name, row in rows.items()},
        "statistics": {name: row.statistics() for name, row in rows.items()},
        "left_out": [{"policy": policy, "why": why} for policy, why in left_out.items()],
        "notes": run_notes(runs[0]),
    }
    return answer(options, document, _lines(comparison))


def run_json(run: Run) -> JsonObject:
    """Return a run as JSON data; it has no volume bound in seconds."""
    bound = run.volume_bound
    return {name: getattr(run, name) for name in RUN_FIELDS} | {"volume_bound": None if bound is None else float(bound)}


def run_notes(run: Run) -> list[str]:
    """Return notes on the clock and preemption and, for unequal prompts, on H-SF."""
    from crtools.process.compare import PREEMPTION_NOTES, PROMPTS_NOTE, clock_note

    basic = run.clock == "steps" and run.preemption == "restart"
    preemption = [] if basic else [PREEMPTION_NOTES[run.preemption]]
    prompts = [PROMPTS_NOTE] if run.prompts.min() < run.prompts.max() else []
    return [clock_note(run.coefficients, run.preemption), *preemption, *prompts]


def _lines(comparison: Comparison, files: Sequence[Path] = ()) -> Iterator[str]:
    """Yield notes, two tables for each part, the policies left out, and the sentences on the best."""
    seeds = count_text(len(comparison.seeds), "seed")
    released = "released over time" if comparison.workload.has_arrivals else "there at time 0"
    memory = f"M = {comparison.memories[0]}, " if comparison.loads and len(comparison.memories) == 1 else ""
    yield f"{comparison.name}: {memory}n = {comparison.n}, {seeds}, all requests {released}"
    yield from comparison.notes
    for skipped, of in ((comparison.workload.skipped, ""), (comparison.history_skipped, " of the history")):
        if skipped:
            yield f"left out: {count_text(skipped, 'row')}{of} that cannot be used"
    for (unit, part), rows in comparison.parts.items():
        if heading := " at ".join([*([f"In {unit}"] if len(comparison.clocks) > 1 else ()), *([part] if part else ())]):
            yield f"\n{heading}:"
        yield from _tables(rows, unit, comparison.is_basic, comparison.axis)
    if len(comparison.parts) > 1:
        yield ""
    reasons = dict.fromkeys((policy, why) for (policy, _), why in comparison.left_out.items())
    yield from (f"left out: {policy} ({why})" for policy, why in reasons)
    yield from comparison.sentences.values()
    if files:
        yield f"drawn: {files[0]} (data: {files[1]})"


def _tables(rows: Sequence[Row], unit: str, basic: bool, axis: str) -> Iterator[str]:
    """Yield a table of ratios and one of times, and what stands in them."""
    from crtools.process.measures import PERCENTILES, RATIOS

    bounds = list(dict.fromkeys((row.at(axis), row.bound) for row in rows))
    names = list(dict.fromkeys(bound for _, bound in bounds))
    over = dict(zip(("/H-SF", "/volume", "/form"), RATIOS, strict=True))
    counts = {"cancels": "cancellations"}
    if not basic:
        over = {f"/{names[0] if len(names) == 1 else 'bound'}": "to_bound", f"/{rows[0].hindsight}": "to_benchmark"}
        counts = {"cancels": "cancellations", "again": "tokens_prefilled_again"}
    means = [[row.mean(name) for name in over.values()] for row in rows]
    varied = any(mean and mean.interval for of_row in means for mean in of_row)
    over_seeds = ", ± half the 95 % interval over the seeds" if varied else ""
    texts = [[mean.short if mean else "–" for mean in of_row] for of_row in means]
    if basic:
        yield _table(rows, axis, [*over], texts, ())
        yield f"TEL over H-SF's, over the volume bound, which no schedule is below, and over the policy's form{over_seeds}"
    else:
        texts = [[*ratios, *_means(row, counts.values(), basic)] for row, ratios in zip(rows, texts, strict=True)]
        yield _table(rows, axis, [*over, *counts], texts, (4, 5))
        which = ", ".join(names[:1] if len(names) == 1 else [f"{bound} at {axis} = {where}" for where, bound in bounds])
        yield (
            f"mean flow time over the largest lower bound ({which}), which no schedule is below, and over that of "
            f"{rows[0].hindsight}{over_seeds}; cancellations; tokens prefilled again"
        )
    times = {"TEL/n": "mean_latency"} if basic else {"mean": "mean_latency"}
    times |= {name: name for name in PERCENTILES} | {"makespan": "makespan"}
    times |= counts if basic else {"first": "first_token_mean"}
    yield _table(rows, axis, [*times], [_means(row, times.values(), basic) for row in rows], range(2, 2 + len(times)))
    if basic:
        yield "completion times in steps: mean, percentiles and last; cancellations; means over the seeds"
    else:
        yield f"flow times in {unit}: mean, percentiles; last completion; mean time to first token; means over the seeds"


def _means(row: Row, names: Iterable[str], basic: bool) -> list[str]:
    means = [mean.mean if (mean := row.mean(name)) else 0 for name in names]
    return [f"{mean:.6g}" if basic else f"{mean:.5g}" if mean < 1e5 else f"{mean:.0f}" for mean in means]


def _table(of: Sequence[Row], axis: str, heads: Sequence[str], texts: list[list[str]], right: Sequence[int]) -> str:
    """Return a table with memory or load and policy before the texts; long names are shortened so that the numbers fit."""
    heads, at = (axis, "policy", *heads), [row.at(axis) for row in of]
    new = ["" if one == before else str(one) for before, one in pairwise([None, *at])]
    rows = [(place, row.policy, *numbers) for place, row, numbers in zip(new, of, texts, strict=True)]
    widths = [max(map(len, column)) + 2 for column in zip(heads, *rows, strict=True)]
    room = max(columns() - sum(widths) + widths[1], SHORTEST_NAME)
    rows = [(place, shortened(name, room), *numbers) for place, name, *numbers in rows]
    return table(rows, heads, right=(0, *right))


# ---- requests that are given one by one ------------------------------------------------------------------------------


def _policies_and_file(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the words that name policies, and the one that names the file of the instance."""
    from crtools.process.policies import known_names

    others = [word for word in words if not (is_file(word) or word in known_names())]
    if not others:
        raise InputError("FILE", MISSING, "give a JSON file with memory and lengths, for example instance.json")
    return [word for word in words if word is not others[-1]], others[-1]


@cli.command(
    "replay", ("instance.json", "instance.json --policy h-sf --json"),
    cli.words("[POLICY…] FILE", 'JSON such as {"memory": 5, "lengths": [3, 1]}; '
                            "may have s, l, u, order, ties, release, predicted, clock, preemption"),
    cli.SEED,
    cli.policies(),
)  # fmt: skip
def replay(options: argparse.Namespace) -> int:
    """Run the discrete process on an explicit instance."""
    from crtools.process import replay

    seed = to_int("seed", options.seed)
    with clock("replay"):
        named, file = _policies_and_file(options.words)
        runs = replay(file, [*named, *(options.policy or ())] or None, seed=seed)
        benchmark = runs["h-sf"] if "h-sf" in runs else replay(file, "h-sf")["h-sf"]
    in_steps = benchmark.clock == "steps"
    ratios = {
        name: {
            "to_h_sf": run.total_latency / benchmark.total_latency,
            "to_volume": run.to_volume if in_steps else None,
            "to_form": None,
            "to_bound": float(run.total_latency / benchmark.bound.value),
        }
        for name, run in runs.items()
    }
    over, bound = ("to_volume", "/volume") if in_steps else ("to_bound", f"/{benchmark.bound.name}")
    rows: list[list[str]] = []
    for name, run in runs.items():
        times = run.total_latency, run.makespan
        total, makespan = (f"{time:.6g}" if run.clock == "seconds" else time for time in times)
        counts = total, f"{run.mean_latency:.5g}", makespan, run.cancellations, run.peak_memory
        rows.append([name, *map(str, counts), *(f"{ratios[name][ratio]:.5g}" for ratio in ("to_h_sf", over))])
    heads = ("policy", "TEL", "TEL/n", "makespan", "cancels", "peak", "/H-SF", bound)
    notes = run_notes(benchmark)
    document = {
        "runs": list(map(run_json, runs.values())),
        "ratios": ratios,
        "bound": {"name": benchmark.bound.name, "value": float(benchmark.bound.value)},
        "left_out": [{"policy": policy, "why": why} for policy, why in runs.left_out.items()],
        "notes": notes,
    }
    left_out = [f"left out: {policy} ({why})" for policy, why in runs.left_out.items()]
    engine_notes = [f"{name}: {run.note}" for name, run in runs.items() if run.note]
    return answer(options, document, [table(rows, heads, right=range(1, 6)), *notes, *left_out, *engine_notes])


@cli.command(
    "show", ("instance.json --policy h-sf", "instance.json --policy h-sf --out memory.pdf"),
    cli.argument("what", metavar="ID|FILE", help="a claim (crtools list claims), or an instance as of replay"),
    cli.policies("policies to run on the instance"),
    cli.SEED,
    cli.option("--ledger", "NAME", "ledger of the claim: a name, or your file.py", DEFAULT),
    cli.option("--out", "FILE", "write it: FILE.svg, .pdf, .png or .txt"),
)  # fmt: skip
def show(options: argparse.Namespace) -> int:
    """Draw memory over time: a claim's schedules or a run."""
    from crtools.plotting.occupancy import save
    from crtools.process import replay

    file = Path(options.what)
    if file.suffix == ".json" or file.is_file():
        with clock("running"):
            runs = replay(options.what, options.policy, seed=to_int("seed", options.seed))
        pictures = [run.plot() for run in runs.values()]
    else:
        pictures = _schedules(options)
    if options.out is not None:
        document = {"path": str(save(pictures, options.out))}
        return answer(options, document, [document["path"]])
    texts = [text for picture in pictures for text in (picture.text(columns()), "")]
    return answer(options, {"pictures": [picture.as_json() for picture in pictures]}, texts[:-1])


def _schedules(options: argparse.Namespace) -> list[Picture]:
    """Return the schedules in a claim's evidence that are small enough to be drawn."""
    from crtools.ledger import verify
    from crtools.ledger.display.claim_text import pictures_of

    refuse(options, "is for an instance, FILE.json", "policy")
    with clock("deciding"):
        [result] = verify([options.what], ledger=options.ledger)
    pictures = [picture for picture in pictures_of(result) if picture.drawable]
    if not pictures:
        raise InputError("ID", result.id, "has no schedule in its evidence")
    return pictures


@cli.command(
    "guarantees", ("1,1,3,3 --s 1 --memory 9", "5,1,3 --s 0,2,9 --memory 20 --json"),
    cli.argument("requests", metavar="LENGTHS_OR_FILE", help="lengths such as 5,1,3, or csv:FILE#OUTPUTS,PROMPTS"),
    cli.argument("-m", "--memory", required=True, metavar="M", help="capacity in tokens"),
    cli.option("--s", "S", "prompt size in tokens, or one for each length: 0,2,9 (default 0)", "0"),
    cli.SKIP_INVALID,
)  # fmt: skip
def guarantees(options: argparse.Namespace) -> int:
    """Proved factors to the optimum on given requests, beside a run."""
    from crtools.process import guarantees, workload

    lengths, s, memory = options.requests, options.s, to_int("memory", options.memory)
    if re.fullmatch(r"[-\d,\s]+", lengths, re.ASCII):
        lengths = [to_int("lengths", part) for part in lengths.split(",")]
    prompts = [to_int("s", part) for part in s.split(",")]
    with clock("running the policies"):
        s = prompts if len(prompts) > 1 else prompts[0]
        made = workload(lengths, s=s, skip_invalid=options.skip_invalid, memory=memory)
        found = guarantees(made, memory)
    say_skipped(made.skipped, options.requests)
    return answer(options, found.as_json(), _guarantee_lines(found))


def _guarantee_lines(found: Guarantees) -> Iterator[str]:
    from crtools.enclosure import decimal
    from crtools.process.guarantees import SETTING

    yield f"{found.source}: n = {found.n}, M = {found.memory}, P = {found.P} (largest s + o), κ = M/(M − P + 1) = {found.kappa}"
    yield SETTING
    bounds = (f"{name} {decimal(value, 8, up=False)}" for name, value in found.bounds.items())
    yield f"lower bounds on the optimum: {', '.join(bounds)}"
    texts = [[row.policy, row.theorem, *row.decimals(7).values()] for row in found.rows]
    yield table(texts, ("policy", "theorem", "proved", "here", "a run"), right=(2, 3, 4))
    yield "total completion time (TEL) over the optimum (OPT), at most; rounded up"
    yield "proved: for all requests with this κ and largest length u"
    yield f"here: the theorem's bound on TEL for these requests, over the lower bound {found.bound}"
    yield f"a run: the TEL of a run over the lower bound {found.bound}"
    for row in found.rows:
        yield f"{row.theorem} (crtools verify --ledger {row.ledger} {row.theorem}): {row.says}"
