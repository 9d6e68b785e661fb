"""torch.Stream and torch.Event: the queue of the CPU, in which everything is done by the time one asks."""

from __future__ import annotations

from .core.device import device as Device  # noqa: N812  a parameter is called device

_NO_EVENTS = "{} backend doesn't support events."


def _of(device) -> Device:
    """The device that is meant; one that is not there is refused."""
    if isinstance(device, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    chosen = Device(device if device is not None else "cpu")
    if chosen.type not in ("cpu", "meta"):
        raise RuntimeError(f"PyTorch is not linked with support for {chosen.type} devices")
    return chosen


class Stream:
    """A queue of a device. The CPU has none: nothing ever waits in it."""

    def __init__(self, device=None, *, priority: int = 0) -> None:
        self.device, self.device_index, self.device_type, self.stream_id = _of(device), -1, 0, 0

    def query(self) -> bool:
        """True: all that was asked for is done."""
        return True

    def synchronize(self) -> None:
        """Return when all is done, which it is."""

    def wait_event(self, event: Event) -> None:
        """Return when a mark has been reached, which it has."""

    def wait_stream(self, stream: Stream) -> None:
        """Refused, as by torch: it would put a mark in the other queue."""
        self.record_event()

    def record_event(self, event: Event | None = None) -> Event:
        """Refused, as by torch: there is no queue to put a mark in."""
        raise RuntimeError(_NO_EVENTS.format(self.device.type))

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *error) -> None:
        pass

    def __eq__(self, other) -> bool:
        return isinstance(other, Stream) and self.device == other.device

    def __hash__(self) -> int:
        return hash(self.device)

    def __repr__(self) -> str:
        return f"torch.Stream device_type={self.device.type}, device_index=-1, stream_id=0"


class Event:
    """A mark in a queue."""

    event_id = 0

    def __init__(self, device=None, *, enable_timing: bool = False, blocking: bool = False,
                 interprocess: bool = False) -> None:
        self.device, self._enable_timing = _of(device), enable_timing

    def record(self, stream: Stream | None = None) -> None:
        """Refused, as by torch: there is no queue to put it in."""
        raise RuntimeError(_NO_EVENTS.format(self.device.type))

    def wait(self, stream: Stream | None = None) -> None:
        """Return when it has been reached: it was never put anywhere."""

    synchronize = wait

    def query(self) -> bool:
        """True: nothing is before it."""
        return True

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds between two marks, of which neither was ever reached."""
        if not (self._enable_timing and end_event._enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        raise ValueError("Both events must be recorded before calculating elapsed time.")

    def __repr__(self) -> str:
        return (f"torch.Event device_type={self.device.type}, device_index=-1, event_flag={int(self._enable_timing)}, "
                "event_id=0")
