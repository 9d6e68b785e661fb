"""MaskedTensor: data and a mask that says which of it counts; its ops are those of ops.py and reductions.py."""

from __future__ import annotations

import warnings

from ...autograd.function import Function
from ...core import dtype as dtypes
from ...core.device import sparse_coo, sparse_csr, strided
from ...core.tensor import Tensor
from .printing import text_of

_TYPES = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32,
          dtypes.int64)

_PROTOTYPE = ("The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. Please open "
              "a Github issue for features requests and see our documentation on the torch.masked module for further "
              "information about the project.")


def is_masked_tensor(obj: object) -> bool:
    """Whether it is a tensor with a mask."""
    return isinstance(obj, MaskedTensor)


class MaskedTensor(Tensor):
    """A tensor whose mask is True where its data counts."""

    @staticmethod
    def __new__(cls, data: Tensor, mask: Tensor, requires_grad: bool = False) -> MaskedTensor:
        if is_masked_tensor(data) or not isinstance(data, Tensor):
            raise TypeError("data must be a Tensor")
        if is_masked_tensor(mask) or not isinstance(mask, Tensor):
            raise TypeError("mask must be a Tensor")
        warnings.warn(_PROTOTYPE, UserWarning, stacklevel=2)
        if data.requires_grad:
            warnings.warn("It is not recommended to create a MaskedTensor with a tensor that requires_grad. "
                          "To avoid this, you can use data.detach().clone()", stacklevel=2)
        return Tensor._make_wrapper_subclass(cls, data.size(), device=data.device, dtype=data.dtype, layout=data.layout,
                                             requires_grad=requires_grad)

    def __init__(self, data: Tensor, mask: Tensor, requires_grad: bool = False) -> None:
        if data.layout == mask.layout and data.layout in (sparse_coo, sparse_csr):
            data, mask = _of_one_pattern(data, mask)
        _check(data, mask)
        self._masked_data, self._masked_mask = data.detach(), mask

    def get_data(self) -> Tensor:
        """All the data, also what does not count; gradients of it come back."""
        return _Data.apply(self)

    def get_mask(self) -> Tensor:
        """The mask."""
        return self._masked_mask

    def is_sparse_coo(self) -> bool:
        """Whether it is a sparse tensor of coordinates."""
        return self.layout == sparse_coo

    def is_sparse_csr(self) -> bool:
        """Whether it is a sparse tensor of compressed rows."""
        return self.layout == sparse_csr

    def to_tensor(self, value: float) -> Tensor:
        """The data, with a number in the place of what does not count."""
        return self.get_data().masked_fill(~self.get_mask(), value)

    def to_dense(self) -> MaskedTensor:
        """The same as a dense tensor."""
        return _Converted.apply(self, "to_dense")

    def to_sparse(self) -> MaskedTensor:
        """The same as a sparse tensor of what counts."""
        return self if self.layout == sparse_coo else _Converted.apply(self, "to_sparse")

    def to_sparse_csr(self) -> MaskedTensor:
        """The same as compressed rows of what counts."""
        return self if self.layout == sparse_csr else _Converted.apply(self, "to_sparse_csr")

    def __repr__(self) -> str:
        data, mask = self._masked_data, self._masked_mask
        if data.layout != strided:
            data, mask = data.to_dense(), mask.to_dense()
        return text_of(data, mask)

    __str__ = __repr__

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        from .reductions import reduction_named
        reduce = reduction_named(func)
        if reduce is not None:
            return reduce(*args, **(kwargs or {}))
        return super().__torch_function__(func, types, args, kwargs)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        from .ops import answer
        return answer(func, args, kwargs or {})


def _of_one_pattern(data: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Sparse data that stores what the mask stores, zeros among it."""
    if data.layout == sparse_coo:
        data, mask = data.coalesce(), mask.coalesce()
    return (data.sparse_mask(mask) if data._nnz() != mask._nnz() else data), mask


def _check(data: Tensor, mask: Tensor) -> None:
    """torch's complaints about data and masks that do not go together."""
    if type(data) is not type(mask):
        raise TypeError(f"data and mask must have the same type. Got {type(data)} and {type(mask)}")
    if data.layout not in {strided, sparse_coo, sparse_csr}:
        raise TypeError(f"data layout of {data.layout} is not supported.")
    if data.layout != mask.layout:
        raise TypeError("data and mask must have the same layout.")
    if data.layout == sparse_coo:
        if not data.coalesce().indices().equal(mask.coalesce().indices()):
            raise ValueError("data and mask are both sparse COO tensors but do not have the same indices.")
    elif data.layout == sparse_csr and not (data.crow_indices().equal(mask.crow_indices())
                                            and data.col_indices().equal(mask.col_indices())):
        raise ValueError("data and mask are both sparse CSR tensors but do not share either crow or col indices.")
    if mask.dtype != dtypes.bool_:
        raise TypeError("mask must have dtype bool.")
    if data.dtype not in _TYPES:
        raise TypeError(f"{data.dtype} is not supported in MaskedTensor.")
    if data.dim() != mask.dim():
        raise ValueError("data.dim() must equal mask.dim()")
    if data.size() != mask.size():
        raise ValueError("data.size() must equal mask.size()")


class _Data(Function):
    """Data without its mask; gradients get the mask again."""

    @staticmethod
    def forward(ctx, masked: MaskedTensor) -> Tensor:
        ctx.save_for_backward(masked._masked_mask)
        return masked._masked_data.clone()

    @staticmethod
    def backward(ctx, grad: Tensor) -> Tensor:
        (mask,) = ctx.saved_tensors
        return grad if is_masked_tensor(grad) else MaskedTensor(grad, mask)


class _Converted(Function):
    """Another layout; gradients come back in the one that was there."""

    @staticmethod
    def forward(ctx, masked: MaskedTensor, way: str) -> MaskedTensor:
        ctx.layout = masked.layout
        data, mask = masked._masked_data, masked._masked_mask
        if way == "to_dense":
            return MaskedTensor(data.to_dense(), mask.to_dense())
        if data.layout != strided:
            data, mask = data.to_dense(), mask.to_dense()
        kept = getattr(mask, way)()
        return MaskedTensor(data.sparse_mask(kept), kept)

    @staticmethod
    def backward(ctx, grad: MaskedTensor) -> tuple[MaskedTensor, None]:
        return (grad.to_dense() if ctx.layout == strided else grad), None
