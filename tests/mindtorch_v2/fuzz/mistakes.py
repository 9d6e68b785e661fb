"""Deliberate mistakes in random calls; each changes the call as it likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import hints

if TYPE_CHECKING:
    from .generate import Draw


def is_tensor(value) -> bool:
    return isinstance(value, dict) and "tensor" in value


def _places(call: dict) -> list[tuple]:
    """Where arguments stand: container and key of each."""
    return [(call["args"], i) for i in range(len(call["args"]))] + [(call["kwargs"], k) for k in call["kwargs"]]


def _wrong_kind(draw: Draw, call: dict) -> None:
    if places := _places(call):
        holder, key = draw.rng.choice(places)
        holder[key] = draw.rng.choice(hints.WRONG)


def _tensor_or_number(draw: Draw, call: dict) -> None:
    """A number where a tensor was, a tensor where a number was."""
    if places := _places(call):
        holder, key = draw.rng.choice(places)
        number = draw.rng.choice(hints.NUMBERS + hints.STRANGE_NUMBERS)
        holder[key] = number if is_tensor(holder[key]) else draw.tensor(draw.rng.choice(([], [], [1], draw.base)))


def _other_shape(draw: Draw, call: dict) -> None:
    if tensors := [v for v in call["args"] if is_tensor(v)]:
        draw.rng.choice(tensors)["shape"] = list(draw.rng.choice(hints.SHAPES))


def _other_dtype(draw: Draw, call: dict) -> None:
    if tensors := [v for v in [*call["args"], *call["kwargs"].values()] if is_tensor(v)]:
        draw.rng.choice(tensors)["tensor"] = draw.rng.choice(hints.DTYPES)


def _missing(draw: Draw, call: dict) -> None:
    if call["args"]:
        call["args"].pop()


def _extra(draw: Draw, call: dict) -> None:
    call["args"].append(draw.rng.choice(hints.WRONG))


def _unknown_keyword(draw: Draw, call: dict) -> None:
    call["kwargs"][draw.rng.choice(hints.UNKNOWN_KEYWORDS)] = draw.rng.choice(hints.WRONG)


def _same_tensor(draw: Draw, call: dict) -> None:
    """The first tensor once more, or a part of it."""
    tensors = [i for i, v in enumerate(call["args"]) if is_tensor(v)]
    if len(tensors) > 1 and tensors[0] == 0:
        call["args"][tensors[1]] = draw.rng.choice(({"same": 0}, {"same": 0}, {"part": [0, 0, -1]},
                                                    {"part": [0, 1, None]}))


def _strange_number(draw: Draw, call: dict) -> None:
    numbers = [p for p in _places(call) if isinstance(p[0][p[1]], (int, float))]
    if numbers:
        holder, key = draw.rng.choice(numbers)
        holder[key] = draw.rng.choice(hints.STRANGE_NUMBERS)


MISTAKES = (_wrong_kind, _tensor_or_number, _other_shape, _other_dtype, _other_dtype, _missing, _extra,
            _unknown_keyword, _same_tensor, _strange_number)
