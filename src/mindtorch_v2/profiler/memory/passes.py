"""Passes over the steps of a memory profile in which each step depends on those before it.

Everything else about memory is array code; these are loops, compiled with the types of passes.pxd. A step's edges lie
from ``first[step]`` up to ``first[step + 1]``; of each, ``read`` and ``written`` are the values that came in and went
out, or -1. ``category`` holds the category of every value, 0 for none yet.
"""

from __future__ import annotations

from .keys import Category

NONE = -1
INPUT, TEMPORARY, ACTIVATION = Category.INPUT.value, Category.TEMPORARY.value, Category.ACTIVATION.value
GRADIENT, PARAMETER = Category.GRADIENT.value, Category.PARAMETER.value
AUTOGRAD_DETAIL = Category.AUTOGRAD_DETAIL.value


def outermost(parent, marked, top) -> None:
    """For every node the outermost marked node that it is or lies in, or -1; parents stand before their children."""
    for i in range(len(parent)):
        above = parent[i]
        if above >= 0 and top[above] >= 0:
            top[i] = top[above]
        else:
            top[i] = i if marked[i] else NONE


def reach_learned(first, read, written, category, reached) -> None:
    """Mark the values of steps that touch a gradient or parameter, or a value that a later step so marked."""
    for step in range(len(first) - 2, -1, -1):
        if touches_learned(first[step], first[step + 1], read, written, category, reached):
            for i in range(first[step], first[step + 1]):
                if read[i] >= 0:
                    reached[read[i]] = 1
                if written[i] >= 0:
                    reached[written[i]] = 1


def touches_learned(begin, end, read, written, category, reached) -> bool:
    """Whether one of these edges has a gradient, a parameter, or a value that was reached."""
    for i in range(begin, end):
        if is_learned(read[i], category, reached) or is_learned(written[i], category, reached):
            return True
    return False


def is_learned(value, category, reached) -> bool:
    """Whether there is a value, and it is a gradient, a parameter, or was reached."""
    return value >= 0 and (reached[value] or category[value] == GRADIENT or category[value] == PARAMETER)


def spread(waiting, n_waiting, first, read, written, tensor, depends) -> int:
    """Let whatever a step writes depend on what it reads; how many of the waiting steps wait on, the first ones."""
    left = 0
    for at in range(n_waiting):
        step = waiting[at]
        begin, end = first[step], first[step + 1]
        does_depend = False
        for i in range(begin, end):
            if read[i] >= 0 and depends[tensor[i]]:
                does_depend = True
        if not does_depend:
            waiting[left] = step
            left += 1
            continue
        for i in range(begin, end):
            if written[i] >= 0:
                depends[tensor[i]] = 1
    return left


def reach_gradients(first, read, written, category, needed) -> None:
    """Mark what is read to make a gradient, or to make something so marked."""
    for step in range(len(first) - 2, -1, -1):
        begin, end = first[step], first[step + 1]
        is_needed = False
        for i in range(begin, end):
            value = written[i]
            if value >= 0 and (needed[value] or category[value] == GRADIENT):
                is_needed = True
        if is_needed:
            for i in range(begin, end):
                if read[i] >= 0:
                    needed[read[i]] = 1


def follow_inputs(first, read, written, in_backward, category, forward, met) -> None:
    """Mark what comes of values marked ``forward``, and as ``met`` what takes part in that without being either."""
    for step in range(len(first) - 1):
        begin, end = first[step], first[step + 1]
        if in_backward[step] or not goes_forward(begin, end, read, written, category, forward):
            continue
        for i in range(begin, end):
            if written[i] >= 0:
                forward[written[i]] = 1
        for i in range(begin, end):
            if read[i] >= 0 and not forward[read[i]]:
                met[read[i]] = 1


def goes_forward(begin, end, read, written, category, forward) -> bool:
    """Whether these edges read something marked, and have no gradient."""
    reads_marked = False
    for i in range(begin, end):
        if (read[i] >= 0 and category[read[i]] == GRADIENT) or (written[i] >= 0 and category[written[i]] == GRADIENT):
            return False
        if read[i] >= 0 and forward[read[i]]:
            reads_marked = True
    return reads_marked


def spread_activations(first, read, written, in_backward, category) -> None:
    """What is made going forward from inputs and other activations, with nothing else than parameters."""
    for step in range(len(first) - 1):
        begin, end = first[step], first[step + 1]
        if not in_backward[step] and activates(begin, end, read, category):
            for i in range(begin, end):
                if written[i] >= 0 and category[written[i]] == 0:
                    category[written[i]] = ACTIVATION


def activates(begin, end, read, category) -> bool:
    """Whether inputs or activations are read, and nothing of another kind but parameters and temporaries."""
    reads_any = False
    for i in range(begin, end):
        if read[i] >= 0:
            kind = category[read[i]]
            if kind == INPUT or kind == ACTIVATION:
                reads_any = True
            elif kind != PARAMETER and kind != TEMPORARY:
                return False
    return reads_any


def spread_autograd_detail(first, read, written, in_backward, category) -> None:
    """What is made going back and has no better name; a further version has one if the version before has."""
    for step in range(len(first) - 1):
        if in_backward[step]:
            for i in range(first[step], first[step + 1]):
                value = written[i]
                if value >= 0 and category[value] == 0 and (
                        read[i] < 0 or category[read[i]] == 0 or category[read[i]] == AUTOGRAD_DETAIL):
                    category[value] = AUTOGRAD_DETAIL
