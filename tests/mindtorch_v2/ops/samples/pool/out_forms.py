"""Pools written into given tensors."""

from .. import S

_OUT = {"v": "torch.empty(0)"}

SAMPLES = {
    "avg_pool2d.out": [S("F.avg_pool2d(x, 2, out=v)", x="f(1, 2, 4, 4)", **_OUT)],
    "avg_pool3d.out": [S("F.avg_pool3d(x, 2, out=v)", x="f(1, 2, 4, 4, 4)", **_OUT)],
}
