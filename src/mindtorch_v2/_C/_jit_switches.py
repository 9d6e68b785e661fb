"""Switches of torch's script compiler and of vmap: kept and told, as nothing is compiled, and vmap never falls back."""

from __future__ import annotations

from collections.abc import Callable

# The function that sets a switch, the one that tells it, and what it is at the beginning.
_PAIRS = (("_jit_override_can_fuse_on_cpu", "_jit_can_fuse_on_cpu", False),
          ("_jit_override_can_fuse_on_cpu_legacy", "_jit_can_fuse_on_cpu_legacy", False),
          ("_jit_override_can_fuse_on_gpu", "_jit_can_fuse_on_gpu", False),
          ("_jit_set_texpr_fuser_enabled", "_jit_texpr_fuser_enabled", True),
          ("_jit_set_texpr_dynamic_shape_enabled", "_jit_texpr_dynamic_shape_enabled", False),
          ("_jit_set_texpr_reductions_enabled", "_jit_texpr_reductions_enabled", False),
          ("_jit_set_llga_enabled", "_jit_llga_enabled", False),
          ("_jit_set_num_profiled_runs", "_jit_get_num_profiled_runs", 1),
          ("_jit_set_profiling_executor", None, True), ("_jit_set_profiling_mode", None, True),
          ("_jit_set_autocast_mode", None, True),
          ("_debug_only_display_vmap_fallback_warnings", "_debug_only_are_vmap_fallback_warnings_enabled", False))
# Those that answer with the value before.
_EXCHANGING = {"_jit_set_texpr_reductions_enabled", "_jit_set_llga_enabled", "_jit_set_num_profiled_runs",
               "_jit_set_profiling_executor", "_jit_set_profiling_mode", "_jit_set_autocast_mode"}
_values = {setter: at_first for setter, _, at_first in _PAIRS}


def _setting(setter: str) -> Callable:
    def change(value: bool | int) -> bool | int | None:
        before, _values[setter] = _values[setter], value
        return before if setter in _EXCHANGING else None
    return change


def _telling(setter: str) -> Callable:
    return lambda: _values[setter]


def switches() -> dict[str, Callable]:
    """The functions by torch's names."""
    return {setter: _setting(setter) for setter, *_ in _PAIRS} | {
        getter: _telling(setter) for setter, getter, _ in _PAIRS if getter is not None}
