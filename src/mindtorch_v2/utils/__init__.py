"""torch.utils: what programs need beside tensors."""

from . import _device, _python_dispatch, _pytree, checkpoint, data, hooks
