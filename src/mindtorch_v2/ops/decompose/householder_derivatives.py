"""Derivatives of products of reflections, one reflection after the other."""

from __future__ import annotations

from ...core.tensor import numel_of, shape_of
from ...dispatch.aten import aten


def _vectors(input, count: int):
    """The vectors of reflections: zeros above the diagonal, ones on it, what is given below."""
    columns = aten.narrow(input, -1, 0, count)
    *_, m, k = shape_of(columns)
    return aten.add(aten.tril(columns, -1), aten.eye(m, k, dtype=input.dtype))


def _conj(t):
    return aten._conj(t) if t.is_complex() else t


def _reflect(vector, factor, other):
    """(I - τvvᴴ) times a matrix."""
    return aten.sub(other, aten.mul(factor, aten.matmul(vector, aten.matmul(aten.mH(vector), other))))


def _steps_back(grad, start, vectors, tau, order) -> tuple[dict, dict]:
    """The gradients of each vector and factor of a product of reflections, in their order, with a matrix."""
    column = {i: aten.narrow(vectors, -1, i, 1) for i in order}
    factor = {i: aten.unsqueeze(aten.narrow(tau, -1, i, 1), -1) for i in order}
    right = [start]  # what the last reflections made of it
    for i in reversed(order):
        right.append(_reflect(column[i], factor[i], right[-1]))
    of_vectors, of_factors = {}, {}
    for i, behind in zip(order, reversed(right[:-1])):
        v = column[i]
        along = aten.matmul(grad, aten.matmul(aten.mH(behind), v))
        across = aten.matmul(behind, aten.matmul(aten.mH(grad), v))
        of_factors[i] = aten.neg(aten.matmul(aten.mH(v), along))
        of_vectors[i] = aten.neg(aten.add(aten.mul(_conj(factor[i]), along), aten.mul(factor[i], across)))
        grad = _reflect(v, _conj(factor[i]), grad)
    return of_vectors, of_factors


def _gathered(parts: tuple[dict, dict], input, tau):
    """Gradients of all vectors as one of the matrix that holds them below its diagonal, and those of the factors."""
    of_vectors, of_factors = parts
    count, columns = shape_of(tau)[-1], shape_of(input)[-1]
    below = aten.tril(aten.cat([of_vectors[i] for i in range(count)], -1), -1)
    if count < columns:
        below = aten.cat((below, aten.new_zeros(below, (*shape_of(below)[:-1], columns - count))), -1)
    factors = aten.squeeze(aten.cat([of_factors[i] for i in range(count)], -1), -2)
    return below, factors


def product_gradient(grad, input, tau):
    """The gradients of what linalg_householder_product() is given."""
    *_, m, n = shape_of(input)
    count = shape_of(tau)[-1]
    if not count or not numel_of(input):
        return None, None
    start = aten.eye(m, n, dtype=input.dtype)
    steps = _steps_back(grad, start, _vectors(input, count), tau, list(range(count)))
    return _gathered(steps, input, tau)


def reflected_gradient(grad, input, tau, other, left: bool, transpose: bool, needs):
    """The gradients of what ormqr() is given; from the right, it is the adjoint of a product from the left."""
    of_other = aten.ormqr(input, tau, grad, left, not transpose) if needs[2] else None
    if not (needs[0] or needs[1]):
        return None, None, of_other
    if not left:
        grad, other, transpose = aten.mH(grad), aten.mH(other), not transpose
    count = shape_of(tau)[-1]
    if not count or not numel_of(input):
        return None, None, of_other
    order = list(range(count))
    factors = _conj(tau) if transpose else tau
    steps = _steps_back(grad, other, _vectors(input, count), factors, order[::-1] if transpose else order)
    of_input, of_tau = _gathered(steps, input, tau)
    return of_input, _conj(of_tau) if transpose else of_tau, of_other
