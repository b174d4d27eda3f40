"""b-random, b-random-best, own-offsets and own-lower: random offsets, and the best that any strategy can do."""

from functools import partial

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim, decision_at
from crtools.ledger.deciders.decimals import decide_printed
from crtools.ledger.deciders.parameter import KnownRatio
from crtools.papers.nonclairvoyant import ARXIV
from crtools.papers.nonclairvoyant.evidence import literal
from crtools.papers.nonclairvoyant.evidence.minima import COMMON, OWN, best_common, best_own
from crtools.papers.nonclairvoyant.evidence.ratios import both_sides, in_base
from crtools.papers.nonclairvoyant.levels import ALGORITHM, KERNEL
from crtools.papers.nonclairvoyant.theory import theorem

ONE = KnownRatio(in_base(COMMON), partial(theorem, "one offset"), literal.with_one_offset, lambda: best_common()[0])
EACH = KnownRatio(in_base(OWN), partial(theorem, "own offsets"), literal.with_own_offsets, lambda: best_own()[0])
METHOD, WORST = "a mean of stretched minima", "sizes with tail $t^{−1/2}$"


@claim(
    "b-random",
    ALGORITHM,
    f"{ARXIV}, abstract and introduction",
    "with one random offset and a random order the ratio is $(2b+√b−1)/(√b ln b)$",
    rests_on=["spt-optimal"],
)
def b_random(given: Given) -> Decision:
    """Decide the ratio with one offset from both sides for every b, and the bound at every n."""
    return both_sides(given, ONE, METHOD, WORST)


@claim(
    "b-random-best",
    KERNEL,
    f"{ARXIV}, abstract and introduction",
    "the best $b$ is ≈ 8.16, with the ratio ≈ 3.032",
    rests_on=["b-random"],
)
def b_random_best(given: Given) -> Decision:
    """Decide where the ratio is least, and the decimal that is printed."""
    best, base = best_common()
    where = given.evidence_for("b", decide_printed, base, "rounded to nearest")
    minimum, nearest = (
        Finding(
            id, f"its least value is {given['least']}, {how}", given.evidence_for("least", decide_printed, best, how)
        )
        for id, how in (("least", "rounded up"), ("nearest", "rounded to nearest"))
    )
    return decision_at(
        KERNEL,
        "every $b > 1$; $b$ rounded to nearest, the ratio rounded up, as the source rounds both of its ratios",
        "one change of sign of the slope; balls",
        f"the least value is {best.text}",
        Finding("where", f"it is least at $b ≈ {given['b']}$", where),
        minimum,
        degenerate=(nearest,),
        line=f"it is {best.value.middle:.6g}, printed rounded up",
    )


@claim(
    "own-offsets",
    ALGORITHM,
    "own",
    "with own random offsets it is $4(√b−1)(2√b−1)/(√b ln² b)$, at best ρ* = 2.72837…",
    rests_on=["spt-optimal"],
)
def own_offsets(given: Given) -> Decision:
    """Decide the ratio with own offsets from both sides for every b, the bound at every n, and where it is least."""
    value, base = best_own()
    minimum = given.evidence_for("least", decide_printed, value, "rounded up")
    where = given.evidence_for("b", decide_printed, base, "rounded to nearest")
    best = (
        Finding("least", f"its least value is {given['least']}, rounded up", minimum),
        Finding("where", f"at $b ≈ {given['b']}$", where),
    )
    return both_sides(given, EACH, METHOD, WORST, *best)


@claim(
    "own-lower",
    ALGORITHM,
    "own",
    "no kill-and-restart strategy is better than ρ* = $min (y−1)(2y−1)/(y ln² y)$ = 2.72837…",
    rests_on=["spt-optimal", "own-offsets"],
)
def own_lower(given: Given) -> Decision:
    """Decide whether ρ*, which every strategy's ratio is at least, is at least the number."""
    rho_star, _ = best_own(partial(theorem, "no strategy is better than ρ*"))
    evidence = given.evidence_for("least", decide_printed, rho_star, "at least")
    return decision_at(
        ALGORITHM,
        "every kill-and-restart strategy, with coins, also one that knows the law; $n → ∞$",
        "weak duality with a price per unit of work",
        "each step of a job costs 2ρ* ln y, in time and price",
        Finding("least", f"its ratio is at least {given['least']}", evidence),
        line="no kill-and-restart strategy is below ρ*",
    )


CLAIMS = (b_random, b_random_best, own_offsets, own_lower)
