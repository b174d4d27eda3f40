"""Is this expression positive here? The one room that answers it.

Where: ``ranges`` (an ``Interval`` of one name, a ``Range`` of several together, the ``Answer``). Of a number: ``numbers``,
and ``real`` (numbers that compare by it). Of a function of one variable against another: ``one_variable``; of any
expression in parameters: ``parameters``; of a rational function on several intervals: ``rational``. Where a quotient
changes its sign: ``quotients``, by ``zeros``; at all large integers: ``log_polynomials``.
"""

from __future__ import annotations

from crtools.signs.parameters import Need
from crtools.signs.ranges import Answer, Interval, Range

__all__ = ["Answer", "Interval", "Need", "Range"]
