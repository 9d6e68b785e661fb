"""torch.load: which format a file has, who unpickles it, and what to say where that is refused."""

from __future__ import annotations

import io
import os
import pickle
import re
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from ..core.device import device
from . import config, legacy_format, zip_format
from . import weights_only as restricted
from .locations import NotPlaced
from .pickle_modules import check_dill_version
from .safe_globals import added_globals, own_globals
from .zip_reader import PyTorchFileReader

UNSAFE_MESSAGE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to "
    "`True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in "
    "arbitrary code execution. Do it only if you got the file from a trusted source.")
_DOCS = ("\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only "
         "https://pytorch.org/docs/stable/generated/torch.load.html.")
_YES = ("1", "y", "yes", "true")


def load(f, map_location=None, pickle_module: Any = None, *, weights_only: bool | None = None, mmap: bool | None = None,
         **pickle_load_args: Any) -> Any:
    """The object in a file that save() wrote; unless weights_only=False, only tensors and plain containers."""
    is_restricted = _is_restricted(weights_only, pickle_module)
    if is_restricted and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    if is_restricted and pickle_load_args:
        warnings.warn("pickle_load_args only works if `weights_only=False`.", stacklevel=2)
    check_dill_version(pickle_module)
    pickle_load_args.setdefault("encoding", "utf-8")
    unpickling = restricted if is_restricted else pickle_module or pickle
    is_mapped = config.load.mmap if mmap is None else mmap
    is_path = isinstance(f, (str, os.PathLike))
    if is_path and os.fspath(f).endswith(".safetensors"):
        return _load_safetensors(os.fspath(f), map_location)
    if is_mapped and not is_path:
        raise ValueError("f must be a file path in order to use the mmap argument")
    with open(f, "rb") if is_path else _seekable(f) as file, _told_about_weights(is_restricted):
        if is_zip(file):
            with closing(PyTorchFileReader(file)) as archive:
                _refuse_torchscript(archive, is_restricted)
                mapped_path = os.fspath(f) if is_mapped else None
                return zip_format.load(archive, map_location, unpickling, mapped_path, pickle_load_args)
        if is_mapped:
            raise RuntimeError("mmap can only be used with files saved with `torch.save("
                               f"{f'{f}, ' if isinstance(f, str) else ''}_use_new_zipfile_serialization=True), "
                               "please torch.save your checkpoint with this option in order to use mmap.")
        return legacy_format.load(file, map_location, unpickling, pickle_load_args)


def _is_restricted(weights_only: bool | None, pickle_module: Any) -> bool:
    """Whether only weights may be loaded: what the call says, the environment, or that nobody chose a pickle module."""
    forced, forced_not = (os.getenv(f"TORCH_FORCE_{word}_LOAD", "0").lower() in _YES
                          for word in ("WEIGHTS_ONLY", "NO_WEIGHTS_ONLY"))
    if forced and forced_not:
        raise RuntimeError("Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` should "
                           "be set, but both were set.")
    if forced:
        return True
    if forced_not and weights_only is None:
        warnings.warn("Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the`weights_only` "
                      "argument was not explicitly passed to `torch.load`, forcing weights_only=False.",
                      UserWarning, stacklevel=3)
        return False
    return pickle_module is None if weights_only is None else weights_only


@contextmanager
def _told_about_weights(is_restricted: bool) -> Iterator[None]:
    """Refusals of the restricted unpickler, with what the reader can do about them; map_location's as they are."""
    try:
        yield
    except pickle.UnpicklingError as error:
        if not is_restricted:
            raise
        raise pickle.UnpicklingError(_advice(str(error))) from error.__cause__
    except NotPlaced as failure:
        raise failure.__cause__ from None


def _advice(message: str) -> str:
    if re.search(r"GLOBAL (\S+) was not an allowed global by default.", message):
        return ("Weights only load failed. This file can still be loaded, to do so you have two options, "
                "\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. "
                f"\n\t(1) {UNSAFE_MESSAGE}\n\t(2) Alternatively, to load with `weights_only=True` please check the "
                f"recommended steps in the following error message.\n\tWeightsUnpickler error: {message}{_DOCS}")
    is_blocked = re.search(r"whose module (\S+) is blocked", message)
    report = "" if is_blocked else ("Please file an issue with the following so that we can make `weights_only=True` "
                                    "compatible with your use case: WeightsUnpickler error: ")
    return f"Weights only load failed. {UNSAFE_MESSAGE}\n{report}\n\n{message}{_DOCS}"


@contextmanager
def _seekable(file) -> Iterator:
    """A file object, if one can go back in it."""
    try:
        file.seek(file.tell())
    except (io.UnsupportedOperation, AttributeError) as error:
        if "seek" not in str(error) and "tell" not in str(error):
            raise
        raise type(error)(f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data "
                          "into a buffer like io.BytesIO and try to load from it instead.") from None
    yield file


def is_zip(file) -> bool:
    """Whether a zip archive begins where the file stands."""
    start = file.tell()
    first = file.read(4)
    file.seek(start)
    return first == b"PK\3\4"


def _refuse_torchscript(archive: PyTorchFileReader, is_restricted: bool) -> None:
    if not archive.has_record("constants.pkl"):
        return
    warnings.warn("'torch.load' received a zip file that looks like a TorchScript archive dispatching to "
                  "'torch.jit.load' (call 'torch.jit.load' directly to silence this warning)", UserWarning,
                  stacklevel=3)
    if is_restricted:
        raise RuntimeError("Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. "
                           + UNSAFE_MESSAGE)
    raise RuntimeError("this file is a TorchScript archive, and mindtorch_v2 has no TorchScript; save the module's "
                       "state_dict() with torch.save and load that")


def _load_safetensors(path: str, map_location) -> dict:
    """Files of the safetensors package are its own to read."""
    if map_location is not None and not isinstance(map_location, (str, bytes, device)):
        kind = "dict" if isinstance(map_location, dict) else "callable"
        raise RuntimeError(f"Loading safetensors file with {kind} map_location is not supported. Use a device string "
                           "or torch.device instead.")
    try:
        from safetensors.torch import load_file
    except ImportError as error:
        raise RuntimeError("Attempting to load a safetensors file but safetensors is not installed. Please install "
                           "safetensors with: pip install safetensors") from error
    return load_file(path, device="cpu" if map_location is None else str(map_location))


def get_unsafe_globals_in_checkpoint(f) -> list[str]:
    """The names in a file that load(weights_only=True) would refuse."""
    with open(f, "rb") if isinstance(f, (str, os.PathLike)) else _seekable(f) as file:
        if not is_zip(file):
            raise ValueError("Expected input to be a checkpoint returned by torch.save")
        archive = PyTorchFileReader(file)
        if archive.has_record("constants.pkl"):
            raise ValueError("Expected input to be a checkpoint returned by torch.save but got a torchscript "
                             "checkpoint")
        return list(restricted.globals_in(archive.get_record("data.pkl")) - set(own_globals()) - set(added_globals()))
