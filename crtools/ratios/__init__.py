"""Ratios of two forms under a length distribution: as a number (``ratio``), or in closed form with symbols (``derive``).

* A number: ``ratio`` has ``ratio``, the class ``Ratio``, the limit u → ∞ for a density, and prediction intervals;
  ``direct_sums`` add up lengths.
* A closed form: ``derivation`` has ``derive``, the class ``Derivation`` and ``ratio_curves``; ``closed_forms`` makes the sums, also with
  the weights as power series, and ties a known upper end u to the distribution.
* Limits: ``limits``, by power series at an end, with remainder.
* Suprema: ``supremum`` (the result, and over one parameter: of a quotient of polynomials, with logarithms, of Poisson laws, and
  sampling), ``box_supremum`` (several parameters, certified), ``last_length`` (over the end u, certified),
  ``one_parameter_supremum`` (over one of several, as a formula in the others).
* Which of two ratios is smaller: ``switch``.

Signs, zeros and the ranges of parameters are those of :mod:`crtools.signs`; a closed form is kept as a
:class:`crtools.closed_form.quotient.Quotient`. Tests: ``tests/ratios``.
"""

from crtools.ratios.derivation import Derivation, derive
from crtools.ratios.supremum import Supremum
from crtools.ratios.switch import Switch, switch

__all__ = ["Derivation", "Supremum", "Switch", "derive", "switch"]
