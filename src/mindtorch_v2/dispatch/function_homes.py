"""The modules below torch._C in which ops are functions that torch itself does not have."""

from __future__ import annotations

# Modules that have the ops whose names begin as they are called, such as fft_fft.
PREFIXES = ("fft", "linalg", "special")
NAMES = {
    "_nested": frozenset(("nested_to_padded_tensor",)),
    "_nn": frozenset("""
        _pad_circular _pad_enum _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_lanczos2d_aa
        _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d adaptive_avg_pool2d
        adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d avg_pool2d avg_pool3d binary_cross_entropy col2im
        cross_entropy_loss elu elu_ flatten_dense_tensors fractional_max_pool2d fractional_max_pool3d gelu gelu_ glu
        hardsigmoid hardsigmoid_ hardswish hardswish_ hardtanh hardtanh_ huber_loss im2col l1_loss leaky_relu
        leaky_relu_ linear log_sigmoid max_pool2d_with_indices max_pool3d_with_indices max_unpool2d max_unpool3d mish
        mish_ mse_loss multi_margin_loss multilabel_margin_loss nll_loss nll_loss2d nll_loss_nd one_hot pad
        pad_sequence reflection_pad1d reflection_pad2d reflection_pad3d relu6 relu6_ replication_pad1d
        replication_pad2d replication_pad3d rrelu_with_noise rrelu_with_noise_ scaled_dot_product_attention silu silu_
        slow_conv3d slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d slow_conv_transpose3d smooth_l1_loss
        soft_margin_loss softplus softshrink thnn_conv2d unflatten_dense_tensors upsample_bicubic2d
        upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d upsample_nearest3d
        upsample_trilinear3d""".split()),
    "_sparse": frozenset("""
        _sparse_addmm _sparse_log_softmax _sparse_mm _sparse_mm_reduce_impl _sparse_softmax _spdiags
        sparse_sampled_addmm""".split()),
}


def home_of(op: str) -> str | None:
    """Where below torch the function of an op stands; None if in torch."""
    prefix = op.partition("_")[0]
    if prefix in PREFIXES:
        return f"_C._{prefix}"
    return next((f"_C.{module}" for module, ops in NAMES.items() if op in ops), None)
