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

# Named for what they do to the process that calls them.
LEFT_OUT = {"__class__", "__init_subclass__", "__subclasshook__", "__dict__", "__del__", "__getattribute__", "__getattr__",
            "set_num_threads", "set_num_interop_threads", "from_file"}
KEPT_OPTIONS = 0.5  # how often a parameter with a default is given a value
HOSTILE = 0.12  # how often a value of the right kind is replaced by another

_BY_KIND = {
    schema.TENSOR: values.tensor, schema.TENSORS: values.tensors, schema.OPTIONAL_TENSORS: values.tensors,
    schema.SCALAR: values.number, schema.INT: values.number, schema.INTS: values.ints, schema.FLOAT: values.number,
    schema.FLOATS: lambda rng: [values.number(rng) for _ in range(rng.randrange(4))],
    schema.BOOL: lambda rng: rng.random() < 0.5, schema.BOOLS: lambda rng: [True] * rng.randrange(5),
    schema.STR: lambda rng: rng.choice(("mean", "none", "sum", "tanh", "trunc", "")),
    schema.DTYPE: lambda rng: rng.choice(values.DTYPES),
    schema.STORAGE: lambda rng: torch.ones(rng.randrange(5)).untyped_storage(),
    schema.SCALARS: lambda rng: [values.number(rng) for _ in range(rng.randrange(4))],
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


@cache
def targets() -> list[tuple[str, Callable]]:
    """Everything callable, by name: (name, what makes a Call of it)."""
    found = []
    for prefix, holder in (("torch", torch), ("F", F), ("torch.autograd", torch.autograd), ("torch.nn", torch.nn)):
        found += [(f"{prefix}.{name}", partial(_function, f"{prefix}.{name}", value)) for name, value in _members(holder)]
    for name, overloads in sorted(OPS.items()):
        packet = getattr(torch.ops.aten, name)
        found += [(f"aten.{name}.{one}", partial(_op, f"aten.{name}.{one}", getattr(packet, one)))
                  for one in packet.overloads()]
    for cls in (torch.Tensor, torch.Size, torch.UntypedStorage, torch.TypedStorage, torch.Generator):
        found += [(f"{cls.__name__}.{name}", partial(_method, cls, name)) for name in sorted(dir(cls)) if name not in LEFT_OUT]
    found += [(f"Tensor.{name} =", partial(_attribute, name)) for name in sorted(dir(torch.Tensor)) if name not in LEFT_OUT]
    return found


def _members(holder):
    for name in sorted(dir(holder)):
        value = getattr(holder, name)
        if callable(value) and name not in LEFT_OUT and not (name.startswith("__") or _is_other(value)):
            yield name, value


def _is_other(value) -> bool:
    """Whether something is only imported into a module."""
    return not str(getattr(value, "__module__", "torch") or "torch").startswith(("mindtorch_v2", "torch"))


def call(seed: int, number: int) -> Call:
    """The call of this number: the same for the same seed, whatever was called before."""
    rng = random.Random(f"{seed}:{number}")
    every = targets()
    return every[rng.randrange(len(every))][1](rng)


def _op(name: str, overload, rng: random.Random) -> Call:
    """An aten op by its schema, with some of its arguments of another kind."""
    args, kwargs = [], {}
    common = values.tensor(rng)
    for p in overload.op.schema.params:
        if p.has_default and rng.random() > KEPT_OPTIONS:
            if p.keyword_only:
                continue
            value = p.default
        else:
            value = _value(p.kind, common, rng)
        if p.keyword_only:
            kwargs[p.name] = value
        else:
            args.append(value)
    return Call(name, overload, args, kwargs)


def _value(kind: int, common, rng: random.Random):
    if rng.random() < HOSTILE:
        return values.anything(rng)
    if kind == schema.TENSOR:
        return rng.choice((common, common.detach().clone(), values.tensor(rng), values.index(rng)))
    if kind == schema.INT:
        return rng.choice((0, 1, -1, 2, values.number(rng)))
    if kind == schema.INTS:
        return rng.choice((tuple(common.shape), (0,), (1, 0), values.ints(rng)))
    return _BY_KIND.get(kind, values.odd)(rng)


def _function(name: str, function: Callable, rng: random.Random) -> Call:
    """A function of Python's, by its parameters; where it names none, with a few values."""
    return Call(name, function, *_arguments(function, rng))


def _arguments(function, rng: random.Random) -> tuple[list, dict]:
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
        elif rng.random() < KEPT_OPTIONS:
            kwargs[p.name] = values.anything(rng)
    return args, kwargs


def _first(rng: random.Random):
    """What most functions take first."""
    return values.tensor(rng) if rng.random() < 0.5 else values.anything(rng)


def _method(cls: type, name: str, rng: random.Random) -> Call:
    self = _instance(cls, rng)
    try:
        member = getattr(self, name)
    except Exception:
        member = partial(getattr, self, name)
    if not callable(member):
        return Call(f"{cls.__name__}.{name}", partial(getattr, self, name), [], {})
    args, kwargs = _arguments(member, rng)
    return Call(f"<{shown(self)}>.{name}", member, args, kwargs)


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
    tensor = values.tensor(rng)
    value = values.anything(rng)

    def write():
        try:
            setattr(tensor, name, value) if rng.random() < 0.7 else delattr(tensor, name)
        finally:
            (tensor + tensor).sum()

    return Call(f"{shown(tensor)}.{name} = {shown(value)} or deleted", write, [], {})
