"""Gradients that were scaled against underflow: unscaled and checked, and the scale that is fit for the next step."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.dtype import DType
from ...core.memory_overlap import is_expanded
from ...core.tensor import Tensor, numel_of
from ...devices.kernel import run
from ...dispatch.written_memory import TWICE
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes

_UNSCALE_TYPES = KernelTypes("_amp_foreach_non_finite_check_and_unscale_cpu: floating")
_WORDS = {dtypes.float32: "a float", dtypes.int32: "an int"}


def _check_single(**expected: tuple[Tensor, DType]) -> None:
    """Tensors of one element each, then of the types they must have."""
    for name, (tensor, _) in expected.items():
        if numel_of(tensor) != 1:
            raise RuntimeError(f"{name} must be a 1-element tensor.")
    for name, (tensor, dtype) in expected.items():
        if tensor.dtype is not dtype:
            raise RuntimeError(f"{name} must be {_WORDS[dtype]} tensor.")


class AmpForeachNonFiniteCheckAndUnscale(Op):
    """Multiply every tensor of a list where it lies; ``found_inf`` becomes one where a value is infinite or NaN."""

    schema = ("_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, Tensor inv_scale) "
              "-> ()")

    def body(self, found_inf, inv_scale):
        _check_single(inv_scale=(inv_scale, dtypes.float32), found_inf=(found_inf, dtypes.float32))
        for tensor in self:
            if is_expanded(tensor):
                raise RuntimeError(TWICE)
            _UNSCALE_TYPES.check(tensor.dtype)
        if self:
            run.unscale_and_check(self, found_inf, inv_scale)


class AmpUpdateScale(Op):
    """A smaller scale after a value that was not finite, a larger one after enough steps without."""

    schema = ("_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, "
              "float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)")
    below = "writes numbers that nobody differentiates"

    def meta(self, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor, growth_interval):
        _check_single(growth_tracker=(growth_tracker, dtypes.int32), current_scale=(self, dtypes.float32),
                      found_inf=(found_inf, dtypes.float32))

    def body(self, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor, growth_interval):
        run.update_scale(self, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor, growth_interval)
        return self
