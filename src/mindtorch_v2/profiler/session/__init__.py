"""Profiling sessions: they listen to the recorder and drain it into an event table."""

from . import torch_types  # noqa: F401 - fills the slots of rooms below
