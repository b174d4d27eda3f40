"""``crtools guarantees``: proved factors beside one instance's numbers; see :mod:`crtools.process.guarantees`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from crtools.cli.common import Commands, answer, clock, say_skipped, to_int
from crtools.tables import table

if TYPE_CHECKING:
    from crtools.process import Guarantees


def add_guarantees(commands: Commands) -> None:
    """Add the command."""
    examples = ("1,1,3,3 --s 1 --memory 9", "5,1,3 --s 0,2,9 --memory 20 --json")
    what = "proved factors to the optimum on given requests, beside a run"
    command = commands.add("guarantees", _guarantees, what, examples)
    given = "lengths such as 5,1,3, or csv:FILE#OUTPUTS,PROMPTS"
    command.add_argument("requests", metavar="LENGTHS_OR_FILE", help=given)
    command.add_argument("-m", "--memory", required=True, metavar="M", help="capacity in tokens")
    command.option("--s", "S", "prompt size in tokens, or one for each length: 0,2,9 (default 0)", "0")
    command.skip_invalid()


def _guarantees(options: argparse.Namespace) -> int:
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
    return answer(options, found.as_json(), _lines(found))


def _lines(found: Guarantees) -> Iterator[str]:
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
