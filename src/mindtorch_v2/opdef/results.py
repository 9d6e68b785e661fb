"""Named results: what ops with several of them return, as torch.return_types has it."""

from __future__ import annotations

from collections import namedtuple


def named(op: str, fields: tuple[str, ...]) -> type:
    """A tuple type whose fields have names, printed as torch prints it."""

    class Named(namedtuple(op, fields)):
        __slots__ = ()

        def __repr__(self) -> str:
            shown = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
            return f"torch.return_types.{op}(\n{shown})"

    Named.__name__ = Named.__qualname__ = op
    return Named
