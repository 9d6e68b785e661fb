"""torch._C.DispatchKey: the names of torch's dispatch keys, which libraries mention; here nothing is sorted by them."""

from __future__ import annotations

from enum import IntEnum

_BACKENDS = ("CPU", "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "MTIA", "MAIA", "PrivateUse1",
             "PrivateUse2", "PrivateUse3", "Meta")
_KINDS = ("Quantized", "Sparse", "SparseCsr", "NestedTensor", "Autograd")
_NAMES = ["Undefined", "Dense", "FPGA", "Vulkan", "Metal", "CustomRNGKeyId", "MkldnnCPU", *_KINDS, "BackendSelect",
          "Python", "Fake", "FuncTorchDynamicLayerBackMode", "Functionalize", "Named", "Conjugate", "Negative",
          "ZeroTensor", "ADInplaceOrView", "AutogradOther", "AutogradFunctionality", "AutogradNestedTensor", "Tracer",
          "AutocastCPU", "AutocastXPU", "AutocastHPU", "AutocastIPU", "AutocastMPS", "AutocastCUDA",
          "AutocastPrivateUse1", "FuncTorchBatched", "FuncTorchBatchedDecomposition", "FuncTorchVmapMode", "Batched",
          "VmapMode", "FuncTorchGradWrapper", "DeferredInit", "PythonTLSSnapshot", "FuncTorchDynamicLayerFrontMode",
          "TESTING_ONLY_GenericWrapper", "TESTING_ONLY_GenericMode", "PreDispatch", "PythonDispatcher",
          *_BACKENDS, *(kind + backend for kind in _KINDS for backend in _BACKENDS),
          "CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor", "CompositeExplicitAutograd",
          "CompositeExplicitAutogradNonFunctional"]

DispatchKey = IntEnum("DispatchKey", {name: number for number, name in enumerate(_NAMES)})
DispatchKey.__doc__ = "For whom a kernel is registered."


class DispatchKeySet:
    """A set of keys."""

    def __init__(self, *keys: DispatchKey) -> None:
        self._keys = frozenset(keys)

    def has(self, key: DispatchKey) -> bool:
        """Whether a key is in it."""
        return key in self._keys

    def add(self, key: DispatchKey) -> DispatchKeySet:
        """The set with one more."""
        return DispatchKeySet(*self._keys, key)

    def remove(self, key: DispatchKey) -> DispatchKeySet:
        """The set without one."""
        return DispatchKeySet(*(self._keys - {key}))

    def __or__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet(*(self._keys | other._keys))

    def __and__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet(*(self._keys & other._keys))

    def __sub__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet(*(self._keys - other._keys))

    def __eq__(self, other) -> bool:
        return isinstance(other, DispatchKeySet) and self._keys == other._keys

    def __hash__(self) -> int:
        return hash(self._keys)

    def __repr__(self) -> str:
        return f"DispatchKeySet({', '.join(key.name for key in sorted(self._keys))})"
