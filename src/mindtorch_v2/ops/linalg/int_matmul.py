"""Products of matrices of bytes."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec, c_name


class IntMm(Op):
    """The product of matrices of bytes, in int32."""

    schema = "_int_mm(Tensor self, Tensor mat2) -> Tensor"
    variants = "out"

    def meta(self, mat2):
        for name, t in (("self", self), ("mat2", mat2)):
            if ndim_of(t) != 2:
                raise RuntimeError(f"int_mm_out_cpu: Expected {name} to be of dimension 2 but got {ndim_of(t)}")
        (rows, inner), (other, columns) = shape_of(self), shape_of(mat2)
        if inner != other:
            raise RuntimeError(f"int_mm_out_cpu: self.size(1) needs to match mat2.size(0) but got {inner} and {other}")
        if self.dtype not in (dtypes.int8, dtypes.uint8):
            raise RuntimeError(f"int_mm_out_cpu: Expected self dtype to be int8 or uint8 but got {c_name(self.dtype)}")
        if mat2.dtype is not dtypes.int8:
            raise RuntimeError(f"int_mm_out_cpu: Expected mat2 dtype to be of type int8 but got {c_name(mat2.dtype)}")
        return Spec((rows, columns), dtypes.int32)

    def body(self, mat2):
        shape = IntMm.meta(self, mat2).shape
        out = aten.empty(shape, dtype=dtypes.int32)
        run.int_product(out, self, mat2)
        return out

    def into(out, self, mat2):
        run.int_product(out, self, mat2)
