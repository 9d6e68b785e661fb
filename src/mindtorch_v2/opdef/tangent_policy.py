"""How tangents go through ops: which are linear, which work element by element; all others by their backward, twice.

An op whose rule says that it works element by element, and one that makes a view, need no line here.
"""

from __future__ import annotations

TRANSPOSED, ELEMENTWISE, LINEAR, BILINEAR, ADDED_PRODUCT, SELECTING, REFUSED = range(7)

_WORDS = {
    # The derivative of an element is a factor that belongs to it: the formula of its gradient, on the tangent.
    ELEMENTWISE: """
        abs add.Scalar sub.Scalar rsub.Scalar mul.Scalar div.Scalar div.Tensor_mode clamp clamp_min clamp_max
        remainder.Scalar fmod.Scalar copysign.Scalar nan_to_num pow.Tensor_Scalar pow.Scalar deg2rad rad2deg
        xlogy.Scalar_Self xlogy.Scalar_Other special_xlog1py.self_scalar special_xlog1py.other_scalar relu hardtanh
        hardswish celu logit masked_fill.Scalar mvlgamma polygamma rrelu_with_noise where.self
    """,
    # All differentiable operands are replaced by their tangents; those without one are zeros.
    LINEAR: """
        affine_grid_generator _adaptive_avg_pool2d _adaptive_avg_pool3d avg_pool2d avg_pool3d cat channel_shuffle
        clone col2im _conj_physical copy cumsum diag_embed diagonal_backward diagonal_scatter embedding flip gather
        im2col index.Tensor index_add index_copy index_select masked_select max_unpool2d max_unpool3d mean mean.dim
        native_channel_shuffle neg nll_loss_backward nll_loss2d_backward pixel_shuffle pixel_unshuffle
        reflection_pad1d reflection_pad2d reflection_pad3d repeat replication_pad1d replication_pad2d
        replication_pad3d roll rot90 scatter.src scatter_add select_backward select_scatter slice_backward
        slice_scatter stack sum sum.dim_IntList take _to_copy trace tril triu unfold_backward _unsafe_index.Tensor
        unsafe_split.Tensor unsafe_split_with_sizes upsample_bicubic2d upsample_bilinear2d upsample_linear1d
        upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_trilinear3d _upsample_bicubic2d_aa
        _upsample_bilinear2d_aa _upsample_lanczos2d_aa _upsample_nearest_exact1d _upsample_nearest_exact2d
        _upsample_nearest_exact3d _fft_c2c _fft_c2r _fft_r2c
    """,
    # Linear in each operand: the sum of the op on each tangent beside the other operands.
    BILINEAR: "bmm dot linalg_cross mm mul.Tensor mv vdot",
    # beta times the first operand, and a product of the others.
    ADDED_PRODUCT: "addbmm addmm addmv addr baddbmm",
    # There is no second derivative that would lead forward.
    REFUSED: """
        _ctc_loss _ctc_loss.Tensor _embedding_bag multi_margin_loss multilabel_margin_loss_forward segment_reduce
    """,
    # Values that were chosen by place, and the places: the tangent is what stands there.
    SELECTING: "cummax cummin kthvalue max.dim median.dim min.dim mode nanmedian.dim sort sort.stable topk",
}
POLICIES = {name: policy for policy, words in _WORDS.items() for name in words.split()}


def policy_of(op) -> int:
    """The policy of one op, or of the op whose in-place form it is."""
    overload = f".{op.overload}" if op.overload else ""
    policy = POLICIES.get(op.name + overload)
    if policy is None and op.mutates >= 0:
        policy = POLICIES.get(op.name.removesuffix("_") + overload)
    if policy is None:
        policy = ELEMENTWISE if op.pointwise else LINEAR if op.aliases >= 0 or op.inplace_view else TRANSPOSED
    return policy
