"""torch.functional: functions that torch writes in Python, at their older address."""

from .api.install import FUNCTIONS

_NAMES = """
    atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist chain_matmul
    einsum istft lu meshgrid norm pca_lowrank split stft svd_lowrank tensordot unique unique_consecutive unravel_index
""".split()
__all__ = [name for name in _NAMES if name in FUNCTIONS]
globals().update({name: FUNCTIONS[name] for name in __all__})
