"""opcheck: whether an op of the user's own keeps what its schema, its derivative and its fake say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..api.namespace import OpOverload
from ..core import modes
from ..core.tensor import Tensor
from .custom_op import CustomOpDef
from .definition import DEFINITIONS, tensors_in

_COMPILED = ("test_aot_dispatch_static", "test_aot_dispatch_dynamic")
_NOT_RUN = "SKIPPED: mindtorch_v2 compiles nothing"
_WRITES = ("Argument {name} is not defined as mutable but was mutated.\nThis most likely means that your custom op "
           "isn't a functional op; please fix the schema of {op} or its implementation.")
_SHARES = ("Argument {name} is not defined to alias output but was aliasing.\nThis most likely means that {op} returns "
           "an input as it is; please return a clone of it.")
_NO_DERIVATIVE = ("{op}: no function was registered for the derivative, and the op is called with inputs that require "
                  "grad. Please register one with torch.library.register_autograd.")
_OTHER_FAKE = "{op}: the fake says {fake}, but the op gives {real}."


class OpCheckError(Exception):
    """An op does not keep what it says."""


def _copied(value: Any, make: Callable[[Tensor], Tensor]) -> Any:
    """Arguments with what a function makes of their tensors."""
    if isinstance(value, Tensor):
        return make(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_copied(item, make) for item in value)
    return {key: _copied(item, make) for key, item in value.items()} if isinstance(value, dict) else value


def _clone(tensor: Tensor) -> Tensor:
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


def _results(value: Any) -> list[Tensor]:
    return tensors_in(value if isinstance(value, (tuple, list)) else (value,))


def _check_schema(op: OpOverload, args: tuple, kwargs: dict) -> None:
    """Inputs stay as they are and share no memory with results, unless the schema says so."""
    given, by_name = _copied(args, _clone), _copied(kwargs, _clone)
    named = dict(zip([argument.name for argument in op._schema.arguments], given)) | by_name
    before = _copied(named, lambda tensor: tensor.detach().clone())
    results = _results(op(*given, **by_name))
    for argument in op._schema.arguments:
        for tensor, kept in zip(tensors_in((named.get(argument.name),)), tensors_in((before.get(argument.name),))):
            if not argument.is_write and not tensor.detach().allclose(kept, equal_nan=True):
                raise RuntimeError(_WRITES.format(name=argument.name, op=op.name()))
            if argument.alias_info is None and any(t._mt_storage is tensor._mt_storage for t in results):
                raise RuntimeError(_SHARES.format(name=argument.name, op=op.name()))


def _check_autograd(op: OpOverload, args: tuple, kwargs: dict) -> None:
    """Where inputs want gradients, there is a derivative, or the op is written in ops that have some."""
    definition = DEFINITIONS.get(op.name())
    wants = any(tensor.requires_grad for tensor in tensors_in((*args, *kwargs.values())))
    if definition is None or not wants:
        return
    keys = set(definition.kernels)
    if definition.differentiated is None and not keys & {"Autograd", "AutogradCPU", "CompositeImplicitAutograd"}:
        raise RuntimeError(_NO_DERIVATIVE.format(op=op.name()))


def _check_fake(op: OpOverload, args: tuple, kwargs: dict) -> None:
    """On tensors without values comes out what comes out on those with values: shapes, types, strides."""
    before = modes.set_grad(False)
    try:
        real = [(tuple(t.shape), t.dtype) for t in _results(op(*_copied(args, _clone), **_copied(kwargs, _clone)))]
        fake = [(tuple(t.shape), t.dtype) for t in _results(op(*_copied(args, lambda t: t.detach().to("meta")),
                                                               **_copied(kwargs, lambda t: t.detach().to("meta"))))]
    finally:
        modes.set_grad(before)
    if real != fake:
        raise RuntimeError(_OTHER_FAKE.format(op=op.name(), fake=fake, real=real))


_CHECKS = {"test_schema": _check_schema, "test_autograd_registration": _check_autograd, "test_faketensor": _check_fake}


def opcheck(op: Any, args: tuple, kwargs: dict[str, Any] | None = None, *,
            test_utils: str | Sequence[str] = (*_CHECKS, "test_aot_dispatch_dynamic"), raise_exception: bool = True,
            atol: float | None = None, rtol: float | None = None) -> dict[str, Any]:
    """What came of each check: SUCCESS, or the error; with ``raise_exception``, the first error is raised.

    Checks of compiled ops are reported as not run: nothing is compiled here.
    """
    overload = op._opoverload if isinstance(op, CustomOpDef) else getattr(op, "default", op)
    names = (test_utils,) if isinstance(test_utils, str) else tuple(test_utils)
    unknown = set(names) - {*_CHECKS, *_COMPILED}
    if unknown:
        raise ValueError(f"opcheck(op, ..., test_utils={test_utils}), expected test_utils to be subset of "
                         f"{(*_CHECKS, *_COMPILED)} but it was not")
    outcome: dict[str, Any] = {}
    for name in names:
        if name in _COMPILED:
            outcome[name] = _NOT_RUN
            continue
        try:
            _CHECKS[name](overload, args, kwargs or {})
            outcome[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                raise OpCheckError(f"opcheck(op, ...): {name} failed with {error} (scroll up for stack "
                                   "trace)") from error
            outcome[name] = error
    return outcome
