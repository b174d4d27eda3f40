"""The paper's policies come from its ledger, and one place ties them to forms: pages, figures and comparisons agree with it."""

from __future__ import annotations

import ast
import csv
import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from paths import ROOT

from crtools import POLICIES, InputError, Policy, Setting, compare, form, simulate
from crtools.forms import form_describing, form_given_for, known_forms
from crtools.installed_ledgers import brought, installed
from crtools.papers.adaptive import LEDGER, policies
from crtools.papers.any_memory import LEDGER as ANY_MEMORY
from crtools.papers.beyond import LEDGER as BEYOND
from crtools.papers.nonclairvoyant import LEDGER as NONCLAIRVOYANT
from crtools.process.measures import form_value
from crtools.process.policies import Choice, known_names, known_policies, usual_policies

# ---- where policies come from ------------------------------------------------------------------------------------


PAPERS = ["h-sf", *(name for name, p in LEDGER.policies().items() if isinstance(p, Policy) and p.name == name)]

FORMED = [name for name in PAPERS if form_given_for(name) is not None]
"""The policies with a form to compare them with; a policy has none before one is proved or measured."""


def test_all_policies_but_h_sf_are_the_ledgers() -> None:
    assert known_names() == {
        **{name: POLICIES[name] for name in ("h-sf", "fcfs", "h-volume", "h-work", "shortest-prompt")},
        **LEDGER.policies(),
        **ANY_MEMORY.policies(),
        **BEYOND.policies(),
    }
    assert {p.name for p in vars(policies).values() if isinstance(p, Policy)} == set(PAPERS) - {"h-sf"}
    assert {name for name, p in known_names().items() if isinstance(p, Choice) or p.name != name} == {"a-min", "switch"}
    unusual = {name for name, policy in known_policies().items() if not policy.usual}
    assert unusual >= {"h-volume", "h-work", "shortest-prompt", "expected-work"}  # for requests with different prompts
    assert set(usual_policies()) == set(known_policies()) - unusual >= {"h-sf", "fcfs"}


LAST_COME = Policy("last-come", priority=lambda r: -r.index, assumed=lambda r, age: r.length, fixed=True)


class Other:
    """A ledger of another theory."""

    def __init__(self, *own: Policy) -> None:
        self.own = own

    def policies(self) -> dict[str, Policy]:
        return {p.name: p for p in self.own}


@pytest.fixture
def another(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what installs another ledger beside the paper's."""

    def install(*own: Policy) -> None:
        both = {**installed(), "other": Other(*own)}
        monkeypatch.setattr("crtools.installed_ledgers.installed", lambda: both)
        known_names.cache_clear()
        known_policies.cache_clear()

    yield install
    known_names.cache_clear()
    known_policies.cache_clear()


def test_another_ledgers_policy_runs_by_its_name(another: Any) -> None:
    another(LAST_COME)
    assert simulate("last_come", [2, 1, 3], 4).schedule.starts == simulate(LAST_COME, [2, 1, 3], 4).schedule.starts
    assert "last-come" in usual_policies()
    assert compare("last-come", "uniform(1, 3)", n=4, memory=5).to_form is None


def test_a_name_that_is_taken_is_refused(another: Any) -> None:
    another(replace(LAST_COME, name="a-max"))
    with pytest.raises(InputError, match="policies = a-max: must be unique"):
        simulate("h-sf", [1], 2)
    with pytest.raises(InputError, match="forms = a-min: must"):
        brought("forms", {"a-min": None})


WITH_KERNEL = [p for p in POLICIES.values() if p.kernel is not None]


@pytest.mark.parametrize("policy", WITH_KERNEL, ids=lambda p: p.name)
def test_a_kernel_runs_the_policy_that_names_it_and_no_variant(policy: Policy) -> None:
    assert simulate(policy, [4] * 9, 30, l=2, u=4, engine="fast").engine == "fast"
    for rules in ({"priority": lambda r: -r.bound}, {"assumed": lambda r, age: r.u}, {"longest": lambda r: r.s + r.u},
                  {"name": "another"}):  # fmt: skip
        assert policy.is_known and not replace(policy, **rules).is_known
    variant = replace(policy, priority=lambda r: -r.bound)
    if policy.cancel is None:  # by its own rules
        runs = [
            simulate(variant, [3, 2, 4] * 3, 30, l=2, u=4, engine=own, ties=range(9)) for own in ("fast", "reference")
        ]
        assert (runs[0].starts == runs[1].starts).all()


# ---- which form belongs to which policy --------------------------------------------------------------------------


def test_forms_name_policies_that_there_are_and_no_policy_has_two() -> None:
    assert form("volume").describes == ("every schedule",) and not form("volume").given_for
    other = set(NONCLAIRVOYANT.forms())
    rest = [f for f in known_forms().values() if f.name != "volume" and f.name not in other]
    for names in ([n for f in rest for n in f.describes], [n for f in rest for n in f.given_for]):
        assert len(set(names)) == len(names)
        assert set(names) <= set(POLICIES)
    assert {n for f in rest for n in f.given_for} == set(FORMED)


@pytest.mark.parametrize("f", known_forms().values(), ids=lambda f: f.name)
def test_a_form_on_an_interval_is_tied_to_the_same_policies(f: Any) -> None:
    bound = f.on(Setting(1, 2, 5)).form
    assert (bound.name, bound.describes, bound.given_for, bound.kind) == (f.name, f.describes, f.given_for, f.kind)


@pytest.mark.parametrize("policy", FORMED)
def test_a_comparison_divides_by_the_form_given(policy: str) -> None:
    found = compare(policy, "two-point(l=2, u=5, weight=1/2)", n=30, memory=40, s=1)
    [run], given = found.runs, form_given_for(policy)
    assert given is not None and found.to_form is not None
    assert found.to_form.mean == run.total_latency / form_value(given, run.lengths, 40, 1, 2, 5)


def test_the_page_on_the_model_says_the_same() -> None:
    rows = re.findall(
        r"^\| `([\w-]+)`[^|]*\| `([\w-]+)` \|[^|]*\| ?(.*?) ?\|$", (ROOT / "docs/model.md").read_text("utf-8"), re.M
    )
    assert {row[0] for row in rows} == set(FORMED) - {"a-restart"}
    for policy, given, better in rows:
        describing = form_describing(policy)
        assert form(given) is form_given_for(policy)
        if better == "none known":
            assert describing is None
        else:
            assert describing is form(better.split("`")[1] if better else given)


def test_the_figure_of_convergence_says_the_same() -> None:
    columns: dict[tuple[str, str], list[float]] = defaultdict(list)
    with (ROOT / "figures/convergence.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    largest = max(int(row["M"]) for row in rows)
    for row in rows:
        policy, given, describing = row["policy"], form_given_for(row["policy"]), form_describing(row["policy"])
        assert given is not None and row["form"] == given.name
        assert bool(row["tel_over_area_form"]) == (describing not in (None, given))
        if int(row["M"]) == largest and (row["law"] != "two-point" or policy == "a-ell"):
            columns[policy, "given"].append(float(row["tel_over_form"]))
            columns[policy, "describing"] += [float(row["tel_over_area_form"] or row["tel_over_form"])]
    for policy in {policy for policy, _ in columns}:
        off = {which: max(abs(x - 1) for x in columns[policy, which]) for which in ("given", "describing")}
        describing = form_describing(policy)
        assert (off["given"] < 0.06) == (describing is form_given_for(policy)), policy
        assert (off["describing"] < 0.06) == (describing is not None), policy


def test_no_other_table_ties_policies_to_forms() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "crtools").rglob("*.py")}
    for path in [path for path, text in texts.items() if any(f'"{name}":' in text for name in POLICIES)]:
        for node in ast.walk(ast.parse(texts[path])):
            if isinstance(node, ast.Dict) and len(node.keys) > 1:
                parts = [*node.keys, *node.values]
                names = [part.value if isinstance(part, ast.Constant) else None for part in parts]
                half = len(node.keys)
                assert not (set(names[:half]) <= set(POLICIES) and set(names[half:]) <= set(known_forms())), path
