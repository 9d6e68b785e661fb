"""torch._utils: the functions that files name to make tensors anew, at torch's address."""

from .api.pickling import REBUILD
from .api.pickling import object_state as _get_obj_state
from .api.pickling import set_object_state as _set_obj_state
from .core.exception_wrapper import ExceptionWrapper, KeyErrorMessage
from .nn.parameter import _rebuild_parameter, _rebuild_parameter_with_state

globals().update({function.__name__: function for function in REBUILD})


def _element_size(dtype) -> int:
    """How many bytes an element takes."""
    return dtype.itemsize


__all__ = ["ExceptionWrapper", "KeyErrorMessage", "_element_size", "_get_obj_state", "_rebuild_parameter",
           "_rebuild_parameter_with_state", "_set_obj_state", *(function.__name__ for function in REBUILD)]
