"""What is known of a tensor, as ops: ``torch.ops.aten.size(x)`` and the like, reached by full name alone."""

from __future__ import annotations

from ...autograd import hooks, properties
from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.memory_overlap import is_dense, is_expanded
from ...core.tensor import ndim_of, numel_of, offset_of, shape_of, strides_of
from ...devices.facts import is_on_host
from ...opdef.form import declare
from .exchange import pin_memory
from .storage import get_data, set_data_of

_ONLY = "torch.ops.aten"
NO_OVERLAP, OVERLAP, TOO_HARD = range(3)  # what torch can say of a tensor whose elements may share memory


def _size_of(self, dim: int) -> int:
    return shape_of(self)[wrap_dim(dim, ndim_of(self))]


def _stride_of(self, dim: int) -> int:
    return strides_of(self)[wrap_dim(dim, ndim_of(self))]


def _is_contiguous(self, memory_format=contiguous_format) -> bool:
    return self.is_contiguous(memory_format=memory_format)


def _internal_overlap(self) -> int:
    return NO_OVERLAP if is_dense(self) else OVERLAP if is_expanded(self) else TOO_HARD


def _same_storage_numel(self, other) -> bool:
    return self.untyped_storage().nbytes() // self.itemsize == other.untyped_storage().nbytes() // other.itemsize


# Questions, and what answers them; the same question about symbols has the same answer.
FACTS = {
    "dim(Tensor self) -> int": ndim_of,
    "numel(Tensor self) -> int": numel_of,
    "sym_numel(Tensor self) -> SymInt": numel_of,
    "size(Tensor self) -> int[]": lambda self: list(shape_of(self)),
    "size.int(Tensor self, int dim) -> int": _size_of,
    "sym_size(Tensor self) -> SymInt[]": lambda self: list(shape_of(self)),
    "sym_size.int(Tensor self, int dim) -> SymInt": _size_of,
    "stride(Tensor self) -> int[]": lambda self: list(strides_of(self)),
    "stride.int(Tensor self, int dim) -> int": _stride_of,
    "sym_stride(Tensor self) -> SymInt[]": lambda self: list(strides_of(self)),
    "sym_stride.int(Tensor self, int dim) -> SymInt": _stride_of,
    "storage_offset(Tensor self) -> int": offset_of,
    "sym_storage_offset(Tensor self) -> SymInt": offset_of,
    "is_contiguous(Tensor self) -> bool": _is_contiguous,
    "is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool": _is_contiguous,
    "sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool": _is_contiguous,
    "get_device(Tensor self) -> int": lambda self: -1 if is_on_host(self) else self.device.index or 0,
    "is_complex(Tensor self) -> bool": lambda self: self.dtype.is_complex,
    "is_floating_point(Tensor self) -> bool": lambda self: self.is_floating_point(),
    "is_signed(Tensor self) -> bool": lambda self: self.is_signed(),
    "is_inference(Tensor self) -> bool": lambda self: self._mt_inference,
    "is_distributed(Tensor self) -> bool": lambda self: False,
    "is_leaf(Tensor self) -> bool": lambda self: self.grad_fn is None,
    "output_nr(Tensor self) -> int": lambda self: self.output_nr,
    "retains_grad(Tensor self) -> bool": lambda self: self._mt_retains,
    "_version(Tensor self) -> int": lambda self: self._version,
    "_is_zerotensor(Tensor self) -> bool": lambda self: False,
    "_debug_has_internal_overlap(Tensor self) -> int": _internal_overlap,
    "_has_same_storage_numel(Tensor self, Tensor other) -> bool": _same_storage_numel,
}
for _schema, _fact in FACTS.items():
    declare(_schema, "A fact about a tensor.", body=_fact, internal=_ONLY)


# Members of Tensor that change what autograd or a program sees of it.
CHANGES = {
    "data(Tensor self) -> Tensor": get_data,
    "set_data(Tensor(a!) self, Tensor new_data) -> ()": set_data_of,
    "requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)": properties.requires_grad_,
    "retain_grad(Tensor(a!) self) -> ()": hooks.retain_grad,
    "pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)": pin_memory,
    "_pin_memory(Tensor self, Device? device=None) -> Tensor": pin_memory,
}
for _schema, _member in CHANGES.items():
    declare(_schema, "A member of Tensor.", body=_member, internal=_ONLY)
