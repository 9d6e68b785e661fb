"""The factory functions as Python sees them: an op, and beside it ``requires_grad`` and ``out``, which no op takes."""

from __future__ import annotations

from ..core import modes
from ..core.device import CPU, is_cpu
from ..core.dtype import DType
from ..core.overrides import NO, ask_foreign, settle
from ..core.tensor import Tensor
from ..dispatch import bind, dispatcher, errors
from ..dispatch.packet import Method, Packet
from ..opdef.schema import INTS
from ..ops.python.construct import require
from ..ops.random.generator import Generator


def is_factory(ops: list) -> bool:
    """Whether an op makes a tensor out of a shape, a number or a range: torch's signature then has TensorOptions."""
    return any("pin_memory" in op.index and "non_blocking" not in op.index for op in ops)


class Factory(Packet):
    """A packet that also takes ``requires_grad`` and ``out``, and says ``pin_memory=False`` as torch's Python does."""

    def __init__(self, name, ops):
        super().__init__(name, ops)
        self.like = name.endswith("_like")
        params = self.first.schema.params
        # A shape or a tensor, then TensorOptions: what most calls are, bound without a search for the overload.
        self.sizes = len(params) > 1 and params[0].kind == INTS and params[1].name == "dtype"
        self.plain_like = self.like and params[1].name == "dtype"
        # Of all other calls without options: the overloads, and where each takes pin_memory, if all of them do.
        overloads = [op for op in self.ops if not op.is_out]
        all_take_options = not self.like and all(["pin_memory" in op.index for op in overloads])
        self.pinned = [(op, op.index["pin_memory"]) for op in overloads] if all_take_options else []
        self.tail = tuple(False if p.name == "pin_memory" else p.default for p in params[2:])
        self.on_cpu = tuple(CPU if p.name == "device" else d for p, d in zip(params[2:], self.tail))

    def __call__(self, *args, **kwargs):
        if modes.overrides:
            answer = self.ask(args, kwargs)
            if answer is not NO:
                return answer
        if self.sizes and kwargs and "device" in kwargs and is_cpu(kwargs["device"]):
            size, tail = size_of(args), self.on_cpu
            if size and are_ints(size) and (len(kwargs) == 1 or len(kwargs) == 2 and "dtype" in kwargs
                                            and isinstance(kwargs["dtype"], DType)):
                return dispatcher.call(self.first, (size, kwargs.get("dtype"), *tail))
        elif not kwargs or (len(kwargs) == 1 and isinstance(kwargs.get("dtype"), DType)):
            if self.sizes:
                size = size_of(args)
                if size and are_ints(size):
                    return dispatcher.call(self.first, (size, kwargs.get("dtype") if kwargs else None, *self.tail))
            elif self.plain_like and len(args) == 1 and isinstance(args[0], Tensor):
                return self.under((*args, kwargs.get("dtype") if kwargs else None, *self.tail), None)
            elif not kwargs:
                for op, at in self.pinned:
                    bound = bind.bind(op, args, None, True)
                    if bound is not None:
                        return dispatcher.call(op, bound[:at] + (False,) + bound[at + 1:])
        return self.call_with_options(args, kwargs)

    def call_with_options(self, args, kwargs):
        """The same with ``requires_grad``, ``out`` or another option, or arguments that fit another overload."""
        requires_grad = kwargs.pop("requires_grad", False)
        if requires_grad is not False and requires_grad is not True:
            raise TypeError(f"{self.name}(): argument 'requires_grad' must be bool, not {type(requires_grad).__name__}")
        out = kwargs.pop("out", None)
        generator = kwargs.get("generator")
        if generator is not None and not isinstance(generator, Generator):
            self.fallback(args, kwargs)
        if out is not None:
            result = self.into(out, args, kwargs)
        else:
            if "pin_memory" not in kwargs and (self.name != "normal" or len(args) == 3 or "size" in kwargs):
                kwargs["pin_memory"] = False
            like_a_tensor = self.like and isinstance(args[0] if args else kwargs.get("input"), Tensor)
            result = self.under(args, kwargs) if like_a_tensor else Packet.__call__(self, *args, **kwargs)
        return require(result, requires_grad) if requires_grad else result

    def under(self, args, kwargs):
        """torch calls its ``_like`` functions below autograd: they take no number in the graph."""
        state = modes.current()
        below, state.below = state.below, True
        try:
            result = dispatcher.call(self.first, args) if kwargs is None else Packet.__call__(self, *args, **kwargs)
        finally:
            modes.current().below = below
        result._mt_inference = modes.current().inference
        return result

    def fallback(self, args, kwargs):
        """torch counts an ``out=`` overload as the same signature, and nobody gave the ``pin_memory`` that we add."""
        if kwargs.get("pin_memory") is False:
            del kwargs["pin_memory"]
        answer = ask_foreign(self, args, kwargs)
        if answer is NO:
            raise errors.no_match(self.name, self.ops, args, kwargs, self.is_method)
        return settle(answer, self, args, kwargs)

    def into(self, out: Tensor, args, kwargs):
        """The ``out=`` overload, which takes its type from the tensor given and complains about any other."""
        dtype = kwargs.pop("dtype", None)
        if dtype is not None and not isinstance(dtype, DType):
            raise errors.no_match(self.name, self.ops, args, {**kwargs, "dtype": dtype, "out": out}, self.is_method)
        if dtype is not None and dtype is not out.dtype:
            raise RuntimeError(f"dtype {dtype.short} does not match dtype of out parameter ({out.dtype.short})")
        for option in ("layout", "device", "pin_memory"):
            kwargs.pop(option, None)
        return Packet.__call__(self, *args, out=out, **kwargs)


def size_of(args):
    """A size that was given as one sequence, or number by number."""
    return tuple(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else args


def are_ints(size):
    """Whether all sizes are plain whole numbers."""
    for n in size:
        if type(n) is not int:
            return False
    return True


class FactoryMethod(Factory, Method):
    """The same as a method of Tensor: ``x.new_ones``."""
