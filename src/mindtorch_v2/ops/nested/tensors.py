"""What a nested tensor is made of: the elements of all its tensors in one buffer, and where each tensor lies in it."""

from __future__ import annotations

from collections.abc import Callable

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.geometry import contiguous_strides, wrap_dim
from ...core.kinds import Kind
from ...core.overrides import NO, disabled_function
from ...core.tensor import Tensor, bare, numel_of, offset_of, shape_of, strides_of, take_over, window_of
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ..create.factories import empty

NO_SIZES = "Internal error: NestedTensorImpl doesn't support {}. Please file an issue."
NO_BACKEND = ("Could not run 'aten::{}' with arguments from the 'NestedTensorCPU' backend. This could be because the "
              "operator doesn't exist for this backend, or was omitted during the selective/custom build process (if "
              "using custom build).")


class Nested(Kind):
    """A buffer, and for each tensor in it a row of sizes, a row of strides and an offset."""

    rank = 5
    works: dict[str, Callable] = {}  # what ops do with nested tensors, by name

    def __init__(self, elements: Tensor, sizes: Tensor, strides: Tensor, offsets: Tensor):
        super().__init__()
        self.elements, self.sizes, self.strides, self.offsets = elements, sizes, strides, offsets

    def of_padded(self, padded: Tensor) -> Tensor:
        """A tensor of this kind with what stands in a padded one."""
        corners = [aten.as_strided(whole, tuple(size), strides_of(whole), offset_of(whole))
                   for whole, size in zip(aten.unbind(padded), ask.tolist(self.sizes))]
        return aten._nested_tensor_from_tensor_list(corners)

    @classmethod
    def compute(cls, op, args):
        """The op's entry in the table, else what it is composed of; ops about nested tensors see them themselves."""
        full_name = f"{op.name}.{op.overload}" if op.overload else op.name
        work = cls.works.get(full_name) or cls.works.get(op.name)
        if work is not None:
            return work(*args)
        if op.composite or "nested" in op.name or "transform" in op.name or op.name in LOOK_THEMSELVES:
            return NO
        raise NotImplementedError(NO_BACKEND.format(full_name))


LOOK_THEMSELVES = ("to_padded_tensor", "_native_multi_head_attention")


class NestedTensor(Tensor):
    """A tensor of the kind; the sizes that torch's has are those that all its tensors share."""

    __torch_function__ = disabled_function
    is_nested = True
    elements = property(lambda self: self._mt_kind.elements)
    sizes = property(lambda self: self._mt_kind.sizes)

    def dim(self) -> int:
        return 1 + (shape_of(self.sizes)[1] if numel_of(self.sizes) else 0)

    ndim = property(dim)

    def size(self, dim: int | None = None):
        if dim is None:
            raise RuntimeError(NO_SIZES.format("sizes"))
        dim = wrap_dim(dim, self.dim())
        if dim == 0:
            return shape_of(self.sizes)[0]
        widths = {sizes[dim - 1] for sizes in ask.tolist(self.sizes)}
        if len(widths) != 1:
            raise RuntimeError(f"Given dimension {dim} is irregular and does not have a size.")
        return widths.pop()

    @property
    def shape(self):
        raise RuntimeError(NO_SIZES.format("sizes"))

    def stride(self, dim: int | None = None):
        raise RuntimeError(NO_SIZES.format("strides"))

    def numel(self) -> int:
        return sum([numel_of(t) for t in items(self)])

    def is_contiguous(self, memory_format=contiguous_format) -> bool:
        return is_in_order(self)

    def contiguous(self, memory_format=contiguous_format) -> Tensor:
        return self if is_in_order(self) else aten.contiguous(self, memory_format=contiguous_format)

    def __len__(self) -> int:
        return shape_of(self.sizes)[0]

    def __getitem__(self, at):
        if isinstance(at, int):
            return aten._nested_select(self, at)
        raise NotImplementedError(f"a nested tensor is indexed by the number of a tensor, got {at!r}")

    def __iter__(self):
        return iter(self.unbind())

    def unbind(self, dim: int = 0) -> tuple[Tensor, ...]:
        return aten._nested_unbind(self, dim)

    def sum(self, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
        if dim is None:
            raise NotImplementedError(NO_BACKEND.format("sum"))
        return aten._nested_sum(self, (dim,) if isinstance(dim, int) else tuple(dim), keepdim)

    def values(self) -> Tensor:
        return aten._nested_values(self)

    def to_padded_tensor(self, padding: float, output_size=None) -> Tensor:
        return aten.to_padded_tensor(self, float(padding), output_size)

    def _nested_tensor_size(self) -> Tensor:
        return aten._nested_tensor_size(self)

    def _nested_tensor_strides(self) -> Tensor:
        return aten._nested_tensor_strides(self)

    def _nested_tensor_storage_offsets(self) -> Tensor:
        return aten._nested_tensor_storage_offsets(self)

    def __deepcopy__(self, memo: dict) -> Tensor:
        memo[id(self)] = self.detach().clone().requires_grad_(self._mt_requires)
        return memo[id(self)]

    def tolist(self):
        raise RuntimeError(NO_SIZES.format("strides"))

    def numpy(self, *, force: bool = False):
        raise RuntimeError(NO_SIZES.format("sizes"))

    def __repr__(self) -> str:
        lines = [f"  {line}" for t in items(self) for line in (repr(t) + ",").split("\n")]
        if lines:
            lines[-1] = lines[-1].removesuffix(",")
        node = self.grad_fn
        told = f", grad_fn=<{node.name()}>" if node is not None else ", requires_grad=True" if self._mt_requires else ""
        return "\n".join(["nested_tensor([", *(lines or [""]), f"]{told})"])

    __str__ = __repr__


def is_nested(value) -> bool:
    """Whether a value is a nested tensor, whatever its class."""
    return isinstance(value, Tensor) and isinstance(value._mt_kind, Nested)


def nested(elements: Tensor, sizes: Tensor) -> NestedTensor:
    """A nested tensor whose tensors lie one behind the other; torch keeps their strides and offsets, too."""
    offsets = empty((shape_of(sizes)[0],), dtypes.int64)
    strides = aten.new_empty(sizes, shape_of(sizes))
    every = [tuple(size) for size in ask.tolist(sizes)]
    if every:
        run.fill_from_list(strides, [contiguous_strides(size) for size in every])
        run.fill_from_list(offsets, places_of(every))
    return of_parts(elements, sizes, strides, offsets)


def places_of(sizes: list[tuple[int, ...]]) -> list[int]:
    """Where tensors begin that lie one behind the other."""
    places, place = [], 0
    for size in sizes:
        places.append(place)
        count = 1
        for n in size:
            count *= n
        place += count
    return places


def of_parts(elements: Tensor, sizes: Tensor, strides: Tensor, offsets: Tensor) -> NestedTensor:
    """A nested tensor of what it is made of. To those who describe it, it has no dimensions, as in torch."""
    tensor = bare(NestedTensor)
    shown = ((), ()) if numel_of(elements) else ((0,), (1,))
    take_over(tensor, window_of(elements, *shown, offset_of(elements)))
    tensor._mt_kind = Nested(elements, sizes, strides, offsets)
    return tensor


def like(tensor: Tensor, elements: Tensor) -> NestedTensor:
    """Other elements in the places of a nested tensor's."""
    kind = tensor._mt_kind
    return of_parts(elements, kind.sizes, kind.strides, kind.offsets)


def geometry(tensor: Tensor) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Size, strides and offset of each tensor."""
    kind = tensor._mt_kind
    return [(tuple(size), tuple(stride), place) for size, stride, place in
            zip(ask.tolist(kind.sizes), ask.tolist(kind.strides), ask.tolist(kind.offsets))]


def items(tensor: Tensor) -> list[Tensor]:
    """The tensors of a nested one, without rows."""
    elements = tensor._mt_kind.elements
    return [window_of(elements, size, stride, offset_of(elements) + place)
            for size, stride, place in geometry(tensor)]


def is_in_order(tensor: Tensor) -> bool:
    """Whether the tensors lie one behind the other, each row by row."""
    known = geometry(tensor)
    return [place for _, _, place in known] == places_of([size for size, _, _ in known]) and all(
        [stride == contiguous_strides(size) for size, stride, _ in known])
