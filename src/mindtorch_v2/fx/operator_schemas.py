"""Signatures of torch's functions, and arguments as those signatures declare them."""

from __future__ import annotations

import inspect
import numbers
import types
import typing
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import functional as torch_functional
from ..api.namespace import OpOverload, OpOverloadPacket
from ..core.device import device, layout, memory_format
from ..core.dtype import DType
from ..core.tensor import Tensor
from ..dispatch.packet import Packet
from ..nn import functional
from ..opdef.function_schema import Argument as SchemaArgument
from ..opdef.function_schema import FunctionSchema
from .node_text import type_text

__all__ = ["ArgsKwargsPair", "check_for_mutable_operation", "create_type_hint", "get_signature_for_torch_op",
           "normalize_function", "normalize_module", "type_matches"]

_MUTABLE = ("Tried to trace mutable operation {}. FX only supports functional code, so operations that mutate operands "
            "in-place (e.g. via `out` arguments) are not supported")
_TYPES = {"Tensor": Tensor, "int": int, "float": float, "bool": bool, "complex": complex, "str": str,
          "number": numbers.Number, "Device": device, "ScalarType": DType, "Layout": layout,
          "MemoryFormat": memory_format}


class ArgsKwargsPair(NamedTuple):
    """Arguments by place and by name."""

    args: tuple
    kwargs: dict[str, Any]


def _type_of(text: str) -> Any:
    """``Optional[List[int]]`` as Python's type; what Python has none for may be anything."""
    for head, generic in (("Optional", typing.Optional), ("List", list)):
        if text.startswith(f"{head}["):
            return generic[_type_of(text[len(head) + 1:-1])]
    return _TYPES.get(text, Any)


def _parameter(argument: SchemaArgument, only_by_place: bool, self_is_input: bool) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY if argument.kwarg_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
    if only_by_place:
        kind = inspect.Parameter.POSITIONAL_ONLY
    default = argument.default_value if argument.has_default_value() else inspect.Parameter.empty
    name = "input" if argument.name == "self" and self_is_input else argument.name
    return inspect.Parameter(name, kind, default=default, annotation=_type_of(str(argument.real_type)))


def _signature(schema: FunctionSchema) -> inspect.Signature:
    """A schema as Python's signature; a name that Python keeps for itself can be given by place alone."""
    names = [argument.name for argument in schema.arguments]
    last_kept = max((i for i, name in enumerate(names) if name == "from"), default=-1)
    self_is_input = "input" not in names
    parameters = [_parameter(each, i <= last_kept, self_is_input) for i, each in enumerate(schema.arguments)]
    returned = [_type_of(str(result.real_type)) for result in schema.returns]
    kind = None if not returned else returned[0] if len(returned) == 1 else tuple(returned)
    order = sorted(range(len(parameters)), key=lambda i: parameters[i].kind)
    return inspect.Signature([parameters[i] for i in order], return_annotation=kind)


def _schemas(op: Callable) -> list[FunctionSchema] | None:
    if isinstance(op, OpOverload):
        return [op._schema]
    if isinstance(op, OpOverloadPacket):
        return [getattr(op, name)._schema for name in op.overloads()]
    if isinstance(op, Packet):
        return [FunctionSchema(each.schema) for each in (*op.ops, *op.into_several)]
    return None


def get_signature_for_torch_op(op: Callable, return_schemas: bool = False):
    """The signatures of all overloads of a function of torch's; None for other functions."""
    schemas = _schemas(op)
    signatures = None if schemas is None else [_signature(schema) for schema in schemas]
    return (signatures, schemas) if return_schemas else signatures


def check_for_mutable_operation(target: Callable, args: tuple, kwargs: dict[str, Any]) -> None:
    """An error if a call writes into its arguments."""
    signatures, schemas = get_signature_for_torch_op(target, return_schemas=True)
    fitting = [schema for signature, schema in zip(signatures or (), schemas or ()) if _binds(signature, args, kwargs)]
    if len(fitting) == 1 and fitting[0].is_mutable:
        raise RuntimeError(_MUTABLE.format(fitting[0]))


def _binds(signature: inspect.Signature, args: tuple, kwargs: dict[str, Any]) -> bool:
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def create_type_hint(x: Any) -> Any:
    """A list or tuple of types as one generic type; anything else as it is."""
    try:
        if isinstance(x, (list, tuple)):
            whole = (lambda kind: list[kind]) if isinstance(x, list) else (lambda kind: tuple[kind, ...])
            if not x:
                return whole(Any)
            first = next((kind for kind in x if all(issubclass(other, kind) for other in x)), Any)
            return whole(first)
    except Exception:
        warnings.warn(f"We were not able to successfully create type hint from the type {x}", stacklevel=2)
    return x


def type_matches(signature_type: Any, argument_type: Any) -> bool:
    """Whether an argument of a type fits where a signature wants another."""
    origin = getattr(signature_type, "__origin__", signature_type)
    if signature_type is argument_type or signature_type is Any:
        return True
    if origin in (typing.Union, types.UnionType) and signature_type != argument_type:
        return any(type_matches(part, argument_type) for part in signature_type.__args__)
    if signature_type is list[int] and argument_type is int:
        return True  # int[1] takes one int for all
    if origin is list:
        return _list_matches(signature_type, argument_type)
    if signature_type is numbers.Number:
        return argument_type in (int, float, complex, bool, numbers.Number)
    if signature_type is float and argument_type is int or isinstance(argument_type, type) \
            and isinstance(signature_type, type) and issubclass(argument_type, signature_type):
        return True
    return False


def _list_matches(wanted: Any, given: Any) -> bool:
    part = wanted.__args__[0]

    def fits(kind: Any) -> bool:
        return kind is part or isinstance(kind, type) and isinstance(part, type) and issubclass(kind, part)

    origin, parts = getattr(given, "__origin__", None), getattr(given, "__args__", ())
    if origin is list:
        return fits(parts[0])
    return origin is tuple and all(fits(kind) or kind is ... for kind in parts)


def normalize_function(target: Callable, args: tuple, kwargs: dict[str, Any] | None = None,
                       arg_types: tuple | None = None, kwarg_types: dict[str, Any] | None = None,
                       normalize_to_only_use_kwargs: bool = False) -> ArgsKwargsPair | None:
    """A call's arguments as the function declares them, with defaults; None if that cannot be told.

    Of several overloads that the arguments fit, types decide, if they are given.
    """
    kwargs = kwargs or {}
    if not isinstance(target, (Packet, OpOverload, OpOverloadPacket)):
        signature = _python_signature(target)
        return None if signature is None else _normalized(signature, args, kwargs, normalize_to_only_use_kwargs)
    signatures = [s for s in get_signature_for_torch_op(target) if _binds(s, args, kwargs)]
    if len(signatures) > 1 and (arg_types is not None or kwarg_types is not None):
        signatures = [s for s in signatures if _types_fit(s, arg_types or (), kwarg_types or {})]
        if not signatures:
            return None
    if len(signatures) > 1:
        raise RuntimeError(f"Tried to normalize arguments to {_name(target)} but the schema match was ambiguous! "
                           "Please provide argument types to the normalize_arguments() call. Available schemas:\n"
                           + "\n".join(map(str, signatures)))
    return _normalized(signatures[0], args, kwargs, normalize_to_only_use_kwargs) if signatures else None


def _name(target: Callable) -> str:
    return f"torch.{target.name}" if isinstance(target, Packet) else type_text(target)


def _python_signature(target: Callable) -> inspect.Signature | None:
    """The signature of a function of torch.nn.functional or torch.functional."""
    name = getattr(target, "__name__", "")
    if not any(getattr(module, name, None) is target for module in (functional, torch_functional)):
        return None
    try:
        return inspect.signature(inspect.unwrap(target))
    except ValueError:
        return None


def _types_fit(signature: inspect.Signature, arg_types: tuple, kwarg_types: dict[str, Any]) -> bool:
    try:
        bound = signature.bind(*arg_types, **kwarg_types)
    except TypeError:
        return False
    return all(type_matches(signature.parameters[name].annotation, kind) for name, kind in bound.arguments.items())


def normalize_module(root, target: str, args: tuple, kwargs: dict[str, Any] | None = None,
                     normalize_to_only_use_kwargs: bool = False) -> ArgsKwargsPair | None:
    """The arguments of a call of one of torch's modules, as its forward declares them."""
    try:
        module = root.get_submodule(target)
    except AttributeError as error:
        raise RuntimeError(f"Tried to normalize node with target {target} but root did not have that "
                           "target!") from error
    from ..nn import modules
    if getattr(modules, type(module).__name__, None) is not type(module):
        return None
    signature = inspect.signature(module.forward)
    return _normalized(signature, args, kwargs or {}, normalize_to_only_use_kwargs)


def _normalized(signature: inspect.Signature, args: tuple, kwargs: dict[str, Any],
                only_by_name: bool) -> ArgsKwargsPair | None:
    """Arguments in the order of a signature, defaults included; None where it has stars."""
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(p.kind in starred for p in signature.parameters.values()):
        return None
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    by_place, by_name = [], {}
    for place, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind is parameter.KEYWORD_ONLY or only_by_name or place >= len(args):
            by_name[name] = bound.arguments[name]
        else:
            by_place.append(bound.arguments[name])
    return ArgsKwargsPair(tuple(by_place), by_name)
