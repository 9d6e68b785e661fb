"""torch.utils: what programs need beside tensors."""

from . import _device, _python_dispatch, _pytree, backend_registration, checkpoint, data, hooks
from .backend_registration import generate_methods_for_privateuse1_backend, rename_privateuse1_backend
