"""How this installation was built: what ``torch.__config__`` tells."""

from __future__ import annotations

import os
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
    from importlib.metadata import version

    from .backends.cpu import get_cpu_capability
    parts = hot_path()
    hot = [m for m in parts if is_compiled(m)]
    kernels = [s for s in SUBJECTS if is_compiled(f"devices.cpu.compiled.{s}")]
    return "\n".join([
        f"mindtorch_v2 {mindtorch}, as PyTorch {__version__}, built with:",
        f"  - hot path: {_state(hot, parts)}",
        f"  - kernels: {_state(kernels, SUBJECTS)}",
        f"  - vector instructions: {get_cpu_capability()}",
        f"  - NumPy {np.__version__}, with {_blas()}",
        f"  - SciPy {version('scipy')}",
        f"  - ml_dtypes {ml_dtypes.__version__}",
        f"  - Python {platform.python_version()}",
        "",
    ])


def _blas() -> str:
    """The library that NumPy multiplies matrices with, where NumPy knows it."""
    built_with = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    return f"{built_with.get('name', 'a BLAS of unknown name')} {built_with.get('version', '')}".rstrip()


def _state(compiled: list[str], parts: tuple[str, ...]) -> str:
    if len(compiled) == len(parts):
        return "compiled"
    missing = [p for p in parts if p not in compiled]
    return f"not compiled ({', '.join(missing)})" if compiled else "not compiled"


def parallel_info() -> str:
    """How many threads work at once, and what the environment says of it."""
    from .devices.cpu import pool
    from .threads import VARIABLES, get_num_interop_threads, get_num_threads
    return "\n".join([
        f"BLAS threads: {get_num_threads()}",
        f"threads of a kernel: {pool.get_threads()}, of a pool of our own",
        f"threads that run ops at once: {get_num_interop_threads()}",
        f"processors: {os.cpu_count()}",
        *(f"{name}: {os.environ.get(name, '[not set]')}" for name in VARIABLES),
        "",
    ])
