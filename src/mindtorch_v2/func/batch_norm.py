"""torch.func.replace_all_batch_norm_modules_: batch normalisation that keeps no running statistics."""

from __future__ import annotations

from ..nn.modules.batchnorm import _BatchNorm
from ..nn.modules.module import Module


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """Have every batch normalisation of a module use the statistics of its batch, in place: vmap can then be used."""
    for module in root.modules():
        if isinstance(module, _BatchNorm) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
