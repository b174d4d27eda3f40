"""``crtools show``: memory over time, of the schedules in a claim's evidence or of runs on an explicit instance."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from crtools.cli.common import Commands, answer, clock, to_int
from crtools.errors import InputError
from crtools.ledger.registry import DEFAULT
from crtools.tables import columns

if TYPE_CHECKING:
    from crtools.plotting.occupancy import Picture

EXAMPLES = ("instance.json --policy h-sf", "instance.json --policy h-sf --out memory.pdf")


def add_show(commands: Commands) -> None:
    """Add the command."""
    show = commands.add("show", _show, "draw memory over time: a claim's schedules or a run", EXAMPLES)
    show.add_argument("what", metavar="ID|FILE", help="a claim (crtools list claims), or an instance as of replay")
    show.policies("policies to run on the instance")
    show.option("--seed", "SEED", "seed of what the instance leaves open (default 0)", "0")
    show.option("--ledger", "NAME", "ledger of the claim: a name, or your file.py", DEFAULT)
    show.option("--out", "FILE", "write it: FILE.svg, .pdf, .png or .txt")


def _show(options: argparse.Namespace) -> int:
    from crtools.plotting.occupancy import save

    file = Path(options.what)
    pictures = _runs(options) if file.suffix == ".json" or file.is_file() else _schedules(options)
    if options.out is not None:
        document = {"path": str(save(pictures, options.out))}
        return answer(options, document, [document["path"]])
    texts = [text for picture in pictures for text in (picture.text(columns()), "")]
    return answer(options, {"pictures": [picture.as_json() for picture in pictures]}, texts[:-1])


def _schedules(options: argparse.Namespace) -> list[Picture]:
    """Return the schedules in a claim's evidence that are small enough to be drawn."""
    from crtools.ledger import verify
    from crtools.ledger.display.pictures import pictures_of

    if options.policy is not None:
        raise InputError("--policy", " ".join(options.policy), "is for an instance, FILE.json")
    with clock("deciding"):
        [result] = verify([options.what], ledger=options.ledger)
    pictures = [picture for picture in pictures_of(result) if picture.drawable]
    if not pictures:
        raise InputError("ID", result.id, "has no schedule in its evidence")
    return pictures


def _runs(options: argparse.Namespace) -> list[Picture]:
    from crtools.process import replay

    with clock("running"):
        runs = replay(options.what, options.policy, seed=to_int("seed", options.seed))
    return [run.plot() for run in runs.values()]
