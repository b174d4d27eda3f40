"""The decision on what Section 6 says about one of its experiments, on lengths with its published figures.

The paper's sample is not published, so that findings are only ever supported, contradicted or inconclusive.
"""

from __future__ import annotations

from crtools.ledger.evidence import FALSE
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.experiments.simulated import Setup
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.workloads.experiments import MEMORY, SIZES

NOTE = "an experiment; the paper publishes neither its sample nor its code"
METHOD = "simulation; Student intervals over seeds"


def decision(setup: Setup, findings: tuple[Finding, ...], displays: tuple[Display, ...] = ()) -> Decision:
    """Return the decision on an experiment from findings at every n."""
    surrogate = " (surrogate: with the published figures of the paper's sample)" if setup.law == "paper" else ""
    reading = (
        f"$M = {MEMORY}$, $n = {SIZES[0]}, {SIZES[1]}, …, {SIZES[-1]}$, lengths {setup.law}{surrogate}, {setup.step} step "
        f"time; $A_min$ is {setup.a_min}, $A_max$ takes requests in increasing $u$; mean over seeds of the ratio of average "
        "latencies on the same requests, with 95 % intervals; the paper gives no numbers, the thresholds are those in "
        "given (“deteriorates”: no longer nearly identical to its own latency at $x = 0.1$)"
    )
    verdict = Verdict(ALGORITHM, reading, _why(findings), METHOD, findings)
    short = {
        "supported": "runs on surrogate lengths agree",
        "contradicted": "not reproduced on surrogate lengths",
    }.get(verdict.status, "runs on surrogate lengths do not decide")
    false = [f.id for f in findings if f.status in FALSE]
    if false and all(id.startswith("a-min-") for id in false):
        short = "surrogate lengths: $A_min$ not near H-SF"
    elif false == ["a-max-halved"]:
        short = "surrogate lengths: $A_max$ not near half"
    return Decision(short, (verdict,), PublishedProof(displays, note=NOTE))


def _why(findings: tuple[Finding, ...]) -> str:
    false = [f.says for f in findings if f.status in FALSE]
    open_ = [f.says for f in findings if f.status == "inconclusive"]
    if false:
        return f"not reproduced on surrogate lengths (the sample is not published): that {'; that '.join(false)}"
    return f"runs do not decide whether {'; whether '.join(open_)}" if open_ else "the runs agree with every sentence"
