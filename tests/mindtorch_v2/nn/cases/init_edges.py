"""First values in every shape, type and place, with a generator, by older names: numbers and checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

SETUP = "g = torch.Generator().manual_seed(3)\n"
FUNCTIONS = ("uniform_(t, -1.0, 2.0, generator=g)", "normal_(t, 1.0, 0.5, generator=g)", "trunc_normal_(t, 0.0, 1.0, -1.0, 0.5, generator=g)", "trunc_normal_(t, 1.0, 0.5, 0.9, 1.2, g)", "constant_(t, 0.3)", "eye_(t)",
             "dirac_(t, 2)", "xavier_uniform_(t, gain=2.0, generator=g)", "xavier_normal_(t, 0.5, g)", "kaiming_uniform_(t, 0.5, 'fan_out', generator=g)", "kaiming_normal_(t, 1, 'fan_out', 'tanh', g)",
             "orthogonal_(t, 2.0, generator=g)", "orthogonal_(t)", "sparse_(t, 0.5, 0.1, g)")
SHAPES = ("3", "4, 3", "3, 4", "4, 2, 3", "4, 2, 2, 2, 2", "()", "0, 3", "1, 1")
TYPES = ("float64", "float16", "bfloat16", "int64", "complex64")
OLDER = ("uniform(t)", "normal(t, 1.0, 2.0)", "constant(t, 3)", "eye(t)", "dirac(t)", "xavier_uniform(t)", "xavier_normal(t)", "kaiming_uniform(t)", "kaiming_normal(t)", "sparse(t, 0.2)", "orthogonal(t)")
WRONG = ("normal_(t, std=-1.0)", "kaiming_uniform_(t, mode='x')", "kaiming_uniform_(t, nonlinearity='y')", "sparse_(t, 1.5)", "dirac_(t, 3)", "trunc_normal_(t, 5.0, 1.0, -1.0, 0.5)", "kaiming_uniform_(t, mode='FAN_OUT')")

CASES = {
    **{f"{call} of {shape}": f"{SETUP}t = torch.zeros({shape})\nr = nn.init.{call}\nout = [r, r is t]" for shape in SHAPES for call in FUNCTIONS},
    **{f"{call} of {kind}": f"{SETUP}t = torch.zeros(4, 3, dtype=torch.{kind})\nr = nn.init.{call}\nout = [str(r.dtype), r.abs()]" for kind in TYPES for call in FUNCTIONS if "dirac" not in call},
    **{f"{call} on meta": f"{SETUP}t = torch.zeros(4, 4, device='meta')\nr = nn.init.{call}\nout = [str(r.device), r is t]" for call in FUNCTIONS},
    **{f"{call} of a parameter": f"{SETUP}t = nn.Parameter(torch.zeros(4, 4))\nr = nn.init.{call}\nout = [r is t, r.requires_grad, r.grad_fn, r]" for call in FUNCTIONS},
    **{f"{call} transposed": f"{SETUP}t = torch.zeros(4, 3).t()\nr = nn.init.{call}\nout = [r, r.stride()]" for call in FUNCTIONS},
    **{f"{call} of a list": f"{SETUP}nn.init.{call.replace('(t', '([1.0]')}" for call in FUNCTIONS},
    **{call: f"t = torch.zeros(4, 3)\nr = nn.init.{call}\nout = [r, r is t]" for call in OLDER + WRONG},
    **{f"calculate_gain({name!r}, {slope})": f"nn.init.calculate_gain({name!r}, {slope})" for name in ("linear", "conv_transpose3d", "tanh", "relu", "leaky_relu", "selu", "gelu", 3) for slope in ("None", "0.2", "1", "True", "'a'")},
    "__all__": "sorted(nn.init.__all__)",
}
