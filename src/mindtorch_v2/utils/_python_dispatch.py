"""torch.utils._python_dispatch: modes that see every op, and what subclasses with ``__torch_dispatch__`` need."""

from __future__ import annotations

from ..core.fields import set_data
from ..core.mode_stack import TorchDispatchMode, pop, push, set_aside
from ..core.overrides import stacks
from ..core.tensor import Tensor

BaseTorchDispatchMode = TorchDispatchMode
_push_mode = push


def _get_current_dispatch_mode() -> TorchDispatchMode | None:
    """The innermost mode, None if there is none."""
    return stacks.dispatch[-1] if stacks.dispatch else None


def _get_current_dispatch_mode_stack() -> list[TorchDispatchMode]:
    """All modes that are entered, the innermost last."""
    return list(stacks.dispatch)


def _pop_mode(k=None) -> TorchDispatchMode:
    return pop(TorchDispatchMode)


def _pop_mode_temporarily(k=None) -> set_aside:
    return set_aside(TorchDispatchMode)


def _disable_current_modes() -> set_aside:
    """Without any mode for a while."""
    return set_aside(TorchDispatchMode, every=True)


def is_in_torch_dispatch_mode(include_infra_modes: bool = True) -> bool:
    """Whether a mode is entered."""
    return bool(stacks.dispatch)


def is_traceable_wrapper_subclass_type(t: type) -> bool:
    """Whether a class says how its tensors are taken apart and put together."""
    return issubclass(t, Tensor) and t is not Tensor \
        and hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")


def is_traceable_wrapper_subclass(t: object) -> bool:
    """Whether a tensor's class says how it is taken apart and put together."""
    return is_traceable_wrapper_subclass_type(type(t))


def transform_subclass(t, callback, outer_size=None, outer_stride=None):
    """The same wrapper around what a callback makes of each tensor inside."""
    names, context = t.__tensor_flatten__()
    inner = {name: callback(name, getattr(t, name)) for name in names}
    return type(t).__tensor_unflatten__(inner, context, t.size() if outer_size is None else outer_size,
                                        t.stride() if outer_stride is None else outer_stride)


def return_and_correct_aliasing(func, args, kwargs, out):
    """What ``__torch_dispatch__`` is to return: the argument itself where the op writes to one, and the memory of the
    argument under what is a view of it."""
    op = func.op
    if op.mutates >= 0:
        param = op.schema.params[op.mutates]
        return kwargs[param.name] if param.name in (kwargs or {}) else args[op.mutates]
    if op.aliases >= 0:
        for view in out if isinstance(out, (list, tuple)) else (out,):
            source = args[op.aliases]
            set_data(view, source._mt_storage, view._mt_array, view.dtype)
            view._mt_version = source._mt_version
    return out
