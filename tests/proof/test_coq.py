"""The Coq files: Coq's kernel accepts every lemma and theorem, from the axioms of the reals alone, and no corrupted one.

The usual run compares the files with the records of what Coq has accepted; the exhaustive one compiles them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from paths import ROOT
from sympy.parsing.sympy_parser import parse_expr

from crtools.cli import main
from crtools.errors import InputError
from crtools.proof import coq as coq_
from crtools.proof.accepted import AXIOMS, RECORD
from crtools.proof.builder import Proof
from crtools.proof.coq import TO_ACCEPT, Development, developed, lemma_name, lemmas, theorems_file
from crtools.proof.steps import Argument, Identity, Induction, Inference, PolynomialIntegral, Positive, Telescoping
from crtools.proof.symbols import i, j, n, s, u, v
from crtools.proof.theorem import Citation, Theorem

sys.path.insert(0, str(ROOT / "docs" / "hooks"))

import in_coq

ALLOWED = {*AXIOMS} - {"Classical_Prop.classic"}
"""What the standard library builds its real numbers on."""

LOGARITHMS = ("Logarithms.v", "Geometric.v", "FormClaims.v", "Prompts.v")
"""The files that speak of logarithms: the library's rest on the law of the excluded middle."""

PAPER, *OTHERS = (f"crtools.papers.{name}" for name in ("adaptive", "beyond", "nonclairvoyant", "any_memory"))
"""The packages of ledgers with Coq files, each with its record."""

LEMMA = re.compile(r"^(Module|End|Theorem|Corollary|Lemma) (\w+)", re.MULTILINE)

writer: Any = coq_._writer  # pyright: ignore[reportPrivateUsage]

missing = shutil.which("coqc") is None and os.environ.get("CRTOOLS_REQUIRE_COQ") != "1"
needs_coq = pytest.mark.skipif(missing, reason="coqc is missing: the Coq files are not compiled (apt-get install coq)")


@pytest.fixture(scope="module")
def paper() -> Development:
    return developed(PAPER)


@pytest.fixture(scope="module")
def texts(paper: Development) -> dict[str, str]:
    return paper.files


SOME = ("Prelude.v", "Forms.v", "TwoLengths.v")
"""A file of theorems with what it needs, in an order in which they can be compiled."""

PROCESS = (
    "Process.v",
    "Volumes.v",
    "Starts.v",
    "Means.v",
    "Batches.v",
    "Passing.v",
    "Instances.v",
    "Families.v",
    "Unequal.v",
)
"""The files about the discrete process, which rest on no axiom, in such an order."""


@pytest.fixture(scope="module")
def written(paper: Development, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return paper.write("--coq", tmp_path_factory.mktemp("coq"))


@pytest.fixture(scope="module")
def some(written: Path) -> Path:
    """The folder with the files of SOME compiled."""
    return compiled(written, SOME)


@pytest.fixture(scope="module")
def process(written: Path) -> Path:
    """The folder with the files of PROCESS compiled."""
    return compiled(written, PROCESS)


def compiled(folder: Path, files: Iterable[str]) -> Path:
    """Compile files that are not compiled yet: ``every`` may have done so."""
    for name in files:
        if (folder / name).with_suffix(".vo").exists():
            continue
        made = subprocess.run(["coqc", "-R", ".", "Crtools", name], cwd=folder, capture_output=True, text=True)
        assert made.returncode == 0, made.stderr[-2000:]
    return folder


@pytest.fixture(scope="module")
def every(written: Path) -> Path:
    """The folder with every file compiled, as its reader does it."""
    made = subprocess.run(["make", "-j2"], cwd=written, capture_output=True, text=True, timeout=600)
    assert made.returncode == 0, made.stderr[-2000:]
    return written


def compile_one(text: str, folder: Path, place: Path) -> subprocess.CompletedProcess[str]:
    (place / "one.v").write_text(text, encoding="utf-8")
    command = ["coqc", "-R", str(folder), "Crtools", str(place / "one.v")]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300)


def names(file: str, text: str) -> list[str]:
    """Return the full names of a file's lemmas and theorems."""
    inside: list[str] = [file.removesuffix(".v")]
    found: list[str] = []
    for word, name in LEMMA.findall(text):
        if word == "Module":
            inside.append(name)
        elif word == "End" and inside[-1] == name:
            inside.pop()
        elif word != "End":
            found.append(".".join(["Crtools", *inside, name]))
    return found


# ---- without Coq ----------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive  # takes seconds
def test_every_formula_is_a_lemma_and_every_sentence_a_comment(paper: Development, texts: dict[str, str]) -> None:
    found = names(f"{paper.name}.v", texts[f"{paper.name}.v"])
    assert [name.removeprefix("Crtools.") for name in found] == list(paper.steps_by_lemma)
    for theorem in paper.theorems.values():
        words = [step for step in theorem.steps if isinstance(step, Inference | Argument | Citation)]
        empty = [step for step in theorem.steps if isinstance(step, Identity | Positive) and not writer(step)]
        assert lemmas(theorem) + len(words) + len(empty) == len(theorem.steps)
    kinds = {type(step) for theorem in paper.theorems.values() for step in theorem.steps}
    assert kinds >= {Identity, Positive, Telescoping, Induction, PolynomialIntegral}
    assert len(found) == len(set(found)) > 200


def test_nothing_is_admitted(texts: dict[str, str]) -> None:
    for name, text in ((name, text) for name, text in texts.items() if name.endswith(".v")):
        assert not re.search(r"\b(Admitted|admit|give_up|Axiom|Axioms|Parameter|Conjecture|Hypothesis)\b", text), name


def test_a_lemma_that_says_nothing_is_no_accepted_step() -> None:
    steps = (
        Identity(name="1", lhs=i + i, rhs=2 * i),
        Positive(name="2", expr=sp.Integer(0), where=(), strict=False),
        Positive(name="3", expr=sp.Integer(2), where=()),
        Identity(name="4", lhs=(i + 1) ** 2, rhs=i**2 + 2 * i + 1),
    )
    own = Development("t", {"t": Theorem("t", "", "", steps)}, {})
    to_accept = json.loads(own.files[TO_ACCEPT])["steps"]
    assert len(own.steps_by_lemma) == len(to_accept) == own.files["t.v"].count("Lemma ") == 1
    assert own.files["t.v"].count("No lemma: ") == 3


def test_the_axioms_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "coq.md").read_text(encoding="utf-8").split("## What is trusted")[1]
    assert all(f"`{name.split('.')[-1]}`" in page for name in AXIOMS)


@needs_coq
@pytest.mark.exhaustive
@pytest.mark.parametrize("change", ["none", "axiom", "digest"])
def test_make_records_nothing_of_other_files_or_other_axioms(change: str, tmp_path: Path) -> None:
    axiom = "Axiom cheat : 0 = 1.\n" if change == "axiom" else "Lemma cheat : 0 = 0.\nProof. reflexivity. Qed.\n"
    text = (
        f"{axiom}(* said *)\nTheorem one : 0 + {int(change != 'axiom')} = 1.\nProof. apply cheat || reflexivity. Qed.\n"
    )
    folder = Development("t", {}, {"Own.v": text}).write("--coq", tmp_path / "coq")
    if change == "digest":
        (folder / "Own.v").write_text(text.replace("0 + 1 = 1", "0 + 1 <= 1"), encoding="utf-8")
    made = subprocess.run(["make"], cwd=folder, capture_output=True, text=True, timeout=300)
    assert (made.returncode == 0) is (folder / RECORD).is_file() is (change == "none"), made.stdout + made.stderr


def test_no_theorem_stands_in_a_section(texts: dict[str, str]) -> None:
    """What a section assumes would not stand in the statement."""
    for name, text in texts.items():
        inside: list[str] = []
        for word, own in re.findall(r"^ *(Section|Module|End|Theorem|Corollary) (\w+)", text, re.MULTILINE):
            if word == "Section":
                inside.append(own)
            elif word == "End" and inside and inside[-1] == own:
                inside.pop()
            elif word in ("Theorem", "Corollary"):
                assert not inside, f"{name}: {own} in section {inside}"
        assert not inside, name


def test_the_documentation_names_every_theorem_that_is_stated(paper: Development) -> None:
    stated = [(word, name) for text in paper.by_hand.values() for word, name in LEMMA.findall(text)]
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / "coq.md").read_text(encoding="utf-8"), re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(name for word, name in stated if word in ("Theorem", "Corollary"))
    assert len(named) >= 15


def test_the_definitions_of_the_process_are_quoted_word_for_word(paper: Development) -> None:
    page = (ROOT / "docs" / "process-in-coq.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```coq\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    text = paper.by_hand["Process.v"]
    assert all(block in text for block in blocks)
    defined = re.findall(r"^(?:Definition|Fixpoint|Record) (\w+)", text.split("(* ---- sums")[0], re.MULTILINE)
    assert defined == re.findall(r"^(?:Definition|Fixpoint|Record) (\w+)", "\n".join(blocks), re.MULTILINE)
    assert {"held", "feasible", "TEL", "process", "queue", "optimally_packed"} <= set(defined)


def test_the_claims_that_coq_states_stand_beside_their_statements() -> None:
    page = in_coq.PAGE.read_text(encoding="utf-8")
    assert page == in_coq.written(page, in_coq.claims(in_coq.found())), "run: python docs/hooks/in_coq.py"
    assert len({said.claim for said in in_coq.found()}) >= 11


def test_what_the_statements_name_stands_with_them(paper: Development) -> None:
    stated = in_coq.found().values()
    page = in_coq.PAGE.read_text(encoding="utf-8").split("### Definitions")[1]
    beside = (ROOT / "docs" / "process-in-coq.md").read_text(encoding="utf-8")
    own = in_coq.used({each.name: each.statement for each in stated})
    assert {"FormClaims.CR", "Means.orders", "Passing.pass", "Forms.b", "Process.held", "Unequal.request"} <= set(own)
    for name in own:
        module, word = name.split(".")
        line = next(line for line in paper.by_hand[f"{module}.v"].splitlines() if re.match(rf"\w+ {word}\b", line))
        assert line in page or (module == "Process" and line in beside), name
    assert "Forms.symmetric" in in_coq.used({"Suprema.some": "forall x, form (B 0) 1 2 x = 0"})
    assert "Process.h_sf" in in_coq.used({"Instances.some": "let h_sf := 5 in TEL (Process.h_sf 1 2 []) = h_sf"})
    assert in_coq.used({"Instances.some": "forall TEL, TEL = 0"}) == []


@pytest.mark.parametrize("own", [PAPER, *OTHERS])
def test_the_record_is_of_the_files_of_now(own: str, paper: Development) -> None:
    record = (files(own) / "coq" / RECORD).read_text(encoding="utf-8")
    now = (paper if own == PAPER else developed(own)).files[TO_ACCEPT]
    name = own.split(".")[2]
    assert record == now.replace("VERSION", json.loads(record)["coq"]), (
        f"run make coq, then: cp build/coq/{name}/{RECORD} crtools/papers/{name}/coq/"
    )


def test_what_the_judge_alone_decides_has_no_lemma() -> None:
    power = 2 ** sp.Symbol("m")
    for step in (
        *(
            Identity(name="1", lhs=lhs, rhs=2 * lhs)
            for lhs in (power, sp.E * n, sp.factorial(n), sp.binomial(n, 2) + n)
        ),
        Identity(name="1", lhs=n, rhs=2 * n, where=((n, power),)),
        Induction(name="1", lhs=n, rhs=2 * n, index=n, where=((u, 1),)),
        Positive(name="1", expr=u**2, where=((u, 1),), squares=(power,)),
    ):
        assert writer(step) is None and lemmas(Theorem("t", "", "r", (step,))) == 0
        assert "No lemma" in theorems_file({"T": Theorem("t", "", "r", (step,))})
    assert writer(Identity(name="1", lhs=n**2, rhs=sp.sqrt(u))) is not None


def test_what_cannot_be_a_lemma_is_refused() -> None:
    same_name = u + sp.Symbol("u", positive=True)
    double = sp.Sum(i * j, (i, 1, u), (j, 1, u))
    steps = (
        *(Identity(name="1", lhs=lhs, rhs=2 * lhs) for lhs in (sp.Float(0.5) * n, sp.cbrt(u), same_name)),
        Positive(name="1", expr=same_name, where=((u, 1),)),
        *(
            Induction(name="1", lhs=lhs, rhs=0, index=u)
            for lhs in (double, sp.Sum(i, (i, 0, u - 2)), sp.Sum(i, (i, -1, u)))
        ),
    )
    for step in steps:
        with pytest.raises(ValueError):
            theorems_file({"t": Theorem("t", "", "", (step,))})


def value(text: str, like: Any) -> Any:
    """Return what a side of a statement is in SymPy: Coq's operators bind as Python's do."""
    symbols: dict[str, Any] = {x.name.replace("lambda", "lambda_"): x for x in sp.sympify(like).free_symbols}
    return parse_expr(text.replace("^", "**").replace("lambda", "lambda_"), symbols)


def test_a_lemma_states_what_the_step_says(paper: Development, texts: dict[str, str]) -> None:
    compared = 0
    modules = re.split(r"^Module (\w+)\.$", texts[f"{paper.name}.v"], flags=re.MULTILINE)[1:]
    for name, text in zip(modules[::2], modules[1::2], strict=True):
        statements = dict(re.findall(r"Lemma (\w+) : (.*?)\.\nProof", text, re.DOTALL))
        for number, step in enumerate(paper.theorems[name].steps, start=1):
            if not isinstance(step, Identity | Positive) or not writer(step):
                continue
            *premises, conclusion = statements[lemma_name(number, step)].rpartition(", ")[2].strip().split(" -> ")
            lhs, relation, rhs = re.split(r" (=|<=|<) ", conclusion)
            if isinstance(step, Identity):
                assert relation == "=" and sp.cancel(value(lhs, step.lhs) - step.lhs) == 0
                assert sp.cancel(value(rhs, step.rhs) - step.rhs) == 0
                assert all(premise.endswith(" <> 0") for premise in premises)
            else:
                assert (lhs, relation) == ("0", "<" if step.strict else "<=")
                assert sp.cancel(value(rhs, step.expr) - step.expr) == 0
                bounds = [f"{variable} - ({bound})" for bound, variable in (p.split(" <= ") for p in premises)]
                for text_, (variable, bound, *_) in zip(bounds, step.where, strict=True):
                    assert sp.expand(value(text_, variable - bound) - (variable - bound)) == 0
            compared += 1
    assert compared > 200


@pytest.mark.exhaustive  # takes seconds
def test_the_command_writes_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--coq", str(tmp_path / "coq"), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)["coq"]
    assert sorted(written["files"]) == sorted(path.name for path in (tmp_path / "coq").iterdir())
    assert {"Prelude.v", "_CoqProject", "Makefile", "Suprema.v"} <= set(written["files"])


@pytest.mark.parametrize("others", [["trace"], ["--show"], ["--self-test"], ["--level", "form"]])
def test_the_command_stands_alone(others: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--coq", str(tmp_path / "coq"), *others]) == 2
    assert "must stand without" in capsys.readouterr().err
    assert not (tmp_path / "coq").exists()


def test_a_folder_that_cannot_be_made_is_refused(paper: Development, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        paper.write("--coq", tmp_path / "file")


# ---- with Coq -------------------------------------------------------------------------------------------------------


def axioms(sources: dict[str, str], folder: Path, place: Path) -> set[str]:
    """Return what the lemmas and theorems of some compiled files rest on, asked of Coq."""
    found = [name for file, text in sources.items() for name in names(file, text)]
    require = f"From Crtools Require {' '.join(name.removesuffix('.v') for name in sources)}.\n"
    pairs = "".join(f"(@{name}, " for name in found) + "tt" + ")" * len(found)
    asked = compile_one(f"{require}Definition every := {pairs}.\nPrint Assumptions every.\n", folder, place)
    assert asked.returncode == 0, asked.stderr
    assert ("Closed under the global context" in asked.stdout) != ("Axioms:" in asked.stdout)
    return set(re.findall(r"^([A-Za-z_.]+)\s*:", asked.stdout, re.MULTILINE)) - {"Axioms"}


@pytest.mark.exhaustive  # takes seconds
@needs_coq
def test_a_file_of_theorems_rests_on_the_axioms_of_the_reals_alone(
    texts: dict[str, str], some: Path, tmp_path: Path
) -> None:
    assert axioms({name: texts[name] for name in SOME}, some, tmp_path) == ALLOWED


@pytest.mark.exhaustive
@needs_coq
def test_the_files_about_the_process_rest_on_no_axiom(texts: dict[str, str], process: Path, tmp_path: Path) -> None:
    for name in PROCESS:
        assert axioms({name: texts[name]}, process, tmp_path) == set(), name


def modules(names: Iterable[str]) -> set[str]:
    return {f"{name.split('.')[0]}.v" for name in names}


def test_what_every_marked_theorem_rests_on_is_recorded() -> None:
    recorded = in_coq.rests_on()
    assert sorted(recorded) == in_coq.marked(), "run: python docs/hooks/in_coq.py build/coq/adaptive"
    assert {name for name, axioms in recorded.items() if not axioms} == {
        name for name in recorded if modules([name]) <= set(PROCESS)
    }
    assert set().union(*recorded.values()) <= ALLOWED | {"Classical_Prop.classic"}
    page = in_coq.PAGE.read_text(encoding="utf-8")
    assert all(f"### {own.name}\n" in page for own in in_coq.found().values())
    assert all(f"| `{name}` |" in page for name in in_coq.theorems())


def test_an_answer_of_print_assumptions_is_read() -> None:
    closed = "Closed under the global context\n"
    listed = "Axioms:\nsome.axiom : forall x : R,\n  x = x\nother : True\n"
    assert in_coq.answers(closed + listed + closed) == [[], ["other", "some.axiom"], []]
    with pytest.raises(ValueError):
        in_coq.answers("Axioms:\n" + closed)


@needs_coq
@pytest.mark.exhaustive
def test_what_coq_says_of_every_marked_theorem_is_what_is_recorded(every: Path) -> None:
    assert in_coq.asked(every, in_coq.marked()) == in_coq.rests_on()


@pytest.mark.exhaustive  # takes seconds
@needs_coq
def test_what_some_marked_theorems_rest_on_is_what_is_recorded(some: Path) -> None:
    names_ = [name for name in in_coq.marked() if modules([name]) <= set(SOME)]
    assert names_
    recorded = in_coq.rests_on()
    assert in_coq.asked(some, names_) == {name: recorded[name] for name in names_}


@needs_coq
@pytest.mark.exhaustive
def test_every_lemma_rests_on_the_axioms_of_the_reals_alone(texts: dict[str, str], every: Path, tmp_path: Path) -> None:
    sources = {name: text for name, text in texts.items() if name.endswith(".v")}
    logarithms = {name: sources.pop(name) for name in LOGARITHMS}
    assert axioms(sources, every, tmp_path) == ALLOWED
    assert axioms(logarithms, every, tmp_path) == ALLOWED | {"Classical_Prop.classic"}


@needs_coq
@pytest.mark.exhaustive
def test_the_record_is_what_coqc_accepts(every: Path) -> None:
    made, kept = (json.loads((folder / RECORD).read_text("utf-8")) for folder in (every, files(PAPER) / "coq"))
    assert {**made, "coq": kept["coq"]} == kept


@needs_coq
@pytest.mark.exhaustive
@pytest.mark.parametrize("own", OTHERS)
def test_the_lemmas_of_the_other_ledgers_are_accepted(own: str, tmp_path: Path) -> None:
    folder, development_ = tmp_path / "coq", developed(own)
    folder.mkdir()
    development_.write("--coq", folder)
    subprocess.run(["make", "-j2"], cwd=folder, check=True, capture_output=True, timeout=600)
    made, kept = (json.loads((place / RECORD).read_text("utf-8")) for place in (folder, files(own) / "coq"))
    assert {**made, "coq": kept["coq"]} == kept
    sources = {name: text for name, text in development_.files.items() if name.endswith(".v")}
    assert axioms(sources, folder, tmp_path) <= ALLOWED


def true_theorem() -> Theorem:
    """A theorem with a step of every kind."""
    proof = Proof("all kinds", "every i ≥ 1")
    proof.identity("", 1 / (i * (i + 1)), 1 / i - 1 / (i + 1), name="identity")
    proof.positive("", j / i - s / (s + 1), s >= 0, i >= 1, j >= i, name="positive")
    proof.nonnegative("", j**2 - 2 * i * j + i**2 + s, s >= 0, i >= 1, j >= 1, squares=(i - j,), name="nonnegative")
    proof.nonnegative("", 2 * j * i**2 / (i - 1) - 2 * j * i / (i - 1), i > 1, j >= 0, name="not at its bound")
    proof.telescoping("", s / (i * (i + 1)), -s / (i + 1), i, name="telescoping")
    proof.induction("", sp.Sum(i, (i, 1, u - 1)), u * (u - 1) / 2, u, name="induction")
    proof.integral("", v * (1 - v / i), (v, 0, i), i**2 / 6, name="integral")
    return proof.qed()


CORRUPTED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a coefficient": ("identity", lambda step: replace(step, rhs=step.rhs + 1 / (1009 * i))),
    "a sign": ("positive", lambda step: replace(step, expr=-step.expr)),
    "a bound": ("positive", lambda step: replace(step, where=(*step.where[:2], (j, i / 2)))),
    "strict where it vanishes": ("nonnegative", lambda step: replace(step, strict=True)),
    "a square": ("nonnegative", lambda step: replace(step, squares=())),
    "an antidifference": ("telescoping", lambda step: replace(step, antidifference=-s / (i + 2))),
    "an index": ("induction", lambda step: replace(step, lhs=sp.Sum(i, (i, 1, u)))),
    "a lower end": ("induction", lambda step: replace(step, lhs=sp.Sum(i, (i, 2, u - 1)))),
    "an end of the integral": ("integral", lambda step: replace(step, high=i + 1)),
}


@pytest.mark.exhaustive  # compiles files
@needs_coq
def test_a_true_theorem_is_accepted(some: Path, tmp_path: Path) -> None:
    assert true_theorem().holds
    accepted = compile_one(theorems_file({"t": true_theorem()}), some, tmp_path)
    assert accepted.returncode == 0, accepted.stderr


@needs_coq
@pytest.mark.exhaustive  # compiles files
@pytest.mark.parametrize("what", CORRUPTED)
def test_a_corrupted_lemma_is_rejected(what: str, some: Path, tmp_path: Path) -> None:
    name, corrupt = CORRUPTED[what]
    step = corrupt(next(step for step in true_theorem().steps if step.name == name))
    rejected = compile_one(theorems_file({"t": Theorem("t", "", "", (step,))}), some, tmp_path)
    assert rejected.returncode != 0 and "Error" in rejected.stderr


def assert_rejected(text: str, old: str, new: str, folder: Path, place: Path) -> None:
    assert text.count(old) == 1
    assert compile_one(text.replace(old, new), folder, place).returncode != 0


@pytest.mark.exhaustive  # compiles files
@needs_coq
def test_a_corrupted_theorem_is_rejected(paper: Development, some: Path, tmp_path: Path) -> None:
    assert_rejected(paper.by_hand["TwoLengths.v"], "<= (3 - l / u) / 2 *", "<= (2 - l / u) / 2 *", some, tmp_path)


@needs_coq
@pytest.mark.exhaustive  # compiles files
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s + (t - p r) else 0.", "s + (t - p r) + 1 else 0."),
        ("(t <=? p r + o r)", "(t <=? S (p r + o r))"),
        ("completion r := p r + o r.", "completion r := p r + o r - 1."),
        ("filter (fun r => p r =? t) l.", "filter (fun r => p r <=? t) l."),
        ("(fun j => t <? completion (real j))", "(fun j => S t <? completion (real j))"),
        ("tokens s l (completion r) <=? M) l.", "tokens s l (completion r) <=? S M) l."),
        ("Run (p (real j)) (L j).", "Run (p (real j)) (L j - 1)."),
        ("u <= assumed ->", "u <= S assumed ->"),
        ("M - 1 <= a t + b t ->", "M - 2 <= a t + b t ->"),
        ("length u <= m.\nProof.\n  intros s M t g", "length u < m.\nProof.\n  intros s M t g"),
    ],
)  # fmt: skip
def test_a_corrupted_definition_of_the_process_is_rejected(
    old: str, new: str, paper: Development, tmp_path: Path
) -> None:
    assert_rejected(paper.by_hand["Process.v"], old, new, tmp_path, tmp_path)


@needs_coq
@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("Volumes.v", "<= 2 * M * TEL l /\\ sum o l <= TEL l.\nProof.\n  intros s M l F.",
         "<= M * TEL l /\\ sum o l <= TEL l.\nProof.\n  intros s M l F."),
        ("Passing.v", "if fits s M (map projected (j :: g)) then", "if fits s (M - 1) (map projected (j :: g)) then"),
        ("Passing.v", "forall k, k < p r -> ~ feasible s M (a ++ Run k (o r) :: b)) /\\",
         "forall k, k <= p r -> ~ feasible s M (a ++ Run k (o r) :: b)) /\\"),
        ("Instances.v", "let a_max := 9 in", "let a_max := 8 in"),
        ("Instances.v", "let i2 := [1; 1; 0; 3] in let i3", "let i2 := [1; 0; 0; 3] in let i3"),
        ("Instances.v", "14 * total o = 17 * best o", "14 * total o = 18 * best o"),
        ("Instances.v", "M = beta_M + less", "M = beta_M - less"),
        ("Instances.v", "(67, Run 51 4)", "(68, Run 51 4)"),
        ("Families.v", "M := B * (s + b) in let n := B * C", "M := B * (s + b) - 1 in let n := B * C"),
        ("Families.v", "2 * TEL (even b k N) + n = n * (N + 2 * b).", "2 * TEL (even b k N) = n * (N + 2 * b)."),
        ("Families.v", "let M := 36 * k in", "let M := 35 * k in"),
        ("Families.v", "2 * (s + b) * TEL l /\\\n  (forall p q, p * (2 * s + b + 1) < 2 * (s + b) * q -> 4 * p",
         "2 * (s + b) * TEL l /\\\n  (forall p q, p * (2 * s + b + 1) <= 2 * (s + b) * q -> 4 * p"),
        ("Starts.v", "(M - s - u) * p r <= sum (fun x => o x * (s + u)) l1.", "(M - s) * p r <= sum (fun x => o x * (s + u)) l1."),
        ("Starts.v", "2 * (s + u) * M * (TEL (a_random", "(s + u) * M * (TEL (a_random"),
        ("Means.v", "(x :: l) :: map (cons y) (everywhere x r)", "map (cons y) (everywhere x r)"),
        ("Means.v", "sum (fun k => k / N + 1) (seq 0 n)).\nProof", "sum (fun k => k / N) (seq 0 n)).\nProof"),
        ("Means.v", "Run t b :: list_schedule (insert (t + b)", "Run t b :: list_schedule (insert (t + b - 1)"),
        ("Passing.v", "/\\\n  ((forall b, In b order -> s + b <= M) -> map o", "/\\\n  ((forall b, In b order -> b <= M) -> map o"),
        ("Unequal.v", "l (completion (supposed x)) <=? M) l.", "l (completion (supposed x)) <=? S M) l."),
        ("Unequal.v", "prompt r + upper r <= M) -> map snd (a_max_of M queue)", "upper r <= M) -> map snd (a_max_of M queue)"),
    ],
)  # fmt: skip
def test_a_corrupted_definition_or_theorem_about_the_process_is_rejected(
    file: str, old: str, new: str, paper: Development, process: Path, tmp_path: Path
) -> None:
    assert_rejected(paper.by_hand[file], old, new, process, tmp_path)


@needs_coq
@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("Suprema.v", "(5 / 4 + / 2 * Sum", "(6 / 5 + / 2 * Sum"),
        ("Suprema.v", "(l < k < u)%nat -> x k = 0", "(l < k <= u)%nat -> x k = 0"),
        ("Logarithms.v", "3 / 2 + / 4 * ln (INR u / INR l).", "3 / 2 + / 8 * ln (INR u / INR l)."),
        ("Logarithms.v", "/ 3 * sqrt (INR u / INR 1)", "/ 2 * (INR u / INR 1)"),
        ("Definiteness.v", "not_zero l u x -> 0 < form (A 0) l u x", "0 < form (A 0) l u x"),
        ("Forms.v", "i * (- i ^ 2 + (i + j) ^ 2 / 2) / j", "i * (- i ^ 2 + (i + j) ^ 2 / 2) / i"),
        ("LinearGeometric.v", "-> lg_ratio q < 14 / 9", "-> lg_ratio q < 13 / 9"),
        ("LinearGeometric.v", "r < 1 -> lg_ratio q < lg_ratio r", "r < 1 -> lg_ratio r < lg_ratio q"),
        ("LinearGeometric.v", "q < r -> r < 1 -> lg", "q < r -> r < 2 -> lg"),
        ("Geometric.v", "q < r -> r < 1 -> geometric_ratio q", "q < r -> r < 2 -> geometric_ratio q"),
        (
            "Logarithms.v",
            "1 + / 2 * E 0 l u + sqrt (s * E 0 l u) <= 1 +",
            "1 + / 2 * E 0 l u + 2 * sqrt (s * E 0 l u) <= 1 +",
        ),
        ("FormClaims.v", "r <= 17 / 10) /\\\n  (forall q q'", "r <= 16 / 10) /\\\n  (forall q q'"),
        ("FormClaims.v", "closed_form q <= 14 / 9) /", "closed_form q <= 13 / 9) /"),
        (
            "FormClaims.v",
            "(3 - alpha) / 2 * on_two (b s) l u x_l x_u <",
            "(4 - alpha) / 2 * on_two (b s) l u x_l x_u <",
        ),
        ("Prompts.v", "(geometric q) r /\\ 17 / 10 < r", "(geometric q) r /\\ 18 / 10 < r"),
        ("Prompts.v", "let s := 5 in let q := 3 / 4 in", "let s := 0 in let q := 3 / 4 in"),
        ("Prompts.v", "[6 / 7; 99 / 100] in", "[99 / 100; 6 / 7] in"),
        ("Prompts.v", "x * (r * col) / (s + N)) end", "x * (r * col) / s) end"),
        ("FormClaims.v", "let q := 1 / 20 in", "let q := 1 / 2 in"),
        (
            "FormClaims.v",
            "(bound_low < a_min_bound <-> alpha < (3 - sqrt 5) / 2)) /",
            "(bound_low < a_min_bound <-> alpha < (3 - sqrt 4) / 2)) /",
        ),
        ("Geometric.v", "-> geometric_ratio q < 10 - 12 * ln 2", "-> geometric_ratio q < 9 - 12 * ln 2"),
        ("TwoLengths.v", "(1 / 2 <= beta -> forall", "(1 / 3 <= beta -> forall"),
        ("Against.v", "let least_M := 15 in", "let least_M := 13 in"),
        (
            "Against.v",
            "(INR s + INR u) * INR l / (2 * INR (volume s l)) * (1 + sqrt (1 +",
            "(INR s + INR u) * INR l / (2 * INR (volume s l)) * (sqrt (1 +",
        ),
        (
            "Against.v",
            "mean (f : list nat -> nat) os := INR (sum f (orders os)) / INR (length (orders os)).",
            "mean (f : list nat -> nat) os := INR (sum f (orders os)) / INR (length os).",
        ),
        ("Inverse.v", "else if Nat.eqb j (S i) then - / w s l j", "else if Nat.eqb j (S i) then / w s l j"),
        ("Inverse.v", "inverse 0 1 u u u = 1 / (2 * INR u - 1) /", "inverse 0 1 u u u = 1 / (2 * INR u + 1) /"),
        ("Suprema.v", "Sum x l u / (2 * K)) /\\\n  (forall x k", "Sum x l u / K) /\\\n  (forall x k"),
        ("Suprema.v", "<= (s + INR l) / (2 * w) < 1", "<= (s + INR l) / (3 * w) < 1"),
        ("FormClaims.v", "<= (1 + 1 / alpha) / (2 * alpha) * form", "<= (1 + 1 / alpha) / (3 * alpha) * form"),
        ("FormClaims.v", "<= (1 + 1 / alpha) / 2 * form", "<= (1 + 1 / alpha) / 3 * form"),
        ("FormClaims.v", "<= a_random s l u x / (alpha * M).", "<= a_random s l u x / M."),
        ("FormClaims.v", "<= C * ln (1 / alpha) * form (B s) l u x.", "<= C * form (B s) l u x."),
        ("FormClaims.v", "then A s (len i) (len j) else B s (len i)", "then B s (len i) (len j) else A s (len i)"),
    ],
)
def test_a_corrupted_theorem_of_another_file_is_rejected(
    file: str, old: str, new: str, paper: Development, every: Path, tmp_path: Path
) -> None:
    assert_rejected(paper.by_hand[file], old, new, every, tmp_path)
