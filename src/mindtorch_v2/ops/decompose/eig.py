"""Eigenvalues and eigenvectors of any square matrices, which are complex."""

from __future__ import annotations

from ...autograd.tangents import is_differentiated
from ...core import dtype as dtypes
from ...core.tensor import is_in_order, numel_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec
from . import matrices
from .eigh import check_phase, differences
from .matrices import NO_DERIVATIVE, by_columns, lapack_workspace, raise_for

UNBLOCKED = 16  # rows from which MKL works block by block and asks for more memory


def _complex_of(self):
    if self.dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"Unknown Complex ScalarType for {self.dtype.short}")
    return self.dtype.to_complex()


def _rule(self):
    matrices.check_square(self, "linalg.eig")
    return Spec(shape_of(self)[:-1], _complex_of(self)), by_columns(shape_of(self), _complex_of(self))


class LinalgEig(Op):
    """Eigenvalues, in no order, and eigenvectors of length one."""

    schema = "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)"
    results = "eigenvalues eigenvectors"
    conjugate = False

    meta = _rule

    def body(self):
        values, vectors = [aten.empty((0,), dtype=_complex_of(self)) for _ in range(2)]
        return tuple(aten.linalg_eig(self, eigenvalues=values, eigenvectors=vectors))

    def grads(grads, self, eigenvalues, eigenvectors):
        return [_gradient(grads[0], grads[1], eigenvalues, eigenvectors, self.is_complex())]


def _gradient(of_values, of_vectors, values, vectors, is_complex: bool):
    """Between the vectors' inverse and adjoint; vectors keep their length, so what falls along them is taken off."""
    if of_values is None and of_vectors is None:
        return None
    adjoint = aten.mH(vectors)
    if of_vectors is None:
        inner = aten.mul(aten.unsqueeze(of_values, -1), adjoint)
    else:
        turned = aten.matmul(adjoint, of_vectors)
        along = aten.diagonal(turned, 0, -2, -1)
        check_phase(along, "linalg_eig_backward")
        along = aten.matmul(adjoint, aten.mul(vectors, aten.unsqueeze(aten.real(along), -2)))
        inner = aten.div(aten.sub(turned, along), aten._conj(differences(values)))
        inner = aten.sub(inner, aten.diag_embed(aten.diagonal(inner, 0, -2, -1)))
        if of_values is not None:
            inner = aten.add(inner, aten.diag_embed(of_values))
        inner = aten.matmul(inner, adjoint)
    gradient = aten.linalg_solve(adjoint, inner)
    return gradient if is_complex else aten.real(gradient)


class LinalgEigOut(Op):
    """The same into given tensors."""

    schema = ("linalg_eig.out(Tensor self, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) "
              "-> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)")
    results = "eigenvalues eigenvectors"
    below = NO_DERIVATIVE
    tuned = "its body checks and makes what the rule says"
    meta = _rule

    def body(self, eigenvalues, eigenvectors):
        matrices.check_square(self, "linalg.eig")
        if has_values(self) and not aten.item(aten.all(aten.isfinite(self))):
            raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
        wanted = _complex_of(self)
        matrices.check_castable("torch.linalg.eig", eigenvalues, wanted, "eigenvalues")
        matrices.check_castable("torch.linalg.eig", eigenvectors, wanted, "eigenvectors")
        info = matrices.codes_for(self)
        vectors = eigenvectors
        if matrices.needs_copy(eigenvectors, wanted, shape_of(self)):
            vectors = aten.empty((0,), dtype=wanted)
        values = _room_for_values(eigenvalues, self, wanted)
        _find(values, vectors, info, self)
        for given, result in ((eigenvalues, values), (eigenvectors, vectors)):
            if result is not given:
                aten.copy_(resize_output(given, shape_of(result)), result)
        raise_for(info, "torch.linalg.eig", self)
        return eigenvalues, eigenvectors


def _room_for_values(eigenvalues, self, wanted):
    """The given tensor where values can be written to it as they come, else a new one."""
    shape = shape_of(self)[:-1]
    fits = numel_of(eigenvalues) == 0 or (shape_of(eigenvalues) == shape and is_in_order(eigenvalues))
    return eigenvalues if eigenvalues.dtype is wanted and fits else aten.empty((0,), dtype=wanted)


def _find(values, vectors, info, self) -> None:
    """Give results their memory, as torch does, and call LAPACK on a copy; of real matrices it gives real numbers."""
    *batch, n, _ = shape_of(self)
    if vectors is not None and numel_of(vectors) == 0:
        aten.transpose_(aten.resize_(vectors, (*batch, n, n)), -2, -1)
    if numel_of(values) == 0:
        aten.resize_(values, (*batch, n))
    parts, columns = values, vectors
    if not self.is_complex():
        parts = aten.empty((*batch, 2 * n), dtype=self.dtype)
        if vectors is not None:
            columns = aten.transpose_(aten.empty((*batch, n, n), dtype=self.dtype), -2, -1)
    work = aten.transpose_(aten.empty(shape_of(aten.mT(self)), dtype=self.dtype), -2, -1)
    aten.copy_(work, self)
    matrices.check_kernel(self.dtype, "linalg_eig_out_cpu" if vectors is not None else "linalg_eigvals_out_cpu")
    if self.is_complex():
        lapack_workspace(2 * n, self.dtype.to_real())
    lapack_workspace(max(n * _rows_of_work(self.dtype, n, vectors is not None), 1) + 1, self.dtype)
    run.geev(parts, columns, work, info)
    if parts is not values:
        _join(values, vectors, parts, columns, n)


# How many rows LAPACK's work has for matrices of each type, as MKL says it.
ROWS_OF_WORK = {"float32": 34, "float64": 3, "complex64": 33, "complex128": 33}
ROWS_OF_BLOCKS = 386  # of larger matrices of float32


def _rows_of_work(dtype, n: int, with_vectors: bool) -> int:
    if dtype is dtypes.float32 and with_vectors and n >= UNBLOCKED:
        return ROWS_OF_BLOCKS
    return ROWS_OF_WORK[dtype.name] + (dtype is dtypes.float64 and with_vectors)


def _join(values, vectors, parts, columns, n: int) -> None:
    real, imaginary = aten.slice(parts, -1, 0, n), aten.slice(parts, -1, n, 2 * n)
    if has_values(parts) and aten.item(aten.all(aten.eq(imaginary, 0.0))):
        aten.copy_(values, real)
        if vectors is not None:
            aten.copy_(vectors, columns)
        return
    aten.complex(real, imaginary, out=values)
    if vectors is not None:
        run.join_conjugates(vectors, columns, imaginary)


class LinalgEigvals(Op):
    """Eigenvalues, in no order."""

    schema = "linalg_eigvals(Tensor self) -> Tensor"

    def body(self):
        if is_differentiated(self):
            return aten.linalg_eig(self)[0]
        return aten._linalg_eigvals(self)


def _values_rule(self):
    matrices.check_square(self, "linalg.eigvals")
    return Spec(shape_of(self)[:-1], _complex_of(self))


class LinalgEigvalsInner(Op):
    """The same for a caller that asks for no gradient."""

    schema = "_linalg_eigvals(Tensor self) -> Tensor"
    internal = "linalg_eigvals calls it"
    below = NO_DERIVATIVE

    meta = _values_rule

    def body(self):
        return _values_into(aten.empty((0,), dtype=_complex_of(self)), self)


class LinalgEigvalsOut(Op):
    """The same into a given tensor."""

    schema = "linalg_eigvals.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    below = no_formula = NO_DERIVATIVE
    tuned = "its body checks and makes what the rule says"
    meta = _values_rule

    def body(self, out):
        matrices.check_square(self, "linalg.eigvals")
        matrices.check_castable("torch.linalg.eigvals", out, _complex_of(self), "eigenvalues")
        return _values_into(out, self)


def _values_into(out, self):
    info = matrices.codes_for(self)
    aten.empty((0,), dtype=_complex_of(self))  # vectors, which nobody asks for
    values = _room_for_values(out, self, _complex_of(self))
    _find(values, None, info, self)
    if values is not out:
        aten.copy_(resize_output(out, shape_of(values)), values)
    raise_for(info, "torch.linalg.eigvals", self)
    return out
