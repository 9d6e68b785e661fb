"""torch's dispatch keys: for which callers of an op a function answers."""

from __future__ import annotations

# Here a tensor lives on the processor or has no values (Meta), and autograd watches or not; functions for other keys
# are kept and never called.
AUTOGRAD = ("AutogradCPU", "Autograd")
BACKEND = ("CPU", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
IMPLICIT = "CompositeImplicitAutograd"
_DEVICES = ("CPU", "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "MTIA", "MAIA", "PrivateUse1",
            "PrivateUse2", "PrivateUse3", "Meta")
KNOWN = frozenset((
    *_DEVICES, *AUTOGRAD, *BACKEND, IMPLICIT, "AutogradOther", "AutogradNestedTensor", "AutogradFunctionality",
    *(f"{kind}{device}" for kind in ("Autograd", "Sparse", "SparseCsr", "Quantized", "NestedTensor", "Autocast")
      for device in _DEVICES),
    "Undefined", "FPGA", "Vulkan", "Metal", "MkldnnCPU", "BackendSelect", "Python", "Functionalize", "Named",
    "Conjugate", "Negative", "ZeroTensor", "ADInplaceOrView", "Tracer", "CompositeImplicitAutogradNestedTensor",
    "FuncTorchBatched", "FuncTorchVmapMode", "Batched", "VmapMode", "PythonTLSSnapshot", "PythonDispatcher",
    "PreDispatch", "Dense", "FakeTensor"))
OF_DEVICE = {"cpu": "CPU", "cuda": "CUDA", "xpu": "XPU", "mps": "MPS", "hpu": "HPU", "mtia": "MTIA", "meta": "Meta"}


def checked(key: str) -> str:
    """A key that torch knows."""
    if key not in KNOWN:
        raise RuntimeError(f"could not parse dispatch key: {key}")
    return key
