"""Optimizers that take turns: where a step of training ends, told while the program runs."""

from __future__ import annotations

LONGEST_ROUND = 8  # steps of optimizers that make up one of training; if more come, their order has changed


class Turns:
    """A round begins with the optimizer that was there first, and a step of training ends where the round before did:
    a GAN's two end it together, or five steps of one and one of the other. Of one optimizer, every step ends one, and
    so does the very first of all, when nobody knows yet what follows."""

    def __init__(self):
        self._round: list[int] = []  # the optimizers that have stepped in it so far
        self._before: list[int] = []  # those of the round before

    def end_with(self, optimizer: int) -> bool:
        """Whether a step ends with this optimizer's, which has just been taken."""
        if self._begins_round(optimizer):
            self._before, self._round = self._round, []
        self._round.append(optimizer)
        if not self._before:
            return len(self._round) == 1
        return len(self._round) == len(self._before) and optimizer == self._before[-1]

    def _begins_round(self, optimizer: int) -> bool:
        if not self._round:
            return False
        first, last = self._round[0], self._round[-1]
        if optimizer == last and (len(self._round) >= LONGEST_ROUND or len(set(self._before)) < 2):
            if optimizer != first:  # which is not used any more
                self._round = [optimizer]
            return len(set(self._round)) == 1
        return optimizer == first != last
