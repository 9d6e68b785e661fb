"""Tangents compared with differences, and what must hold of them whatever they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...core.slots import Work
from ...core.tensor import Tensor
from .. import forward_ad
from . import numeric
from .errors import BATCHED_FORWARD, GradcheckError, forward_mismatch
from .values import Directions, array_of, is_close, is_complex, like, outputs_of, tensor_of

BATCH = 2


def compare_forward(func: Callable, inputs: tuple, tolerances, is_fast: bool) -> None:
    """Compare all tangents of a function, by the imaginary parts of complex inputs first."""
    wanted = [i for i, t in enumerate(inputs) if isinstance(t, Tensor) and t._mt_requires]
    parts = (("imaginary", 1j), ("real", 1)) if any(is_complex(inputs[i]) for i in wanted) else ((None, 1),)
    for part, unit in parts:
        for place, i in enumerate(wanted):
            if part == "imaginary" and not is_complex(inputs[i]):
                continue
            _compare_one(func, inputs, (i, place), tolerances, is_fast, unit, part if is_complex(inputs[i]) else None)


def _compare_one(func: Callable, inputs: tuple, which: tuple[int, int], tolerances, is_fast: bool, unit: complex,
                 part: str | None) -> None:
    i, place = which
    t = inputs[i]
    zeros = {j: Work.zeros_like(other).detach() for j, other in enumerate(inputs)
             if isinstance(other, Tensor) and other._mt_requires}
    derived, differences = [], []
    for direction in _directions(t, is_fast):
        step = direction * unit
        derived.append(tangents_of(func, inputs, {**zeros, i: like(t, step)}))
        differences.append(numeric.differences(func, inputs, t, step * tolerances.eps, tolerances.eps))
    for number, out in enumerate(outputs_of(func, inputs) if derived else ()):
        analytic = tensor_of(np.stack([_values(row[number], out) for row in derived]), out.dtype)
        numbers = tensor_of(np.stack([row[number] for row in differences]), out.dtype)
        if not is_close(analytic, numbers, tolerances.rtol, tolerances.atol):
            raise GradcheckError(forward_mismatch(number, place, numbers, analytic, part))


def _directions(t: Tensor, is_fast: bool) -> Iterator[np.ndarray]:
    """Each element of an input, or one random direction."""
    shape, dtype = tuple(t.shape), array_of(t).real.dtype
    if is_fast:
        yield Directions().draw(t.numel(), dtype).reshape(shape)
        return
    for at in np.ndindex(shape):
        unit = np.zeros(shape, dtype)
        unit[at] = 1
        yield unit


def _values(tangent: Tensor | None, out: Tensor) -> np.ndarray:
    return np.zeros(out.numel(), out.dtype.numpy) if tangent is None else array_of(tangent).reshape(-1)


def tangents_of(func: Callable, inputs: tuple, tangents: dict[int, Tensor]) -> list[Tensor | None]:
    """The tangents of a function's results for tangents of some inputs; nothing requires a gradient meanwhile."""
    with forward_ad.dual_level():
        given = [t.detach() if isinstance(t, Tensor) and t._mt_requires else t for t in inputs]
        for i, tangent in tangents.items():
            given[i] = forward_ad.make_dual(given[i], tangent)
        return [forward_ad.unpack_dual(out).tangent for out in outputs_of(func, tuple(given))]


def check_takes_missing_tangents(func: Callable, inputs: tuple) -> None:
    """A tangent that is missing counts as zeros."""
    wanted, directions = [i for i, t in enumerate(inputs) if isinstance(t, Tensor) and t._mt_requires], Directions()
    tangents = {i: like(inputs[i], directions.draw(inputs[i].numel(), array_of(inputs[i]).dtype)) for i in wanted}
    for i in wanted:
        with_zeros = tangents_of(func, inputs, {**tangents, i: Work.zeros_like(inputs[i]).detach()})
        without = tangents_of(func, inputs, {j: tangent for j, tangent in tangents.items() if j != i})
        for number, (one, other) in enumerate(zip(with_zeros, without)):
            if one is not None and other is not None and not np.allclose(array_of(one), array_of(other)):
                raise GradcheckError(f"Mismatch in tangent values for output with index: {number} when input: "
                                     f"{inputs[i]} has an undefined tangent value.  Got: {one} but expected: {other}")


def check_tangents_go_in_batches(func: Callable, inputs: tuple) -> None:
    """Several tangents of one input at once give what each gives alone."""
    directions = Directions()
    for i, t in enumerate(inputs):
        if not isinstance(t, Tensor) or not t._mt_requires:
            continue

        def filled(tangent: Tensor, i: int = i) -> tuple[Tensor, ...]:
            derived, outputs = tangents_of(func, inputs, {i: tangent}), outputs_of(func, inputs)
            return tuple(Work.zeros_like(o).detach() if d is None else d for d, o in zip(derived, outputs))

        tangents = [like(t, directions.draw(t.numel(), array_of(t).dtype)) for _ in range(BATCH)]
        alone = [Work.stack(list(each)) for each in zip(*[filled(tangent) for tangent in tangents])]
        try:
            together = Work.vmap(filled)(Work.stack(tangents))
        except RuntimeError as error:
            raise GradcheckError(f"While computing batched gradients, got: {error}\n\n{BATCHED_FORWARD}") from error
        for number, (one, other) in enumerate(zip(together, alone)):
            if not np.allclose(array_of(one), array_of(other)):
                raise GradcheckError(f"For output {number} and input {i}:\n\n{BATCHED_FORWARD}\n\nGot:\n{one}\n\n"
                                     f"Expected:\n{other}")
