"""blind-lower: no blind policy has a smaller ratio to the optimum than ρ*."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

from crtools.blind.rho_star import least_cost
from crtools.enclosure import ball, decimal, ends
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Refuted, by_theorem
from crtools.ledger.claims import claim, decision, verdict
from crtools.ledger.evidence import records
from crtools.papers.beyond.claims.rho_star import bracket_of_y, by_mpmath
from crtools.papers.beyond.evidence import computed
from crtools.papers.beyond.levels import ALGORITHM, MACHINE
from crtools.papers.beyond.theory import theorem
from crtools.proof.theorem import Theorem

AT_BEST = "own offsets at b = y*²"
BEST = {
    MACHINE: ((AT_BEST,), "at every n and for all sizes"),
    ALGORITHM: (
        ("own offsets in the process(less_than_the_best_base)", AT_BEST),
        "it is a limit, uniformly in the lengths",
    ),
}
"""The theorems that own offsets have at most ρ*, and for which n they hold."""

LOWER = {MACHINE: "no blind policy is better, on one machine", ALGORITHM: "no blind policy is better, in the process"}
"""The theorem that no blind policy has less."""


def best(level: str) -> tuple[Theorem, ...]:
    """Return the theorems that own offsets pay at most ρ*."""
    return tuple(map(theorem, BEST[level][0]))


def roots() -> dict[str, str]:
    """Return numbers a little below √2 and √(1 − 1/ρ*), with which the judge compares the loss of ln R with the claim's constant."""
    squares = {"root": ball(2), "d": ball(1 - 1 / least_cost(20).value.lower)}
    below = {name: Fraction(decimal(ends(square.sqrt())[0], 5, up=False)) for name, square in squares.items()}
    return {name: str(value) for name, value in below.items()}


def own_offsets_do_better(bound: Fraction, level: str) -> Refuted | None:
    """Return the refutation of a lower bound above ρ* by own offsets at the best base; None if the bound is not above."""
    minimum, proofs = least_cost(40), best(level)
    if bound <= minimum.value.upper or not all(proof.holds for proof in proofs):
        return None
    witness, actual = {"policy": "own offsets", "base": minimum.base.decimals(12)[0]}, minimum.value.decimals(12)[1]
    second = str(by_mpmath())
    return Refuted(witness, f"at least {bound}", f"at most {actual}", second, BEST[level][1], records(*proofs))


def at_least(bound: Fraction, level: str) -> Evidence:
    """Decide whether every blind policy's ratio is at least the bound: by the price, or by own offsets, which stay below it."""
    rho_star = least_cost(40).value
    if bound <= rho_star.lower:
        return by_theorem(theorem(LOWER[level]), values={**bracket_of_y(8), **roots()})
    return own_offsets_do_better(bound, level) or Open(
        "the bound is within the digits of ρ*", {"rho_star": str(rho_star)}
    )


def finite(constant: Fraction) -> Evidence:
    """Decide whether the ratio is at least ρ* (ln R − c)/(1 + ln R) for every R: not where one attempt per job does better."""
    if constant >= computed.CONSTANT:
        return by_theorem(theorem(LOWER[MACHINE]), values={**bracket_of_y(8), **roots()})
    root = Fraction(68, 25)  # √R near ρ*, where 2√R − 1 is furthest below ρ* ln R
    claimed = ends(ball(least_cost(20).value.lower) * (2 * ball(root).log() - ball(constant)))[0]
    if claimed > 2 * root - 1:
        square = float(root**2)
        says = f"{float(claimed):.6f} for twice the total over n²"
        second = f"{2 * sqrt(square) - 1:.6f}, against {2.7283724 * (log(square) - float(constant)):.6f}"
        stays = "it is the limit n → ∞ of jobs that are run to their ends in any order"
        return Refuted({"R": str(root**2), "plan": "no kill"}, says, str(2 * root - 1), second, stays)
    return Open(f"the price gives the constant {computed.constant()}, one attempt per job excludes less than 0.374")


@claim(
    "blind-lower",
    MACHINE,
    "docs/beyond/minimax.md, the lower bound",
    "no blind policy has a ratio to the optimum below ρ*, not even one that knows the law",
    rests_on=["rho-star"],
)
def blind_lower(given: Given) -> Decision:
    """Decide the bound on one machine and in the process, and how much is lost for finite R."""
    bound, constant = number("bound", given["bound"]), number("constant", given["constant"])
    loses = (
        f"for sizes with $P(v > t) = t^{{−1/2}}$ up to $R$ it is at least $ρ⋆(ln R − {given['constant']})/(1 + ln R)$"
    )
    more = {MACHINE: (Finding("finite", loses, finite(constant)),), ALGORITHM: ()}
    levels = [
        verdict(
            level,
            reading,
            "a price on machine time: weak duality",
            ("no blind ratio to the optimum is below ρ*", "own random offsets or one attempt do better"),
            Finding(
                "bound",
                f"no blind policy has a ratio to the optimum below {given['bound']}",
                at_least(bound, level),
            ),
            *more[level],
            undecided="between what is proved and what is refuted",
        )
        for level, reading in READINGS.items()
    ]
    return decision(*levels)


READINGS = {
    MACHINE: "against the optimum; every policy that may know the law and use coins; kill and restart: a job that does not run has lost "
    "its work; $n → ∞$, then $R → ∞$",
    ALGORITHM: "against the optimum, not against H-SF; every $s ≥ 0$ and $ℓ$; such policies of the process, which may also pause a request "
    "that keeps its memory, but not swap it out; $n → ∞$, then $M → ∞$, then $u → ∞$",
}
