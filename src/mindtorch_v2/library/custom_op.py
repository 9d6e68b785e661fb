"""custom_op: an op from a Python function, with functions for devices, fakes and derivatives added to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..api.namespace import OpOverload, overload_of
from ..core.device import device
from ..core.dtype import DType
from ..opdef.tags import Tag
from . import autocast_rule, keys
from .definition import AWAITED_FAKES, DEFINITIONS, Definition, tensors_in
from .formula import differentiated
from .library import Library, library_for
from .schema_inference import infer_schema

ALIASES = ("{name} (with implementation in {module}): The output of this custom operator (1) must not also be an input "
           "to this custom operator and (2) may not alias any inputs to this custom operator or other returns. The "
           "most common way to trigger this error is if we have y = custom_op(x) and y and x are the same Tensor. "
           "Please instead return a clone of the offending output tensor(s) (e.g. return x.clone()) or refactor the "
           "custom operator to not return y.")


def _writes_nothing(*args, **kwargs) -> None:
    """What an op that only writes into its arguments does to tensors without values."""


class CustomOpDef:
    """What ``custom_op`` makes: it is called as the function was, and takes further functions."""

    def __init__(self, namespace: str, name: str, schema: str, function: Callable, tags: Tag | Sequence[Tag] | None):
        self._namespace, self._name, self._qualname = namespace, name, f"{namespace}::{name}"
        self._init_fn = function
        self._lib = library_for(self._qualname)
        if self._qualname in DEFINITIONS:  # defined anew, for one in a notebook
            DEFINITIONS[self._qualname].forget()
        tags = (tags,) if isinstance(tags, Tag) else tags or ()
        self._lib.define(f"{name}{schema}", tags=[Tag.pt2_compliant_tag, *tags])
        self._definition = DEFINITIONS[self._qualname]
        self._definition.differentiated = differentiated(self._definition, None, None)
        parsed = self._definition.op.schema
        if not parsed.results and any(param.alias.endswith("!") for param in parsed.params):
            self._definition.kernels["Meta"] = _writes_nothing
        self.__name__, self.__doc__ = name, function.__doc__

    @property
    def _opoverload(self) -> OpOverload:
        return overload_of(self._definition.op)

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def register_kernel(self, device_types: str | Sequence[str] | None, fn: Callable | None = None, /):
        """Another function for some devices; for all, if there are none."""
        return register_kernel(self, device_types, fn)

    def register_fake(self, fn: Callable, /) -> Callable:
        """A function that says what comes out for inputs without values."""
        self._definition.kernels["Meta"] = fn
        return fn

    def register_autograd(self, backward: Callable, /, *, setup_context: Callable | None = None) -> None:
        """The derivative: ``backward(ctx, *grads)``, and what it needs, noted by ``setup_context``."""
        register_autograd(self._qualname, backward, setup_context=setup_context)

    def register_vmap(self, func: Callable | None = None, /):
        """A function for a whole batch: ``func(info, in_dims, *args)`` gives a result and its batch dimension."""
        return register_vmap(self, func)

    def register_autocast(self, device_type: str, cast_inputs: DType) -> None:
        """What floating inputs are cast to under autocast."""
        register_autocast(self, device_type, cast_inputs)

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"


def custom_op(name: str, fn: Callable | None = None, /, *, mutates_args: str | Iterable[str],
              device_types: str | Sequence[str] | None = None, schema: str | None = None, tags=None):
    """Make an op, ``namespace::name``, of a function with annotated parameters; also a decorator."""
    def make(function: Callable) -> CustomOpDef:
        namespace, _, short = name.partition("::")
        if not short:
            raise ValueError(f"custom_op(name, ...): expected a name of the form namespace::name, but got {name!r}")
        sentence = schema or infer_schema(function, mutates_args=mutates_args)
        op = CustomOpDef(namespace, short, sentence, function, tags)
        op.register_kernel(device_types, function)
        return op
    return make if fn is None else make(fn)


def triton_op(name: str, fn: Callable | None = None, /, *, mutates_args: str | Iterable[str],
              schema: str | None = None):
    """custom_op() for functions that a compiler may look into; here nothing is compiled."""
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def _without_aliases(function: Callable, name: str) -> Callable:
    """The function, but an error where a result shares memory with an input or with another result."""
    def kernel(*args, **kwargs):
        result = function(*args, **kwargs)
        seen = {id(t._mt_storage) for t in tensors_in((*args, *kwargs.values()))}
        for tensor in tensors_in(result if isinstance(result, tuple) else (result,)):
            if id(tensor._mt_storage) in seen:
                raise RuntimeError(ALIASES.format(name=name, module=function.__module__))
            seen.add(id(tensor._mt_storage))
        return result
    return kernel


def _definition_of(op) -> Definition:
    name = op if isinstance(op, str) else op._qualname if isinstance(op, CustomOpDef) else op.name()
    name = name.removesuffix(".default")
    if name not in DEFINITIONS:
        raise RuntimeError(f"there is no operator {name}: define it first, with torch.library.define or custom_op")
    return DEFINITIONS[name]


def register_kernel(op, device_types: str | Sequence[str] | None, func: Callable | None = None, /, *,
                    lib: Library | None = None):
    """A function for an op on some devices; for all, if there are none; also a decorator."""
    definition = _definition_of(op)

    def register(function: Callable) -> Callable:
        checked = isinstance(op, CustomOpDef) or definition.differentiated is not None
        kinds = (device_types,) if device_types is None or isinstance(device_types, str) else device_types
        for kind in kinds:
            key = "CompositeExplicitAutograd" if kind is None else keys.OF_DEVICE.get(kind, kind.upper())
            definition.kernels[key] = _without_aliases(function, definition.op.name) if checked else function
        return function
    return register if func is None else register(func)


def register_fake(op, func: Callable | None = None, /, *, lib: Library | None = None, _stacklevel: int = 1,
                  allow_override: bool = True):
    """A function that says what comes out of an op for inputs without values; also a decorator."""
    def register(function: Callable) -> Callable:
        if isinstance(op, str) and op.removesuffix(".default") not in DEFINITIONS:
            AWAITED_FAKES[op.removesuffix(".default")] = function
        else:
            _definition_of(op).kernels["Meta"] = function
        return function
    return register if func is None else register(func)


def register_vmap(op, func: Callable | None = None, /, *, lib: Library | None = None):
    """How an op is computed for a whole batch under torch.vmap; also a decorator."""
    if isinstance(op, str) and op.removesuffix(".default") not in DEFINITIONS:
        raise RuntimeError(f"Could not find the operator {op}. Please make sure you have already registered the "
                           "operator and (if registered from C++) loaded it via torch.ops.load_library.")
    definition = _definition_of(op)

    def register(function: Callable) -> Callable:
        definition.vmap = function
        return function
    return register if func is None else register(func)


def register_autocast(op, device_type: str, cast_inputs: DType, /, *, lib: Library | None = None) -> None:
    """What an op's floating inputs are cast to where autocast is on for a device; it then runs without autocast."""
    if not isinstance(op, (str, OpOverload, CustomOpDef)):
        raise ValueError(f"register_autocast({op}): got unexpected type for op: {type(op)}")
    if device(device_type).type not in autocast_rule.DEVICES:
        raise ValueError(f"Unknown device type: {device_type}")
    _definition_of(op).autocast.setdefault(device_type, cast_inputs)


def register_autograd(op, backward: Callable, /, *, setup_context: Callable | None = None, lib=None) -> None:
    """The derivative of an op: ``backward(ctx, *grads)``, and what it needs, noted by ``setup_context``."""
    definition = _definition_of(op)
    if definition.op.mutates >= 0:
        raise RuntimeError(f"Cannot register autograd formula for non-functional operator {definition.name}: it writes "
                           "into its arguments. Please register an autograd kernel to the Autograd key instead.")
    definition.differentiated = differentiated(definition, backward, setup_context)
