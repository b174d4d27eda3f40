"""The three levels at which a sentence of the paper can be read."""

from crtools.ledger.ledger import Level

AT_ZERO = "form-at-zero"
FORM = "form"
ALGORITHM = "algorithm"

LEVELS = (
    Level(AT_ZERO, "0", "the latency forms at s = 0, where the paper's proofs live", "is the paper's algebra right?"),
    Level(FORM, "f", "the same forms for every s ≥ 0", "does it survive the paper's own model, which has s ≥ 1?"),
    Level(
        ALGORITHM,
        "a",
        "the discrete process, policies as docs/model.md runs them (n → ∞, then M → ∞ where the sentence has a limit)",
        "is it true of what would be deployed?",
    ),
)
