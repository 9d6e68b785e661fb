"""torch.cuda.graphs: classes to name and to ask for; without a device none can be made."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from .streams import Stream


class CUDAGraph:
    """Work of a device that was recorded."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError("Tried to instantiate dummy base class CUDAGraph")


class graph:  # noqa: N801  torch's name
    """A block whose work is recorded."""

    default_capture_stream: Stream | None = None

    def __init__(self, cuda_graph: CUDAGraph, pool=None, stream: Stream | None = None,
                 capture_error_mode: str = "global") -> None:
        Stream()


def graph_pool_handle() -> NoReturn:
    """Memory that recorded work shares: refused."""
    raise RuntimeError("Tried to instantiate dummy base class _graph_pool_handle")


def is_current_stream_capturing() -> bool:
    """False: no work is recorded, where torch without a device fails."""
    return False


def make_graphed_callables(callables: Callable, sample_args: tuple, **options) -> NoReturn:
    """Functions whose work is recorded: refused."""
    CUDAGraph()
