"""Libraries that are compiled against PyTorch: those whose ops are written here, by the name of their package."""

from __future__ import annotations

from pathlib import Path

from . import torchaudio_ops, torchvision_ops

# The package of a library, its file, and the ops in its place.
_KNOWN = {("torchvision", "_C"): torchvision_ops.declare, ("torchaudio", "_torchaudio"): torchaudio_ops.declare_build,
          ("torchaudio", "libtorchaudio"): torchaudio_ops.declare}
_kept: list = []  # ops live as long as the Library that defined them


def load(path: str) -> None:
    """Declare the ops of a library that is known, once; refuse others as a library that cannot be linked."""
    file = Path(path)
    folder = file.parent.parent if file.parent.name == "lib" else file.parent
    declare = _KNOWN.get((folder.name, file.name.partition(".")[0]))
    if declare is None:
        raise OSError(f"{path}: mindtorch_v2 cannot load ops that were compiled against PyTorch's own library")
    if declare not in _kept:
        _kept.extend((declare, declare()))
