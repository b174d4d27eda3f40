"""Marked texts: what stands between dollar signs is typeset, all else is prose, and nothing is lost."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import halves, odds

from crtools.ledger import ClaimResult
from crtools.ledger.display.words import both_sides, titled
from crtools.ledger.run import theorems
from crtools.notation.latex import tex, to_latex
from crtools.notation.marked_text import runs, split
from crtools.notation.mathml import formula, is_latex, mathml, prose, statement
from crtools.notation.terminal import in_a_line, unmarked

FORMULAS = {
    "CR(A_max) ≥ α⁻¹(1+α^(−1/2))/2": r"\mathrm{CR}(\mathcal{A}_{\text{max}}) \ge \alpha ^{-1}(1 + \alpha ^{- 1/2})/2",
    "M → ∞": r"M \to \infty",
    "CR(A_min) = O(log 1/α)": r"\mathrm{CR}(\mathcal{A}_{\text{min}}) = O(\ln \,1/\alpha )",
    "TEL = Σ_t t·|I_t| + Σ_i o_i": r"\mathrm{TEL} = \sum _{t}\,t \cdot |I_{t}| + \sum _{i}\,o_{i}",
    "(3−√5)/2": r"(3 - \sqrt{5})/2",
    "½(1 + √(u(s+u)/(l(s+l))))": r"\tfrac{1}{2}(1 + \sqrt{u(s + u)/(\ell (s + \ell ))})",
    "B_u⁻¹": "B_{u}^{-1}",
    "x_l : x_u = u : l": r"x_{\ell}\,:\,x_{u} = u\,:\,\ell",
    "q*(2*q**3 - 5*q**2)": r"q \, (2 \, q^{3}-5 \, q^{2})",
    "3/2 - sqrt(5)/2": r"3/2-\sqrt{5}/2",
    "TEL(I') ≤ β⁻¹ TEL(I)": r"\mathrm{TEL}(I') \le \beta ^{-1}\,\mathrm{TEL}(I)",
    "1 + alpha/(2*(1-alpha))": r"1 + \alpha /(2 \, (1-\alpha ))",
    "Σ_{i=1}^{u−1} 1/(2i+1)": r"\sum _{i = 1}^{u - 1}\,1/(2i + 1)",
    "xᵀAx": r"x^{\top}Ax",
    "a_ij - b_i": "a_{ij}-b_{i}",
    "u-l": r"u-\ell",
    "CR(H-SF)": r"\mathrm{CR}(\text{H-SF})",
    "{l, u}": r"\{\ell ,\ u\}",
    "95 %": r"95\,\%",
    r"\frac{a}{b}": r"\frac{a}{b}",
    "2*3*q": r"2 \cdot 3 \, q",
}
PROSE = [
    "a queue stops at x = 1", "docs/model.md", "docs/A_max.md", "two-point(l=1, u=16, weight=4/5)", "e.g. this, i.e. that",
    "[1, 1, 2, 2, 3]", "it costs 5 $", "√5", "", " ",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_mathematics_is_written_as_latex(text: str) -> None:
    assert to_latex(text) == FORMULAS[text]
    html = prose(f"so ${text}$, as")
    assert html.startswith("so ")
    assert html.endswith(", as")
    assert "<math" in html
    assert "<code>" not in html


@pytest.mark.parametrize("text", PROSE)
def test_what_is_not_marked_is_prose(text: str) -> None:
    assert prose(text) == text
    assert unmarked(text) == text


def test_a_policy_and_a_formula_are_typeset_without_marks_too() -> None:
    assert runs("A_min's form, CR(A_max)") == [
        ("A_min", True), ("'s form, CR(", False), ("A_max", True), (")", False),
    ]  # fmt: skip
    assert runs("is (1+1/sqrt(alpha))/2 at alpha")[1] == ("(1+1/sqrt(alpha))/2", True)
    assert runs("5 + 2*sqrt(7)/9") == [("5 + 2*sqrt(7)/9", True)]
    for plain in ("see sqrt(2", "``A_min, sqrt(2)``", "no_A_max", "beyond/A_max.md", "by steps, A_minute"):
        assert runs(plain) == [(plain, False)], plain


def test_one_letter_and_one_word_are_read_everywhere() -> None:
    assert (
        unmarked("$l log(u/l)$ and $x_l$, in code ``l`` and ``log(x)``")
        == "ℓ ln(u/ℓ) and x_ℓ, in code ``l`` and ``log(x)``"
    )
    assert unmarked("j > l, C_lj ≤ log(2) in uniform(l=1), thm-log") == "j > ℓ, C_ℓj ≤ ln(2) in uniform(l=1), thm-log"
    assert "ℓ" in mathml("l + 1") and "ln" in mathml(r"\log u") and "log" not in mathml(r"\log u")
    assert "ℓ" not in mathml(r"\text{all l}")
    assert mathml(r"\mathbb E v") == "<math><mi>𝔼</mi><mi>v</mi></math>"  # browsers ignore mathvariant
    assert to_latex("Σ_{k=l+1}^{u} m̄ ĝ ρ⋆") == to_latex("∑_{k=l+1}^{u} m̄ ĝ ρ⋆")
    assert to_latex("∑_{k=l+1}^{u} m̄ ĝ ρ⋆") == r"\sum _{k = \ell + 1}^{u}\,\bar{m}\,\hat{g} \,\rho ^{*}"


def test_an_index_and_a_sum_in_words_are_read_too() -> None:
    text = "a_{l,j−1} is 2^{k+1} Σ_{i<j} x_i, the cross_sum of ``x_i``"
    shown = "a<sub>ℓ,j−1</sub> is 2<sup>k+1</sup> <math>…</math> x<sub>i</sub>, the cross_sum of <code>x_i</code>"
    assert re.sub("<math>.*?</math>", "<math>…</math>", prose(text)) == shown
    assert unmarked(text) == "a_(ℓ,j−1) is 2^(k+1) Σ(i<j) x_i, the cross_sum of ``x_i``"
    assert unmarked(r"$\sum_{k=1}^n k$") == "∑(k=1…n) k"
    assert unmarked("½(l²−1) at l, lκ, all l=1") == "½(ℓ²−1) at ℓ, ℓκ, all l=1"
    assert "A_" not in mathml(r"\text{A_min's form is } x")
    assert prose("∫_low^high, C_lj") == "∫<sub>low</sub><sup>high</sup>, C<sub>ℓj</sub>"  # a word has its own l
    assert unmarked(r"$1 \sum_i p_i + 11 \sum_i o_i$") == "∑_i p_i + 11 ∑_i o_i"
    assert "<mn>1</mn>" not in mathml(r"1 \sum_i p_i") and "<mn>11</mn>" in mathml(r"11 \sum_i o_i")
    assert tex("a_{l,j−1} is 2^{k+1}") == r"$a_{\ell {,}j - 1}$ is $2^{k + 1}$"


@given(st.text(alphabet="aAIxlusαβ ½√Σ_^{}()[]|<>=&\"'−-+*/.,:0123⁻¹²𝒜→\\$é%#~`", max_size=40))
def test_nothing_is_lost_and_everything_is_escaped(text: str) -> None:
    assert "".join(part for part, _ in runs(text)) in (text.replace("$", ""), text, *_last_kept(text))
    assert "".join(token.text for token in split(text)) == text
    html = prose(text)
    assert re.fullmatch(r"(?:[^<&]|&(?:amp|lt|gt|#34|#39);|</?[a-z]+(?: [a-z]+=\"[^\"<]*\")*\s*/?>)*", html), html
    tex(text)
    unmarked(text)


def _last_kept(text: str) -> tuple[str, ...]:
    """A text without its dollars but for the last, which has no other."""
    head, dollar, tail = text.rpartition("$")
    return (head.replace("$", "") + dollar + tail,)


def words(html: str) -> str:
    """Return the text of an HTML fragment, without its elements."""
    return unescape(re.sub(r"<[^>]*>", "", html))


def every_text(item: Any) -> set[str]:
    """Return every string in JSON data, but for LaTeX and names."""
    if isinstance(item, str):
        return {item}
    if isinstance(item, dict):
        found = [every_text(value) for key, value in item.items() if key not in ("latex", "statement")]
        return set().union(*found)
    return set().union(*map(every_text, item)) if isinstance(item, list) else set()


def check_texts(results: list[ClaimResult]) -> int:
    found = set().union(*(every_text(r.as_json()) | every_text(list(r.theorems)) for r in results))
    for text in found:
        assert text.count("$") % 2 == 0, text
        assert "<code>" not in prose(text) or "``" in text, text
    return len(found)


def test_every_text_of_the_made_up_ledger_is_read(made_up: list[ClaimResult]) -> None:
    assert check_texts(made_up) > 50


def test_every_text_of_the_ledger_is_read(ledger: list[ClaimResult]) -> None:
    assert check_texts(ledger) > 500


def check_formula(latex: str) -> None:
    html = formula(latex)
    sentence = latex.startswith(r"\text{") and latex.endswith("}") and latex.count("{") == 1
    assert sentence or "<math" in html, latex
    assert "<code>" not in html, latex
    assert "\\" not in words(html), latex


def test_every_step_of_a_proof_is_typeset() -> None:
    for theorem in (odds().as_json(), halves().as_json()):
        for latex in (theorem["statement"], *(step["latex"] for step in theorem["steps"])):
            check_formula(latex)


def test_a_statement_is_a_formula_or_a_sentence() -> None:
    assert statement(r"\det A_2 < 0").startswith("<math")
    assert statement("x_{ij} = 1").startswith("<math")
    assert statement("the display of CR(B)") == "the display of CR(B)"
    assert statement("where $i ≤ j$, i holds what j holds").endswith(", i holds what j holds")
    assert statement("at most $M_{1}$").startswith("at most <math")


def test_every_step_of_the_ledger_is_typeset(ledger: list[ClaimResult]) -> None:
    table = theorems(ledger)
    steps = [step["latex"] for theorem in table.values() for step in theorem["steps"]]
    assert len(steps) > 300
    for latex in (*steps, *(t["statement"] for t in table.values() if is_latex(t["statement"]))):
        check_formula(latex)


def test_a_formula_that_cannot_be_read_is_shown_as_it_is() -> None:
    for latex in (r"\frac{1", r"\nosuchcommand{x}"):
        with pytest.raises(ValueError, match="formula"):
            mathml(latex)
        assert formula(latex) == f"<code>{latex}</code>"
    assert "<script" not in formula(r"<script>\frac")


def test_long_formulas_break_and_growing_brackets_stay_whole() -> None:
    long = prose("$(1+2q+11q²+8q³+11q⁴+2q⁵+q⁶)/((1−q)⁶(1+q)⁴) = f(q)$")
    assert long.count("<wbr>") >= 3
    assert words(long).replace("−", "-").startswith("(1+2q+11q2")
    whole = formula(r"\left(a + b + c + d + e + f + g + h + i + j\right) = \frac{x + y + z}{u + v} + 1")
    assert all(piece.count(">(<") == piece.count(">)<") for piece in whole.split("<wbr>"))


def test_a_name_with_parameters_is_a_title_and_another_name_stays() -> None:
    assert titled("A_max is safe(longest)") == "A_max is safe (longest)"
    assert titled("summand of T_2(displayed_term, off)") == "summand of T_2 (displayed term, off)"
    for name in ("E from above", "A_max in slots", "the ratio under k q^k at s = 0", "f(2)", "(longest)"):
        assert titled(name) == name


def test_an_identity_that_is_written_alike_on_both_sides_says_so() -> None:
    assert both_sides({"kind": "Identity", "latex": "36 k"}) == "both sides are"
    for step in ({"kind": "Identity", "latex": "a = b"}, {"kind": "Positive", "latex": "s + x"}):
        assert both_sides(step) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("C_ll = a_ll, C_lj and C_il", "C_ℓℓ = a_ℓℓ, C_ℓj and C_iℓ"),
        ("W_l T_l² = 1", "W_ℓ T_ℓ² = 1"),
        ("x_low and cell_l", "x_low and cell_l"),
    ],
)
def test_every_l_of_an_index_is_the_letter(text: str, shown: str) -> None:
    assert unmarked(text) == shown


def test_a_sum_has_its_range_in_one_bracket_in_a_steps_formula_too() -> None:
    assert in_a_line(r"\sum_{k=l+1}^{u} \frac{1}{s+k}") == "∑(k=ℓ+1…u) 1/(s+k)"


def test_an_operator_after_a_word_stands_between_the_two() -> None:
    assert formula(r"\text{use} + r > M").startswith('use<math><mo form="infix">+</mo>')
    assert 'form="infix"' not in formula("- r > M")
