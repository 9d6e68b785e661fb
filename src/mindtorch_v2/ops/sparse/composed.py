"""Ops that are looked through on sparse tensors, written in others, or refused where torch refuses them."""

from __future__ import annotations

from ...core.geometry import wrap_dim
from ...core.overrides import NO
from ...core.sparse import NOT_FOR_BACKEND, SparseCompressed, SparseCoo, on_compressed, on_coo
from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten

# Ops that only ask for types and shapes.
LOOKED_THROUGH = ("result_type.Tensor result_type.Scalar result_type.Scalar_Tensor is_same_size detach is_nonzero "
                  "is_pinned mul.Scalar mul_.Scalar div.Scalar div_.Scalar add.Scalar add_.Scalar sub.Scalar "
                  "sub_.Scalar rsub.Tensor rsub.Scalar").split()
# What torch runs first and has no kernel for: its complaint names that.
REFUSED = {
    "slice.Tensor": "as_strided", "squeeze": "as_strided", "squeeze.dim": "as_strided", "squeeze.dims": "as_strided",
    "split.Tensor": "as_strided", "split_with_sizes": "as_strided", "diagonal": "as_strided", "unfold": "as_strided",
    "mean": "mean.dim", "logical_not": "logical_not.out", "equal": "equal", "resize_": "resize_",
    "rand_like": "uniform_", "randn_like": "normal_", "ones_like": "fill_.Scalar", "full_like": "fill_.Scalar",
    "diag": "diagonal_copy", "var": "var.correction", "std": "std.correction",
}


def _refusing(kind: type, name: str):
    def refuse(*args):
        raise NotImplementedError(NOT_FOR_BACKEND.format(f"aten::{name}", kind.backend))
    return refuse


for _name in LOOKED_THROUGH:
    on_coo(_name)(lambda *args: NO)
    on_compressed(_name)(lambda *args: NO)
for _name, _first in REFUSED.items():
    on_coo(_name)(_refusing(SparseCoo, _first))
    if _name not in SparseCompressed.works:
        on_compressed(_name)(_refusing(SparseCompressed, _first))


@on_coo("stack")
def stack(tensors, dim):
    """Tensors of one shape along a new dimension."""
    at = wrap_dim(dim, ndim_of(tensors[0]) + 1)
    for position, tensor in enumerate(tensors):
        if shape_of(tensor) != shape_of(tensors[0]):
            raise RuntimeError(f"stack expects each tensor to be equal size, but got {list(shape_of(tensors[0]))} at "
                               f"entry 0 and {list(shape_of(tensor))} at entry {position}")
    return aten.cat([aten.unsqueeze(tensor, at) for tensor in tensors], at)


@on_coo("flatten.using_ints")
@on_compressed("reshape", "flatten.using_ints")
def flatten(self, *sizes):
    """Refused, as in torch."""
    raise RuntimeError("reshape is not implemented for sparse tensors")


@on_compressed("eq.Tensor", "eq.Scalar", "ne.Tensor", "ne.Scalar")
def compare(self, other):
    """Refused, as in torch."""
    raise RuntimeError("unsupported tensor layout: SparseCsr")


