"""The classes and functions that load(weights_only=True) may call: plain containers, tensors, what users add."""

from __future__ import annotations

from _codecs import encode
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import cache

from ..api import pickling
from ..api.tensor_types import TYPES
from ..api.typed_storage import STORAGES, TypedStorage
from ..core import device
from ..core import dtype as dtypes
from ..core.size import Size
from ..core.tensor import Tensor
from ..core.torch_names import torch_module
from ..nn import parameter
from ..ops.nested.jagged import NestedTensor
from ..ops.nested.size_range import _DimRange
from ..ops.python.storage import UntypedStorage

Global = Callable | tuple[Callable, str]
# Never, whatever users add.
BLOCKED_MODULES = ("sys", "os", "posix", "nt")
_added: set[Global] = set()


class StorageType:
    """Stands in a pickle for torch.FloatStorage and its like: only the type of its elements counts."""

    def __init__(self, name: str):
        self._dtype = STORAGES[name].dtype

    @property
    def dtype(self) -> dtypes.DType:
        return self._dtype

    def __str__(self) -> str:
        return f"StorageType(dtype={self.dtype})"


def add_safe_globals(safe_globals: list[Global]) -> None:
    """Let files that are loaded with weights_only=True use these classes and functions."""
    _added.update(safe_globals)


def get_safe_globals() -> list[Global]:
    return list(_added)


def clear_safe_globals() -> None:
    """Forget all that were added."""
    _added.clear()


class safe_globals:  # noqa: N801  torch's name
    """The same for a ``with`` block."""

    def __init__(self, safe_globals: list[Global]):
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        add_safe_globals(self.safe_globals)

    def __exit__(self, *failure) -> None:
        _added.difference_update(self.safe_globals)


@cache
def own_globals() -> dict[str, object]:
    """What files may always use, by the name it has in them."""
    allowed = {
        "collections.OrderedDict": OrderedDict, "collections.Counter": Counter,
        "torch.nn.parameter.Parameter": parameter.Parameter, "torch.serialization._get_layout": device._get_layout,
        "torch.Size": Size, "torch.Tensor": Tensor, "torch.device": device.device,
        "torch.nested._internal.nested_tensor.NestedTensor": NestedTensor,
        "torch.nested._internal.nested_tensor._rebuild_njt": pickling._rebuild_njt,
        "torch._dynamo.decorators._DimRange": _DimRange,
        "_codecs.encode": encode, "builtins.bytearray": bytearray, "builtins.set": set, "builtins.complex": complex,
        "torch.storage.UntypedStorage": UntypedStorage, "torch.storage.TypedStorage": TypedStorage,
        "torch._tensor._rebuild_from_type_v2": pickling._rebuild_from_type_v2,
        "torch._utils._rebuild_parameter": parameter._rebuild_parameter,
        "torch._utils._rebuild_parameter_with_state": parameter._rebuild_parameter_with_state,
    }
    allowed |= {f"torch.{dtype.name}": dtype for dtype in dtypes.ALL}
    allowed |= {f"torch.{name}": kind for name, kind in TYPES.items()}
    allowed |= {f"torch.{name}": StorageType(name) for name in STORAGES}
    return allowed | {f"torch._utils.{function.__name__}": function for function in pickling.REBUILD}


def added_globals() -> dict[str, object]:
    """What users have added, by the name it has in files."""
    named = {}
    for item in _added:
        if isinstance(item, tuple):
            if len(item) != 2:
                raise ValueError("Expected tuple of length 2 (global, str of callable full path), but got tuple of "
                                 f"length: {len(item)}")
            item, name = item
            if type(name) is not str:
                raise TypeError(f"Expected second item in tuple to be str of callable full path, but got: {type(name)}")
            named[name] = item
        else:
            module = torch_module(item.__module__, item.__qualname__) or item.__module__
            named[f"{module}.{item.__qualname__}"] = item
    return named
