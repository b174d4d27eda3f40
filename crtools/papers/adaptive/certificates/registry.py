"""The witnesses of the certificates of the paper's verdicts."""

from __future__ import annotations

from crtools.certificates.beside import Beside
from crtools.papers.adaptive.certificates import (
    laws,
)
from crtools.papers.adaptive.levels import AT_ZERO

BESIDE: dict[tuple[str, str], Beside] = {
    ("geometric", AT_ZERO): Beside(laws.geometric_at_zero),
    ("uniform-bounds", AT_ZERO): Beside(laws.uniform_at_zero),
}
"""By claim and level: the numbers of a witness that evidence does not hold as the text reads them."""
