"""What becomes of tensors given as ``out=``: of other types, shapes and strides than the result, on any library."""

from __future__ import annotations

import importlib
import pathlib
import re
import warnings

import observe  # the recorder has no package around it

HERE = pathlib.Path(__file__).parent
TYPES = ("float64", "float16", "int32", "bool", "complex64")
WAYS = ("resized", "turned", "expanded", "input", *TYPES, "second int32")
UNDEFINED = ("expanded", "input")  # memory that is written twice, or while it is read: values are not to be relied on
_OUT = re.compile(r"\bout=(?:[(\[]([\w, ]+)[)\]]|(\w+))")


def samples() -> dict:
    """The first sample of every op that is called with ``out=``, by its name."""
    found = {}
    for path in sorted((HERE / "samples").glob("*/out_forms.py")):
        for op, rows in importlib.import_module(f"samples.{path.parent.name}.out_forms").SAMPLES.items():
            if outs_of(rows[0]):
                found[op] = rows[0]
    return found


def outs_of(sample) -> list[str]:
    """The names of the inputs that are written."""
    match = _OUT.search(sample.expression)
    return (match.group(1) or match.group(2)).split(", ") if match else []


def given(torch, way: str, outs: list, shapes: list, inputs: dict) -> list | None:
    """Other tensors in the place of those that are written; None where there is nothing of the kind."""
    if way == "resized":
        return [torch.ones(7, dtype=out.dtype) for out in outs]
    if way == "turned":
        return [torch.zeros(shape[::-1], dtype=out.dtype).permute(list(range(len(shape)))[::-1])
                for out, shape in zip(outs, shapes)] if len(shapes[0]) > 1 else None
    if way == "expanded":
        return [torch.zeros((1,) * len(shape), dtype=out.dtype).expand(shape) for out, shape in zip(outs, shapes)]
    if way == "input":
        fits = [t for t in inputs.values() if t.dtype == outs[0].dtype and list(t.shape) == shapes[0]]
        return [fits[0], *outs[1:]] if fits else None
    if way in TYPES:
        return [outs[0].to(getattr(torch, way)), *outs[1:]]
    return [outs[0], outs[1].to(torch.int32), *outs[2:]] if len(outs) > 1 else None


def observed(torch, sample, way: str) -> dict | None:
    """What a call gives, its warnings and its error."""
    names = outs_of(sample)
    result = observe.evaluate(torch, sample, observe.Builders(torch).inputs(sample))
    shapes = [list(t.shape) for t in observe.tensors_of(torch, result)]
    inputs = observe.Builders(torch).inputs(sample)
    others = {name: value for name, value in inputs.items() if name not in names}
    outs = given(torch, way, [inputs[name] for name in names], shapes, others)
    if outs is None:
        return None
    inputs.update(zip(names, outs))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = observe.attempt(_described, torch, sample, inputs, way not in UNDEFINED)
    return {**answer, "warnings": [str(warning.message).split(" (Triggered internally")[0] for warning in told]}


def _described(torch, sample, inputs: dict, with_values: bool) -> dict:
    result = observe.evaluate(torch, sample, inputs)
    values = {"value": observe.encode(torch, result)} if with_values else {}
    return {"described": observe.described(torch, result), **values}
