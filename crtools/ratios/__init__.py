"""Ratios of two forms under a law: as a number (``ratio``), or in closed form with symbols (``derive``).

A number: ``ratio`` (which way is taken), ``direct_sums`` (the sums, in O(u)).
Closed forms: ``derive``, ``closed_forms``.
Limits: ``limits``, by ``expansions`` (power series at an end, with remainder).
Suprema: ``supremum`` (the result, and what is only supported), ``quotient_supremum`` (proved), ``boxes`` (of several
parameters, certified), ``branch_and_bound`` with ``one_base`` and ``poisson_supremum`` (certified), ``last_length`` (over the
end u, certified), ``over_one`` (over one of several, in the others).
Which of two ratios is the smaller: ``switch``, ``series_chart`` (of power series).
Signs, zeros and the intervals of parameters: :mod:`crtools.signs`; how a closed form is kept: ``closed_form.quotient``.
"""

from crtools.ratios.derive import Derivation, derive
from crtools.ratios.supremum import Supremum
from crtools.ratios.switch import Switch, switch

__all__ = ["Derivation", "Supremum", "Switch", "derive", "switch"]
