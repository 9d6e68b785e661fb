"""A tensor on the bytes of a file."""

from __future__ import annotations

import os

from ...core import dtype as dtypes
from ...core.tensor import blank
from ...opdef.form import Op
from .storage import UntypedStorage, place


class FromFile(Op):
    """The elements in a file; where it is shared, writing the tensor writes the file, which grows if need be."""

    schema = ("from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")

    def body(filename, shared, size, dtype, layout, device, pin_memory):
        dtype, shared = dtype or dtypes.get_default_dtype(), bool(shared)
        if not shared and not os.path.exists(filename):
            raise RuntimeError(f"unable to open file <{filename}> in read-only mode: No such file or directory (2)")
        tensor = blank((0,), dtype)
        if not size:
            return tensor
        storage = UntypedStorage.from_file(filename, shared, size * dtype.itemsize)
        return place(tensor, storage.of, 0, (size,), (1,))
