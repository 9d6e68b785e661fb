"""Running maxima and minima along a dimension, and where they stand."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op, declare
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec

# name, torch's word for it
EXTREMES = [("cummax", "largest"), ("cummin", "smallest")]


def _check_dim(name: str, self, dim: int) -> None:
    if not ndim_of(self) and dim not in (0, -1):
        raise IndexError(f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}")
    wrap_dim(dim, ndim_of(self))


def _declare(name: str, word: str) -> None:
    doc = f"The {word} elements so far along a dimension, and where they stand."
    helper = f"_{name}_helper"
    kernel_types = KernelTypes(f"{name}_cpu: bool integral floating")

    def meta(self, dim, values=None, indices=None):
        if values is not None and values.dtype is not self.dtype:
            raise RuntimeError(f"expected scalar_type {self.dtype.short} but found {values.dtype.short}")
        if indices is not None and indices.dtype is not dtypes.int64:
            raise RuntimeError(f"expected scalar_type Long but found {indices.dtype.short}")
        _check_dim(name, self, dim)
        return Spec(shape_of(self), self.dtype), Spec(shape_of(self), dtypes.int64)

    def body(self, dim):
        values, indices = aten.empty(shape_of(self), dtype=self.dtype), aten.empty(shape_of(self), dtype=dtypes.int64)
        return getattr(aten, name)(self, dim, values=values, indices=indices)

    def write(self, dim, values, indices):
        aten.empty((0,), dtype=self.dtype)
        resize_output(values, shape_of(self))
        resize_output(indices, shape_of(self))
        if not ndim_of(self):
            return aten.fill_(values, self), aten.fill_(indices, 0)
        if numel_of(self):
            getattr(aten, helper)(self, values, indices, wrap_dim(dim, ndim_of(self)))
        return values, indices

    def help(self, values, indices, dim):
        kernel_types.check(self.dtype)
        getattr(run, name)(values, indices, self, dim)

    declare(f"{helper}(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()", f"What {name} does.",
            body=help, below=f"{name} has the derivative", internal="torch.ops.aten")
    declare(f"{name}(Tensor self, int dim) -> (Tensor values, Tensor indices)", doc, meta=meta, body=body,
            results="values indices", variants="method", no_grad_for="indices", grad_self=_gradient)
    declare(f"{name}.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, "
            "Tensor(b!) indices)", doc, meta=meta, body=write, results="values indices",
            below="writes into given tensors")


def _gradient(grad, self, indices, dim):
    return aten.cummaxmin_backward(grad, self, indices, dim)


class CummaxminBackward(Op):
    """The gradient of running extremes: each goes to the element that was it."""

    schema = "cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor"
    internal = "torch.ops.aten"

    def body(grad, input, indices, dim):
        if not numel_of(input):
            return input
        return aten.scatter_add_(aten.zeros(shape_of(input), dtype=grad.dtype), dim, indices, grad)


for _row in EXTREMES:
    _declare(*_row)
