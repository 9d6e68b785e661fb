"""Questions about tensors and types that take no op, or hardly one."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core import pending
from ...core.overrides import guarded_builtin
from ...core.promotion import result_type as common_type
from ...core.tensor import Tensor, numel_of
from ...opdef.form import Op


class ResultType(Op):
    """The type that results from two tensors."""

    schema = "result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType"
    below = "answers a question"
    body = common_type


class ResultTypeScalar(Op):
    """The type that results from a tensor and a number."""

    schema = "result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType"
    below = "answers a question"
    body = common_type


class ResultTypeScalarTensor(Op):
    """The type that results from a number and a tensor."""

    schema = "result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType"
    below = "answers a question"
    body = common_type


class ResultTypeScalars(Op):
    """The type that results from two numbers."""

    schema = "result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType"
    body = common_type


class CanCast(Op):
    """Whether an in-place result of the first type may be stored as the second."""

    schema = "can_cast(ScalarType from_, ScalarType to) -> bool"
    body = dtypes.can_cast


class PromoteTypes(Op):
    """The smallest type that both can be cast to."""

    schema = "promote_types(ScalarType type1, ScalarType type2) -> ScalarType"
    body = dtypes.promote_types


def is_tensor(obj) -> bool:
    """Whether an object is a tensor."""
    return isinstance(obj, Tensor)


def _tensor(input, name: str) -> Tensor:
    if not isinstance(input, Tensor):
        raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    return input


@guarded_builtin
def is_floating_point(input: Tensor) -> bool:
    """Whether a tensor holds floating-point numbers."""
    return _tensor(input, "is_floating_point").is_floating_point()


@guarded_builtin
def is_complex(input: Tensor) -> bool:
    """Whether a tensor holds complex numbers."""
    return _tensor(input, "is_complex").is_complex()


@guarded_builtin
def is_signed(input: Tensor) -> bool:
    """Whether a tensor's type has negative numbers."""
    return _tensor(input, "is_signed").is_signed()


@guarded_builtin
def is_inference(input: Tensor) -> bool:
    """Whether a tensor was made in inference mode."""
    return input._mt_inference


@guarded_builtin
def is_conj(input: Tensor) -> bool:
    """Whether a tensor's elements are to be conjugated when they are read."""
    return pending.is_conj(_tensor(input, "is_conj"))


@guarded_builtin
def is_neg(input: Tensor) -> bool:
    """Whether a tensor's elements are to be negated when they are read."""
    return pending.is_neg(_tensor(input, "is_neg"))


@guarded_builtin
def numel(input: Tensor) -> int:
    """How many elements a tensor has."""
    return numel_of(_tensor(input, "numel"))


def typename(obj, /) -> str:
    """The name of an object's type; a tensor's tells what it holds."""
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None) or ""
    return kind.__qualname__ if module in ("", "builtins") else f"{module}.{kind.__qualname__}"
