"""torch.sparse_coo_tensor, torch.sparse_csr_tensor and their kin, as Python calls them."""

from __future__ import annotations

from ..core.device import layout as Layout  # noqa: N812  a parameter has torch's name
from ..core.device import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr
from ..core.dtype import int32, int64
from ..core.tensor import Tensor, add_attribute
from ..dispatch.aten import aten
from ..ops.python.construct import from_data, require
from ..ops.sparse import invariants
from .install import FUNCTIONS


class _Checking:
    """Invariants looked at, or not, while one tensor is made."""

    def __init__(self, check: bool | None):
        self.check = check

    def __enter__(self):
        self.before = invariants.are_checked()
        if self.check is not None:
            invariants.set_checked(self.check)

    def __exit__(self, *error):
        invariants.set_checked(self.before)


def sparse_coo_tensor(indices=None, values=None, size=None, *, dtype=None, device=None, pin_memory: bool = False,
                      requires_grad: bool = False, check_invariants: bool | None = None,
                      is_coalesced: bool | None = None) -> Tensor:
    """A sparse tensor from coordinates, a column for each element, and values."""
    with _Checking(check_invariants):
        if values is None:
            sizes = indices if size is None else size
            return _learning(aten.sparse_coo_tensor(tuple(sizes), dtype=dtype), requires_grad)
        values = from_data(values, dtype, device, copy=False)
        indices = from_data(indices, int64, device, copy=False)
        options = {} if is_coalesced is None else {"is_coalesced": is_coalesced}
        given = (indices, values) if size is None else (indices, values, tuple(size))
        return _learning(aten.sparse_coo_tensor(*given, **options), requires_grad)


def _learning(tensor: Tensor, requires_grad: bool) -> Tensor:
    """A new tensor; a leaf where its gradient is asked for."""
    return require(tensor.detach() if tensor.requires_grad else tensor) if requires_grad else tensor


def _index_data(data) -> Tensor:
    """Indices as they are, or as int64."""
    if isinstance(data, Tensor):
        return from_data(data, int32 if data.dtype is int32 else int64, None, copy=False)
    return from_data(data, int64, None, copy=False)


def _compressed(name: str, fixed: Layout | None):
    words = ("crow_indices", "col_indices") if fixed in (sparse_csr, sparse_bsr) else (
        ("ccol_indices", "row_indices") if fixed else ("compressed_indices", "plain_indices"))

    def make(*args, dtype=None, layout: Layout | None = None, device=None, pin_memory: bool = False,
             requires_grad: bool = False, check_invariants: bool | None = None, **named) -> Tensor:
        given = dict(zip((*words, "values", "size"), args)) | named
        compressed, plain, values, size = [given.get(word) for word in (*words, "values", "size")]
        if any(part is None for part in (compressed, plain, values)) or len(args) + len(named) > 4:
            raise TypeError(f"{name}() wants {words[0]}, {words[1]} and values, and may have a size; it got "
                            f"{', '.join(given) or 'nothing'}")
        with _Checking(check_invariants):
            values = from_data(values, dtype, device, copy=False)
            parts = (_index_data(compressed), _index_data(plain), values)
            options = {} if fixed else {"layout": layout}
            sizes = () if size is None else (tuple(size),)
            return _learning(getattr(aten, name)(*parts, *sizes, **options), requires_grad)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"A sparse tensor in the layout {fixed or 'that is named'}, from its parts."
    return make


def to_sparse_coo(self: Tensor) -> Tensor:
    """The tensor by coordinates."""
    return aten.to_sparse(self)


def _install_older_names() -> None:
    """Products by their older names, which are the same functions."""
    for name, function in (("spmm", "mm"), ("dsmm", "mm"), ("hsmm", "hspmm"), ("saddmm", "sspaddmm")):
        FUNCTIONS[name] = lambda *args, function=function, **kwargs: FUNCTIONS[function](*args, **kwargs)
        FUNCTIONS[name].__name__ = FUNCTIONS[name].__qualname__ = name


add_attribute("to_sparse_coo", to_sparse_coo)
_install_older_names()
FUNCTIONS["sparse_coo_tensor"] = sparse_coo_tensor
for _name, _layout in (("sparse_csr_tensor", sparse_csr), ("sparse_csc_tensor", sparse_csc),
                       ("sparse_bsr_tensor", sparse_bsr), ("sparse_bsc_tensor", sparse_bsc),
                       ("sparse_compressed_tensor", None)):
    FUNCTIONS[_name] = _compressed(_name, _layout)
