# cython: annotation_typing=False
"""Out of tensors and into Python: item, tolist, and what bool(), float(), int(), len() and repr() of a tensor are."""

from __future__ import annotations

from ...autograd.tangents import levels_of, tangent_of
from ...core import dtype as dtypes
from ...core import operator_slots
from ...core.kinds import check_single
from ...core.printing import tensor_text
from ...core.sparse import is_sparse
from ...core.sparse_printing import sparse_text
from ...core.tensor import Tensor, add_attribute, ndim_of, numel_of, place_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import ask
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call, is_unobserved
from ...dispatch.python_dispatch import is_opaque
from ...opdef.form import Op
from .lost_history import warn_of_lost_history


class LocalScalarDense(Op):
    """A tensor's only element as a Python number."""

    schema = "_local_scalar_dense(Tensor self) -> Scalar"
    below = "makes a number"

    def body(self):
        return ask.item(self)


class Item(Op):
    """A tensor's only element as a Python number."""

    schema = "item(Tensor self) -> Scalar"
    variants = "method"

    def body(self):
        if numel_of(self) != 1:
            raise RuntimeError(f"a Tensor with {numel_of(self)} elements cannot be converted to Scalar")
        return call(_LOCAL_SCALAR_DENSE, (self,))


class IsNonzero(Op):
    """Whether a tensor's only element is anything but zero."""

    schema = "is_nonzero(Tensor self) -> bool"
    variants = "method"

    def body(self):
        if numel_of(self) != 1:
            number = "no values" if numel_of(self) == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {number} is ambiguous")
        return bool(call(_ITEM, (self,)))


def tolist(self: Tensor):
    """Nested lists of Python numbers."""
    if is_opaque(self):
        raise RuntimeError(f".tolist() is not supported for tensor subclasses, got {type(self).__name__}")
    check_single(self)
    if is_sparse(self):
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")
    plain = self if is_unobserved() else aten.resolve_neg(aten.resolve_conj(self))
    return ask.tolist(plain)


def _only(self: Tensor):
    if numel_of(self) != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return call(_ITEM, (self,))


def to_bool(self: Tensor) -> bool:
    return call(_IS_NONZERO, (self,))


def to_float(self: Tensor) -> float:
    warn_of_lost_history(self)
    return float(_real(_only(self), "double"))


def to_int(self: Tensor) -> int:
    return int(_real(_only(self), "int64_t"))


def _real(value, kind: str):
    """A number that may be complex, but only in its type."""
    if not isinstance(value, complex):
        return value
    if value.imag:
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    return value.real


def to_complex(self: Tensor) -> complex:
    warn_of_lost_history(self)
    return complex(_only(self))


def to_index(self: Tensor) -> int:
    if numel_of(self) != 1 or self.dtype.category > dtypes.INTEGRAL:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(call(_ITEM, (self,)))


def length(self: Tensor) -> int:
    if ndim_of(self) == 0:
        raise TypeError("len() of a 0-d tensor")
    return shape_of(self)[0]


def text(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """What repr() prints: values, or what somebody says in their place, then what cannot be told from them."""
    shown = _text_of_kind(self, tensor_contents)
    is_marked = type(self) is not Tensor and getattr(self, "_is_param", False)  # a parameter of the user's own class
    return f"Parameter({shown})" if is_marked else shown


def _text_of_kind(self: Tensor, tensor_contents: str | None) -> str:
    kind = type(self)
    if is_opaque(self):
        if tensor_contents is not None:
            return _described(self, self, kind.__name__, str(place_of(self)), contents=tensor_contents)
        return f"{kind.__name__}(..., size={tuple(shape_of(self))}, dtype={self.dtype!r})"
    if is_sparse(self):
        return sparse_text(self)
    if self._mt_kind is not None:
        of_kind = self._mt_kind.text(text)
        if of_kind is not None:
            return of_kind
    name = "tensor" if kind in (Tensor,) or kind.__name__ == "Parameter" else kind.__name__
    shown = self if self._mt_kind is None else aten.resolve_neg(aten.resolve_conj(self))
    levels = levels_of(self)
    tangent = None if not levels else text(tangent_of(self, levels[-1]))
    return _described(self, shown, name, str(place_of(self)), tangent=tangent, contents=tensor_contents)


def text_without_values(self: Tensor, name: str, device: str) -> str:
    """What repr() prints of a tensor that has no values, whatever device it is said to be on."""
    return _described(self, self, name, device, has_values=False)


def _described(self: Tensor, shown: Tensor, name: str, device: str, **said) -> str:
    return tensor_text(shown._mt_array, name=name, device=device, dtype=self.dtype.name,
                       default_dtype=dtypes.get_default_dtype().name, requires_grad=self._mt_requires,
                       grad_fn=_name_of_history(self), **said)


def _name_of_history(self: Tensor) -> str | None:
    try:
        node = self.grad_fn
    except RuntimeError:  # a view that was made without gradients, of memory that was written since
        return "Invalid"
    return None if node is None else node.name().rpartition(":")[2]


def format_(self: Tensor, format_spec: str) -> str:
    """A tensor of one number takes the formats of numbers; any other only none."""
    if type(self) is Tensor and ndim_of(self) == 0 and has_values(self):
        return call(_ITEM, (self,)).__format__(format_spec)
    return object.__format__(self, format_spec)


for _sign in (to_bool, to_float, to_int, to_complex, to_index, length, text):
    operator_slots.bind(_sign.__name__, _sign)
add_attribute("tolist", tolist)
add_attribute("__format__", format_)

# The ops called above, looked up once.
_IS_NONZERO = IsNonzero.op
_ITEM = Item.op
_LOCAL_SCALAR_DENSE = LocalScalarDense.op
