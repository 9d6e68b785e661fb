"""torch._tensor_str: the text of tensors and the options that govern it, at torch's address."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from .core import printing
from .core.printing import get_printoptions, set_printoptions, with_facts
from .core.tensor import Tensor
from .ops.python.convert import text


class _PrinterOptions:
    """The options in force, as attributes."""

    def __getattr__(self, name: str):
        try:
            return get_printoptions()[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value) -> None:
        set_printoptions(**{**get_printoptions(), name: value})

    def __repr__(self) -> str:
        return f"__PrinterOptions({', '.join(f'{k}={v}' for k, v in get_printoptions().items())})"


PRINT_OPTS = _PrinterOptions()


@contextlib.contextmanager
def printoptions(**kwargs) -> Iterator[None]:
    """Options inside a block."""
    before = get_printoptions()
    set_printoptions(**{**before, **kwargs})
    try:
        yield
    finally:
        set_printoptions(**before)


def _tensor_str(self: Tensor, indent: int) -> str:
    """The numbers of a tensor without the word around them; lines after the first begin with spaces."""
    return printing.contents_text(self.detach().numpy(), indent) if self.numel() else "[]"


def _str(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """What repr() of a tensor gives, with other words in the place of its values if there are any."""
    return text(self, tensor_contents=tensor_contents)


_str_intern = _str


def _add_suffixes(tensor_str: str, suffixes: list[str], indent: int, force_newline: bool) -> str:
    """A text with what is told behind the values, and a closing bracket; on a line of its own if that is forced."""
    width = 0 if force_newline and suffixes else get_printoptions()["linewidth"]
    first, *rest = suffixes or [""]
    begun = with_facts(tensor_str, [first] if suffixes else [], indent, width)
    return with_facts(begun, rest, indent, get_printoptions()["linewidth"]) + ")"
