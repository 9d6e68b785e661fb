"""torch.futures: a result that may come later."""

from __future__ import annotations

import concurrent.futures
import types
from collections.abc import Callable
from typing import Any

from .core.missing_name import missing as _missing
from .record.locks import new_lock


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
            raise RuntimeError("Attempting to mark a completed Future as complete again. Note that a Future can only "
                               "be marked completed once.") from None

    def __reduce__(self):
        raise RuntimeError("Can not pickle torch.futures.Future")

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """A future of what the function makes of this one, when it is done."""
        _check_callable("then", callback, "torch._C.Future")
        following = Future()

        def run(_) -> None:
            try:
                following.set_result(callback(self))
            except Exception as error:  # noqa: BLE001  whatever the program's function raises
                text = f"Got the following error when running the callback: {type(error).__name__}: {error}"
                following.set_exception(RuntimeError(text))

        self._inner.add_done_callback(run)
        return following

    def add_done_callback(self, callback: Callable[[Future], None]) -> None:
        """Call a function when this is done; what it raises is logged, and nobody else hears of it."""
        _check_callable("add_done_callback", callback, "None")
        self._inner.add_done_callback(lambda _: callback(self))


def _check_callable(name: str, callback: Callable, result: str) -> None:
    if not callable(callback):
        raise TypeError(f"{name}(): incompatible function arguments. The following argument types are supported:\n"
                        f"    1. (self: torch._C.Future, arg0: collections.abc.Callable) -> {result}\n\n"
                        f"Invoked with: {callback!r}")


def collect_all(futures: list[Future]) -> Future[list[Future]]:
    """A future of a list of futures, done when all of them are; the first error is its own."""
    if not isinstance(futures, (list, tuple)):
        raise TypeError("_collect_all(): incompatible function arguments. The following argument types are supported:\n"
                        "    1. (arg0: collections.abc.Sequence[torch._C.Future]) -> torch._C.Future\n\n"
                        f"Invoked with: {futures!r}")
    check_futures(futures)
    futures, collected = list(futures), Future()
    left, failed, lock = len(futures), False, new_lock()

    def one_more(future: Future) -> None:
        nonlocal left, failed
        error = future._inner.exception()
        with lock:  # and not longer: who waits for all may itself complete futures
            left -= 1
            is_last, is_first_error = not left, error is not None and not failed
            failed = failed or error is not None
        if is_first_error:
            collected.set_exception(error)
        elif is_last and not failed:
            collected.set_result(futures)

    for future in futures:
        future.add_done_callback(one_more)
    if not futures:
        collected.set_result([])
    return collected


def check_futures(futures: list[Future]) -> None:
    """Each must be one."""
    if any(future is None for future in futures):
        raise RuntimeError("Future can't be None")


def wait_all(futures: list[Future]) -> list:
    """The results of futures; the first error is raised."""
    return [future.wait() for future in collect_all(futures).wait()]


__all__ = ["Future", "collect_all", "wait_all"]
__getattr__ = _missing(__name__)
