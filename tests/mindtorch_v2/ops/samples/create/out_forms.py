"""Ranges written into given tensors."""

from .. import S

_OUT = {"v": "torch.empty(0)"}
_NUMBER = "torch.tensor(2.0)"

SAMPLES = {
    "linspace.Tensor_Tensor_out": [S("torch.linspace(a, b, 5, out=v)", a=_NUMBER, b="torch.tensor(7.0)", **_OUT)],
    "linspace.Tensor_Scalar_out": [S("torch.linspace(a, 7.0, 5, out=v)", a=_NUMBER, **_OUT)],
    "linspace.Scalar_Tensor_out": [S("torch.linspace(0.5, a, 5, out=v)", a=_NUMBER, **_OUT)],
    "logspace.Tensor_Tensor_out": [S("torch.logspace(a, b, 5, out=v)", a=_NUMBER, b="torch.tensor(3.0)", **_OUT)],
    "logspace.Tensor_Scalar_out": [S("torch.logspace(a, 3.0, 5, 2.0, out=v)", a=_NUMBER, **_OUT)],
    "logspace.Scalar_Tensor_out": [S("torch.logspace(0.5, a, 5, out=v)", a=_NUMBER, **_OUT)],
    "range.out_": [S("torch.ops.aten.range.out_(1, 4, out=v)", **_OUT)],
    **{f"{name}.out": [S(f"torch.{name}(x, y, out=v)", x="f(2, 3)", y="f(2, 3)",
                          v="torch.empty(0, dtype=torch.complex64)")] for name in ("complex", "polar")},
}
