"""functorch.experimental: functions that stand in torch.func today, and vmap in parts."""

from ....core.missing_name import missing as _missing
from ....func import functionalize, hessian, jacfwd, jvp, replace_all_batch_norm_modules_
from ...apis import chunk_vmap

__all__ = ["chunk_vmap", "functionalize", "hessian", "jacfwd", "jvp", "replace_all_batch_norm_modules_"]
__getattr__ = _missing(__name__)
