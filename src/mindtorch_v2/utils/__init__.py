"""torch.utils: what programs need beside tensors."""

from . import data, hooks
