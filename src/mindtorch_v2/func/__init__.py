"""torch.func: modules as functions of their parameters."""

from .functional_call import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state"]
