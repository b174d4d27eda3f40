"""Ratios of two forms under a length distribution: as a number (``ratio``), or in closed form with symbols (``derive``).

* A number: ``solve`` has ``ratio``, and the limit u → ∞ for a density; ``ratio`` has the class ``Ratio``; ``direct_sums`` and
  ``block_sums`` add up lengths; ``intervals`` handles several prediction intervals.
* A closed form: ``derive`` has ``derive``; ``derivation`` has the class ``Derivation``; ``closed_forms`` makes
  the sums, also with the weights as power series; ``known_upper_end`` ties u to the distribution.
* Limits: ``limits``, by power series at an end, with remainder.
* Suprema: ``supremum`` (the result, and sampling), ``quotient_supremum`` (proved), ``box_supremum`` (several parameters,
  certified), ``unit_interval_supremum`` and ``poisson_supremum`` (certified), ``last_length`` (over the end u, certified),
  ``one_parameter_supremum`` (over one of several, as a formula in the others).
* Which of two ratios is smaller: ``switch``.
* Output: ``curves`` (figures).

Signs, zeros and the ranges of parameters are those of :mod:`crtools.signs`; a closed form is kept as a
:class:`crtools.closed_form.quotient.Quotient`. Tests: ``tests/ratios``.
"""

from crtools.ratios.derive import Derivation, derive
from crtools.ratios.supremum import Supremum
from crtools.ratios.switch import Switch, switch

__all__ = ["Derivation", "Supremum", "Switch", "derive", "switch"]
