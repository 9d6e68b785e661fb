"""torch.cuda.streams: classes to name and to ask for; without a device none can be made."""

from __future__ import annotations


class Stream:
    """A queue of a device."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError("torch.cuda.Stream requires CUDA support")


class ExternalStream(Stream):
    """A queue that another library made."""


class Event:
    """A mark in a queue."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError("Tried to instantiate dummy base class Event")
