"""Numbers drawn by rejection, each with parameters of its own, in C order."""

from __future__ import annotations

import numpy as np

from ... import random
from ...errstate import silent


@silent
def poisson(out: np.ndarray, engine: random.Engine, mean: np.ndarray) -> None:
    """How often something happens."""
    if not (mean >= 0).all():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    random.poisson(engine, out, np.ascontiguousarray(mean))


def binomial(out: np.ndarray, engine: random.Engine, count: np.ndarray, p: np.ndarray) -> None:
    """How many trials succeed."""
    random.binomial(engine, out, np.ascontiguousarray(count), np.ascontiguousarray(np.broadcast_to(p, count.shape)))


def standard_gamma(out: np.ndarray, engine: random.Engine, shape: np.ndarray) -> None:
    """Gamma numbers of scale 1, none so small that the type cannot hold it."""
    random.standard_gamma(engine, out, np.ascontiguousarray(shape))
    np.fmax(out, np.finfo(out.dtype).tiny, out=out)


def dirichlet_gammas(out: np.ndarray, engine: random.Engine, shape: np.ndarray) -> None:
    """Gamma numbers in double, whatever the type of their shapes."""
    random.standard_gamma(engine, out, np.ascontiguousarray(shape, np.float64))
    np.fmax(out, np.finfo(out.dtype).tiny, out=out)


@silent
def shares(out: np.ndarray, gammas: np.ndarray, sums: np.ndarray) -> None:
    """Numbers over their sum, strictly between 0 and 1."""
    kind = out.dtype
    out[...] = np.clip((gammas / sums).astype(kind), np.finfo(kind).tiny, np.nextafter(kind.type(1), kind.type(0)))
