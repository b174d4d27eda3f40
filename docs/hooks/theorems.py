"""The proofs as text: collected from the evidence of the decided claims, and written as Markdown and MathML."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import cache
from typing import Any

from decide import variants, with_proofs
from maths import aside, display

from check.statements import LEDGERS
from crtools.ledger.display.words import both_sides, coq_words, step_name, titled
from crtools.notation.mathml import is_latex, prose

Data = dict[str, Any]

INTRODUCTION = """# Proofs

A theorem of crtools is a list of steps, and each step has a check. These pages are written from the objects that
`crtools verify` checks. A theorem holds if it has steps and every step holds. A step follows from all steps before it, unless
it names some of them. Two kinds of steps are weaker than the others. For an *inference* the check covers only its premises and its
citations. An *argument* about the process is tried on small runs. In both kinds words say why the conclusion follows, and the reader
has to judge them. crtools counts these sentences: [what rests on words](../what-rests-on-words.md).

The kinds of steps:

"""

FURTHER, FURTHER_TITLE = "further", "Further theorems"


# ---- collecting ----------------------------------------------------------------------------------------------------


@cache
def all_proofs() -> Data:
    """Return every claim with the theorems that its evidence holds, and all of these by their names, as JSON data."""
    from crtools.ledger.run import as_json

    found = together(*(as_json(with_proofs(name), name) for name in LEDGERS))
    return gathered(found)


def together(*ledgers: Data) -> Data:
    """Return the claims of several ledgers, and the theorems that they name."""
    claims = [{**claim, "ledger": ledger["ledger"]} for ledger in ledgers for claim in ledger["claims"]]
    return {"claims": claims, "theorems": {name: t for ledger in ledgers for name, t in ledger["theorems"].items()}}


def gathered(ledger: Data) -> Data:
    """Return the proofs of a ledger as ``crtools verify --json`` prints it."""
    claims: list[Data] = []
    for claim in ledger["claims"]:
        theorems = theorems_of(claim, ledger["theorems"])
        if theorems:
            levels = [{k: v[k] for k in ("level", "reading", "status", "why")} for v in claim["levels"]]
            head = {k: claim.get(k, "") for k in ("id", "place", "statement", "stated_at", "why", "ledger")}
            claims.append({**head, "levels": levels, "theorems": theorems})
    return {"claims": claims, "theorems": ledger["theorems"]}


def theorems_of(claim: Data, table: Data) -> list[Data]:
    """Return the theorems that a claim's evidence names, each once, with what they are evidence of."""
    found: dict[str, list[Data]] = {}
    for where, says, item in evident(claim):
        for name in item["evidence"].get("theorems", ()):
            found.setdefault(name, []).append({"where": where, "says": says, "status": item["status"]})
    for name in list(found):
        found |= {cited: [] for cited in citations(name, table) if cited not in found}
    return [{**table[name], "shows": shows} for name, shows in found.items()]


def citations(name: str, table: Data) -> Iterator[str]:
    """Iterate over the theorems that a theorem cites, and that these cite."""
    for step in table[name]["steps"]:
        if "theorem" in step:
            yield step["theorem"]
            yield from citations(step["theorem"], table)


def evident(claim: Data) -> Iterator[tuple[str, str, Data]]:
    """Iterate over whatever has evidence in a claim: where it stands, its text, and itself."""
    for verdict in claim["levels"]:
        for finding in (*verdict["findings"], *verdict["degenerate"]):
            yield f"at level {verdict['level']}", finding["says"], finding
    for judged in claim["proof"]["displays"]:
        yield "of the published proof", judged["place"], judged
    for repair in claim["repairs"]:
        for finding in repair["backed_by"]:
            yield f"in its place, at level {repair['level']}", repair["sentence"], finding


def further_theorems(known: Container[str] = ()) -> list[Data]:
    """Return theorems that worst cases and other proofs rest on, and that true variants of claims need, but for the ``known``."""
    from crtools.discovery.phase_theorem import by_phases
    from crtools.ledger.registry import load
    from crtools.process.policies import H_SF

    found = [t for t in (*in_texts(known), by_phases(H_SF).theorem) if t.name not in known]
    records = [record for t in found if t.holds for record in t.records]
    records += [t for result in variants() for t in result.theorems]
    further = {record["theorem"]: record for record in records if record["theorem"] not in known}
    accepted = load().accepted()
    return [{**own, "kernel_checked": accepted.mark(own)} for own in further.values()]


def in_texts(but: Container[str] = ()) -> list[Any]:
    """Return the theorems of the ledgers whose theorems stand in a text, but for those of some names."""
    from crtools.ledger.registry import ledgers

    texts = [text for ledger in ledgers().values() if (text := ledger.theory()) is not None]
    return [text.theorem(name) for text in texts for name in text.names if name not in but]


# ---- writing -------------------------------------------------------------------------------------------------------


def index_page(found: Data) -> str:
    """Return the overview: kinds of steps, citable theorems, and a table of claims and theorems."""
    from crtools.proof import steps

    kinds = sorted(concrete(steps.Step), key=lambda k: k.__name__)
    lines = [f"<li><strong>{kind_name(k.__name__)}</strong>: {prose(first_line(k))}</li>" for k in kinds]
    cited = ", ".join(name.replace("ieee754", "IEEE 754 rounding") for name in steps.LITERATURE)
    ledgers = dict.fromkeys(claim["ledger"] for claim in found["claims"])
    tables = [index_table(name, [c for c in found["claims"] if c["ledger"] == name]) for name in ledgers]
    return (
        f"{INTRODUCTION}<ul>\n{chr(10).join(lines)}\n</ul>\n\nA step may cite from this list only: {cited}.\n\n"
        "## Claims with theorems\n\nThe theorems of a refuted claim prove its true part, or a true statement in its place. "
        "Claims that are refuted by a counterexample alone, or certified by exact arithmetic, are not listed; "
        "`crtools verify ID --show` prints their evidence.\n\n"
        "A status in bold is that of the level at which the claim is stated. The column *in Coq* counts the theorems "
        "that [Coq's kernel accepts](../coq.md) whole, stated for every u.\n\n"
        + "\n\n".join(tables)
        + f"\n\n[{FURTHER_TITLE}](further.md) has the theorems that worst cases and other proofs rest on.\n"
    )


def concrete(kind: type) -> list[type]:
    """Return the kinds of steps that have no further kinds below them."""
    below = [each for own in kind.__subclasses__() for each in concrete(own)]
    return below or [kind]


def index_table(ledger: str, claims: list[Data]) -> str:
    """Return the table of a ledger's claims: a column for each of its levels, in the order of the claim that has most."""
    most_first = sorted(claims, key=lambda claim: -len(claim["levels"]))
    names = list(dict.fromkeys(level["level"] for claim in most_first for level in claim["levels"]))
    head = f"<tr><th>claim</th>{''.join(f'<th>{name}</th>' for name in names)}<th>in Coq</th></tr>"
    rows = "".join(index_row(claim, names) for claim in claims)
    table = f'<table class="claims">\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table>'
    return f'### Ledger {ledger}\n\n<div class="wide">\n{table}\n</div>'


def index_row(claim: Data, levels: list[str]) -> str:
    """Return a claim's row: its status at each level, in bold where the paper states it, and a row of its theorems."""
    status = {v["level"]: v["status"] for v in claim["levels"]}
    status[claim["stated_at"]] = f"<strong>{status[claim['stated_at']]}</strong>"
    cells = "".join(f"<td>{status.get(level, '')}</td>" for level in levels)
    theorems = "; ".join(prose(titled(t["theorem"])) for t in claim["theorems"])
    whole = [t for t in claim["theorems"] if t["kernel_checked"]["theorem"]]
    in_coq = f"{len(whole)} of {len(claim['theorems'])}" if whole else ""
    return (
        f'<tr><td><a href="{claim["id"]}.html">{claim["id"]}</a></td>{cells}<td>{in_coq}</td></tr>\n'
        f'<tr class="theorems"><td colspan="{len(levels) + 2}">{theorems}</td></tr>\n'
    )


def claim_page(claim: Data) -> str:
    """Return one claim's page: statement, verdicts, theorems."""
    verdicts = "".join(
        f"<tr><td>{v['level']}</td><td><strong>{v['status']}</strong></td><td>{prose(v['reading'])}</td><td>{prose(v['why'])}</td></tr>\n"
        for v in claim["levels"]
    )
    return (
        f"# {claim['id']}\n\n<p><em>{prose(claim['place'])}.</em> {prose(claim['statement'])}</p>\n\n"
        f"<p>Stated at level {claim['stated_at']}. Found: {prose(claim['why'])}.</p>\n\n"
        "<table data-sentences>\n<thead><tr><th>level</th><th>verdict</th><th>reading</th><th>why</th></tr></thead>\n"
        f"<tbody>\n{verdicts}</tbody>\n</table>\n\n" + "\n\n".join(theorem_section(t) for t in claim["theorems"]) + "\n"
    )


def pages() -> dict[str, str]:
    """Return all pages by their names: the overview, one for each claim, and the further theorems."""
    found = all_proofs()
    own = {claim["id"]: claim_page(claim) for claim in found["claims"]}
    return {"index": index_page(found), **own, FURTHER: further_page(further_theorems(found["theorems"]))}


def further_page(theorems: list[Data]) -> str:
    """Return the page of theorems that no claim shows."""
    text = f"# {FURTHER_TITLE}\n\nTheorems that worst cases and other proofs rest on."
    return "\n\n".join([text, *(theorem_section(t) for t in theorems)]) + "\n"


def theorem_section(theorem: Data) -> str:
    """Return a theorem with its statement, reading and proof."""
    lines = [f"## {plain(titled(theorem['theorem']))}", '<div class="theorem">']
    lines.append(statement(theorem["statement"]))
    lines.append(f"<p><em>Reading:</em> {prose(theorem['reading'].rstrip('.'))}.</p>")
    for use in theorem.get("shows", ()):
        lines.append(f"<p><em>Evidence</em> {use['where']}, {use['status']}: {prose(use['says'])}.</p>")
    in_coq = coq_words(theorem["kernel_checked"], len(theorem["steps"]))
    if in_coq:
        lines.append(f'<p><em><a href="../coq.html">Coq\'s kernel</a>:</em> {prose(in_coq)}.</p>')
    cited = list(dict.fromkeys(u for step in theorem["steps"] for u in step.get("uses", ())))
    if cited:
        lines.append(f"<p><em>Cites:</em> {prose(', '.join(cited))}.</p>")
    number = {step["step"]: n for n, step in enumerate(theorem["steps"], start=1)}
    lines += ["</div>", '<ol class="proof">', *(one_step(step, number) for step in theorem["steps"]), "</ol>"]
    return lines[0] + "\n\n" + "\n".join(lines[1:])


def one_step(step: Data, number: dict[str, int]) -> str:
    """Return a step: its name, kind, words, formula, and what it follows from."""
    own = number[step["step"]]
    kind = f'<span class="kind">{kind_name(step["kind"])}{", and a sentence" if step.get("said") else ""}</span>'
    if step["kind"] == "Citation":
        return f'<li value="{own}">{kind} Theorem {prose(titled(step["theorem"]))}{statement(step["latex"])}</li>'
    name, text = step_name(step, own), f" {prose(step['text'])}" if step["text"] else ""
    named = f'<span class="name">{prose(name)}</span> ' if name else ""
    notes: list[str] = []
    if step.get("follows_from"):
        notes.append("from " + spans(sorted(number[premise] for premise in step["follows_from"])))
    notes += [prose(", ".join(step["uses"]))] if step.get("uses") else []
    closing = f' <span class="from">({"; ".join(notes)})</span>' if notes else ""
    return f'<li value="{own}">{named}{kind}{text}{closing}{shown(step["latex"], both_sides(step))}</li>'


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
    """Return a theorem's statement."""
    return shown(text) if is_latex(text) else f"<p>{prose(text)}</p>"


def shown(latex: str, words: str = "") -> str:
    """Return a formula on lines of its own, with words before it if there are any; nothing for none."""
    before = rf"\text{{{words} }}" if words else ""
    return aside(display(before + latex)) if latex else ""


def first_line(kind: type) -> str:
    """Return the first line of a class's docstring."""
    return (kind.__doc__ or "").strip().splitlines()[0]


def kind_name(name: str) -> str:
    """Return the name of a step's class in words: PolynomialIntegral is a polynomial integral."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def plain(text: str) -> str:
    """Return words with Markdown's own characters made harmless."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)
