"""torch.utils: what programs need beside tensors."""

from . import _python_dispatch, _pytree, data, hooks
