"""Samples of ops/random/functional.py."""

from .. import S

A = "torch.ops.aten"
X = {"x": "f(3, 4)"}
OUT = "out=torch.empty(0)"

SAMPLES = {
    **{name: [S(f"{A}.{name}(x)", **X), S(f"{A}.{name}(x.t(), {arguments})", **X)]
       for name, arguments in {"exponential": "2.0", "cauchy": "0.5, 2.0", "log_normal": "0.3, 0.7",
                               "uniform": "-1.0, 3.0", "normal_functional": "1.0, 2.5"}.items()},
    **{f"{name}.out": [S(f"{A}.{name}(x, {OUT})", **X)]
       for name in ("exponential", "cauchy", "log_normal", "uniform", "random")},
    "geometric": [S(f"{A}.geometric(x, 0.3)", **X)], "geometric.out": [S(f"{A}.geometric(x, 0.3, {OUT})", **X)],
    "random": [S(f"{A}.random(x)", **X), S(f"{A}.random(x)", x="i(3)")], "random.to": [S(f"{A}.random(x, 9)", **X)],
    "random.from": [S(f"{A}.random(x, 2, 9)", **X), S(f"{A}.random(x, 9, 2)", **X)],
    "random.to_out": [S(f"{A}.random(x, 9, {OUT})", **X)],
    "random.from_out": [S(f"{A}.random(x, 2, 9, {OUT})", **X)],
    "bernoulli.Tensor": [S(f"{A}.bernoulli.Tensor(x, y / 2)", x="f(3, 4)", y="pos(3, 4)")],
    "bernoulli.Tensor_out": [S(f"{A}.bernoulli.Tensor_out(x, y / 2, {OUT})", x="f(3, 4)", y="pos(3, 4)")],
    "bernoulli.float_out": [S(f"{A}.bernoulli.float_out(x, 0.3, {OUT})", **X)],
    "normal.out": [S(f"{A}.normal.out(x, {OUT})", **X)],
}
