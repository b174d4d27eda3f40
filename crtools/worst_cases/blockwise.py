"""The worst case of several intervals where a theorem says that it is the largest of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from crtools.enclosure import Enclosure
from crtools.forms import Form
from crtools.setting import Setting
from crtools.worst_cases.base import WorstCase

LARGEST = "the largest of the intervals' worst cases (Theorem “largest of the intervals”)"


class Blockwise(WorstCase):
    """The largest of the worst cases ``parts``, one for each of the setting's blocks."""

    in_floats = True

    def __init__(self, policy: Form, against: Form, setting: Setting, parts: Sequence[WorstCase]) -> None:
        super().__init__(policy, against, setting)
        self.parts = parts
        self.bounded = any(part.bounded for part in parts)

    @cached_property
    def _worst(self) -> WorstCase:
        return max(self.parts, key=lambda part: part.value)

    @cached_property
    def value(self) -> float:
        """The largest value, as a float."""
        return self._worst.value

    def _weights(self) -> Any:
        """The maximiser of the worst interval; 0 outside that interval."""
        weights = np.zeros(self.setting.size)
        first = self._worst.setting.l - self.setting.l
        weights[first : first + self._worst.setting.size] = self._worst.weights
        return weights

    @property
    def status(self) -> str:
        """``certified`` where every interval's is."""
        return "certified" if all(part.status == "certified" for part in self.parts) else "supported"

    @property
    def method(self) -> str:
        """The theorem, and what the worst interval's value rests on."""
        return f"{LARGEST}; {self._worst.method}"

    def bounds(self) -> Enclosure:
        """Return the largest lower and the largest upper bound of the intervals'."""
        return _largest(self._bounds)

    @cached_property
    def _bounds(self) -> list[Enclosure]:
        return [part.bounds() for part in self.parts]

    def _enclosure(self, digits: int, method: str) -> Enclosure:
        """Return the largest of the enclosures of the intervals that may be the worst."""
        least = max(own.lower for own in self._bounds)
        rivals = [part for part, own in zip(self.parts, self._bounds, strict=True) if own.upper >= least]
        return _largest([part.enclosure(digits, method) for part in rivals])


def _largest(bounds: Sequence[Enclosure]) -> Enclosure:
    """Return an enclosure of the largest of the enclosed numbers."""
    top = max(bounds, key=lambda own: own.upper)
    uses = tuple(dict.fromkeys(use for own in bounds for use in own.uses))
    return Enclosure(max(own.lower for own in bounds), top.upper, f"{LARGEST}; {top.method}", uses)
