"""The factory functions as Python sees them: an op, and beside it ``requires_grad`` and ``out``, which no op takes."""

from __future__ import annotations

from ..core import modes
from ..core.dtype import DType
from ..core.overrides import NO, ask_foreign, settle
from ..core.tensor import Tensor
from ..dispatch import dispatcher, errors
from ..dispatch.packet import Method, Packet
from ..opdef.schema import INTS
from ..ops.python.construct import require
from ..ops.random.generator import Generator

# Everything that makes a tensor out of a shape, a number or a range, and so has TensorOptions in torch's signature.
FACTORIES = frozenset("""
    empty zeros ones full empty_strided scalar_tensor arange range linspace logspace eye
    rand randn randint randperm normal
    empty_like zeros_like ones_like full_like rand_like randn_like randint_like
    new_empty new_empty_strided new_zeros new_ones new_full
    fft_fftfreq fft_rfftfreq bartlett_window blackman_window hamming_window hann_window kaiser_window
""".split())


class Factory(Packet):
    """A packet that also takes ``requires_grad`` and ``out``, and says ``pin_memory=False`` as torch's Python does."""

    def __init__(self, name, ops):
        super().__init__(name, ops)
        self.like = name.endswith("_like")
        params = self.first.schema.params
        # A shape or a tensor, then TensorOptions: what most calls are, bound without a search for the overload.
        self.sizes = len(params) > 1 and params[0].kind == INTS and params[1].name == "dtype"
        self.plain_like = self.like and params[1].name == "dtype"
        self.tail = tuple(False if p.name == "pin_memory" else p.default for p in params[2:])

    def __call__(self, *args, **kwargs):
        found = self.ask(args, kwargs)
        if found is not NO:
            return found
        if not kwargs or (len(kwargs) == 1 and isinstance(kwargs.get("dtype"), DType)):
            if self.sizes:
                size = tuple(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
                if size and all([type(n) is int for n in size]):
                    return dispatcher.call(self.first, (size, kwargs.get("dtype"), *self.tail))
            elif self.plain_like and len(args) == 1 and isinstance(args[0], Tensor):
                return self.under((*args, kwargs.get("dtype"), *self.tail), None)
        requires_grad = kwargs.pop("requires_grad", False)
        if requires_grad is not False and requires_grad is not True:
            raise TypeError(f"{self.name}(): argument 'requires_grad' must be bool, not {type(requires_grad).__name__}")
        out = kwargs.pop("out", None)
        generator = kwargs.get("generator")
        if generator is not None and not isinstance(generator, Generator):
            self.fallback(args, kwargs)
        if out is not None:
            made = self.into(out, args, kwargs)
        else:
            if "pin_memory" not in kwargs and (self.name != "normal" or len(args) == 3 or "size" in kwargs):
                kwargs["pin_memory"] = False
            made = self.under(args, kwargs) if self.like else Packet.__call__(self, *args, **kwargs)
        return require(made, requires_grad) if requires_grad else made

    def under(self, args, kwargs):
        """torch calls its ``_like`` functions below autograd: they take no number in the graph."""
        below = modes.set_below(True)
        try:
            made = dispatcher.call(self.first, args) if kwargs is None else Packet.__call__(self, *args, **kwargs)
        finally:
            modes.set_below(below)
        made._mt_inference = modes.is_inference_mode_enabled()
        return made

    def fallback(self, args, kwargs):
        """torch counts an ``out=`` overload as the same signature, and nobody gave the ``pin_memory`` that we add."""
        if kwargs.get("pin_memory") is False:
            del kwargs["pin_memory"]
        found = ask_foreign(self, args, kwargs)
        if found is NO:
            raise errors.no_match(self.name, self.ops, args, kwargs, self.is_method)
        return settle(found, self, args, kwargs)

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


class FactoryMethod(Factory, Method):
    """The same as a method of Tensor: ``x.new_ones``."""
