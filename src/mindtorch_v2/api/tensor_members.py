"""Members of Tensor that ask what kind of tensor it is, and those of kinds and devices that are not here."""

from __future__ import annotations

import warnings

from ..core.device import preserve_format
from ..core.dtype import float32
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
# What no tensor is or has: sparse, quantised and mkldnn ones are not made here, symbols belong to torch's compiler.
NEVER = ("is_mkldnn", "is_quantized", "is_sparse", "is_sparse_csr", "volatile", "_has_symbolic_sizes_strides",
         "_python_dispatch")
# Members of sparse tensors, and the layout that torch asks for.
OF_LAYOUTS = {
    "coalesce": "sparse coordinate", "indices": "sparse coordinate", "is_coalesced": "sparse coordinate",
    "values": "sparse", "ccol_indices": "sparse column compressed", "row_indices": "sparse column compressed",
    "crow_indices": "sparse row compressed", "col_indices": "sparse row compressed",
}
# Members of sparse and of quantised tensors, which no other tensor has a kernel for.
NO_KERNEL = ("_indices _values _nnz _dimI _dimV _coalesced_ _to_dense sparse_mask sparse_resize_ "
             "sparse_resize_and_clear_ resize_as_sparse_ to_padded_tensor q_scale q_zero_point q_per_channel_axis "
             "q_per_channel_scales q_per_channel_zero_points qscheme int_repr record_stream").split()
NO_BACKEND = ("Could not run 'aten::{}' with arguments from the '{}' backend. This could be because the operator "
              "doesn't exist for this backend, or was omitted during the selective/custom build process (if using "
              "custom build).")


def _declare_answers() -> None:
    for kind in DEVICE_KINDS:
        add_attribute(f"is_{kind}", property(lambda self, kind=kind: self.device.type == kind))
    for name in NEVER:
        add_attribute(name, property(lambda self: False))
    add_attribute("name", property(lambda self: None))
    add_attribute("_grad", property(lambda self: self.grad))
    add_attribute("_grad_fn", property(lambda self: self.grad_fn))
    add_attribute("grad_dtype", property(lambda self: self.dtype))
    for name, error in MISSING_DEVICES.items():
        add_attribute(name, _to_missing_device(name, error))
    for name, layout in OF_LAYOUTS.items():
        add_attribute(name, _of_layout(name, layout))
    for name in NO_KERNEL:
        if not hasattr(Tensor, name):
            add_attribute(name, _without_kernel(name))


def _of_layout(name: str, layout: str):
    def refuse(self):
        raise RuntimeError(f"{name} expected {layout} tensor layout but got Strided")
    refuse.__name__ = name
    return refuse


def _without_kernel(name: str):
    def refuse(self, *args, **kwargs):
        raise NotImplementedError(NO_BACKEND.format(name, self.device.type.upper()))
    refuse.__name__ = name
    return refuse


def dim_order(self, *, ambiguity_check: bool | list = False) -> tuple[int, ...]:
    """The dimensions from the outermost in memory to the innermost."""
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


def to_dense(self, dtype=None, *, masked_grad: bool | None = None) -> Tensor:
    """The tensor itself, which is dense, in a given type."""
    return self if dtype is None else aten.to(self, dtype)


def dequantize(self) -> Tensor:
    """The tensor in float32; it is not quantised."""
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


def _smm(self, *args, **kwargs):
    raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")


_declare_answers()
for _member in (dim_order, storage_type, apply_, map_, map2_, resize, resize_as, module_load, to_dense, dequantize,
                reinforce):
    add_attribute(_member.__name__, _member)
for _name, _member in {
        "smm": _smm, "sspaddmm": _smm, "is_distributed": lambda self: False, "_is_zerotensor": lambda self: False,
        "dense_dim": ndim_of, "sparse_dim": lambda self: 0, "const_data_ptr": lambda self: self.data_ptr(),
        "__long__": lambda self: int(self), "__nonzero__": lambda self: bool(self),
        "__reversed__": lambda self: self.flip(0) if ndim_of(self) else self,
        "__div__": lambda self, other: self / other, "__rdiv__": lambda self, other: other / self,
        "__idiv__": lambda self, other: aten.div_(self, other),
        "__cuda_array_interface__": property(_not_on_cuda)}.items():
    add_attribute(_name, _member)
