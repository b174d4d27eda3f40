"""The command ``crtools experiment``: its options, its JSON document and its lines on the terminal."""

import argparse
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from crtools.cli import arguments as cli
from crtools.cli.common import answer, bar, clock, integers, to_int
from crtools.errors import MISSING, InputError
from crtools.names import canonical, count_text
from crtools.tables import columns, table


@cli.command(
    "experiment", ("1 --n 200 400 --seeds 2 --policy h-sf a-max", "2 --lengths azure-conv --n 200 --seeds 2 --policy h-sf"),
    cli.argument("number", nargs="?", metavar="1|2|3", help="intervals: 1 [1, 1000]; 2 ten buckets; 3 [(1−x)o, (1+x)o]"),
    cli.option("--lengths", "LENGTHS",
               "paper, paper-smooth, azure-conv, csv:FILE#OUTPUTS,PROMPTS, or a law (default paper; crtools list laws)", "paper"),
    cli.option("--s", "S", "prompt size where LENGTHS is a LAW (default 0)", "0"),
    cli.option("--clock", "CLOCK", "steps, seconds or both (default both)"),
    cli.argument("--step", help=argparse.SUPPRESS),
    cli.argument("-n", "--n", nargs="+", metavar="N", help="numbers of requests (default 200 … 2000)"),
    cli.option("--seeds", "K", "number of seeds (default 10)"),
    cli.option("--seed", "SEED", "first seed (default 0)", "0"),
    cli.option("-m --memory", "M", "capacity in tokens (default 16492)"),
    cli.argument("--policy", nargs="+", metavar="P",
                 help="policies (default: those of the paper, and a-learn; crtools list policies), or FILE.py[:NAME]"),
    cli.option("--predictions", "WHAT",
               "intervals L-U[,L-U…], columns LOW,HIGH or a factor such as x2, instead of the experiment's own"),
    cli.SKIP_INVALID,
    cli.option("--jobs", "J", "processes (default: as many as are worth it)"),
)  # fmt: skip
def experiment(options: argparse.Namespace) -> int:
    """The paper's experiments 1, 2 and 3 (Section 6)."""
    if options.number is None:
        give = "give 1 (one interval for all), 2 (ten buckets) or 3 (own intervals), for example crtools experiment 1"
        raise InputError("experiment", MISSING, give)
    if options.number not in ("1", "2", "3"):
        raise InputError("experiment", options.number, "must be 1, 2 or 3")
    from crtools.papers.adaptive.workloads import STEP_TIMES, experiments, lengths
    from crtools.process.sweep import LARGEST_SWEEP
    from crtools.setting import integer

    if options.step is None:
        names = {of.name: name for name, of in STEP_TIMES.items()} | {"both": "both"}
        step = names[canonical("clock", options.clock or "both", names)]
    elif options.clock is None:
        step = canonical("step", options.step, (*STEP_TIMES, "both"))
        print("crtools: --step is deprecated; use --clock steps, seconds or both", file=sys.stderr)
    else:
        raise InputError("step", options.step, "is deprecated and goes without --clock")
    first, number, s, memory, jobs = integers(options, "seed", "seeds", "s", "memory", "jobs")
    integer("seed", first, 0)
    number = experiments.SEEDS if number is None else integer("seeds", number, 1, LARGEST_SWEEP)
    with clock("reading the lengths"):
        law = lengths(options.lengths, s, options.predictions, options.skip_invalid)
    result = experiments.experiment(
        int(options.number),
        law,
        sizes=experiments.SIZES if options.n is None else [to_int("n", n) for n in options.n],
        seeds=range(first, first + number),
        steps=STEP_TIMES if step == "both" else (step,),
        policies=options.policy or experiments.POLICIES,
        memory=experiments.MEMORY if memory is None else memory,
        predictions=options.predictions,
        jobs=jobs,
        progress=bar(f"experiment {options.number}", lambda task: f"n = {task[1]}, seed {task[0]}"),
    )
    return answer(options, result.as_json(), _lines(result))


def _lines(result: Any) -> Iterator[str]:
    from crtools.papers.adaptive.workloads import STEP_TIMES

    yield textwrap.fill(f"experiment {result.number}, lengths {result.law.name} ({result.law.source})", columns())
    yield f"M = {result.memory}, {count_text(len(result.seeds), 'seed')} from {result.seeds[0]}"
    outside = "is outside" if result.predictions_text else "exceeds the upper end of"
    for label, counts in result.left_out().items():
        numbers = ", ".join(f"{k} at n = {n}" for n, k in counts.items())
        yield textwrap.fill(f"left out over all seeds, because the output {outside} {label}: {numbers}", columns())
    summaries = result.summaries()
    for label in result.predictions:
        for step in result.steps:
            yield f"\n{label}: average latency in {STEP_TIMES[step].name}, and over H-SF's"
            rows_of_panel = [row for row in summaries if (row.prediction, row.step) == (label, step)]
            firsts = {row.n: row for row in reversed(rows_of_panel)}.values()
            rows: list[tuple[str, ...]] = []
            for r in rows_of_panel:
                over = r.to_h_sf.texts() if r.to_h_sf else ("", "")
                rows.append((str(r.n) if r in firsts else "", r.policy, *r.mean_latency.texts(), *over))
            yield table(rows, ("n", "policy", "mean", "95 % interval", "/H-SF", "95 % interval"), right=(0,))


COMMANDS = (experiment,)
