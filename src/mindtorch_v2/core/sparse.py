# cython: annotation_typing=False
"""Sparse tensors: what a tensor is made of that keeps only some of its elements, and which calls it takes.

A sparse tensor has no memory of its own: its array shows shape and type over one zero, its parts are plain tensors.
``ops/sparse`` fills the tables of what ops do with sparse arguments.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import device as devices
from .fields import set_data
from .kinds import Kind
from .overrides import NO
from .storage import hold
from .strided import make_window
from .tensor import Tensor, bare

NOT_FOR_BACKEND = ("Could not run '{}' with arguments from the '{}' backend. This could be because the operator "
                   "doesn't exist for this backend, or was omitted during the selective/custom build process (if using "
                   "custom build).")
# torch's words for layouts in its complaints.
LAYOUT_WORDS = {devices.strided: "Strided", devices.sparse_coo: "Sparse", devices.sparse_csr: "SparseCsr",
                devices.sparse_csc: "SparseCsc", devices.sparse_bsr: "SparseBsr", devices.sparse_bsc: "SparseBsc"}
COMPRESSED = (devices.sparse_csr, devices.sparse_csc, devices.sparse_bsr, devices.sparse_bsc)
BY_ROWS = (devices.sparse_csr, devices.sparse_bsr)
IN_BLOCKS = (devices.sparse_bsr, devices.sparse_bsc)
_ZERO = np.zeros(16, np.uint8)  # as wide as the widest number


class Sparse(Kind):
    """A tensor that keeps some of its elements, and which."""

    rank = 10
    has_views = False  # what torch calls a view of it is a new tensor
    backend = ""  # what torch calls the kernels of such tensors
    impl = ""  # the class that torch says cannot do what only memory can
    works: dict[str, Callable] = {}

    def check_memory(self, name: str) -> None:
        """torch's complaints about memory that is not there."""
        if name == "data_ptr":
            raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")
        if name == "nbytes":
            raise RuntimeError("nbytes is not defined for sparse tensors.  If you want the size of the constituent "
                               "tensors, add the nbytes of the indices and values.  If you want the size of the  "
                               "equivalent dense tensor, multiply numel() by element_size()")
        if name == "storage":
            raise NotImplementedError(f"Cannot access storage of {self.impl}")

    @classmethod
    def compute(cls, op, args):
        """The op's entry in the table, else what it is composed of; ops on parts look at the tensor themselves."""
        if "of_kind" in op.form:
            return NO
        name = op.name + "." + op.overload if op.overload else op.name
        work = cls.works.get(name)
        if work is not None:
            return work(*args)
        if op.composite:
            return NO
        raise NotImplementedError(NOT_FOR_BACKEND.format(f"aten::{name}", cls.backend))


class SparseCoo(Sparse):
    """Coordinates of elements, a column each, and their values; coalesced where no column comes twice."""

    layout = devices.sparse_coo
    backend, impl = "SparseCPU", "SparseTensorImpl"
    works: dict[str, Callable] = {}

    def __init__(self, indices: Tensor, values: Tensor, sparse_dim: int, is_coalesced: bool = False):
        super().__init__()
        self.values = values  # which go first, as in torch
        self.indices = indices
        self.sparse_dim = sparse_dim
        self.is_coalesced = is_coalesced

    @property
    def parts(self) -> tuple[Tensor, ...]:
        return self.indices, self.values


class SparseCompressed(Sparse):
    """Where each row (or column) begins among the elements, the other coordinate of each, and their values."""

    rank = 11  # asked before coordinates
    backend, impl = "SparseCsrCPU", "SparseCsrTensorImpl"
    works: dict[str, Callable] = {}

    def __init__(self, layout: devices.layout, compressed: Tensor, plain: Tensor, values: Tensor):
        super().__init__()
        self.layout = layout
        self.compressed = compressed
        self.plain = plain
        self.values = values

    @property
    def parts(self) -> tuple[Tensor, ...]:
        return self.compressed, self.plain, self.values

    def check_memory(self, name: str) -> None:
        """These have no strides either."""
        if name in ("stride", "is_contiguous"):
            raise RuntimeError(f"Sparse CSR tensors do not have {'strides' if name == 'stride' else name}")
        super().check_memory(name)

    @property
    def blocksize(self) -> tuple[int, ...]:
        """The shape of a block where elements come in blocks."""
        if self.layout not in IN_BLOCKS:
            return ()
        batch = self.compressed.dim() - 1
        return tuple(self.values.shape[batch + 1:batch + 3])


def sparse_tensor(kind: Sparse, shape: tuple[int, ...]) -> Tensor:
    """A new tensor of a kind and a shape."""
    tensor = bare(Tensor)
    show(tensor, kind, shape)
    return tensor


def show(tensor: Tensor, kind: Sparse, shape: tuple[int, ...] | None = None) -> Tensor:
    """Let a tensor be of a kind from now on, in its shape or in another; type and device are those of the values."""
    dtype = kind.values.dtype
    shape = tuple(tensor._mt_array.shape) if shape is None else tuple(shape)
    array = make_window(_ZERO, dtype.numpy, shape, (0,) * len(shape), 0, _ZERO.nbytes)
    set_data(tensor, _NOWHERE, array, dtype)
    tensor._mt_kind = kind
    return tensor


def is_coo(tensor) -> bool:
    """Whether a tensor keeps coordinates."""
    return isinstance(tensor._mt_kind, SparseCoo)


def is_compressed(tensor) -> bool:
    """Whether a tensor is in one of the compressed layouts."""
    return isinstance(tensor._mt_kind, SparseCompressed)


def is_sparse(tensor) -> bool:
    """Whether a tensor is sparse in any layout."""
    return isinstance(tensor._mt_kind, Sparse)


def layout_word(tensor) -> str:
    """torch's word for a tensor's layout."""
    return LAYOUT_WORDS.get(devices.strided if tensor._mt_kind is None else tensor._mt_kind.layout, "Strided")


def on_coo(*names: str):
    """Enter a function as what ops do where coordinates are among their arguments."""
    return _entering(SparseCoo.works, names)


def on_compressed(*names: str):
    """The same for the compressed layouts."""
    return _entering(SparseCompressed.works, names)


def _entering(works: dict, names: tuple[str, ...]):
    def enter(work):
        works.update((name, work) for name in names)
        return work
    return enter


_NOWHERE = hold(np.empty(0, np.uint8), False)
