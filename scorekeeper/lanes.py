"""Sixteen numbers side by side, as one value of compiled code: the compiler keeps them in a vector register.

May know: the compiler. Loops over sixteen numbers are left alone by it where it cannot see that two arrays are not one;
so the vectors are told. On machines with shorter registers a vector is two of them, or four.

Arrays come in tuples: values, and then what follows the play that has the best value, variances first. A row is of each
array the sixteen numbers at one place, a tuple as long; which of two rows is better is decided lane by lane by the
values. With the values alone the code is what it would be without tuples. What is compiled is kept by the date of
kernels.py: whoever changes this file touches that one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import unpack_tuple
from numba.extending import intrinsic, models, register_model

LANES = 16
VECTOR = ir.VectorType(ir.FloatType(), LANES)
Row = list[Any]  # of vectors: the values first, then the variances
T = TypeVar("T")


class LanesType(types.Type):  # type: ignore[misc]
    """Sixteen float32."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes = LanesType()


@register_model(LanesType)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def row_of(arrays: Any) -> Any:
    """The type of the rows of such a tuple of arrays."""
    return types.UniTuple(lanes, len(arrays))


def _address(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), VECTOR.as_pointer())


def _addresses(context: Any, builder: Any, kinds: Any, arrays: Any, place: Any) -> list[Any]:
    return [_address(context, builder, kinds.dtype, array, place) for array in unpack_tuple(builder, arrays)]


def _read(context: Any, builder: Any, kinds: Any, arrays: Any, place: Any) -> Row:
    row = [builder.load(address) for address in _addresses(context, builder, kinds, arrays, place)]
    for vector in row:
        vector.align = 4
    return row


def _spread(builder: Any, number: Any) -> Any:
    nothing, lane = ir.Constant(VECTOR, ir.Undefined), ir.IntType(32)
    first = builder.insert_element(nothing, number, ir.Constant(lane, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))


def _better(builder: Any, a: Row, b: Row) -> Row:
    # No value read here is NaN. Compared and selected, the vector would be stored in pieces under a mask, slowly.
    kind = ir.FunctionType(VECTOR, [VECTOR] * 2)
    largest = builder.module.declare_intrinsic(f"llvm.maxnum.v{LANES}f32", fnty=kind)
    value = builder.call(largest, [a[0], b[0]], fastmath=["nnan", "nsz"])
    if len(a) == 1:
        return [value]
    second = builder.fcmp_ordered(">", b[0], a[0])
    return [value, *(builder.select(second, *pair) for pair in zip(b[1:], a[1:], strict=True))]


def _plus(builder: Any, a: Any, b: Any) -> Any:
    return builder.fadd(a, b, flags=["contract"])


def _times(builder: Any, a: Any, b: Any) -> Any:
    """The product; a sum with it may be one operation."""
    return builder.fmul(a, b, flags=["contract"])


def _fold(builder: Any, join: Callable[[Any, T, T], T], all_: list[T]) -> T:
    """All joined pairwise, so that no operation waits for many before it."""
    while len(all_) > 1:
        all_ = [join(builder, *pair) for pair in zip(all_[::2], all_[1::2], strict=False)] + (
            [all_[-1]] if len(all_) % 2 else []
        )
    return all_[0]


def _rows(context: Any, builder: Any, kinds: Any, args: Any, n: int) -> list[Row]:
    """The n rows whose numbers a table names from `place` on."""
    (arrays_kind, table_kind, place_kind), (arrays, table, place) = kinds, args
    numbers = context.make_array(table_kind)(context, builder, table).data
    place = context.cast(builder, place, place_kind, types.intp)
    rows = []
    for step in range(n):
        row = builder.load(builder.gep(numbers, [builder.add(place, ir.Constant(place.type, step))]))
        first = builder.mul(builder.zext(row, place.type), ir.Constant(place.type, LANES))
        rows.append(_read(context, builder, arrays_kind, arrays, first))
    return rows


@intrinsic  # type: ignore[untyped-decorator]
def load(_typing: Any, arrays: Any, place: Any) -> Any:
    """The row of flat arrays that begins at `place`."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.cast(builder, args[1], signature.args[1], types.intp)
        row = _read(context, builder, signature.args[0], args[0], place)
        return context.make_tuple(builder, signature.return_type, row)

    return row_of(arrays)(arrays, place), code


@intrinsic  # type: ignore[untyped-decorator]
def store(_typing: Any, arrays: Any, place: Any, row: Any) -> Any:
    """Put a row into flat arrays from `place` on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.cast(builder, args[1], signature.args[1], types.intp)
        addresses = _addresses(context, builder, signature.args[0], args[0], place)
        for vector, address in zip(unpack_tuple(builder, args[2]), addresses, strict=True):
            builder.store(vector, address).align = 4
        return context.get_dummy_value()

    return types.void(arrays, place, row), code


@intrinsic  # type: ignore[untyped-decorator]
def gather(_typing: Any, arrays: Any, first: Any, steps: Any, place: Any) -> Any:
    """A row of flat arrays, its numbers as far from `first` as the sixteen steps from `place` on say."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0].dtype
        flat = [context.make_array(kind)(context, builder, array).data for array in unpack_tuple(builder, args[0])]
        steps = context.make_array(signature.args[2])(context, builder, args[2]).data
        first, place = (context.cast(builder, args[n], signature.args[n], types.intp) for n in (1, 3))
        row = [ir.Constant(VECTOR, ir.Undefined) for _ in flat]
        for lane in range(LANES):
            step = builder.load(builder.gep(steps, [builder.add(place, ir.Constant(place.type, lane))]))
            there = builder.add(first, builder.zext(step, place.type))
            numbers = [builder.load(builder.gep(data, [there])) for data in flat]
            at = ir.Constant(ir.IntType(32), lane)
            row = [builder.insert_element(vector, number, at) for vector, number in zip(row, numbers, strict=True)]
        return context.make_tuple(builder, signature.return_type, row)

    return row_of(arrays)(arrays, first, steps, place), code


@intrinsic  # type: ignore[untyped-decorator]
def alike(_typing: Any, arrays: Any, number: Any) -> Any:
    """A row for such arrays, of nothing but the same float32."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vectors = [_spread(builder, args[1])] * len(signature.args[0])
        return context.make_tuple(builder, signature.return_type, vectors)

    return row_of(arrays)(arrays, number), code


@intrinsic  # type: ignore[untyped-decorator]
def better(_typing: Any, a: Any, b: Any) -> Any:
    """Lane by lane that of two rows which has the larger value, the first of equals."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = _better(builder, *(unpack_tuple(builder, row) for row in args))
        return context.make_tuple(builder, signature.return_type, row)

    return a(a, b), code


@intrinsic  # type: ignore[untyped-decorator]
def credit(_typing: Any, row: Any, points: Any) -> Any:
    """What a row becomes by so many points more: a higher value, and all else as it was."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value, *others = unpack_tuple(builder, args[0])
        more = _plus(builder, value, _spread(builder, args[1]))
        return context.make_tuple(builder, signature.return_type, [more, *others])

    return row(row, points), code


def _mean_of_six(builder: Any, vectors: list[Any]) -> Any:
    sixth = float(np.float32(1 / 6))
    rest = 1 / 6 - sixth  # 1/6 rounded would make every throw worth a little too much
    shares = [_spread(builder, ir.Constant(ir.FloatType(), part)) for part in (sixth, rest)]
    total = _fold(builder, _plus, vectors)
    return _plus(builder, *(_times(builder, total, share) for share in shares))


@intrinsic  # type: ignore[untyped-decorator]
def mean_of_six(_typing: Any, arrays: Any, table: Any, place: Any) -> Any:
    """The mean of the six rows of the arrays that the table names from `place` on.

    The variance is that of all: the mean of the six, and the variance of the six values (law of total variance).
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = _rows(context, builder, signature.args, args, 6)
        value = _mean_of_six(builder, [row[0] for row in rows])
        for row in rows:
            if row[1:]:
                off = builder.fsub(row[0], value)
                row[1] = _plus(builder, _times(builder, off, off), row[1])
        others = [_mean_of_six(builder, [row[i] for row in rows]) for i in range(1, len(rows[0]))]
        return context.make_tuple(builder, signature.return_type, [value, *others])

    return row_of(arrays)(arrays, table, place), code


def best_of(n: int) -> Any:
    """best(own, arrays, table, place): the best of `own` and of the n rows that the table names from `place` on."""

    @intrinsic  # type: ignore[untyped-decorator]
    def best(_typing: Any, own: Any, arrays: Any, table: Any, place: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            rows = _rows(context, builder, signature.args[1:], args[1:], n)
            row = _fold(builder, _better, [unpack_tuple(builder, args[0]), *rows])
            return context.make_tuple(builder, signature.return_type, row)

        return own(own, arrays, table, place), code

    return best
