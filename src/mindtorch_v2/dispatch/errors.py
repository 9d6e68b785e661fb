"""torch's complaints about arguments that fit no signature."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.tensor import Tensor
from ..opdef.schema import SCALAR, TENSOR
from . import bind
from .signature_order import in_torchs_order

_SHOWN = {"Tensor": "Tensor", "Scalar": "Number", "int": "int", "SymInt": "int", "float": "float", "bool": "bool",
          "str": "str", "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
          "MemoryFormat": "torch.memory_format", "Generator": "torch.Generator"}

# Functions that have, in torch, a deprecated form with alpha or value before the tensors, which it lists nowhere.
_WITH_HIDDEN_FORM = frozenset("add sub addbmm addcdiv addcmul addmm addmv addr baddbmm".split())


class Signature:
    """One way to call a function, as torch lists it: the ``out=`` form is the same signature."""

    def __init__(self, op, is_method: bool, with_out: bool):
        self.op = op
        self.first = 1 if is_method else 0  # parameters that a method does not list
        self.params = op.schema.params[self.first:]
        self.out = "" if is_method or not with_out else "tuple of Tensors out = None" if len(op.schema.results) > 1 \
            else "Tensor out = None"
        self.required = len([p for p in self.params if not p.has_default])

    @property
    def has_keywords(self) -> bool:
        return self.out != "" or any(p.keyword_only for p in self.params)

    @property
    def spreads(self) -> bool:
        """Whether sizes may be given one by one: they are the only argument by position."""
        return self.op.n_positional == self.first + 1 and _param_type(self.params[0]) == "tuple of ints"

    def accepts(self, count: int) -> bool:
        """Whether so many arguments could be meant for it."""
        return self.required <= count <= len(self.params) + (self.out != "")

    def text(self) -> str:
        parts, starred = [], False
        for p in self.params:
            if p.keyword_only and not starred:
                parts.append("*")
                starred = True
            default = f" = {p.default}" if p.has_default else ""
            parts.append(f"{_param_type(p)} {_shown(p)}{default}")
            if p.name == "pin_memory":  # the last of a new tensor's options; one more is for Python alone
                parts[-1:] = ["bool pin_memory = False", "bool requires_grad = False"]
        if self.out:
            parts += [self.out] if starred else ["*", self.out]
        return f"({', '.join(parts)})"

    def reason(self, args, kwargs) -> str:
        """Why arguments of the right number don't fit; torch says so where no parameter goes by keyword alone."""
        if self.has_keywords or len(args) + len(kwargs) != max(1, len(self.params)):
            return ""
        unknown = [k for k in kwargs if k not in [p.name for p in self.params]]
        if unknown:
            return f"\n      didn't match because some of the keywords were incorrect: {', '.join(unknown)}"
        marked = ", ".join([_with_items(a) if self.fits(i, a) else f"!{_with_items(a)}!" for i, a in enumerate(args)])
        return f"\n      didn't match because some of the arguments have invalid types: ({marked})"

    def fits(self, i: int, value) -> bool:
        if i == 0 and self.spreads and type(value) is int:
            return True
        return i < len(self.params) and bind.convert(self.op, i + self.first, value, True) is not bind.NO

    def half_ints(self, args, kwargs) -> str:
        """Where a list begins with an int and goes on with something else, which torch finds after it chose this."""
        if len(args) > 1 and self.spreads:
            args = [args]
        elif not self.accepts(len(args) + len(kwargs)):
            return ""
        names = [_shown(p) for p in self.params]
        given = dict(zip(names, args)) | kwargs
        wrong = [i for i, name in enumerate(names) if name in given and not self.fits(i, given[name])]
        if len(wrong) != 1 or _param_type(self.params[wrong[0]]) != "tuple of ints":
            return ""
        name = names[wrong[0]]
        items = given[name]
        if not isinstance(items, (list, tuple)) or not items or type(items[0]) is not int:
            return ""
        at, other = next((i, item) for i, item in enumerate(items) if type(item) is not int)
        return (f"argument '{name}' failed to unpack the object at pos {at + 1} with error \"type must be tuple of "
                f"ints,but got {type(other).__name__}\"")


def no_match(name: str, ops, args, kwargs, is_method: bool = False) -> TypeError:
    """A TypeError about the one signature that can be meant, or a list of all."""
    signatures = listed(ops, is_method) or [Signature(op, is_method, False) for op in ops]
    args = args[1:] if is_method else args
    meant = [s for s in signatures if s.accepts(len(args) + len(kwargs))]
    if is_method and len(signatures) == 1 and not signatures[0].params:
        return TypeError(_takes_nothing(name, len(args), kwargs))
    if len(signatures) == 1 and not meant and name.removesuffix("_") in _WITH_HIDDEN_FORM:
        return TypeError(_not_the_listed_one(name, signatures[0], args, kwargs))
    for signature in signatures:
        half = signature.half_ints(args, kwargs)
        if half:
            return TypeError(f"{name}(): {half}")
    if len(signatures) == 1 or len(meant) == 1:
        return TypeError(_complaint(name, (meant or signatures)[0], args, kwargs))
    got = types_text(args, kwargs)
    known = "".join(f"\n * {s.text()}{s.reason(args, kwargs)}" for s in signatures)
    return TypeError(f"{name}() received an invalid combination of arguments - got ({got}), but expected one "
                     f"of:{known}\n")


def listed(ops, is_method: bool) -> list[Signature]:
    """The signatures of a function that torch lists, in its order."""
    with_out = [_inputs(op) for op in ops if op.is_out]
    shown = in_torchs_order([op for op in ops if op.in_python and not op.is_out
                             and not (is_method and op.kinds[0] == SCALAR)], int(is_method))
    return [Signature(op, is_method, _inputs(op) in with_out) for op in shown]


def types_text(args, kwargs) -> str:
    """What a call was given, as torch's errors list it."""
    got = ", ".join([_type_name(a) for a in args] + [f"{k}={_type_name(v)}" for k, v in kwargs.items()])
    return got + (", " if kwargs and not args else "")


def _not_the_listed_one(name: str, signature: Signature, args, kwargs) -> str:
    """So many arguments are not meant for the one form that is listed; another is hidden."""
    names = [_shown(p) for p in signature.params] + ["out"] * (signature.out != "")
    unknown = [key for key in kwargs if key not in names]
    told = f"got unrecognized keyword arguments: {', '.join(unknown)}" if unknown else \
        f"got ({types_text(args, kwargs)}), but expected {signature.text()}"
    return f"{name}() received an invalid combination of arguments - {told}"


def _takes_nothing(name: str, count: int, kwargs) -> str:
    """What Python itself says of a builtin method without parameters; torch's are those of a base class."""
    return f"TensorBase.{name}() takes no keyword arguments" if kwargs else \
        f"TensorBase.{name}() takes no arguments ({count} given)"


def _inputs(op) -> list:
    """What tells overloads apart, but for tensors that results are written into."""
    return [(p.name, p.kind) for p in op.schema.params if not (p.keyword_only and p.alias.endswith("!"))]


def _complaint(name: str, signature: Signature, args, kwargs) -> str:
    """What is wrong with arguments that can only be meant for one signature."""
    params, op = signature.params, signature.op
    most = op.n_positional - signature.first
    if len(args) > most:
        few = min(signature.required, most)
        takes = f"{most} positional argument{'s' if most != 1 else ''}"
        if few < most:
            takes = f"from {few} to {most} positional arguments"
        return f"{name}() takes {takes} but {len(args)} {'was' if len(args) == 1 else 'were'} given"
    names = [_shown(p) for p in params]
    for i, (param, name_of_param) in enumerate(zip(params, names)):  # as torch goes through them
        if i < len(args):
            if not signature.fits(i, args[i]):
                return _wrong(name, param, i, f" (position {i + 1})", args[i])
        elif name_of_param in kwargs:
            if not signature.fits(i, kwargs[name_of_param]):
                return _wrong(name, param, i, "", kwargs[name_of_param])
        elif not param.has_default:
            return _missing(name, [n for p, n in zip(params[i:], names[i:]) if not p.has_default and n not in kwargs])
    for key in kwargs:
        if key in names[:len(args)]:
            return f"{name}() got multiple values for argument '{key}'"
        if key not in names and not (key == "out" and signature.out):
            return f"{name}() got an unexpected keyword argument '{key}'"
    if signature.out and "out" in kwargs:
        wanted = signature.out.partition(" out")[0]
        return f"{name}(): argument 'out' must be {wanted}, not {type(kwargs['out']).__name__}"
    return _missing(name, [])


def _missing(name: str, missing: list[str]) -> str:
    listed = ", ".join(f'"{m}"' for m in missing)
    plural = "s" if len(missing) == 1 else ""  # torch's grammar
    return f"{name}() missing {len(missing)} required positional argument{plural}: {listed}"


def _wrong(name: str, param, i: int, where: str, value) -> str:
    wanted = _param_type(param)
    if wanted == "tuple of Tensors" and isinstance(value, (list, tuple)):
        at, other = next((n, item) for n, item in enumerate(value) if not isinstance(item, Tensor))
        return f"expected Tensor as element {at} in argument {i}, but got {type(other).__name__}"
    given = f"not {type(value).__name__}"
    if wanted == "tuple of ints" and isinstance(value, (list, tuple)) and value and where:  # not if given by name
        given = f"but found element of type {type(value[0]).__name__} at pos 0"
    return f"{name}(): argument '{_shown(param)}'{where} must be {wanted}, {given}"


def _shown(param) -> str:
    return "input" if param.name == "self" and param.kind == TENSOR else param.name


def _param_type(param) -> str:
    word = param.text.split("(")[0].rstrip("?").split("[")[0].rstrip("?")
    shown = _SHOWN.get(word, word)
    if "[" in param.text:
        return "tuple of Scalars" if shown == "Number" else f"tuple of {shown}s"
    return shown


def _with_items(value) -> str:
    """The name of a value's type, with those of its items."""
    if not isinstance(value, (list, tuple)) or not value:
        return _type_name(value)
    inner = ", ".join([_type_name(item) for item in value])
    if isinstance(value, list):
        return f"list of [{inner}]"
    return f"tuple of ({inner}{',' if len(value) == 1 else ''})"


def _type_name(value) -> str:
    return "torch.dtype" if isinstance(value, dtypes.DType) else type(value).__name__


def out_of_memory(error: MemoryError) -> str:
    """torch's words for memory that cannot be had; NumPy says how much was asked for."""
    asked = getattr(error, "_total_size", None)
    amount = "" if asked is None else f"you tried to allocate {asked} bytes. "
    return f"DefaultCPUAllocator: can't allocate memory: {amount}Error code 12 (Cannot allocate memory)"
