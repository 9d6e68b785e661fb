"""batch_norm by the other names that torch's compiler and exporter know it by."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.kinds import first_of_many
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from ..create.factories import empty
from .batch_norm import NativeBatchNorm, NativeBatchNormBackward, statistics

_ONLY = "torch.ops.aten"
_PARAMETERS = "Tensor input, Tensor? weight, Tensor? bias, "
_WRITTEN = "Tensor(a!) running_mean, Tensor(b!) running_var, "
_READ = "Tensor running_mean, Tensor running_var, "
_GRADS_OF = "input weight bias"
_forward = NativeBatchNorm.body
_rule = NativeBatchNorm.meta
_NOTHING = Spec((0,), dtypes.uint8)


class NativeBatchNormLegit(Op):
    """native_batch_norm, whose running statistics are there and are written."""

    schema = (f"_native_batch_norm_legit({_PARAMETERS}{_WRITTEN}bool training, float momentum, float eps) -> "
              "(Tensor, Tensor, Tensor)")
    grads_of, grads, meta = _GRADS_OF, NativeBatchNorm.grads, _rule
    no_grad_for = "result1 result2"

    def body(input, weight, bias, running_mean, running_var, training, momentum, eps):
        return _forward(input, weight, bias, running_mean, running_var, training, momentum, eps)


class NativeBatchNormLegitNoStats(Op):
    """The same without running statistics."""

    schema = (f"_native_batch_norm_legit.no_stats({_PARAMETERS}bool training, float momentum, float eps) -> "
              "(Tensor, Tensor, Tensor)")
    node = "NativeBatchNormLegitBackward1"
    grads_of = _GRADS_OF
    no_grad_for = "result1 result2"

    def meta(input, weight, bias, training, momentum, eps):
        return _rule(input, weight, bias, None, None, training, momentum, eps)

    def body(input, weight, bias, training, momentum, eps):
        return _forward(input, weight, bias, None, None, training, momentum, eps)

    def grads(grads, input, weight, training, eps, result1, result2, needs):
        return aten.native_batch_norm_backward(grads[0], input, weight, None, None, result1, result2, training, eps,
                                               needs)


class NativeBatchNormLegitNoTraining(Op):
    """The same by running statistics that stay as they are."""

    schema = (f"_native_batch_norm_legit_no_training({_PARAMETERS}{_READ}float momentum, float eps) -> "
              "(Tensor, Tensor, Tensor)")
    grads_of = _GRADS_OF
    no_grad_for = "result1 result2"

    def body(input, weight, bias, running_mean, running_var, momentum, eps):
        return aten._native_batch_norm_legit(input, weight, bias, running_mean, running_var, False, momentum, eps)

    def grads(grads, input, weight, running_mean, running_var, eps, result1, result2, needs):
        return aten.native_batch_norm_backward(grads[0], input, weight, running_mean, running_var, result1, result2,
                                               False, eps, needs)


class BatchNormWithUpdate(Op):
    """The same while training, with a place for what a device keeps for backward: nothing on the CPU."""

    schema = (f"_batch_norm_with_update({_PARAMETERS}{_WRITTEN}float momentum, float eps) -> "
              "(Tensor, Tensor, Tensor, Tensor)")
    internal = _ONLY
    grads_of = _GRADS_OF
    no_grad_for = "result1 result2 result3"

    def meta(input, weight, bias, running_mean, running_var, momentum, eps):
        return (*_rule(input, weight, bias, running_mean, running_var, True, momentum, eps), _NOTHING)

    def body(input, weight, bias, running_mean, running_var, momentum, eps):
        results = _forward(input, weight, bias, running_mean, running_var, True, momentum, eps)
        return (*results, empty((0,), dtypes.uint8))

    def grads(grads, input, weight, running_mean, running_var, eps, result1, result2, result3, needs):
        return aten.batch_norm_backward(grads[0], input, weight, running_mean, running_var, result1, result2, True, eps,
                                        needs, result3)


class BatchNormNoUpdate(Op):
    """The same by running statistics."""

    schema = (f"_batch_norm_no_update({_PARAMETERS}Tensor? running_mean, Tensor? running_var, float momentum, "
              "float eps) -> (Tensor, Tensor, Tensor, Tensor)")
    internal = _ONLY
    grads_of = _GRADS_OF
    no_grad_for = "result1 result2 result3"

    def meta(input, weight, bias, running_mean, running_var, momentum, eps):
        return (*_rule(input, weight, bias, running_mean, running_var, False, momentum, eps), _NOTHING)

    def body(input, weight, bias, running_mean, running_var, momentum, eps):
        results = _forward(input, weight, bias, running_mean, running_var, False, momentum, eps)
        return (*results, empty((0,), dtypes.uint8))

    def grads(grads, input, weight, running_mean, running_var, eps, result1, result2, result3, needs):
        return aten.batch_norm_backward(grads[0], input, weight, running_mean, running_var, result1, result2, False,
                                        eps, needs, result3)


def _own(statistic, input):
    """A copy of a running statistic to write to; one for each input where that stands for many."""
    many = first_of_many(input)
    return aten.clone(statistic) if many is None else \
        aten.add(aten.new_zeros(many, shape_of(statistic), dtype=statistic.dtype), statistic)


def _functional(name: str, params: str, n_results: int) -> None:
    """The form of an op that returns what the running statistics become instead of writing them."""
    def body(input, weight, bias, running_mean, running_var, *rest):
        mean, var = _own(running_mean, input), _own(running_var, input)
        return (*getattr(aten, name)(input, weight, bias, mean, var, *rest), mean, var)

    results = "Tensor, " * n_results
    declare(f"{name}_functional({_PARAMETERS}{_READ}{params}) -> ({results}Tensor running_mean_out, "
            "Tensor running_var_out)", "batch_norm that returns running statistics.", body=body, internal=_ONLY)


_functional("_native_batch_norm_legit", "bool training, float momentum, float eps", 3)
_functional("_batch_norm_with_update", "float momentum, float eps", 4)


class BatchNormUpdateStats(Op):
    """Mean and variance of each channel, which also move the running ones."""

    schema = ("batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum) -> "
              "(Tensor, Tensor)")
    below = "torch has no derivative of it"

    def meta(input, running_mean, running_var, momentum):
        return (Spec((shape_of(input)[1],), input.dtype),) * 2

    def body(input, running_mean, running_var, momentum):
        channels = (shape_of(input)[1],)
        mean, var = empty(channels, input.dtype), empty(channels, input.dtype)
        statistics(input, mean, var, running_mean, running_var, momentum, 0.0)
        run.variance_of_inverse(var)
        return mean, var


class BatchNormBackward(Op):
    """Derivatives of batch_norm, with what a device kept for it: nothing on the CPU."""

    schema = ("batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, "
              "Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] output_mask, "
              "Tensor reserve) -> (Tensor, Tensor, Tensor)")
    internal = _ONLY

    def meta(grad_out, input, weight, running_mean, running_var, save_mean, save_var, update, eps, output_mask,
             reserve):
        return NativeBatchNormBackward.meta(grad_out, input, weight, running_mean, running_var, save_mean, save_var,
                                            update, eps, output_mask)

    grads_of = "grad_out input weight"

    def body(grad_out, input, weight, running_mean, running_var, save_mean, save_var, update, eps, output_mask,
             reserve):
        return NativeBatchNormBackward.body(grad_out, input, weight, running_mean, running_var, save_mean, save_var,
                                            update, eps, output_mask)

    def grads(grads, grad_out, input, weight, running_mean, running_var, save_mean, save_var, update, eps):
        return NativeBatchNormBackward.grads(grads, grad_out, input, weight, running_mean, running_var, save_mean,
                                             save_var, update, eps)


class BatchNormImplIndexBackward(Op):
    """The same by the number of the implementation, of which there is one."""

    schema = ("_batch_norm_impl_index_backward(int impl_index, Tensor input, Tensor grad_output, Tensor? weight, "
              "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var_transform, bool train, "
              "float eps, bool[3] output_mask, Tensor reservedSpace) -> (Tensor, Tensor, Tensor)")
    internal = _ONLY

    def body(impl_index, input, grad_output, weight, running_mean, running_var, save_mean, save_var_transform, train,
             eps, output_mask, reservedSpace):  # noqa: N803  torch's name
        return aten.native_batch_norm_backward(grad_output, input, weight, running_mean, running_var, save_mean,
                                               save_var_transform, train, eps, output_mask)
