"""Which calls must stay in a graph though nobody uses their results."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..api.install import FUNCTIONS
from ..api.namespace import OpOverload, OpOverloadPacket
from ..core.assertions import _assert

if TYPE_CHECKING:
    from .node import Node

_RANDOM = frozenset(FUNCTIONS[name] for name in ("rand", "randint", "randn", "randperm", "rand_like", "randint_like",
                                                 "randn_like", "normal", "poisson", "bernoulli", "multinomial")
                    if name in FUNCTIONS)
_side_effectful_functions: set[Callable] = {_assert, operator.setitem}
if "_assert_async" in FUNCTIONS:
    _side_effectful_functions.add(FUNCTIONS["_assert_async"])


def has_side_effect(fn: Callable) -> Callable:
    """Say that calls of a function must stay though nobody uses their results."""
    _side_effectful_functions.add(fn)
    return fn


def is_impure_call(function: Callable, impure_random: bool = True) -> bool:
    """Whether a function does more than return something: it writes, draws random numbers or was said to."""
    if function in _side_effectful_functions:
        return True
    if isinstance(function, OpOverloadPacket):
        function = getattr(function, "default", None)
        return function is not None and is_impure_call(function, impure_random)
    if isinstance(function, OpOverload):
        return function._schema.is_mutable or impure_random and _draws(function)
    return impure_random and function in _RANDOM


def _draws(overload: OpOverload) -> bool:
    """Whether an op draws random numbers: it can be told by which generator, or drops out what it chooses itself."""
    return "dropout" in overload._opname or any(a.name == "generator" for a in overload._schema.arguments)


def is_impure(node: Node, impure_random: bool = True) -> bool:
    """Whether a node must stay though nobody uses it."""
    if node.op == "call_module":
        if node.graph.owning_module is None:
            raise AssertionError("self.graph.owning_module not set for purity check")
        return getattr(node.graph.owning_module.get_submodule(node.target), "_is_impure", False)
    if node.op == "call_function":
        return is_impure_call(node.target, impure_random)
    return node.op in ("placeholder", "output")
