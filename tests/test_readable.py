"""Formulas on a terminal: what LaTeX says, on one line, without losing a bracket."""

from __future__ import annotations

import pytest

from crtools.readable import readable


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{a+b}{2 c}", "(a+b)/(2 c)"),
        (r"\frac{1}{2}", "1/2"),
        (r"\tfrac12 \cdot x", "1/2 · x"),
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
        (r"\tfrac12 E - \tfrac1{4E} + \tfrac{L}{2m_k}", "1/2 E - 1/(4E) + L/(2m_k)"),
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
