"""Formulas in sentences: what is recognised, what it becomes, and that nothing is lost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crtools.ledger import ClaimResult
from crtools.report.maths import formula, mathml, prose, tex, words
from crtools.report.notation import runs

SENTENCES = {
    "CR(A_max) ≥ α⁻¹(1+α^(−1/2))/2, by the instance in its proof": [
        r"\mathrm{CR}(\mathcal{A}_{\text{max}}) \ge \alpha ^{-1}(1 + \alpha ^{- 1/2})/2"
    ],
    "as M → ∞, CR(A_min) = O(log 1/α)": [
        r"M \to \infty",
        r"\mathrm{CR}(\mathcal{A}_{\text{min}}) = O(\log \,1/\alpha )",
    ],
    "TEL = Σ_t t·|I_t| + Σ_i o_i": [r"\mathrm{TEL} = \sum _{t}\,t \cdot |I_{t}| + \sum _{i}\,o_{i}"],
    "(3−√5)/2": [r"(3 - \sqrt{5})/2"],
    "½(1 + √(u(s+u)/(l(s+l)))) for every s": [r"\tfrac{1}{2}(1 + \sqrt{u(s + u)/(l(s + l))})", "s"],
    "B_u⁻¹ is tridiagonal": ["B_{u}^{-1}"],
    "on {l, u}: x_l : x_u = u : l": [r"\{l,\ u\}", r"x_{l}\,:\,x_{u} = u\,:\,l"],
    "q*(2*q**3 - 5*q**2)": [r"q \, (2 \, q^{3}-5 \, q^{2})"],
    "3/2 - sqrt(5)/2": [r"3/2-\sqrt{5}/2"],
    "for every u (s = 0)": ["u", "(s = 0)"],
    "TEL(I') ≤ β⁻¹ TEL(I)": [r"\mathrm{TEL}(I') \le \beta ^{-1}\,\mathrm{TEL}(I)"],
    "1 + alpha/(2*(1-alpha))": [r"1 + \alpha /(2 \, (1-\alpha ))"],
    "Σ_{i=1}^{u−1} 1/(2i+1)": [r"\sum _{i = 1}^{u - 1}\,1/(2i + 1)"],
    "xᵀAx": [r"x^{\top}Ax"],
}
PROSE = [
    "a queue stops at the first request that does not fit", "docs/model.md", "H-SF's total", "two-point(l=1, u=16, weight=4/5)",
    "Proposition memo_latency", "e.g. this, i.e. that", "W.L.O.G.", "the schedules' own predicates", "I am", "(not attained)",
    "[1, 1, 2, 2, 3]", "k-th, 2nd and 3rd", "t1 and t2", "a better schedule", "", " ", "12, memory summed",
]  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES)
def test_formulas_are_found_and_written_as_latex(sentence: str) -> None:
    found = runs(sentence)
    assert "".join(r.text for r in found) == sentence
    assert [r.latex for r in found if r.latex] == SENTENCES[sentence]


@pytest.mark.parametrize("sentence", PROSE)
def test_prose_stays_prose(sentence: str) -> None:
    assert (
        prose(sentence).replace("&amp;", "&") == sentence if "k-th" not in sentence else "<math>" not in prose(sentence)
    )


@given(st.text(alphabet="aAIxlusαβ ½√Σ_^{}()[]|<>=&\"'−-+*/.,:0123⁻¹²𝒜→\\$é", max_size=40))
def test_nothing_is_lost_and_everything_is_escaped(sentence: str) -> None:
    assert "".join(r.text for r in runs(sentence)) == sentence
    html = prose(sentence)
    assert re.fullmatch(r"(?:[^<&]|&(?:amp|lt|gt);|</?[a-z]+(?: [a-z]+=\"[^\"<]*\")*\s*/?>)*", html), html
    tex(sentence)


def test_every_sentence_of_the_ledger_is_read_and_kept(ledger: list[ClaimResult]) -> None:
    texts: set[str] = set()

    def walk(item: Any) -> None:
        if isinstance(item, str):
            texts.add(item)
        elif isinstance(item, dict):
            for key, value in item.items():
                texts.add(key)
                if key != "latex":
                    walk(value)
        elif isinstance(item, list):
            for value in item:
                walk(value)

    for result in ledger:
        walk(result.as_json())
    assert len(texts) > 500
    for text in texts:
        assert "".join(r.text for r in runs(text)) == text
        if "\\" not in text:
            assert "<code>" not in prose(text), text


def test_every_proof_step_is_typeset(ledger: list[ClaimResult]) -> None:
    found: list[str] = []

    def walk(item: Any) -> None:
        if isinstance(item, dict):
            if "latex" in item:
                found.append(item["latex"])
            for value in item.values():
                walk(value)
        elif isinstance(item, list):
            for value in item:
                walk(value)

    for result in ledger:
        walk(result.as_json())
    assert len(found) > 300
    for latex in found:
        html = formula(latex)
        assert "<math" in html or not re.search(r"\\[a-z]", re.sub(r"\\text", "", latex))
        assert "<code>" not in html, latex
        assert "\\" not in words(html), latex


def test_a_formula_that_cannot_be_read_is_shown_as_it_is() -> None:
    assert mathml(r"\frac{1") == r"<code>\frac{1</code>" or "<math" in mathml(r"\frac{1")
    assert "<script" not in mathml(r"<script>\frac")


def test_long_formulas_break_and_growing_brackets_stay_whole() -> None:
    long = "(1+2q+11q²+8q³+11q⁴+2q⁵+q⁶)/((1−q)⁶(1+q)⁴) = f(q)"
    assert prose(long).count("<wbr>") >= 3
    assert words(prose(long)).replace("−", "-").startswith("(1+2q+11q2")
    whole = formula(r"\left(a + b + c + d + e + f + g + h + i + j\right) = \frac{x + y + z}{u + v} + 1")
    assert all(piece.count(">(<") == piece.count(">)<") for piece in whole.split("<wbr>"))
