"""torch.sparse: functions of sparse tensors, their older classes, and whether new ones are looked at."""

from __future__ import annotations

import functools
from collections.abc import Callable

from ..api.tensor_types import SPARSE_TYPES as _SPARSE_TYPES
from ..core.device import layout as _layout
from ..core.sparse import NOT_FOR_BACKEND as _NOT_FOR_BACKEND
from ..core.tensor import Tensor
from ..dispatch.aten import aten as _aten
from ..ops.sparse import invariants as _invariants
from .semi_structured import (
    SparseSemiStructuredTensor,
    SparseSemiStructuredTensorCUSPARSELT,
    SparseSemiStructuredTensorCUTLASS,
    to_sparse_semi_structured,
)
from .strided_gradcheck import as_sparse_gradcheck

__all__ = ["addmm", "check_sparse_tensor_invariants", "mm", "sum", "softmax", "log_softmax", "spdiags", "spsolve",
           "sampled_addmm", "SparseSemiStructuredTensor", "SparseSemiStructuredTensorCUTLASS",
           "SparseSemiStructuredTensorCUSPARSELT", "to_sparse_semi_structured", "as_sparse_gradcheck"]

globals().update(_SPARSE_TYPES)


def mm(mat1: Tensor, mat2: Tensor, reduce: str | None = None) -> Tensor:
    """The product of two matrices, one of them sparse, whose gradient is sparse too."""
    return _aten._sparse_mm(mat1, mat2) if reduce is None else _aten._sparse_mm(mat1, mat2, reduce)


def addmm(mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """beta * mat + alpha * (mat1 @ mat2), where mat1 is sparse and so is its gradient."""
    return _aten._sparse_addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


def sampled_addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1.0, alpha: float = 1.0,
                  out: Tensor | None = None) -> Tensor:
    """A csr matrix plus the product of two dense ones at the places that it keeps."""
    result = _aten.sparse_sampled_addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return result if out is None else out.copy_(result)


def sum(input: Tensor, dim=None, dtype=None) -> Tensor:  # noqa: A001  torch's name
    """The sum of all elements, or along some dimensions."""
    options = {} if dtype is None else {"dtype": dtype}
    if dim is None:
        return _aten._sparse_sum(input, **options)
    return _aten._sparse_sum(input, tuple(dim) if isinstance(dim, (list, tuple)) else (dim,), **options)


def softmax(input: Tensor, dim: int, *, dtype=None) -> Tensor:
    """softmax over the elements that are kept."""
    return _aten._sparse_softmax(input, dim, dtype)


def log_softmax(input: Tensor, dim: int, *, dtype=None) -> Tensor:
    """The logarithm of softmax over the elements that are kept."""
    return _aten._sparse_log_softmax(input, dim, dtype)


def spdiags(diagonals: Tensor, offsets: Tensor, shape, layout: _layout | None = None) -> Tensor:
    """A sparse matrix with given diagonals."""
    return _aten._spdiags(diagonals, offsets, tuple(shape), layout)


def spsolve(input: Tensor, other: Tensor, *, left: bool = True) -> Tensor:
    """Refused as torch refuses it on the CPU."""
    raise NotImplementedError(_NOT_FOR_BACKEND.format("aten::_spsolve", "SparseCsrCPU"))


class check_sparse_tensor_invariants:  # noqa: N801  torch's name
    """Whether new sparse tensors are looked at: switched for good, for a block, or for a function."""

    is_enabled = staticmethod(_invariants.are_checked)

    @staticmethod
    def enable() -> None:
        """Look at every new sparse tensor from now on."""
        _invariants.set_checked(True)

    @staticmethod
    def disable() -> None:
        """Look at none from now on."""
        _invariants.set_checked(False)

    def __init__(self, enable: bool = True):
        self.state = enable
        self.saved_state: bool | None = None

    def __enter__(self) -> None:
        if self.saved_state is not None:
            raise RuntimeError("This context manager instance is already activated. Use a different context manager "
                               "instance for context nesting.")
        self.saved_state = self.is_enabled()
        _invariants.set_checked(self.state)

    def __exit__(self, *error) -> None:
        _invariants.set_checked(self.saved_state)
        self.saved_state = None

    def __call__(self, function: Callable) -> Callable:
        @functools.wraps(function)
        def checked(*args, **kwargs):
            with type(self)(self.state):
                return function(*args, **kwargs)
        return checked
