"""torch.futures: a result that may come later."""

from __future__ import annotations

import concurrent.futures
import types
from collections.abc import Callable
from typing import Any

from .core.missing_name import missing as _missing


class Future:
    """A result, or an error, that another thread sets; functions can be hung on it."""

    def __init__(self, *, devices: list | None = None) -> None:
        if devices:
            raise ValueError("Expected all devices to be of the same type as the current accelerator, of which there "
                             f"is none; got {devices}")
        self._inner: concurrent.futures.Future = concurrent.futures.Future()

    def __class_getitem__(cls, kind) -> types.GenericAlias:
        return types.GenericAlias(cls, kind)

    def done(self) -> bool:
        """Whether there is a result or an error."""
        return self._inner.done()

    def wait(self) -> Any:
        """The result, when it comes; an error is raised."""
        return self._inner.result()

    def value(self) -> Any:
        """The result, which must be there."""
        if not self.done():
            raise RuntimeError("Future is not yet completed: call wait() first")
        return self._inner.result()

    def set_result(self, result: Any) -> None:
        """Give the result, once."""
        self._settle(self._inner.set_result, result)

    def set_exception(self, result: BaseException) -> None:
        """Give an error in the place of a result."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._settle(self._inner.set_exception, result)

    @staticmethod
    def _settle(setter: Callable, value: Any) -> None:
        try:
            setter(value)
        except concurrent.futures.InvalidStateError:
            raise RuntimeError("Attempting to mark a completed Future as complete again.") from None

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """A future of what the function makes of this one, when it is done."""
        following = Future()

        def run(_) -> None:
            try:
                following.set_result(callback(self))
            except Exception as error:  # noqa: BLE001  whatever the program's function raises
                following.set_exception(error)

        self._inner.add_done_callback(run)
        return following

    def add_done_callback(self, callback: Callable[[Future], None]) -> None:
        """Call a function when this is done."""
        self._inner.add_done_callback(lambda _: callback(self))


def collect_all(futures: list[Future]) -> Future[list[Future]]:
    """A future of a list of futures, done when all of them are."""
    futures, collected = list(futures), Future()
    left = len(futures)

    def one_more(_) -> None:
        nonlocal left
        left -= 1
        if not left:
            collected.set_result(futures)

    for future in futures:
        future.add_done_callback(one_more)
    if not futures:
        collected.set_result([])
    return collected


def wait_all(futures: list[Future]) -> list:
    """The results of futures; the first error is raised."""
    return [future.wait() for future in collect_all(futures).wait()]


__all__ = ["Future", "collect_all", "wait_all"]
__getattr__ = _missing(__name__)
