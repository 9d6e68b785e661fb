"""Ops that work along dimensions, or on the last ones, under vmap: the batch comes first, dimensions shift by one."""

from __future__ import annotations

from ..core.geometry import existing_dim
from ..core.tensor import Tensor, ndim_of, shape_of
from ..opdef.schema import INT, INTS
from . import dispatcher
from .aten import aten
from .batch_call import Call, tensors_of
from .batch_loop import check_written, loop

# Every tensor gets the batch dimension; parameters of these names are dimensions, or sizes that begin with the batch.
DIMENSIONS = {"dim", "dims", "dim0", "dim1", "dim2", "dimension"}
SIZES = {"size", "sizes", "input_sizes", "self_sizes"}
NAMES = """
    sum.dim_IntList mean.dim nansum logsumexp prod.dim_int amax amin aminmax max.dim min.dim argmax argmin any.dim
    all.dim any.dims all.dims median.dim nanmedian.dim mode kthvalue var.correction std.correction var_mean.correction
    std_mean.correction count_nonzero.dim_IntList linalg_vector_norm norm.ScalarOpt_dim norm.ScalarOpt_dim_dtype
    cumsum cumprod logcumsumexp _logcumsumexp cummax cummin sort sort.stable topk
    _softmax _log_softmax _safe_softmax _softmax_backward_data _log_softmax_backward_data glu glu_backward
    flip _fft_c2c _fft_r2c _fft_c2r
    select.int slice.Tensor transpose.int unsqueeze squeeze.dim squeeze.dims diagonal unfold unbind.int split.Tensor
    split_with_sizes unsafe_split.Tensor unsafe_split_with_sizes
    select_backward slice_backward diagonal_backward unfold_backward select_scatter slice_scatter diagonal_scatter
    select_copy.int slice_copy.Tensor transpose_copy.int unsqueeze_copy squeeze_copy.dim squeeze_copy.dims diagonal_copy
    unfold_copy unbind_copy.int split_copy.Tensor split_with_sizes_copy narrow_copy diag_embed
    tril triu alias alias_copy _conj _neg_view _detach detach_copy lift lift_fresh lift_fresh_copy view_as_real
    view_as_real_copy view_as_complex_copy constant_pad_nd
    new_empty new_zeros new_ones new_full
    linalg_cholesky_ex linalg_inv_ex _linalg_det _linalg_slogdet _linalg_eigh _linalg_svd linalg_eig
    _linalg_eigvals linalg_qr linalg_lu_factor_ex linalg_lu lu_unpack linalg_householder_product
    cholesky cholesky_inverse geqrf linalg_matrix_exp
    linalg_ldl_factor_ex linalg_cross
    pixel_shuffle pixel_unshuffle
""".split()
GROWING = {"unsqueeze", "unsqueeze_copy", "unsqueeze_", "diag_embed"}  # one more dimension comes out
EMPTY_IS_APART = {"any", "all", "_fft_c2c", "_fft_r2c", "_fft_c2r"}
NONE_IS_NONE = {"flip", "squeeze", "squeeze_copy"}  # no dimensions are none, not all


def along_dims(call: Call):
    """The op on wholes, the batch dimension first."""
    op, args = call.op, call.args
    if op.mutates >= 0:
        check_written(call, op.name)
    if op.form.get("meta") is not None and op.mutates < 0:
        op.form["meta"](*args)  # complaints are about members
    rank = rank_of_dims(call)
    several = len(tensors_of(op, args)) > 1
    changed = call.mapped(call.full if several else call.front)
    for i, param in enumerate(op.schema.params):
        if param.name in DIMENSIONS and param.kind in (INT, INTS):
            if rank == 0 or (args[i] == () and op.name in EMPTY_IS_APART):
                return loop(call)
            if args[i] is None and param.kind == INT:
                return along_dims_of_flat(call, changed, i)
            changed[i] = shifted(args[i], rank, op.name in NONE_IS_NONE)
        elif param.name in SIZES and param.kind == INTS:
            changed[i] = (call.size, *args[i])
    return call.run(changed)


def rank_of_dims(call: Call) -> int:
    """How many dimensions a member has, as the op counts them when it is given one."""
    for i, param in enumerate(call.op.schema.params):
        if param.name in ("input_sizes",):
            return len(call.args[i])
    tensor = tensors_of(call.op, call.args)[0]
    return ndim_of(tensor) + (call.op.name in GROWING)


def shifted(dims: int | tuple | None, rank: int, none_is_none: bool = False) -> int | tuple:
    """Dimensions of a member as those of the whole."""
    if isinstance(dims, int):
        return existing_dim(dims, rank) + 1
    if not dims:
        return () if none_is_none else tuple(range(1, rank + 1))
    return tuple([existing_dim(dim, rank) + 1 for dim in dims])


def along_dims_of_flat(call: Call, changed: list, at: int):
    """An op that counts through all elements where no dimension is given."""
    if "keepdim" in call.op.index and call.args[call.op.index["keepdim"]]:
        return loop(call)
    changed[0] = flat(changed[0])
    changed[at] = 1
    return call.run(changed)


def flat(value: Tensor) -> Tensor:
    """A whole of members in one row each."""
    shape = shape_of(value)
    numel = 1
    for n in shape[1:]:
        numel *= n
    return aten.reshape(value, (shape[0], numel))


def joined(call: Call):
    """``cat``; tensors of one empty dimension are left out, as torch has it."""
    tensors, dim = call.args
    kept = [tensor for tensor in tensors if shape_of(tensor) != (0,)] or tensors
    if any([ndim_of(tensor) != ndim_of(kept[0]) for tensor in kept]) or not ndim_of(kept[0]):
        call.op.form["meta"](*call.args)
    if not any([call.is_batched(tensor) for tensor in kept]):
        return call.members(aten.cat([call.front(tensor) for tensor in kept], dim), None)
    return call.run([[call.full(tensor) for tensor in kept], shifted(dim, ndim_of(kept[0]))])


def stacked(call: Call):
    """``stack``: a new dimension of members."""
    tensors, dim = call.args
    return call.run([[call.full(tensor) for tensor in tensors], shifted(dim, ndim_of(tensors[0]) + 1)])


def one_answer(call: Call):
    """``_is_all_true`` and ``_is_any_true``: one answer for all members."""
    return dispatcher.call(call.op, (call.front(call.args[0]),))


def at_least_one_dim(call: Call):
    """Views that read the last dimension of members."""
    return along_dims(call) if ndim_of(call.args[0]) else loop(call)


# What is reduced to one number: the op along the one dimension of flat members.
FULL = {
    "sum.": lambda x, dtype: aten.sum(x, (1,), False, dtype=dtype),
    "mean.": lambda x, dtype: aten.mean(x, (1,), False, dtype=dtype),
    "prod.": lambda x, dtype: aten.prod(x, 1, False, dtype=dtype),
    "max.": lambda x: aten.amax(x, (1,)),
    "min.": lambda x: aten.amin(x, (1,)),
    "any.": lambda x: aten.any(x, 1),
    "all.": lambda x: aten.all(x, 1),
    "median.": lambda x: aten.median(x, 1)[0],
    "nanmedian.": lambda x: aten.nanmedian(x, 1)[0],
    "norm.Scalar": lambda x, p: aten.norm(x, p, (1,)),
    "count_nonzero.": lambda x, dim: aten.count_nonzero(x, (1,)),
}


def over_all(function):
    """The rule of an op that reduces a member to one number."""
    def rule(call: Call):
        if shape_of(call.args[0]) and 0 in shape_of(call.args[0]):
            return loop(call)
        if call.op.name == "count_nonzero" and call.args[1] is not None:
            return along_dims(call)
        return call.members(function(flat(call.front(call.args[0])), *call.args[1:]))
    return rule


RULES = {
    "cat": joined, "stack": stacked, "_is_all_true": one_answer, "_is_any_true": one_answer,
    "view_as_complex": at_least_one_dim, "view.dtype": at_least_one_dim,
    **{name: along_dims for name in NAMES},
    **{name: over_all(function) for name, function in FULL.items()},
}
