"""Samples of ops/random/inplace.py; small and large, since torch draws 16 and more normal numbers in blocks."""

from .. import S

SAMPLES = {
    "uniform_": [S("torch.empty(20).uniform_()"), S("torch.zeros(3, 4).t().uniform_(-1, 2)"),
                 S("(x * 1).uniform_()", x="f(3)"), S("torch.zeros(3, dtype=torch.bfloat16).uniform_()")],
    "normal_": [S("torch.empty(7).normal_()"), S("torch.empty(50).normal_(1, 2.5)"),
                S("torch.zeros(5, 8).t().normal_()"),
                S("(x * 1).normal_()", x="f(3)"), S("torch.zeros(20, dtype=torch.float64).normal_()")],
    "random_.from": [S("torch.zeros(6).random_(2, 9)"), S("torch.zeros(6, dtype=torch.int64).random_(2, None)"),
                     S("(x * 1).random_(1, 5)", x="f(3)")],
    "random_.to": [S("torch.zeros(6, dtype=torch.uint8).random_(9)"), S("(x * 1).random_(5)", x="f(3)")],
    "random_": [S("torch.zeros(6).random_()"), S("torch.zeros(6, dtype=torch.bool).random_()"),
                S("(x * 1).random_()", x="f(3)")],
    "bernoulli_.Tensor": [S("torch.zeros(3, 4).bernoulli_(torch.full((4,), 0.3))"),
                          S("(x * 1).bernoulli_(torch.full((3,), 0.5))", x="f(3)")],
    "bernoulli_.float": [S("torch.zeros(20).bernoulli_(0.3)"), S("(x * 1).bernoulli_()", x="f(3)")],
    "exponential_": [S("torch.zeros(20).exponential_()"), S("(x * 1).exponential_(2)", x="f(3)")],
    "log_normal_": [S("torch.zeros(20).log_normal_()"), S("(x * 1).log_normal_()", x="f(3)")],
    "cauchy_": [S("torch.zeros(20).cauchy_()"), S("(x * 1).cauchy_()", x="f(3)")],
    "geometric_": [S("torch.zeros(20).geometric_(0.3)"), S("(x * 1).geometric_(0.5)", x="f(3)"),
                   S("torch.zeros(5, dtype=torch.int64).geometric_(0.2)")],
}
