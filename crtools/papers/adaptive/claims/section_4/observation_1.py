"""observation-1: which requests have completed when Algorithm 2 first starts one with the bound i."""

import ast
from typing import Any

import sympy as sp

from check import process as judge
from crtools.errors import InputError
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Refuted, agree, by_theorem
from crtools.ledger.deciders.ranges import formula_on, integers_from, nonnegative_on
from crtools.ledger.deciders.search import SmallInstance, first_hit
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import decidable, exact_value, phrase, repairs, schedule
from crtools.papers.adaptive.policies.transitions import unfinished
from crtools.papers.adaptive.theory import ALGORITHM, TEXT, reading_of, stated_claim
from crtools.process import simulate
from crtools.proof.symbols import s
from crtools.signs.numbers import Exact

M = sp.Symbol("M", integer=True, positive=True)
MEMBERS = ((1, 1), (2, 1), (1, 2), (1, 10), (5, 2), (1, 50))
"""(s, h) of the members of the family that are run."""
FAMILY = (
    "$l = 1$, $s ≥ 1$, $M = (s+1)K$ with $K = (s+2)(s+3)h$: $(s+1)(s+3)h$ requests of length 3, and $2K − 1 − (s+1)(s+3)h$ of length 1; "
    "those of length 3 come first in the ties"
)
ARGUMENT = (
    "at 0 $K$ start, at 1 those of length 3 fill the memory, at 2 $(s+1)h$ of them are cancelled and get the bound 2, and at 3 the others "
    "leave: $K − 1$ requests of length 1 start, and one with the bound 2 beside them"
)


BATCH = TEXT.named("a batch before a period")


@stated_claim("observation-1")
def observation_1(given: Given) -> Decision:
    """Decide whether, at the first start with bound i, at most ``left`` requests with o < i have not completed."""
    tree, allowed_number = formula_on("left", given["left"], {"s": s, "M": M}, integers_from(s=0, M=1))
    evidence, batch = given.evidence(decidable, before_periods, tree, allowed_number), given.proved(BATCH)
    says = "when the first request starts with the bound $i$, all {}requests with $o < i$ have completed"
    number = given["left"].strip()
    findings = (
        Finding("before-the-start", says.format("" if number == "0" else f"but at most ${number}$ "), evidence),
        Finding("but-for-a-batch", says.format("but fewer than $M/(s+1)$ "), batch, decides=False),
    )
    why = phrase(evidence.status, "up to a batch of them still run", "all but those that run have completed")
    read = reading_of("observation-1")
    verdict = read.verdict(ALGORITHM, why, *findings)
    return Decision(why, (verdict,), read.proof(a_new_bound=_kept_bound()), repairs("a-batch-before-a-period"))


def before_periods(tree: ast.expr, allowed_number: SymExpr) -> Evidence:
    """Decide whether at most ``allowed_number`` (of s and M) shorter requests have not completed when a period begins."""
    if nonnegative_on(integers_from(s=0, M=1), allowed_number - M / (s + 1) + 1):
        return by_theorem(BATCH())

    def allowed(s: int, memory: int) -> Exact:
        value = exact_value(tree, {"s": s, "M": memory})
        if value is None:
            raise InputError("left", ast.unparse(tree), f"must be defined at s = {s}, M = {memory}")
        return value

    def early(row: SmallInstance) -> Any:
        before = judge.literal([(o, 1) for o in row.lengths], row.s, row.memory)["before"]
        rows = (
            key for key, p in sorted(before.items()) if p and key[1] < key[0] and key[2] > allowed(row.s, row.memory)
        )
        return next(({"i": i, "j": j, "not_completed": count} for i, j, count in rows), None)

    for prompt, scale in MEMBERS:
        memory, batch, lengths = _member(prompt, scale)
        run = simulate("a-min-literal", lengths, memory, prompt, 1, 3, ties=range(len(lengths)), history=True)
        count = agree(unfinished(run)[2], batch - 1, "the requests that have not completed")
        if count > (bound := allowed(prompt, memory)):
            last_attempts = schedule("the last attempts", run.schedule.starts, lengths, prompt, memory)
            search = first_hit(3, 4, (1,), early, fewest=2)
            smallest = {"smallest": search.as_json() | search.hit} if search.hit else {}
            return Refuted(
                {"family": FAMILY, "s": prompt, "h": scale, "M": memory, "n": run.n, "i": 2, "argument": ARGUMENT},
                f"at most {bound} with $o < i$ have not completed",
                count,
                [*(_through_ties(*member) for member in MEMBERS[:2]), _even(1000, 40_000)],
                "at every $M$ of the family all but one of a batch; as $n/M → ∞$ they are a vanishing share of all requests",
                values={**smallest, "schedules": [last_attempts]},
            )
    return Open(f"members (s, h) of a family, {', '.join(map(str, MEMBERS))}; at most $M/(s+1) − 1$ is proved")


def _member(s: int, h: int) -> tuple[int, int, list[int]]:
    """Return M, how many fit at first, and the lengths of a member, in the order of the ties."""
    batch, long = (s + 2) * (s + 3) * h, (s + 1) * (s + 3) * h
    return (s + 1) * batch, batch, [3] * long + [1] * (2 * batch - 1 - long)


def _through_ties(s: int, h: int) -> str:
    """Say how many starts with bound 2 a member has, in expectation, at which all but one of a batch have not completed."""
    memory, batch, lengths = _member(s, h)
    expected = judge.expected(judge.literal([(o, 1) for o in lengths], s, memory)["before"], 2, 1, batch - 1)
    agree(expected > 0, True, "whether a tie leads to what a run does")
    return f"s = {s}, h = {h}: {batch - 1} have not completed at {expected} starts with bound 2, in expectation over all ties"


def _even(memory: int, n: int) -> str:
    """Say how many have not completed in a run on lengths 1 to 5 in turn."""
    run = simulate("a-min-literal", [1 + k % 5 for k in range(n)], memory, 1, 1, 5, seed=0, history=True, engine="fast")
    unfinished_counts = {f"o < {i}": count for i, count in sorted(unfinished(run).items()) if i > 1}
    return f"lengths 1 to 5 in turn, s = 1, M = {memory}, n = {n}, one seed: not completed {unfinished_counts}"


def _kept_bound() -> Refuted:
    """Refute that a cancelled request's bound grows: two of length 3, of which one is cancelled with one token."""
    run = simulate("a-min-literal", (3, 3), 5, 1, 1, 3, ties=(0, 1), history=True)
    kept = judge.literal([(3, 1), (3, 1)], 1, 5)["moved"][1, 1, 3]
    agree([run.cancelled is not None and int(run.cancelled.age[0]), kept > 0], [1, True], "a bound that is kept")
    witness = {"lengths": (3, 3), "s": 1, "M": 5, "i": 1}
    return Refuted(witness, "a bound above 1", "1", f"{kept} that keep the bound 1, in expectation")
