"""Elementwise ops under vmap: batch dimensions first, shapes aligned behind them."""

from __future__ import annotations

from ..core.dtype import DType, bool_
from ..core.promotion import elementwise_type
from ..core.tensor import Tensor, ndim_of
from . import pointwise as elementwise
from .aten import aten
from .batch_call import Call, padded
from .batch_loop import check_written

# Elementwise ops that are written as bodies.
NAMES = """
    add sub rsub mul div eq ne lt le gt ge remainder fmod copysign ldexp floor_divide logical_and logical_or logical_xor
    logical_not __ilshift__ __irshift__ clamp clamp_min clamp_max isposinf isneginf signbit nan_to_num pow abs angle
    deg2rad rad2deg where.self xlogy _conj_physical conj_physical complex polar frexp
    relu hardtanh hardswish celu gelu_backward hardtanh_backward hardswish_backward mish_backward log_sigmoid_forward
    logit mvlgamma polygamma special_zeta special_xlog1py zero_ zero copy_
    special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v
    special_chebyshev_polynomial_w special_hermite_polynomial_h special_hermite_polynomial_he
    special_laguerre_polynomial_l special_legendre_polynomial_p special_shifted_chebyshev_polynomial_t
    special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w
    masked_fill.Scalar masked_fill_.Scalar fill.Scalar fill_.Scalar _standard_gamma_grad
""".split()


PROMOTING = {"where", "floor_divide", "floor_divide_", "div", "div_"}  # of these, the ones that promote types


def pointwise(call: Call):
    """An op that reads its operands element by element."""
    op = call.op
    if op.mutates >= 0:
        check_written(call, "inplace arithmetic")
    operands = [call.args[i] for i in op.operands if call.args[i] is not None]
    rank = max([ndim_of(tensor) for tensor in operands])
    if op.mutates >= 0 and ndim_of(call.args[op.mutates]) < rank:
        elementwise.check_shapes(op, call.args)
    args = call.mapped(lambda tensor: aligned(call, tensor, rank))
    common = common_type(call, operands)
    if common is not None:
        for i in op.operands:
            if i != op.mutates and args[i] is not None and args[i].dtype not in (common, bool_):
                args[i] = aten._to_copy(args[i], dtype=common)
    return call.run(args)


def aligned(call: Call, tensor: Tensor, rank: int) -> Tensor:
    """A whole whose members have as many dimensions as the result's."""
    value = call.front(tensor)
    return padded(value, rank) if call.is_batched(tensor) else value


def common_type(call: Call, operands: list) -> DType | None:
    """The type to cast to first, where a single number would have another say in it once it has a batch dimension."""
    if len(operands) < 2 or not (call.op.pointwise or call.op.name in PROMOTING):
        return None
    if call.op.name == "where":
        operands = operands[1:]
    if len({tensor.dtype for tensor in operands}) == 1 or all([ndim_of(tensor) for tensor in operands]):
        return None
    return elementwise.common_type(call.op, call.args) if call.op.pointwise else elementwise_type(operands, False)
