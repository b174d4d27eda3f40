"""tel-identity, infeasible-pair, no-cancellations: total latency by starts, two jobs that cannot both complete, cancellations."""

from fractions import Fraction

import sympy as sp

from check import process as judge
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, Open, Proved, Refuted, agree, by_theorem
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import one_of, phrase, whole
from crtools.papers.adaptive.theory import ALGORITHM, reading_of, stated_claim, theorem
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule

RELATIONS = {"=": "=", "<=": "≤", ">=": "≥"}


@stated_claim("tel-identity")
def tel_identity(given: Given) -> Decision:
    """Decide TEL = (or ≤, ≥) a Σ_t t |I_t| + b Σ_i o_i: both sides are sums over requests.

    A request of length o whose last start is p adds p + o to the left side, and a p + b o to the right.
    """
    a, b = (number(name, given[name]) for name in ("waiting", "processing"))
    relation = one_of(given, "relation", RELATIONS)
    evidence = counterexample(a, b, relation) or by_theorem(per_request(a, b, relation))
    right = f"{_times(a)}Σ_t t·|I_t| + {_times(b)}Σ_i o_i"
    finding = Finding("sum-over-starts", f"$TEL {RELATIONS[relation]} {right}$", evidence)
    whys = {"proved": "request by request: $p + o$ on the left", "refuted": "false at an instance"}
    long = f"a request of $I_p$ adds $p + o$ to the left side and ${_times(a)}p + {_times(b)}o$ to the right"
    read, line = reading_of("tel-identity"), whys.get(evidence.status, "the two sides were compared")
    return Decision(line, (read.verdict(ALGORITHM, long, finding),), read.proof(grouping=evidence))


def _times(factor: Fraction) -> str:
    return "" if factor == 1 else f"{factor}·"


def per_request(a: Fraction, b: Fraction, relation: str) -> Theorem:
    """Compare both sides request by request: the theorem of the text, or what a claim is given in its place."""
    if (a, b, relation) == (1, 1, "="):
        return theorem("total latency")
    p, o = sp.symbols("p o", integer=True)
    right = sp.Rational(a) * p + sp.Rational(b) * o
    text = f"a request of I_p adds p + o to the left side, and {right} to the right"
    reading = "every schedule; p is a request's last start, so t·|I_t| is the sum of p over the requests of I_t"
    proof = Proof("total latency", reading)
    if relation == "=":
        proof.identity(text, p + o, right)
    else:
        proof.nonnegative(text, right - p - o if relation == "<=" else p + o - right, p >= 0, o >= 1)
    return proof.therefore(rf"\sum_i L_i {relation} {a} \sum_t t\,|I_t| + {b} \sum_i o_i").qed()


def counterexample(a: Fraction, b: Fraction, relation: str) -> Refuted | None:
    """Return an instance at which the relation fails, if any: one request at 0, two, and one so late that its start outweighs its length.

    With length 1 the first compares 1 with b, and the last, at p, compares p + 1 with a p + b: they refute each wrong b and a.
    """
    late = 1 if a == 1 else int(abs(b - 1) / abs(a - 1)) + 2
    for starts, lengths in (((0,), (1,)), ((0, 2), (1, 3)), ((late,), (1,))):
        lhs, rhs = Schedule(starts, lengths).total_latency, a * sum(starts) + b * sum(lengths)
        if not {"=": lhs == rhs, "<=": lhs <= rhs, ">=": lhs >= rhs}[relation]:
            second = agree(lhs, judge.total(starts, lengths), "a total latency")
            witness = {"starts": starts, "lengths": lengths}
            return Refuted(witness, f"{relation} {rhs}", lhs, second, "no limit is taken; any number of copies")
    return None


LARGEST_REMAINING = 10**6


@stated_claim("infeasible-pair")
def infeasible_pair(given: Given) -> Decision:
    """Decide whether two active jobs can both complete without cancellation.

    They hold ``use`` tokens of memory now, and each has at least ``remaining`` tokens to generate. A delayed job keeps its memory.
    While the first to complete generates its last ``remaining`` tokens, the other frees nothing, so the use rises by at least as many.
    """
    size = sp.Symbol("M", positive=True)
    _, use = formula_on("use", given["use"], {"M": size}, integers_from(M=1))
    remaining = whole("remaining", given["remaining"], 1, LARGEST_REMAINING)
    over = sp.expand(use + remaining - size)
    evidence = _decide_excess(over, remaining)
    at = f"at use ${given['use'].strip()}$ with at least {remaining} tokens left each"
    says = f"{at}, the two jobs cannot both complete"
    line, why = {
        "proved": (
            f"the first to end passes $M$ by {over} or more",
            "whichever job ends first generates its last tokens while the other keeps its memory",
        ),
        "refuted": (
            "the two jobs can end one after the other",
            "the first job ends within the memory, and what it held is free for the second",
        ),
        "inconclusive": ("the use is not $M$ plus a constant", "the use was not compared with $M$"),
    }[evidence.status]
    read = reading_of("infeasible-pair")
    verdict = read.verdict(ALGORITHM, why, Finding("not-both", says, evidence))
    return Decision(line, (verdict,), read.proof(more_memory=evidence))


def _decide_excess(over: SymExpr, remaining: int) -> Proved | Refuted | Open:
    """Decide whether ``over``, the use at the first job's last token minus M, is positive."""
    if not over.is_Integer:
        return Open("the first job's last token; the use must be $M$ plus a constant")
    if over >= 1:
        return by_theorem(_exceeded(over, remaining))
    # one job runs to its end and frees its memory, then the other; ``over - remaining`` is the use now minus M
    s, generated, held = 1, 1, 2
    memory = 2 * held - int(over - remaining)
    alone = Schedule((0,), (generated + remaining,), s).peak_memory
    witness = {"s": s, "tokens_generated_by_each": generated, "M": memory, "tokens_left": remaining}
    return Refuted(
        witness,
        claimed=f"more than {memory} tokens at some time",
        actual={"use_while_the_first_ends": 2 * held + remaining, "use_while_the_second_ends": held + remaining},
        second=f"the first alone peaks at {alone}, with the other's {held} tokens at {alone + held}",
        stays="for every $M$ and $s$: the use is $M$ plus a constant",
    )


def _exceeded(over: SymExpr, remaining: int) -> Theorem:
    """Return the text's theorem, or its proof for another use or another number of remaining tokens."""
    if (over, remaining) == (1, 2):
        return theorem("two jobs")
    remaining_tokens = sp.Symbol("r")
    proof = Proof(
        "two jobs",
        "no cancellation, no other job, a delayed job keeps its memory; r: tokens that the first to end has left",
        rf"\text{{use}} + r > M \text{{ for }} r \ge {remaining}",
    )
    excess, says = over - remaining + remaining_tokens, "use + r − M > 0 for every r at least as large"
    proof.positive(says, excess, remaining_tokens >= remaining)
    return proof.therefore(r"\text{whichever job ends first, the memory is exceeded by its last token}").qed()


LARGEST_LATER = 1000
CHECKED = (
    "Equation (3) holds at the last admission for every later instant: up to $t_max(U)$ it is checked, and after it only requests of "
    "earlier admissions run, for which it was checked then"
)


@stated_claim("no-cancellations")
def no_cancellations(given: Given) -> Decision:
    """Decide whether each run that cancels has one that does not, in which no request completes later (by more than given)."""
    knowledge = one_of(given, "lengths", ("known", "unknown"))
    later = whole("later", given["later"], -LARGEST_LATER, LARGEST_LATER)
    evidence = _later(later) if later < 0 or knowledge == "unknown" else by_theorem(theorem("the last attempts alone"))
    by = f"by more than {later} " * (later != 0)
    without = f"there is one without, in which no request completes {by}later"
    says = f"lengths {knowledge}: for each run that cancels {without}"
    why = phrase(evidence.status, "a request completes later", "the last attempts alone do the same")
    read = reading_of("no-cancellations")
    verdict = read.verdict(ALGORITHM, why, Finding("no-later", says, evidence))
    return Decision(why, (verdict,), read.proof(checked_up_to_the_last=Proved(argument=CHECKED)))


def _later(later: int) -> Refuted:
    """Refute it by n requests of length 1: A_max, which assumes length u, starts two at a time, A_min five.

    Five fill the memory, so no schedule ends before A_min's: that refutes ``later`` < 0, where lengths are known, too.
    """
    s, u, memory, n = 1, 4, 10, 10 * (max(later, 0) // 3 + 1)
    fast, slow = (simulate(name, [1] * n, memory, s, 1, u, seed=0).makespan for name in ("a-min-literal", "a-max"))
    starts = (judge.run_queue(range(n), [assumed] * n, [1] * n, s, memory) for assumed in (1, u))
    second = agree([fast, slow], [max(attempt_starts) + 1 for attempt_starts in starts], "the last completion")
    actual = f"{fast}, as five complete at an instant"
    if later >= 0:
        actual = f"{slow}: nobody runs when others start, and 2 = $⌊M/(s+u)⌋$ start"
    witness = {"n": n, "s": s, "l": 1, "u": u, "M": memory, "lengths": "all 1"}
    stays = "with $n$ the difference grows without bound"
    return Refuted(witness, f"all complete by {fast + later}", actual, second, stays)
