"""The 32-bit Mersenne Twister (Matsumoto and Nishimura, 1998) with torch's counters, spare normal number and state."""
from __future__ import annotations

import numpy as np

from ..random_state import STATE, WORDS, read_state

SHIFT = 397


def _mix(word: np.ndarray, after: np.ndarray, far: np.ndarray) -> np.ndarray:
    joined = (word & np.uint32(0x80000000)) | (after & np.uint32(0x7FFFFFFF))
    return far ^ (joined >> 1) ^ ((joined & np.uint32(1)) * np.uint32(0x9908B0DF))


class Engine:
    """Torch's CPU generator: `next` is the word to give out, `left - 1` words remain before the next twist."""

    def __init__(self, seed: int = 67280421310721) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Starts over from the lower 32 bits of a 64-bit seed."""
        self.initial_seed = seed % 2**64
        word = self.initial_seed % 2**32
        words = [word]
        for i in range(1, WORDS):
            word = (1812433253 * (word ^ (word >> 30)) + i) % 2**32
            words.append(word)
        self._word = np.array(words, np.uint32)
        self._left, self._next = 1, 0
        self.spare: float | None = None
        self._float_spare, self._has_float_spare = 0.0, False

    def _twist(self) -> None:
        w, part = self._word, WORDS - SHIFT  # each part needs the one before it
        w[:part] = _mix(w[:part], w[1:part + 1], w[SHIFT:])
        w[part:2 * part] = _mix(w[part:2 * part], w[part + 1:2 * part + 1], w[:part])
        w[2 * part:-1] = _mix(w[2 * part:-1], w[2 * part + 1:], w[part:SHIFT - 1])
        w[-1:] = _mix(w[-1:], w[:1], w[SHIFT - 1:SHIFT])
        self._left, self._next = WORDS + 1, 0

    def words(self, n: int) -> np.ndarray:
        """The next n 32-bit words."""
        out, done = np.empty(n, np.uint32), 0
        while done < n:
            if self._left <= 1:
                self._twist()
            some = min(n - done, self._left - 1)
            out[done:done + some] = self._word[self._next:self._next + some]
            self._left, self._next, done = self._left - some, self._next + some, done + some
        out ^= out >> 11
        out ^= (out << 7) & np.uint32(0x9D2C5680)
        out ^= (out << 15) & np.uint32(0xEFC60000)
        out ^= out >> 18
        return out

    def words64(self, n: int) -> np.ndarray:
        """The next n 64-bit words; the first 32 bits drawn are the upper half."""
        halves = self.words(2 * n).astype(np.uint64)
        return (halves[0::2] << 32) | halves[1::2]

    def random32(self) -> int:
        """One 32-bit word."""
        return int(self.words(1)[0])

    def random64(self) -> int:
        """One 64-bit word."""
        return int(self.words64(1)[0])

    def get_state(self) -> np.ndarray:
        """The bytes of torch.get_rng_state()."""
        state = np.zeros(1, STATE)
        state["initial_seed"], state["seeded"] = self.initial_seed, 1
        state["left"], state["next"], state["words"] = self._left, self._next, self._word
        state["has_spare"], state["spare"] = self.spare is not None, self.spare or 0.0
        state["has_float_spare"], state["float_spare"] = self._has_float_spare, self._float_spare
        return state.view(np.uint8)

    def set_state(self, state: np.ndarray) -> None:
        """Goes on from the bytes of torch.get_rng_state()."""
        fields = read_state(state)
        self.initial_seed = int(fields["initial_seed"])
        self._left, self._next = int(fields["left"]), int(fields["next"])
        self._word = fields["words"].astype(np.uint32)
        self.spare = float(fields["spare"]) if fields["has_spare"] else None
        self._has_float_spare = bool(fields["has_float_spare"])
        self._float_spare = float(fields["float_spare"]) if self._has_float_spare else 0.0
