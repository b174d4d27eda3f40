"""``crtools experiment``."""

from __future__ import annotations

import argparse
from typing import Any

from crtools.cli.common import DONE, add_command, add_json, bar, print_json, to_int
from crtools.errors import InputError
from crtools.names import canonical


def add_experiment(commands: Any) -> None:
    """Add the command."""
    examples = (
        "1 --n 200 400 --seeds 2 --policy h-sf a-max",
        "2 --lengths azure-conv --n 200 --seeds 2 --policy h-sf",
    )
    command = add_command(commands, "experiment", "the paper's experiments 1, 2 and 3 (Section 6)", examples)
    command.add_argument("number", metavar="1|2|3", help="intervals [1, 1000]; ten buckets; [(1−x)o, (1+x)o]")
    command.add_argument(
        "--lengths",
        default="paper",
        metavar="LENGTHS",
        help="paper, paper-smooth, azure-conv, csv:FILE#OUTPUTS,PROMPTS, or a law (default paper; crtools list laws)",
    )
    command.add_argument("--s", default="0", metavar="S", help="prompt size where LENGTHS is a DIST (default 0)")
    command.add_argument("--step", default="both", metavar="STEP", help="affine, unit or both (default both)")
    command.add_argument("--n", nargs="+", default=None, metavar="N", help="numbers of requests (default 200 … 2000)")
    command.add_argument("--seeds", default=None, metavar="K", help="number of seeds (default 10)")
    command.add_argument("--seed", default="0", metavar="SEED", help="first seed (default 0)")
    command.add_argument("--memory", default=None, metavar="M", help="capacity in tokens (default 16492)")
    command.add_argument(
        "--policy",
        nargs="+",
        default=None,
        metavar="P",
        help="h-sf, a-random, a-max, a-min-literal, a-min-cohort (default: these), a-max-random-order",
    )
    command.add_argument("--jobs", default="1", metavar="J", help="processes (default 1)")
    add_json(command, _experiment)


def _experiment(options: argparse.Namespace) -> int:
    if options.number not in ("1", "2", "3"):
        raise InputError("experiment", options.number, "must be 1, 2 or 3")
    from crtools.papers.adaptive.workloads import STEP_TIMES, experiments, lengths
    from crtools.process.comparing import LARGEST_SWEEP
    from crtools.setting import integer

    step = canonical("step", options.step, (*STEP_TIMES, "both"))
    first = to_int("seed", options.seed)
    if first < 0:
        raise InputError("seed", first, "must be an integer ≥ 0")
    number = experiments.SEEDS if options.seeds is None else to_int("seeds", options.seeds)
    integer("seeds", number, 1, LARGEST_SWEEP)
    found = experiments.experiment(
        int(options.number),
        lengths(options.lengths, to_int("s", options.s)),
        sizes=experiments.SIZES if options.n is None else [to_int("n", n) for n in options.n],
        seeds=range(first, first + number),
        steps=STEP_TIMES if step == "both" else (step,),
        policies=options.policy or experiments.POLICIES,
        memory=experiments.MEMORY if options.memory is None else to_int("memory", options.memory),
        jobs=to_int("jobs", options.jobs),
        progress=bar(f"experiment {options.number}", lambda task: f"n = {task[1]}, seed {task[0]}"),
    )
    if options.json:
        print_json(found.as_json())
    else:
        _print(found)
    return DONE


def _print(found: Any) -> None:
    print(f"experiment {found.number}, lengths {found.law.name} ({found.law.source})")
    print(f"M = {found.memory}, {len(found.seeds)} seeds from {found.seeds[0]}: means [95 % intervals]")
    for label, counts in found.left_out().items():
        numbers = ", ".join(f"{k} at n = {n}" for n, k in counts.items())
        print(f"left out over all seeds, because the output exceeds the upper end of {label}: {numbers}")
    rows = found.summaries()
    for label in found.predictions:
        for step in found.steps:
            unit = "steps" if step == "unit" else "seconds"
            print(f"\n{label}, {step} step time: average latency in {unit} (second line: over H-SF's)")
            print(f"{'n':>6s}" + "".join(f"  {policy:<26s}" for policy in found.policies))
            for n in found.sizes:
                own = [r for r in rows if (r.prediction, r.step, r.n) == (label, step, n)]
                print(f"{n:6d}" + "".join(f"  {r.latency!s:<26s}" for r in own))
                if own[0].to_h_sf is not None:
                    print(" " * 6 + "".join(f"  {r.to_h_sf if r.policy != 'h-sf' else ''!s:<26s}" for r in own))


COMMANDS = (add_experiment,)
