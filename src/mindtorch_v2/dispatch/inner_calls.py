"""How ops call each other: the overload is chosen by types and remembered, arguments are trusted."""

from __future__ import annotations

from ..core import strided
from ..core.tensor import Tensor
from ..opdef.operator import Operator
from ..opdef.schema import BOOL, FLOAT, INTS, SCALAR, TENSOR
from . import bind, dispatcher, errors, quick_call
from .quick_call import QuickCall


class Inner(QuickCall):
    """``aten.add``: all overloads of a name, for callers inside ops/. A number is a Scalar, as in C++."""

    def __init__(self, name, ops):
        self.name = name
        self.wraps_numbers = False  # a number is a Scalar, as in C++
        self.ops = list(ops)
        self.only = self.ops[0] if len(self.ops) == 1 else None
        new = [op for op in self.ops if not op.is_out]
        self.only_new = new[0] if len(new) == 1 else None  # meant wherever nothing is given by name
        self.chosen = {}

    def __call__(self, *args, **kwargs):
        op = self.only
        if op is None:
            op = self.only_new
            if op is None or kwargs:
                op = self.choose(args, kwargs)
        return dispatcher.call(op, fill(op, args, kwargs))

    def call1(self, first):
        op = self.only_new
        if op is None:
            op = self.choose((first,), None)
        if not isinstance(first, Tensor) and op.kinds[0] == TENSOR:
            raise errors.no_match(op.name, [op], (first,), {})
        return dispatcher.call(op, (first, *op.tails[1]))

    def call2(self, first, second):
        op = self.only_new
        if op is None:
            op = self.choose((first, second), None)
        return dispatcher.call(op, fill(op, (first, second), None))

    def choose(self, args, kwargs):
        """The overload for arguments of these types; the full search is made once for each combination."""
        key = tuple([type(a) for a in args])
        if kwargs:
            key = (key, tuple(kwargs))
        overload = self.chosen.get(key)
        if overload is None:
            for op in self.ops:
                if tensors_fit(op, args) and bind.bind(op, args, kwargs, False) is not None:
                    overload = op
                    break
            else:
                raise errors.no_match(self.name, self.ops, args, kwargs or {})
            self.chosen[key] = overload
        return overload

    def __getattr__(self, overload):
        """One overload by its name: ``aten.sum.dim_IntList``."""
        if overload == "__name__":
            return self.name  # of what reads Tensor.H
        for op in self.ops:
            if op.overload == overload:
                return op
        raise AttributeError(f"op {self.name} has no overload {overload!r}; it has {[o.overload for o in self.ops]}")

    def __repr__(self):
        return f"<aten.{self.name}>"


quick_call.install(Inner)


def tensors_fit(op: Operator, args):
    """Whether every tensor stands where the op takes a tensor: inside ops, none is taken for a number."""
    for i in range(min(len(args), op.n_params)):
        if isinstance(args[i], Tensor) and op.kinds[i] != 1:
            return False
    return True


def fill(op: Operator, args, kwargs):
    """All arguments of an op, with defaults for those not given; a list of ints becomes a tuple.

    What a user may have handed through is checked: neither F.relu(1) nor F.dropout(x, 0.5, "no") gets further.
    """
    n = len(args)
    bound = args + op.tails[n]
    if kwargs:
        changed = list(bound)
        for name, value in kwargs.items():
            changed[op.index[name]] = value
        bound = tuple(changed)
        n = op.n_params
    for i in range(n):
        kind, value = op.codes[i], bound[i]
        if kind == TENSOR:
            if isinstance(value, Tensor):
                continue
        elif kind == SCALAR:
            if type(value) is not int or strided.is_int64(value):
                continue
        elif kind == INTS:
            if type(value) is tuple and bind.are_ints(value):
                continue
        elif kind == BOOL:
            if value is None or type(value) is bool:
                continue
        elif kind != FLOAT or value is None or type(value) is float:
            continue
        converted = bind.convert(op, i, value, False)
        if converted is bind.NO:
            raise errors.no_match(op.name, [op], args, kwargs or {})
        if converted is not bound[i]:
            changed = list(bound)
            changed[i] = converted
            bound = tuple(changed)
    return bound

