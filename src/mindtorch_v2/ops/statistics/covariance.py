"""Covariances and correlations of variables, one in each row."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, numel_of, shape_of
from ...core.user_warning import warn_user
from ...dispatch.aten import aten
from ...opdef.form import Op

NO_FREEDOM = ("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.")


def _holds(truth) -> bool:
    """Whether a comparison of one number came out true."""
    return aten.equal(truth, aten.new_ones(truth, shape_of(truth)))


def _check_weights(name: str, weights, observations: int, category: int, kind: str) -> None:
    if ndim_of(weights) > 1:
        raise RuntimeError(f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
                           f"{ndim_of(weights)} dimensions")
    if weights.dtype.category != category:
        raise RuntimeError(f"cov(): expected {name} to have {kind} dtype but got {name} with {weights.dtype.short} "
                           "dtype")
    if numel_of(weights) != observations:
        raise RuntimeError(f"cov(): expected {name} to have the same numel as there are observations in the input but "
                           f"got {numel_of(weights)} != {observations}")
    if observations and not _holds(aten.ge(aten.min(weights), 0)):
        raise RuntimeError(f"cov(): {name} cannot be negative")


def _weights(observations: int, fweights, aweights):
    """Both kinds of weights multiplied, or None."""
    if fweights is not None:
        _check_weights("fweights", fweights, observations, dtypes.INTEGRAL, "integral")
    if aweights is not None:
        _check_weights("aweights", aweights, observations, dtypes.FLOATING, "floating point")
    if fweights is None or aweights is None:
        return aweights if fweights is None else fweights
    return aten.mul(fweights, aweights)


def _freedom(weights, total, aweights, observations: int, correction: int):
    """By what the sums of products are divided."""
    if weights is None:
        return aten.scalar_tensor(observations - correction, dtype=dtypes.int64)
    if aweights is None:
        return aten.sub(total, correction)
    if correction == 0:
        return total
    return aten.sub(total, aten.div(aten.mul(aten.sum(aten.mul(weights, aweights)), correction), total))


class Cov(Op):
    """The covariances of all pairs of rows."""

    schema = "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"
    variants = "method"

    def body(self, correction, fweights, aweights):
        if ndim_of(self) > 2:
            raise RuntimeError("cov(): expected input to have two or fewer dimensions but got an input with "
                               f"{ndim_of(self)} dimensions")
        if self.dtype is dtypes.bool_:
            raise RuntimeError("cov(): bool dtype is not supported for input")
        rows = aten.view(self, (1, -1)) if ndim_of(self) < 2 else self
        observations = shape_of(rows)[1]
        weights = _weights(observations, fweights, aweights)
        if weights is None:
            total = aten.scalar_tensor(observations, dtype=dtypes.int64)
        else:
            total = aten.sum(weights)
            if not _holds(aten.ne(total, 0)):
                raise RuntimeError("cov(): weights sum to zero, can't be normalized")
        mean = aten.div(aten.sum(rows if weights is None else aten.mul(rows, weights), (1,)), total)
        freedom = _freedom(weights, total, aweights, observations, correction)
        if _holds(aten.le(freedom, 0)):
            warn_user(NO_FREEDOM)
            aten.zero_(freedom)
        centred = aten.sub(rows, aten.unsqueeze(mean, 1))
        weighted = aten.t(centred if weights is None else aten.mul(centred, weights))
        products = aten.mm(centred, aten._conj(weighted) if weighted.dtype.is_complex else weighted)
        return aten.squeeze(aten.true_divide(products, freedom))


class Corrcoef(Op):
    """The correlations of all pairs of rows."""

    schema = "corrcoef(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        if ndim_of(self) > 2:
            raise RuntimeError("corrcoef(): expected input to have two or fewer dimensions but got an input with "
                               f"{ndim_of(self)} dimensions")
        covariances = aten.cov(self)
        if not ndim_of(covariances):
            return aten.div(covariances, covariances)
        variances = aten.diagonal(covariances)
        deviation = aten.sqrt(aten.real(variances) if variances.dtype.is_complex else variances)
        ratios = aten.div(covariances, aten.view(deviation, (-1, 1)))
        ratios = aten.div(ratios, aten.view(deviation, (1, -1)))
        if not ratios.dtype.is_complex:
            return aten.clip(ratios, -1, 1)
        imaginary = aten.clip(aten.imag(ratios), -1, 1)
        return aten.complex(aten.clip(aten.real(ratios), -1, 1), imaginary)
