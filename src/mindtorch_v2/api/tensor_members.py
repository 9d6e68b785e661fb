"""Members of Tensor that ask what kind of tensor it is, and those of kinds and devices that are not here."""

from __future__ import annotations

import warnings

from ..core.device import preserve_format, sparse_csr
from ..core.dtype import float32
from ..core.sparse import NOT_FOR_BACKEND, is_coo, is_sparse
from ..core.tensor import Tensor, add_attribute, ndim_of, numel_of, shape_of, strides_of
from ..dispatch.aten import aten
from .typed_storage import STORAGES

# Kinds of tensors by the type of their device.
DEVICE_KINDS = ("ipu", "maia", "mps", "mtia", "vulkan", "xla", "xpu")
# Devices that tensors cannot be brought to, and what torch says without them.
MISSING_DEVICES = {
    "ipu": RuntimeError("PyTorch is not linked with support for ipu devices"),
    "xpu": AssertionError("Torch not compiled with XPU enabled"),
    "mtia": AssertionError("Torch not compiled with MTIA enabled. Ensure you have `import "
                           "mtia.host_runtime.torch_mtia.dynamic_library` in your python src file and include "
                           "`//mtia/host_runtime/torch_mtia:torch_mtia` as your target dependency!"),
}
# What no tensor is or has: quantised and mkldnn ones are not made here, symbols belong to torch's compiler.
NEVER = ("is_mkldnn", "is_quantized", "_has_symbolic_sizes_strides", "_python_dispatch")
# Members of nested and of quantised tensors, which no other tensor has a kernel for.
NO_KERNEL = ("to_padded_tensor q_scale q_zero_point q_per_channel_axis q_per_channel_scales q_per_channel_zero_points "
             "qscheme int_repr record_stream").split()
NO_BACKEND = NOT_FOR_BACKEND.replace("{}", "aten::{}", 1)


def _declare_answers() -> None:
    for kind in DEVICE_KINDS:
        add_attribute(f"is_{kind}", property(lambda self, kind=kind: self.device.type == kind))
    for name in NEVER:
        add_attribute(name, property(lambda self: False))
    add_attribute("name", property(lambda self: None))
    add_attribute("volatile", property(_get_volatile, _set_volatile, _set_volatile))
    for name, error in MISSING_DEVICES.items():
        add_attribute(name, _to_missing_device(name, error))
    add_attribute("is_sparse", property(lambda self: is_coo(self)))
    add_attribute("is_sparse_csr", property(lambda self: self.layout is sparse_csr))
    for name in NO_KERNEL:
        if not hasattr(Tensor, name):
            add_attribute(name, _without_kernel(name))


def _get_volatile(self: Tensor) -> bool:
    warnings.warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
    return False


def _set_volatile(self: Tensor, value: object = None) -> None:
    warnings.warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.", stacklevel=2)


def _without_kernel(name: str):
    def refuse(self, *args, **kwargs):
        raise NotImplementedError(NO_BACKEND.format(name, self.device.type.upper()))
    refuse.__name__ = name
    return refuse


def dim_order(self, *, ambiguity_check: bool | list = False) -> tuple[int, ...]:
    """The dimensions from the outermost in memory to the innermost."""
    if is_sparse(self):
        raise AttributeError(f"Can't get dim order on sparse type: {self.type()} Use Tensor.to_dense() to convert to a "
                             "dense tensor first.")
    shape, strides = shape_of(self), strides_of(self)
    order = sorted(range(len(shape)), key=lambda dim: -strides[dim])
    if ambiguity_check and len({strides[dim] for dim in order if shape[dim] != 1}) < len(shape):
        raise RuntimeError("The tensor does not have unique dim order, or cannot map to exact one of the given memory "
                           "formats.")
    return tuple(order)


def storage_type(self) -> type:
    """The class of typed storages of this tensor's type."""
    return next(kind for name, kind in STORAGES.items() if getattr(kind, "dtype", None) is self.dtype)


def apply_(self, callable) -> Tensor:
    """Every element replaced by what a function makes of it."""
    return _mapped("apply_", self, callable)


def map_(self, tensor: Tensor, callable) -> Tensor:
    """Every element replaced by what a function makes of it and of another tensor's."""
    return _mapped("map_", self, callable, tensor)


def map2_(self, x: Tensor, y: Tensor, callable) -> Tensor:
    """Every element replaced by what a function makes of it and of two other tensors'."""
    return _mapped("map2_", self, callable, x, y)


def _mapped(name: str, self, function, *others):
    if self.requires_grad or any(other.requires_grad for other in others):
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")
    columns = [aten.expand(t, shape_of(self)).reshape(-1).tolist() for t in (self, *others)]
    values = [function(*row) for row in zip(*columns)]
    flat = aten.empty((numel_of(self),), dtype=self.dtype)
    for i, value in enumerate(values):
        flat[i] = value
    return aten.copy_(self, aten.view(flat, shape_of(self)))


def resize(self, *sizes) -> Tensor:
    """Another shape of as many elements; deprecated for reshape."""
    warnings.warn("non-inplace resize is deprecated", stacklevel=2)
    return _resized(self, tuple(sizes[0]) if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes)


def resize_as(self, tensor: Tensor) -> Tensor:
    """The shape of another tensor with as many elements; deprecated for reshape."""
    warnings.warn("non-inplace resize_as is deprecated", stacklevel=2)
    return _resized(self, shape_of(tensor))


def _resized(self, sizes: tuple[int, ...]) -> Tensor:
    count = 1
    for size in sizes:
        count *= size
    if count != numel_of(self):
        asked, have = ["x".join(map(str, shape)) for shape in (sizes, shape_of(self))]
        raise RuntimeError(f"requested resize to {asked} ({count} elements in total), but the given tensor has a size "
                           f"of {have} ({numel_of(self)} elements). autograd's resize can only change the shape of a "
                           "given tensor, while preserving the number of elements. ")
    return aten.view(aten.contiguous(self), sizes)


def module_load(self, other: Tensor, assign: bool = False) -> Tensor:
    """What load_state_dict puts in the place of a parameter: this tensor with new values, or the other one."""
    return other.detach() if assign else aten.copy_(self, other).detach()


def dequantize(self) -> Tensor:
    """The tensor in float32; it is not quantised."""
    if is_sparse(self):
        raise NotImplementedError(NO_BACKEND.format("dequantize.self", self._mt_kind.backend))
    return aten.to(self, float32)


def reinforce(self, reward):
    """Removed from torch long ago."""
    raise RuntimeError("reinforce() was removed.\n            Use torch.distributions instead.\n            See "
                       "https://pytorch.org/docs/main/distributions.html")


def _to_missing_device(name: str, error: Exception):
    def to_device(self, device=None, non_blocking: bool = False, *, memory_format=preserve_format):
        raise error
    to_device.__name__ = name
    return to_device


def _not_on_cuda(self):
    raise AttributeError(f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {self.type()} If CUDA data is "
                         "required use tensor.cuda() to copy tensor to device memory.")


def _dir(self: Tensor) -> list[str]:
    """The names of a tensor, without those that only complain."""
    return sorted({*dir(type(self)), *self.__dict__} - {"volatile", "__cuda_array_interface__"})


_declare_answers()
for _member in (dim_order, storage_type, apply_, map_, map2_, resize, resize_as, module_load, dequantize,
                reinforce):
    add_attribute(_member.__name__, _member)
for _name, _member in {
        "is_distributed": lambda self: False, "_is_zerotensor": lambda self: False,
        "const_data_ptr": lambda self: self.data_ptr(),
        "__long__": lambda self: int(self), "__nonzero__": lambda self: bool(self),
        "__reversed__": lambda self: self.flip(0) if ndim_of(self) else self,
        "__div__": lambda self, other: self / other, "__rdiv__": lambda self, other: other / self,
        "__idiv__": lambda self, other: aten.div_(self, other),
        "__cuda_array_interface__": property(_not_on_cuda), "__dir__": _dir}.items():
    add_attribute(_name, _member)
