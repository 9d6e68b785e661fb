"""What modules and optimizers tell a recording of themselves while Python's calls are traced."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from . import rows
from .calls import Modules
from .layout import LINE_BASE, MODULE_CALL, MODULE_RANGE, NUMBER_BITS, OPTIMIZERS
from .module_paths import Layout, ModulePaths
from .names import names
from .objects import ModuleFacts, Objects, OptimizerFacts

OPTIMIZER = "#"  # what stands in the place of an overload, where an optimizer stands there


@dataclass
class State:
    """One stretch of tracing, from the first window that wants stacks to the last."""

    running: bool = False
    modules: Modules = field(default_factory=Modules)
    objects: Objects = field(default_factory=Objects)
    optimizers: dict[int, tuple[weakref.ref, OptimizerFacts]] = field(default_factory=dict)  # by id


state = State()
module_paths = ModulePaths()


def begin() -> None:
    """Number modules from zero again, and forget what was known of them."""
    global state
    state = State(running=True)


def end() -> None:
    state.running = False


def open_module(module, facts: Callable[..., ModuleFacts], depth: int = 3) -> int:
    """A row for a module's call, made ``depth`` frames up, and what is known of it, once."""
    name = state.modules.name(module)
    if name not in state.objects.modules:
        state.objects.modules[name] = _unless_it_fails(facts, module)
    return rows.open_range(name, MODULE_CALL, LINE_BASE - (sys._getframe(depth).f_lineno or 0))


def open_module_range(module, layout: Layout) -> int:
    """A row for a module's call by its qualified name."""
    return rows.open_range(module_paths.numbers.get(id(module)) or module_paths.number(module, layout), MODULE_RANGE)


def forget_paths() -> None:
    """Read qualified names anew: models may have changed since anybody asked for them."""
    global module_paths
    module_paths = ModulePaths()


def _forget_numbers() -> None:
    module_paths.numbers = {}


names.when_forgotten.append(_forget_numbers)


def number_of_step(optimizer, name: str) -> int:
    """The number of the name of an optimizer's steps. Each optimizer has one of its own, told apart where ops have
    overloads: so a profile knows whose step it was, though all names read the same."""
    key = id(optimizer), name
    return _step_names.get(key) or _step_names.setdefault(key, names.add((name, f"{OPTIMIZER}{id(optimizer):x}")))


_step_names: dict[tuple[int, str], int] = {}
names.when_forgotten.append(_step_names.clear)


def note_optimizer(row: int, optimizer, facts: Callable[..., OptimizerFacts]) -> None:
    """Keep what an optimizer holds at the first step seen of it, for all its steps, as torch does."""
    if row >= 0 and rows.is_listening() & OPTIMIZERS:
        seen, known = state.optimizers.get(id(optimizer), (None, None))
        if seen is None or seen() is not optimizer:
            known = _unless_it_fails(facts, optimizer)
            seen = weakref.ref(optimizer, _forgetting(state.optimizers, id(optimizer)))
            state.optimizers[id(optimizer)] = seen, known
        if known is not None:
            state.objects.optimizers[row] = known


def _forgetting(known: dict, address: int) -> Callable[[weakref.ref], None]:
    """Forget an optimizer that dies, unless another stands in its place already."""
    def forget(dead: weakref.ref) -> None:
        if address in known and known[address][0] is dead:
            del known[address]

    return forget


def _unless_it_fails(facts: Callable, of: object):
    """What is known of a module or an optimizer; nothing if its own attributes say no."""
    try:
        return facts(of)
    except Exception:
        return None  # the profiled program is not to hear of it


def forget_modules(numbers: Iterable[int]) -> None:
    """Forget the modules that go by these names."""
    for number in numbers:
        state.objects.modules.pop(number, None)


def forget_optimizers(thread: int, number: int) -> None:
    """Forget the steps of a thread whose rows, all below a number, were dropped."""
    begin, kept = thread << NUMBER_BITS, state.objects.optimizers
    for row in [row for row in list(kept) if begin <= row < begin + number]:
        del kept[row]
