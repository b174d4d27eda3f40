"""Signs: is an expression positive here, where are its zeros?

There is no single entry function; a caller imports the one that answers its question:

* a number: ``numbers.sign``, ``numbers.compare``, and ``numbers.Real`` for numbers that compare by it;
* a function of one variable against another on an interval: ``one_variable.at_least``;
* an expression in parameters, for all their values: ``parameters.in_parameters`` (a ``Need`` such as "> 0");
* a rational function with each variable in an interval: ``parameters.sign_on``;
* the zeros of a polynomial, and the sign chart of a quotient, real or at integers: ``charts``;
* a polynomial in j and ln j for all large j: ``charts.sign_beyond``.

``ranges`` has the domains, ``Interval`` (one name) and ``Range`` (several together), and the ``Answer``. Called by the ratios,
the distributions and the deciders of claims. Tests: ``tests/signs``.
"""

from crtools.signs.parameters import Need
from crtools.signs.ranges import Answer, Interval, Range

__all__ = ["Answer", "Interval", "Need", "Range"]
