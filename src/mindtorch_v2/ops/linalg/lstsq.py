"""Equations that have no solution, solved as nearly as can be."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, numel_of, shape_of, strides_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..decompose import matrices
from ..decompose.solve import is_vector_equation
from .pseudo_inverse import pinv_gradient

NAME = "torch.linalg.lstsq"
DRIVERS = ("gels", "gelsy", "gelsd", "gelss")
BY_VALUES = ("gelsd", "gelss")  # those that find singular values
SMALL = 25  # matrices that LAPACK's divide and conquer does not divide further


def _check(self, b, driver) -> str:
    """The driver's name; torch's complaints about the equation."""
    if ndim_of(self) < 2:
        raise RuntimeError(f"{NAME}: input must have at least 2 dimensions.")
    if ndim_of(b) < 1:
        raise RuntimeError(f"{NAME}: other must have at least 1 dimension.")
    if self.dtype is not b.dtype:
        raise RuntimeError(f"{NAME}: Expected input and other to have the same dtype, but got input's dtype "
                           f"{self.dtype.short} and other's dtype {b.dtype.short}")
    if ndim_of(self) - ndim_of(b) > 1:
        raise RuntimeError(f"{NAME}: input.dim() must be greater or equal to other.dim() and (input.dim() - "
                           "other.dim()) <= 1")
    column = is_vector_equation(self, b)
    if shape_of(b)[-1 if column else -2] != shape_of(self)[-2]:
        raise RuntimeError(f"{NAME}: input.size(-2) should match other.size({-1 if column else -2})")
    name = "gelsy" if driver is None else driver.lower()
    if name not in DRIVERS:
        raise RuntimeError(f"{NAME}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    if self.dtype.category < dtypes.FLOATING:
        raise RuntimeError("This function doesn't handle types other than float and double")
    return name


def _rule(self, b, rcond, driver):
    name = _check(self, b, driver)
    *batch, m, n = shape_of(self)
    is_vector = is_vector_equation(self, b)
    sides = () if is_vector else shape_of(b)[-1:]
    real = self.dtype.to_real()
    residuals = (*batch, *sides) if m > n and name != "gelsy" else (0,)
    return (Spec((*batch, n, *sides), self.dtype), Spec(residuals, real),
            Spec(tuple(batch) if name != "gels" else (0,), dtypes.int64),
            Spec((*batch, min(m, n)) if name in BY_VALUES else (0,), real))


class LinalgLstsq(Op):
    """X that leaves least of B - AX; what is left, and the rank and the singular values of A, as the driver knows."""

    schema = ("linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) "
              "-> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)")
    results = "solution residuals rank singular_values"
    no_grad_for = "rank singular_values"
    conjugate = False

    def body(self, b, rcond, driver):
        real = self.dtype.to_real()
        outs = [aten.empty((0,), dtype=dtype) for dtype in (self.dtype, real, dtypes.int64, real)]
        return tuple(aten.linalg_lstsq(self, b, rcond, driver=driver, solution=outs[0], residuals=outs[1],
                                       rank=outs[2], singular_values=outs[3]))

    def grads(grads, self, b, solution, needs):
        return _gradient(grads[0], grads[1], self, b, solution, needs)


def _gradient(grad, of_residuals, A, B, X, needs):
    """By the pseudo-inverse of A; what falls on the residuals goes to what is left of the equation."""
    is_vector = is_vector_equation(A, B)
    if is_vector:
        B, X = aten.unsqueeze(B, -1), aten.unsqueeze(X, -1)
        grad, of_residuals = [t if t is None else aten.unsqueeze(t, -1) for t in (grad, of_residuals)]
    of_A = of_B = None
    if grad is not None:
        inverse = aten.linalg_pinv(A)
        if needs[0]:
            of_A = pinv_gradient(aten.matmul(grad, aten.mH(B)), inverse, A)
        of_B = aten.matmul(aten.mH(inverse), grad)
    if of_residuals is not None and numel_of(of_residuals):
        rest = aten.mul(aten.sub(aten.matmul(A, X), B), aten.mul(aten.unsqueeze(of_residuals, -2), 2))
        of_A = _sum(of_A, aten.matmul(rest, aten.mH(X)))
        of_B = _sum(of_B, aten.neg(rest))
    return of_A if needs[0] else None, aten.squeeze(of_B, -1) if is_vector and of_B is not None else of_B


def _sum(a, b):
    return b if a is None else aten.add(a, b)


class LinalgLstsqOut(Op):
    """The same into given tensors."""

    schema = ("linalg_lstsq.out(Tensor self, Tensor b, float? rcond=None, *, str? driver=None, Tensor(a!) solution, "
              "Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values) -> (Tensor(a!) solution, "
              "Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values)")
    results = "solution residuals rank singular_values"
    below = matrices.NO_DERIVATIVE
    tuned = "its body checks and makes what the rule says"
    meta = _rule

    def body(self, b, rcond, driver, solution, residuals, rank, singular_values):
        specs = _rule(self, b, rcond, driver)
        name = _check(self, b, driver)
        is_vector = is_vector_equation(self, b)
        if is_vector:
            aten.unsqueeze(b, -1)
        for given, spec, word in zip((solution, residuals, rank, singular_values), specs,
                                     ("solution", "solution", "rank", "singular_values")):
            matrices.check_castable(NAME, given, spec.dtype, word)
        info = matrices.codes_for(self)
        places = [given if _can_hold(given, spec) else aten.empty((0,), dtype=spec.dtype)
                  for given, spec in zip((solution, residuals, rank, singular_values), specs)]
        _solve(*places, info, self, b, _tolerance(self, rcond), name, is_vector)
        for given, place in zip((solution, residuals, rank, singular_values), places):
            if place is not given:
                aten.copy_(resize_output(given, shape_of(place)), place)
        aten._linalg_check_errors(info, NAME, is_matrix=shape_of(info)[0] <= 1)
        return solution, residuals, rank, singular_values


def _can_hold(given, spec: Spec) -> bool:
    """Whether a result is written where it was given: into a tensor of its type that has no elements yet."""
    return given.dtype is spec.dtype and numel_of(given) == 0


def _tolerance(self, rcond) -> float:
    """Below which part of the largest singular value others count as zero."""
    return dtypes.finfo(self.dtype.to_real()).eps * max(shape_of(self)[-2:]) if rcond is None else rcond


def _solve(solution, residuals, rank, values, info, self, b, rcond: float, driver: str, is_vector: bool) -> None:
    *batch, m, n = shape_of(self)
    side = aten.unsqueeze(b, -1) if is_vector else b
    height, width = max(m, n), shape_of(side)[-1]
    if is_vector:
        aten.unsqueeze_(aten.resize_(solution, (*batch, height)), -1)
    else:
        aten.transpose_(aten.resize_(solution, (*batch, width, height)), -2, -1)
        matrices.is_by_columns(solution)
    aten.copy_(aten.narrow(solution, -2, 0, m), side)
    if driver != "gels":
        aten.resize_(rank, tuple(batch))
    if driver in BY_VALUES:
        aten.resize_(values, (*batch, min(m, n)))
    spec = matrices.by_columns(shape_of(self), self.dtype)
    work = aten.empty_strided(spec.shape, spec.strides, dtype=self.dtype)
    aten.copy_(aten.narrow(work, -2, 0, m), self)
    matrices.check_kernel(self.dtype, "linalg_lstsq_cpu")
    _workspaces(self.dtype, m, n, width, driver)
    _walk(work, solution)
    run.lstsq(solution, rank, values, info, work, rcond, driver)
    if m > n and driver != "gelsy" and _has_full_rank(rank, n, driver):
        _sum_residuals(residuals, aten.narrow(solution, -2, n, m - n))
    _keep_rows(solution, n)
    if m == 0:
        aten.zero_(solution)
    if is_vector:
        aten.squeeze_(solution, -1)


def _keep_rows(solution, n: int) -> None:
    view = aten.narrow(solution, -2, 0, n)
    aten.set_(solution, solution.untyped_storage(), 0, shape_of(view), strides_of(view))


def _has_full_rank(rank, n: int, driver: str) -> bool:
    """Whether what is left of the equation stands below its solution."""
    if driver not in BY_VALUES or not has_values(rank):
        return True
    if not ndim_of(rank):
        return aten.item(rank) == n
    return aten.item(aten.all(aten.eq(rank, n)))


def _sum_residuals(residuals, rest) -> None:
    if rest.is_complex():
        rest = aten.real(aten.mul_(rest, aten._conj(rest)))
    else:
        aten.pow_(rest, 2)
    aten.sum(rest, (-2,), False, dtype=residuals.dtype, out=residuals)


def _walk(work, solution) -> None:
    """torch numbers matrices and right-hand sides before it goes through them, which shows in its rows alone."""
    if dispatcher.is_unobserved():
        return
    batch = shape_of(work)[:-2]
    count = math.prod(batch)
    for _ in range(2):
        aten.view(aten.arange(count), batch)
    flat = [aten.view(t, (count, *shape_of(t)[-2:])) for t in (work, solution)]
    for i in range(count):
        for t in flat:
            aten.select(t, 0, i)


def _workspaces(dtype, m: int, n: int, width: int, driver: str) -> None:
    """Memory that LAPACK asks for; for larger matrices MKL asks for more."""
    least, is_complex = min(m, n), dtype.is_complex
    real = dtype.to_real()
    if driver == "gels":
        sizes = [(2 * least + 1, dtype)]
    elif driver == "gelsy":
        sizes = [(n, dtypes.int32), (least + 3 * n + 2, dtype), *[(2 * n, real)] * is_complex]
    elif driver == "gelss":
        sizes = [(3 * least + max(2 * least, m, n, width) + 1, dtype), *[(5 * least, real)] * is_complex]
    else:
        room = 2 * least * SMALL + (SMALL + 1) ** 2
        whole = 12 * least + room + least * width + 1 + (m * m + m if m < n else 0)
        sizes = [(2 * least + least * width + 1, dtype), (10 * least + room + 3 * SMALL * width, real)] \
            if is_complex else [(whole, dtype)]
        sizes.append((11 * least, dtypes.int32))
    for size, kind in sizes:
        matrices.lapack_workspace(2 if kind is dtype and not least else max(size, 1), kind)
