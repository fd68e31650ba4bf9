"""Sixteen numbers side by side, as one value of compiled code: the compiler keeps them in a vector register.

May know: the compiler. Loops over sixteen numbers are left alone by it where it cannot see that two arrays are not one;
so the vectors are told. On machines with shorter registers a vector is two of them, or four. What is compiled is kept
by the date of kernels.py: whoever changes this file touches that one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

LANES = 16
VECTOR = ir.VectorType(ir.FloatType(), LANES)


class LanesType(types.Type):  # type: ignore[misc]
    """Sixteen float32."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes = LanesType()


@register_model(LanesType)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _address(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), VECTOR.as_pointer())


def _read(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    vector = builder.load(_address(context, builder, kind, array, place))
    vector.align = 4
    return vector


def _larger(builder: Any, a: Any, b: Any) -> Any:
    # No number read here is NaN. Compared and selected, the vector would be stored in pieces under a mask, slowly.
    largest = builder.module.declare_intrinsic(f"llvm.maxnum.v{LANES}f32", fnty=ir.FunctionType(VECTOR, [VECTOR] * 2))
    return builder.call(largest, [a, b], fastmath=["nnan", "nsz"])


def _sum(builder: Any, a: Any, b: Any) -> Any:
    return builder.fadd(a, b, flags=["contract"])


def _fold(builder: Any, join: Callable[[Any, Any, Any], Any], vectors: list[Any]) -> Any:
    """All vectors joined pairwise, so that no operation waits for many before it."""
    while len(vectors) > 1:
        vectors = [join(builder, *pair) for pair in zip(vectors[::2], vectors[1::2], strict=False)] + (
            [vectors[-1]] if len(vectors) % 2 else []
        )
    return vectors[0]


def _rows(context: Any, builder: Any, kinds: Any, args: Any, n: int) -> list[Any]:
    """Rows of an array, sixteen numbers each: the n rows that a table of row numbers names from `place` on."""
    (array_kind, table_kind, place_kind), (array, table, place) = kinds, args
    numbers = context.make_array(table_kind)(context, builder, table).data
    place = context.cast(builder, place, place_kind, types.intp)
    rows = []
    for step in range(n):
        row = builder.load(builder.gep(numbers, [builder.add(place, ir.Constant(place.type, step))]))
        first = builder.mul(builder.zext(row, place.type), ir.Constant(place.type, LANES))
        rows.append(_read(context, builder, array_kind, array, first))
    return rows


@intrinsic  # type: ignore[untyped-decorator]
def load(_typing: Any, array: Any, place: Any) -> Any:
    """The sixteen numbers of a flat array from `place` on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.cast(builder, args[1], signature.args[1], types.intp)
        return _read(context, builder, signature.args[0], args[0], place)

    return lanes(array, place), code


@intrinsic  # type: ignore[untyped-decorator]
def store(_typing: Any, array: Any, place: Any, vector: Any) -> Any:
    """Put sixteen numbers into a flat array from `place` on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.cast(builder, args[1], signature.args[1], types.intp)
        builder.store(args[2], _address(context, builder, signature.args[0], args[0], place)).align = 4
        return context.get_dummy_value()

    return types.void(array, place, vector), code


@intrinsic  # type: ignore[untyped-decorator]
def gather(_typing: Any, array: Any, first: Any, steps: Any, place: Any) -> Any:
    """Sixteen numbers of a flat array, as far from `first` as the sixteen steps from `place` on say."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        steps = context.make_array(signature.args[2])(context, builder, args[2]).data
        first, place = (context.cast(builder, args[n], signature.args[n], types.intp) for n in (1, 3))
        vector = ir.Constant(VECTOR, ir.Undefined)
        for lane in range(LANES):
            step = builder.load(builder.gep(steps, [builder.add(place, ir.Constant(place.type, lane))]))
            number = builder.load(builder.gep(data, [builder.add(first, builder.zext(step, place.type))]))
            vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))
        return vector

    return lanes(array, first, steps, place), code


@intrinsic  # type: ignore[untyped-decorator]
def spread(_typing: Any, number: Any) -> Any:
    """Sixteen times the same float32."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        nothing, lane = ir.Constant(VECTOR, ir.Undefined), ir.IntType(32)
        first = builder.insert_element(nothing, args[0], ir.Constant(lane, 0))
        return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))

    return lanes(number), code


@intrinsic  # type: ignore[untyped-decorator]
def larger(_typing: Any, a: Any, b: Any) -> Any:
    """The larger of two numbers, in each lane."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return _larger(builder, *args)

    return lanes(a, b), code


@intrinsic  # type: ignore[untyped-decorator]
def plus(_typing: Any, a: Any, b: Any) -> Any:
    """The sum of two numbers, in each lane."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return _sum(builder, *args)

    return lanes(a, b), code


@intrinsic  # type: ignore[untyped-decorator]
def times(_typing: Any, a: Any, b: Any) -> Any:
    """The product of two numbers, in each lane; a sum with it may be one operation."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.fmul(*args, flags=["contract"])

    return lanes(a, b), code


@intrinsic  # type: ignore[untyped-decorator]
def sum_of_six(_typing: Any, array: Any, table: Any, place: Any) -> Any:
    """The sum of the six rows of `array` that the table names from `place` on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _fold(builder, _sum, _rows(context, builder, signature.args, args, 6))

    return lanes(array, table, place), code


def largest_of(n: int) -> Any:
    """largest(own, array, table, place): the larger of `own` and the n rows that the table names from `place` on."""

    @intrinsic  # type: ignore[untyped-decorator]
    def largest(_typing: Any, own: Any, array: Any, table: Any, place: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _fold(builder, _larger, [args[0], *_rows(context, builder, signature.args[1:], args[1:], n)])

        return lanes(own, array, table, place), code

    return largest
