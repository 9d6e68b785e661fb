"""Words of rows that lie on disk: they are written beside them, so that they need not stay in memory."""

from __future__ import annotations

import pickle
import tempfile

from .unused_words import Forgotten
from .vocabulary import shown


class SpilledWords:
    """Words in an unnamed file that goes with the process."""

    def __init__(self):
        self._file = None
        self._size = 0
        self._unwritten: list[Forgotten] = []

    def add(self, forgotten: Forgotten) -> None:
        """Write down words that nobody else keeps; where that fails they stay here."""
        inputs = {number: shown(described) for number, described in forgotten.inputs.items()}
        self._unwritten.append(forgotten._replace(inputs=inputs))
        try:
            self._write()
        except OSError:
            pass  # the next words try again

    def _write(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)
        while self._unwritten:
            data = pickle.dumps(tuple(self._unwritten[0]), pickle.HIGHEST_PROTOCOL)
            self._file.seek(self._size)  # over what a failed attempt has left
            if self._file.write(data) < len(data):
                raise OSError("the words of spilled rows were written in part")
            self._size += len(data)
            del self._unwritten[0]

    def read(self) -> Forgotten:
        """All words that were added."""
        parts = list(self._unwritten)
        if self._file is not None:
            self._file.seek(0)
            while self._file.tell() < self._size:
                parts.append(Forgotten(*pickle.load(self._file)))
        return Forgotten(*({n: word for part in parts for n, word in part[i].items()} for i in range(3)))
