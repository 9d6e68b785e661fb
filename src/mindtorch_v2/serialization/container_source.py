"""The source of modules' classes, which the older format keeps: a change since then is told when a file is loaded."""

from __future__ import annotations

import difflib
import inspect
import warnings

from ..ops.python.queries import typename


class SourceChangeWarning(Warning):
    """The source of a class is not what it was when an object of it was saved."""


def source_of(container: type) -> tuple[str | None, str | None]:
    """The file and the text of a class."""
    try:
        return inspect.getsourcefile(container), inspect.getsource(container)
    except Exception:
        _warn_unseen(container)
        return None, None


def check_source(container: type, source_file: str, original: str) -> None:
    """Warn if the class has another text now."""
    try:
        current = inspect.getsource(container)
    except Exception:
        _warn_unseen(container)
        return
    if original == current:
        return
    advice = ("you can retrieve the original source code by accessing the object's source attribute or set "
              "`torch.nn.Module.dump_patches = True` and use the patch tool to revert the changes.")
    if container.dump_patches:
        advice = _saved_patch(container, source_file, original, current)
    warnings.warn(f"source code of class '{typename(container)}' has changed. {advice}", SourceChangeWarning,
                  stacklevel=2)


def _warn_unseen(container: type) -> None:
    warnings.warn(f"Couldn't retrieve source code for container of type {container.__name__}. It won't be checked for "
                  "correctness upon loading.", stacklevel=3)


def _saved_patch(container: type, source_file: str, original: str, current: str) -> str:
    """Write what would turn the class back, and say where it is."""
    name = f"{container.__name__}.patch"
    patch = "\n".join(difflib.unified_diff(current.split("\n"), original.split("\n"), source_file, source_file,
                                           lineterm=""))
    try:
        with open(name, "a+") as file:
            file.seek(0)
            before = file.read()
            if not before:
                file.write(patch)
            elif before != patch:
                raise OSError
    except OSError:
        return (f"Tried to save a patch, but couldn't create a writable file {name}. Make sure it doesn't exist and "
                "your working directory is writable.")
    return f"Saved a reverse patch to {name}. Run `patch -p0 < {name}` to revert your changes."
