"""The documentation: its code runs, what it names exists, its API page is complete, and every theorem is on a page of proofs."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import crt
from made_up import MADE_UP
from parsed import MODULES, parsed, source
from paths import ROOT

import crtools
from check.theory import called
from crtools import verify
from crtools.cli import build_parser, main
from crtools.ledger import ClaimResult
from crtools.ledger.cache import default_folder
from crtools.ledger.ledger import NOTHING
from crtools.ledger.registry import ledgers, load
from crtools.ledger.run import as_json
from crtools.report.terminal import ledger_text

DOCS = ROOT / "docs"
README = ROOT / "README.md"
HOW_TO = [*sorted(DOCS.glob("add-a-*.md")), DOCS / "nonclairvoyant.md"]
BEYOND = sorted((DOCS / "beyond").glob("*.md"))
sys.path.insert(0, str(DOCS / "hooks"))

import accessible  # noqa: E402 -- the hooks are no package
import beside  # noqa: E402
import breaks  # noqa: E402
import decide  # noqa: E402
import headlines  # noqa: E402
import maths  # noqa: E402 -- the hooks are no package
import theorems  # noqa: E402


def blocks(path: Path) -> list[str]:
    """The Python blocks of a page, in order."""
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "path", [README, DOCS / "index.md", *HOW_TO, *(p for p in BEYOND if blocks(p))], ids=lambda p: p.name
)
def test_the_code_of_a_page_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [block for block in blocks(path) if "figure(" not in block]  # figures have tests of their own
    assert found
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for number, block in enumerate(found):
        exec(compile(block, f"{path.name}, block {number}", "exec"), names)


@pytest.mark.exhaustive  # takes seconds
def test_the_commands_of_the_page_on_schedulers_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text, printed = (DOCS / "which-scheduler.md").read_text(encoding="utf-8"), ""
    for kind, block in re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if kind == "python":
            exec(compile(block, "which-scheduler.md", "exec"), {"__name__": "page"})
        elif kind == "bash":
            done = crt(*shlex.split(block.replace("\\\n", " "))[1:])
            assert (done.returncode, done.stderr) == (0, "")
            printed = done.stdout
        else:
            assert set(block.splitlines()) <= set(printed.splitlines())
    assert printed


def test_every_how_to_checks_what_it_shows() -> None:
    assert {"add-a-form.md", "add-a-distribution.md", "add-a-policy.md"} <= {path.name for path in HOW_TO}
    for path in HOW_TO:
        assert any("assert " in block for block in blocks(path)), path.name


def test_every_public_name_is_on_the_api_page_once() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((DOCS / "api").glob("*.md")))
    shown = re.findall(r"^::: crtools\.(\w+)$", text, re.MULTILINE)
    in_words = {"__version__", "FORMS", "POLICIES", "experiment"}  # the last one comes from a ledger
    assert sorted(shown) == sorted(set(crtools.__all__) - in_words)
    assert all(f"`crtools.{name}`" in text for name in in_words)


# ---- what the pages and the docstrings name ----------------------------------------------------------------------

GENERATED = {"errata.md"}
EXAMPLES = {
    "crtools/papers/adaptive/claims/one_length.py",
    "crtools.ledgers",
}
"""Files that a page tells its reader to write, and the group of entry points."""

DOTTED = re.compile(r"(?<![\w/.-])crtools(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(
    r"(?<![\w/.-])(?:(?:crtools|check|docs|notebooks|benchmarks)/[\w./*-]*|crtools_check\.py|tests/(?:\w+/)*test_\w+\.py)"
)


def sources() -> list[Path]:
    pages = [page for page in DOCS.glob("*.md") if page.name not in GENERATED]
    return sorted(
        [
            README,
            ROOT / "CONTRIBUTING.md",
            *pages,
            *DOCS.glob("hooks/*.py"),
            ROOT / "notebooks" / "build.py",
            *MODULES.values(),
        ]
    )


def named(text: str) -> set[str]:
    """The modules, names and files of this project that a text names, without a full stop or a slash at the end."""
    found = {match.rstrip("./*") for match in (*DOTTED.findall(text), *FILE.findall(text))}
    return {name for name in found if name and name not in EXAMPLES}


def exists(name: str) -> bool:
    """Whether a path is there, or a dotted name is a module or an attribute of one."""
    if "/" in name or name.endswith(".py"):
        return any(ROOT.glob(name))
    home, rest = ROOT, name.split(".")
    while rest and ((home / rest[0]).is_dir() or (home / f"{rest[0]}.py").exists()):
        home /= rest.pop(0)
    if not rest:
        return True
    place: Any = importlib.import_module(".".join(home.relative_to(ROOT).parts))
    for part in rest:
        place = getattr(place, part, None)
    return place is not None


def test_what_the_pages_and_the_docstrings_name_exists() -> None:
    missing = {
        path.relative_to(ROOT).as_posix(): gone
        for path in sources()
        if (gone := sorted(name for name in named(path.read_text(encoding="utf-8")) if not exists(name)))
    }
    assert not missing


def links(text: str) -> list[str]:
    """The files that a page links to or shows, without those elsewhere and without code."""
    plain = re.sub(r"`[^`\n]*`", "", text)
    return [name for name in re.findall(r"\]\(([^)#\s]+)", plain) if "://" not in name]


MADE = {
    DOCS / "what-rests-on-words.md",
    DOCS / "proofs" / "index.md",
    *(DOCS / "proofs" / f"{claim.id}.md" for claim in load("beyond").claims),
    *(DOCS / "tutorials" / f"{path.stem}.md" for path in (ROOT / "notebooks").glob("*.ipynb")),
}
"""Pages that the hooks write."""


@pytest.mark.parametrize("path", [README, *sorted(DOCS.rglob("*.md"))], ids=lambda p: p.name)
def test_every_link_leads_to_a_file(path: Path) -> None:
    targets = [(path.parent / name).resolve() for name in links(path.read_text(encoding="utf-8"))]
    assert [target for target in targets if target not in MADE and not target.exists()] == []


def test_every_command_and_option_of_the_readme_is_known() -> None:
    commands = build_parser()[1]
    found = re.findall(
        r"crtools ([a-z][\w-]*)([^`\n&]*)", re.sub(r"\n```text\n.*?```", "", README.read_text(), flags=re.DOTALL)
    )
    used = [(name, rest) for name, rest in found if name in commands or "--" in rest]
    assert {name for name, _ in used} >= {"verify"}
    for name, rest in used:
        assert set(re.findall(r"--[a-z-]+", rest)) <= set(re.findall(r"--[a-z-]+", commands[name].format_help())), name


def test_the_output_in_the_readme_is_the_ledgers(ledger: list[ClaimResult]) -> None:
    shown, *_ = re.findall(r"^```text\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert set(shown.splitlines()) <= set(ledger_text(ledger, load()).splitlines())
    assert len(shown.splitlines()) == 6


def test_the_table_in_the_readme_is_the_ledgers(ledger: list[ClaimResult]) -> None:
    table = re.findall(r"^\|.*\n", README.read_text(encoding="utf-8").partition("<!-- end -->")[0], re.MULTILINE)
    assert "".join(table) == headlines.markdown(ledger, load()), "run: python docs/hooks/headlines.py"
    assert len(table) == 2 + 5 and not [line for line in table if NOTHING in line]


def test_the_readme_prints_what_its_code_prints(capsys: pytest.CaptureFixture[str]) -> None:
    [(code, printed)] = re.findall(
        r"^```python\n(.*?)^```\n```text\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S
    )
    exec(compile(code, "README", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out == printed


def test_the_comparison_in_the_readme_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = README.read_text(encoding="utf-8")
    [(command, printed)] = re.findall(r"^```bash\n(.*?)^```\n```text\n(.*?)^```", text, re.M | re.S)
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command.replace("which", str(tmp_path / "which")).replace("\\\n", ""))
    assert program == ".venv/bin/crtools" and main(arguments) == 0
    assert set(printed.splitlines()) <= set(capsys.readouterr().out.splitlines())
    shown = (DOCS / "examples" / "which-scheduler.data.csv").read_bytes()
    assert (tmp_path / "which-scheduler.data.csv").read_bytes() == shown, "draw the picture of the README again"


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 120


def test_the_first_two_blocks_of_the_readme_are_its_commands() -> None:
    first, second, *_ = re.findall(r"^```\w*\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    assert (first, second) == ("./run verify\n", "./run test\n")
    assert os.access(ROOT / "run", os.X_OK)
    refused = subprocess.run([ROOT / "run", "verfy"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and refused.stderr.startswith("usage: ./run verify")


FIGURE_OR_CLAIMS = """#!/bin/sh
case $1 in
  figure) trap 'kill $!; echo >ended; exit 1' TERM; sleep $DRAWING & echo >started; wait $!; echo drawn ;;
  verify) until [ -e started ]; do sleep 0.05; done; echo decided; exit $DECIDED ;;
esac
"""


@pytest.mark.parametrize(
    ("drawing", "decided", "printed", "ended"), [("0.1", 0, "decided\ndrawn\n", False), ("60", 3, "decided\n", True)]
)
def test_the_first_command_draws_meanwhile_and_no_longer_than_it_decides(
    tmp_path: Path, drawing: str, decided: int, printed: str, ended: bool
) -> None:
    shutil.copy(ROOT / "run", tmp_path)
    for name, text in {"python3": "#!/bin/sh\n", "python": "#!/bin/sh\n", "crtools": FIGURE_OR_CLAIMS}.items():
        program = tmp_path / ".venv" / "bin" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)
    path = f"{tmp_path / '.venv' / 'bin'}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "DRAWING": drawing, "DECIDED": str(decided)}
    done = subprocess.run(
        ["./run", "verify"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (decided, printed)
    deadline = time.monotonic() + 60
    while ended and not (tmp_path / "ended").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert (tmp_path / "ended").exists() == ended


def test_names_of_what_is_gone_are_noticed() -> None:
    text = "``crtools.theorems.steps`` and `crtools/worstcase/perron.py`, but crtools.proof.steps.Positive and docs/model.md."
    assert sorted(name for name in named(text) if not exists(name)) == [
        "crtools.theorems.steps",
        "crtools/worstcase/perron.py",
    ]
    assert exists("crtools.verify") and exists("crtools/papers/*/readings.txt") and not exists("crtools.verifies")


# ---- tutorials ---------------------------------------------------------------------------------------------------


def test_a_notebook_becomes_a_page_with_its_outputs(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    import nbformat
    import tutorials

    text, _ = tutorials.page(ROOT / "notebooks" / "03-simulation.ipynb")
    assert "```python" in text and '<pre class="output"><code>proved optimal: True' in text and "<svg" in text
    text, pictures = tutorials.page(ROOT / "notebooks" / "02-new-distributions.ipynb")
    assert (
        'type="range"' in text
        and re.search(r"supremum <math.*?<mn>43</mn>.*?<mn>29</mn>", text)
        and "{aligned}" not in text
    )
    assert pictures and all(data.startswith(b"\x89PNG") for data in pictures.values())
    assert all(f"]({name})" in text for name in pictures)
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    nbformat.write(book, tmp_path / "new.ipynb")
    with pytest.raises(ValueError, match="was not run"):
        tutorials.page(tmp_path / "new.ipynb")


def test_every_survivor_is_a_change_of_a_line_of_now_and_on_the_page() -> None:
    rows = tomllib.loads((ROOT / "benchmarks" / "survivors.toml").read_text(encoding="utf-8"))["survivor"]
    page = (DOCS / "mutations.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^- `(.*)`$", page, re.MULTILINE)) == sorted(row["mutant"] for row in rows)
    for row in rows:
        file, change = row["mutant"].split(": ", 1)
        line = re.sub(r"\[([^\[\]]*) → [^\[\]]*\]", r"\1", change)
        assert line in map(str.strip, (ROOT / file).read_text(encoding="utf-8").splitlines()), line


def test_every_file_of_the_package_is_in_one_area_of_mutants_and_their_tests_exist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    mutate: Any = importlib.import_module("mutate")
    named = [file for area in mutate.AREAS for file in mutate.files_of(area) if file.name != "__init__.py"]
    every = {p.relative_to(ROOT) for p in (ROOT / "crtools").rglob("*.py") if p.name != "__init__.py"}
    assert len(named) == len(set(named)) and every <= set(named)
    tests = " ".join(tests for _, tests in mutate.AREAS.values()).split()
    assert [test for test in tests if not (ROOT / test.partition("::")[0]).exists()] == []


# ---- the proofs --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def proofs(ledger: list[ClaimResult]) -> dict[str, Any]:
    others = [as_json(verify(ledger=name, cache=default_folder()), name) for name in theorems.LEDGERS[1:]]
    found = theorems.together(as_json(ledger), *others)
    return {**theorems.gathered(found), "further": theorems.further_theorems(found["theorems"])}


def theorem_names() -> list[str]:
    """Regular expressions for the names of all theorems: of the texts, and of those that the package builds with a literal name."""
    found = {re.escape(own.name) for own in theorems.in_texts()}
    for path in MODULES.values():
        for node in ast.walk(parsed(source(path))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.args[0]
            if not isinstance(node.func, ast.Name) or node.func.id not in ("Theorem", "Proof"):
                continue
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.add(re.escape(name.value))
            elif isinstance(name, ast.JoinedStr):
                found.add(
                    "".join(re.escape(str(v.value)) if isinstance(v, ast.Constant) else ".+" for v in name.values)
                )
    return sorted(found)


RENAMED = {
    re.escape("b-inverse"): "inverse of B_u",
    re.escape("cor-ab"): "entries of A_u",
    re.escape("cross term"): "coefficient of x_i x_j",
}
"""Theorems that a claim shows under the name of what it was given."""

OF_OTHER_VALUES = {r"period\ time,\ .+", r".+,\ written\ otherwise", r"Hadamard\ power\ .+"}
"""Theorems of values in the place of a claim's own, on no page."""


def test_the_names_of_theorems_are_found() -> None:
    assert {"entries", "trace\\(harmonic\\)", "lower\\ bound", "tails\\ of\\ .+", "total\\ latency"} <= set(
        theorem_names()
    )


@pytest.mark.exhaustive  # decides the other ledgers too
def test_every_theorem_is_on_a_page(proofs: dict[str, Any]) -> None:
    shown = {t["theorem"] for claim in proofs["claims"] for t in claim["theorems"]}
    shown |= {t["theorem"] for t in proofs["further"]}
    shown |= {
        called(name)[0] for name in shown
    }  # of a theorem with functions, and of what is built as it for other ones
    names = {RENAMED.get(name, name) for name in theorem_names()} - OF_OTHER_VALUES
    missing = sorted(name for name in names if not any(re.fullmatch(name, there) for there in shown))
    assert not missing, "write them in the text of a ledger, add them to further_theorems, or to a claim's evidence"


def test_theorems_are_collected_from_findings_proofs_and_repairs(made_up: list[ClaimResult]) -> None:
    document = as_json(made_up, MADE_UP)
    found = theorems.gathered(document)
    assert [(c["id"], [t["theorem"] for t in c["theorems"]]) for c in found["claims"]] == [
        ("odd-sum", ["sum of odd numbers"]),
        ("growth", ["sum of odd numbers", "two halves"]),
    ]
    places = [shown["where"] for c in found["claims"] for t in c["theorems"] for shown in t["shows"]]
    assert places == [
        "at level on-paper", "at level in-practice", "of the published proof", "at level on-paper", "in its place, at level on-paper",
    ]  # fmt: skip
    assert found["theorems"] == document["theorems"]


def check_pages(proofs: dict[str, Any]) -> None:
    """A page shows every verdict and every step of theorems that hold."""
    for claim in proofs["claims"]:
        assert all(t["holds"] and t["steps"] and all(s["holds"] for s in t["steps"]) for t in claim["theorems"])
        page = theorems.claim_page(claim)
        assert page.startswith(f"# {claim['id']}\n")
        for verdict in claim["levels"]:
            assert f"<td>{verdict['level']}</td><td><strong>{verdict['status']}</strong></td>" in page
        assert page.count('<span class="kind">') == sum(len(t["steps"]) for t in claim["theorems"])
        assert page.count("<math") >= len(claim["theorems"])
        assert "$" not in page
    overview = theorems.index_page(proofs)
    assert all(f'href="{claim["id"]}.html"' in overview for claim in proofs["claims"])
    assert "polynomial integral" in overview


def test_a_page_shows_verdicts_statement_and_every_step(made_up: list[ClaimResult]) -> None:
    check_pages(theorems.gathered(as_json(made_up, MADE_UP)))


@pytest.mark.exhaustive  # takes seconds
def test_the_pages_of_the_paper_show_verdicts_statement_and_every_step(proofs: dict[str, Any]) -> None:
    check_pages(proofs)
    further = theorems.further_page(proofs["further"])
    assert further.count('<span class="kind">') == sum(len(t["steps"]) for t in proofs["further"])
    shown = {t["theorem"] for claim in proofs["claims"] for t in claim["theorems"]}
    assert proofs["further"] and not shown & {t["theorem"] for t in proofs["further"]}


def test_the_theorems_of_the_texts_are_found() -> None:
    found = [own.name for own in theorems.in_texts()]
    assert len(found) == len(set(found)) > 150
    for name in ("sharp upper bound", "trace(harmonic)", "upper bound for each s"):
        assert name in found


# ---- formulas ----------------------------------------------------------------------------------------------------


def test_formulas_become_mathml() -> None:
    pytest.importorskip("latex2mathml")
    assert maths.mathml("x^2") == "<math><msup><mi>x</mi><mn>2</mn></msup></math>"
    marked = '<p>as <span class="arithmatex">\\(i &lt; j\\)</span></p>'
    assert maths.typeset(marked) == f"<p>as {maths.mathml('i < j')}</p>"
    shown = maths.typeset('<div class="arithmatex">\\[\\sup_{x\\ge0} f(x)\\]</div>')
    assert shown.startswith('<div class="formula"><math display="block">')
    assert "<munder><mi>sup</mi>" in shown
    long = maths.display(" + ".join(f"\\frac{{{n}}}{{x}}" for n in range(20)) + r" = \left( a + b \right)")
    assert long.count("<math") == 21
    assert long.count("<wbr>") == 20


@pytest.mark.parametrize("latex", [r"\nosuchcommand{x}", r"\frac{1", "x_"])
def test_a_formula_that_is_not_understood_fails_the_build(latex: str) -> None:
    pytest.importorskip("latex2mathml")
    with pytest.raises(ValueError, match="formula"):
        maths.mathml(latex)


def test_a_formula_put_aside_is_on_the_page_and_not_read_before() -> None:
    markdown = pytest.importorskip("markdown")
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"), toc=[])
    shown = maths.display(r"x_{ij} + \frac{1}{2}")
    html = markdown.markdown(f"<ol><li>a step {maths.aside(shown)}</li></ol>", extensions=["md_in_html"])
    html = maths.on_page_content(html, page)
    assert html == f"<ol><li>a step <!--maths {shown}--></li></ol>"
    assert maths.on_post_page(html, page) == f"<ol><li>a step {shown}</li></ol>"


def test_what_the_theme_leaves_without_a_name_gets_one() -> None:
    title = '<label class="md-nav__title" for="__nav_3"><span class="md-nav__icon md-icon"></span> True &amp; <i>more</i> </label>'
    nav = f'<nav class="md-nav" {{}} aria-expanded="false"> {title}</nav>'
    assert accessible.named(nav.format('aria-labelledby="__nav_3_label"')) == nav.format('aria-label="True &amp; more"')
    assert accessible.named('<div role="dialog">') == '<div role="dialog" aria-label="Search">'
    assert accessible.named('<th></th><th class="a"></th><th>b</th>') == '<td></td><td class="a"></td><th>b</th>'
    formula = "<math><msub><mi>A</mi><mtext>max</mtext></msub></math>"
    assert accessible.named(f'<a href="x">{formula}</a>') == f'<a aria-label="A max" href="x">{formula}</a>'
    assert accessible.named(f'<a href="x">of {formula}</a>') == f'<a href="x">of {formula}</a>'


def test_long_words_of_code_in_tables_may_break() -> None:
    cell, name = "<td>{}<code>a-min-literal</code></td>", "<code>crtools/process/rules.py</code>"
    broken = name.replace("crtools/process/", "crtools/<wbr>process/<wbr>").replace(".py", ".<wbr>py")
    assert breaks.breakable(cell.format(name) + name) == cell.format(broken) + name


def test_words_get_indices_outside_code_and_formulas() -> None:
    assert maths.scripts("<p>x_ij, T_{k−1}, 10^8</p>") == ("<p>x<sub>ij</sub>, T<sub>k−1</sub>, 10<sup>8</sup></p>")
    for literal in ("<code>x_ij</code>", "<pre><code>a</code>x_ij</pre>", "<math><mi>x_ij</mi></math>", "cross_sum"):
        assert maths.scripts(literal) == literal


def test_a_page_that_shows_mathematics_as_it_is_typed_is_refused() -> None:
    class Page:
        class file:
            src_uri = "index.md"

    fine = "<article><p>A_u, 5 < 6</p><code>$x_{i}$ \\sum</code><math><mi>x</mi></math></article>"
    assert maths.on_post_page(fine, page=Page) == fine
    for typed in ("$x$", "\\ell", "sqrt(2)", "x_{i}", "2^{k}", "sum_{k}"):
        with pytest.raises(ValueError, match="typed"):
            maths.on_post_page(f"<article><p>as {typed} is</p></article>", page=Page)


def test_a_page_that_loads_something_from_the_network_is_refused() -> None:
    class Page:
        class file:
            src_uri = "index.md"

    here = '<a href="https://arxiv.org/abs/2508.14544">paper</a><script src="assets/a.js"></script><link rel="stylesheet" href="a.css">'
    assert maths.on_post_page(here, page=Page) == here
    for elsewhere in (
        '<script src="https://cdn.example/a.js"></script>',
        '<img alt="" src="//cdn.example/a.png">',
        '<link rel="stylesheet" href="https://cdn.example/a.css">',
    ):
        with pytest.raises(ValueError, match="network"):
            maths.on_post_page(here + elsewhere, page=Page)


def test_docstring_entries_become_a_list() -> None:
    pytest.importorskip("griffe")
    import docstrings

    text = "Run it.\nn: how many;\n    at least 1.\nl, u: the ends: both.\n\nRaises nothing."
    expected = "Run it.\n\n- `n`: how many;\n    at least 1.\n- `l`, `u`: the ends: both.\n\nRaises nothing."
    assert docstrings.listed(text) == expected
    assert docstrings.listed("Return x: a number.") == "Return x: a number."


# ---- what is written beside the pages ----------------------------------------------------------------------------


def test_what_is_written_beside_the_pages_is_written_once(tmp_path: Path) -> None:
    def work(name: str) -> dict[str, int]:
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(name)
        return {name: 1}

    for name in "ab":
        beside.start(name, lambda name=name: work(name))
    for name in "aabb":
        assert beside.result(name) == {name: 1}
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"a": "a", "b": "b"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere this process writes it, and raises what was raised")
def test_a_page_that_cannot_be_written_ends_the_build() -> None:
    beside.start("nothing", lambda: 1 // 0)
    with pytest.raises(ValueError, match="nothing ended with 1"):
        beside.result("nothing")


def test_all_ledgers_are_decided_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {(task.ledger.name, task.claim.id) for task in decide.all_tasks()}
    assert own == {(ledger.name, claim.id) for ledger in ledgers().values() for claim in ledger.claims}
    assert {task.claim.id for task in decide.all_tasks() if task.changed} == set(decide.WITH_VARIANTS)
    jobs: list[int] = []
    monkeypatch.setattr(decide, "decide_all", lambda tasks, jobs_=jobs, **_: jobs_.append(len(tasks)))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    decide.decide_the_rest()
    assert jobs == [len(decide.all_tasks()) - len(decide.WITHOUT_PROOF), len(decide.WITHOUT_PROOF)]
    assert capsys.readouterr().out.splitlines() == ["all that may have a proof is decided", "all is decided"]


def test_what_pages_do_not_wait_for_has_no_proof(ledger: list[ClaimResult]) -> None:
    late = [result for result in ledger if result.id in decide.WITHOUT_PROOF]
    assert len(late) == len(decide.WITHOUT_PROOF)
    assert not any(theorems.theorems_of(claim, {}) for claim in as_json(late)["claims"])
    assert all(verdict.rests.missing for result in late for verdict in result.verdicts)


def test_where_deciding_fails_the_build_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "__file__", "/nowhere.py")
    decide.begun.cache_clear()
    try:
        with pytest.raises(ValueError, match="deciding the claims ended with 2"):
            decide.wait_for_proofs()
    finally:
        decide.begun.cache_clear()
