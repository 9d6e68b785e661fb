"""Nested tensors of the jagged layout: values one behind the other, and the offsets where each tensor begins.

Only one dimension, the ragged one, differs from tensor to tensor. As in torch they are a class that answers for its
ops (``__torch_dispatch__``); to the engine, their ragged dimension is as long as all tensors together.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ...core import describe
from ...core.device import jagged
from ...core.dtype import int64
from ...core.geometry import wrap_dim
from ...core.kinds import Kind
from ...core.overrides import NO, disabled_function
from ...core.size import of_ints
from ...core.tensor import Tensor, ndim_of, shape_of
from ...devices.kernel import ask
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...record import rows
from ...record.names import names
from ..python.construct import tensor as tensor_of

_numbers = itertools.count(1)
SUBCLASS = names.declare("PythonSubclass")  # the row of an op that a class answers


class RaggedSize:
    """The size of a ragged dimension, which is the same for tensors with the same offsets."""

    def __init__(self, number: int, factor: int = 1):
        self.number, self.factor = number, factor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaggedSize) and (self.number, self.factor) == (other.number, other.factor)

    def __hash__(self) -> int:
        return hash((self.number, self.factor))

    def __mul__(self, factor: int) -> RaggedSize:
        return RaggedSize(self.number, self.factor * factor)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"j{self.number}" if self.factor == 1 else f"{self.factor}*j{self.number}"


class Jagged(Kind):
    """Values, offsets and lengths; which dimension is ragged, and what its size is called."""

    rank = 5
    layout = jagged
    compositions: dict[str, Callable] = {}  # ops that are answered as a whole, above autograd

    def __init__(self, values: Tensor, offsets: Tensor, lengths: Tensor | None, ragged: int, size: RaggedSize,
                 extremes: dict[str, Tensor]):
        super().__init__()
        self.values, self.offsets, self.lengths, self.ragged, self.size = values, offsets, lengths, ragged, size
        self.extremes = extremes  # the least and the largest length, where known, as the sizes of empty tensors

    def of_padded(self, padded: Tensor) -> Tensor:
        """A tensor of this kind with what stands in a padded one."""
        values = aten._padded_dense_to_jagged_forward(padded, [self.offsets], shape_of(self.values)[0])
        return jagged_view(values, self.offsets, self.lengths, self.ragged)

    @classmethod
    def compute(cls, op, args):
        work = cls.compositions.get(op.name) if op.composite else None
        if work is None:
            return NO
        return work(*args) if op.name in PLAIN else answered(work, *args)


PLAIN = ("dropout", "reshape")  # compositions that torch looks through, too


def answered(work: Callable, *args):
    """What a function makes of arguments, under the row of an op that a class answers."""
    wanted = rows.is_listening()
    if not wanted:
        return work(*args)
    row = describe.open_call(SUBCLASS, 0, -1, args, wanted, 0)
    try:
        return work(*args)
    finally:
        rows.close_range(row)


class NestedTensor(Tensor):
    """A tensor of the kind."""

    __torch_function__ = disabled_function
    is_nested = True
    _values = property(lambda self: self._mt_kind.values)
    _offsets = property(lambda self: self._mt_kind.offsets)
    _lengths = property(lambda self: self._mt_kind.lengths)
    _ragged_idx = property(lambda self: self._mt_kind.ragged)
    _metadata_cache = property(lambda self: self._mt_kind.extremes)
    _max_seqlen_tensor = property(lambda self: self._mt_kind.extremes.get("max_seqlen"))
    _min_seqlen_tensor = property(lambda self: self._mt_kind.extremes.get("min_seqlen"))
    _max_seqlen = property(lambda self: self._get_max_seqlen())
    _min_seqlen = property(lambda self: self._get_min_seqlen())
    _maybe_max_seqlen = property(lambda self: _noted(self._max_seqlen_tensor))
    _maybe_min_seqlen = property(lambda self: _noted(self._min_seqlen_tensor))

    def _get_max_seqlen(self) -> int:
        return self._extreme("max_seqlen", max)

    def _get_min_seqlen(self) -> int:
        return self._extreme("min_seqlen", min)

    def _extreme(self, name: str, choose: Callable) -> int:
        extremes = self._mt_kind.extremes
        if name not in extremes:
            extremes[name] = aten.zeros((choose(lengths_of(self), default=0), 0))
        return _noted(extremes[name])

    @property
    def shape(self):
        sizes = list(shape_of(self))
        sizes[self._ragged_idx] = self._mt_kind.size
        return of_ints(sizes)

    def size(self, dim: int | None = None):
        return self.shape if dim is None else self.shape[wrap_dim(dim, ndim_of(self))]

    def stride(self, dim: int | None = None):
        steps, step = [], 1
        for size in reversed(self.shape):
            steps.insert(0, step)
            step = size * step
        return tuple(steps) if dim is None else steps[wrap_dim(dim, ndim_of(self))]

    def numel(self) -> int:
        return self._values.numel()

    def is_contiguous(self, memory_format=None) -> bool:
        return self._lengths is None and self._values.is_contiguous()

    def contiguous(self, memory_format=None) -> Tensor:
        return self if self.is_contiguous() else jagged_from_list(list(self.unbind()), self)

    def __setstate__(self, state: dict) -> None:
        """What a file of torch's says besides the values: notes that the offsets tell of too, and the user's own."""
        self.__dict__.update({name: value for name, value in state.items() if not name.startswith("_")})

    def values(self) -> Tensor:
        return aten._nested_get_values(self)

    def offsets(self) -> Tensor:
        return self._offsets

    def lengths(self) -> Tensor | None:
        return self._lengths

    def unbind(self, dim: int = 0) -> tuple[Tensor, ...]:
        if wrap_dim(dim, ndim_of(self)) != 0:
            raise RuntimeError("unbind(): only supported for NestedTensor on dim=0")
        if not self._mt_requires:
            return aten.unbind(self, 0)
        return tuple(parts_of(aten._nested_get_values(self), self))

    def __getitem__(self, at):
        if isinstance(at, int):
            return self.unbind()[at] if self._mt_requires else aten.select(self, 0, at)
        raise NotImplementedError(f"a nested tensor is indexed by the number of a tensor, got {at!r}")

    def __len__(self) -> int:
        return shape_of(self)[0]

    def __iter__(self):
        return iter(self.unbind())

    def sum(self, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
        return self._reduced("sum", dim, keepdim, dtype)

    def mean(self, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
        return self._reduced("mean", dim, keepdim, dtype)

    def _reduced(self, name: str, dim, keepdim: bool, dtype):
        """A sum or a mean; where autograd follows, in ops on the values."""
        dims = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
        if not self._mt_requires:
            return getattr(aten, name)(self, dtype=dtype) if dims is None else getattr(aten, name)(
                self, dims, keepdim, dtype=dtype)
        from .jagged_reductions import reduced
        return reduced(name, self, dims, keepdim, dtype)

    def to_padded_tensor(self, padding: float, output_size=None) -> Tensor:
        return aten.to_padded_tensor(self, float(padding), None if output_size is None else tuple(output_size))

    def __repr__(self) -> str:
        node = self.grad_fn
        told = f", grad_fn={node!r}" if node is not None else ", requires_grad=True" if self._mt_requires else ""
        return (f"NestedTensor(size={tuple(self.shape)}, offsets={self._offsets}{told}, "
                f"contiguous={self.is_contiguous()})")

    __str__ = __repr__

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        from .jagged_ops import answer
        return answer(func, args, kwargs or {})


def _noted(extreme: Tensor | None) -> int | None:
    """A length that was noted as the size of an empty tensor."""
    return None if extreme is None else shape_of(extreme)[0]


def wrap(values: Tensor, offsets: Tensor, lengths: Tensor | None, ragged: int, size: RaggedSize,
         extremes: dict[str, Tensor] | None = None) -> NestedTensor:
    """A jagged tensor on values."""
    count = shape_of(offsets)[0] - 1
    shape = (count, *shape_of(values))
    wrapper = Tensor._make_wrapper_subclass(NestedTensor, shape, dtype=values.dtype, layout=jagged)
    wrapper._mt_kind = Jagged(values, offsets, lengths, ragged, size, {} if extremes is None else extremes)
    return wrapper


def with_values(tensor: NestedTensor, values: Tensor, ragged: int | None = None) -> NestedTensor:
    """Other values at the offsets of a jagged tensor."""
    kind = tensor._mt_kind
    ragged = kind.ragged if ragged is None else ragged
    return wrap(values, kind.offsets, kind.lengths, ragged, kind.size, kind.extremes)


def size_of(offsets: Tensor) -> RaggedSize:
    """The ragged size of tensors with these offsets: one for each tensor of offsets."""
    if "_mt_ragged_size" not in offsets.__dict__:
        offsets.__dict__["_mt_ragged_size"] = RaggedSize(next(_numbers))
    return offsets.__dict__["_mt_ragged_size"]


class NestedViewFromJagged(Op):
    """A jagged tensor on values, cut at offsets."""

    schema = ("_nested_view_from_jagged(Tensor(a) self, Tensor offsets, Tensor dummy, Tensor? lengths=None, "
              "int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None) -> Tensor(a)")
    internal = "torch.nested"
    node = "NestedViewFromJaggedBackward0"

    def body(self, offsets, dummy, lengths, ragged_idx, min_seqlen, max_seqlen):
        extremes = {"min_seqlen": min_seqlen, "max_seqlen": max_seqlen}
        known = {name: extreme for name, extreme in extremes.items() if extreme is not None}
        return answered(lambda *parts: wrap(*parts, known), self, offsets, lengths, ragged_idx, size_of(offsets))

    def grad_self(grad):
        return aten._nested_get_values(grad)


class NestedGetValues(Op):
    """The values of a jagged tensor."""

    schema = "_nested_get_values(Tensor(a) self) -> Tensor(a)"
    internal = "torch.nested"
    node = "NestedGetValuesBackward0"

    def body(self):
        return aten.detach(self._values)

    def grad_self(grad, self):
        return jagged_view(grad, self._offsets, self._lengths, self._ragged_idx)


def jagged_view(values: Tensor, offsets: Tensor, lengths: Tensor | None = None, ragged: int = 1,
                shortest: Tensor | None = None, longest: Tensor | None = None) -> Tensor:
    """A jagged tensor on values that autograd follows."""
    return aten._nested_view_from_jagged(values, offsets, offsets, lengths, ragged, shortest, longest)


def lengths_of(tensor: NestedTensor) -> list[int]:
    """How long each tensor is in the ragged dimension."""
    if tensor._lengths is not None:
        return ask.tolist(tensor._lengths)
    marks = ask.tolist(tensor._offsets)
    return [end - start for start, end in zip(marks, marks[1:])]


def parts_of(values: Tensor, tensor: NestedTensor) -> list[Tensor]:
    """Values as the tensors that they are the values of."""
    starts, dim = ask.tolist(tensor._offsets), tensor._ragged_idx - 1
    if tensor._lengths is None:
        return list(aten.split_with_sizes(values, tuple(lengths_of(tensor)), dim))
    return [aten.narrow(values, dim, start, n) for start, n in zip(starts, lengths_of(tensor))]


def jagged_from_list(tensors: list[Tensor], like: NestedTensor | None = None) -> Tensor:
    """Tensors that differ in one dimension as a jagged tensor; ``like`` has the offsets."""
    if not tensors:
        raise RuntimeError("Cannot construct a nested tensor from an empty tensor list")
    shapes = [shape_of(t) for t in tensors]
    if len({len(shape) for shape in shapes}) != 1:
        raise RuntimeError("When constructing a nested tensor, all tensors in list must have the same dim")
    differing = [i for i, sizes in enumerate(zip(*shapes)) if len(set(sizes)) > 1]
    if len(differing) > 1:
        raise RuntimeError("Cannot represent given tensor list as a nested tensor with the jagged layout. Note that "
                           "the jagged layout only allows for a single ragged dimension. For example: (B, *, D_0, D_1, "
                           "..., D_N), with ragged * dim.")
    dim = differing[0] if differing else 0
    values = aten.cat(tensors, dim)
    if like is not None:
        return jagged_view(values, like._offsets, None, dim + 1, like._min_seqlen_tensor, like._max_seqlen_tensor)
    first = aten.zeros((1,), dtype=int64)
    ends = aten.cumsum(tensor_of([shape[dim] for shape in shapes]), 0)
    offsets = aten.cat([first, ends])
    extremes = [aten.zeros((extreme([shape[dim] for shape in shapes]), 0)) for extreme in (min, max)]
    return jagged_view(values, offsets, None, dim + 1, *extremes)


NestedTensor.__module__ = "torch.nested._internal.nested_tensor"
