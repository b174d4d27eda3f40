"""The proofs as text: collected from the evidence of the decided claims, and written as Markdown and MathML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from cache import kept
from maths import display, mathml

Data = dict[str, Any]

INTRODUCTION = """# Proofs

A theorem of crtools is a list of steps. Each step carries a check that decides it, and the checks run again whenever
`crtools verify` is called, and when these pages are built: what stands here is written from the same objects. A theorem
holds if it has steps and every one holds, each after the steps that it follows from. One kind is weaker than the others:
an inference is checked for its premises and for what it cites; that its conclusion follows from them is said in words,
for the reader to judge.

The kinds of steps:

"""

KEYS = ("theorem", "statement", "reading", "holds", "steps")
"""What a theorem has as JSON data."""

FURTHER_TITLE = "Further theorems"


# ---- collecting ----------------------------------------------------------------------------------------------------


def all_proofs() -> Data:
    """Return every claim with the theorems that its evidence holds, and the further theorems, as JSON data."""
    return kept("proofs", collected)


def collected() -> Data:
    """Decide every claim and collect; the work behind :func:`all_proofs`."""
    from crtools import verify

    return gathered([result.as_json() for result in verify()])


def gathered(ledger: list[Data]) -> Data:
    """Return the proofs of a decided ledger."""
    claims: list[Data] = []
    for claim in ledger:
        theorems = list(theorems_of(claim))
        if theorems:
            verdicts = [{k: v[k] for k in ("scope", "reading", "status", "why")} for v in claim["verdicts"]]
            claims.append(
                {**{k: claim[k] for k in ("id", "place", "statement")}, "verdicts": verdicts, "theorems": theorems}
            )
    shown = {t["theorem"] for claim in claims for t in claim["theorems"]}
    return {"claims": claims, "further": [t for t in further_theorems() if t["theorem"] not in shown]}


def theorems_of(claim: Data) -> Iterator[Data]:
    """Iterate over the theorems that hold in a claim's evidence, each once, with the parts that they speak of."""
    found: list[Data] = []
    parts: list[list[Data]] = []
    for verdict in claim["verdicts"]:
        for part in verdict["parts"]:
            for where, evidence in nested(part["evidence"]):
                theorem = {key: evidence[key] for key in KEYS}
                if not theorem["holds"]:
                    continue
                if theorem not in found:
                    found.append(theorem)
                    parts.append([])
                speaks_of = {"part": part["part"], "status": part["status"], "where": where}
                own = parts[found.index(theorem)]
                if speaks_of not in own:
                    own.append(speaks_of)
    return ({**theorem, "parts": own} for theorem, own in zip(found, parts, strict=True))


def nested(value: Any, where: str = "") -> Iterator[tuple[str, Data]]:
    """Iterate over the theorems inside a piece of evidence, with the keys that lead there."""
    if isinstance(value, dict):
        if set(KEYS) <= set(value):
            yield where, value
        for key, inner in value.items():
            yield from nested(inner, f"{where}, {key}".lstrip(", "))
    elif isinstance(value, list):
        for inner in value:
            yield from nested(inner, where)


def further_theorems() -> list[Data]:
    """Return theorems that worst cases and other proofs rest on; those that a claim shows are left out by the caller."""
    from crtools.papers.adaptive.claims.appendix.max_random import of_the_forms
    from crtools.papers.adaptive.claims.appendix.prop_memory import MEMORY
    from crtools.papers.adaptive.claims.section_3.a_max_a_random import fraction_theorem, max_rate_theorem
    from crtools.papers.adaptive.claims.section_4.amin_derivation import CLAIM
    from crtools.papers.adaptive.claims.section_4.thm_optimality import means_theorem, trivial_theorem
    from crtools.papers.adaptive.claims.section_5.two_point import A_ELL, every_s_theorem
    from crtools.papers.adaptive.theorems.form.random_order import max_lower, random_upper
    from crtools.papers.adaptive.theorems.form.tails import positivity, tails
    from crtools.papers.adaptive.theorems.form.trace import general_trace
    from crtools.papers.adaptive.theorems.process import h_sf_process
    from crtools.papers.adaptive.theorems.process.literal_pairs import upper_bound
    from crtools.papers.adaptive.theorems.process.queue import order_kept
    from crtools.papers.adaptive.theorems.process.volume import h_sf_near

    meant = CLAIM.check({"tau_index": "k,i"}).as_json()
    found = [tails("a-min"), tails("h-sf"), tails("volume"), positivity("volume"), general_trace(), upper_bound()]
    found += [
        h_sf_process.theorem(),
        max_rate_theorem(),
        fraction_theorem(),
        means_theorem(),
        trivial_theorem(),
        every_s_theorem(),
        h_sf_near(),
        order_kept(),
        random_upper(),
        max_lower(),
        of_the_forms(),
    ]
    true = [claim.check(variant.given).as_json() for claim in (A_ELL, MEMORY) for variant in claim.variants]
    return [
        *(t.as_json() for t in found if t.holds),
        *theorems_of(meant),
        *(x for row in true for x in theorems_of(row)),
    ]


# ---- writing -------------------------------------------------------------------------------------------------------


def index_page(found: Data) -> str:
    """Return the overview: kinds of steps, citable theorems, and a table of claims and theorems."""
    from crtools.proof import steps

    kinds = sorted((k for k in steps.Step.__subclasses__()), key=lambda k: k.__name__)
    lines = [f"<li><strong>{kind_name(k.__name__)}</strong>: {words(first_line(k))}</li>" for k in kinds]
    cited = ", ".join(name.replace("ieee754", "IEEE 754 rounding") for name in steps.LITERATURE)
    rows = "".join(
        f'<tr><td><a href="{c["id"]}.html">{c["id"]}</a></td>'
        f"<td>{escape(c['verdicts'][0]['status'])}</td>"
        f"<td>{escape(c['verdicts'][1]['status']) if len(c['verdicts']) > 1 else 'same'}</td>"
        f"<td>{'; '.join(words(t['theorem']) for t in c['theorems'])}</td></tr>\n"
        for c in found["claims"]
    )
    head = "<tr><th>claim</th><th>as stated</th><th>where argued</th><th>theorems</th></tr>"
    return (
        f"{INTRODUCTION}<ul>\n{chr(10).join(lines)}\n</ul>\n\nA step may cite from this list only: {cited}.\n\n"
        "## Claims with theorems\n\nA refuted claim has theorems too: of its true parts, and of what holds in its place. "
        "Claims that are refuted by a counterexample alone, or certified by exact arithmetic, are not listed; "
        "`crtools verify ID --show` prints their evidence.\n\n"
        f"<table>\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n\n"
        f"[{FURTHER_TITLE}](further.md) are those that worst cases and other proofs rest on.\n"
    )


def claim_page(claim: Data) -> str:
    """Return one claim's page: statement, verdicts, theorems."""
    verdicts = "".join(
        f"<tr><td>{v['scope']}</td><td><strong>{v['status']}</strong></td><td>{words(v['reading'])}</td><td>{words(v['why'])}</td></tr>\n"
        for v in claim["verdicts"]
    )
    return (
        f"# {claim['id']}\n\n<p><em>{words(claim['place'])}.</em> {words(claim['statement'])}</p>\n\n"
        "<table>\n<thead><tr><th>scope</th><th>verdict</th><th>reading</th><th>why</th></tr></thead>\n"
        f"<tbody>\n{verdicts}</tbody>\n</table>\n\n" + "\n\n".join(theorem_section(t) for t in claim["theorems"]) + "\n"
    )


def further_page(theorems: list[Data]) -> str:
    """Return the page of theorems that no claim shows."""
    text = f"# {FURTHER_TITLE}\n\nTheorems that worst cases and other proofs rest on."
    return "\n\n".join([text, *(theorem_section(t) for t in theorems)]) + "\n"


def theorem_section(theorem: Data) -> str:
    """Return a theorem with its statement, reading and proof."""
    lines = [f"## {plain(theorem['theorem'])}", '<div class="theorem">']
    if theorem["statement"] != theorem["theorem"]:
        lines.append(statement(theorem["statement"]))
    lines.append(f"<p><em>Reading.</em> {words(theorem['reading'].rstrip('.'))}.</p>")
    for part in theorem.get("parts", ()):
        there = f" (there as “{words(part['where'])}”)" if part["where"] else ""
        lines.append(f"<p><em>Evidence for the part</em> “{words(part['part'])}”: {part['status']}{there}.</p>")
    cited = list(dict.fromkeys(u for step in theorem["steps"] for u in step.get("uses", ())))
    if cited:
        lines.append(f"<p><em>Cites.</em> {words(', '.join(cited))}.</p>")
    number = {step["step"]: n for n, step in enumerate(theorem["steps"], start=1)}
    lines += ["</div>", '<ol class="proof">', *grouped(theorem["steps"], number), "</ol>"]
    return lines[0] + "\n\n" + "\n".join(lines[1:])


def grouped(steps: list[Data], number: dict[str, int]) -> Iterator[str]:
    """Iterate over the steps; those of an embedded theorem (names "THEOREM: STEP") are folded."""
    for group, members in groupby(steps, key=lambda step: step["step"].rpartition(": ")[0]):
        inner = list(members)
        if not group:
            yield from (one_step(step, number, step["step"]) for step in inner)
            continue
        numbers = spans([number[step["step"]] for step in inner])
        yield f'<li class="embedded"><details><summary>Steps {numbers}: {words(group)}</summary><ol class="proof">'
        yield from (one_step(step, number, step["step"].rpartition(": ")[2]) for step in inner)
        yield "</ol></details></li>"


def one_step(step: Data, number: dict[str, int], name: str) -> str:
    """Return a step: its name, kind, words, formula, and what it follows from."""
    text = f" {words(step['text'])}" if step["text"] else ""
    notes: list[str] = []
    if step.get("follows_from"):
        notes.append("from " + spans(sorted(number[premise] for premise in step["follows_from"])))
    notes += [words(", ".join(step["uses"]))] if step.get("uses") else []
    closing = f' <span class="from">({"; ".join(notes)})</span>' if notes else ""
    return (
        f'<li value="{number[step["step"]]}"><span class="name">{words(name)}</span> '
        f'<span class="kind">{kind_name(step["kind"])}</span>{text}{closing}{statement(step["latex"])}</li>'
    )


def spans(numbers: list[int]) -> str:
    """Return 1–3, 5 for 1, 2, 3, 5."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}–{r[-1]}" for r in runs)


def statement(text: str) -> str:
    """Return a statement: a formula, or words where it has no LaTeX."""
    if not re.search(r"[\\_^=<>]", text):
        return f"<p>{words(text)}</p>"
    left, _, right = text.partition(" = ")
    if left == right:  # SymPy brought both sides to one expression when they were written down
        return f"<p>Both sides are {mathml(left)} as soon as they are simplified.</p>"
    return display(text)


def first_line(kind: type) -> str:
    """Return the first line of a class's docstring."""
    return (kind.__doc__ or "").strip().splitlines()[0]


def kind_name(name: str) -> str:
    """Return the name of a step's class in words: PolynomialIntegral is a polynomial integral."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def plain(text: str) -> str:
    """Return words with Markdown's own characters made harmless."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)


def words(text: str) -> str:
    """Return words as HTML."""
    return re.sub(r"``(.*?)``", r"<code>\1</code>", escape(text, quote=False))
