"""Samples of ops/random/distributions.py."""

from .. import S

SAMPLES = {
    "normal.Tensor_Tensor": [S("torch.normal(x, y)", x="f(3, 4)", y="pos(3, 4)"),
                             S("torch.normal(x, y)", x="f(3, 4)", y="pos(4)")],
    "normal.Tensor_float": [S("torch.normal(x, 2.0)", x="f(3, 4)"), S("torch.normal(x)", x="f(20)")],
    "normal.float_Tensor": [S("torch.normal(0.5, x)", x="pos(3, 4)")],
    "normal.float_float": [S("torch.normal(1.0, 2.0, (3,))"), S("torch.normal(0, 1, size=(4, 5))")],
    "normal.float_float_out": [S("torch.normal(0.0, 1.0, (2,), out=torch.empty(0))")],
    "normal.Tensor_Tensor_out": [S("torch.normal(x, y, out=torch.empty(3, 4))", x="f(3, 4)", y="pos(4)")],
    "normal.Tensor_float_out": [S("torch.normal(x, 2.0, out=torch.empty(3, 4))", x="f(3, 4)")],
    "normal.float_Tensor_out": [S("torch.normal(0.5, x, out=torch.empty(3, 4))", x="pos(3, 4)")],
    "bernoulli.out": [S("torch.bernoulli(x / 2, out=torch.empty(5))", x="pos(5)")],
    "multinomial.out": [S("torch.multinomial(x, 2, out=torch.empty(0, dtype=torch.int64))", x="pos(5)")],
    "bernoulli": [S("torch.bernoulli(x / 2)", x="pos(3, 4)"), S("(x / 2).bernoulli()", x="pos(5)")],
    "bernoulli.p": [S("torch.bernoulli(x, 0.3)", x="pos(3, 4)")],
    "multinomial": [S("torch.multinomial(x, 2)", x="pos(5)"), S("torch.multinomial(x, 1)", x="pos(2, 5)"),
                    S("torch.multinomial(x, 6, replacement=True)", x="pos(2, 5)"),
                    S("torch.multinomial(x, 3)", x="pos(2, 5)")],
}
