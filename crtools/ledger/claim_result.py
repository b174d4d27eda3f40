"""``ClaimResult``, a decided claim as ``verify`` returns it: as JSON, as text, and as a card in a notebook."""

from dataclasses import dataclass

from crtools.errors import InputError
from crtools.installed_ledgers import ledger_at
from crtools.ledger.evidence import Data, json_fields
from crtools.ledger.verdict import DecidedClaim
from crtools.proof.accepted import NOTHING, Accepted


@dataclass(frozen=True, kw_only=True, repr=False)
class ClaimResult(DecidedClaim):
    """A decided claim: everything that ``crtools verify --json`` prints about it.

    Attributes
    ----------
    id, place, statement, stated_at, given
        The claim: its id, where it stands in the paper, its sentence, the level of that, and the values it was decided with.
    verdicts
        One :class:`Verdict` for each level at which the sentence says something.
    proof
        What was judged of the paper's own proof (:class:`PublishedProof`).
    repairs
        Sentences for the place of a false one (:class:`Repair`).
    rests_on
        The ids of the claims whose truth the paper's proof uses.
    why
        The result in one plain clause.

    Examples
    --------
    >>> from crtools import verify
    >>> [result] = verify("trace")
    >>> result
    ClaimResult(proved at form-at-zero: trace; proof sound)
    >>> result.levels, result.stated.status, result.given
    (('form-at-zero',), 'proved', {'closed_form': 'sum(1/i, i, 1, u)'})
    """

    def __repr__(self) -> str:
        stated_first = sorted(self.verdicts, key=lambda verdict: verdict.level != self.stated_at)
        statuses = ", ".join(f"{verdict.status} at {verdict.level}" for verdict in stated_first)
        return f"ClaimResult({statuses}: {self.id}; proof {self.proof.state})"

    def _repr_html_(self) -> str:
        from crtools.ledger.display.claim_text import card

        return card(self)

    @property
    def accepted(self) -> Accepted:
        """What is recorded of its ledger's proofs as accepted by Coq's kernel; nothing where that ledger cannot be found."""
        try:
            ledger = ledger_at(self.ledger)
        except InputError:
            return NOTHING
        return NOTHING if ledger is None else ledger.accepted()

    def as_json(self, accepted: Accepted | None = None) -> Data:
        """Return the result as JSON data; theorems are named in it, their records are in :attr:`theorems`."""
        in_coq = self.accepted if accepted is None else accepted
        levels = [verdict.as_json(in_coq) for verdict in self.verdicts]
        repairs = [repair.as_json() for repair in self.standing_repairs]
        fields = json_fields(self, "id", "place", "statement", "given", "stated_at", "why", "proof", "rests_on")
        return {**fields, "levels": levels, "repairs": repairs}

    def show(self, width: int = 80, accepted: Accepted | None = None) -> str:
        """Return a readable account with every finding and every step, in lines of at most ``width`` columns.

        It is what ``crtools verify ID --show`` prints. ``accepted``: another record of what Coq's kernel accepted than the ledger's.
        """
        from crtools.ledger.display.claim_text import claim_text

        return claim_text(self, width, self.accepted if accepted is None else accepted)
