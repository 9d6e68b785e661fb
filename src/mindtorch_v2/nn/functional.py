"""torch.nn.functional: everything layers compute, as functions."""
# ruff: noqa: F401  a gathering of re-exports

from __future__ import annotations

from .._jit_internal import BroadcastingList1, BroadcastingList2, BroadcastingList3, boolean_dispatch
from ..core.missing_name import missing_name as _missing_name
from ..core.tensor import Tensor
from ..dispatch.packet import named as _named
from ..overrides import (
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
)
from . import grad  # noqa: F401  where torch has it, too
from ._functional.activation import (
    _threshold,
    celu,
    elu,
    glu,
    gumbel_softmax,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    log_softmax,
    mish,
    relu,
    relu6,
    rrelu,
    selu,
    sigmoid,
    silu,
    softmax,
    softmin,
    softsign,
    tanh,
    tanhshrink,
    threshold,
)
from ._functional.attention_masks import _canonical_mask, _mha_shape_check, _none_or_dtype
from ._functional.batch_norm import batch_norm, instance_norm, local_response_norm
from ._functional.columns import assert_int_or_pair, fold, unfold
from ._functional.dropout import alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout
from ._functional.embedding import embedding, embedding_bag
from ._functional.grids import GRID_SAMPLE_INTERPOLATION_MODES, GRID_SAMPLE_PADDING_MODES, affine_grid, grid_sample
from ._functional.layers import group_norm, grouped_mm, layer_norm, normalize, pad, rms_norm
from ._functional.linear_cross_entropy import linear_cross_entropy
from ._functional.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    ctc_loss,
    gaussian_nll_loss,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
)
from ._functional.margin_losses import (
    cosine_embedding_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from ._functional.multi_head_attention import _in_projection, _in_projection_packed, multi_head_attention_forward
from ._functional.pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d,
    adaptive_max_pool3d_with_indices,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool2d_with_indices,
    max_pool3d,
    max_pool3d_with_indices,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from ._functional.upsampling import interpolate, upsample, upsample_bilinear, upsample_nearest

# Functions that are ops themselves, as in torch: the name here, and the op's where it is another.
_BUILTINS = {
    "linear": "linear", "bilinear": "bilinear", "gelu": "gelu", "softplus": "softplus", "hardshrink": "hardshrink",
    "softshrink": "softshrink", "logsigmoid": "log_sigmoid", "prelu": "prelu", "relu_": "relu_", "elu_": "elu_",
    "celu_": "celu_", "selu_": "selu_", "leaky_relu_": "leaky_relu_", "hardtanh_": "hardtanh_", "rrelu_": "rrelu_",
    "threshold_": "threshold_", "one_hot": "one_hot", "cosine_similarity": "cosine_similarity",
    "pairwise_distance": "pairwise_distance", "pdist": "pdist", "pixel_shuffle": "pixel_shuffle",
    "pixel_unshuffle": "pixel_unshuffle", "channel_shuffle": "channel_shuffle",
    "native_channel_shuffle": "native_channel_shuffle",
    "scaled_dot_product_attention": "scaled_dot_product_attention", "conv1d": "conv1d", "conv2d": "conv2d",
    "conv3d": "conv3d", "conv_transpose1d": "conv_transpose1d", "conv_transpose2d": "conv_transpose2d",
    "conv_transpose3d": "conv_transpose3d", "conv_tbc": "conv_tbc",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *_BUILTINS})


def __getattr__(name: str):
    """Functions that are ops, each made when first asked for."""
    if name not in _BUILTINS:
        raise _missing_name(__name__, name)
    globals()[name] = _named(_BUILTINS[name], False)
    return globals()[name]
