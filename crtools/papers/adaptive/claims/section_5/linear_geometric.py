"""thm-lg: the law P(k) ∝ k q^k, its closed form, and the two sums displayed in the proof."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Refuted, Repair, Variant, Verdict
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import constant, unit
from crtools.papers.adaptive.evidence.laws.law_in_process import law_in_process
from crtools.papers.adaptive.evidence.laws.linear_geometric import closed_form, published_proof
from crtools.papers.adaptive.evidence.laws.one_parameter import (
    LINEAR,
    METHODS,
    READINGS,
    bounded_at,
    directed_at,
    direction_of,
    q,
)  # fmt: skip
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM


def decide(given: Given) -> Decision:
    """Decide the closed form, both bounds and the monotonicity at every level, and the two displayed sums."""
    direction = direction_of(given)
    bounds = [Bound.given(name, given[name], q, constant()) for name in ("bound", "weaker_bound")]
    claimed = Bound.given("closed_form", given["closed_form"], q, unit("q"))
    forms = {
        AT_ZERO: partial(closed_form, 0),
        FORM: partial(closed_form, 1),
        ALGORITHM: partial(law_in_process, LINEAR),
    }
    rows = {
        level: (
            given.evidence(form, claimed),
            *(given.evidence(bounded_at, level, LINEAR, b) for b in bounds),
            given.evidence(directed_at, level, LINEAR, direction),
        )
        for level, form in forms.items()
    }
    says = {
        "closed-form": "$CR(A_min)$ under $LG(p)$ is the closed form",
        "bound": f"it is at most ${bounds[0].text}$",
        "weaker-bound": f"it is at most ${bounds[1].text}$",
        "monotone": f"it {direction} with $q$",
    }
    verdicts = tuple(
        Verdict(level, READINGS[level], _why(level, row), METHODS[level], _findings(says, row))
        for level, row in rows.items()
    )
    return Decision(_line(rows), verdicts, published_proof(given, rows[AT_ZERO]), _repairs(given, verdicts[0]))


def _findings(says: Mapping[str, str], row: tuple[Evidence, ...]) -> tuple[Finding, ...]:
    return tuple(Finding(id, text, own) for (id, text), own in zip(says.items(), row, strict=True))


def _why(level: str, row: tuple[Evidence, ...]) -> str:
    form, bound, weaker, _ = row
    differs = ""
    if isinstance(form, Refuted) and level != ALGORITHM:
        differs = f"at $q = {form.witness['q']}$ the ratio is {form.actual}, the closed form gives {form.claimed}"
    fails = "; ".join(filter(None, (differs, why_beyond(bound) or why_beyond(weaker))))
    if level == AT_ZERO and not fails and all(e.status == "proved" for e in row):
        return "the closed form, its direction and both bounds hold"
    return fails or "not decided as a whole"


def _line(rows: dict[str, tuple[Evidence, ...]]) -> str:
    process = rows[ALGORITHM][1]
    if isinstance(process, Refuted):
        return f"at $s = {process.witness['s']}$, $q = {process.witness['q']}$: {ratio_of(process)}"
    held = "only at $s = 0$, of the forms; " if all(e.status == "proved" for e in rows[AT_ZERO]) else ""
    return f"{held}false for $s ≥ 1$" if rows[FORM][0].status == "refuted" else "not decided for $s ≥ 1$"


def _repairs(given: Given, zero: Verdict) -> tuple[Repair, ...]:
    if direction_of(given) != "increases":
        return ()
    sentence = f"at $s = 0$: the closed form holds, increases with $q$ and is at most ${given['bound'].strip()}$"
    return (Repair(AT_ZERO, sentence, tuple(f for f in zero.findings if f.id != "weaker-bound")),)


CLOSED_FORM = "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)"
EXPANDED = "(1+5*q+13*q**2+18*q**3+13*q**4+5*q**5+q**6)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)"

CLAIM = Claim(
    id="thm-lg",
    place="Section 5.3, Theorem 8 (cor:LG)",
    statement="the closed form under $LG(p)$, $≤ 14/9$, increasing in $q$, bounded by 1.6",
    stated_at=ALGORITHM,
    given={
        "closed_form": CLOSED_FORM,
        "bound": "14/9",
        "weaker_bound": "1.6",
        "direction": "increases",
        "display_own": "2",
        "display_tail": "1",
        "display_denominator": "(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4)",
        "display_numerator": "(1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)",
    },
    decide=decide,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "1.54"}, "bound", AT_ZERO),
        Variant("a coefficient", {"closed_form": CLOSED_FORM.replace("+q**6", "")}, "closed-form", AT_ZERO),
        Variant("a sign", {"display_numerator": "(1-3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)"}, "numerator"),
        Variant("a bound less by a hair", {"bound": "14/9-1e-9"}, "bound", AT_ZERO),
        Variant("the weaker bound off by 3 %", {"weaker_bound": "1.552"}, "weaker-bound", AT_ZERO),
        Variant("the other direction", {"direction": "decreases"}, "monotone", AT_ZERO),
        Variant("an index of the right display", {"display_own": "2", "display_tail": "2"}, "denominator"),
        Variant("1 % of the right display", {"display_own": "1.01", "display_tail": "2"}, "denominator"),
    ),
    variants=(
        Variant("the closed form expanded", {"closed_form": EXPANDED}, "closed-form", AT_ZERO),
        Variant("a right display", {"display_own": "1", "display_tail": "2"}, "denominator"),
        Variant("a weaker bound", {"bound": "1.56"}, "bound", AT_ZERO),
    ),
)
