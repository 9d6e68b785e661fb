"""Products of three tensors."""

from .. import S

SAMPLES = {
    "_trilinear": [S("torch.ops.aten._trilinear(x, y, z, (1, 3), (0,), (1, 2), (2, 3))",
                      x="f(3, 4)", y="f(2, 4, 5)", z="f(3, 5)")],
    "bilinear": [S("F.bilinear(x, y, z, o)", x="f(3, 4)", y="f(3, 5)", z="f(2, 4, 5)", o="f(2)")],
}
