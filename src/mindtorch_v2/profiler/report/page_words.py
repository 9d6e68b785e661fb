"""The names that a page shows, each once, in the order in which they come up; most names of a table do not."""

from __future__ import annotations

import numpy as np

UNSEEN = -1


class PageWords:
    """Numbers of names in a page, from those in a table."""

    def __init__(self, words: list[str]):
        self._words = words
        self._place = np.full(len(words), UNSEEN)
        self.shown: list[str] = []

    def numbers(self, words: np.ndarray) -> np.ndarray:
        """The page's numbers of words; those that are new are added."""
        used, first = np.unique(words, return_index=True)
        for word in used[np.argsort(first, kind="stable")].tolist():
            if self._place[word] == UNSEEN:
                self._place[word] = len(self.shown)
                self.shown.append(self._words[word])
        return self._place[words]
