"""Samples of ops/reduce/older_extremes.py, hash_tensor.py and power_sum.py."""

from .. import S

SAMPLES = {
    "_aminmax": [S("torch._aminmax(x)", x="f(2, 3)")],
    "_aminmax.dim": [S("torch._aminmax(x, 1)", x="f(2, 3)"), S("torch._aminmax(x, 0, True)", x="i(2, 3)")],
    "hash_tensor": [S("torch.hash_tensor(x).view(torch.int64)", x="f(2, 3)"),
                    S("x.hash_tensor(dim=1).view(torch.int64)", x="i(2, 3, low=-5)"),
                    S("torch.hash_tensor(x, dim=(0, 1), keepdim=True).view(torch.int64)", x="b(2, 3)"),
                    S("torch.hash_tensor(x).view(torch.int64)", x="h(5)"), S("torch.hash_tensor(x, mode=1)", x="f(2)"),
                    S("torch.hash_tensor(x)", x="c(2)"), S("torch.hash_tensor(x)", x="f(0)")],
    "hash_tensor.out": [S("torch.hash_tensor(x.detach(), out=torch.empty(0, dtype=torch.uint64)).view(torch.int64)",
                          x="f(2, 3)")],
    "linalg__powsum": [S("torch.ops.aten.linalg__powsum(x.detach(), 3)", x="f(2, 3)"),
                       S("torch.ops.aten.linalg__powsum(x, 2, [1], True)", x="f(2, 3)"),
                       S("torch.ops.aten.linalg__powsum(x.detach(), 0)", x="f(2, 3)"),
                       S("torch.ops.aten.linalg__powsum(x.detach(), float('inf'), [0], dtype=torch.float64)",
                         x="f(2, 3)")],
    "_foreach_powsum.Scalar": [S("torch._foreach_powsum([x.detach(), y.detach()], 3)", x="f(2, 3)", y="f(4)")],
}
