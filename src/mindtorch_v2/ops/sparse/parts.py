"""What a sparse tensor is made of: its indices and values, how many there are, and which dimensions they are for."""

from __future__ import annotations

from ...core.device import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr
from ...core.sparse import NOT_FOR_BACKEND, is_compressed, is_coo, is_sparse, layout_word
from ...core.tensor import alias_of, ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op, declare

OF_SPARSE = "reads what a sparse tensor is made of"


def refuse_backend(name: str, self):
    """torch has no such kernel for tensors of this layout."""
    backend = self._mt_kind.backend if is_sparse(self) else "CPU"
    raise NotImplementedError(NOT_FOR_BACKEND.format(f"aten::{name}", backend))


def refuse_layout(name: str, wanted: str, self):
    raise RuntimeError(f"{name} expected {wanted} tensor layout but got {layout_word(self)}")


def coo(self, name: str):
    """The coordinates of a tensor that has some."""
    return self._mt_kind if is_coo(self) else refuse_backend(name, self)


def coo_member(self, name: str):
    """The same for members of which torch complains in other words."""
    return self._mt_kind if is_coo(self) else refuse_layout(name, "sparse coordinate", self)


def sparse_dim_of(self) -> int:
    """How many dimensions have coordinates, without a row."""
    return self._mt_kind.sparse_dim if is_coo(self) else 2 if is_compressed(self) else 0


def nnz_of(self) -> int:
    """How many elements, or slices, are kept, without a row."""
    kind = self._mt_kind
    return shape_of(kind.values)[0] if is_coo(self) else shape_of(kind.plain)[-1]


class Indices(Op):
    """Coordinates, a column for each element, as a tensor without history."""

    schema = "_indices(Tensor(a) self) -> Tensor(a)"
    variants = "method"
    of_kind, below = OF_SPARSE, "hands out a part"

    def body(self):
        return alias_of(coo(self, "_indices").indices)


class Values(Op):
    """Values of the elements that are kept, as a tensor without history."""

    schema = "_values(Tensor(a) self) -> Tensor(a)"
    variants = "method"
    of_kind, below = OF_SPARSE, "hands out a part"

    def body(self):
        return alias_of(coo(self, "_values").values)


class IndicesOfCoalesced(Op):
    """Coordinates, each of which comes once."""

    schema = "indices(Tensor(a) self) -> Tensor(a)"
    variants = "method"
    of_kind, below = OF_SPARSE, "hands out a part"

    def body(self):
        kind = coo_member(self, "indices")
        if not aten.is_coalesced(self):
            raise RuntimeError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
        return aten.alias(kind.indices)


class ValuesOfCoalesced(Op):
    """Values, each of which belongs to another coordinate."""

    schema = "values(Tensor(a) self) -> Tensor(a)"
    variants = "method"
    of_kind = OF_SPARSE
    node = "ValuesBackward0"

    def body(self):
        if not is_sparse(self):
            refuse_layout("values", "sparse", self)
        if is_coo(self) and not aten.is_coalesced(self):
            raise RuntimeError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
        return aten.alias(self._mt_kind.values)

    def grad_self(grad, self):
        kind = self._mt_kind
        if is_coo(self):
            return aten._sparse_coo_tensor_unsafe(aten.indices(self), grad, shape_of(self), is_coalesced=True)
        return aten._sparse_compressed_tensor_unsafe(kind.compressed, kind.plain, grad, shape_of(self),
                                                     layout=kind.layout)


class Nnz(Op):
    """How many elements, or slices, are kept."""

    schema = "_nnz(Tensor self) -> int"
    variants = "method"
    of_kind, below = OF_SPARSE, "makes a number"

    def body(self):
        return nnz_of(self) if is_sparse(self) else refuse_backend("_nnz", self)


class IsCoalesced(Op):
    """Whether no coordinate comes twice."""

    schema = "is_coalesced(Tensor self) -> bool"
    variants = "method"
    of_kind, below = OF_SPARSE, "makes a number"

    def body(self):
        return coo_member(self, "is_coalesced").is_coalesced


class SparseDim(Op):
    """How many dimensions have coordinates."""

    schema = "sparse_dim(Tensor self) -> int"
    variants = "method"
    of_kind, below = OF_SPARSE, "makes a number"

    def body(self):
        return sparse_dim_of(self)


class DenseDim(Op):
    """How many dimensions each value has."""

    schema = "dense_dim(Tensor self) -> int"
    variants = "method"
    of_kind, below = OF_SPARSE, "makes a number"

    def body(self):
        if is_compressed(self):
            kind = self._mt_kind
            return ndim_of(kind.values) - ndim_of(kind.plain) - len(kind.blocksize)
        return ndim_of(self) - sparse_dim_of(self)


for _name, _of in (("_dimI", sparse_dim_of), ("_dimV", lambda self: ndim_of(self) - sparse_dim_of(self))):
    declare(f"{_name}(Tensor self) -> int", "The older name of sparse_dim() and dense_dim().", variants="method",
            of_kind=OF_SPARSE, below="makes a number",
            body=lambda self, name=_name, of=_of: of(self) if is_coo(self) else refuse_backend(name, self))


class SetCoalesced(Op):
    """Say whether no coordinate comes twice."""

    schema = "_coalesced_(Tensor(a!) self, bool coalesced) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    of_kind, below = OF_SPARSE, "only notes it"

    def body(self, coalesced):
        coo(self, "_coalesced_").is_coalesced = coalesced
        return self


# Parts of the compressed layouts: the layouts that have each, torch's word for them, and its place.
_BY_ROWS, _BY_COLUMNS = (sparse_csr, sparse_bsr), (sparse_csc, sparse_bsc)
_COMPRESSED_PARTS = {"crow_indices": (_BY_ROWS, "row", "compressed"), "col_indices": (_BY_ROWS, "row", "plain"),
                     "ccol_indices": (_BY_COLUMNS, "column", "compressed"),
                     "row_indices": (_BY_COLUMNS, "column", "plain")}


def _part_of(name: str):
    layouts, word, place = _COMPRESSED_PARTS[name]

    def body(self):
        if not is_compressed(self) or self._mt_kind.layout not in layouts:
            refuse_layout(name, f"sparse {word} compressed", self)
        return aten.alias(getattr(self._mt_kind, place))
    return body


for _name in _COMPRESSED_PARTS:
    declare(f"{_name}(Tensor(a) self) -> Tensor(a)", "Indices of a compressed layout.", variants="method",
            of_kind=OF_SPARSE, below="hands out a part", body=_part_of(_name))

