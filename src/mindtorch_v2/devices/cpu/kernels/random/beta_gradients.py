"""How a share of a Dirichlet draw, which is a beta number, moves with its concentration."""

from __future__ import annotations

import numpy as np

from ...errstate import silent
from ...scipy_special import scipy_special
from .gamma_gradients import _by_regime, _polynomial

_digamma = scipy_special("digamma")
ALPHA_TERMS, BETA_TERMS = 10, 8
LEFT_BOUNDARY, RIGHT_BOUNDARY, LARGE_CONCENTRATION = 2.5, 0.75, 6.0
NEAR_MEAN = 0.1
# Coefficients of powers of log(x) (blocks), log(alpha / x) (rows), log(total) without that: numerator, denominator.
BETA_FIT = np.array([
    [[[1.003668233, -0.01061107488, -0.0657888334, 0.01201642863],
      [0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033],
      [-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013]],
     [[0.221950385, -0.3187676331, 0.01799915743, 0.01074823814],
      [-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057],
      [0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05]],
     [[-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565],
      [0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181],
      [0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05]]],
    [[[1, -0.02924021934, -0.04438342661, 0.007285809825],
      [0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521],
      [-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149]],
     [[0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273],
      [0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956],
      [-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05]],
     [[0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05],
      [0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05],
      [-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06]]],
])


def _alpha_near_zero(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """The derivative with respect to alpha by the series of the cdf around 0."""
    factor = _digamma(alpha) - _digamma(alpha + beta) - np.log(x)
    term = np.ones_like(x)
    series = term / alpha * (factor + 1 / alpha)
    for i in range(1, ALPHA_TERMS + 1):
        term = term * ((i - beta) * x / i)
        denominator = alpha + i
        series = series + term / denominator * (factor + 1 / denominator)
    gradient = x * (1 - x) ** -beta * series
    return np.where(np.isnan(gradient), 0.0, gradient)


def _beta_near_zero(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """The derivative with respect to beta by the series of the cdf around 0."""
    factor = _digamma(alpha + beta) - _digamma(beta)
    term, betas, slopes = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    series = factor / alpha
    for i in range(1, BETA_TERMS + 1):
        term = term * (-x / i)
        slopes = slopes * (beta - i) + betas
        betas = betas * (beta - i)
        series = series + term / (alpha + i) * (slopes + factor * betas)
    gradient = -((1 - x) ** (1 - beta)) * series
    return np.where(np.isnan(gradient), 0.0, gradient)


def _near_mean(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Rice's saddle point expansion, where it would divide by zero: its own series around the mean."""
    total, square = alpha + beta, beta * beta
    polynomial = _polynomial([47 * x * square * square,
                              (43 + 20 * (16 + 27 * beta) * x) * square * beta,
                              3 * (59 + 180 * beta - 90 * x) * square,
                              (453 + 1620 * beta * (1 - x) - 455 * x) * beta,
                              8 * (1 - x) * (135 * beta - 11)], alpha)
    above = (1 + 12 * alpha) * (1 + 12 * beta) / (total * total)
    below = 12960 * alpha * alpha * alpha * square * (1 + 12 * total)
    return above / (1 - x) * polynomial / below


def _stirling(x: np.ndarray) -> np.ndarray:
    return 1 + 1 / (12 * x) + 1 / (288 * x * x)


def _saddle_point(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Rice's saddle point expansion, for large concentrations away from the mean."""
    total = alpha + beta
    prefactor = -x / np.sqrt(2 * alpha * beta / total)
    correction = _stirling(alpha) * _stirling(beta) / _stirling(total)
    distance = alpha * (x - 1) + beta * x
    term1 = ((2 * alpha * alpha * (x - 1) + alpha * beta * (x - 1) - x * beta * beta)
             / (np.sqrt(2 * alpha / beta) * total**1.5 * distance * distance))
    term2 = 0.5 * np.log(alpha / (total * x))
    term3 = np.sqrt(8 * alpha * beta / total) / distance
    term4 = (beta * np.log(beta / (total * (1 - x))) + alpha * np.log(alpha / (total * x))) ** -1.5
    signed = np.where(x < alpha / total, term4, -term4)
    return correction * prefactor * (term1 + term2 * (term3 + signed))


def _fit(x: np.ndarray, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """A first approximation, corrected by the ratio of two polynomials in three variables."""
    total = alpha + beta
    u = np.log(x)
    a = np.log(alpha) - u
    b = np.log(total) - a
    numerator, denominator = (
        _polynomial([_polynomial([_polynomial(row, b) for row in block], a) for block in blocks], u)
        for blocks in BETA_FIT)
    return numerator / denominator * x * (_digamma(total) - _digamma(alpha)) / beta


@silent
def dirichlet_grad(out: np.ndarray, x: np.ndarray, alpha: np.ndarray, total: np.ndarray) -> None:
    """The derivative of a share x with respect to its concentration, the others kept."""
    x, alpha, total = np.broadcast_arrays(*[given.astype(np.float64) for given in (x, alpha, total)])
    beta = total - alpha
    boundary = total * x * (1 - x)
    spread = np.sqrt(alpha * beta / (total + 1)) / total
    is_large = (alpha > LARGE_CONCENTRATION) & (beta > LARGE_CONCENTRATION)
    is_near = (x >= alpha / total - NEAR_MEAN * spread) & (x <= alpha / total + NEAR_MEAN * spread)
    out[...] = _by_regime([
        ((x <= 0.5) & (boundary < LEFT_BOUNDARY), _alpha_near_zero),
        ((x >= 0.5) & (boundary < RIGHT_BOUNDARY), lambda x, alpha, beta: -_beta_near_zero(1 - x, beta, alpha)),
        (is_large & is_near, _near_mean), (is_large, _saddle_point)], _fit, x, alpha, beta)
