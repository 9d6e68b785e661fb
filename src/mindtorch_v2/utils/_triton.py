"""torch.utils._triton: whether functions can be compiled with Triton, which they cannot."""

from __future__ import annotations

from ..core.missing_name import missing as _missing


def _no() -> bool:
    """False: nothing is compiled, whether the package is installed or not."""
    return False


has_triton_package = has_triton = has_triton_tma = has_triton_tma_device = has_triton_experimental_host_tma = _no
has_triton_tensor_descriptor_host_tma = has_triton_stable_tma_api = has_datacenter_blackwell_tma_device = _no

__getattr__ = _missing(__name__)
