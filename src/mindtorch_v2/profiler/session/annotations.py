"""Marks for other tools' timelines: Intel's ITT and NVIDIA's NVTX, neither of which is attached here."""

from __future__ import annotations

from contextlib import contextmanager


class _Annotating:
    """A context inside which another tool would see every op."""

    _tool = ""

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled = enabled
        self.entered = False
        self.record_shapes = record_shapes

    def __enter__(self):
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError(f"{self._tool} annotation context manager is not reentrant")
        self.entered = True
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        return False if self.enabled else None


class emit_itt(_Annotating):  # noqa: N801 - torch's name
    """Make ops visible to VTune; without a collector, as in torch, nothing comes of it."""

    __module__ = "mindtorch_v2.autograd.profiler"
    _tool = "ITT"


class emit_nvtx(_Annotating):  # noqa: N801 - torch's name
    """Make ops visible to NVIDIA's tools; that needs CUDA, which torch's build for the processor refuses too."""

    __module__ = "mindtorch_v2.autograd.profiler"
    _tool = "NVTX"

    def __enter__(self):
        entered = super().__enter__()
        if entered is not None:
            raise AssertionError("Torch not compiled with CUDA enabled")
        return entered


def is_available() -> bool:
    """Whether ranges and marks may be given, as in torch's builds; a collector is another matter."""
    return True


def range_push(msg: str) -> None:
    """Begin a range for a collector; none is attached."""
    _checked("rangePush", msg)


def range_pop() -> None:
    """End the latest range."""


def mark(msg: str) -> None:
    """Mark a moment."""
    _checked("mark", msg)


@contextmanager
def range(msg, *args, **kwargs):  # noqa: A001 - torch's name
    """A range around a block; the message is formatted with the arguments."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()


def _checked(function: str, msg) -> None:
    if not isinstance(msg, str):
        raise TypeError(f"{function}(): incompatible function arguments. The following argument types are supported:\n"
                        f"    1. (arg0: str) -> None\n\nInvoked with: {msg!r}")
