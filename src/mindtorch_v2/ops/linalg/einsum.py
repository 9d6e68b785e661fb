# cython: annotation_typing=False
"""Einstein sums: operands permuted to one order of labels, then multiplied pair by pair as batches of matrices."""

from __future__ import annotations

from functools import lru_cache

from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ELLIPSIS = "..."


class Einsum(Op):
    """Sums of products, said by labels of dimensions."""

    schema = "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"
    internal = "torch.einsum takes its operands one by one"

    def body(equation, tensors, path):
        if not tensors:
            raise RuntimeError("einsum(): must provide at least one operand")
        inputs, kept, summed, last = _plan(equation, tuple([ndim_of(t) for t in tensors]))
        sizes: dict = {}
        operands = [_aligned(t, labels, kept + summed, sizes, i) for i, (t, labels) in enumerate(zip(tensors, inputs))]
        return _contract(operands, kept, summed, last)


@lru_cache  # a program has few equations, and calls them often
def _plan(equation: str, ndims: tuple[int, ...]) -> tuple[list, list, list, dict]:
    """The labels of each operand, those of the result, those that are summed, and who is the last to have these."""
    inputs, output = read(equation)
    _check_count(inputs, ndims)
    inputs = [_expand_ellipsis(labels, ndim, i) for i, (labels, ndim) in enumerate(zip(inputs, ndims))]
    kept, summed = _order(inputs, output)
    return inputs, kept, summed, {label: max([i for i, labels in enumerate(inputs) if label in labels])
                                  for label in summed}


def read(equation: str) -> tuple[list[list[str]], list[str] | None]:
    """The labels of each operand and of the result; None where the equation does not name the result."""
    inputs: list[list[str]] = [[]]
    output, now, i = None, inputs[0], 0
    while i < len(equation):
        c = equation[i]
        if equation.startswith(ELLIPSIS, i):
            if ELLIPSIS in now:
                where = "the output" if now is output else f"operand {len(inputs) - 1}"
                raise RuntimeError(f"einsum(): found '.' for {where} for which an ellipsis was already found")
            now.append(ELLIPSIS)
            i += 2
        elif c == "." :
            where = "the output" if output is not None else f"operand {len(inputs) - 1}"
            raise RuntimeError(f"einsum(): found '.' for {where} that is not part of any ellipsis")
        elif c == "," and output is None:
            inputs.append([])
            now = inputs[-1]
        elif equation.startswith("->", i) and output is None:
            output = now = []
            i += 1
        elif c in LETTERS:
            if now is output and c in now:
                raise RuntimeError(f"einsum(): output subscript {c} appears more than once in the output")
            now.append(c)
        elif c != " ":
            raise RuntimeError(f"einsum(): invalid subscript given at index {i} in the equation string, subscripts "
                               "must be in [a-zA-Z]")
        i += 1
    return inputs, output


def _check_count(inputs, given) -> None:
    if len(inputs) != len(given):
        word = "fewer" if len(given) < len(inputs) else "more"
        raise RuntimeError(f"einsum(): {word} operands were provided than specified in the equation")


def _expand_ellipsis(labels: list, ndim: int, number: int) -> list:
    """Labels with one number for each dimension an ellipsis stands for, counted from its end."""
    named = len(labels) - (ELLIPSIS in labels)
    if ELLIPSIS not in labels:
        if named != ndim:
            raise RuntimeError(f"einsum(): the number of subscripts in the equation ({named}) does not match the "
                               f"number of dimensions ({ndim}) for operand {number} and no ellipsis was given")
        return labels
    if named > ndim:
        raise RuntimeError(f"einsum(): the number of subscripts in the equation ({named}) is more than the number of "
                           f"dimensions ({ndim}) for operand {number}")
    at, extra = labels.index(ELLIPSIS), ndim - named
    return labels[:at] + list(range(extra - 1, -1, -1)) + labels[at + 1:]


def _order(inputs: list[list], output: list | None) -> tuple[list, list]:
    """The labels of the result in order, and those that are summed, in the order of the alphabet."""
    used = [label for labels in inputs for label in labels]
    dots = sorted({label for label in used if isinstance(label, int)}, reverse=True)
    letters = sorted({label for label in used if not isinstance(label, int)}, key=LETTERS.index)
    if output is None:
        kept = dots + [label for label in letters if used.count(label) == 1]
    else:
        for label in output:
            if label != ELLIPSIS and label not in used:
                raise RuntimeError(f"einsum(): output subscript {label} does not appear in the equation for any input "
                                   "operand")
        kept = [part for label in output for part in (dots if label == ELLIPSIS else [label])]
    return kept, [label for label in dots + letters if label not in kept]


def _aligned(t, labels: list, order: list, sizes: dict, number: int):
    """An operand with its dimensions in the common order, ones where it lacks a label."""
    seen: list = []
    for label in labels:
        if label in seen:
            at = seen.index(label)
            sizes_here = shape_of(t)[at], shape_of(t)[len(seen)]
            if sizes_here[0] != sizes_here[1]:
                raise RuntimeError(f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't "
                                   f"match, {sizes_here[1]} != {sizes_here[0]}")
            t = aten.movedim(aten.diagonal(t, 0, at, len(seen)), -1, at)
        else:
            seen.append(label)
    for label, size in zip(seen, shape_of(t)):
        known = sizes.setdefault(label, size)
        if known != size and 1 not in (known, size):
            raise RuntimeError(f"einsum(): subscript {label if not isinstance(label, int) else ELLIPSIS} has "
                               f"size {size} for operand {number} which does not broadcast with previously seen size "
                               f"{known}")
        if known == 1:
            sizes[label] = size
    for label in order:
        if label not in seen:
            t = aten.unsqueeze(t, ndim_of(t))
            seen.append(label)
    return aten.permute(t, tuple([seen.index(label) for label in order]))


def _contract(operands, kept: list, summed: list, last: dict):
    first = len(kept)
    product = operands[0]
    if len(operands) == 1:
        return aten.sum(product, tuple(range(first, first + len(summed)))) if summed else product
    lone = tuple(first + i for i, label in enumerate(summed) if last[label] == 0)
    if lone:
        product = aten.sum(product, lone, True)
    operands[0] = None
    for number in range(1, len(operands)):
        done = [first + i for i, label in enumerate(summed) if last[label] == number]
        product = pair(product, operands[number], done)
        operands[number] = None
    return aten.view(product, shape_of(product)[:first]) if summed else product


def pair(left, right, summed):
    """The sum of products of two aligned operands over some dimensions, which stay behind with size one."""
    a, b = shape_of(left), shape_of(right)
    alone = tuple(d for d in summed if a[d] != 1 and b[d] == 1)
    if alone:
        left = aten.sum(left, alone, True)
    alone = tuple(d for d in summed if b[d] != 1 and a[d] == 1)
    if alone:
        right = aten.sum(right, alone, True)
    summed = [d for d in summed if a[d] != 1 and b[d] != 1]
    if not summed:
        return aten.mul.call2(left, right)
    free = [d for d in range(len(a)) if d not in summed]
    both = [d for d in free if shape_of(left)[d] != 1 and shape_of(right)[d] != 1]
    mine = [d for d in free if shape_of(left)[d] != 1 and shape_of(right)[d] == 1]
    theirs = [d for d in free if shape_of(left)[d] == 1]
    if mine and theirs and theirs[-1] < mine[0]:  # the result then lies in order
        left, right, mine, theirs = right, left, theirs, mine
    a, b = shape_of(left), shape_of(right)
    batch, rows = _product(a, both), _product(a, mine)
    inner, cols = _product(a, summed), _product(b, theirs)
    left = aten.reshape(aten.permute(left, (*both, *mine, *summed, *theirs)), (batch, rows, inner))
    right = aten.reshape(aten.permute(right, (*both, *summed, *theirs, *mine)), (batch, inner, cols))
    shape = [a[d] for d in both] + [a[d] for d in mine] + [1] * len(summed) + [b[d] for d in theirs]
    order = both + mine + summed + theirs
    product = aten.view(aten.bmm.call2(left, right), tuple(shape))
    return aten.permute(product, tuple([order.index(d) for d in range(len(order))]))


def _product(shape, dims) -> int:
    total = 1
    for d in dims:
        total *= shape[d]
    return total
