"""torch.cpu: the one device there is."""

from __future__ import annotations

from . import amp
from .capabilities import (
    _is_amx_fp16_supported,
    _is_amx_tile_supported,
    _is_avx2_supported,
    _is_avx512_bf16_supported,
    _is_avx512_supported,
    _is_vnni_supported,
    get_capabilities,
)


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return True


def device_count() -> int:
    return 1


def current_device() -> str:
    return "cpu"


def set_device(device) -> None:
    """There is only one; torch ignores it too."""


def synchronize(device=None) -> None:
    """Ops are done when they return."""


class Stream:
    """The queue of the CPU, for programs that are written for any device: nothing waits in it."""

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream) -> None:
        """Nothing is waited for."""

    def record_event(self) -> None:
        """Nothing is marked."""

    def wait_event(self, event) -> None:
        """Nothing is waited for."""


class Event:
    """A mark in it."""

    def __init__(self, enable_timing: bool = False) -> None:
        pass

    def query(self) -> bool:
        """True: all is done."""
        return True

    def record(self, stream=None) -> None:
        """Nothing is marked."""

    def synchronize(self) -> None:
        """Nothing is waited for."""

    def wait(self, stream=None) -> None:
        """Nothing is waited for."""


_default_stream = Stream()
_current_stream = _default_stream


class StreamContext:
    """A block on a stream."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        global _current_stream
        self._before = _current_stream
        if self.stream is not None:
            _current_stream = self.stream

    def __exit__(self, *error) -> None:
        global _current_stream
        _current_stream = self._before


def stream(stream: Stream | None) -> StreamContext:
    """A block on a stream."""
    return StreamContext(stream)


def current_stream(device=None) -> Stream:
    """The stream of the block around."""
    return _current_stream
