"""What a traced function is called with: a placeholder for each parameter, or a value that it is specialised for."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core.assertions import _assert
from ..utils import _pytree as pytree
from .codegen import _PyTreeCodeGen, _PyTreeInfo
from .proxy import BASE_TYPES, Proxy

if TYPE_CHECKING:
    from ._symbolic_trace import Tracer

_SPECIALIZED = "{} has been specialized to have value {} but got another value"
_UNCHECKED = ("Was not able to add assertion to guarantee correct input {} to specialized function. It is up to the "
              "user to make sure that your inputs match the inputs you specialized the function with.")
_STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class PHBase:
    """A place among concrete arguments that stays a parameter."""

    def __repr__(self) -> str:
        return "PH"


PH = PHBase()


class PHWithMeta(PHBase):
    """The same, with a key that its node gets."""

    def __init__(self, ph_key: str | None = None) -> None:
        self.ph_key = ph_key


def _assert_is_none(value: Any, msg: str) -> None:
    if value is not None:
        raise AssertionError(msg)


def _note(mark: PHBase, proxy: Proxy) -> Proxy:
    """Let the node of a placeholder have what a program wrote on its mark."""
    for name, value in vars(mark).items():
        if not hasattr(proxy.node, name):
            setattr(proxy.node, name, value)
    return proxy


def annotations_of(function: Callable) -> dict[str, Any]:
    """The annotations of a function, but for those that are words which do not say where their names are from."""
    try:
        return inspect.get_annotations(function, eval_str=True)
    except Exception:
        return {name: kind for name, kind in inspect.get_annotations(function).items() if not isinstance(kind, str)}


class Arguments:
    """Makes the placeholders of one function."""

    def __init__(self, tracer: Tracer, function: Callable, concrete: dict[str, Any]) -> None:
        self.tracer, self.plain, self.concrete = tracer, inspect.unwrap(function), concrete
        self.parameters, self.types = inspect.signature(self.plain).parameters, annotations_of(self.plain)

    def __getitem__(self, name: str) -> Any:
        """The placeholder of a parameter, or its concrete value, whose parts are checked when the code is run."""
        default = () if name[0] == "*" or self.parameters[name].default is inspect.Parameter.empty \
            else (self.parameters[name].default,)
        if name not in self.concrete:
            return self.tracer.create_proxy("placeholder", name, default, {},
                                            type_expr=self.types.get(name))
        count = 0

        def placed(value: Any) -> Any:
            nonlocal count
            count += 1
            return self._specialized(name, value, self.tracer.create_proxy("placeholder", f"{name}_{count}", default,
                                                                           {}))
        return pytree.tree_map(placed, self.concrete[name])

    def _specialized(self, name: str, value: Any, stand_in: Proxy) -> Any:
        if isinstance(value, PHBase):
            return _note(value, stand_in)
        if value is None:
            text = _SPECIALIZED.format(name, None)
            self.tracer.create_proxy("call_function", _assert_is_none, (stand_in, text), {})
        elif isinstance(value, BASE_TYPES):
            _assert(stand_in == value, _SPECIALIZED.format(name, value))
        else:
            warnings.warn(_UNCHECKED.format(name), stacklevel=2)
        return value


def arguments_for(tracer: Tracer, function: Callable, is_module: bool,
                  concrete: dict[str, Any] | tuple | None) -> tuple[Callable, list]:
    """The function as it can be called with one value for each parameter, starred ones included; and those values."""
    code = inspect.unwrap(function).__code__
    names = list(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])
    if is_module and not names:
        raise RuntimeError("``self`` argument cannot be part of *args expansion!")
    args: list[Any] = [tracer.root] if is_module else []
    if isinstance(concrete, tuple):
        if concrete and code.co_flags & _STARRED and len(names) == 1:
            return function, [*args, *(_input(tracer, i, value) for i, value in enumerate(concrete))]
        if len(names) - is_module != len(concrete):
            raise RuntimeError(f"Tracing expected {len(names) - is_module} arguments but got {len(concrete)} concrete "
                               "arguments")
        concrete = dict(zip(names[is_module:], concrete))
    placeholders = Arguments(tracer, function, concrete or {})
    args += [placeholders[name] for name in names[is_module:]]
    if code.co_kwonlyargcount or code.co_flags & _STARRED:
        stars = ["*"] * bool(code.co_flags & inspect.CO_VARARGS) + ["**"] * bool(code.co_flags & inspect.CO_VARKEYWORDS)
        args += [placeholders[star + name] for star, name in zip(stars, code.co_varnames[len(names):])]
        function = _with_plain_parameters(function, len(args))
    return _of_leaves(tracer, function, args, names)


def _input(tracer: Tracer, number: int, value: Any) -> Proxy:
    stand_in = tracer.create_proxy("placeholder", f"input_{number}", (), {})
    return _note(value, stand_in) if isinstance(value, PHBase) else stand_in


def _with_plain_parameters(function: Callable, count: int) -> Callable:
    """The function with all its parameters as plain ones: a call cannot fill the places of starred ones."""
    plain = inspect.unwrap(function)
    code = plain.__code__.replace(co_flags=plain.__code__.co_flags & ~_STARRED, co_argcount=count, co_kwonlyargcount=0)
    copied = type(plain)(code, plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__)
    copied.__annotations__ = plain.__annotations__
    return copied


def _of_leaves(tracer: Tracer, function: Callable, args: list, names: list[str]) -> tuple[Callable, list]:
    """The function and its values; of containers, a function of the leaves, whose code takes the containers apart."""
    leaves, in_spec = pytree.tree_flatten(tuple(args))
    if all(child.is_leaf() for child in in_spec.children()):
        return function, args
    codegen = tracer.graph._codegen = _PyTreeCodeGen(_PyTreeInfo(names, in_spec, None))

    def of_leaves(*values):
        result, out_spec = pytree.tree_flatten(function(*pytree.tree_unflatten(list(values), in_spec)))
        codegen.pytree_info = codegen.pytree_info._replace(out_spec=out_spec)
        return result

    return of_leaves, leaves
