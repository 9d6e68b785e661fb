"""torch's address for divergences; importing it registers them all."""
# ruff: noqa: F401  a gathering of re-exports

from . import kl_matrix, kl_mixed, kl_real
from .kl_registry import (
    _KL_MEMOIZE,
    _KL_REGISTRY,
    _dispatch_kl,
    _infinite_like,
    _Match,
    _x_log_x,
    kl_divergence,
    register_kl,
)
from .kl_same import _kl_expfamily_expfamily

__all__ = ["register_kl", "kl_divergence"]
