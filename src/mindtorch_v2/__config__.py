"""How this installation was built: what ``torch.__config__`` tells."""

from __future__ import annotations

import platform
from importlib import import_module

import ml_dtypes
import numpy as np

from .devices.cpu import SUBJECTS
from .version import __version__, mindtorch


def hot_path() -> tuple[str, ...]:
    """The modules that have types for the compiler beside them."""
    from pathlib import Path
    root = Path(__file__).parent
    return tuple(sorted(".".join(path.relative_to(root).with_suffix("").parts) for path in root.rglob("[!_]*.pxd")
                        if path.with_suffix(".py").exists()))


def is_compiled(module: str) -> bool:
    """Whether a module of this package runs as machine code."""
    try:
        return not import_module(f"{__package__}.{module}").__file__.endswith(".py")
    except ImportError:
        return False


def show() -> str:
    """A text about the build: what is compiled, and the libraries below."""
    parts = hot_path()
    hot = [m for m in parts if is_compiled(m)]
    kernels = [s for s in SUBJECTS if is_compiled(f"devices.cpu.compiled.{s}")]
    return "\n".join([
        f"mindtorch_v2 {mindtorch}, as PyTorch {__version__}, built with:",
        f"  - hot path: {_state(hot, parts)}",
        f"  - kernels: {_state(kernels, SUBJECTS)}",
        f"  - NumPy {np.__version__}",
        f"  - ml_dtypes {ml_dtypes.__version__}",
        f"  - Python {platform.python_version()}",
        "",
    ])


def _state(compiled: list[str], parts: tuple[str, ...]) -> str:
    if len(compiled) == len(parts):
        return "compiled"
    missing = [p for p in parts if p not in compiled]
    return f"not compiled ({', '.join(missing)})" if compiled else "not compiled"


def parallel_info() -> str:
    """How many threads work at once."""
    from .devices.cpu import pool
    from .threads import get_num_interop_threads, get_num_threads
    return (f"BLAS threads: {get_num_threads()}\nthreads of a kernel: {pool.get_threads()}\n"
            f"threads that run ops at once: {get_num_interop_threads()}\n")
