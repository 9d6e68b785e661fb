"""Derivatives of the LU decomposition: what falls on either triangle, between the inverses of both."""

from __future__ import annotations

from ...core.tensor import shape_of
from ...dispatch.aten import aten


def _solve_lower(L, right):
    """L⁻ᴴ times a matrix; L has ones on its diagonal."""
    return aten.linalg_solve_triangular(aten.mH(L), right, upper=True, left=True, unitriangular=True)


def _solve_upper(U, left):
    """A matrix times U⁻ᴴ."""
    return aten.linalg_solve_triangular(aten.mH(U), left, upper=False, left=False)


def _sum(a, b):
    return b if a is None else a if b is None else aten.add(a, b)


def lu_gradient(grad_L, grad_U, P, L, U, pivot: bool):
    """The gradient of a matrix from those of its triangles; where it is not square, the larger one has a rest."""
    if grad_L is None and grad_U is None:
        return None
    m, n = shape_of(L)[-2], shape_of(U)[-1]
    gradient = (_square if m == n else _wide if m < n else _tall)(grad_L, grad_U, L, U)
    return aten.matmul(P, gradient) if pivot else gradient


def _square(grad_L, grad_U, L, U):
    lower = None if grad_L is None else aten.tril(aten.matmul(aten.mH(L), grad_L), -1)
    upper = None if grad_U is None else aten.triu(aten.matmul(grad_U, aten.mH(U)))
    return _solve_lower(L, _solve_upper(U, _sum(lower, upper)))


def _wide(grad_L, grad_U, L, U):
    k = shape_of(L)[-1]
    rest = shape_of(U)[-1] - k
    lower = None if grad_L is None else aten.tril(aten.matmul(aten.mH(L), grad_L), -1)
    if grad_U is not None:
        grad_U = aten.triu(grad_U)
        lower = _sum(lower, aten.neg(aten.tril(aten.matmul(grad_U, aten.mH(U)), -1)))
    first = _solve_upper(aten.narrow(U, -1, 0, k), lower)
    if grad_U is None:
        both = aten.cat((first, aten.zeros_like(aten.narrow(U, -1, k, rest))), -1)
    else:
        both = aten.cat((aten.add(first, aten.narrow(grad_U, -1, 0, k)), aten.narrow(grad_U, -1, k, rest)), -1)
    return _solve_lower(L, both)


def _tall(grad_L, grad_U, L, U):
    k = shape_of(U)[-2]
    rest = shape_of(L)[-2] - k
    upper = None if grad_U is None else aten.triu(aten.matmul(grad_U, aten.mH(U)))
    if grad_L is not None:
        grad_L = aten.tril(grad_L, -1)
        upper = _sum(upper, aten.neg(aten.triu(aten.matmul(aten.mH(L), grad_L))))
    first = _solve_lower(aten.narrow(L, -2, 0, k), upper)
    if grad_L is None:
        both = aten.cat((first, aten.zeros_like(aten.narrow(L, -2, k, rest))), -2)
    else:
        both = aten.cat((aten.add(first, aten.narrow(grad_L, -2, 0, k)), aten.narrow(grad_L, -2, k, rest)), -2)
    return _solve_upper(U, both)


def packed_gradient(grad, packed, pivots, pivot: bool):
    """The same where both triangles stand in one matrix."""
    P, L, U = aten.lu_unpack(packed, pivots, True, pivot)
    k = min(shape_of(packed)[-2:])
    return lu_gradient(aten.narrow(grad, -1, 0, k), aten.narrow(grad, -2, 0, k), P, L, U, pivot)


def unpacked_gradient(grad_L, grad_U, shape):
    """The gradient of the matrix that both triangles were read off."""
    if grad_L is None and grad_U is None:
        return None
    *batch, m, n = shape
    k = min(m, n)
    lower = upper = None
    if grad_L is not None:
        lower = aten.tril(grad_L, -1)
        if n > k:
            lower = aten.cat((lower, aten.new_zeros(lower, (*batch, m, n - k))), -1)
    if grad_U is not None:
        upper = aten.triu(grad_U)
        if m > k:
            upper = aten.cat((upper, aten.new_zeros(upper, (*batch, m - k, n))), -2)
    return _sum(lower, upper)


def solution_gradient(grad, packed, pivots, solution, left: bool, adjoint: bool):
    """The gradient of the packed triangles by which equations were solved."""
    P, L, U = aten.lu_unpack(packed, pivots, True, left == adjoint)
    X, G = (solution, grad) if left else (aten.mH(solution), aten.mH(grad))
    if left != adjoint:
        rest = aten.linalg_solve_triangular(aten.mH(U), aten.neg(aten.matmul(G, aten.mH(X))), upper=False)
        lower = aten.tril(_solve_lower(L, aten.matmul(rest, aten.mH(U))), -1)
        return aten.add(lower, aten.triu(rest))
    rest = aten.neg(aten.matmul(aten.matmul(aten.matmul(aten.mT(P), X), aten.mH(G)), P))
    rest = aten.linalg_solve_triangular(aten.mH(L), rest, upper=True, left=False, unitriangular=True)
    upper = aten.triu(_solve_upper(U, aten.matmul(aten.mH(L), rest)))
    return aten.add(aten.tril(rest, -1), upper)
