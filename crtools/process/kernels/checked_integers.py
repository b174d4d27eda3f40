"""Integer arithmetic of compiled rules that never wraps: a result of 2^53 or more in absolute value raises ``OverflowError``.

A pass of Numba's compiler replaces the operators +, -, *, ** and << of a rule, and its conversions from doubles to integers, by
functions that check their result. Results of //, % and >> are no larger than an operand and need no check. Below 2^53 every integer
is a double too, so Python and machine code agree. Tests: tests/process/test_engine.py.
"""

import math
import operator
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numba
import numpy as np
from numba import types
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.ir_utils import find_callname, guard
from numba.core.untyped_passes import IRProcessing
from numba.extending import overload, register_jitable

from crtools.process.kernels.jit import CompiledValue, Int, NumbaType

LIMIT = 2**53

Operation: TypeAlias = Callable[..., CompiledValue]
"""A function of numbers, in compiled code."""


@register_jitable
def checked(value: CompiledValue) -> CompiledValue:
    """Return an integer, or a double near one; raise ``OverflowError`` where it is too large."""
    if not -LIMIT < value < LIMIT:
        raise OverflowError("an integer of 2^53 or more")
    return value


def overload_by_types(choose: Callable[..., Operation], inline: Literal["always", "never"] = "never") -> Operation:
    """Return the function that ``choose`` makes for the types of its arguments: in compiled code, and in Python where that is off."""

    def function(*values: CompiledValue) -> CompiledValue:
        return choose(*map(numba.typeof, values))(*values)

    overload(function, strict=False, inline=inline)(choose)
    return function


def _binary_operation(on_others: Operation, on_integers: Operation) -> Operation:
    """Return a function that is ``on_integers`` of two integers, and ``on_others`` of anything else."""

    @overload_by_types
    def chosen(x: NumbaType, y: NumbaType) -> Operation:
        kinds = [isinstance(kind, types.Integer | types.Boolean) for kind in (x, y)]
        if any(kind in (types.uint64, types.uintp) for kind in (x, y)):
            raise TypingError("unsigned integers are not supported")
        return on_integers if all(kinds) else on_others

    return chosen


@register_jitable
def _product(x: Int, y: Int) -> Int:
    checked(float(x) * float(y))
    return np.int64(x) * np.int64(y)


@register_jitable
def _shifted(x: Int, y: Int) -> Int:
    if y < 0:
        raise ValueError("negative shift count")
    checked(float(x) * 2.0 ** float(y))
    return np.int64(x) << np.int64(min(y, 53))


@register_jitable
def _integer_power(x: Int, y: Int) -> Int:
    if y < 0:
        raise OverflowError("a power that is no integer")  # Python's is a double then
    checked(float(x) ** float(y))
    result = np.int64(1)
    for _ in range(y if x * x > 1 else min(y, 2 - y % 2)):
        result *= np.int64(x)
    return result


@register_jitable
def _float_power(x: float, y: float) -> float:
    result = math.pow(x, y)
    if not math.isfinite(result):
        raise OverflowError("a power that is not finite")  # Python raises, or returns a complex number
    return result


_add = _binary_operation(lambda x, y: x + y, lambda x, y: checked(np.int64(x) + np.int64(y)))
_subtract = _binary_operation(lambda x, y: x - y, lambda x, y: checked(np.int64(x) - np.int64(y)))
_multiply = _binary_operation(lambda x, y: x * y, lambda x, y: _product(x, y))
_shift = _binary_operation(lambda x, y: x << y, lambda x, y: _shifted(x, y))
_power = _binary_operation(lambda x, y: _float_power(x, y), lambda x, y: _integer_power(x, y))

OPERATORS = {
    operator.add: _add, operator.iadd: _add, operator.sub: _subtract, operator.isub: _subtract, operator.mul: _multiply,
    operator.imul: _multiply, operator.lshift: _shift, operator.ilshift: _shift, operator.pow: _power,
    operator.ipow: _power,
}  # fmt: skip


def _converts(rounded: Operation) -> Operation:
    """Return a function that makes an integer of a double by ``rounded``, and leaves an integer as it is."""
    rounded = register_jitable(rounded)

    @overload_by_types
    def chosen(x: NumbaType) -> Operation:
        if isinstance(x, types.Float):
            return lambda x: np.int64(checked(rounded(x)))
        if isinstance(x, types.Integer | types.Boolean):
            return lambda x: np.int64(x)
        raise TypingError("only numbers become integers")

    return chosen


_truncated = _converts(lambda x: np.trunc(x))

CALLS = {
    ("int", "builtins"): _truncated, ("trunc", "math"): _truncated, ("int64", "numpy"): _truncated,
    ("floor", "math"): _converts(lambda x: np.floor(x)), ("ceil", "math"): _converts(lambda x: np.ceil(x)),
    ("round", "builtins"): _converts(lambda x: np.rint(x)),
}  # fmt: skip


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckIntegers(FunctionPass):
    """Replace operators and conversions by those that check their result."""

    _name = "crtools_check_integers"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> Any:
        """Change one function's instructions."""
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                value = getattr(statement, "value", None)
                if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
                    constant: Any = value.value
                    if isinstance(constant, int) and abs(constant) >= LIMIT:
                        raise TypingError(f"the constant {constant} is 2^53 or larger")
                if isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop"):
                    if value.fn in OPERATORS:
                        value.fn = OPERATORS[value.fn]
                elif isinstance(value, ir.Expr) and value.op == "call" and len(value.args) == 1 and not value.kws:
                    function = CALLS.get(guard(find_callname, state.func_ir, value))  # pyright: ignore
                    if function is not None:
                        name = block.scope.redefine("checked", statement.loc)
                        body.append(ir.Assign(ir.Global("checked", function, statement.loc), name, statement.loc))
                        state.func_ir._definitions[name.name].append(body[-1].value)
                        value.func = name
                body.append(statement)
            block.body = body
        return True


class CheckedCompiler(CompilerBase):
    """Numba's compiler with :class:`CheckIntegers`."""

    def define_pipelines(self) -> list[NumbaType]:
        """Return the one pipeline."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(CheckIntegers, IRProcessing)
        pipeline.finalize()
        return [pipeline]
