"""``crtools discover``: a policy's form by its rules and runs, or measured at given lengths or under a law; docs/discover.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crtools.cli import arguments as cli
from crtools.cli.common import answer, bar, clock, integers, one_word, read_laws, refuse, to_int, to_intervals
from crtools.errors import InputError
from crtools.files import output_file, write_text
from crtools.ledger.display.words import in_words
from crtools.notation.terminal import unmarked
from crtools.numeric_types import JsonObject
from crtools.setting import Setting
from crtools.tables import table
from crtools.user_file import is_file

if TYPE_CHECKING:
    from crtools.discovery import Discovery, MeasuredForm
    from crtools.distributions import Distribution


@cli.command(
    "discover", ("h-sf --u 20", "h-sf --lengths 2,4,6 --s 2 --out found.py"),
    cli.words("POLICY [LAW]", "a policy (crtools list policies), or FILE.py[:NAME] with your own, which is run; "
                              "with a law of 2 to 8 lengths it is measured at these"),
    cli.option("--policy", "POLICY", "POLICY as an option"),
    cli.option("--l", "L", "of the worst case: lower end (default 1)", "1"),
    cli.option("--u", "U", "of the worst case: upper end (default 10)", "10"),
    cli.option("--s", "S", "of the worst case: prompt size (default 0)", "0"),
    cli.option("--law", "LAW", "the law of the ratio (default: uniform, or equal shares of l and u)"),
    cli.option("--lengths", "K,K,…", "measure the form at these lengths, 2 to 8, and this --s"),
    cli.INTERVALS,
    cli.SKIP_INVALID,
    cli.option("--predictions", "xF", "interval that the policy knows for each length k: xF is k/F to kF"),
    cli.option("--out", "FILE", "write the form as a Python file, which ratio and others take"),
)  # fmt: skip
def discover(options: argparse.Namespace) -> int:
    """A policy's latency form, from its rules and runs."""
    from crtools.discovery import discover
    from crtools.distributions import distribution

    if options.out is not None:
        output_file("--out", options.out)
    l, u, s = integers(options, "l", "u", "s")
    lengths = _own_lengths(options)
    policy = one_word(options, "policy", "h-sf, or FILE.py with your own (crtools list policies)")
    if lengths is not None:
        return _measure(options, policy, lengths, s)
    Setting(s, l, u)
    law = options.law
    if law is not None:
        with clock("reading the law"):
            law = distribution(*read_laws(options, [law]))
    result = discover(policy, progress=bar("runs"), say=_say)
    with clock("its worst case and ratio"):
        document = result.as_json() | _uses(result, l, u, s, law)
    why_not = "" if result.writable else "there is no formula; --lengths K,K,… measures at lengths of your own"
    return _answer(options, result, document, _lines(result, document), why_not)


def _say(line: str) -> None:
    if sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)


def _answer(
    options: argparse.Namespace,
    result: Discovery | MeasuredForm,
    document: JsonObject,
    lines: Iterable[str],
    why_not: str,
) -> int:
    """Write the form where --out asks for it, unless there is a reason ``why_not``, and print the answer."""
    if result.tried:
        lines = chain(lines, ["tried in vain:"], (f"  {line}" for line in result.tried))
    if options.out is None:
        return answer(options, document, lines)
    out, note = Path(options.out), f"nothing is written: {why_not}"
    if not why_not:
        write_text("--out", out, result.as_python())
        note = f"written: {out}; it is taken as a form: crtools ratio {out} LAW"
    return answer(options, document, [*lines, note], failed=bool(why_not))


def _own_lengths(options: argparse.Namespace) -> Any:
    """Remove a law from the words and return it, else the value of ``--lengths``; None where there is neither."""
    from crtools.grammar import is_law
    from crtools.process.policies import POLICY

    laws = [word for word in options.words if not is_file(word) and is_law(word, POLICY)] or options.words[1:2]
    laws = [word for word in laws if is_law(word, POLICY)]
    options.words = [word for word in options.words if word not in laws]
    if len(laws) + (options.lengths is not None) > 1:
        allowed = f"unexpected argument; the law {laws[0]} was already given"
        raise InputError("--lengths", str(options.lengths or laws[1]), allowed)
    if laws:
        return read_laws(options, laws)[0]
    if options.lengths is not None:
        more = ", with commas between, such as 2,5"
        return [to_int("--lengths", k.strip(), more) for k in options.lengths.split(",")]
    refuse(options, "goes with lengths, for example --lengths 2,4,6", "intervals", "predictions")
    return None


def _measure(options: argparse.Namespace, policy: str, lengths: Any, s: int) -> int:
    from crtools.discovery import measure_form
    from crtools.process.workload import Predictions

    intervals, factor = to_intervals(options.intervals), None
    if options.predictions is not None:
        factor = Predictions.of(options.predictions).factor
        if factor is None:
            allowed = "must be a factor such as x2; --intervals takes L-U,…"
            raise InputError("--predictions", options.predictions, allowed)
    result = measure_form(policy, lengths, s, intervals=intervals, factor=factor, progress=bar("pairs"))
    why_not = "" if result.entries else "no entries were measured"
    return _answer(options, result, result.as_json(), _measured_lines(result), why_not)


def _measured_lines(result: MeasuredForm) -> Iterator[str]:
    says = {True: "entries, which mixtures confirm", False: "no form found"}[result.status == "supported"]
    yield f"{result.policy} at the lengths {', '.join(map(str, result.lengths))}, s = {result.s}: {says} ({result.status})"
    yield "told: " + ", ".join(f"{k} is in [{l}, {u}]" for k, (l, u) in result.intervals.items())
    if result.entries:
        yield table([(f"{i}", f"{j}", str(value)) for (i, j), value in result.entries.items()], ("i", "j", "N_ij"))
    for counts, run, own in result.mixtures:
        shown = "no quadratic in the counts" if run is None else str(run)
        yield f"counts {', '.join(map(str, counts))}: {own} by the entries, {shown} in runs"
    if result.entries:
        near = "" if result.apart is None else f"; runs in random orders are within {result.apart:.1%}"
        yield f"measured by {result.method}{near}"
    if result.known:
        yield f"all entries measured are those of the form {result.known}"


def _uses(result: Discovery, l: int, u: int, s: int, law: str | Distribution | None) -> JsonObject:
    """Return the worst case and the ratio of the form against H-SF's."""
    if result.form is None:
        return {"worst_case": None, "ratio": None}
    from crtools.forms import known_forms
    from crtools.ratios.ratio import ratio
    from crtools.worst_cases import worst_case

    law = law or (f"uniform({l}, {u})" if len(result.formulas) == 1 else f"two-point({l}, {u}, 1/2)")
    ends = result.form.lengths is not None  # the form speaks of the two ends alone
    known = known_forms().get(result.known or "")
    whole = known if ends and known is not None and known.lengths is None else None
    return {
        "worst_case": {
            "l": l,
            "u": u,
            "s": s,
            "against": "h-sf",
            "value": worst_case(result.form, l, u, s).value,
            "lengths": sorted({l, u}) if ends else "all from l to u",
            "on_interval": whole and {"form": whole.name, "value": worst_case(whole, l, u, s).value},
        },
        "ratio": {"law": str(law), "s": s, "against": "h-sf", "value": float(ratio(result.form, law, s=s).value)},
    }


def _lines(result: Discovery, document: JsonObject) -> Iterator[str]:
    words = {True: "quadratic in the shares", False: "not quadratic in the shares", None: "no form found"}
    how = {"supported": " (supported, not proved)", "inconclusive": " (inconclusive)"}
    says = words[result.quadratic] + how.get(result.status, f" where batches are whole ({result.status})")
    yield f"{result.policy}: {says}"
    if result.formulas:
        yield from _formulas(result)
    if result.status == "certified":
        yield (
            f"exact at {result.confirmed} pairs of lengths i = l, j = u and s: the phases of each pair give what its exact runs give,"
            " and no simple rational function does"
        )
        for (i, j, s), own in list(result.entries.items())[:4]:
            yield f"  i = {i}, j = {j}, s = {s}: (l, l) {own.low}, (l, u) {own.mixed}, (u, u) {own.high}"
    if result.known:
        yield f"all entries measured are those of the form {result.known}"
    for each in result.in_ledgers:
        yield unmarked(f"{each.says} (Theorem {each.theorem} of the ledger {each.ledger})")
    if document["worst_case"]:
        worst, law = document["worst_case"], document["ratio"]
        l, u, s, whole = (worst[name] for name in ("l", "u", "s", "on_interval"))
        few = isinstance(worst["lengths"], list)
        lengths = f"for the two lengths {l} and {u} alone" if few and l < u else f"for lengths in [{l}, {u}]"
        yield f"worst case over h-sf, {lengths}, s = {s}: {worst['value']:.8g}"
        if whole:
            yield f"that of the form {whole['form']}, for all lengths in [{l}, {u}]: {whole['value']:.8g}"
        yield f"ratio under {law['law']}: {law['value']:.8g}"
    yield from _differences(result)
    yield from _areas(result)
    others = sorted({str(value) for value in result.residues.values()} - {str(result.residues.get(0))})
    if others:
        yield (
            f"other counts can change the limit: at equal shares of 2 and 5, s = 1, it is {result.residues[0]} with matched"
            f" counts, and {', '.join(others)} with some that end within a batch"
        )


def _formulas(result: Discovery) -> Iterator[str]:
    guess = "guess of the " if result.theorem is None else ""
    if result.ends is None:
        yield f"{guess}entry for i ≤ j: {result.entry}"
    else:
        yield f"{guess}entries on two lengths i = l and j = u:"
        for at, formula in zip(("(l, l)", "(l, u)", "(u, u)"), result.formulas, strict=True):
            yield f"  {at}: {formula.text}"
    if result.theorem is not None:
        yield f"  proved{in_words(result.argued)}: Theorem {result.theorem.name}"
        yield f"  for {result.theorem.reading}"
    fitted = f"{result.fitted} values fit it, " if result.fitted else ""
    others = f"{result.confirmed} {'others' if fitted else 'values'}"
    yield f"  {result.method}: {fitted}{others} agree; runs in random orders are within {result.apart:.1%}"


def _differences(result: Discovery) -> Iterator[str]:
    looks = ", ".join("({},{},{})".format(*look.at) for look in result.looks)
    i, j, s = result.differences[0].at
    yield (
        f"third differences of 2M·TEL/n² in the share of length i, the rest of length j, at (i,j,s) = {looks}; clearest where"
        f" i = {i}, j = {j}, s = {s}:"
    )
    for d in result.differences:
        shown = ", ".join(f"{m:z.2f}±{h:.2f}" for m, h in zip(d.means, d.halves, strict=True))
        yield f"  M = {d.memory}, n = {d.n}: {shown}"


def _areas(result: Discovery) -> Iterator[str]:
    """Yield where the latency follows the area form, and with how few lengths requests keep in step, so that it does not."""
    if not result.areas:
        return
    yield "2M·TEL/n² over its area form ½(v_i + v_j), v_i = s·i + i(i+1)/2, at s = 1:"
    for area in result.areas:
        shown = f"lengths {area.lengths[0]} to {area.lengths[-1]}" if len(area.lengths) > 2 else "lengths 2 and 5"
        yield f"  {shown}, {len(area.lengths)} of them: {area.ratio:.3f}±{area.half:.3f}"
    in_step = [len(area.lengths) for area in result.areas if not area.follows]
    if not result.areas[-1].follows:
        yield "it does not follow its area form"
    elif in_step:
        yield f"it follows its area form under more than {max(in_step)} lengths; so few keep it in step"
