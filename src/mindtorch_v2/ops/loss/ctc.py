"""How well sequences of scores spell labels, whatever the alignment: connectionist temporal classification."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format, strided
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec, like
from ..shared.not_differentiable import UNKNOWN, unknown
from .loss_pointwise import MEAN, NONE, reduced

INFINITE = float("inf")
_WHO = "(while checking arguments for ctc_loss_allocate_outputs)"
_FORWARD, _BACKWARD = KernelTypes("ctc_loss_cpu: floating"), KernelTypes("ctc_loss_backward_cpu: floating")


def _ctc_check(log_probs, targets, input_lengths, target_lengths, blank) -> None:
    if not numel_of(log_probs):
        raise RuntimeError("log_probs tensor must not be empty")
    if ndim_of(log_probs) != 3:
        raise RuntimeError(f"Expected 3-dimensional tensor, but got {ndim_of(log_probs)}-dimensional tensor for "
                           f"argument #1 'log_probs' {_WHO}")
    if ndim_of(targets) not in (1, 2):
        raise RuntimeError(f"Expected 1 to 2 dimensions, but got {ndim_of(targets)}-dimensional tensor for argument #2 "
                           f"'targets' {_WHO}")
    steps, batch, labels = shape_of(log_probs)
    if not 0 <= blank < labels:
        raise RuntimeError("blank must be in label range")
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
    _length_check("target_lengths", target_lengths, INFINITE)
    _target_check(targets, target_lengths, batch)
    _length_check("input_lengths", input_lengths, steps)


def _length_check(name: str, lengths, most) -> None:
    for length in lengths:
        if length < 0 or length > most:
            bound = "at least 0" if length < 0 else f"at most {most}"
            raise RuntimeError(f"Expected {name} to have value {bound}, but got value {length} {_WHO}")


def _target_check(targets, target_lengths, batch: int) -> None:
    """Labels one sample after the other, all of them used, or a row for each sample."""
    shape = shape_of(targets)
    wanted = [(0, sum(target_lengths))] if len(shape) == 1 else [(0, batch)]
    for dim, size in wanted:
        if shape[dim] != size:
            raise RuntimeError(f"Expected tensor to have size {size} at dimension {dim}, but got size {shape[dim]} for "
                               f"argument #2 'targets' {_WHO}")
    longest = max(target_lengths, default=0)
    if len(shape) == 2 and shape[1] < longest:
        raise RuntimeError(f"Expected tensor to have size at least {longest} at dimension 1, but got size {shape[1]} "
                           f"for argument #2 'targets' {_WHO}")


def _as_list(lengths, name: str) -> list[int]:
    """Lengths out of a tensor."""
    if lengths.dtype.category != dtypes.INTEGRAL:
        raise RuntimeError(f"{name} must be integral")
    return ask.tolist(aten.to(lengths, lengths.device, dtypes.int64))


def _as_lists(input_lengths, target_lengths) -> list[list[int]]:
    lists = [_as_list(input_lengths, "input_lengths"), _as_list(target_lengths, "target_lengths")]
    return [lengths if isinstance(lengths, list) else [lengths] for lengths in lists]


def _reduced_spec(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity) -> Spec:
    is_per_sample = reduction == NONE and ndim_of(log_probs) == 3
    return Spec(shape_of(log_probs)[1:2] if is_per_sample else (), log_probs.dtype)


class CtcLoss(Op):
    """The loss of each sample, or of all."""

    schema = ("ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
              "int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor")
    meta = _reduced_spec

    def body(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity):
        is_batched = ndim_of(log_probs) == 3
        if not is_batched:
            log_probs = aten.unsqueeze(log_probs, 1)
        targets = aten.to(targets, log_probs.device, dtypes.int64)
        losses = aten._ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)[0]
        if zero_infinity:
            nothing = aten.zeros((), dtype=losses.dtype, layout=strided)
            losses = aten.where(aten.eq(losses, INFINITE), nothing, losses)
        if reduction == MEAN:
            lengths = aten.empty((len(target_lengths),), dtype=losses.dtype)
            run.fill_from_list(lengths, target_lengths)
            return aten.mean(aten.div(losses, aten.clamp_min(lengths, 1)))
        losses = reduced(losses, reduction)
        return losses if is_batched or reduction else aten.squeeze(losses, 0)


class CtcLossTensor(Op):
    """The same with lengths in tensors."""

    schema = ("ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, "
              "int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor")
    meta = _reduced_spec

    def body(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity):
        lengths = _as_lists(input_lengths, target_lengths)
        return CtcLoss.op.work(log_probs, targets, *lengths, blank, reduction, zero_infinity)


class CtcLossForward(Op):
    """The negative log-likelihood of each sample, and the likelihood of every beginning of its labels."""

    schema = ("_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, "
              "bool zero_infinity=False) -> (Tensor, Tensor)")
    node = "CtcLossBackward0"
    no_grad_for = "result1"

    def meta(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
        _FORWARD.check(log_probs.dtype)
        if log_probs.dtype not in (dtypes.float32, dtypes.float64):
            raise NotImplementedError(f"\"ctc_loss_cpu\" not implemented for '{log_probs.dtype.short}'")
        _ctc_check(log_probs, targets, input_lengths, target_lengths, blank)
        steps, batch, _ = shape_of(log_probs)
        states = 2 * max(target_lengths) + 1
        return Spec((batch,), log_probs.dtype), Spec((batch, steps, states), log_probs.dtype)

    def body(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
        of_losses, of_alpha = CtcLossForward.op.meta(log_probs, targets, input_lengths, target_lengths, blank,
                                                     zero_infinity)
        log_alpha = aten.empty(of_alpha.shape, dtype=log_probs.dtype)
        losses = aten.empty(of_losses.shape, dtype=log_probs.dtype)
        by_sample = aten.permute(log_probs, (1, 0, 2))
        aten.fill_(aten.narrow(log_alpha, 1, 0, 1), -INFINITE)
        run.ctc_loss_forward(losses, log_alpha, by_sample, targets, input_lengths, target_lengths, blank)
        return losses, log_alpha

    def grad_log_probs(grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank,
                       zero_infinity):
        return aten._ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank,
                                       zero_infinity)


class CtcLossForwardTensor(Op):
    """The same with lengths in tensors."""

    schema = ("_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, "
              "int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)")
    node = "CtcLossBackward1"
    no_grad_for = "result1"

    def body(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
        lengths = _as_lists(input_lengths, target_lengths)
        return aten._ctc_loss(log_probs, targets, *lengths, blank, zero_infinity)

    def grad_log_probs(grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank,
                       zero_infinity):
        return aten._ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank,
                                       zero_infinity)


class CtcLossBackward(Op):
    """Derivative of ctc_loss: what each score expects, less what the alignments found there."""

    schema = ("_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, "
              "int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, "
              "bool zero_infinity=False) -> Tensor")
    node = UNKNOWN
    grads = unknown("_ctc_loss_backward")

    def meta(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank,
             zero_infinity):
        _BACKWARD.check(log_probs.dtype)
        return like(log_probs)

    def body(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank,
             zero_infinity):
        out = aten.full_like(log_probs, -INFINITE, memory_format=contiguous_format)
        log_beta = aten.empty_like(log_alpha, memory_format=contiguous_format)
        by_sample, grad_by_sample = aten.permute(log_probs, (1, 0, 2)), aten.permute(out, (1, 0, 2))
        run.ctc_loss_backward(grad_by_sample, log_beta, grad, by_sample, targets, neg_log_likelihood, log_alpha,
                              input_lengths, target_lengths, blank, zero_infinity)
        return out


class CtcLossBackwardTensor(Op):
    """The same with lengths in tensors."""

    schema = ("_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, "
              "Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, "
              "bool zero_infinity=False) -> Tensor")
    node = UNKNOWN
    grads = unknown("_ctc_loss_backward")

    def meta(grad, log_probs, *_):
        return like(log_probs)

    def body(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank,
             zero_infinity):
        lengths = _as_lists(input_lengths, target_lengths)
        return aten._ctc_loss_backward(grad, log_probs, targets, *lengths, neg_log_likelihood, log_alpha, blank,
                                       zero_infinity)
