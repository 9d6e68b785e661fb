"""What becomes of an op's arguments when some are tensors without values: their mode, their device, known numbers."""

from __future__ import annotations

import threading
from typing import Any

from ..core.device import device
from ..core.mode_stack import DisableTorchDispatch
from ..core.tensor import Tensor, ndim_of, numel_of
from ..utils._pytree import tree_flatten, tree_map_only
from .fake_errors import DataDependentOutputException, FakeTensorDeviceMismatchError

META = device("meta")
# Ops that answer with a Python value.
_READ_VALUES = frozenset(("_local_scalar_dense", "allclose", "equal", "is_nonzero", "item"))
# Ops whose result is where their first argument is, wherever the others are.
_FIRST_SAYS_WHERE = frozenset(("copy_", "index", "index_put", "index_put_", "set_"))
# Tensors of one element that were made of Python's numbers remember them up to this size.
CONSTANT_NUMEL_LIMIT = 1


class OnMeta(DisableTorchDispatch):
    """A block in which tensors without values say that they are on the meta device, as kernels want it."""

    depth = threading.local()

    def __enter__(self) -> None:
        self.depth.here = self.is_entered() + 1
        super().__enter__()

    def __exit__(self, *failure) -> None:
        self.depth.here -= 1
        super().__exit__(*failure)

    @classmethod
    def is_entered(cls) -> int:
        """How many such blocks stand around, on this thread."""
        return getattr(cls.depth, "here", 0)


def fakes_of(*values: Any) -> list[Tensor]:
    """All tensors without values in arguments."""
    return [leaf for leaf in tree_flatten(values)[0] if hasattr(leaf, "fake_device")]


def only_mode(modes: list) -> Any:
    """The one mode of all tensors without values of an op."""
    for mode in modes[1:]:
        if mode is not modes[0]:
            raise AssertionError(f"Mixing fake modes NYI x.fake_mode={mode!r} vs self={modes[0]!r}")
    return modes[0]


def as_place(place: device | str) -> device:
    """A device with its number, where such devices are numbered."""
    place = device(place)
    return device(place.type, 0) if place.index is None and place.type not in ("cpu", "meta") else place


def common_device(func: Any, fakes: list[Tensor]) -> device | None:
    """Where the result of an op is; numbers on the CPU go anywhere. None without tensors."""
    if not fakes:
        return None
    if base_name(func) in _FIRST_SAYS_WHERE:
        return fakes[0].fake_device
    leader = None
    for fake in fakes:
        if leader is None or leader.fake_device.type == "cpu" and ndim_of(leader) == 0:
            leader = fake
        elif fake.fake_device != leader.fake_device and not (fake.fake_device.type == "cpu" and ndim_of(fake) == 0):
            raise FakeTensorDeviceMismatchError(
                "Expected all tensors to be on the same device, but found at least two devices, "
                f"{leader.fake_device} and {fake.fake_device}!")
    return leader.fake_device


def base_name(func: Any) -> str:
    """The name of an overload's op: add of aten.add.Tensor."""
    return str(func).split(".")[1]


def refuse_values(func: Any) -> None:
    """torch's complaint about an op that answers with a value."""
    if base_name(func) in _READ_VALUES:
        raise DataDependentOutputException(func)


def answer_of_constants(func: Any, args: tuple, kwargs: dict) -> Any:
    """What an op makes of tensors whose values are known; None where some are not, or the answer is drawn."""
    fakes = fakes_of(args, kwargs)
    parameters = func._schema.arguments
    if not fakes or any(fake.constant is None for fake in fakes) or any(p.name == "generator" for p in parameters) \
            or kwargs.get("device") is not None:
        forget_written(func, args)
        return None
    with DisableTorchDispatch():
        answer = func(*_constants(args), **_constants(kwargs))
    if isinstance(answer, Tensor) and numel_of(answer) > CONSTANT_NUMEL_LIMIT:
        return None
    return answer


def forget_written(func: Any, args: tuple) -> None:
    """A tensor that an op writes to is not what it was."""
    for parameter, value in zip(func._schema.arguments, args):
        written = parameter.alias_info is not None and parameter.alias_info.is_write
        if written and getattr(value, "constant", None) is not None:
            value.constant = None


def _constants(values: Any) -> Any:
    return tree_map_only(Tensor, lambda tensor: tensor.constant, values)


def put_storage(fake: Tensor, storage: Any, offset: int = 0, size: tuple | None = None,
                stride: tuple | None = None) -> Tensor:
    """Show memory with values by a tensor without: as much of it, in the same steps."""
    n = storage.nbytes() // fake.element_size()
    with OnMeta():
        memory = Tensor.new_empty(fake, (n,), device=META)
        fake.set_(memory if size is None else memory.as_strided(tuple(size), tuple(stride), offset))
    return fake
