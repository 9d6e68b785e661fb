"""What all pipes that shuffle have in common: a switch, and a seed for the next pass."""

from __future__ import annotations

import random

from ..sampler import draw_seed
from .datapipe import IterDataPipe


class Shuffling(IterDataPipe):
    """A pipe in random order; ``_rng`` is ready when a pass begins."""

    def __init__(self) -> None:
        super().__init__()
        self._enabled = True
        self._seed = None
        self._rng = random.Random()

    def set_shuffle(self, shuffle: bool = True) -> Shuffling:
        """Switch the shuffling on or off."""
        self._enabled = shuffle
        return self

    def set_seed(self, seed: int) -> Shuffling:
        """Fix the order of the next pass."""
        self._seed = seed
        return self

    def reset(self) -> None:
        """Begin a pass: from the seed that was set, or from one that torch's generator draws."""
        if self._enabled:
            self._rng.seed(draw_seed(None) if self._seed is None else self._seed)
            self._seed = None

    def __len__(self) -> int:
        return len(self.datapipe)
