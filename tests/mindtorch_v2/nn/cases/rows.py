"""The rows that calls of torch.nn leave in a profile: a setup, and the call that is watched."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = "x = torch.randn(2, 4); y = torch.rand(2, 4); w = torch.rand(2, 4); t = torch.tensor([0, 1])\n"
FUNCTIONS = (
    "relu(x)", "relu(x, inplace=True)", "relu6(x)", "elu(x, inplace=True)", "selu(x)", "celu(x)", "silu(x)", "mish(x, True)",
    "hardtanh(x, inplace=True)", "hardswish(x)", "hardsigmoid(x)", "threshold(x, 0.0, 1.0)", "leaky_relu(x)", "softsign(x)",
    "tanhshrink(x)", "softmin(x, 1)", "softmax(x, 1, dtype=torch.float64)", "log_softmax(x, 1)", "normalize(x)",
    "gumbel_softmax(x)", "gumbel_softmax(x, hard=True)", "gelu(x)", "softplus(x)", "glu(x)", "logsigmoid(x)",
    "mse_loss(x, y)", "mse_loss(x, y[0])", "mse_loss(x, y, weight=w)", "l1_loss(x, y)", "l1_loss(x, y, weight=w)", "smooth_l1_loss(x, y)",
    "smooth_l1_loss(x, y, beta=0.0)", "huber_loss(x, y)", "huber_loss(x, y, weight=w)", "kl_div(x, y, reduction='sum')",
    "kl_div(x, y, reduction='batchmean')", "binary_cross_entropy(y, y)", "binary_cross_entropy(y, y, weight=w)",
    "binary_cross_entropy_with_logits(x, y)", "cross_entropy(x, t)", "cross_entropy(x, t, label_smoothing=0.1)", "nll_loss(x, t)",
    "gaussian_nll_loss(x, y, w)", "gaussian_nll_loss(x, y, w, full=True, reduction='sum')", "gaussian_nll_loss(x, y, 0.5)",
    "multilabel_soft_margin_loss(x, y)", "triplet_margin_with_distance_loss(x, y, w, swap=True)", "dropout(x, 0.5)",
    "dropout(x, 0.5, inplace=True)", "dropout(x, 0.5, training=False)", "dropout2d(x[None], 0.5)", "dropout1d(x, 0.5)",
    "alpha_dropout(x, 0.5, True)", "embedding(t, x)", "embedding(t, x, max_norm=1.0)", "group_norm(x, 2)", "layer_norm(x, (4,))",
    "rms_norm(x, (4,))", "pad(x, (1, 1))", "linear(x, w)", "scaled_dot_product_attention(x[None, None], y[None, None], w[None, None])",
    "one_hot(t)",
)
NET = S + "m = nn.Linear(4, 3); sd = m.state_dict(); m(x).sum().backward()\n"
GRADS = S + "x.grad = y.clone(); w.grad = y.clone()\n"

CASES = {
    **{f"F.{call}": (S, f"F.{call}") for call in FUNCTIONS},
    **{call: (S, f"nn.{call}") for call in ("Linear(3, 4)", "Linear(3, 4, bias=False)", "Embedding(4, 3)", "Embedding(4, 3, padding_idx=1)",
                                          "LayerNorm(3)", "GroupNorm(1, 3)", "RMSNorm(3)", "PReLU()", "Bilinear(2, 3, 4)",
                                          "Parameter(x)", "Buffer(x)", "Parameter()")},
    **{call: (NET, call) for call in ("m(x)", "m(x).sum().backward()", "m.state_dict()", "m.load_state_dict(sd)", "m.double()", "m.float()",
                                    "m.to('cpu')", "m.to(torch.float64)", "m.zero_grad()", "m.zero_grad(set_to_none=False)",
                                    "m.load_state_dict(sd, assign=True)", "m.to_empty(device='cpu')")},
    "deepcopy": (NET + "import copy", "copy.deepcopy(m)"),
    "clip_grad_norm_": (GRADS, "nn.utils.clip_grad_norm_([x, w], 1.0)"),
    "clip_grad_norm_ one": (GRADS, "nn.utils.clip_grad_norm_([x], 1.0)"),
    "clip_grad_norm_ loop": (GRADS, "nn.utils.clip_grad_norm_([x, w], 1.0, foreach=False)"),
    "clip_grad_norm_ inf": (GRADS, "nn.utils.clip_grad_norm_([x, w], 1.0, norm_type='inf')"),
    "clip_grad_norm_ finite": (GRADS, "nn.utils.clip_grad_norm_([x, w], 1.0, error_if_nonfinite=True)"),
    "clip_grad_norm_ empty": (GRADS, "nn.utils.clip_grad_norm_([], 1.0)"),
    "clip_grad_value_": (GRADS, "nn.utils.clip_grad_value_([x, w], 1.0)"),
    "clip_grad_value_ loop": (GRADS, "nn.utils.clip_grad_value_([x, w], 1.0, foreach=False)"),
    "parameters_to_vector": (S, "nn.utils.parameters_to_vector([x, w])"),
    "vector_to_parameters": (S + "v = torch.ones(16)", "nn.utils.vector_to_parameters(v, [x, w])"),
    "full backward hook": (S + "m = nn.Identity(); m.register_full_backward_hook(lambda *a: None); z = torch.ones(2, requires_grad=True)",
                           "m(z).sum().backward()"),
    **{f"init.{call}": (S, f"nn.init.{call}") for call in ("kaiming_uniform_(x)", "xavier_normal_(x)", "trunc_normal_(x)", "eye_(x)",
                                                        "trunc_normal_(x, 1.0, 0.5, 0.9, 1.2)", "constant_(x, 3.0)", "zeros_(x)")},
}
