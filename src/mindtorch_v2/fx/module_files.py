"""What of a module with a graph goes into files: its imports, and a package that it can be imported from."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..nn.modules import BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, Linear
from ..serialization import save

if TYPE_CHECKING:
    from .graph_module import GraphModule

# The names that all code of graphs may use, as imports.
_IMPORTS = {"NoneType": "NoneType = type(None)", "inf": "from math import inf", "nan": "from math import nan",
            "device": "from torch import device", "torch": "import torch",
            "fx_pytree": "import torch.fx._pytree as fx_pytree", "pytree": "import torch.utils._pytree as pytree"}
_REBUILT_BY_REPR = (Linear, Conv1d, Conv2d, Conv3d, BatchNorm1d, BatchNorm2d, BatchNorm3d)


def import_block(names: dict[str, Any]) -> str:
    """The imports by which the globals of a code are found again, but for those that all code has."""
    return "\n".join(_import(name, value) for name, value in sorted(names.items()) if name not in _IMPORTS)


def _import(name: str, value: Any) -> str:
    module, known_as = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if module is None or known_as is None:
        raise RuntimeError(f"the code uses {name} = {value!r}, which cannot be imported by a name")
    return f"from {module} import {known_as} as {name}"


def write_package(module: GraphModule, folder: Path, module_name: str) -> None:
    """Write a package that has the module's code as a class, with its parameters beside it."""
    folder.mkdir(exist_ok=True)
    save(module.state_dict(), folder / "state_dict.pt")
    lines, pickled = [], []
    for name, child in module.named_children():
        built = repr(child)
        if type(child) not in _REBUILT_BY_REPR:
            save(child, folder / f"{name}.pt")
            pickled.append(name)
            built = f"torch.load(r'{folder / name}.pt', weights_only=False)"
        lines.append(f"setattr(self, '{name}', {built})")
    lines += [f"self.register_buffer('{name}', {_empty(buffer)})"
              for name, buffer in module._buffers.items() if buffer is not None]
    lines += [f"setattr(self, '{name}', torch.nn.Parameter({_empty(parameter)}))"
              for name, parameter in module._parameters.items() if parameter is not None]
    lines.append(f"self.load_state_dict(torch.load(r'{folder}/state_dict.pt'))")
    body = "".join(f"        {line}\n" for line in ("super().__init__()", *lines))
    code = module.code.replace("\n", "\n    ")
    (folder / "module.py").write_text("\n".join((*_IMPORTS.values(), "", "from torch.nn import *",
                                                 f"class {module_name}(torch.nn.Module):",
                                                 f"    def __init__(self):\n{body}{code}\n")))
    (folder / "__init__.py").write_text("from .module import *")
    if pickled:
        warnings.warn("Was not able to save the following children modules as reprs -saved as pickled files instead: "
                      f"{pickled}", stacklevel=3)


def _empty(tensor) -> str:
    return f"torch.empty({list(tensor.shape)}, dtype={tensor.dtype})"
