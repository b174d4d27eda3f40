"""amin-derivation: the proof of Lemma "Amin", from E[c_ij] to both latency forms."""

from __future__ import annotations

from crtools.ledger import Claim, Decision, Display, Finding, Given, PublishedProof, Variant, Verdict
from crtools.papers.adaptive.evidence.formulas.latency_forms import Derivation, h_sf_form
from crtools.papers.adaptive.evidence.formulas.summary import first_failure
from crtools.papers.adaptive.levels import AT_ZERO, FORM

GAPS = (
    "$E[τ_k · R_k]$ is replaced by $E[τ_k] E[R_k]$ without an argument",
    "the factors $1 + O(1/M)$ are not argued",
)


def decide(given: Given) -> Decision:
    """Decide both forms from the Proposition's completions, and the displays of the proof."""
    derivation = Derivation(given)
    verdicts = (_verdict(AT_ZERO, "$s = 0$", derivation), _verdict(FORM, "all integers $s ≥ 0$", derivation))
    proof = _proof(derivation)
    misprinted = proof.displays[1].status == "refuted"
    short = first_failure(verdicts[1].findings) or (
        "both forms follow" + ("; $E[τ_k]$ is misprinted" if misprinted else "")
    )
    return Decision(short, verdicts, proof)


def _verdict(level: str, sizes: str, derivation: Derivation) -> Verdict:
    suffix = "-at-zero" if level == AT_ZERO else ""
    findings = (
        Finding(f"h-sf-form{suffix}", "H-SF's latency form follows from its batches", h_sf_form()),
        Finding(
            f"a-min-form{suffix}",
            "A_min's latency form follows from $E[c_ki]$",
            derivation.forms_follow(level == AT_ZERO),
        ),
    )
    return Verdict(
        level,
        f"for {sizes}, $1 ≤ ℓ ≤ k ≤ u$ and all weights $x$, the Proposition as premise: to leading order as $n → ∞$ and then $M → ∞$",
        first_failure(findings)
        or "with $τ_k = Σ_i i(s+i) E[c_ki]/M$ and what is left, the periods add up to the Lemma's sums",
        "rational-function identities; exact bookkeeping of the periods at small $(s, ℓ, u)$",
        findings,
    )


def _proof(derivation: Derivation) -> PublishedProof:
    index = derivation.index.replace(",", "")
    return PublishedProof(
        (
            Display("h-sf-time", "H-SF takes $k(s+k)x_k n/M$ for length $k$", derivation.hsf_time()),
            Display(
                "period-time",
                f"$E[τ_k] = Σ_{{i≥k}} i(s+i)/M E[c_{index}] = δ(k)/M Σ_{{i≥k}} i x_i n$",
                derivation.period_time(),
                "the sum runs over $E[c_ki]$, the completions of period $k$" if index == "ii" else "",
            ),
            Display("remaining", "after period $k$, $Σ_{i>k} (i−k)/(s+i) x_i n$ remain", derivation.remaining()),
            Display("total", "$E[TEL(A_min)]$ from the two displays before", derivation.total()),
        ),
        GAPS,
    )


CLAIM = Claim(
    id="amin-derivation",
    place="Section 4.1, proof of Lemma 2 (thm:Amin)",
    statement="from the Proposition's $E[c_ij]$ follow both latency forms",
    stated_at=FORM,
    given={
        "completed": "delta/(s+i)",
        "tau_index": "i,i",
        "tau": "delta*i",
        "remaining": "(i-k)/(s+i)",
        "hsf_time": "k*(s+k)",
    },
    decide=decide,
    corrupted=(
        Variant("a coefficient", {"tau": "delta*i*101/100", "tau_index": "k,i"}, "period-time"),
        Variant("a sign", {"remaining": "(i+k)/(s+i)"}, "remaining"),
        Variant("an index: k for k+1", {"remaining": "(i-k+1)/(s+i)"}, "remaining"),
        Variant("the prompt left out", {"hsf_time": "k*k"}, "h-sf-time"),
        Variant("a constant off by 1 %", {"hsf_time": "1.01*k*(s+k)"}, "h-sf-time"),
        Variant("completions without δ", {"completed": "1/(s+i)", "tau_index": "k,i"}, "a-min-form"),
        Variant("an index of the completions", {"completed": "delta/(s+k)"}, "a-min-form"),
        Variant("completions without the prompt", {"completed": "delta/i"}, "a-min-form"),
        Variant("the number remaining off by 1 %", {"remaining": "1.01*(i-k)/(s+i)"}, "total"),
    ),
    variants=(
        Variant("the index that is meant", {"tau_index": "k,i"}, "period-time"),
        Variant("equivalent wording", {"remaining": "1 - (s+k)/(s+i)"}, "remaining"),
        Variant("expanded", {"hsf_time": "k**2+k*s"}, "h-sf-time"),
    ),
)
