"""The report: one page that needs nothing else, errata from the same data, and nothing that is not escaped."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from crtools.cli import main
from crtools.errors import InputError
from crtools.ledger.ledger import CLAIMS
from crtools.ledger.result import ClaimResult, Part, Proof, Repair, Verdict
from crtools.report.claim_section import claim_section
from crtools.report.dependencies import dependencies, reduced, used_by
from crtools.report.errata import NONE_KNOWN, errata, facts, latex, markdown
from crtools.report.evidence import Shown, evidence, scalar
from crtools.report.figures import Figures, read_figures
from crtools.report.graph import graph
from crtools.report.layout import components, layered
from crtools.report.page import page
from crtools.report.schedule_drawing import drawings
from crtools.report.terminal import ledger_table
from crtools.report.writing import write_text
from crtools.schedule import Schedule

ROOT = Path(__file__).parent.parent
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


def decided(name: str, status: Any = "proved", rests_on: tuple[str, ...] = (), **more: Any) -> ClaimResult:
    evidence: dict[str, Any] = {"counterexample": {"s": 1}} if status in FALSE else {"argument": "by inspection"}
    part = Part("the only part", status, more.pop("evidence", evidence))
    verdict = Verdict("as-stated", "every case", "by hand", (part,), more.pop("why", "because"))
    proof = more.pop("proof", Proof("sound"))
    base = ClaimResult(name, "Section 1", "it holds", {"bound": "1"}, rests_on, proof, (verdict,))
    return replace(base, **more)


# ---- the page ---------------------------------------------------------------------------------------------------


def test_the_page_is_well_formed_with_unique_ids_and_no_dead_links(report_page: str) -> None:
    outline = Outline(report_page)
    assert outline.wrong == []
    assert outline.open == []
    ids = [a["id"] for _, a in outline.elements if "id" in a]
    assert len(ids) == len(set(ids))
    inner = [a["href"] for tag, a in outline.elements if tag == "a"]
    assert inner
    assert all(h.startswith("#") and h[1:] in ids for h in inner), [h for h in inner if h[1:] not in ids]


def test_the_page_needs_no_network(report_page: str) -> None:
    assert "http" not in re.sub(r"http-equiv", "", re.sub(r"data:image/png;base64,[A-Za-z0-9+/=]+", "", report_page))
    outline = Outline(report_page)
    assert not [
        tag for tag, _ in outline.elements if tag in ("link", "iframe", "object", "embed", "base", "audio", "video")
    ]
    sources = [a["src"] for _, a in outline.elements if "src" in a]
    assert sources
    assert all(s.startswith("data:image/png;base64,") for s in sources)
    style = report_page[report_page.index("<style>") : report_page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    policy = next(a["content"] for _, a in outline.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert len(report_page.encode()) < 4_000_000


def test_every_claim_has_its_row_its_section_and_its_command(report_page: str, ledger: list[ClaimResult]) -> None:
    outline = Outline(report_page)
    rows = [a for tag, a in outline.elements if tag == "tr" and "data-order" in a]
    assert [int(a["data-order"]) for a in rows] == list(range(len(ledger)))
    assert all("hidden" not in a for a in rows)  # without a script nothing is filtered
    for result, row in zip(ledger, rows, strict=True):
        assert row["data-stated"] == result.verdicts[0].status
        assert row["data-argued"] == result.verdict("where-argued").status
        assert row["data-proof"] == result.proof.state
        assert f'id="claim-{result.id}"' in report_page
        assert f"<code>crtools verify {result.id} --show</code>" in report_page
    [form] = [a for tag, a in outline.elements if tag == "form"]
    assert "hidden" in form


def test_every_formula_is_typeset(report_page: str) -> None:
    assert report_page.count("<math") > 1000
    assert "<code>\\" not in report_page
    body = report_page[report_page.index("<main>") : report_page.index('<details class="source"')]
    assert not re.search(r"\\[A-Za-z]{2,}", "".join(Outline(body).text))


def test_whatever_a_claim_says_is_escaped() -> None:
    bad = '<script>alert(1)</script>" onload="x" & </style>'
    row = {"name": bad, "starts": [0], "lengths": [1], "s": 1, "M": 3}
    proof = {"theorem": bad, "statement": bad, "reading": bad, "holds": False, "steps": [
        {"step": bad, "kind": bad, "text": bad, "latex": bad, "holds": False, "follows_from": [bad], "uses": [bad],
         "failure": bad}]}  # fmt: skip
    data = {bad: bad, "list": [bad], "rows": [{bad: bad}], "deep": {bad: {bad: [bad, {bad: 1}]}}, "inner": proof,
            "schedules": [row], **proof, "counterexample": {bad: bad}}  # fmt: skip
    parts = (Part(bad, "refuted", data), Part(bad + "2", "proved", data))
    verdicts = (
        Verdict("as-stated", bad, bad, parts, bad, (bad,)),
        Verdict("where-argued", bad, bad, parts[1:], bad),
    )
    repair = Repair(bad, (Part(bad, "proved", {}),))
    first = ClaimResult("one", bad, bad, {bad: bad}, ("two",), Proof("false-step", bad), verdicts, (repair,))
    second = replace(first, id="two", rests_on=())
    for html in (page([first, second]), claim_section(first, dependencies([first, second]), Figures(), {}, Shown())):
        outline = Outline(html)
        assert outline.wrong == []
        assert "<script>alert" not in html
        assert not [a for _, a in outline.elements if "onload" in a]
        assert sum(tag == "script" for tag, _ in outline.elements) <= 1
    assert "alert(1)" in "".join(Outline(page([first, second])).text)


def test_a_page_of_nothing_and_of_skipped_claims_is_a_page() -> None:
    assert Outline(page([])).wrong == []
    skipped = decided("one", "skipped", rests_on=("nowhere",))
    html = page([skipped])
    assert Outline(html).wrong == []
    assert "nowhere: not in the ledger" in html


def test_evidence_of_any_shape_is_shown_with_its_whole_values() -> None:
    long = "7" * 200 + "/" + "3" * 180
    part = Part("p", "proved", {"ratio": long, "float": 1 / 3, "none": None, "yes": True, "empty": [], "big": 10**60,
                "rows": [{"a": 1, "b": [1, 2]}, {"a": 2}], "nested": {"x": {"y": [1, [2, 3]]}}})  # fmt: skip
    html = evidence(part, Shown())
    assert Outline(html).wrong == []
    assert long in html
    assert "1" + "0" * 60 in html
    assert repr(1 / 3) in html
    assert "<td>2</td><td></td>" in html
    assert scalar(0.5) == "0.5"
    assert "0.3333333" in scalar(1 / 3)


def test_a_proof_that_occurs_twice_is_shown_once(ledger: list[ClaimResult], report_page: str) -> None:
    proofs = re.findall(r'<details class="proof" id="(proof-\d+)">', report_page)
    assert len(proofs) == len(set(proofs))
    assert report_page.count(", as above</a>") > 5
    assert [r for r in ledger if any("steps" in p.evidence for v in r.verdicts for p in v.parts)]


def test_equal_evidence_is_shown_once_only_where_it_is_the_same_thing() -> None:
    def html(status: Any, data: dict[str, Any]) -> str:
        parts = (Part("first", status, data), Part("second", status, dict(data)))
        result = replace(decided("x"), verdicts=(Verdict("as-stated", "r", "m", parts, "w"),))
        return claim_section(result, dependencies([result]), Figures(), {}, Shown())

    assert "with the same evidence as “first”" in html("refuted", {"counterexample": {"s": 1}})
    searched = html("supported", {"sample": "no counterexample in the whole range"})  # of two searches, say
    assert "same evidence" not in searched
    assert searched.count("no counterexample in the whole range") == 2


# ---- what rests on what -----------------------------------------------------------------------------------------


def test_sand_is_what_is_false_anywhere_below() -> None:
    results = [
        decided("top", rests_on=("middle", "good")),
        decided("middle", rests_on=("false", "gone")),
        decided("good"),
        decided("false", "refuted"),
        decided("measured", "contradicted"),
        decided("other", rests_on=("measured",)),
    ]
    nodes = dependencies(results)
    assert nodes["top"].sand == ("false",)
    assert nodes["middle"].sand == ("false",)
    assert nodes["other"].sand == ("measured",)
    assert nodes["good"].sand == nodes["false"].sand == ()
    assert nodes["gone"].status == "undecided"
    assert used_by(nodes, "false") == ("middle",)


def test_an_edge_that_follows_from_others_is_left_out_and_a_circle_is_kept() -> None:
    nodes = dependencies([decided("a", rests_on=("b", "c")), decided("b", rests_on=("c",)), decided("c")])
    assert reduced(nodes) == [("a", "b"), ("b", "c")]
    circle = dependencies([decided("a", rests_on=("b",)), decided("b", "refuted", rests_on=("a",))])
    assert sorted(reduced(circle)) == [("a", "b"), ("b", "a")]
    assert circle["a"].sand == ("b",)
    assert graph(circle)


def test_the_layout_goes_down_and_its_boxes_do_not_touch() -> None:
    names = [f"n{k}" for k in range(9)]
    edges = [
        ("n0", "n3"),
        ("n0", "n8"),
        ("n1", "n3"),
        ("n2", "n4"),
        ("n3", "n5"),
        ("n4", "n5"),
        ("n5", "n8"),
        ("n6", "n8"),
    ]
    width = {n: 40.0 + 5 * k for k, n in enumerate(names)}
    found = layered([n for n in names if n != "n7"], edges, width, 10)
    row = {n: k for k, r in enumerate(found.rows) for n in r}
    assert all(row[a] < row[b] for a, b in edges)
    for names_of_row in found.rows:
        ends = [(found.x[n] - width.get(n, 2) / 2, found.x[n] + width.get(n, 2) / 2) for n in names_of_row]
        assert all(b[0] - a[1] >= 10 - 1e-6 for a, b in pairwise(ends))
    assert [len(p) for p in found.paths] == [row[b] - row[a] + 1 for a, b in edges]
    assert found.x == layered([n for n in names if n != "n7"], edges, width, 10).x
    assert components(names, edges)[-1] == ["n7"]


def test_the_graph_marks_what_is_false_by_more_than_a_colour(ledger: list[ClaimResult]) -> None:
    nodes = dependencies(ledger)
    drawing = graph(nodes)
    assert Outline(drawing).wrong == []
    linked = {n for node in nodes.values() if node.rests_on for n in (node.id, *node.rests_on)}
    for name in linked:
        node = nodes[name]
        box = re.search(rf'<g class="node ([^"]*)"><title>{name}: ([^<]*)</title>.*?</g>', drawing)
        assert box, name
        assert ("false" in box.group(1).split()) == (node.status in FALSE)
        assert ("on sand" in box.group(0)) == bool(node.sand)
        if node.status in FALSE:
            assert node.status in box.group(2)
    assert drawing.count('class="edge') == sum(len(e) > 0 for e in reduced(nodes))
    assert drawing.count("edge to-false") == sum(nodes[b].status in FALSE for _, b in reduced(nodes))


# ---- schedules --------------------------------------------------------------------------------------------------


def drawn_schedules(results: list[ClaimResult]) -> list[tuple[str, dict[str, Any]]]:
    parts = [(r.id, p) for r in results for v in r.verdicts for p in v.parts]
    return [(name, row) for name, p in parts for row in p.evidence.get("schedules", [])]


def test_every_drawn_schedule_is_one(ledger: list[ClaimResult]) -> None:
    rows = drawn_schedules(ledger)
    assert {"hsf-lower", "packed-random", "prop-memory", "lem-max-random", "thm-endpoints"} <= {
        name for name, _ in rows
    }
    for name, row in rows:
        plan = Schedule(row["starts"], row["lengths"], row["s"])
        moved = name == "packed-random" and "moved" in row["name"]
        assert plan.feasible(row["M"]) or moved, (name, row)


def test_the_schedules_of_a_refutation_show_it(ledger: list[ClaimResult]) -> None:
    by_id = {r.id: r for r in ledger}
    [slow, better] = by_id["hsf-lower"].verdicts[0].parts[0].evidence["schedules"]
    totals = [Schedule(x["starts"], x["lengths"], x["s"]).total_latency for x in (slow, better)]
    assert totals == [13, 12]
    moved = by_id["packed-random"].verdicts[0].parts[0].evidence["schedules"][1]
    assert Schedule(moved["starts"], moved["lengths"], moved["s"]).feasible(moved["M"])


def test_a_drawing_has_one_block_for_each_instant_of_each_request() -> None:
    row = {"name": "I", "starts": [0, 2], "lengths": [3, 1], "s": 2, "M": 6}
    html = drawings([row])
    assert Outline(html).wrong == []
    assert len(re.findall(r'<rect class="c\d"', html)) == 4
    assert len(re.findall(r'<rect class="c\d prompt"', html)) == 4
    assert "total latency 6" in html
    assert "largest use 8 of 6, which is exceeded" in html
    assert "capacity 6" in html
    heights = [float(h) for h in re.findall(r'<rect class="c\d" [^>]*height="([\d.]+)"', html)]
    unit = heights[0] / 3
    assert [round(h / unit) for h in heights] == [3, 4, 5, 3]
    shown = drawings([row, {**row, "M": 9, "assumed": [4, 4]}])
    assert "memory reserved for lengths 4, 4" in shown


def test_what_is_no_schedule_is_not_drawn() -> None:
    for bad in ({"name": "x"}, {"name": "x", "starts": [0], "lengths": [0], "s": 0, "M": 1}):
        with pytest.raises(AssertionError, match="a schedule that is none"):
            drawings([bad])
    large = {"name": "x", "starts": [0] * 50, "lengths": [200] * 50, "s": 0, "M": 10**5}
    assert "Too large to draw" in drawings([large])


# ---- errata and repairs -----------------------------------------------------------------------------------------


def test_the_errata_page_is_not_stale(ledger: list[ClaimResult]) -> None:
    path = ROOT / "docs" / "errata.md"
    assert path.read_text(encoding="utf-8") == markdown(ledger), "run: crtools report --errata docs/errata.md"


def test_the_errata_are_what_is_false_and_nothing_else(ledger: list[ClaimResult]) -> None:
    entries = {e.id: e for e in errata(ledger)}
    for result in ledger:
        false = {p.part for v in result.verdicts for p in v.parts if p.status in FALSE}
        assert (result.id in entries) == bool(false or result.proof.state in ("false-step", "gap"))
        if result.id in entries:
            entry = entries[result.id]
            assert {f.part for f in entry.faults} == false
            assert all(f.facts for f in entry.faults)
            assert entry.repairs == result.standing_repairs
    assert errata([decided("fine"), decided("open", "inconclusive")]) == []
    assert [e.id for e in errata([decided("x", proof=Proof("gap", "a hole"))])] == ["x"]


def test_a_replacement_is_printed_only_while_its_parts_hold() -> None:
    false = decided("x", "refuted")
    for status, shown in (("proved", True), ("certified", True), ("supported", False), ("inconclusive", False)):
        repair = Repair("a true sentence", (Part("first", "proved", {}), Part("second", status, {})))  # type: ignore[arg-type]
        result = replace(false, repairs=(repair,))
        for text in (markdown([result]), latex([result]), page([result]), result.show()):
            assert ("a true sentence" in text) == shown, status
        assert (NONE_KNOWN in markdown([result])) != shown
        assert bool(result.as_json()["repair"]) == shown
    assert not Repair("nothing backs it", ()).holds


def test_every_repair_is_backed_by_what_is_proved_or_certified(ledger: list[ClaimResult]) -> None:
    repairs = [(r.id, x) for r in ledger for x in r.repairs]
    assert len({name for name, _ in repairs}) >= 12
    for name, repair in repairs:
        assert repair.sentence, name
        assert repair.parts, name
        assert all(p.status in ("proved", "certified") and p.evidence for p in repair.parts), name
        assert repair.holds


@pytest.mark.parametrize(
    ("name", "given", "word"),
    [
        ("geometric", {"bound": "1.66"}, "at most"),
        ("geometric", {"direction": "decreases"}, "increases"),
        ("thm-lg", {"bound": "1.5"}, "closed form"),
        ("uniform-bounds", {"two_point": "1.4"}, "uniformly"),
        ("lem-pd", {"fourier": "12/((1+xi**2)*(2+xi**2))"}, "transform"),
        ("amin-derivation", {"tau": "delta*i*2"}, "E[τ_k]"),
    ],
)
def test_a_corrupted_claim_does_not_keep_the_repair(name: str, given: dict[str, str], word: str) -> None:
    claim = next(c for c in CLAIMS if c.id == name)
    assert any(word in r.sentence for r in claim.check().standing_repairs)
    assert not any(word in r.sentence for r in claim.check(given).standing_repairs)


def test_the_new_theorems_behind_repairs_hold_and_their_neighbours_do_not() -> None:
    from math import log, sqrt

    from crtools.papers.adaptive.claims.section_3.a_max_a_random import fraction_theorem, max_rate_theorem
    from crtools.papers.adaptive.evidence.a_max_exact import supremum

    for theorem in (fraction_theorem(), max_rate_theorem()):
        assert theorem.holds
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


def test_the_latex_errata_are_balanced_and_every_formula_is_read(ledger: list[ClaimResult]) -> None:
    from crtools.report.maths import mathml

    text = latex(ledger)
    assert text.count(r"\item") == len(errata(ledger))
    bare = re.sub(r"\\[\\{}$]", "", text)
    assert bare.count("{") == bare.count("}")
    pieces = bare.split("$")
    assert len(pieces) % 2 == 1
    for formula in re.findall(r"(?<!\\)\$([^$]+)\$", text):
        assert not mathml(formula).startswith("<code>"), formula
    for plain in re.split(r"(?<!\\)\$[^$]*\$", text):
        assert plain.isascii() or set(re.sub(r"[\x00-\x7f]", "", plain)) <= set("βα"), plain
        assert not re.search(r"(?<!\\)[_^&#]", plain), plain


def test_facts_are_short_exact_and_say_what_was_measured() -> None:
    data = {"counterexample": {"s": 1, "l": 2}, "ratio": "5389549/2232304", "big": "1" * 200, "x": 0.123456789,
            "ends": ["1.71555328134", "1.71555328135"], "growth": "L",
            "second computation": "again", "holds": True, "TEL over H-SF": {"mean": 2.5, "interval": [2.4, 2.6]}}  # fmt: skip
    shown = facts(Part("p", "refuted", data))
    assert shown.startswith("counterexample: s = 1, l = 2; ")
    for words in ("5389549/2232304 ≈ 2.4143", "0.12346", "ends: 1.71555…", "2.5 (95 % interval 2.4 to 2.6)"):
        assert words in shown
    assert not any(words in shown for words in ("111", "growth", "again", "holds"))


# ---- the command line -------------------------------------------------------------------------------------------


@pytest.fixture
def decided_once(ledger: list[ClaimResult], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.ledger.ledger.verify", lambda *_, **__: ledger)


@pytest.mark.usefixtures("decided_once")
def test_report_writes_the_page_and_prints_one_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, report_page: str
) -> None:
    monkeypatch.chdir(ROOT)
    target, md = tmp_path / "report.html", tmp_path / "errata.md"
    target.write_text("old")
    assert main(["report", "--html", str(target), "--errata", str(md), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["path"] == str(target)
    assert document["bytes"] == target.stat().st_size
    assert document["figures"] == ["convergence", "exp-1", "exp-2", "exp-3", "geometric", "log-fit", "two-point"]
    assert document["figures_missing"] == []
    assert document["counts"]["refuted"] > 0
    assert target.read_text(encoding="utf-8") == report_page
    assert md.read_text(encoding="utf-8") == (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["errata.md", "report.html"]


@pytest.mark.usefixtures("decided_once")
def test_report_without_a_file_prints_the_ledger(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "place" in out.splitlines()[0]
    assert main(["report", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["path"] is None


@pytest.mark.usefixtures("decided_once")
def test_figures_that_are_not_there_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--html", str(tmp_path / "x.html"), "--figures", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "figures: none; not in" in out
    assert "log-fit" in out


@pytest.mark.parametrize("option", ["--html", "--errata"])
@pytest.mark.parametrize("path", ["/no/such/folder/x", "", "."])
def test_a_file_that_cannot_be_written_is_bad_input_before_any_work(
    option: str, path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("work was done")

    monkeypatch.setattr("crtools.ledger.ledger.verify", work)
    assert main(["report", option, path]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"crtools: {option} = ")
    assert error.count("\n") == 1


def test_a_figure_that_is_no_png_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "log-fit.png").write_text("<svg/>")
    with pytest.raises(InputError, match="must be a PNG file"):
        read_figures(["thm-log"], tmp_path)
    (tmp_path / "log-fit.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"0" * 2_000_000)
    assert read_figures(["thm-log"], tmp_path).missing == ("log-fit",)
    (tmp_path / "some-claim.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert read_figures(["some-claim"], tmp_path).of("some-claim") == "some-claim"
    assert read_figures(["other"], tmp_path).missing == ()


def test_writing_replaces_a_file_whole_or_leaves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "x.html"
    assert write_text("--html", str(target), "é") == 2
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(InputError, match="No space left"):
        write_text("--html", str(target), "new")
    assert target.read_text(encoding="utf-8") == "é"
    assert [p.name for p in tmp_path.iterdir()] == ["x.html"]


def test_the_table_has_the_place_and_what_rests_on_what_is_false(ledger: list[ClaimResult]) -> None:
    table = ledger_table(ledger, width=150)
    lines = table.splitlines()
    assert lines[0].split() == ["claim", "place", "as", "stated", "where", "argued", "proof", "why"]
    assert "Eq. latency" in table
    nodes = dependencies(ledger)
    assert table.count("its proof rests on what is false:") == sum(bool(nodes[r.id].sand) for r in ledger)
    coloured = ledger_table(ledger, colour=True, width=150)
    assert re.sub(r"\x1b\[\d+m", "", coloured).split() == table.split()
    assert "\x1b[31mrefuted" in coloured
