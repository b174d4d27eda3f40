"""``crtools replay``: run policies on an explicit instance."""

import argparse
from collections.abc import Sequence

from crtools.cli.common import Commands, answer, clock, to_int
from crtools.cli.compare import left_out_json, run_json, run_notes
from crtools.errors import MISSING, InputError
from crtools.tables import table


def add_replay(commands: Commands) -> None:
    """Add the command."""
    examples = ("instance.json", "instance.json --policy h-sf --json")
    command = commands.add("replay", _replay, "run the discrete process on an explicit instance", examples)
    what = 'JSON such as {"memory": 5, "lengths": [3, 1]}; may have s, l, u, order, ties, release, predicted, clock, preemption'
    command.words("[POLICY…] FILE", what)
    command.option("--seed", "SEED", "seed of what the instance leaves open (default 0)", "0")
    command.policies()


def _policies_and_file(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the words that name policies, and the one that names the file of the instance."""
    from crtools.process.policies import known_names
    from crtools.user_file import is_file

    others = [word for word in words if not (is_file(word) or word in known_names())] or words[-1:]
    if not others or is_file(others[0]) or others[0] in known_names():
        raise InputError("FILE", MISSING, "give a JSON file with memory and lengths, for example instance.json")
    return [word for word in words if word is not others[-1]], others[-1]


def _replay(options: argparse.Namespace) -> int:
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
        total, makespan = (
            f"{time:.6g}" if run.clock == "seconds" else time for time in (run.total_latency, run.makespan)
        )
        counts = total, f"{run.mean_latency:.5g}", makespan, run.cancellations, run.peak_memory
        rows.append([name, *map(str, counts), *(f"{ratios[name][ratio]:.5g}" for ratio in ("to_h_sf", over))])
    heads = ("policy", "TEL", "TEL/n", "makespan", "cancels", "peak", "/H-SF", bound)
    notes = run_notes(benchmark)
    document = {
        "runs": list(map(run_json, runs.values())),
        "ratios": ratios,
        "bound": {"name": benchmark.bound.name, "value": float(benchmark.bound.value)},
        "left_out": left_out_json(runs.left_out),
        "notes": notes,
    }
    left_out = [f"left out: {policy} ({why})" for policy, why in runs.left_out.items()]
    engine_notes = [f"{name}: {run.note}" for name, run in runs.items() if run.note]
    lines = [table(rows, heads, right=range(1, 6)), *notes, *left_out, *engine_notes]
    return answer(options, document, lines)
