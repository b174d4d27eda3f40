"""The command line: reads arguments, calls the library, prints. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from crtools import __version__
from crtools.errors import InputError, NotCertified

LONGEST_SHOWN = 400
"""Longer exact values are printed with --json only."""

DONE, FOUND, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print one line and leave with exit code 2."""
        self.exit(BAD_INPUT, f"crtools: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 found what it must not, 2 bad input."""
    parser = _build_parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return DONE
    try:
        return options.run(options)
    except (InputError, NotCertified) as error:
        print(f"crtools: {error}", file=sys.stderr)
        return BAD_INPUT if isinstance(error, InputError) else FOUND
    except RuntimeError as error:
        if type(error).__name__ != "Livelock":
            raise
        print(f"crtools: {error}", file=sys.stderr)
        return FOUND
    except AssertionError as error:
        print(f"crtools: an internal check failed: {error}", file=sys.stderr)
        return FOUND
    except KeyboardInterrupt:
        print("crtools: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="crtools", description="Verify the theory of competitive ratios of LLM-inference schedulers.")
    parser.add_argument("--version", action="version", version=f"crtools {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    verify = commands.add_parser("verify", help="decide claims of the paper")
    verify.add_argument("ids", nargs="*", metavar="ID", help="claim ids; all where none is given")
    verify.add_argument("--quick", action="store_true", help="skip the claims that take more than a second")
    verify.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="replace a value of 'given'")
    verify.add_argument(
        "--expect", metavar="FILE", help="exit 1 where a verdict differs from this earlier --json output"
    )
    verify.add_argument("--show", action="store_true", help="print every part and proof step")
    _add_json(verify, _verify)

    worst = commands.add_parser("worst-case", help="supremum of a ratio of forms over length weights")
    worst.add_argument("--u", required=True, metavar="U", help="upper end, or a range A:B[:STEP] (both ends included)")
    worst.add_argument("--l", default="1", metavar="L", help="lower end (default 1)")
    worst.add_argument("--s", default="0", metavar="S", help="prompt size in tokens (default 0)")
    worst.add_argument("--policy", default="a-min", metavar="FORM", help="numerator (default a-min)")
    worst.add_argument("--against", default="h-sf", metavar="FORM", help="denominator (default h-sf)")
    worst.add_argument("--digits", metavar="D", help="certified digits: upper − lower ≤ 10^(1−D)·value")
    worst.add_argument("--weights", action="store_true", help="print the maximising weights too")
    _add_json(worst, _worst_case)

    ratio = commands.add_parser("ratio", help="ratio of a form to another at a length distribution")
    _add_law(ratio)
    ratio.add_argument("--digits", metavar="D", help="certified digits: upper − lower ≤ 10^(1−D)·value")
    _add_json(ratio, _ratio)

    derive = commands.add_parser("derive", help="closed form, limits and supremum under a distribution with symbols")
    _add_law(derive)
    _add_json(derive, _derive)

    simulate = commands.add_parser("simulate", help="run the discrete process on lengths drawn from a distribution")
    simulate.add_argument("distribution", metavar="DIST", help="the law of output lengths")
    simulate.add_argument("--n", required=True, metavar="N", help="number of requests")
    simulate.add_argument("--memory", required=True, metavar="M", help="capacity in tokens")
    simulate.add_argument("--s", default="0", metavar="S", help="prompt size in tokens (default 0)")
    simulate.add_argument("--l", default=None, metavar="L", help="lower end (default: smallest length of the law)")
    simulate.add_argument(
        "--u", default=None, metavar="U", help="upper end (default: largest length of the law or drawn)"
    )
    simulate.add_argument("--seed", default="0", metavar="SEED", help="first seed (default 0)")
    simulate.add_argument("--replicates", default="1", metavar="R", help="number of seeds (default 1)")
    simulate.add_argument("--jobs", default="1", metavar="J", help="processes (default 1)")
    _add_policies(simulate)
    _add_json(simulate, _simulate)

    replay = commands.add_parser("replay", help="run the discrete process on an explicit instance")
    replay.add_argument("file", metavar="FILE", help="JSON with memory, lengths and, if wanted, s, l, u, order, ties")
    replay.add_argument("--seed", default="0", metavar="SEED", help="seed of what the instance leaves open (default 0)")
    _add_policies(replay)
    _add_json(replay, _replay)

    figure = commands.add_parser("figure", help="compute and draw figures")
    figure.add_argument("names", nargs="+", metavar="NAME", help="figure names, or all")
    figure.add_argument("--out", default="figures", metavar="FOLDER", help="output folder (default figures)")
    _add_json(figure, _figure)
    return parser


def _add_law(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "distribution",
        metavar="DIST",
        help="for instance 'geometric(q=9/10)', 'pmf(k**2*q**k, q=1/2)', csv:FILE#COLUMN",
    )
    parser.add_argument("--policy", default="a-min", metavar="FORM", help="numerator (default a-min)")
    parser.add_argument("--against", default="h-sf", metavar="FORM", help="denominator (default h-sf)")
    parser.add_argument("--s", default="0", metavar="S", help="prompt size in tokens (default 0)")


def _add_policies(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy",
        nargs="+",
        action="extend",
        metavar="P",
        help="policies (default: all that fit); a-min is a-min-literal",
    )


def _add_json(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.set_defaults(run=run)


def _verify(options: argparse.Namespace) -> int:
    from crtools.claims.ledger import as_json, verify

    changed: dict[str, str] = {}
    for item in options.set:
        name, separator, value = item.partition("=")
        if not separator or not name.strip():
            raise InputError("--set", item, "must be NAME=VALUE")
        changed[name.strip()] = value.strip()
    expected = None if options.expect is None else _read_expected(options.expect)
    results = verify(options.ids, changed, quick=options.quick, progress=_bar("claims", lambda claim: claim.id))
    document = as_json(results)
    if options.json:
        _print_json(document)
    else:
        from shutil import get_terminal_size

        from crtools.report.terminal import ledger_table

        if options.show:
            print("\n\n".join(result.show() for result in results) + "\n")
        print(ledger_table(results, colour=_terminal(sys.stdout), width=min(get_terminal_size((120, 24)).columns, 160)))
    if expected is None:
        return DONE
    different = _differences(expected, document)
    for line in different:
        print(f"crtools: {line}", file=sys.stderr)
    return FOUND if different else DONE


def _read_expected(path: str) -> dict[tuple[str, str], str]:
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        return {(c["id"], v["scope"]): v["status"] for c in document["claims"] for v in c["verdicts"]}
    except OSError as error:
        raise InputError("--expect", path, f"must be a readable file ({error.strerror})") from None
    except (ValueError, KeyError, TypeError):
        raise InputError("--expect", path, "must be the JSON that verify --json printed") from None


def _differences(expected: dict[tuple[str, str], str], document: dict[str, Any]) -> list[str]:
    got = {(c["id"], v["scope"]): v["status"] for c in document["claims"] for v in c["verdicts"]}
    return [
        f"{claim} {scope}: {status}, expected {expected[claim, scope]}"
        for (claim, scope), status in got.items()
        if status != "skipped" and expected.get((claim, scope), status) != status
    ]


def _worst_case(options: argparse.Namespace) -> int:
    from crtools.worstcase import worst_case

    l, s = _int("l", options.l), _int("s", options.s)
    digits = None if options.digits is None else _int("digits", options.digits)
    first, last, step = _range(options.u)
    is_range = ":" in options.u
    rows: list[dict[str, Any]] = []
    sizes = range(first, last + 1, step)
    for u in _bar("u", str)(sizes) if len(sizes) > 1 else sizes:
        case = worst_case(options.policy, l, u, s, options.against)
        row: dict[str, Any] = {"policy": case.policy.name, "against": case.against.name, "s": s, "l": l, "u": u}
        enclosure = None if digits is None else case.enclosure(digits)
        low, high = (None, None) if enclosure is None else enclosure.decimals((digits or 0) + 2)
        row |= {
            "value": case.value,
            "lower": low,
            "upper": high,
            "status": "supported" if enclosure is None else "certified",
            "method": "power iteration in floats" if enclosure is None else enclosure.method,
            "uses": [] if enclosure is None else list(enclosure.uses),
            "describes": list(case.describes),
        }
        if options.weights:
            row["weights"] = [float(x) for x in case.weights]
        rows.append(row)
    if options.json:
        _print_json({"rows": rows} if is_range else rows[0])
        return DONE
    for row in rows:
        print(
            f"worst case of the form {row['policy']} against {row['against']} on [{l}, {row['u']}], s = {s}: {row['value']:.15g}"
        )
        if row["lower"] is not None:
            print(f"  certified: {row['lower']} ≤ worst case ≤ {row['upper']}")
            print(f"  method: {row['method']}; uses: {', '.join(row['uses'])}")
        if options.weights:
            print("  weights from length l on: " + " ".join(f"{x:.6g}" for x in row["weights"]))
    return DONE


def _ratio(options: argparse.Namespace) -> int:
    from crtools.ratios import ratio

    digits = None if options.digits is None else _int("digits", options.digits)
    found = ratio(options.policy, options.distribution, _int("s", options.s), options.against)
    enclosure = None if digits is None else found.enclosure(digits)
    low, high = (None, None) if enclosure is None else enclosure.decimals((digits or 0) + 2)
    row: dict[str, Any] = {
        "distribution": found.distribution.spec(),
        "policy": found.policy.name,
        "against": found.against.name,
        "s": found.s,
        "value": found.value,
        "exact": None if found.exact is None else str(found.exact),
        "lower": low,
        "upper": high,
        "status": found.status if enclosure is None else "certified",
        "method": found.method if enclosure is None else enclosure.method,
        "describes": list(found.policy.describes),
    }
    if options.json:
        _print_json(row)
        return DONE
    print(
        f"ratio of the form {row['policy']} to {row['against']} under {row['distribution']}, s = {found.s}: {row['value']:.15g}"
    )
    if row["exact"] is not None and len(row["exact"]) <= LONGEST_SHOWN:
        print(f"  exact: {row['exact']}")
    if enclosure is not None:
        print(f"  certified: {low} ≤ ratio ≤ {high}")
    print(f"  status: {row['status']}; method: {row['method']}")
    return DONE


def _derive(options: argparse.Namespace) -> int:
    from crtools.derivation import derive
    from crtools.distributions import Poisson

    found = derive(options.distribution, options.policy, _int("s", options.s), options.against)
    one = len(found.parameters) == 1 and (found.ratio is not None or isinstance(found.distribution, Poisson))
    supremum = found.supremum() if one else None
    number = found.number() if found.ratio is None and not found.parameters else None
    if options.json:
        _print_json(
            {
                "distribution": found.distribution.spec(),
                "policy": found.policy.name,
                "against": found.against.name,
                "s": found.s,
                "ratio": _text(found.ratio),
                "numerator": _text(found.numerator),
                "denominator": _text(found.denominator),
                "alternative": _text(found.alternative),
                "limits": [
                    {"parameter": name, "to": str(place), "value": str(value)} for name, place, value in found.limits
                ],
                "supremum": None if supremum is None else supremum.as_json(),
                "number": None if number is None else list(number.decimals(15)),
                "reason": found.reason,
                "evidence": found.evidence,
                "latex": found.latex or None,
            }
        )
        return DONE
    print(
        f"ratio of the form {found.policy.name} to {found.against.name} under {found.distribution.spec()}, s = {found.s}"
    )
    if found.ratio is None:
        print(f"  no closed form: {found.reason}")
        if number is not None:
            low, high = number.decimals(15)
            print(f"  certified: {low} ≤ ratio ≤ {high} ({number.method})")
        if supremum is not None:
            low, high = supremum.enclosure.decimals(12)
            print(f"  supremum: {low} ≤ supremum ≤ {high}, {supremum.place}; {supremum.status} ({supremum.method})")
        return DONE
    print(f"  {found.ratio}")
    print(f"  LaTeX: {found.latex}")
    if found.alternative is not None:
        print(f"  in α = l/u and t = x_l/x_u: {found.alternative}")
    for name, place, value in found.limits:
        print(f"  limit for {name} → {place}: {value} = {float(value):.12g}")
    if supremum is not None:
        shown = supremum.as_json()
        print(f"  supremum: {shown['value']}, {supremum.place}; {supremum.status} ({supremum.method})")
        if shown["lower"] is not None:
            print(f"    {shown['lower']} ≤ supremum ≤ {shown['upper']}")
    if found.reason:
        print(f"  {found.reason}")
    for row in found.evidence:
        print(f"  checked at {row['at']}: direct sum {row['direct sum']}, closed form {row['closed form']}")
    return DONE


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _simulate(options: argparse.Namespace) -> int:
    from crtools.distributions import distribution
    from crtools.process.comparing import FORM_OF, compare

    law = distribution(options.distribution)
    n, memory, s = _int("n", options.n), _int("memory", options.memory), _int("s", options.s)
    low, high = (None if text is None else _int(name, text) for name, text in (("l", options.l), ("u", options.u)))
    first, number, jobs = (_int(x, getattr(options, x)) for x in ("seed", "replicates", "jobs"))
    if number < 1:
        raise InputError("replicates", number, "must be an integer ≥ 1")
    two = law.finite and len(list(law.items())) == 2
    policies = options.policy or [p for p in FORM_OF if p != "a-ell" or two]
    found = [
        compare(
            policy, law, n=n, memory=memory, s=s, l=low, u=high, seeds=range(first, first + number), jobs=jobs,
            progress=_bar(policy, str),
        )
        for policy in policies
    ]  # fmt: skip
    upper = {run.seed: run.upper for c in found for run in c.runs}
    document = {
        "distribution": law.spec(),
        "n": n,
        "memory": memory,
        "s": s,
        "l": found[0].runs[0].lower,
        "u": {str(k): v for k, v in upper.items()} if len(set(upper.values())) > 1 else next(iter(upper.values())),
        "runs": [_run_json(run) for c in found for run in c.runs],
        "ratios": {
            c.policy: {"to_h_sf": c.to_h_sf.mean, "to_volume": c.to_volume.mean, "to_form": c.to_form.mean}
            for c in found
        },
        "statistics": {c.policy: c.as_json() for c in found},
    }
    if options.json:
        _print_json(document)
        return DONE
    print(
        f"{law.spec()}: n = {n}, M = {memory}, s = {s}, l = {document['l']}, u = {document['u']}, {number} seeds from {first}"
    )
    print(f"{'policy':15s} {'TEL/n':>12s} {'cancelled':>10s} {'peak':>9s}  {'/H-SF':<26s} {'/volume bound':<26s} /form")
    for c in found:
        mean = sum(r.mean_latency for r in c.runs) / number
        cancelled = sum(r.cancellations for r in c.runs) / number
        peak = max(r.peak_memory for r in c.runs)
        print(
            f"{c.policy:15s} {mean:12.5g} {cancelled:10.5g} {peak:9d}  {c.to_h_sf!s:<26s} {c.to_volume!s:<26s} {c.to_form}"
        )
    print(
        "means [95 % intervals]; the volume bound is below every schedule's TEL; forms are the paper's, at the drawn lengths"
    )
    return DONE


def _replay(options: argparse.Namespace) -> int:
    from crtools.process import replay

    runs = replay(options.file, options.policy, seed=_int("seed", options.seed))
    best = runs["h-sf"] if "h-sf" in runs else replay(options.file, "h-sf")["h-sf"]
    ratios = {
        name: {"to_h_sf": run.total_latency / best.total_latency, "to_volume": run.to_volume, "to_form": None}
        for name, run in runs.items()
    }
    if options.json:
        _print_json({"runs": [_run_json(run) for run in runs.values()], "ratios": ratios})
        return DONE
    for name, run in runs.items():
        print(
            f"{name:15s} TEL {run.total_latency}, mean {run.mean_latency:.5g}, makespan {run.makespan}, "
            f"{run.cancellations} cancellations, peak {run.peak_memory}; "
            f"{ratios[name]['to_h_sf']:.5g} × H-SF, {run.to_volume:.5g} × volume bound"
        )
    return DONE


def _run_json(run: Any) -> dict[str, Any]:
    return {
        "policy": run.policy,
        "total_latency": run.total_latency,
        "mean_latency": run.mean_latency,
        "cancellations": run.cancellations,
        "wasted_tokens": run.wasted_tokens,
        "peak_memory": run.peak_memory,
        "mean_memory": run.mean_memory,
        "makespan": run.makespan,
        "volume_bound": float(run.volume_bound),
        "seed": run.seed,
        "engine": run.engine,
    }


def _figure(options: argparse.Namespace) -> int:
    from crtools.plots import FIGURES, figure

    names = list(FIGURES) if "all" in options.names else options.names
    for name in names:
        if name not in FIGURES:
            raise InputError("figure", name, f"must be one of {', '.join(FIGURES)}, or all")
    _writable(options.out)
    rows: list[dict[str, Any]] = []
    for name in names:
        drawn = figure(name, progress=_bar(name, str))
        paths = drawn.save(options.out)
        row = {"name": name, "path": str(paths["png"]), "data": str(paths["csv"]), "json": str(paths["json"])}
        rows.append(row | {"fits": dict(drawn.fits)})
    if options.json:
        _print_json({"figures": rows})
        return DONE
    for row in rows:
        print(f"{row['name']}: {row['path']} (data: {row['data']}, {row['json']})")
        for name, fit in row["fits"].items():
            print(f"  {name}: {fit['text']}")
    return DONE


def _writable(folder: str) -> None:
    """Refuse an output folder that cannot be written before any work is done."""
    path = os.path.abspath(folder)
    while not os.path.exists(path):
        path = os.path.dirname(path)
    if not os.path.isdir(path) or not os.access(path, os.W_OK | os.X_OK):
        raise InputError("out", folder, "must be a folder that can be written")


def _int(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(name, text, "must be an integer") from None


def _range(text: str) -> tuple[int, int, int]:
    parts = text.split(":")
    if len(parts) == 1:
        u = _int("u", text)
        return u, u, 1
    if len(parts) > 3:
        raise InputError("u", text, "must be U or A:B[:STEP]")
    first, last = _int("u", parts[0]), _int("u", parts[1])
    step = _int("u", parts[2]) if len(parts) == 3 else 1
    if step < 1 or last < first:
        raise InputError("u", text, "a range A:B[:STEP] needs A ≤ B and STEP ≥ 1")
    return first, last, step


def _print_json(document: dict[str, Any]) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def _terminal(stream: Any) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ


def _bar(what: str, label: Callable[[Any], str]) -> Callable[[Sequence[Any]], Iterable[Any]]:
    """Return a wrapper that shows a progress bar on a terminal's standard error, and nothing in a pipe."""

    def wrap(items: Sequence[Any]) -> Iterable[Any]:
        if not sys.stderr.isatty():
            return items
        from tqdm import tqdm

        def run() -> Iterable[Any]:
            with tqdm(total=len(items), desc=what, leave=False, file=sys.stderr) as bar:
                for item in items:
                    bar.set_postfix_str(label(item)[:24], refresh=True)
                    yield item
                    bar.update()

        return run()

    return wrap
