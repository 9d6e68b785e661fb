"""torch.func.rearrange: dimensions permuted, split and joined, as a pattern says."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ..core.tensor import Tensor
from ..dispatch.aten import aten

ELLIPSIS = "..."
Group = tuple[str, ...]  # the names that make one dimension


class Rest(tuple):
    """An ellipsis by itself: as many dimensions as are left."""


def rearrange(tensor: Tensor | list[Tensor] | tuple[Tensor, ...], pattern: str, **axes_lengths: int) -> Tensor:
    """A tensor by a pattern like ``"b (h w) c -> b c h w"``; lengths that cannot be told are given by name."""
    if not isinstance(tensor, Tensor):
        tensor = aten.stack(list(tensor))
    left, right = _sides(pattern)
    _check_names(left, right, pattern, axes_lengths)
    shape = tuple(tensor.shape)
    sizes, rest = _sizes(left, shape, axes_lengths)
    names = [name for group in left for name in group]
    order = [name for group in right for name in group if name != "1"]
    split = aten.reshape(tensor, [size for name in names if name != "1" for size in sizes[name]])
    starts = _starts(names, sizes, len(rest))
    permuted = aten.permute(split, [place for name in order for place in starts[name]])
    return aten.reshape(permuted, [size for group in right for size in _joined(group, sizes)])


def _joined(group: Group, sizes: dict) -> list[int]:
    """The dimensions that a group of the right side becomes; a lone ellipsis stays as many as it is."""
    if isinstance(group, Rest):
        return sizes[ELLIPSIS]
    return [math.prod([size for name in group if name != "1" for size in sizes[name]])]


def _starts(names: list[str], sizes: dict, rest: int) -> dict[str, list[int]]:
    """Where each name's dimensions are after all groups were split."""
    places, at = {}, 0
    for name in names:
        if name != "1":
            count = rest if name == ELLIPSIS else 1
            places[name] = list(range(at, at + count))
            at += count
    return places


def _sizes(left: list[Group], shape: tuple[int, ...], given: dict[str, int]) -> tuple[dict, tuple[int, ...]]:
    """The size of every name of the left side, each in a list, and those of the ellipsis."""
    at = next((i for i, group in enumerate(left) if isinstance(group, Rest)), len(left))
    has_rest = at < len(left)
    if len(left) - has_rest > len(shape) or not has_rest and len(left) != len(shape):
        count = len(left) - has_rest
        more = "less than or equal to" if has_rest else "equal to"
        raise ValueError(f"Number of dimensions in pattern ({count}) must be {more} the number of dimensions in the "
                         f"tensor ({len(shape)})")
    tail = len(shape) - (len(left) - at - 1) if has_rest else len(shape)
    rest = shape[at:tail] if has_rest else ()
    sizes: dict[str, list[int]] = {ELLIPSIS: list(rest)}
    for group, size in zip([g for g in left if not isinstance(g, Rest)], shape[:at] + shape[tail:]):
        _split(group, size, given, sizes)
    return sizes, rest


def _split(group: Group, size: int, given: dict[str, int], sizes: dict[str, list[int]]) -> None:
    """The sizes of the names of one group: at most one is not given."""
    unknown = [name for name in group if name not in given and name != "1"]
    if len(unknown) > 1:
        raise ValueError(f"cannot infer the sizes of two dimensions at once {unknown[0]} and {unknown[1]}")
    known = math.prod([given[name] for name in group if name in given])
    if size % known if unknown and known else size != known and not unknown:
        shown = tuple(given.get(name, "?") for name in group)
        raise ValueError(f"inferred dimension does not evenly fit into larger dimension: {size} vs {shown}")
    for name in group:
        if name != "1":
            sizes[name] = [given[name] if name in given else size // known if known else 0]


def _sides(pattern: str) -> tuple[list[Group], list[Group]]:
    sides = pattern.split("->")
    if len(sides) != 2:  # what it was and what it becomes
        raise ValueError("Pattern must contain a single '->' separator")
    return _groups(sides[0]), _groups(sides[1])


def _groups(side: str) -> list[Group]:
    """One side of a pattern, a tuple of names for each dimension."""
    unknown = re.search(r"[^\w\s().…]", side)
    if unknown:
        raise ValueError(f"Unknown character '{unknown.group()}'")
    groups: list[Group] = []
    inside: list[str] | None = None
    for word in re.findall(r"\(|\)|\.\.\.|\w+", side):
        if word == "(":
            if inside is not None:
                raise ValueError("Axis composition is one-level (brackets inside brackets not allowed)")
            inside = []
        elif word == ")":
            if inside is None:
                raise ValueError("Brackets are not balanced")
            groups.append(tuple(inside))
            inside = None
        elif inside is not None:
            inside.append(_name(word))
        else:
            groups.append(Rest((word,)) if word == ELLIPSIS else (_name(word),) if word != "1" else ())
    if inside is not None:
        raise ValueError("Brackets are not balanced")
    return groups


def _name(word: str) -> str:
    if word.isdigit() and word != "1":
        raise ValueError("rearrange only supports unnamed axes of size 1")
    if word not in (ELLIPSIS, "1") and (not word.isidentifier() or word[0] == "_" or word[-1] == "_"):
        raise ValueError(f"Invalid axis identifier: {word}\naxis name should should not start or end with underscore")
    return word


def _check_names(left: list[Group], right: list[Group], pattern: str, given: dict[str, int]) -> None:
    sides = [[name for group in side for name in group if name != "1"] for side in (left, right)]
    for names in sides:
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"Indexing expression contains duplicate dimension '{name}'")
    if ELLIPSIS in sides[1] and ELLIPSIS not in sides[0]:
        raise ValueError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if any(ELLIPSIS in group and not isinstance(group, Rest) for group in left):
        raise ValueError(f"Ellipsis is parenthesis in the left side is not allowed: {pattern}")
    _refuse("Identifiers only on one side of rearrange expression (should be on both): ", set(sides[0]) ^ set(sides[1]))
    _refuse("Identifiers not found in rearrange expression: ", set(given) - set(sides[0]))


def _refuse(message: str, names: Sequence[str] | set[str]) -> None:
    if names:
        raise ValueError(message + str(set(names)))
