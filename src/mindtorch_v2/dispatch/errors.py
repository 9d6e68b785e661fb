"""torch's complaints about arguments that fit no signature."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.tensor import Tensor
from . import bind

_SHOWN = {"Tensor": "Tensor", "Scalar": "Number", "int": "int", "SymInt": "int", "float": "float", "bool": "bool",
          "str": "str", "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
          "MemoryFormat": "torch.memory_format", "Generator": "torch.Generator"}


def no_match(name: str, ops, args, kwargs) -> TypeError:
    """A TypeError that names the first wrong argument, or lists all signatures where there are several."""
    if len(ops) == 1:
        return TypeError(_one_signature(name, ops[0], args, kwargs))
    got = ", ".join([_type_name(a) for a in args] + [f"{k}={_type_name(v)}" for k, v in kwargs.items()])
    known = "".join(f"\n * ({_signature(op)})" for op in ops if op.in_python)
    return TypeError(f"{name}() received an invalid combination of arguments - got ({got}), but expected one "
                     f"of:{known}\n")


def _one_signature(name: str, op, args, kwargs) -> str:
    params = op.schema.params
    if len(args) > op.n_positional:
        few = op.n_required
        takes = f"{op.n_positional} positional argument{'s' if op.n_positional != 1 else ''}"
        if few < op.n_positional:
            takes = f"from {few} to {op.n_positional} positional arguments"
        return f"{name}() takes {takes} but {len(args)} were given"
    names = [p.name for p in params]
    for i, value in enumerate(args):
        if bind.convert(op, i, value, True) is bind.NO:
            return _wrong(name, params[i], f" (position {i + 1})", value)
    for key, value in kwargs.items():
        at = names.index(key) if key in names else names.index("self") if key == "input" and "self" in names else -1
        if at < 0:
            return f"{name}() got an unexpected keyword argument '{key}'"
        if at < len(args):
            return f"{name}() got multiple values for argument '{key}'"
        if bind.convert(op, at, value, True) is bind.NO:
            return _wrong(name, params[at], "", value)
    given = {*kwargs, "self"} if "input" in kwargs else kwargs
    missing = [_shown(p.name) for i, p in enumerate(params)
               if not p.has_default and i >= len(args) and p.name not in given]
    listed = ", ".join(f'"{m}"' for m in missing)
    plural = "s" if len(missing) > 1 else ""
    return f"{name}() missing {len(missing)} required positional argument{plural}: {listed}"


def _wrong(name: str, param, where: str, value) -> str:
    return f"{name}(): argument '{_shown(param.name)}'{where} must be {_param_type(param)}, not {_type_name(value)}"


def _shown(name: str) -> str:
    return "input" if name == "self" else name


def _param_type(param) -> str:
    word = param.text.split("(")[0].rstrip("?").split("[")[0].rstrip("?")
    shown = _SHOWN.get(word, word)
    if "[" in param.text:
        return f"tuple of {shown}s"
    return shown


def _signature(op) -> str:
    parts, starred = [], False
    for p in op.schema.params:
        if p.keyword_only and not starred:
            parts.append("*")
            starred = True
        default = f" = {p.default}" if p.has_default else ""
        parts.append(f"{_param_type(p)} {_shown(p.name)}{default}")
    return ", ".join(parts)


def _type_name(value) -> str:
    if isinstance(value, Tensor):
        return type(value).__name__
    if isinstance(value, dtypes.DType):
        return "torch.dtype"
    if isinstance(value, (list, tuple)) and value:
        inner = ", ".join(_type_name(v) for v in value)
        return f"{type(value).__name__} of ({inner})" if isinstance(value, tuple) else f"list of [{inner}]"
    return type(value).__name__
