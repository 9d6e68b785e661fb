"""From constraints to transforms that reach them: ``biject_to`` one to one, ``transform_to`` perhaps not."""

from __future__ import annotations

from collections.abc import Callable

from . import constraints, transforms
from .utils import _Number

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """Functions that make a transform for a constraint, by the constraint's class."""

    def __init__(self):
        self._registry: dict[type, Callable] = {}
        super().__init__()

    def register(self, constraint, factory=None):
        """Say how a class of constraints, or that of an instance, is reached; a decorator without ``factory``."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise TypeError("Expected constraint to be either a Constraint subclass or instance, "
                            f"but got {constraint}")
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        """The transform from all real numbers to a constraint."""
        if type(constraint) not in self._registry:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints") from None
        return self._registry[type(constraint)](constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _above(constraint):
    return transforms.ComposeTransform([transforms.ExpTransform(),
                                        transforms.AffineTransform(constraint.lower_bound, 1)])


def _below(constraint):
    return transforms.ComposeTransform([transforms.ExpTransform(),
                                        transforms.AffineTransform(constraint.upper_bound, -1)])


def _between(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, _Number) and low == 0 and isinstance(high, _Number) and high == 1:
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


def _independent(registry: ConstraintRegistry) -> Callable:
    return lambda constraint: transforms.IndependentTransform(registry(constraint.base_constraint),
                                                              constraint.reinterpreted_batch_ndims)


def _cat(registry: ConstraintRegistry) -> Callable:
    return lambda constraint: transforms.CatTransform([registry(c) for c in constraint.cseq], constraint.dim,
                                                      constraint.lengths)


def _stack(registry: ConstraintRegistry) -> Callable:
    return lambda constraint: transforms.StackTransform([registry(c) for c in constraint.cseq], constraint.dim)


# constraint, and the transform from all real numbers to it
REACHED_BY_BOTH = [
    (constraints.real, lambda constraint: transforms.identity_transform),
    (constraints.greater_than, _above),
    (constraints.greater_than_eq, _above),
    (constraints.less_than, _below),
    (constraints.interval, _between),
    (constraints.half_open_interval, _between),
    (constraints.corr_cholesky, lambda constraint: transforms.CorrCholeskyTransform()),
]
for _constraint, _factory in REACHED_BY_BOTH:
    biject_to.register(_constraint, _factory)
    transform_to.register(_constraint, _factory)
for _registry in (biject_to, transform_to):
    _registry.register(constraints.independent, _independent(_registry))
    _registry.register(constraints.cat, _cat(_registry))
    _registry.register(constraints.stack, _stack(_registry))
biject_to.register(constraints.simplex, lambda constraint: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: transforms.LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda constraint: transforms.PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda constraint: transforms.PositiveDefiniteTransform())
