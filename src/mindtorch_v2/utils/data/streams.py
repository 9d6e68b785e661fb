"""Streams of datapipes inside a DataLoader: whether they shuffle, and from which seed."""

from __future__ import annotations

import warnings

from ...ops.random.generator import Generator
from .datapipes.datapipe import IterDataPipe, _IterDataPipeSerializationWrapper
from .graph import every
from .sampler import draw_seed


def enter(datapipe: IterDataPipe, shuffle: bool | None) -> IterDataPipe:
    """A stream as the loader holds it, shuffled or not as it is told; None leaves that to the pipes."""
    if shuffle is not None:
        shufflers = [pipe for pipe in every(datapipe) if hasattr(type(pipe), "set_shuffle")]
        if shuffle and not shufflers:
            warnings.warn("`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at the "
                          "end. Be aware that the default buffer size might not be sufficient for your task.",
                          stacklevel=3)
            datapipe = datapipe.shuffle()
            shufflers = [datapipe]
        for shuffler in shufflers:
            shuffler.set_shuffle(shuffle)
    return _IterDataPipeSerializationWrapper(datapipe)


def seed(datapipe: IterDataPipe, shared_seed: int) -> None:
    """Give every pipe that draws random numbers a seed of its own."""
    random = [pipe for pipe in every(datapipe) if hasattr(type(pipe), "set_seed")]
    if random:
        generator = Generator()
        generator.manual_seed(shared_seed)
        for pipe in random:
            pipe.set_seed(draw_seed(generator))
