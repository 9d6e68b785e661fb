"""``__torch_function__``: subclasses, foreign objects and modes are asked before a function of torch runs.

Nothing here is reached unless ``modes.overrides`` counts a reason, or an argument is of no type that torch knows.
"""

from __future__ import annotations

import functools
import inspect
from types import MethodType

from . import modes, operator_slots, strided
from .entered_modes import skipped, stacks
from .tensor import Tensor, add_attribute

NO = object()  # nobody is to be asked: run the function itself
_PLAIN = frozenset((Tensor, int, float, bool, complex, str, type(None), tuple, list))


def disabled_function(func, types, args=(), kwargs=None):
    """The ``__torch_function__`` of classes that want none."""
    before = modes.set_function_state(max(1, modes.function_state()))
    try:
        return func(*args, **(kwargs or {}))
    finally:
        modes.set_function_state(before)


def default_function(cls, func, types, args=(), kwargs=None):
    """What every subclass does unless it says otherwise: run the function, results are of the subclass."""
    if not all([issubclass(cls, t) for t in types]):
        return NotImplemented
    result = disabled_function(func, types, args, kwargs)
    return result if func in default_nowrap_functions() else as_kind(cls, result)


def as_kind(cls, result):
    """Tensors of a result, alone or in a list or tuple, as objects of a class."""
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else result.as_subclass(cls)
    if isinstance(result, (tuple, list)):
        each = [as_kind(cls, item) for item in result]
        return type(result)(*each) if hasattr(result, "_fields") else type(result)(each)
    return result


@functools.cache
def default_nowrap_functions():
    """The functions whose results stay as they are."""
    return {Tensor._base.__get__, Tensor.grad.__get__}


def overrides_function(value):
    """Whether an object's class has a ``__torch_function__`` to be asked."""
    handler = getattr(type(value), "__torch_function__", None)
    return handler is not None and handler is not disabled_function


def collect(args, plain):
    """The arguments to be asked, one of each class, subclasses before their bases; lists are looked into."""
    overriding = []
    for value in args:
        if type(value) is list or type(value) is tuple:
            for item in value:
                if type(item) not in _PLAIN or plain and type(item) is Tensor:
                    _place(overriding, item)
        elif type(value) not in _PLAIN or plain and type(value) is Tensor:
            _place(overriding, value)
    return overriding


def _place(overriding, value):
    if overrides_function(value):
        place(overriding, value)


def place(overriding, value):
    """Put a value among those to be asked: one of each class, subclasses before their bases."""
    kind = type(value)
    for at in range(len(overriding)):
        if type(overriding[at]) is kind:
            return
    for at in range(len(overriding)):
        if issubclass(kind, type(overriding[at])):
            overriding.insert(at, value)
            return
    overriding.append(value)


def ask(func, args, kwargs):
    """The answer of the first mode, subclass or foreign object that has one; NO if there is nobody to ask."""
    state = modes.current()
    if state.inside or state.functions_off == 2 or (state.functions_off and not state.function_modes) or skipped():
        return NO
    given = args if not kwargs else (*args, *kwargs.values())
    overriding = [] if state.functions_off else collect(given, False)
    if not overriding and not state.function_modes:
        return NO
    return put(func, overriding, args, kwargs or None)


def ask_modes(func, args, kwargs):
    """ask() where no argument has a say, only the innermost mode."""
    state = modes.current()
    if state.inside or state.functions_off == 2 or not state.function_modes or skipped():
        return NO
    return settle(put(func, [], args, kwargs or None), func, (), None)


def put(func, overriding, args, kwargs):
    """Put the question to the innermost mode, then to each object; NotImplemented if all of them pass."""
    types = tuple([type(value) for value in overriding])
    asked = stacks.functions
    if asked and modes.function_state() < 2:
        mode = asked.pop()
        modes.set_function_modes(len(asked))
        try:
            answer = mode.__torch_function__(func, types, args, kwargs)
        finally:
            asked.append(mode)
            modes.set_function_modes(len(asked))
        if answer is not NotImplemented:
            return answer
    for value in overriding:
        answer = value.__torch_function__(func, types, args, kwargs)
        if answer is not NotImplemented:
            return answer
    return NotImplemented


def settle(answer, func, args, kwargs):
    """The answer, or torch's complaint that everybody passed."""
    if answer is not NotImplemented:
        return answer
    passed = [f"  - tensor subclass {type(v)!r}" for v in collect((*args, *(kwargs or {}).values()), False)]
    if stacks.functions:
        passed.insert(0, f"  - mode object {stacks.functions[-1]!r}")
    raise TypeError(f"Multiple dispatch failed for '{name_of(func)}'; all __torch_function__ handlers returned "
                    "NotImplemented:\n\n" + "\n".join(passed)
                    + "\n\nFor more information, try re-running with TORCH_LOGS=not_implemented")


def name_of(func):
    """A function's full name in torch."""
    owner = getattr(func, "__self__", None)
    name = getattr(func, "__name__", "")
    if name in ("__get__", "__set__", "__delete__"):
        for member, value in vars(Tensor).items():
            if value is owner:
                return f"torch.Tensor.{member}.{name}"
    if vars(Tensor).get(name) is func or getattr(func, "is_method", False):
        return f"torch.Tensor.{name}"
    module = getattr(func, "__module__", None) or "torch"
    return f"torch.{name}" if "functional" not in module else f"torch.nn.functional.{name}"


def answer(tensor, name, *args):
    """What the world says to a member of Tensor: a property is read by its ``__get__``."""
    member = vars(Tensor)[name]
    func = member if callable(member) else member.__get__
    given = (tensor, *args)
    result = put(func, collect(given, modes.current().function_modes > 0) if not modes.function_state() else [],
                given, None)
    if result is NotImplemented and name in _BINARY:
        return result
    return settle(result, func, given, None)


def ask_getitem(tensor, key):
    """``tensor[key]``, where the key may have something to say as well."""
    reply = ask(Tensor.__getitem__, (tensor, key), None)
    if reply is NO:
        return operator_slots.operators.getitem(tensor, key)
    return settle(reply, Tensor.__getitem__, (tensor, key), None)


def ask_setitem(tensor, key, value):
    reply = ask(Tensor.__setitem__, (tensor, key, value), None)
    if reply is NO:
        operator_slots.operators.setitem(tensor, key, value)
    else:
        settle(reply, Tensor.__setitem__, (tensor, key, value), None)


_BINARY = frozenset(("__rsub__", "__rpow__", "__rtruediv__", "__rfloordiv__", "__rmod__", "__floordiv__", "__eq__",
                     "__rlshift__", "__rrshift__"))
# Libraries read what Python functions show of themselves to learn which arguments they take.
_SHOWN = (*functools.WRAPPER_ASSIGNMENTS, "__code__", "__defaults__", "__kwdefaults__", "__globals__")


class Guarded:
    """A function or method of torch that is no op: it asks before it runs."""

    def __init__(self, function, name, is_builtin):
        functools.update_wrapper(self, function, functools.WRAPPER_ASSIGNMENTS if is_builtin else _SHOWN)
        self.__name__ = name
        self.function = function
        self.is_builtin = is_builtin

    def __call__(self, *args, **kwargs):
        if modes.overrides or _is_foreign(args) or kwargs and _is_foreign(tuple(kwargs.values())):
            reply = self.ask(args, kwargs)
            if reply is not NO:
                return reply
        return self.function(*args, **kwargs)

    def ask(self, args, kwargs):
        """Put the question; torch's Python functions name all their arguments but those that must be given."""
        if self.is_builtin:
            reply = ask(self, args, kwargs)
            return reply if reply is NO else settle(reply, self, args, kwargs)
        state = modes.current()
        if state.inside or state.functions_off == 2 or (state.functions_off and not state.function_modes):
            return NO
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        if not state.function_modes and not collect((*bound.args, *bound.kwargs.values()), False):
            return NO
        bound.apply_defaults()
        named = getattr(Tensor, self.__name__) if self._is_method() else self  # what a program put in its place, too
        return hand_over(named, (*bound.args, *bound.kwargs.values()), *_by_need(bound.signature, bound.arguments))

    def __get__(self, instance, owner):
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self):
        return (getattr, (Tensor, self.__name__)) if self._is_method() else self.__qualname__

    def _is_method(self):
        return self.__qualname__ == f"Tensor.{self.__name__}"

    def __repr__(self):
        return repr(self.function)


def hand_over(func, relevant, args, kwargs):
    """torch.overrides.handle_torch_function: plain tensors are asked as well."""
    overriding = collect(relevant, True)
    answer = put(func, overriding, args, kwargs)
    if answer is NotImplemented:
        mode = f" nor in mode {stacks.functions[-1]!r}" if stacks.functions else ""
        raise TypeError(f"no implementation found for '{name_of(func)}' on types that implement __torch_function__: "
                        f"{[type(value) for value in overriding]}{mode}")
    return answer


def asked(*args):
    """Whether somebody among the arguments, or a mode, is to be asked before a Python function runs."""
    if not modes.overrides and not _is_foreign(args):
        return False
    state = modes.current()
    if state.inside or state.functions_off == 2:
        return False
    return state.function_modes > 0 or state.functions_off == 0 and len(collect(args, False)) > 0


def overridden(func, arguments):
    """The answer to a call of a Python function, given its locals: it names all but the arguments that it must get.

    Such a function asks for itself, because what stands around a call keeps its arguments alive for longer.
    """
    args, kwargs = _by_need(inspect.signature(func), arguments)
    return hand_over(func, (*args, *kwargs.values()), args, kwargs)


def _by_need(signature, arguments):
    by_position, by_name = [], {}
    for name, value in arguments.items():
        parameter = signature.parameters[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            by_position.extend(value)
        elif parameter.kind is parameter.VAR_KEYWORD:
            by_name.update(value)
        elif parameter.default is parameter.empty:
            by_position.append(value)
        else:
            by_name[name] = value
    return tuple(by_position), by_name


def _is_foreign(args):
    """Whether an argument is of no type that torch knows, and wants to be asked."""
    for value in args:
        if type(value) not in _PLAIN and not isinstance(value, Tensor) and overrides_function(value):
            return True
        if type(value) is list or type(value) is tuple:
            for item in value:
                if not isinstance(item, Tensor) and type(item) not in _PLAIN and overrides_function(item):
                    return True
    return False


def ask_foreign(func, args, kwargs):
    """The answer of a foreign object among arguments that fit no op; NO if there is none."""
    if _is_foreign(args) or kwargs and _is_foreign(tuple(kwargs.values())):
        return put(func, collect((*args, *(kwargs or {}).values()), False), args, kwargs or None)
    return NO


class Property:
    """A property of tensors that asks before it is read or written; its ``__get__`` is the function in question."""

    def __init__(self, given):
        self.fget, self.fset, self.fdel = given.fget, given.fset, given.fdel

    def __get__(self, instance, owner):
        if instance is None:
            return self
        if modes.overrides:
            reply = ask_member(self.__get__, (instance,))
            if reply is not NO:
                return reply
        return self.fget(instance)

    def __set__(self, instance, value):
        if modes.overrides and ask_member(self.__set__, (instance, value)) is not NO:
            return
        if self.fset is None:
            raise AttributeError("this attribute of a tensor cannot be set")
        self.fset(instance, value)

    def __delete__(self, instance):
        if modes.overrides and ask_member(self.__delete__, (instance,)) is not NO:
            return
        if self.fdel is None:
            raise AttributeError("this attribute of a tensor cannot be deleted")
        self.fdel(instance)


try:
    Property.__get__.__defaults__ = (None,)  # it is called by name, with the tensor alone
except AttributeError:
    pass  # compiled: it can be


def ask_member(func, args):
    """Ask about a property; NO if there is nobody to ask."""
    reply = ask(func, args, None)
    return reply if reply is NO else settle(reply, func, args, None)


def guarded(function):
    """A function of torch that is written in Python there too; what asks first is the function that users see."""
    return Guarded(function, function.__name__, False)


def guarded_builtin(function):
    """The same for one that torch has in C++: arguments are shown as they were given."""
    return Guarded(function, function.__name__, True)


def member(name, value):
    """What is installed on Tensor under a name: functions and properties ask before they run."""
    if isinstance(value, property):
        return Property(value)
    plain = (isinstance(value, (operator_slots.Callable, Guarded, classmethod, staticmethod))
             or not inspect.isroutine(value))
    if plain or name in _UNASKED:
        return value
    method = Guarded(value, name, name not in _IN_PYTHON)
    method.__qualname__ = f"Tensor.{name}"
    return method


_UNASKED = frozenset(("as_subclass", "__new__"))
# Methods that are written in Python in torch, and so name all their arguments.
_IN_PYTHON = frozenset(("split", "norm", "unique", "unique_consecutive", "backward", "register_hook",
                        "register_post_accumulate_grad_hook", "__deepcopy__", "__reduce_ex__", "__array__",
                        "__array_wrap__", "__format__", "__dlpack__", "__dlpack_device__"))


def arm(cls, **options):
    """Whether the tensors of a new subclass are to be asked."""
    super(Tensor, cls).__init_subclass__(**options)
    is_default = getattr(cls.__torch_function__, "__func__", None) is default_function
    if is_default and cls.__torch_dispatch__ is not disabled_dispatch:
        cls.__torch_function__ = disabled_function  # a class that answers for ops is not asked about functions too
    cls._mt_is_asked = (cls.__torch_function__ is not disabled_function
                        or cls.__torch_dispatch__ is not disabled_dispatch)


def disabled_dispatch(func, types, args=(), kwargs=None):
    """The ``__torch_dispatch__`` of classes that want none."""
    before = modes.set_dispatch_off(True)
    try:
        return func(*args, **(kwargs or {}))
    finally:
        modes.set_dispatch_off(before)


for _name, _value in {"__torch_function__": classmethod(default_function), "__init_subclass__": classmethod(arm),
                      "__torch_dispatch__": staticmethod(disabled_dispatch)}.items():
    add_attribute(_name, _value)
for _sign in (answer, ask_getitem, ask_setitem):
    operator_slots.bind(_sign.__name__, _sign)
operator_slots.bind("disabled", disabled_function)
strided.call_as_method(Guarded)
