"""PassManager: passes in a row, in an order that keeps what is said about it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps

from ....nn.modules.module import Module
from ...graph_module import GraphModule
from .pass_base import PassResult

__all__ = ["PassManager", "pass_result_wrapper", "this_before_that_pass_constraint"]

Pass = Callable[[Module], PassResult]
Constraint = Callable[[Pass, Pass], bool]  # whether the first may come before the second


def pass_result_wrapper(fn: Callable | None) -> Pass | None:
    """A function that changes a module, or returns another, as a pass."""
    if fn is None:
        return None

    @wraps(fn)
    def wrapped(gm: Module) -> PassResult | None:
        result = fn(gm)
        if isinstance(result, PassResult):
            return result
        return PassResult(gm if result is None else result, True)

    if not inspect.isfunction(fn):
        wrapped.__name__ = type(fn).__name__
    return wrapped


def this_before_that_pass_constraint(this: Pass, that: Pass) -> Constraint:
    """The rule that one pass comes before another."""
    return lambda a, b: a != that or b != this


def _validate_pass_schedule_constraint(constraint: Constraint, passes: list[Pass]) -> None:
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1:]):
            if not constraint(a, b):
                raise RuntimeError(f"pass schedule constraint violated. Expected {a} before {b} but found {a} at index "
                                   f"{i} and {b} at index {j} in pass list.")


def _topological_sort_passes(passes: list[Pass], constraints: list[Constraint]) -> list[Pass]:
    """The passes in an order that keeps all rules, first come first served."""
    before = {a: [b for b in passes if a != b for rule in constraints if not rule(a, b)] for a in passes}
    ordered: list[Pass] = []
    waiting = list(passes)
    while waiting:
        free = [each for each in waiting if all(other in ordered for other in before[each])]
        if not free:
            raise RuntimeError(f"Circular dependency detected within the following passes: {waiting}")
        ordered += free
        waiting = [each for each in waiting if each not in free]
    return ordered


def _name(each: Pass) -> str:
    return each.__name__ if inspect.isfunction(each) else type(each).__name__


class PassManager:
    """Runs passes until none changes anything, or as often as it is told to."""

    steps = 1
    _validated = False

    def __init__(self, passes: list[Pass] | None = None, constraints: list[Constraint] | None = None,
                 steps: int | None = None, run_checks_after_each_pass: bool = False,
                 suppress_check_failures: bool = False) -> None:
        self.passes, self.constraints = passes or [], constraints or []
        self.steps = steps or self.steps
        self.run_checks_after_each_pass = run_checks_after_each_pass
        self.suppress_check_failures = suppress_check_failures

    def add_pass(self, _pass: Pass) -> None:
        """One more pass."""
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint: Constraint) -> None:
        """One more rule about the order."""
        self.constraints.append(constraint)
        self._validated = False

    def validate_constraints(self) -> None:
        """An error if the order breaks a rule."""
        if not self._validated:
            for constraint in self.constraints:
                _validate_pass_schedule_constraint(constraint, self.passes)
            self._validated = True

    def solve_constraints(self) -> None:
        """Bring the passes into an order that keeps all rules."""
        self.passes = _topological_sort_passes(self.passes, self.constraints)
        self._validated = True

    def add_checks(self, check: Callable[[Module], None]) -> None:
        """What must hold before the first pass and, where that is asked for, after each."""
        if len(inspect.signature(check).parameters) != 1:
            raise TypeError("PassManager check function should only take in one variable, a module")
        self.check = check

    def check(self, module: Module) -> None:
        """Nothing, unless checks were added."""

    def _run(self, place: int, module: Module) -> PassResult:
        each = self.passes[place]
        try:
            result = each(module)
            if not hasattr(result, "graph_module"):
                raise TypeError(f"The result of the pass {_name(each)} should be type PassResult.Please wrap it with "
                                "pass_result_wrapper()")
            if isinstance(result.graph_module, GraphModule):
                result.graph_module.recompile()
            if self.run_checks_after_each_pass:
                self.check(result.graph_module)
        except Exception as error:
            raise Exception(f"An error occurred when running the '{_name(each)}' pass after the following passes: "  # noqa: TRY002
                            f"{[_name(p) for p in self.passes[:place]]}") from error
        return result

    def __call__(self, module: Module) -> PassResult:
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        ever_modified = False
        for _ in range(self.steps):
            modified = False
            for place in range(len(self.passes)):
                result = self._run(place, module)
                module, modified = result.graph_module, modified or result.modified
            ever_modified = ever_modified or modified
            if not modified:
                break
        return PassResult(module, ever_modified)
