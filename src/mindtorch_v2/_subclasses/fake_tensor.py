"""torch._subclasses.fake_tensor: tensors that have shapes, types and devices, but no values.

A fake keeps its shape on the meta device and says which device it stands for. Ops on fakes go by the meta device,
below autograd, so that gradients work; what depends on values raises.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.default_device import get_default_device
from ..core.device import CPU, device, strided
from ..core.missing_name import missing as _missing
from ..core.mode_stack import TorchDispatchMode, pop, push
from ..core.overrides import disabled_function, stacks
from ..core.slots import Work
from ..core.tensor import Tensor, numel_of, place_of, shape_of
from ..devices.facts import ValuesNeededError
from ..nn.parameter import Parameter
from ..ops.python.convert import text_without_values
from ..utils._python_dispatch import is_traceable_wrapper_subclass
from ..utils._pytree import tree_flatten, tree_map_only
from .fake_errors import (
    DynamicOutputShapeException,
    UnsupportedFakeTensorException,
)
from .fake_rules import (
    CONSTANT_NUMEL_LIMIT,
    META,
    OnMeta,
    answer_of_constants,
    as_place,
    base_name,
    common_device,
    fakes_of,
    only_mode,
    put_storage,
    refuse_values,
)


class FakeTensor(Tensor):
    """A tensor without values that stands for one on another device."""

    __torch_function__ = disabled_function

    def __new__(cls, fake_mode: FakeTensorMode, elem: Tensor, device: device | str,  # noqa: D102
                constant: Tensor | None = None, real_tensor: Tensor | None = None, pytype: type | None = None,
                dispatch_keys: object = None) -> FakeTensor:
        if place_of(elem).type != "meta":
            raise AssertionError(f"elem.device.type must be 'meta', got {place_of(elem).type}")
        with OnMeta():
            fake = Tensor._make_subclass(cls, elem, elem.requires_grad)
        fake.fake_device = as_place(device)
        fake.fake_mode, fake.constant, fake.real_tensor, fake.pytype = fake_mode, constant, real_tensor, pytype
        fake._nonzero_memo = fake._item_memo = None
        return fake

    @property
    def device(self) -> device:
        """Where the tensor would be; kernels of the meta device see that it is there."""
        return META if OnMeta.is_entered() else self.fake_device

    @property
    def is_cpu(self) -> bool:
        return self.device.type == "cpu"

    @property
    def is_cuda(self) -> bool:
        return self.device.type == "cuda"

    @property
    def is_meta(self) -> bool:
        return self.device.type == "meta"

    @classmethod
    def from_tensor(cls, t: Tensor, fake_mode: FakeTensorMode) -> FakeTensor:
        """The fake of a tensor in a mode."""
        return fake_mode.from_tensor(t)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        mode = only_mode([fake.fake_mode for fake in fakes_of(args, kwargs)])
        if mode in stacks.dispatch:  # it has passed already
            return NotImplemented
        with mode:
            return func(*args, **(kwargs or {}))

    def tolist(self) -> Any:
        """The values that are known as Python's; raises about others."""
        if self.dim() == 0:
            return self.item()
        return [row.tolist() for row in self.unbind(0)]

    def data_ptr(self) -> int:
        """0: there is no memory."""
        return 0

    def numpy(self, *, force: bool = False):
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        text = text_without_values(self, "FakeTensor", str(self.fake_device))
        return f"Parameter({text})" if getattr(self, "_is_param", False) else text

    __str__ = __repr__

    def __deepcopy__(self, memo: dict) -> FakeTensor:
        if id(self) not in memo:
            with OnMeta():
                elem = self.detach().clone()
            copied = FakeTensor(self.fake_mode, elem, self.fake_device, self.constant)
            memo[id(self)] = _like_in_autograd(copied, self)
        return memo[id(self)]


class FakeTensorMode(TorchDispatchMode):
    """While it is entered, new tensors are fakes, and so are the results of ops on fakes."""

    supports_higher_order_operators = True

    def __init__(self, *, allow_fallback_kernels: bool = True, allow_non_fake_inputs: bool = False,
                 shape_env: object = None, static_shapes: bool | None = None, export: bool = False) -> None:
        super().__init__()
        if shape_env is not None:
            raise NotImplementedError("fake tensors in mindtorch_v2 have shapes of numbers: leave shape_env out")
        self.allow_fallback_kernels, self.allow_non_fake_inputs = allow_fallback_kernels, allow_non_fake_inputs
        self.shape_env, self.static_shapes, self.export = None, True, export
        self.fake_tensor_converter = FakeTensorConverter()

    def __enter__(self) -> FakeTensorMode:
        self._entered = [*getattr(self, "_entered", []), self not in stacks.dispatch[-1:]]
        if self._entered[-1]:
            push(self)
        return self

    def __exit__(self, *failure) -> None:
        if self._entered.pop():
            pop(TorchDispatchMode)

    def from_tensor(self, tensor: Tensor, *, static_shapes: bool | None = None, source: object = None,
                    symbolic_context: object = None, trace: bool = True) -> FakeTensor:
        """The fake of a tensor: one for each tensor, and views of one are views of one."""
        return self.fake_tensor_converter.from_real_tensor(self, tensor)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        leaves = tree_flatten((args, kwargs))[0]
        if any(isinstance(leaf, Tensor) and not isinstance(leaf, FakeTensor)
               and is_traceable_wrapper_subclass(leaf) for leaf in leaves):
            return NotImplemented
        fakes = fakes_of(leaves)
        only_mode([self, *(fake.fake_mode for fake in fakes)])
        name = base_name(func)
        if name in ("lift_fresh", "lift_fresh_copy") and not fakes:
            return self.fake_tensor_converter.of_literal(self, args[0])
        if name == "set_" and len(args) > 1 and not isinstance(args[1], Tensor):
            return put_storage(*args, **kwargs)
        args, kwargs = self._all_fake(func, args, kwargs)
        answer = answer_of_constants(func, args, kwargs)
        if answer is not None and not isinstance(answer, Tensor):
            return answer
        refuse_values(func)
        out = self._shapes_of(func, args, kwargs)
        if isinstance(answer, Tensor) and isinstance(out, FakeTensor):
            out.constant = answer
        return out

    def _all_fake(self, func, args, kwargs):
        """The arguments with real tensors as fakes, if that is allowed."""
        def fake(tensor):
            if isinstance(tensor, FakeTensor) or self.allow_non_fake_inputs:
                return self.from_tensor(tensor)
            shown = ", ".join(_shown(value) for value in (*args, *kwargs.values()))
            raise AssertionError("Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode with "
                                 f"'allow_non_fake_inputs'. Found in {func}({shown})")
        return tree_map_only(Tensor, fake, args), tree_map_only(Tensor, fake, kwargs)

    def _shapes_of(self, func, args, kwargs):
        """Run the op on the meta device, and say where its results would be."""
        fakes = fakes_of(args, kwargs)
        asked = kwargs.get("device")
        place = as_place(asked) if asked is not None else common_device(func, fakes) or get_default_device()
        if asked is not None or not fakes:
            kwargs = {**kwargs, "device": META}
        try:
            with OnMeta():
                out = func(*args, **kwargs)
        except ValuesNeededError as error:
            raise DynamicOutputShapeException(_overload(error.op, func)) from None
        return tree_map_only(Tensor, lambda t: t if isinstance(t, FakeTensor) else FakeTensor(self, t, place), out)


class FakeTensorConverter:
    """Which fake stands for which tensor."""

    def __init__(self) -> None:
        self.tensor_memo: dict[int, tuple[weakref.ref, FakeTensor]] = {}

    def from_real_tensor(self, fake_mode: FakeTensorMode, t: Tensor, make_constant: bool = False) -> FakeTensor:
        """The fake of a tensor, the same one each time."""
        if isinstance(t, FakeTensor):
            only_mode([fake_mode, t.fake_mode])
            return t
        if t.layout is not strided:
            raise UnsupportedFakeTensorException(f"tensors of layout {t.layout} have no fakes in mindtorch_v2")
        known = self.tensor_memo.get(id(t))
        if known is None or known[0]() is not t:
            with _outside(fake_mode):
                fake = self._made(fake_mode, t)
            memo, number = self.tensor_memo, id(t)
            known = memo[number] = weakref.ref(t, lambda _: memo.pop(number, None)), fake
        return known[1]

    def of_literal(self, fake_mode: FakeTensorMode, t: Tensor) -> FakeTensor:
        """The fake of a tensor that was just made of Python's numbers: small ones are remembered."""
        with _outside(fake_mode):
            fake = self._made(fake_mode, t)
            if numel_of(t) <= CONSTANT_NUMEL_LIMIT and place_of(t) == CPU:
                fake.constant = t
        return fake

    def _made(self, fake_mode: FakeTensorMode, t: Tensor) -> FakeTensor:
        base = t._base
        if base is not None and base is not t:
            owner = self.from_real_tensor(fake_mode, base.detach() if base.grad_fn is not None else base)
            with fake_mode:
                view = owner.detach().as_strided(tuple(shape_of(t)), t.stride(), t.storage_offset()) \
                    if t.dtype == base.dtype else None
            if view is not None:
                return _like_in_autograd(view, t)
        size = t.untyped_storage().nbytes() // max(t.element_size(), 1)
        with OnMeta():
            elem = Tensor.new_empty(t.detach(), (size,), device=META).as_strided(
                tuple(shape_of(t)), t.stride(), t.storage_offset())
        return _like_in_autograd(FakeTensor(fake_mode, elem, t.device), t)


def _like_in_autograd(fake: FakeTensor, t: Tensor) -> FakeTensor:
    """A fake that wants gradients as a tensor does, and is a parameter if that is one."""
    if not t.requires_grad:
        return fake
    fake.requires_grad_()
    if not t.is_leaf:
        return fake.clone()
    if isinstance(t, Parameter):
        fake._is_param = True
    if t.grad is not None:
        fake.grad = fake.fake_mode.from_tensor(t.grad)
    return fake


def _shown(value: object) -> str:
    if isinstance(value, Tensor) and not isinstance(value, FakeTensor):
        return f"{type(value).__name__.lower()}([...], size={tuple(shape_of(value))})"
    return repr(value)


def _overload(name: str, func: Any) -> Any:
    """The overload that an op without values stops at: itself, or one that it calls."""
    return Work.namespace_of("aten").nonzero.default if base_name(func) == "index" and name == "nonzero" else func


def is_fake(x: object) -> bool:
    """Whether a value is a tensor without values, or a wrapper around such."""
    if isinstance(x, FakeTensor):
        return True
    if is_traceable_wrapper_subclass(x):
        return all(is_fake(getattr(x, name)) for name in x.__tensor_flatten__()[0])
    return False


def maybe_get_fake_mode(t: object) -> FakeTensorMode | None:
    """The mode of a fake; None of anything else."""
    if isinstance(t, FakeTensor):
        return t.fake_mode
    if is_traceable_wrapper_subclass(t):
        inner = [maybe_get_fake_mode(getattr(t, name)) for name in t.__tensor_flatten__()[0]]
        return only_mode(inner) if inner else None
    return None


@contextmanager
def unset_fake_temporarily() -> Iterator[FakeTensorMode | None]:
    """A block in which new tensors have values."""
    inner = next((mode for mode in reversed(stacks.dispatch) if isinstance(mode, FakeTensorMode)), None)
    with _outside(inner):
        yield inner


@contextmanager
def _outside(mode: FakeTensorMode | None) -> Iterator[None]:
    """A block in which a mode is not entered; the others are."""
    taken = []
    if mode is not None and mode in stacks.dispatch:
        before = list(stacks.dispatch)
        taken = [pop(TorchDispatchMode) for _ in before]
        for other in before:
            if other is not mode:
                push(other)
    try:
        yield
    finally:
        if taken:
            for _ in range(len(stacks.dispatch)):
                pop(TorchDispatchMode)
            for other in reversed(taken):
                push(other)


__getattr__ = _missing(__name__)
