"""Which arguments of a function are differentiated by, in torch's words where that is a mistake."""

from __future__ import annotations

ArgNums = int | tuple[int, ...]


def chosen(args: tuple, argnums: ArgNums) -> tuple:
    """The arguments that ``argnums`` names, as a tuple in any case."""
    return tuple([args[i] for i in places(argnums, len(args))])


def replaced(args: tuple, argnums: ArgNums, values: tuple) -> tuple:
    """The arguments with other values in the place of those that ``argnums`` names."""
    changed = list(args)
    for i, value in zip(places(argnums, len(args)), values):
        changed[i] = value
    return tuple(changed)


def places(argnums: ArgNums, count: int) -> list[int]:
    """The positions that ``argnums`` names, counted from the front."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    positions = [_place(i, count) for i in (argnums if isinstance(argnums, tuple) else (argnums,))]
    if not positions:
        raise RuntimeError("argnums must be non-empty")
    if len(set(positions)) != len(positions):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return positions


def _place(argnum: int, count: int) -> int:
    if not isinstance(argnum, int):
        raise RuntimeError(f"argnum must be int, got: {type(argnum)}")
    if not -count <= argnum < count:
        raise RuntimeError(f"Got argnum={argnum}, but only {count} positional inputs")
    return argnum % count
