"""How drawn gamma and beta numbers move with their parameters: the derivative of a sample at a fixed probability.

Each regime has an approximation of its own; all are torch's, so that gradients agree, also in what they get wrong.
"""

from __future__ import annotations

import numpy as np

from ...errstate import silent
from ...scipy_special import scipy_special

_digamma = scipy_special("digamma")
SMALL_GAMMA, SMALL_TERMS = 0.8, 5
LARGE_SHAPE, NEAR_MEAN = 8.0, 0.1
# Coefficients of powers of u = log(x / shape) (rows) and v = log(shape): numerator, then denominator.
GAMMA_FIT = np.array([
    [0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1, 0.32668115, 0.10406089, 0.0014179084],
    [0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465, 0.020070113, -0.0035938915, -0.00058392623],
    [0.040121004, -0.0065914022, -0.0026286047, -0.0013441777, 0.017050642, -0.0021309326, 0.00085092367,
     -1.5247877e-07],
])


def _by_regime(regimes: list, otherwise, *operands: np.ndarray) -> np.ndarray:
    """Each element by the function of the first regime it is in."""
    result = np.empty(operands[0].shape)
    rest = np.ones(operands[0].shape, bool)
    for mask, function in [*regimes, (rest, otherwise)]:
        mask = mask & rest
        if mask.any():
            result[mask] = function(*[operand[mask] for operand in operands])
        rest = rest & ~mask
    return result


def _polynomial(coefficients, x: np.ndarray) -> np.ndarray:
    """The sum of coefficients times powers of x, by Horner."""
    total = coefficients[-1]
    for c in coefficients[-2::-1]:
        total = c + x * total
    return total


def _gamma_small(shape: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The series of the cdf around 0, differentiated."""
    term, denominator = np.ones_like(x), shape.copy()
    series1, series2 = term / denominator, term / (denominator * denominator)
    for i in range(1, SMALL_TERMS + 1):
        term = term * (-x / i)
        denominator = denominator + 1
        series1 = series1 + term / denominator
        series2 = series2 + term / (denominator * denominator)
    power = x**shape
    density, cdf = x ** (shape - 1) * np.exp(-x), power * series1
    gradient = -((np.log(x) - _digamma(shape)) * cdf - power * series2) / density
    return np.where(np.isnan(gradient), 0.0, gradient)


def _gamma_near_mean(shape: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Rice's saddle point expansion, where it would divide by zero: its own series around the mean."""
    square = shape * shape
    first = 1 + 24 * shape * (1 + 12 * shape)
    second = 1440 * square + 6 * x * (53 - 120 * x) - 65 * x * x / shape + shape * (107 + 3600 * x)
    return first * second / (1244160 * square * square)


def _gamma_large(shape: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Rice's saddle point expansion, for large shapes away from the mean."""
    root = np.sqrt(8 * shape)
    term2 = root / (shape - x)
    term3 = (x - shape - shape * np.log(x / shape)) ** -1.5
    term23 = np.where(x < shape, term2 - term3, term2 + term3)
    term1 = np.log(x / shape) * term23 - np.sqrt(2 / shape) * (shape + x) / ((shape - x) * (shape - x))
    stirling = 1 + 1 / (12 * shape) * (1 + 1 / (24 * shape))
    return -stirling * x * term1 / root


def _gamma_fit(shape: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A fit by the ratio of two polynomials in two variables."""
    u, v = np.log(x / shape), np.log(shape)
    by_v = [_polynomial(GAMMA_FIT[:, i], u) for i in range(GAMMA_FIT.shape[1])]
    half = len(by_v) // 2
    return np.exp(_polynomial(by_v[:half], v) / _polynomial(by_v[half:], v))


@silent
def standard_gamma_grad(out: np.ndarray, shape: np.ndarray, x: np.ndarray) -> None:
    """The derivative of a gamma number x with respect to its shape."""
    shape, x = np.broadcast_arrays(shape.astype(np.float64), x.astype(np.float64))
    is_large = shape > LARGE_SHAPE
    is_near = (x >= (1 - NEAR_MEAN) * shape) & (x <= (1 + NEAR_MEAN) * shape)
    out[...] = _by_regime([(x < SMALL_GAMMA, _gamma_small), (is_large & is_near, _gamma_near_mean),
                           (is_large, _gamma_large)], _gamma_fit, shape, x)
