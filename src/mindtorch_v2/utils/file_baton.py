"""torch.utils.file_baton: processes that take turns by a file, which whoever holds the turn has made."""

from __future__ import annotations

import os
import time
import warnings

from ..core.missing_name import missing as _missing


class FileBaton:
    """The right to go on, for one process at a time: those that did not get it wait until its file is gone."""

    def __init__(self, lock_file_path: str, wait_seconds: float = 0.1, warn_after_seconds: float | None = None) -> None:
        self.lock_file_path, self.wait_seconds = lock_file_path, wait_seconds
        self.warn_after_seconds = warn_after_seconds
        self.fd: int | None = None

    def try_acquire(self) -> bool:
        """Whether the file could be made, and so is this process's."""
        try:
            self.fd = os.open(self.lock_file_path, os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            return False
        return True

    def wait(self) -> None:
        """Sleep until the file is gone; warn once if that takes longer than was said."""
        limit = float("inf") if self.warn_after_seconds is None else self.warn_after_seconds
        start = time.monotonic()
        while os.path.exists(self.lock_file_path):
            time.sleep(self.wait_seconds)
            if time.monotonic() - start > limit:
                warnings.warn(f'Waited on lock file "{self.lock_file_path}" for {self.warn_after_seconds} seconds.',
                              stacklevel=2)
                limit = float("inf")

    def release(self) -> None:
        """Let the next process go on."""
        if self.fd is not None:
            os.close(self.fd)
        os.remove(self.lock_file_path)


__getattr__ = _missing(__name__)
