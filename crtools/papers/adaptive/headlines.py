"""The five sentences of the paper that matter most, in plain words, for the first page of what is made of the ledger."""

from crtools.ledger.ledger import Headline
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM

HEADLINES = (
    Headline(
        "hsf-lower",
        "No schedule is faster than H-SF, which knows every length.",
        "At equal prompts its total latency can be almost twice the optimum, in the limit not more; at unequal ones any multiple.",
        (ALGORITHM,),
    ),
    Headline(
        "thm-optimality",
        "No policy that does not know the lengths has a smaller ratio to H-SF than $A_min$.",
        "Kill and restart, which knows none, has at most $64/3 + 4$ times the optimum as $M → ∞$; $A_min$ over H-SF is unbounded.",
        (ALGORITHM,),
    ),
    Headline(
        "thm-log",
        "The ratio of $A_min$ to H-SF is $O(log 1/α)$.",
        "True of their forms for each fixed $s$. Algorithm 2 over H-SF grows at least like $α⁻¹/ln(1/α)$.",
        (FORM, ALGORITHM),
    ),
    Headline(
        "thm-amax-lower",
        "The ratio of $A_max$ to H-SF can reach $½α⁻¹(1 + α^{−1/2})$ for large $M$.",
        "Its form over H-SF's form stays below $½α⁻¹(1 + √(1 + ½ ln(1/α)))$ at $s = 0$.",
        (FORM,),
    ),
    Headline(
        "uniform-bounds",
        "1.5, 1.7 and 1.56 bound the ratio of $A_min$ to H-SF on three families of lengths.",
        "True of their forms at $s = 0$, not at $s = 1$, and not of Algorithm 2.",
        (AT_ZERO,),
    ),
)
