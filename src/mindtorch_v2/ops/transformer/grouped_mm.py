"""Products of many matrices that lie in one tensor, one behind the other: the experts of a mixture."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import Tensor, ndim_of, shape_of, strides_of
from ...devices.facts import has_values
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec

MATRIX, BATCH = 2, 3  # dimensions
ALIGNMENT_BYTES = 16  # between rows, as kernels of accelerators want it
TYPES = (dtypes.float32, dtypes.bfloat16, dtypes.float16)


class GroupedMm(Op):
    """For each group the product of its part of two tensors; offsets say where the groups of a matrix end."""

    schema = ("_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) "
              "-> Tensor")
    tuned = "the body asks"

    def meta(self, mat2, offs, bias, out_dtype):
        _check(self, mat2, offs)
        if out_dtype not in (None, self.dtype):
            raise RuntimeError("Grouped gemm output dtype must match `mat_a` dtype")
        if bias is not None:
            raise RuntimeError("Bias not supported yet")
        shape = _result_shape(self, mat2, offs)
        return Spec(shape, self.dtype, _aligned_strides(shape, ALIGNMENT_BYTES // self.dtype.itemsize))

    def body(self, mat2, offs, bias, out_dtype):
        result = GroupedMm.meta(self, mat2, offs, bias, out_dtype)
        out = aten.empty_strided(result.shape, result.strides, dtype=self.dtype, device=self.device)
        if offs is None:
            return aten.bmm(self, mat2, out=out)
        if not has_values(offs):  # nobody knows where groups end, and there is nothing to multiply
            return out
        offs, start = aten.to(offs, device=offs.device), 0
        for group in range(shape_of(offs)[0]):
            end = aten.item(aten.select(offs, 0, group))
            first, second, product = _parts(self, mat2, out, group, start, end)
            aten.mm(first, second, out=product)
            start = end
        return out

    def grad_self(grad, self_is_column_major, mat2, offs):
        if self_is_column_major:
            return aten.transpose(aten._grouped_mm(mat2, aten.transpose(grad, -2, -1), offs), -2, -1)
        return aten._grouped_mm(grad, aten.transpose(mat2, -2, -1), offs)

    def grad_mat2(grad, self, mat2_is_column_major, offs):
        if mat2_is_column_major:
            return aten.transpose(aten._grouped_mm(aten.transpose(grad, -2, -1), self, offs), -2, -1)
        return aten._grouped_mm(aten.transpose(self, -2, -1), grad, offs)


def _check(a: Tensor, b: Tensor, offs: Tensor | None) -> None:
    named = (("mat_a", a), ("mat_b", b))
    for name, t in named:
        if t.dtype not in TYPES:
            raise RuntimeError(f"Expected {name} to be Float32, BFloat16 or Float16 matrix, got {t.dtype.short}")
    for name, t in named:
        if ndim_of(t) not in (MATRIX, BATCH):
            raise RuntimeError(f"{name} has to be 2 or 3d")
    if shape_of(a)[-1] != shape_of(b)[-2]:
        raise RuntimeError("contraction dimension of mat_a and mat_b must match")
    _check_rows(a)
    _check_rows(b)
    if (offs is not None) != (ndim_of(a) == MATRIX or ndim_of(b) == MATRIX):
        raise RuntimeError("Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d")
    if offs is not None:
        if ndim_of(offs) != 1:
            raise RuntimeError("offs has to be 1D")
        if offs.dtype is not dtypes.int32:
            raise RuntimeError("Offsets have to be int32")


def _check_rows(t: Tensor) -> None:
    """Matrices lie by rows or by columns, and those begin at multiples of 16 bytes."""
    (rows, columns), (down, across) = shape_of(t)[-2:], strides_of(t)[-2:]
    if across == 1 and down >= max(1, columns):
        step = down
    elif down == 1 and across >= max(1, rows):
        step = across
    else:
        raise RuntimeError(f"Invalid strides/sizes, got {list(strides_of(t))} for strides and {list(shape_of(t))} for "
                           "sizes")
    if step * t.dtype.itemsize % ALIGNMENT_BYTES:
        raise RuntimeError("strides should be multiple of 16 bytes")


def _result_shape(a: Tensor, b: Tensor, offs: Tensor | None) -> tuple[int, ...]:
    rows, columns = shape_of(a)[-2], shape_of(b)[-1]
    groups = shape_of(b if offs is None else offs)[0]
    if any(ndim_of(t) == BATCH and shape_of(t)[0] != groups for t in (a, b)):
        raise RuntimeError("batched dimension has to match" if offs is None else "matrix batch sizes have to match")
    return (groups, rows, columns) if ndim_of(a) == ndim_of(b) else (rows, columns)


def _aligned_strides(shape: tuple[int, ...], alignment: int) -> tuple[int, ...]:
    row = -(-shape[-1] // alignment) * alignment
    return (row, 1) if len(shape) == MATRIX else (shape[1] * row, row, 1)


def _parts(a: Tensor, b: Tensor, out: Tensor, group: int, start: int, end: int) -> tuple[Tensor, Tensor, Tensor]:
    """The matrices of a group, and the place of their product."""
    if ndim_of(a) == ndim_of(b):  # what is added up is divided
        return aten.slice(a, 1, start, end), aten.slice(b, 0, start, end), aten.select(out, 0, group)
    if ndim_of(a) == MATRIX:  # rows are
        first, product = aten.slice(a, 0, start, end), aten.slice(out, 0, start, end)
        return first, aten.select(b, 0, group), product
    second, product = aten.slice(b, 1, start, end), aten.slice(out, 1, start, end)
    return aten.select(a, 0, group), second, product
