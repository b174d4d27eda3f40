"""The report: one page that needs nothing else, errata from the same data, and nothing that is not escaped."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_up import IN_PRACTICE, LEVELS, MADE_UP, ON_PAPER, drawing
from paths import ROOT

from crtools.cli import main
from crtools.errors import InputError
from crtools.ledger import (
    Claim,
    ClaimResult,
    Finding,
    Measured,
    Open,
    Proved,
    PublishedProof,
    Refuted,
    Repair,
    Verdict,
)
from crtools.ledger.display.claim_text import schedules_of
from crtools.ledger.display.words import SIGNS, word
from crtools.ledger.evidence import WEAKEST_FIRST
from crtools.ledger.registry import load
from crtools.notation.mathml import mathml
from crtools.notation.terminal import label, one_line, scalar, unmarked
from crtools.plotting.occupancy import COLOURS
from crtools.report.dependencies import dependencies
from crtools.report.errata import CHAPTERS, NONE_KNOWN, STANDS, brief, chapters, errata, escaped, facts, latex, markdown
from crtools.report.page import drawings, page, read_figures
from crtools.schedule import Schedule

FALSE = ("refuted", "contradicted")
VOID = {"meta", "br", "wbr", "img", "input", "link", "hr"}
SVG_VOID = {"path", "rect", "mspace"}


class Outline(HTMLParser):
    """The elements of a page in order, with a check that every one that is opened is closed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.wrong: list[str] = []
        self.text: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        if tag not in VOID | SVG_VOID:
            self.wrong.append(f"<{tag}/>")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


EVIDENCE: dict[str, Any] = {
    "proved": Proved(argument="by inspection"),
    "refuted": Refuted({"s": 1}, "2", "3", "3"),
    "contradicted": Measured(False, "five seeds", 0.5),
    "supported": Measured(True, "five seeds", 0.5),
    "inconclusive": Open("a search"),
}


def decided(id: str, status: str = "proved", rests_on: tuple[str, ...] = (), **more: Any) -> ClaimResult:
    """A result with one verdict, or with one for each level of ``at``."""
    at: dict[str, str] = more.pop("at", {ON_PAPER: status})
    verdicts = tuple(
        Verdict(level, "every case", "because", "by hand", (Finding("all", "it holds", EVIDENCE[own]),), claim=id)
        for level, own in at.items()
    )
    proof = PublishedProof((Finding("whole", "the whole proof", EVIDENCE["proved"]),))
    own = {"id": id, "place": "Section 1", "statement": "it holds", "given": {"bound": "1"}, "rests_on": rests_on}
    return replace(ClaimResult("found", verdicts, proof, **own, stated_at=next(iter(at))), **more)


def the_page(*results: ClaimResult) -> str:
    return page(results, MADE_UP)


# ---- the page ---------------------------------------------------------------------------------------------------


def check_form(html: str) -> None:
    """A page is well-formed, has every id once, no dead link, and asks for nothing from anywhere."""
    outline = Outline(html)
    assert outline.wrong == []
    assert outline.open == []
    ids = [a["id"] for _, a in outline.elements if "id" in a]
    assert len(ids) == len(set(ids))
    inner = [a["href"] for tag, a in outline.elements if tag == "a"]
    assert inner
    assert all(h.startswith("#") and h[1:] in ids for h in inner), [h for h in inner if h[1:] not in ids]
    assert "http" not in re.sub(r"http-equiv", "", re.sub(r"data:image/png;base64,[A-Za-z0-9+/=]+", "", html))
    outside = ("link", "iframe", "object", "embed", "base", "audio", "video")
    assert not [tag for tag, _ in outline.elements if tag in outside]
    assert all(a["src"].startswith("data:image/png;base64,") for _, a in outline.elements if "src" in a)
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    policy = next(a["content"] for _, a in outline.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; img-src data:;")


def test_the_page_is_well_formed_and_needs_nothing_else(made_up_page: str) -> None:
    check_form(made_up_page)


def test_the_first_section_of_the_papers_page_are_its_headlines_and_a_picture(report_page: str) -> None:
    first = report_page[report_page.index("<main>") : report_page.index('<section id="ledger">')]
    assert first.count("<tr><td>") == len(load().headlines()) == 5
    assert first.count('class="schedule"') == 2
    assert "total latency 13" in first and "total latency 12" in first


def test_the_cards_of_the_papers_page_draw_each_schedule_once(report_page: str) -> None:
    before, cards = report_page.split('<section id="claims">')
    assert "<svg" in before and 'id="drawing-' not in before  # the picture of the headlines is drawn again on its card
    drawn = re.findall(r'<figure id="drawing-(\d+)">', cards)
    assert drawn == [str(n) for n in range(1, len(drawn) + 1)]
    links = re.findall(r'href="#drawing-(\d+)">drawn above', report_page)
    assert links and all(
        report_page.index(f'id="drawing-{n}"') < report_page.index(f'href="#drawing-{n}"') for n in links
    )


def test_a_page_made_again_is_the_same(made_up: list[ClaimResult]) -> None:
    assert page(made_up, MADE_UP) == page(made_up, MADE_UP)


def test_beside_each_verdict_in_the_ledger_stands_what_it_rests_on(report_page: str) -> None:
    rows = dict(re.findall(r'<tr data-order="\d+" data-claim="([\w-]+)"(.*?)</tr>', report_page, re.DOTALL))
    said = {id: re.findall(r'class="stated">(.*?)</span>', row) for id, row in rows.items()}
    assert said["trace"] == ["Coq", "stated here"]
    assert said["thm-amax-upper"] == ["Coq", "Coq", "24 sentences", "stated here"]
    assert said["exp-1"] == ["stated here"]


def test_the_page_of_the_paper_has_no_raw_mathematics(report_page: str) -> None:
    plain = re.sub(r"<(script|style|code|math)\b.*?</\1>|<svg.*?</svg>|<[^>]*>", "", report_page, flags=re.DOTALL)
    for raw in ("$", "\\", "sqrt(", "sum_{", "_{", "^{", "**"):
        assert raw not in plain, plain[plain.index(raw) - 80 : plain.index(raw) + 80]
    assert not re.search(r"(?<![\w/.-])A_(?:min|max|random)(?![\w/-]|\.\w)", plain)
    long = re.findall(r"<math>(?:<m[io]>[A-Za-z]</m[io]>){7,}", report_page)
    assert long == []  # a sentence set as a formula, letter by letter


def test_the_page_of_the_paper_is_well_formed_and_small(report_page: str) -> None:
    check_form(report_page)
    assert len(report_page.encode()) <= 38_500 * len(load().claims)  # with drawings by Matplotlib, 10 kB each
    assert report_page.count("<math") > 1000
    assert "<code>\\" not in report_page


def test_every_claim_has_its_row_its_section_and_its_command(made_up_page: str, made_up: list[ClaimResult]) -> None:
    outline = Outline(made_up_page)
    rows = [a for tag, a in outline.elements if tag == "tr" and "data-order" in a]
    assert [int(a["data-order"]) for a in rows] == list(range(len(made_up)))
    assert all("hidden" not in a for a in rows)  # without a script nothing is filtered
    for result, row in zip(made_up, rows, strict=True):
        assert {level.id: row.get(f"data-at-{level.id}") for level in LEVELS} == {
            level.id: result.at(level.id).status if level.id in result.levels else None for level in LEVELS
        }
        assert row["data-proof"] == result.proof.state
        assert f'id="claim-{result.id}"' in made_up_page
        assert f"<code>crtools verify {result.id} --ledger made-up --show</code>" in made_up_page
    [form] = [a for tag, a in outline.elements if tag == "form"]
    assert "hidden" in form


def test_the_head_names_the_ledger_and_the_ledger_comes_first(made_up_page: str) -> None:
    assert "On Sums (Nobody)" in made_up_page
    assert "arXiv" not in made_up_page
    places = [made_up_page.index(f'<section id="{name}">') for name in ("ledger", "claims", "errata", "dependencies")]
    assert places == sorted(places)
    for level in LEVELS:
        assert f'title="{level.asks}">{level.id}</th>' in made_up_page


def test_every_status_sign_and_kind_of_evidence_is_on_the_made_up_page(
    made_up_page: str, made_up: list[ClaimResult]
) -> None:
    """The fixture is worth its name: otherwise the other tests say less than they seem to."""
    statuses = {v.status for r in made_up for v in r.verdicts}
    assert statuses == set(WEAKEST_FIRST)
    kinds = {f.evidence.kind for r in made_up for v in r.verdicts for f in v.findings}
    assert kinds == {"proved", "certified", "measured", "refuted", "open", "skipped"}
    assert {r.proof.state for r in made_up} == {"sound", "gap", "false-step", "not-examined"}
    for status in (*statuses, "sound", "gap", "false-step", "not-examined"):
        assert (
            f'<span class="badge s-{status}">{word(status)}</span>' in made_up_page
        )  # a word, and a sign by the style
        assert f'.badge.s-{status}::before {{ content: "{SIGNS[status]}' in made_up_page


def test_the_same_evidence_stands_once_in_a_card() -> None:
    refuted = EVIDENCE["refuted"]
    result = replace(decided("x", "refuted"), proof=PublishedProof((Finding("line", "the last line", refuted),)))
    assert result.show().count("claimed") == 1
    assert "that of [all]" in result.show()
    card = the_page(result)
    assert 'that of <code class="id">all</code>' in card
    assert card.count("<dt>the sentence says</dt>") == 1
    other = replace(result, proof=PublishedProof((Finding("line", "there", replace(refuted, actual="4")),)))
    assert other.show().count("claimed") == 2
    assert the_page(other).count("<dt>the sentence says</dt>") == 2


def test_a_value_of_a_symbol_has_an_equals_sign_and_words_have_a_colon() -> None:
    assert one_line({"x_l": "1/3", "family": "$l = 1$", "rows": [{"M": 3}]}) == "x_ℓ = 1/3, family: ℓ = 1, rows: M = 3"


def test_what_a_claim_says_is_typeset_and_its_evidence_is_there(made_up_page: str) -> None:
    start = made_up_page.index('id="claim-growth"')
    card = made_up_page[start : made_up_page.index("</article>", start)]
    for text in (
        "by-a-tie", "bound-at-s-0", "settings looked at", "decide nothing", "it survives <math>", "20 runs of 10⁴ requests",
        "the first equality", "; instead: <math>", "50 more in the JSON", 'class="schedules"', "True in its place",
    ):  # fmt: skip
        assert text in card, text
    assert "not backed" not in made_up_page  # a repair that nothing sure backs
    assert "$" not in "".join(Outline(card).text)
    assert made_up_page.count('<img alt="The ratio leaves the bound 1 + α behind."') == 1
    assert 'href="#figure-growth">growth, under growth' in made_up_page


def test_a_theorem_stands_once_and_what_it_cites_is_a_link(made_up_page: str) -> None:
    assert made_up_page.count('<article class="theorem"') == 2
    assert made_up_page.count('href="#theorem-1"') >= 4
    second = made_up_page[made_up_page.index('id="theorem-2"') :]
    assert '<li><span class="kind">cited</span> by Theorem <a href="#theorem-1">sum of odd numbers</a>' in second
    assert made_up_page.count("the next term is") == 1
    assert "<strong>induction</strong>" in made_up_page  # a name is shown, a number that is the step's place is not
    assert not [n for n in range(1, 5) if f"<strong>{n}</strong>" in second]
    assert second.count("follows from") == 1 and "follows from 2<" in second


def test_whatever_a_claim_says_is_escaped() -> None:
    bad = '<script>alert(1)</script>" onload="x" & </style> {{ 7 * 191 }}'
    theorem = {"theorem": bad, "statement": bad, "reading": bad, "holds": True, "steps": [
        {"step": bad, "kind": bad, "text": bad, "latex": bad, "holds": True, "follows_from": [bad], "uses": [bad]}]}  # fmt: skip
    row = {"name": bad, "starts": [0], "lengths": [1], "s": 1, "M": 3}
    data: dict[str, Any] = {
        "a": bad,
        "b": [bad],
        "c": [{bad: bad}],
        "d": {bad: {bad: [bad, [bad], {bad: 1}]}},
        "e": [row],
    }
    findings = (
        Finding("one", bad, Refuted(data, bad, bad, bad, bad, (theorem,), data)),
        Finding("two", bad, Measured(False, bad, bad, data)),
        Finding("three", bad, Proved((theorem,), bad, data)),
    )
    proof = PublishedProof((Finding("four", bad, findings[0].evidence, instead=bad),), (bad,), bad)
    repair = Repair(ON_PAPER, bad, findings[2:])
    verdict = Verdict(ON_PAPER, bad, bad, bad, findings, (Finding("five", bad, Open(bad)),))
    own = {
        "id": "one",
        "place": bad,
        "statement": bad,
        "given": {bad: bad},
        "stated_at": ON_PAPER,
        "rests_on": ("two",),
    }
    first = ClaimResult(bad, (verdict,), proof, (repair,), **own)
    ledger = replace(MADE_UP, title=bad, source=bad, figures=lambda: {bad: drawing(bad, "one")})
    html = page([first, replace(first, id="two", rests_on=())], ledger)
    outline = Outline(html)
    assert outline.wrong == []
    assert "<script>alert" not in html
    assert "1337" not in html
    assert not [a for _, a in outline.elements if "onload" in a]
    assert sum(tag == "script" for tag, _ in outline.elements) == 1
    assert "alert(1)" in "".join(outline.text)


def test_a_page_of_nothing_and_of_what_is_not_in_the_ledger_is_a_page() -> None:
    assert Outline(the_page()).wrong == []
    html = the_page(decided("one", rests_on=("nowhere",)))
    assert Outline(html).wrong == []
    assert "nowhere" in html and "not in the ledger" in html


def test_values_of_any_shape_are_shown_whole() -> None:
    long = "7" * 200 + "/" + "3" * 180
    values = {"ratio": long, "float": 1 / 3, "none": None, "yes": True, "empty": [], "big": 10**60,
              "rows": [{"a": 1, "b": [1, 2]}, {"a": 2}], "nested": {"x": {"y": [1, [2, 3]]}}}  # fmt: skip
    verdict = Verdict(ON_PAPER, "r", "w", "m", (Finding("all", "it holds", Open("a search", values)),))
    html = the_page(replace(decided("one"), verdicts=(verdict,)))
    assert Outline(html).wrong == []
    for text in (long, "1" + "0" * 60, "0.333333", "<td>2</td><td></td>"):
        assert text in html, text
    assert scalar(0.5) == ("0.5", "")
    assert scalar("1/3") == ("1/3", "")
    assert scalar(f"{10**400}/3") == ("≈ 3.33333e+399", f"{10**400}/3")  # beyond any float


# ---- texts ------------------------------------------------------------------------------------------------------


def test_the_name_of_a_value_is_a_symbol_or_words() -> None:
    names = {
        "x_l": "$x_l$",
        "M": "$M$",
        "alpha": "$α$",
        "CR": "$CR$",
        "settings_looked_at": "settings looked at",
        "seed": "seed",
        "TEL_H_SF": "TEL H-SF",
        "A_max_over_A_random": "$A_max$ over $A_random$",
        "a_min_by_the_sums": "a-min by the sums",
        "against_h_sf": "against h-sf",
    }
    assert {name: label(name) for name in names} == names
    assert one_line({"x_l": 2, "A_max": 3, "A_max_in_all": 4}) == "x_ℓ = 2, A_max = 3, A_max in all 4"
    assert unmarked("$sqrt(5)/2$ is sqrt(5)/2 of alpha; $2*alpha**2$") == "√(5)/2 is √(5)/2 of alpha; 2·α^2"
    assert unmarked("it costs 5 $") == "it costs 5 $"


# ---- what rests on what -----------------------------------------------------------------------------------------


def test_a_false_ground_is_false_at_the_level_where_it_is_used() -> None:
    results = [
        decided("top", rests_on=("middle", "good")),
        decided("middle", rests_on=("false", "gone", "elsewhere")),
        decided("run", at={IN_PRACTICE: "proved"}, rests_on=("false", "other-level")),
        decided("good"),
        decided("false", "refuted"),
        decided("elsewhere", at={ON_PAPER: "proved", IN_PRACTICE: "refuted"}),
        decided("other-level", at={ON_PAPER: "refuted", IN_PRACTICE: "proved"}),
        decided("measured", "contradicted"),
        decided("other", rests_on=("measured", "other-level")),
    ]
    nodes = dependencies(results)
    false = {name: [(v.claim, v.status, v.level) for v in node.false] for name, node in nodes.items()}
    assert false["middle"] == [("false", "refuted", ON_PAPER)]
    assert false["top"] == []  # what rests on it directly is true
    assert false["run"] == [("false", "refuted", ON_PAPER)]  # which has no verdict where it is used
    assert false["other"] == [("measured", "contradicted", ON_PAPER), ("other-level", "refuted", ON_PAPER)]
    assert nodes["gone"].status == "undecided"
    assert nodes["false"].used_by == ("middle", "run")


def test_the_page_lists_what_each_proof_uses_and_what_of_it_is_false(made_up: list[ClaimResult]) -> None:
    text = page(made_up, MADE_UP)
    section = text[text.index('<section id="dependencies">') : text.index('<section id="theorems">')]
    nodes = dependencies(made_up)
    rows = re.findall(r"<li>(.*?)</li>", section, re.DOTALL)
    assert len(rows) == sum(bool(node.rests_on) for node in nodes.values()) > 0
    for row, node in zip(rows, [node for node in nodes.values() if node.rests_on], strict=True):
        assert f'href="#claim-{node.id}"' in row
        assert all(name in row and word(nodes[name].status) in row for name in node.rests_on)
        assert row.count('class="ground"') == len(node.false)
        assert all(f"{ground.status} at level {ground.level}" in row for ground in node.false)


# ---- schedules --------------------------------------------------------------------------------------------------


def test_what_has_the_fields_of_a_schedule_is_drawn_and_nothing_else() -> None:
    row = {"name": "x", "starts": [0], "lengths": [1], "s": 1, "M": 3}
    assert schedules_of(row) == [row]
    assert schedules_of([row, {**row, "assumed": [4]}]) == [row, {**row, "assumed": [4]}]
    for other in ([], [row, 1], [{"name": "x"}], "text", 3, None, {}):
        assert schedules_of(other) == []


def all_schedules(results: list[ClaimResult]) -> list[tuple[str, dict[str, Any]]]:
    evidence = [(r.id, f.evidence) for r in results for v in r.verdicts for f in (*v.findings, *v.degenerate)]
    evidence += [(r.id, d.evidence) for r in results for d in r.proof.displays]
    held = [(id, item) for id, e in evidence for item in (*e.values.values(), *getattr(e, "witness", {}).values())]
    return [(id, dict(row)) for id, item in held for row in schedules_of(item)]


def test_every_drawn_schedule_of_the_paper_is_one(ledger: list[ClaimResult]) -> None:
    rows = all_schedules(ledger)
    assert {"hsf-lower", "packed-random", "prop-memory", "lem-max-random", "thm-endpoints"} <= {id for id, _ in rows}
    for id, row in rows:
        plan = Schedule(row["starts"], row["lengths"], row["s"])
        moved = id == "packed-random" and "moved" in row["name"]
        assert plan.feasible(row["M"]) or moved, (id, row)


def test_the_schedules_of_a_refutation_show_it(ledger: list[ClaimResult]) -> None:
    plans = [(id, row, Schedule(row["starts"], row["lengths"], row["s"])) for id, row in all_schedules(ledger)]
    assert [plan.total_latency for id, _, plan in plans if id == "hsf-lower"][:2] == [13, 12]
    moved = [plan.feasible(row["M"]) for id, row, plan in plans if id == "packed-random" and "moved" in row["name"]]
    assert any(moved)


def test_a_drawing_has_one_box_for_each_request_with_its_profile() -> None:
    row = {"name": "I", "starts": [0, 2], "lengths": [3, 1], "s": 2, "M": 6}
    html = drawings([row])
    assert Outline(html).wrong == []
    boxes = re.findall(r'<path d="([^"]*)" style="fill: (#\w+); stroke: #333333', html)
    assert [fill for _, fill in boxes] == list(COLOURS[:2])
    [prompts] = re.findall(r'<path d="([^"]*)" style="[^"]*opacity: 0.16', html)
    assert prompts.count("M") == 2
    assert "total latency 6" in html
    assert "largest use 8 of 6, which is exceeded" in html
    assert "M = 6" in html
    rows = [[float(y) for y in re.findall(r"[ML] [\d.]+ ([\d.]+)", d)] for d, _ in boxes]
    heights = [low - high for box in rows for high, low in zip(box, box[::-1], strict=True)]
    unit = heights[0] / 3
    assert [round(h / unit) for h in heights[:6:2] + heights[12:14:2]] == [3, 4, 5, 3]
    shown = drawings([row, {**row, "M": 9, "assumed": [4, 4]}])
    assert "memory reserved for lengths 4, 4" in shown


def test_what_is_no_schedule_is_not_drawn() -> None:
    bad = {"name": "x", "starts": [0], "lengths": [0], "s": 0, "M": 1}
    with pytest.raises(AssertionError, match="a schedule that is none"):
        drawings([bad])
    with pytest.raises(AssertionError, match="a schedule that is none"):
        the_page(replace(decided("one"), proof=PublishedProof((Finding("d", "there", Open("no", {"plan": bad})),))))
    large = {"name": "x", "starts": [0] * 50, "lengths": [200] * 50, "s": 0, "M": 10**5}
    assert "Too large to draw" in drawings([large])


# ---- errata and repairs -----------------------------------------------------------------------------------------


def test_code_in_a_sentence_is_code_in_markdown() -> None:
    assert escaped("at most ``a*b``, and *no* more") == r"at most `a*b`, and \*no\* more"


def check_errata(results: list[ClaimResult]) -> None:
    """There is an entry for what is false or has a bad proof, and for nothing else."""
    entries = {e.id: e for e in errata(results)}
    for result in results:
        false = any(v.status in FALSE for v in result.verdicts)
        assert (result.id in entries) == (false or result.proof.state in ("false-step", "gap"))
        if result.id not in entries:
            continue
        entry = entries[result.id]
        assert entry.marks == tuple((v.level, v.status) for v in result.verdicts)
        texts = [line.text for line in entry.lines]
        for verdict in result.verdicts:
            for finding in verdict.findings:
                found = [line for line in entry.lines if line.head.startswith("False") and verdict.level in line.head]
                assert (finding.status in FALSE) <= any(finding.says in line.text for line in found)
        for display in result.proof.displays:
            assert (display.status in FALSE) == any(t.startswith(display.says) for t in texts), display.id
        assert [t for t in texts if t in {r.sentence for r in result.repairs}] == [
            r.sentence for r in result.standing_repairs
        ]


def test_the_errata_are_what_is_false_and_nothing_else(made_up: list[ClaimResult]) -> None:
    check_errata(made_up)
    assert [e.id for e in errata(made_up)] == ["growth", "deployed", "halved", "follows"]
    assert errata([decided("fine"), decided("open", "inconclusive")]) == []
    assert [e.id for e in errata([decided("x", proof=PublishedProof(gaps=("a hole",)))])] == ["x"]
    elsewhere = decided("y", at={ON_PAPER: "proved", IN_PRACTICE: "contradicted"})
    assert [e.id for e in errata([elsewhere])] == ["y"]  # false at a level at which the paper does not state it


def test_what_is_false_as_stated_comes_first_and_faults_of_proofs_last() -> None:
    hole = PublishedProof(gaps=("a hole",))
    results = [
        decided("proof", proof=hole),
        decided("elsewhere", at={ON_PAPER: "proved", IN_PRACTICE: "contradicted"}),
        decided("false", at={ON_PAPER: "refuted", IN_PRACTICE: "proved"}),
        decided("runs", "contradicted"),
    ]
    found = [(name, [entry.id for entry in entries]) for name, entries in chapters(errata(results))]
    assert found == list(zip(CHAPTERS, (["false", "runs"], ["elsewhere"], ["proof"]), strict=True))
    text = markdown(results, MADE_UP)
    places = [
        text.index(words)
        for words in ("## False as stated", "(`false`)", "(`runs`)", "(`elsewhere`)", "## Not refuted", "(`proof`)")
    ]
    assert places == sorted(places) and "## None" not in text
    assert latex(results).count(r"\subsection*") == 3 == latex(results).count(r"\end{itemize}")


def test_the_errata_of_the_paper_are_what_is_false_and_nothing_else(ledger: list[ClaimResult]) -> None:
    check_errata(ledger)


def test_an_entry_says_witness_claimed_actual_why_it_stays_and_what_rests_below(made_up: list[ClaimResult]) -> None:
    text = markdown(made_up, MADE_UP)
    for words in (
        "on-paper ✗ refuted (stated here), in-practice ~ supported", "x\\_ℓ = 1/3, α = 1/4", "claimed 1 + α; actual ≈ ",
        "it survives M → ∞", "sample 20 runs of 10⁴ requests; margin 0.123457", "the last equality, a/b = α; at a = 1, b = 2; claimed 3; "
        "actual 6; instead: a/b = √α", "**Its proof leaves out:** it assumes s = 0", "growth, refuted at level on-paper",
        "halved, contradicted at level in-practice", "On *On Sums (Nobody)*, a test.",
    ):  # fmt: skip
        assert words in text, words
    assert "$" not in text
    assert "by-a-tie" not in text  # what is degenerate decides nothing
    assert "seed" not in facts(made_up[1].finding("by-runs").evidence)


def test_what_is_false_alike_at_two_levels_stands_once() -> None:
    [entry] = errata([decided("x", at={ON_PAPER: "refuted", IN_PRACTICE: "refuted"})])
    assert [line.head for line in entry.lines if line.status] == [f"False ({ON_PAPER}, {IN_PRACTICE})"]


def test_a_replacement_is_printed_only_while_what_backs_it_holds() -> None:
    false = decided("x", "refuted")
    for status, stands in (("proved", True), ("supported", False), ("inconclusive", False)):
        backing = (Finding("first", "it holds", EVIDENCE["proved"]), Finding("second", "so", EVIDENCE[status]))
        result = replace(false, repairs=(Repair(ON_PAPER, "a true sentence", backing),))
        for text in (markdown([result], MADE_UP), latex([result]), the_page(result), result.show()):
            assert ("a true sentence" in text) == stands, status
        assert (NONE_KNOWN in markdown([result], MADE_UP)) != stands
    assert not Repair(ON_PAPER, "nothing backs it", ()).holds


def test_a_claim_that_stands_needs_no_replacement() -> None:
    hole = PublishedProof(gaps=("a hole",))
    everywhere, elsewhere = {ON_PAPER: "proved", IN_PRACTICE: "proved"}, {ON_PAPER: "proved", IN_PRACTICE: "refuted"}
    [whole] = errata([decided("x", at=everywhere, proof=hole)])
    [part] = errata([decided("x", at=elsewhere, proof=hole)])
    [none] = errata([decided("x", at={ON_PAPER: "refuted", IN_PRACTICE: "refuted"})])
    words = [entry.lines[-1].text for entry in (whole, part, none)]
    assert words == [STANDS, f"the claim stands at level {ON_PAPER}; elsewhere {NONE_KNOWN}", NONE_KNOWN]


def test_latex_has_one_stop_and_code_in_type() -> None:
    own = replace(decided("x", "refuted"), statement="for every number of machines the ratio is ``3/2``.")
    text = latex([own])
    assert r"the ratio is \texttt{3/2}." in text and "``" not in text and ".." not in text


def test_facts_are_short_scalars() -> None:
    assert brief({"s": 1, "l": 2, "table": [{"a": 1}], "deep": {"a": 1}, "long": list(range(50))}) == "$s$ = 1, $l$ = 2"
    assert brief("5389549/2232304") == "5389549/2232304 ≈ 2.41434"
    assert brief("1" * 60 + "/7") == "≈ 1.58730e+58"
    assert brief("0.1234567890") == "0.12345…"
    assert brief([1, 2, 3]) == "(1, 2, 3)"
    assert len(brief("word " * 500)) <= 240
    assert brief([[1], [2]]) == brief(None) == ""


def test_every_repair_of_the_paper_is_backed_by_what_is_proved_or_certified(ledger: list[ClaimResult]) -> None:
    repairs = [(r.id, x) for r in ledger for x in r.repairs]
    assert len({id for id, _ in repairs}) >= 12
    for id, repair in repairs:
        assert repair.sentence, id
        assert repair.findings, id
        assert repair.holds, id


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("id", "given"),
    [
        ("geometric", {"bound": "1.66"}),
        ("geometric", {"direction": "decreases"}),
        ("thm-lg", {"bound": "1.5"}),
        ("uniform-bounds", {"two_point": "1.4"}),
    ],
)
def test_a_corrupted_claim_of_the_paper_does_not_keep_all_its_repairs(id: str, given: dict[str, str]) -> None:
    [claim] = load().select([id])
    before = {r.sentence for r in claim.check().standing_repairs}
    assert before
    assert not before <= {r.sentence for r in claim.check(given).standing_repairs}


def test_the_theorems_on_a_max_behind_repairs_hold_and_their_neighbours_do_not() -> None:
    from math import log, sqrt

    from crtools.papers.adaptive.evidence.a_max import supremum
    from crtools.papers.adaptive.theory import theorem as named
    from crtools.proof.theorem import by_itself

    for theorem in map(named, ("the fraction at a/b = √α", "A_max's supremum at s = 0")):
        assert theorem.holds
        theorem = replace(theorem, judge=by_itself)
        for n, step in enumerate(theorem.steps):
            if hasattr(step, "rhs"):
                wrong = replace(step, rhs=step.rhs * 2 + 1)  # type: ignore[attr-defined, call-arg]
                steps = (*theorem.steps[:n], wrong, *theorem.steps[n + 1 :])
                assert not replace(theorem, steps=steps).holds
    for low, up in ((1, 1), (1, 2), (2, 3), (1, 40), (7, 300)):
        value, ratio = float(supremum(low, up)), up / low
        assert ratio <= value <= ratio / 2 * (1 + sqrt(1 + log(ratio) / 2)) + 1e-12
    for low, up in ((1, 4), (1, 9), (4, 9), (25, 36)):
        a, b = sqrt(low), sqrt(up)
        r = a / b
        shown = up / low * (a * up + b * low) * (a + b) / (up * a * a + 2 * low * a * b + up * b * b)
        assert shown == pytest.approx((1 + r) ** 2 / (r * (1 + r * r + 2 * r**3)), rel=1e-12)


def check_latex(results: list[ClaimResult]) -> None:
    text = latex(results)
    assert text.count(r"\item") == len(errata(results))
    bare = re.sub(r"\\[\\{}$]", "", text)
    assert bare.count("{") == bare.count("}")
    pieces = bare.split("$")
    assert len(pieces) % 2 == 1
    for formula in re.findall(r"(?<!\\)\$([^$]+)\$", text):
        assert mathml(formula), formula
    for plain in re.split(r"(?<!\\)\$[^$]*\$", text):
        assert plain.isascii(), plain
        assert not re.search(r"(?<!\\)[_^&#]", plain), plain


def test_the_latex_errata_are_balanced_and_every_formula_is_read(made_up: list[ClaimResult]) -> None:
    check_latex(made_up)


def test_the_latex_errata_of_the_paper_are_balanced_and_every_formula_is_read(ledger: list[ClaimResult]) -> None:
    check_latex(ledger)


@pytest.mark.exhaustive  # needs Debian's texlive-latex-base
def test_the_latex_errata_of_the_paper_compile(ledger: list[ClaimResult], tmp_path: Path) -> None:
    pdflatex = shutil.which("pdflatex")
    if pdflatex is None:
        if os.environ.get("CRTOOLS_REQUIRE_LATEX") == "1":
            pytest.fail("CRTOOLS_REQUIRE_LATEX=1 and there is no pdflatex")
        pytest.skip("no pdflatex: install Debian's texlive-latex-base")
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "x.tex"]

    def compiles(errata: str) -> bool:
        whole = rf"\documentclass{{article}}\usepackage{{amsmath}}\begin{{document}}{errata}\end{{document}}"
        (tmp_path / "x.tex").write_text(whole, encoding="utf-8")
        return subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False).returncode == 0

    assert compiles(latex(ledger))
    assert not compiles(latex(ledger).replace(r"\item", "\\item $∑_{k}$", 1))  # a sum that is no command


def test_the_errata_page_is_not_stale(ledger: list[ClaimResult]) -> None:
    path = ROOT / "docs" / "errata.md"
    assert path.read_text(encoding="utf-8") == markdown(ledger, load()), "run: crtools report --errata docs/errata.md"


# ---- the command line -------------------------------------------------------------------------------------------


@pytest.fixture
def only_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.ledger.registry.ledgers", lambda: {"made-up": MADE_UP})


COMMAND = ["report", "--ledger", "made-up", "--quick", "--jobs", "1", "--no-cache"]


@pytest.mark.usefixtures("only_made_up")
def test_report_writes_the_page_and_prints_one_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], made_up: list[ClaimResult]
) -> None:
    target, md = tmp_path / "report.html", tmp_path / "errata.md"
    target.write_text("old")
    assert main([*COMMAND, "--html", str(target), "--errata", str(md), "--figures", str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["path"] == str(target)
    assert document["bytes"] == target.stat().st_size
    assert (document["figures"], document["figures_missing"]) == ([], ["growth"])
    assert document["counts"][ON_PAPER]["refuted"] == 1
    assert document["entries"] == [e.id for e in errata(made_up)]
    assert md.read_text(encoding="utf-8") == markdown(made_up, MADE_UP)
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["errata.md", "report.html"]
    assert main([*COMMAND, "--errata", str(tmp_path / "errata.tex")]) == 0
    assert (tmp_path / "errata.tex").read_text(encoding="utf-8") == latex(made_up)


@pytest.mark.usefixtures("only_made_up")
def test_report_without_a_file_prints_the_ledger(
    capsys: pytest.CaptureFixture[str], made_up: list[ClaimResult]
) -> None:
    from crtools.report.terminal import ledger_text

    assert main(COMMAND) == 0
    out = capsys.readouterr().out
    assert out == ledger_text(made_up, MADE_UP) + "\n"
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert main([*COMMAND, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["path"] is None


@pytest.mark.usefixtures("only_made_up")
def test_the_screen_is_the_same_whether_results_are_kept_or_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("ledger.ledger", "cli.verify"):  # as if it were one of the package's
        monkeypatch.setattr(f"crtools.{module}.comes_with_crtools", lambda ledger: True)
    command = ["verify", "--ledger", "made-up", "--jobs", "1", "--cache", str(tmp_path)]

    def screen() -> str:
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert err == "" and "\x1b" not in out
        return out

    decided = screen()
    assert screen() == decided
    (tmp_path / next(p.name for p in tmp_path.iterdir() if p.name.startswith("growth"))).unlink()
    assert screen() == decided


def test_headlines_come_first_and_slow_claims_last() -> None:
    own = load()
    order = sorted((claim.id for claim in own.claims), key=lambda id: own.order_keys[id])
    plain, compiled = (
        [id for id in order if id not in own.slow and (id in own.compiled) == loops] for loops in (False, True)
    )
    assert order[: len(plain) + len(compiled)] == plain + compiled and set(order[-len(own.slow) :]) == own.slow
    headlines = {headline.claim for headline in own.headlines() if own.seconds.get(headline.claim, 0) < 3}
    for quick in ([id for id in group if own.seconds.get(id, 0) < 3] for group in (plain, compiled)):
        first = headlines.intersection(quick)
        assert first and set(quick[: len(first)]) == first
    assert own.compiled <= set(order) and set(own.seconds) <= set(order)


def test_the_papers_ledger_is_one_screen(ledger: list[ClaimResult]) -> None:
    from crtools.report.terminal import ledger_text

    lines = ledger_text(ledger, load()).splitlines()
    assert len(lines) <= len(ledger) + 17
    assert max(map(len, lines)) <= 80
    for result in ledger:
        assert sum(line.startswith(f"{result.id} ") and line.endswith(unmarked(result.why)) for line in lines) == 1


@pytest.mark.parametrize("name", ["any-memory", "beyond", "nonclairvoyant"])
def test_no_line_of_another_ledger_is_cut(name: str) -> None:
    from crtools import verify
    from crtools.ledger.cache import default_folder
    from crtools.report.terminal import claim_line

    lines = {r.id: (claim_line(r, load(name)), r.why) for r in verify(ledger=name, cache=default_folder())}
    assert len(lines) == len(load(name).claims)
    assert {id: line for id, (line, why) in lines.items() if len(line) > 80 or not line.endswith(unmarked(why))} == {}


@pytest.mark.usefixtures("only_made_up")
def test_the_self_test_has_a_line_per_variant_that_fits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--ledger", "made-up", "--self-test", "--jobs", "1", "--no-cache", "--json"]) in (0, 1)
    rows = json.loads(capsys.readouterr().out)["self_test"]["rows"]
    assert main(["verify", "--ledger", "made-up", "--self-test", "--jobs", "1", "--no-cache"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()[: len(rows)]
    assert [line[0] for line in lines] == ["✓" if row["ok"] else "✗" for row in rows]
    assert max(map(len, lines)) <= 80


@pytest.mark.usefixtures("only_made_up")
def test_report_keeps_results_as_verify_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ledger.ledger", "cli.verify"):  # as if it were one of the package's
        monkeypatch.setattr(f"crtools.{module}.comes_with_crtools", lambda ledger: True)
    folder = tmp_path / "kept"
    command = ["--ledger", "made-up", "--quick", "--jobs", "1", "--cache", str(folder)]
    assert main(["verify", *command]) == 0
    kept = sorted(folder.iterdir())
    assert len(kept) == 5

    def decide(*_: object, **__: object) -> None:
        raise AssertionError("it was decided again")

    monkeypatch.setattr(Claim, "check", decide)
    assert main(["report", *command]) == 0
    assert sorted(folder.iterdir()) == kept


@pytest.mark.usefixtures("only_made_up")
def test_figures_that_are_not_there_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--html", str(tmp_path / "x.html"), "--figures", str(tmp_path)]) == 0
    assert "figures: none; not found: growth" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--html", "--errata"])
@pytest.mark.parametrize("path", ["/no/such/folder/x", "", "."])
def test_a_file_that_cannot_be_written_is_bad_input_before_any_work(
    option: str, path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("work was done")

    monkeypatch.setattr("crtools.ledger.run.verify", work)
    assert main(["report", option, path]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"crtools: {option} = ")
    assert error.count("\n") == 1


def test_a_figure_that_is_no_png_is_bad_input_and_one_that_is_gets_small(tmp_path: Path) -> None:
    known = {"plot": drawing("It grows.", "one", "two"), "other": drawing("It falls.", "three")}
    (tmp_path / "plot.png").write_text("<svg/>")
    with pytest.raises(InputError, match="must be a readable PNG file"):
        read_figures(known, ["one"], tmp_path)
    source = (ROOT / "figures" / "log-fit.png").read_bytes()
    (tmp_path / "plot.png").write_bytes(source)
    found = read_figures(known, ["one", "three"], tmp_path)
    assert found.of("two") == "plot"
    assert found.of("three") == ""
    assert found.missing == ("other",)
    assert found.png["plot"].startswith(b"\x89PNG")
    assert len(found.png["plot"]) < len(source) / 2
    assert found.png == read_figures(known, ["one"], tmp_path).png
    assert read_figures(known, ["nobody"], tmp_path).missing == ()


@pytest.mark.parametrize("name", ["transitions", "exp-3"])
def test_a_small_figure_keeps_the_colours_of_the_policies(name: str) -> None:
    import io

    from matplotlib.colors import to_rgb
    from PIL import Image

    from crtools.papers.adaptive.figures.style import LOOKS
    from crtools.papers.adaptive.figures.transitions import POLICIES
    from crtools.papers.adaptive.workloads.experiments import LEGEND_ORDER

    figures = read_figures(load().figures(), ["lem-deletion", "exp-3"], ROOT / "figures")
    with Image.open(io.BytesIO(figures.png[name])) as image:
        seen = {tuple(part / 255 for part in colour) for _, colour in image.convert("RGB").getcolors() or []}
    for policy in POLICIES if name == "transitions" else LEGEND_ORDER:
        wanted = to_rgb(LOOKS[policy].colour)
        assert min(max(abs(a - b) for a, b in zip(one, wanted, strict=True)) for one in seen) < 0.15, policy


def test_every_figure_of_the_paper_has_a_sentence_and_belongs_to_claims_that_exist() -> None:
    figures = load().figures()
    for name, drawn in figures.items():
        assert len(drawn.says.split()) >= 8, name
        assert drawn.says.count("$") % 2 == 0, name
    assert "lem-deletion" in figures["transitions"].beside


def test_figures_stand_beside_claims_of_the_paper() -> None:
    known = {claim.id for claim in load().claims}
    assert {id for drawn in load().figures().values() for id in drawn.beside} <= known
