"""In which order: indices one by one, at random, by weight, or in batches."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Generic, TypeVar

from ...api.install import FUNCTIONS
from ...core import dtype as dtypes
from ...ops.python.construct import as_tensor
from ...ops.random.generator import Generator

T_co = TypeVar("T_co", covariant=True)
CHUNK = 32  # how many indices are drawn at once when drawing with replacement


class Sampler(Generic[T_co]):
    """Gives indices: subclasses give ``__iter__`` and usually ``__len__``."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """All indices in order."""

    def __init__(self, data_source: Sized):
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All indices in random order, or as many as wanted, with replacement or in rounds."""

    def __init__(self, data_source: Sized, replacement: bool = False, num_samples: int | None = None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        check_positive("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        # The dataset may have changed its length since the sampler was made.
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        n = len(self.data_source)
        generator = self.generator
        if generator is None:
            generator = Generator()
            generator.manual_seed(draw_seed())
        if self.replacement:
            for _ in range(self.num_samples // CHUNK):
                yield from self._draw(n, CHUNK, generator)
            yield from self._draw(n, self.num_samples % CHUNK, generator)
        else:
            for _ in range(self.num_samples // n):
                yield from FUNCTIONS["randperm"](n, generator=generator).tolist()
            # Also when nothing is left to draw, as in torch: the generator moves on by one permutation.
            yield from FUNCTIONS["randperm"](n, generator=generator).tolist()[: self.num_samples % n]

    @staticmethod
    def _draw(high: int, n: int, generator) -> list[int]:
        return FUNCTIONS["randint"](high=high, size=(n,), dtype=dtypes.int64, generator=generator).tolist()

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Given indices in random order."""

    def __init__(self, indices: Sequence[int], generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in FUNCTIONS["randperm"](len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices drawn with given weights."""

    def __init__(self, weights: Sequence[float], num_samples: int, replacement: bool = True, generator=None):
        check_positive("num_samples", num_samples)
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        weights = as_tensor(weights, dtype=dtypes.float64)
        if weights.ndim != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {tuple(weights.shape)}")
        self.weights = weights
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = FUNCTIONS["multinomial"](self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Another sampler's indices in batches."""

    def __init__(self, sampler: Sampler[int] | Iterable[int], batch_size: int, drop_last: bool):
        check_positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        full, rest = divmod(len(self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)


def check_positive(name: str, value) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


def draw_seed(generator=None) -> int:
    """A seed from the given or the default generator, drawn as torch draws it: same numbers, same rows."""
    return FUNCTIONS["empty"]((), dtype=dtypes.int64).random_(generator=generator).item()
