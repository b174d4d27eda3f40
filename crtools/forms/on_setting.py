"""A form in a setting: the exact or float matrix, products in O(u) where the form has a tail structure, values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from numbers import Integral
from typing import Any

from crtools.errors import InputError
from crtools.forms.base import Form, TailRow
from crtools.setting import Setting

Vector = list[Any]


class FormOnSetting:
    """The quadratic form of ``form`` on the lengths l, …, u of ``setting``; index 0 of a vector is length l."""

    def __init__(self, form: Form, setting: Setting) -> None:
        self.form = form
        self.setting = setting

    def entry(self, i: int, j: int, ring: Callable[[int], Any] = Fraction) -> Any:
        """Return the exact entry at lengths i and j, with the setting's intervals taken into account.

        ``ring`` makes the exact numbers that the formula runs on: a ``Fraction`` unless given.
        """
        i, j = min(i, j), max(i, j)
        other = self.form.between
        rule = self.form if other is None or self._together(i, j) else other
        return rule.formula(ring(i), ring(j), ring(self.setting.s))

    def matrix(self, ring: type = Fraction) -> Any:
        """Return the symmetric (u−l+1) × (u−l+1) matrix: a NumPy array of ``Fraction`` objects, or of floats.

        ``ring`` is ``Fraction`` (exact, default) or ``float``.
        """
        import numpy as np

        size, low = self.setting.size, self.setting.l
        if ring is float:
            lengths = np.arange(low, self.setting.u + 1, dtype=float)
            i = np.minimum.outer(lengths, lengths)
            j = np.maximum.outer(lengths, lengths)
            dense = np.array(self.form.formula(i, j, float(self.setting.s)) + np.zeros((size, size)))
            if self.form.between is not None and not self.setting.single:
                label = -lengths  # a length in a gap stands alone
                for number, (start, end) in enumerate(self.setting.blocks()):
                    label[start - low : end - low + 1] = number
                across = np.not_equal.outer(label, label)
                dense[across] = self.form.between.formula(i[across], j[across], float(self.setting.s))
            return dense
        if ring is not Fraction:
            raise InputError("ring", ring, "must be Fraction or float")
        exact = np.empty((size, size), dtype=object)
        for a in range(size):
            for b in range(a, size):
                exact[a, b] = exact[b, a] = self.entry(low + a, low + b)
        return exact

    def apply(self, x: Sequence[Any]) -> Any:
        """Return the product of the matrix with ``x``: O(u) time and memory for a form with a tail structure.

        A NumPy array of floats gives an array; any other sequence (of ``Fraction``, balls, symbols) gives a list.
        """
        self._check_length(x)
        if _is_float_array(x):
            return self._apply(x, _float_tail_sums, _float_prefix_sums, _float_product, self._float_rows)
        vector = list(map(_exact, x))
        one = vector[0] * 0 + 1  # of the vector's ring

        def rows(low: int, up: int) -> list[TailRow]:
            return tail_rows(self.form, low, up, self.setting.s, lambda k: one * k)

        return self._apply(vector, tail_sums, prefix_sums, tail_product, rows)

    def value(self, x: Sequence[Any]) -> Any:
        """Return the form at the weights ``x``, xᵀ N x."""
        product = self.apply(x)
        if _is_float_array(x):
            return float(product @ x)
        first, *rest = (a * b for a, b in zip(map(_exact, x), product, strict=True))
        return sum(rest, first)

    # ---- the pieces -------------------------------------------------------------------------------------------

    def _together(self, i: int, j: int) -> bool:
        return any(low <= i and j <= up for low, up in self.setting.blocks())

    def _check_length(self, x: Sequence[Any]) -> None:
        if len(x) != self.setting.size:
            raise InputError("x", f"a vector of length {len(x)}", f"must have length u − l + 1 = {self.setting.size}")

    def _float_rows(self, low: int, up: int) -> TailRow:
        return float_tail_rows(self.form, low, up, self.setting.s)

    def _apply(
        self,
        x: Any,
        tails: Callable[[Any], Any],
        prefixes: Callable[[Any], Any],
        product: Callable[[Any, Any], Any],
        rows: Callable[[int, int], Any],
    ) -> Any:
        if self.form.tails is None or (self.form.between is not None and self.form.between.tails is None):
            return self._dense(x)
        if self.form.between is None or self.setting.single:
            return prefixes(product(rows(self.setting.l, self.setting.u), tails(x)))
        # Several intervals: the matrix of `between` everywhere, and inside each block the difference of the two.
        low = self.setting.l
        outer = FormOnSetting(self.form.between, Setting(self.setting.s, low, self.setting.u))
        whole = outer.apply(x)
        for start, end in self.setting.blocks():
            part = slice(start - low, end - low + 1)
            block = Setting(self.setting.s, start, end)
            inside = FormOnSetting(self.form, block).apply(x[part])
            charged = FormOnSetting(self.form.between, block).apply(x[part])
            whole[part] = [a + b - c for a, b, c in zip(whole[part], inside, charged, strict=True)]
        return whole

    def _dense(self, x: Any) -> Any:
        if _is_float_array(x):
            return self.matrix(float) @ x
        if all(isinstance(v, Fraction) for v in x):
            return [sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in self.matrix()]
        one = x[0] * 0 + 1
        lengths = [one * k for k in range(self.setting.l, self.setting.u + 1)]
        s, low = one * self.setting.s, self.setting.l
        result: Vector = []
        for a in range(self.setting.size):
            total: Any = one * 0
            for b in range(self.setting.size):
                i, j = min(a, b), max(a, b)
                other = self.form.between
                rule = self.form if other is None or self._together(low + i, low + j) else other
                total = total + rule.formula(lengths[i], lengths[j], s) * x[b]
            result.append(total)
        return result


def tail_rows(form: Form, low: int, up: int, s: int, ring: Callable[[int], Any]) -> list[TailRow]:
    """Return the generators of the rows low, …, up in tail coordinates over a ring: ``ring(int)`` makes its numbers."""
    assert form.tails is not None
    size = ring(s)
    return [
        form.tails.first(ring(low), size),
        *(form.tails.inner(ring(k), size) for k in range(low + 1, up + 1)),
    ]


def tail_product(rows: Sequence[TailRow], t: Sequence[Any]) -> Vector:
    """Return C T for the generators ``rows``, in O(u) operations of T's ring and without a subtraction."""
    result: Vector = [row.diagonal * value for row, value in zip(rows, t, strict=True)]
    for r in range(len(rows[0].left)):
        left = [row.left[r] for row in rows]
        right = [row.right[r] for row in rows]
        running: Any = 0
        for k in range(len(rows) - 1, -1, -1):
            result[k] += left[k] * running
            running = running + right[k] * t[k]
        running = 0
        for k in range(len(rows)):
            result[k] += right[k] * running
            running = running + left[k] * t[k]
    return result


def tail_sums(x: Sequence[Any]) -> Vector:
    """Return T_k = Σ_{i≥k} x_i."""
    return prefix_sums(x[::-1])[::-1]


def prefix_sums(x: Sequence[Any]) -> Vector:
    """Return the running sums of ``x``."""
    from itertools import accumulate

    return list(accumulate(x))


def float_tail_rows(form: Form, low: int, up: int, s: int, *, starts: bool = True) -> TailRow:
    """Return the generators of rows low, …, up as float arrays; with ``starts`` the row low is the form's first."""
    import numpy as np

    return array_tail_rows(form, np.arange(low, up + 1, dtype=float), float(s), starts=starts)


def array_tail_rows(form: Form, k: Any, s: Any, *, starts: bool) -> TailRow:
    """Return the generators of the rows of successive lengths k, an array of floats or balls; with ``starts`` as above."""
    assert form.tails is not None
    if not starts:
        return form.tails.inner(k, s)
    own = form.tails.first(k[0], s)
    k = k.copy()
    k[0] += 1  # row l has its own rule, whatever the inner one is there
    row = form.tails.inner(k, s)
    for array, number in zip((row.diagonal, *row.left, *row.right), (own.diagonal, *own.left, *own.right), strict=True):
        array[0] = number
    return row


def _float_product(row: TailRow, t: Any) -> Any:
    import numpy as np

    result = row.diagonal * t
    for left, right in zip(row.left, row.right, strict=True):
        suffix = np.zeros_like(t)
        suffix[:-1] = _float_tail_sums(right * t)[1:]
        prefix = np.zeros_like(t)
        prefix[1:] = np.cumsum(left * t)[:-1]
        result += left * suffix + right * prefix
    return result


def _float_tail_sums(x: Any) -> Any:
    import numpy as np

    return np.cumsum(x[::-1])[::-1]


def _float_prefix_sums(x: Any) -> Any:
    import numpy as np

    return np.cumsum(x)


def _is_float_array(x: Any) -> bool:
    return hasattr(x, "dtype") and x.dtype.kind == "f"


def _exact(x: Any) -> Any:
    return Fraction(int(x)) if isinstance(x, Integral) else x
