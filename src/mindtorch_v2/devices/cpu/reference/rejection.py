"""Numbers drawn by proposing and rejecting, one by one, in the order of draws that torch's CPU generator has."""
from __future__ import annotations

import math

import numpy as np

from .boxmuller import normal_one_by_one, unit_f64
from .mersenne import Engine

LARGE_MEAN = 10.0  # from here on, a transformed rejection is taken instead of counting single events
THIRD, SQUEEZE = np.float32(1) / np.float32(3), float(np.float32(0.0331))  # torch has them in float32
SURE_US, DOUBTFUL_US = 0.07, 0.013
LARGEST_INTEGER = 2.0**63
FIRST_TAILS = (0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650, 0.0166446911898211,
               0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287)


def unit(engine: Engine) -> float:
    """One number in [0, 1), of 53 bits."""
    return float(unit_f64(engine.words64(1))[0])


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def gamma_one(engine: Engine, shape: np.floating) -> float:
    """Marsaglia and Tsang, 2000; shapes below 1 are made of those above by a power of a uniform number."""
    if shape == 0:
        return 0.0
    scale = 1.0
    one = type(shape)(1)  # torch works out the power and the shape less a third in the type of the tensor
    if shape < 1:
        scale = (1.0 - unit(engine)) ** float(one / shape)
        shape = shape + one
    d = float(shape - type(shape)(THIRD))
    if not d > 0:
        return math.nan
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        y = 0.0
        while y <= 0.0:
            x = float(normal_one_by_one(engine, 1, 0.0, 1.0)[0])
            y = 1.0 + c * x
        v, u, square = y * y * y, 1.0 - unit(engine), x * x
        if u < 1.0 - SQUEEZE * square * square or _log(u) < 0.5 * square + d * (1.0 - v + _log(v)):
            return scale * d * v


def _poisson_large(engine: Engine, mean: float) -> float:
    """PTRS of Hörmann, 1993."""
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    inverse_alpha, v_r = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u, v = unit(engine) - 0.5, unit(engine)
        us = 0.5 - abs(u)
        k = float(np.floor(np.float64(2.0 * a / us + b) * u + mean + 0.43))
        if not abs(k) < LARGEST_INTEGER:
            k = -LARGEST_INTEGER  # what torch's cast to 64 bits makes of it
        if us >= SURE_US and v <= v_r:
            return k
        if k < 0.0 or us < DOUBTFUL_US and v > us:
            continue
        likelihood = -mean + k * math.log(mean) - math.lgamma(k + 1.0)
        if _log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b) <= likelihood:
            return k


def _poisson_small(engine: Engine, mean: float) -> float:
    """Knuth: uniform numbers multiplied until their product falls below that of the mean."""
    limit, product, k = math.exp(-mean), 1.0, 0.0
    while True:
        product *= unit(engine)
        if product <= limit:
            return k
        k += 1.0


def poisson_one(engine: Engine, mean: float) -> float:
    """How many events happen that happen ``mean`` times on average."""
    if mean >= LARGE_MEAN:
        return _poisson_large(engine, mean)
    return 0.0 if mean == 0.0 else _poisson_small(engine, mean)


def _stirling_tail(k: float) -> float:
    """What Stirling's formula for log(k!) lacks."""
    if k < len(FIRST_TAILS):
        return FIRST_TAILS[int(k)]
    square = (k + 1.0) * (k + 1.0)
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)


def _binomial_limit(n: float, r: float, mode: float, k: float) -> float:
    """The logarithm of the probability of k, over that of the mode."""
    return ((mode + 0.5) * math.log((mode + 1.0) / (r * (n - mode + 1.0)))
            + (n + 1.0) * math.log((n - mode + 1.0) / (n - k + 1.0))
            + (k + 0.5) * math.log(r * (n - k + 1.0) / (k + 1.0))
            + _stirling_tail(mode) + _stirling_tail(n - mode) - _stirling_tail(k) - _stirling_tail(n - k))


def _binomial_large(engine: Engine, n: float, p: float) -> float:
    """BTRS of Hörmann, 1993, for p up to one half."""
    spread = math.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a, c = -0.0873 + 0.0248 * b + 0.01 * p, n * p + 0.5
    v_r, r, alpha, mode = 0.92 - 4.2 / b, p / (1.0 - p), (2.83 + 5.1 / b) * spread, math.floor((n + 1.0) * p)
    while True:
        u, v = unit(engine) - 0.5, unit(engine)
        us = 0.5 - abs(u)
        k = float(np.floor(np.float64(2.0 * a / us + b) * u + c))
        if us >= SURE_US and v <= v_r:
            return k
        if k < 0.0 or k > n:
            continue
        if _log(v * alpha / (a / (us * us) + b)) <= _binomial_limit(n, r, mode, k):
            return k


def _binomial_small(engine: Engine, n: float, p: float) -> float:
    """Waiting times for successes, added until the trials are used up."""
    log_fail, trials, k = math.log1p(-p), 0.0, 0.0
    while True:
        trials += np.ceil(np.float64(_log(unit(engine))) / log_fail)
        if trials > n:
            return k
        k += 1.0


def binomial_one(engine: Engine, n: float, p: float) -> float:
    """How many of n trials succeed."""
    if math.isnan(n + p):
        return math.nan
    if n <= 0.0 or p <= 0.0:
        return 0.0
    if p >= 1.0:
        return n
    rarer = min(p, 1.0 - p)
    k = (_binomial_large if n * rarer >= LARGE_MEAN else _binomial_small)(engine, n, rarer)
    return k if p <= 0.5 else n - k
