"""Activations and losses written into given tensors."""

from .. import S

_OUT = {"v": "torch.empty(0)"}

SAMPLES = {
    "softmax.int_out": [S("torch.softmax(x, 1, out=v)", x="f(3, 4)", **_OUT),
                        S("torch.softmax(x, 0, dtype=torch.float64, out=v)", x="f(3, 4)",
                          v="torch.empty(0, dtype=torch.float64)")],
    "log_softmax.int_out": [S("torch.log_softmax(x, 1, out=v)", x="f(3, 4)", **_OUT)],
    "log_sigmoid.out": [S("F.logsigmoid(x, out=v)", x="f(3, 4)", **_OUT)],
    "_softmax.out": [S("torch._softmax(x, 1, False, out=v)", x="f(3, 4)", **_OUT)],
    "_log_softmax.out": [S("torch._log_softmax(x, 1, False, out=v)", x="f(3, 4)", **_OUT)],
    "log_sigmoid_forward.output": [S("torch.ops.aten.log_sigmoid_forward.output(x, output=v, buffer=m)", x="f(3, 4)",
                                     m="torch.empty(0)", **_OUT)],
    "native_batch_norm.out": [S("torch.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5, out=(v, m, s))",
                                x="f(3, 4, 5)", m="torch.empty(0)", s="torch.empty(0)", **_OUT)],
}
