"""Formulas on a terminal: what LaTeX says, on one line, without losing a bracket."""

from __future__ import annotations

import pytest

from crtools.notation.terminal import readable


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{a+b}{2 c}", "(a+b)/(2 c)"),
        (r"\frac{1}{2}", "1/2"),
        (r"\tfrac12 \cdot x", "½ · x"),
        (r"\sqrt{1/\alpha}", "√(1/α)"),
        (r"\alpha^{2} t^{-1}", "α² t⁻¹"),
        (r"r^{2 m - 1}", "r^(2 m - 1)"),
        (r"\sum_{i=1}^{u} x_i \le H_u", "∑_(i=1)ᵘ x_i ≤ H_u"),
        (r"\left(s + i\right) \ge 0", "(s + i) ≥ 0"),
    ],
)
def test_examples(latex: str, text: str) -> None:
    got = readable(latex)
    assert "".join(got.split()).replace("^u", "ᵘ") == "".join(text.split())


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"f(y^*) = \rho^*", "f(y*) = ρ*"),
        (r"\frac{(y-1)}{y\ln^2 y} \ge \rho^*(\ln R - 1)", "(y-1)/(y ln² y) ≥ ρ*(ln R - 1)"),
        (r"\sum_{j\ne i} K\Bigl(1 + \tfrac1{\ln b}\Bigr)", "∑_(j ≠ i) K(1 + 1/(ln b))"),
        (r"\sum_{c \le 2,\ j \text{ unfinished}} c", "∑_(c ≤ 2, j unfinished) c"),
        (r"\liminf \tfrac{2M}{n^2}\mathrm{TEL} - \tau - 1", "lim inf 2M/n² TEL - τ - 1"),
        (r"2\rho\ln R", "2ρ ln R"),
        (r"\tfrac12 E - \tfrac1{4E} + \tfrac{L}{2m_k}", "½ E - 1/(4E) + L/(2m_k)"),
        (r"\lceil \tfrac{k}{N} \rceil", "⌈k/N⌉"),
        (r"\mathcal A_{\max}(M) + \mathcal{A}_{\mathrm{random}}(x) + \mathcal A_\ell", "A_max(M) + A_random(x) + A_ℓ"),
        (r"\sum_{k=l+1}^{u} l - 1", "∑_(k=ℓ+1)^u ℓ - 1"),
    ],
)
def test_signs_are_kept_and_words_stand_apart(latex: str, text: str) -> None:
    assert readable(latex) == text


def test_a_sum_over_a_sum_keeps_its_brackets() -> None:
    """(a+b)/(c+d) must not read as a + b/c + d."""
    assert readable(r"\frac{\frac{a+b}{c}}{d+1}") == "((a+b)/c)/(d+1)"


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\ln\frac{s+u}{s+1} - \tfrac12\ln \tfrac32", "ln((s+u)/(s+1)) - ½ ln(3/2)"),
        (r"\frac{1}{\ln\frac{a}{b}}", "1/(ln(a/b))"),
        (r"\frac{v_u\kappa}{\rho\varepsilon^2} +O(\tfrac1{M\kappa})", "(v_u κ)/(ρε²) + O(1/(Mκ))"),
        (r"\sqrt{sE} + \sqrt{E} + \sqrt{x_i^2}", "√(sE) + √E + √(x_i²)"),
        (r"\frac{\mathbb{E}[c_{1j}]}{x_jn}", "𝔼[c_1j]/(x_j n)"),
        (r"\frac{\bar v}{\text{H-SF}} \ge \frac{u}{v_{\ell}}", "v̄/H-SF ≥ u/v_ℓ"),
    ],
)
def test_where_a_quotient_or_a_root_ends_is_seen(latex: str, text: str) -> None:
    """ln(a)/b must not stand for ln(a/b), a/bc for a/(bc), √ab for √(ab)."""
    assert readable(latex) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"x^\top A x + x^{\top}x + dd^\top + 1", "xᵀA x + xᵀx + ddᵀ + 1"),
        (r"2 l s + l \left(l + s\right) + l - 1", "2 ℓ s + ℓ(ℓ + s) + ℓ - 1"),
        (r"\liminf_{M\to\infty}\lim_{n\to\infty} \min\sum_j C_j", "lim inf_(M→∞) lim_(n→∞) min ∑_j C_j"),
        (r"\text{A_max's form is }x_in", "A_max's form is x_i n"),
    ],
)
def test_factors_and_operators_stand_apart(latex: str, text: str) -> None:
    assert readable(latex) == text
