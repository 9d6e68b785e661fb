"""Dimensions in another order: transposes, permutations and the properties T, mT, H, mH."""

from __future__ import annotations

from ...core.geometry import wrap_dim
from ...core.tensor import Tensor, add_attribute, ndim_of, shape_of, strides_of
from ...core.user_warning import warn_user
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from .view import strided


class Transpose(Op):
    """Two dimensions swapped."""

    schema = "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dim0, dim1):
        shape = shape_of(self)
        dim0, dim1 = wrap_dim(dim0, len(shape)), wrap_dim(dim1, len(shape))
        if dim0 == dim1:
            return aten.alias(self)
        return strided(self, swapped(shape, dim0, dim1), swapped(strides_of(self), dim0, dim1))

    def grad_self(grad, dim0, dim1):
        return dispatcher.call(_TRANSPOSE, (grad, dim0, dim1))


def swapped(values, i, j):
    """Sizes or strides with two of them exchanged."""
    if len(values) == 2:
        return (values[1], values[0])
    order = list(values)
    order[i], order[j] = order[j], order[i]
    return tuple(order)


class T(Op):
    """The transpose of a matrix."""

    schema = "t(Tensor(a) self) -> Tensor(a)"
    node = "TBackward0"
    variants = "method"

    def body(self: Tensor):
        return dispatcher.call(_TRANSPOSE, (self, 0, transposed_dim(self)))

    def grad_self(grad):
        return dispatcher.call(_T, (grad,))


def transposed_dim(self):
    """The other dimension of a matrix; a vector has only its first."""
    ndim = ndim_of(self)
    if ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {ndim}D")
    return 0 if ndim < 2 else 1


class Swapaxes(Op):
    """transpose() by NumPy's name."""

    schema = "swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, axis0, axis1):
        return aten.transpose(self, axis0, axis1)


class Swapdims(Op):
    """transpose() by another name."""

    schema = "swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dim0, dim1):
        return aten.transpose(self, dim0, dim1)


class Permute(Op):
    """All dimensions in a given order."""

    schema = "permute(Tensor(a) self, int[] dims) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dims):
        shape, strides = shape_of(self), strides_of(self)
        ndim = len(shape)
        if len(dims) != ndim:
            raise RuntimeError("permute(sparse_coo): number of dimensions in the tensor input does not match the "
                               "length of "
                               f"the desired ordering of dimensions i.e. input.dim() = {ndim} is not equal to "
                               "len(dims) = "
                               f"{len(dims)}")
        order = [wrap_dim(d, ndim) for d in dims]
        if len(set(order)) != ndim:
            raise RuntimeError("permute(): duplicate dims are not allowed.")
        return strided(self, tuple([shape[d] for d in order]), tuple([strides[d] for d in order]))

    def grad_self(grad, dims):
        back = [0] * len(dims)
        for i, d in enumerate(dims):
            back[d] = i
        return aten.permute(grad, tuple(back))


class Movedim(Op):
    """Some dimensions at new places, the others in the order they had."""

    schema = "movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, source, destination):
        ndim = self.dim()
        if len(source) != len(destination):
            raise RuntimeError(f"movedim: Invalid source or destination dims: source ({list(source)} dims) should "
                               "contain "
                               f"the same number of dims as destination ({list(destination)} dims)")
        places = [wrap_dim(d, ndim) for d in source], [wrap_dim(d, ndim) for d in destination]
        for name, given, dims in (("source", source, places[0]), ("destination", destination, places[1])):
            if len(set(dims)) != len(dims):
                raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
        if not ndim:
            return aten.alias(self)
        order = [d for d in range(ndim) if d not in places[0]]
        for place, moved in sorted(zip(places[1], places[0])):
            order.insert(place, moved)
        return aten.permute(self, tuple(order))


class MovedimInt(Op):
    """One dimension at a new place."""

    schema = "movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, source, destination):
        return aten.movedim(self, (source,), (destination,))


class Moveaxis(Op):
    """movedim() by NumPy's name."""

    schema = "moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, source, destination):
        return aten.movedim(self, source, destination)


class MoveaxisInt(Op):
    """movedim() of one dimension by NumPy's name."""

    schema = "moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, source, destination):
        return aten.movedim(self, (source,), (destination,))


class NumpyT(Op):
    """All dimensions in reverse order: ``x.T``."""

    schema = "numpy_T(Tensor(a) self) -> Tensor(a)"
    internal = "the property T"

    def body(self: Tensor):
        if self.dim() not in (0, 2):
            warn_user("The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated "
                      "and it will throw an error in a future release. Consider `x.mT` to transpose batches of "
                      "matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
                      "tensor.")
        return aten.permute(self, tuple(range(self.dim() - 1, -1, -1)))


class MT(Op):
    """The last two dimensions swapped: ``x.mT``."""

    schema = "mT(Tensor(a) self) -> Tensor(a)"
    internal = "the property mT"

    def body(self: Tensor):
        _only_matrices(self, "mT")
        return aten.transpose(self, -2, -1)


class MH(Op):
    """The last two dimensions swapped, conjugated: ``x.mH``."""

    schema = "mH(Tensor(a) self) -> Tensor(a)"
    internal = "the property mH"

    def body(self: Tensor):
        _only_matrices(self, "mH")
        return _conjugated(aten.transpose(self, -2, -1))


class MatrixH(Op):
    """A matrix transposed and conjugated: ``x.H``."""

    schema = "matrix_H(Tensor(a) self) -> Tensor(a)"
    internal = "the property H"

    def body(self: Tensor):
        if self.dim() not in (0, 2):
            hint = ". For batches of matrices, consider using tensor.mH" if self.dim() > 2 else ". "
            raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor{hint}")
        return _conjugated(aten.transpose(self, 0, 1) if self.dim() else self)


class Adjoint(Op):
    """The last two dimensions swapped, conjugated."""

    schema = "adjoint(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        if not self.dim():
            return _conjugated(self)
        _only_matrices(self, "adjoint()")
        return _conjugated(aten.transpose(self, -2, -1))


def _conjugated(self):
    return aten._conj(self) if self.is_complex() else self


def _only_matrices(self, name: str) -> None:
    if self.dim() < 2:
        raise RuntimeError(f"tensor.{name} is only supported on matrices or batches of matrices. Got {self.dim()}-D "
                           "tensor.")


# Properties of a tensor and the ops they run.
_PROPERTIES = {"T": "numpy_T", "mT": "mT", "H": "matrix_H", "mH": "mH"}

for _name, _op in _PROPERTIES.items():
    add_attribute(_name, property(getattr(aten, _op)))


# The ops called above, looked up once.
_T = T.op
_TRANSPOSE = Transpose.op
