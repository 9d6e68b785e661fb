"""Products of tensors of any dimensions."""

from .. import S

SAMPLES = {
    "matmul": [S("x @ y", x="f(3, 4)", y="f(4, 5)"), S("x @ y", x="f(4)", y="f(4, 5)"),
               S("x @ y", x="f(2, 3, 4)", y="f(4, 5)"),
               S("torch.matmul(x, y)", x="f(3, 4)", y="f(2, 4, 5)"), S("x @ y", x="f(2, 1, 3, 4)", y="f(3, 4, 5)"),
               S("x.transpose(0, 1) @ y", x="f(3, 2, 4)", y="f(4, 5)"), S("x @ y", x="f(2, 3, 4)", y="f(4)")],
    "matmul.out": [S("torch.matmul(x, y, out=z)", x="f(2, 3, 4)", y="f(4, 5)", z="f(2, 3, 5)")],
    "linear": [S("F.linear(x, y, z)", x="f(3, 4)", y="f(5, 4)", z="f(5)"),
               S("F.linear(x, y)", x="f(2, 3, 4)", y="f(5, 4)"),
               S("F.linear(x, y, z)", x="f(2, 3, 4)", y="f(5, 4)", z="f(5)"),
               S("F.linear(x.transpose(0, 1), y, z)", x="f(3, 2, 4)", y="f(5, 4)", z="f(5)")],
    "kron": [S("torch.kron(x, y)", x="f(2, 3)", y="f(4, 5)"), S("x.kron(y)", x="f(3)", y="f(2, 2)")],
    "tensordot": [S("torch.tensordot(x, y, 1)", x="f(3, 4)", y="f(4, 5)"),
                  S("torch.tensordot(x, y, ([1, 2], [1, 0]))", x="f(2, 3, 4)", y="f(4, 3, 5)"),
                  S("torch.tensordot(x, y)", x="f(2, 3)", y="f(2, 3)"),
                  S("torch.tensordot(x, y, ([0], [0]))", x="i(1, 2).to(torch.uint8)", y="i(3, 2).to(torch.uint8)")],
    "chain_matmul": [S("torch.chain_matmul(x, y, z)", x="f(2, 3)", y="f(3, 4)", z="f(4, 5)")],
    "linalg_multi_dot": [S("torch.ops.aten.linalg_multi_dot([x, y, z])", x="f(2, 3)", y="f(3, 4)", z="f(4, 5)")],
}
