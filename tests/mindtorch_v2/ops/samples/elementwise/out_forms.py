"""Element by element, written into given tensors."""

from .. import S

_OUT = {"v": "torch.empty(0)"}
_DOUBLE = {"v": "torch.empty(0, dtype=torch.float64)"}

SAMPLES = {
    "clip.Tensor_out": [S("torch.clip(x, y, out=v)", x="f(3, 4)", y="f(4)", **_OUT),
                        S("torch.clip(x, max=y, out=v)", x="f(3, 4)", y="f(4)", **_OUT)],
    "divide.out_mode": [S("torch.divide(x, y, rounding_mode='floor', out=v)", x="f(3, 4)", y="pos(4)", **_OUT),
                        S("torch.divide(x, y, rounding_mode=None, out=v)", x="i(3, 4)", y="pos(4)", **_OUT)],
    "float_power.Tensor_Tensor_out": [S("torch.float_power(x, y, out=v)", x="pos(3, 4)", y="f(4)", **_DOUBLE)],
    "float_power.Tensor_Scalar_out": [S("torch.float_power(x, 2, out=v)", x="i(3, 4)", **_DOUBLE)],
    "float_power.Scalar_out": [S("torch.float_power(2, x, out=v)", x="f(3, 4)", **_DOUBLE)],
    "xlogy.OutScalar_Self": [S("torch.xlogy(2, x, out=v)", x="pos(3, 4)", **_OUT)],
    "xlogy.OutScalar_Other": [S("torch.xlogy(x, 2, out=v)", x="f(3, 4)", **_OUT)],
}
