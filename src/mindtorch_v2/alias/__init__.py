"""Our modules under torch's names: ``import torch`` gives mindtorch_v2, here and in child processes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .class_names import is_ours, take_torch_name
from .finder import PACKAGE, TorchFinder

# Where a child process, or a program that is run from here, finds "torch": on PYTHONPATH, which children inherit.
PATH = str(Path(__file__).parent / "path")
_FINDER = TorchFinder()


def refuse_real_torch() -> None:
    """An error if PyTorch itself is imported: two libraries cannot answer to one name."""
    module = sys.modules.get("torch")
    if module is not None and module is not sys.modules[PACKAGE]:
        raise RuntimeError(
            f"PyTorch is already imported, from {getattr(module, '__file__', None)}: mindtorch_v2 can take the name "
            "'torch' only before anything imports it. Call install_as_torch() first, or run the program with "
            "`mindtorch run`.")


def install_as_torch(*, children: bool = True) -> None:
    """Make ``import torch``, and every torch.x.y, mean mindtorch_v2; also in child processes, unless told not to."""
    refuse_real_torch()
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    sys.modules["torch"] = sys.modules[PACKAGE]
    for module in [module for name, module in sys.modules.items() if is_ours(name)]:
        take_torch_name(module)
    sys.modules[PACKAGE].__name__ = "torch"  # which libraries that patch torch.x.y by name hold it to
    if children:
        os.environ["PYTHONPATH"] = path_for_children(os.environ.get("PYTHONPATH"))
        if PATH not in sys.path:  # which spawned processes take over
            sys.path.insert(1, PATH)


def path_for_children(path: str | None) -> str:
    """A PYTHONPATH on which "torch" is ours."""
    entries = [entry for entry in (path or "").split(os.pathsep) if entry and entry != PATH]
    return os.pathsep.join([PATH, *entries])
