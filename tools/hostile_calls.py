"""The calls of a hostile campaign: which functions there are, and what the n-th call of a seed is."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from functools import cache, partial

import hostile_values as values

import mindtorch_v2 as torch
import mindtorch_v2.nn.functional as F  # noqa: N812
from mindtorch_v2.opdef import schema
from mindtorch_v2.opdef.table import OPS

# What only changes the process that calls it, or is not about torch.
LEFT_OUT = {"__class__", "__init_subclass__", "__subclasshook__", "__dict__", "__del__", "__getattribute__",
            "__getattr__", "set_num_threads", "set_num_interop_threads", "from_file"}
GIVEN = 0.5  # how often a parameter with a default is given a value
HOSTILE = 0.12  # how often a value of the right kind is replaced by another
GROUPS = {"aten": 10, "Tensor": 5, "torch": 5, "attribute": 1, "other": 1}  # how often each is drawn

_BY_KIND = {
    schema.TENSORS: values.tensors, schema.OPTIONAL_TENSORS: values.tensors, schema.SCALAR: values.number,
    schema.INT: lambda rng: rng.choice((0, 1, -1, 2, rng.choice(values.INTS))), schema.FLOAT: values.number,
    schema.FLOATS: values.numbers, schema.SCALARS: values.numbers,
    schema.BOOL: lambda rng: rng.random() < 0.5, schema.BOOLS: lambda rng: [True] * rng.randrange(5),
    schema.STR: lambda rng: rng.choice(("mean", "none", "sum", "tanh", "trunc", "")),
    schema.DTYPE: lambda rng: rng.choice(values.DTYPES), schema.DEVICE: lambda rng: "cpu",
    schema.LAYOUT: lambda rng: torch.strided, schema.GENERATOR: lambda rng: torch.Generator(),
    schema.FORMAT: lambda rng: rng.choice((torch.contiguous_format, torch.preserve_format, torch.channels_last)),
    schema.STORAGE: lambda rng: torch.ones(rng.randrange(5)).untyped_storage(),
}


class Call:
    """One call: a function, its arguments, and words to repeat it by."""

    def __init__(self, name: str, function: Callable, args: list, kwargs: dict):
        self.name, self.function, self.args, self.kwargs = name, function, args, kwargs

    def __call__(self):
        return self.function(*self.args, **self.kwargs)

    def __str__(self) -> str:
        given = [shown(a) for a in self.args] + [f"{name}={shown(value)}" for name, value in self.kwargs.items()]
        return f"{self.name}({', '.join(given)})"


def shown(value) -> str:
    """A value as one can read it in a report; hostile values refuse to be printed, and some tensors cannot be."""
    try:
        if isinstance(value, torch.Tensor):
            array = value._mt_array
            small = "" if array.size > 8 else f" {array.tolist()}"
            grad = " requires grad" if value._mt_requires else ""
            return f"<{type(value).__name__} {value.dtype} {array.shape} {array.strides}{small}{grad}>"
        if type(value) in (list, tuple) and len(value) < 10:
            return f"{type(value).__name__}[{', '.join(shown(v) for v in value)}]"
        return repr(value)[:60]
    except Exception:
        return f"<{type(value).__name__}>"


def call(seed: int, number: int) -> Call:
    """The call of this number: the same for the same seed, whatever was called before."""
    rng = random.Random(f"{seed}:{number}")
    groups = targets()
    group = groups[rng.choices(list(GROUPS), list(GROUPS.values()))[0]]
    return group[rng.randrange(len(group))](rng)


@cache
def targets() -> dict[str, list[Callable]]:
    """Everything callable by groups, as functions that make a Call of it."""
    packets = [getattr(torch.ops.aten, name) for name in sorted(OPS)]
    members = [name for name in sorted(dir(torch.Tensor)) if name not in LEFT_OUT]
    return {
        "aten": [partial(_op, f"aten.{packet.__name__}.{name}", getattr(packet, name))
                 for packet in packets for name in packet.overloads()],
        "Tensor": [partial(_method, torch.Tensor, name) for name in members],
        "torch": [partial(_function, f"{prefix}.{name}", name, value)
                  for prefix, holder in (("torch", torch), ("F", F), ("autograd", torch.autograd), ("nn", torch.nn))
                  for name, value in _functions(holder)],
        "attribute": [partial(_attribute, name) for name in members],
        "other": [partial(_method, cls, name)
                  for cls in (torch.Size, torch.UntypedStorage, torch.TypedStorage, torch.Generator)
                  for name in sorted(dir(cls)) if name not in LEFT_OUT],
    }


def _functions(holder):
    """What a module calls its own; the rest is only imported there."""
    for name in sorted(dir(holder)):
        value = getattr(holder, name)
        home = str(getattr(value, "__module__", "torch") or "torch")
        is_own = callable(value) and home.startswith(("mindtorch_v2", "torch"))
        if is_own and name not in LEFT_OUT and not name.startswith("__"):
            yield name, value


def _op(name: str, overload, rng: random.Random) -> Call:
    """An aten op by its schema, with some of its arguments of another kind."""
    return Call(name, overload, *_by_schema(overload.op.schema.params, values.tensor(rng), rng))


def _by_schema(params, common, rng: random.Random) -> tuple[list, dict]:
    args, kwargs = [], {}
    for p in params:
        is_given = not p.has_default or rng.random() < GIVEN
        if p.keyword_only:
            if is_given:
                kwargs[p.name] = _value(p, common, rng)
        else:
            args.append(_value(p, common, rng) if is_given else p.default)
    return args, kwargs


def _value(param, common, rng: random.Random):
    if rng.random() < HOSTILE:
        return values.anything(rng)
    if param.optional and rng.random() < 0.3:
        return None
    if param.kind == schema.TENSOR:
        return rng.choice((common, common, common.detach().clone(), values.tensor(rng), values.index(rng)))
    if param.kind == schema.INTS:
        return rng.choice((tuple(common.shape), (0,), (1, 0), values.ints(rng)))
    return _BY_KIND[param.kind](rng)


def _function(name: str, short: str, function: Callable, rng: random.Random) -> Call:
    """A function by the schema of the op of its name, by its own parameters, or with a few values."""
    if short in OPS and rng.random() < 0.7:
        params = rng.choice(OPS[short]).schema.params
        return Call(name, function, *_by_schema(params, values.tensor(rng), rng))
    return Call(name, function, *_by_signature(function, rng))


def _by_signature(function, rng: random.Random) -> tuple[list, dict]:
    try:
        params = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        params = []
    named = [p for p in params if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not named:
        return [_first(rng) for _ in range(rng.randrange(5))], {}
    args, kwargs = [], {}
    for p in named:
        if p.default is p.empty:
            args.append(_first(rng))
        elif rng.random() < GIVEN:
            kwargs[p.name] = values.anything(rng)
    return args, kwargs


def _first(rng: random.Random):
    """What most functions take first."""
    return values.tensor(rng) if rng.random() < 0.5 else values.anything(rng)


def _method(cls: type, name: str, rng: random.Random) -> Call:
    self = _instance(cls, rng)
    shown_name = f"{shown(self)}.{name}"
    try:
        member = getattr(self, name)
    except Exception:
        member = None
    if not callable(member):
        return Call(shown_name, partial(getattr, self, name), [], {})
    if cls is torch.Tensor and name in OPS:
        args, kwargs = _by_schema(rng.choice(OPS[name]).schema.params, self, rng)
        return Call(shown_name, member, args[1:], kwargs)
    return Call(shown_name, member, *_by_signature(member, rng))


def _instance(cls: type, rng: random.Random):
    if cls is torch.Tensor:
        return values.tensor(rng) if rng.random() < 0.8 else values.index(rng)
    if cls is torch.Size:
        return torch.Size([2, 3])
    if cls is torch.UntypedStorage:
        return values.tensor(rng).untyped_storage()
    return torch.ones(3)._typed_storage() if cls is torch.TypedStorage else torch.Generator()


def _attribute(name: str, rng: random.Random) -> Call:
    """Write or delete a member of a tensor, then use the tensor."""
    tensor, value, deletes = values.tensor(rng), values.anything(rng), rng.random() < 0.3

    def change():
        try:
            if deletes:
                delattr(tensor, name)
            else:
                setattr(tensor, name, value)
        finally:
            (tensor + tensor).sum()

    name_shown = f"del {shown(tensor)}.{name}" if deletes else f"{shown(tensor)}.{name} = {shown(value)}; "
    return Call(name_shown, change, [], {})
