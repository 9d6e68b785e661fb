"""An op's name as the user calls it: all overloads of a name behind one object, function and method alike."""

from __future__ import annotations

import sys
from types import MethodType

from ..core import modes, overrides, strided
from ..core.slots import Work
from ..core.tensor import Tensor
from ..core.torch_names import PACKAGE, shown_package
from . import bind, deprecated_forms, dispatcher, errors, quick_call
from .function_homes import home_of
from .quick_call import QuickCall

_MADE = {}  # by name, functions and methods apart


class Packet(QuickCall):
    """``torch.add`` and ``Tensor.add``: checks the arguments, picks the overload and calls it."""

    is_method = False

    def __init__(self, name, ops):
        self.name = name
        self.wraps_numbers = True
        self.ops = [op for op in ops if len(op.outs) <= 1]
        self.into_several = [op for op in ops if len(op.outs) > 1]  # out= is a tuple for them
        self.first = self.ops[0]
        self.rest1 = self.first.defaults[1:]
        self.rest2 = self.first.defaults[2:]
        self.takes2 = self.first.n_required <= 2 <= self.first.n_positional and self.first.kinds[:2] == [1, 1]
        self.takes1 = self.first.n_required == 1 and self.first.kinds[0] == 1
        _MADE.setdefault((name, self.is_method), self)

    def __call__(self, *args, **kwargs):
        if modes.overrides:
            answer = self.ask(args, kwargs)
            if answer is not overrides.NO:
                return answer
        for op in self.ops:
            bound = bind.bind(op, args, kwargs, True)
            if bound is not None:
                if op.lists:
                    refuse_gaps(op, bound, self.is_method)
                return dispatcher.call(op, bound)
        return self.fallback(args, kwargs)

    def ask(self, args, kwargs):
        """What a ``__torch_function__`` says; overrides.NO if there is none."""
        answer = overrides.ask(self, args, kwargs)
        return answer if answer is overrides.NO else overrides.settle(answer, self, args, kwargs)

    def call1(self, first):
        if modes.overrides:
            return self(first)
        if self.takes1:
            return dispatcher.call(self.first, (first, *self.rest1))
        return self(first)

    def call2(self, first, second):
        """Two operands from an operator sign; what does not fit is left to the other operand."""
        if modes.overrides:
            answer = overrides.ask(self, (first, second), None)
            if answer is not overrides.NO:
                return answer
        if self.takes2 and isinstance(second, Tensor) and isinstance(first, Tensor):
            rest = self.rest2
            if len(rest) == 1:  # alpha, mostly
                return dispatcher.call(self.first, (first, second, rest[0]))
            return dispatcher.call(self.first, (first, second, *rest) if rest else (first, second))
        args = (first, second)
        for op in self.ops:
            bound = bind.bind(op, args, None, True)
            if bound is not None:
                return dispatcher.call(op, bound)
        answer = overrides.ask_foreign(self, args, None)
        return NotImplemented if answer is overrides.NO else answer

    def fallback(self, args, kwargs):
        if kwargs and "out" in kwargs:
            out, others = kwargs["out"], {name: value for name, value in kwargs.items() if name != "out"}
            if out is None and any([op.is_out for op in self.ops + self.into_several]):
                return self(*args, **others)
            if isinstance(out, (tuple, list)):
                for op in self.into_several:
                    bound = bind.bind_several(op, args, others, out)
                    if bound is not None:
                        return dispatcher.call(op, bound)
        answer = overrides.ask_foreign(self, args, kwargs)
        if answer is overrides.NO:
            if self.is_method and self.name.startswith("__"):
                return NotImplemented  # Python asks the other operand
            call = deprecated_forms.reordered(self.name, self.ops, args, kwargs or {}, self.is_method)
            if call is not None:
                return self(*call[0], **call[1])
            raise errors.no_match(self.name, self.ops + self.into_several, args, kwargs, self.is_method)
        return overrides.settle(answer, self, args, kwargs)

    def __getattr__(self, name):
        if name in ("__name__", "__qualname__"):
            return self.name
        if name == "__module__" and not self.is_method:
            home = home_of(self.name)
            return f"{shown_package()}.{home}" if home else shown_package()
        return self.overload(name)

    def __repr__(self):
        return f"<built-in method {self.name} of type object>"

    def __reduce__(self):
        """As PyTorch's built-in functions: by a class and the name in it, or by the name in their module."""
        if not self.is_method and home_of(self.name):
            return self.name
        return getattr, (Tensor if self.is_method else _VariableFunctionsClass, self.name)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def overload(self, name):
        """Call one overload by its name, as ``torch.ops.aten.add.Tensor`` does."""
        for op in self.ops:
            if op.overload == name:
                return op
        raise AttributeError(f"The underlying op of 'aten.{self.name}' has no overload name '{name}'")


def named(name, is_method):
    """The function or method of a name."""
    packet = _MADE.get((name, is_method))
    return Work.packet_of(name, is_method) if packet is None else packet


class _Functions(type):
    def __getattr__(cls, name):
        try:
            return named(name, False)
        except KeyError:  # no op: the package has it
            return getattr(sys.modules[PACKAGE], name)


class _VariableFunctionsClass(metaclass=_Functions):
    """The class by which pickles refer to torch's functions."""


def refuse_gaps(op, args, is_method):
    """Only ops themselves leave indices out of a list; torch's Python functions want a tensor everywhere."""
    for i in op.lists:
        for at, item in enumerate(args[i] or ()):
            if item is None:
                raise TypeError(f"expected Tensor as element {at} in argument {i - is_method}, but got NoneType")


class Method(Packet):
    """The same as a method of Tensor, which to ``__torch_function__`` is another function than torch's."""

    is_method = True

    def __get__(self, instance, owner):
        return self if instance is None else MethodType(self, instance)

    def __repr__(self):
        return f"<method '{self.name}' of 'torch._C.TensorBase' objects>"


for _cls in (Packet, Method):
    quick_call.install(_cls)
strided.call_as_method(Method)
