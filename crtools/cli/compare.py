"""``crtools compare``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from crtools.cli.common import DIST, add_command, add_json, add_words, answer, bar, integers
from crtools.installed_ledgers import default_form
from crtools.tables import columns, table

if TYPE_CHECKING:
    from crtools.process.comparisons import Cell, Comparisons

RATIOS = ("to_h_sf", "to_volume", "to_form")
PERCENTILES = (50, 90, 99)
"""What the tables show."""


def add_compare(commands: Any) -> None:
    """Add the command."""
    examples = (
        f'{default_form()} h-sf "uniform(1, 20)" -m 60:240:60 -n 99 --seeds 2',
        '"two-point(1, 4, 1/2)" --memory 40,80 -n 50 --seeds 2',
    )
    what = "policies on the same requests, at one memory or several"
    command = add_command(commands, "compare", what, examples)
    words = f"policies (default: all that fit; FILE.py[:NAME] too), then {DIST}, or csv:FILE#OUTPUTS,PROMPTS"
    add_words(command, "[POLICY…] LAW_OR_FILE", words)
    command.add_argument("-m", "--memory", required=True, metavar="M", help="in tokens: M, A:B[:STEP] or M,M,…")
    command.add_argument("-n", "--n", metavar="N", help="requests (default: all rows of a file, 1000 of a law)")
    command.add_argument("--seeds", metavar="R", help="number of seeds (default 5)")
    command.add_argument("--s", default="0", metavar="S", help="prompt size of a law in tokens (default 0)")
    command.add_argument("--l", metavar="L", help="lower end (default: smallest length)")
    command.add_argument("--u", metavar="U", help="upper end (default: largest length)")
    predicted = "known of each output: L-U[,L-U…], columns LOW,HIGH, or a factor such as x2"
    command.add_argument("--predictions", metavar="WHAT", help=predicted)
    command.add_argument(
        "--skip-invalid", action="store_true", help="leave out rows that cannot be used, and count them"
    )
    command.add_argument("--plot", metavar="FILE", help="draw it as .png, .svg or .pdf, with a .data.csv beside")
    command.add_argument("--jobs", metavar="J", help="processes (default: as many as are worth it)")
    command.add_argument("--dask", metavar="ADDRESS", help="run on this Dask cluster, tcp://HOST:PORT")
    command.add_argument("--policy", nargs="+", action="extend", metavar="P", help="policies as an option")
    add_json(command, _compare)


def _compare(options: argparse.Namespace) -> int:
    from crtools.grammar import split
    from crtools.plotting.figure import picture_file
    from crtools.process.comparisons import SEEDS, compare_all
    from crtools.process.policies import POLICY, known_names

    own, law = split([*options.words, *(options.policy or ())], POLICY, known_names())
    if options.plot is not None:
        picture_file(options.plot)
    n, seeds, s, l, u, jobs = integers(options, "n", "seeds", "s", "l", "u", "jobs")
    found = compare_all(
        own or None, law, memory=options.memory, n=n, s=s, seeds=SEEDS if seeds is None else seeds, l=l, u=u,
        predictions=options.predictions, skip_invalid=options.skip_invalid, jobs=jobs, dask=options.dask,
        progress=bar("compare", lambda task: f"M = {task[0]}, seed {task[1]}"),
    )  # fmt: skip
    paths = () if options.plot is None else found.plot(options.plot)
    document = found.as_json() | ({"files": list(map(str, paths))} if paths else {})
    return answer(options, document, _lines(found, paths))


def _lines(found: Comparisons, paths: Any) -> Iterator[str]:
    seeds = f"{len(found.seeds)} seed{'s' if len(found.seeds) > 1 else ''}"
    yield f"{found.name}: n = {found.n}, {seeds}, all requests there at time 0"
    yield from found.notes
    if found.skipped:
        yield f"left out: {found.skipped} rows that cannot be used"
    yield _fitting(("M", "policy", "/H-SF", "/volume", "/form"), [_ratios(cell, found) for cell in found.cells], (0,))
    varied = any(mean and mean.interval for cell in found.cells for mean in map(cell.mean, RATIOS))
    over_seeds = ", ± half the 95 % interval over the seeds" if varied else ""
    yield f"TEL over H-SF's, over the volume bound, which no schedule is below, and over the policy's form{over_seeds}"
    heads = ("M", "policy", "TEL/n", *(f"p{share}" for share in PERCENTILES), "makespan", "cancels")
    yield _fitting(heads, [_numbers(cell, found) for cell in found.cells], (0, *range(2, len(heads))))
    yield "completion times in steps: mean, percentiles and last; cancellations; means over the seeds"
    whys = dict.fromkeys((policy, why) for (policy, _), why in found.left_out.items())
    yield from (f"left out: {policy} ({why})" for policy, why in whys)
    yield found.sentence
    if paths:
        yield f"drawn: {paths[0]} (data: {paths[1]})"


def _fitting(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    """Return a table in which a policy's name is cut where numbers would not fit beside it."""
    wide = [max(len(row[k]) for row in (heads, *rows)) + 2 for k in range(len(heads))]
    room = max(columns() - sum(wide) + wide[1], LEAST)
    cut = ((m, name if len(name) <= room else f"{name[: room - 1]}…", *numbers) for m, name, *numbers in rows)
    return table(list(cut), heads, right=right)


LEAST = 12
"""So much of a policy's name is shown at least."""


def _memory(cell: Cell, found: Comparisons) -> str:
    """Return M for the first line of each memory."""
    first = next(own for own in found.cells if own.memory == cell.memory)
    return str(cell.memory) if first is cell else ""


def _ratios(cell: Cell, found: Comparisons) -> tuple[str, ...]:
    texts = (mean.short if mean else "–" for mean in map(cell.mean, RATIOS))
    return (_memory(cell, found), cell.policy, *texts)


def _numbers(cell: Cell, found: Comparisons) -> tuple[str, ...]:
    names = ("mean_latency", *(f"p{share}" for share in PERCENTILES), "makespan", "cancellations")
    numbers = (f"{mean.mean:.6g}" if (mean := cell.mean(name)) else "" for name in names)
    return (_memory(cell, found), cell.policy, *numbers)
