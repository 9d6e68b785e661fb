"""torch.backends.cpu: what the processor can do that kernels make use of."""

from __future__ import annotations

# torch's names, and the one of NumPy's features each of them needs, best first.
_NAMES = {"AVX512": "AVX512_SKX", "AVX2": "AVX2", "VSX": "VSX4", "SVE256": "SVE"}


def get_cpu_capability() -> str:
    """The widest vector instructions that NumPy found and uses."""
    from numpy._core._multiarray_umath import __cpu_features__ as features
    return next((name for name, feature in _NAMES.items() if features.get(feature)), "DEFAULT")



