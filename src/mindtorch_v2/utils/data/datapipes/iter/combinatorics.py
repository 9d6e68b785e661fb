"""Pipes that change the order of items."""

from __future__ import annotations

from ...sampler import Sampler, SequentialSampler
from ..datapipe import IterDataPipe, functional_datapipe
from ..shuffling import Shuffling


class SamplerIterDataPipe(IterDataPipe):
    """The indices that a sampler draws for a pipe."""

    def __init__(self, datapipe: IterDataPipe, sampler: type[Sampler] = SequentialSampler,
                 sampler_args: tuple | None = None, sampler_kwargs: dict | None = None):
        if not hasattr(type(datapipe), "__len__"):
            raise AssertionError("Sampler class requires input datapipe implemented `__len__`")
        super().__init__()
        self.datapipe = datapipe
        self.sampler_args = sampler_args or ()
        self.sampler_kwargs = {**(sampler_kwargs or {}), "data_source": datapipe}
        self.sampler = sampler(*self.sampler_args, **self.sampler_kwargs)

    def __iter__(self):
        return iter(self.sampler)

    def __len__(self) -> int:
        return len(self.sampler)


@functional_datapipe("shuffle")
class ShufflerIterDataPipe(Shuffling):
    """Items in random order, from a buffer that is refilled as it is drawn from."""

    def __init__(self, datapipe: IterDataPipe, *, buffer_size: int = 10000, unbatch_level: int = 0):
        super().__init__()
        if buffer_size <= 0:
            raise AssertionError("buffer_size should be larger than 0")
        self.datapipe = datapipe if unbatch_level == 0 else datapipe.unbatch(unbatch_level=unbatch_level)
        self.buffer_size = buffer_size

    def __iter__(self):
        if not self._enabled:
            yield from self.datapipe
            return
        buffer: list = []
        for item in self.datapipe:
            if len(buffer) == self.buffer_size:
                at = self._rng.randint(0, len(buffer) - 1)
                drawn, buffer[at] = buffer[at], item
                yield drawn
            else:
                buffer.append(item)
        while buffer:
            yield buffer.pop(self._rng.randint(0, len(buffer) - 1))
