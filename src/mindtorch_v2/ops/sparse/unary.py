"""Ops of one tensor that leave zeros as they are: each is its dense op on the values."""

from __future__ import annotations

from ...core.sparse import SparseCompressed, SparseCoo, on_compressed, on_coo, show, sparse_tensor
from ...core.tensor import alias_of, shape_of
from ...dispatch.aten import aten
from .parts import sparse_dim_of

# With a form in place, and without.
WITH_INPLACE = ("abs asin asinh atan atanh ceil deg2rad erf erfinv expm1 floor frac log1p rad2deg relu round sgn sign "
                "sin sinh sqrt tan tanh trunc").split()
WITHOUT_INPLACE = "isinf isnan isneginf isposinf signbit".split()
# Those that the compressed layouts have beside them, and lack.
ONLY_COMPRESSED, NOT_COMPRESSED = ["neg", "conj_physical", "angle"], ["round"]


def of_values(name: str, self, *options):
    """The dense op on the values of coordinates that come once."""
    ordered = aten.coalesce(self)
    values = getattr(aten, name)(aten.values(ordered), *options)
    indices = aten.clone(aten.indices(ordered))
    dense_dim, sparse_dim = aten.dense_dim(self), aten.sparse_dim(self)
    return aten._sparse_coo_tensor_with_dims_and_tensors(sparse_dim, dense_dim, shape_of(self), indices, values,
                                                         is_coalesced=True)


def of_values_(name: str, self, *options):
    """The same in place."""
    if not aten.is_coalesced(self):
        raise RuntimeError(f"{name}_ requires coalesced input")
    getattr(aten, name + "_")(aten.values(self), *options)
    return self


def into_given(name: str, self, *rest):
    """The same into a given sparse tensor."""
    *options, out = rest
    result = of_values(name, self, *options)
    return show(out, result._mt_kind, shape_of(result))


def of_compressed(name: str, self, *options):
    """The dense op on the values of a compressed layout."""
    kind = self._mt_kind
    values = getattr(aten, name)(kind.values, *options)
    return sparse_tensor(SparseCompressed(kind.layout, aten.clone(kind.compressed), aten.clone(kind.plain), values),
                         shape_of(self))


def of_compressed_(name: str, self, *options):
    """The same in place."""
    getattr(aten, name + "_")(self._mt_kind.values, *options)
    return self


def _bound(work, name: str):
    return lambda *args: work(name, *args)


for _name in (*WITH_INPLACE, *WITHOUT_INPLACE, "nan_to_num"):
    on_coo(_name)(_bound(of_values, _name))
    on_coo(_name + ".out")(_bound(into_given, _name))
for _name in (*WITH_INPLACE, "nan_to_num"):
    on_coo(_name + "_")(_bound(of_values_, _name))
for _name in [name for name in (*WITH_INPLACE, *WITHOUT_INPLACE, *ONLY_COMPRESSED) if name not in NOT_COMPRESSED]:
    on_compressed(_name)(_bound(of_compressed, _name))
for _name in [name for name in (*WITH_INPLACE, "neg") if name not in NOT_COMPRESSED]:
    on_compressed(_name + "_")(_bound(of_compressed_, _name))


@on_coo("neg")
def neg(self):
    """The negative; coordinates may come twice."""
    result = aten.empty_like(self)
    aten.copy_sparse_to_sparse_(result, self)
    aten.neg_(aten._values(result))
    return result


@on_coo("neg_")
def neg_(self):
    """The same in place."""
    aten.neg_(aten._values(self))
    return self


@on_coo("pow.Tensor_Scalar")
def power(self, exponent):
    """A power of the sums at each place."""
    if exponent == 0:
        raise RuntimeError("pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense")
    result = aten.empty((0,), dtype=self.dtype, layout=self._mt_kind.layout)
    ordered = aten.coalesce(self)
    return write_values(result, ordered, "pow", exponent)


def write_values(result, self, name: str, *options, **named):
    """Coordinates copied and values computed into an empty tensor, as torch shows it."""
    aten.resize_as_(result, self)
    source = aten._indices(self)
    indices = aten.resize_as_(aten._indices(result), source)
    aten.copy_(indices, aten._indices(self))
    aten._values(result)
    values = getattr(aten, name)(aten._values(self), *options, **named)
    kind = first_columns(indices, values, aten._nnz(self), sparse_dim_of(self))
    show(result, kind, shape_of(self))
    return aten._coalesced_(result, aten.is_coalesced(self))


def first_columns(indices, values, count: int, sparse_dim: int) -> SparseCoo:
    """The first of many columns, on the memory of all."""
    return SparseCoo(alias_of(aten.narrow(indices, 1, 0, count)), alias_of(aten.narrow(values, 0, 0, count)),
                     sparse_dim)


@on_coo("positive", "resolve_conj", "resolve_neg")
@on_compressed("positive", "resolve_conj", "resolve_neg")
def itself(self):
    """Nothing is left to be carried out."""
    return self


@on_coo("conj", "_conj", "_conj_physical")
def conjugate(self):
    """The conjugate, at once: there is no memory to look at in another way."""
    return of_values("conj_physical", self) if self.dtype.is_complex else self


@on_compressed("conj", "_conj")
def conjugate_compressed(self):
    return aten.conj_physical(self) if self.dtype.is_complex else self


@on_coo("threshold_backward")
def threshold_backward(grad_output, self, threshold):
    """The derivative of relu(): the gradient where the result is positive."""
    grad, result = aten.coalesce(grad_output), aten.coalesce(self)
    if grad is grad_output and not _same_places(grad, result):
        grad = aten.sparse_mask(grad, result)
    values = aten.threshold_backward(aten._values(grad), aten._values(result), threshold)
    dense_dim, indices = aten.dense_dim(result), aten._indices(result)
    return aten._sparse_coo_tensor_with_dims_and_tensors(sparse_dim_of(result), dense_dim, shape_of(result), indices,
                                                         values, is_coalesced=True)


def _same_places(a, b) -> bool:
    return shape_of(a._mt_kind.indices) == shape_of(b._mt_kind.indices) and aten.equal(a._mt_kind.indices,
                                                                                      b._mt_kind.indices)
