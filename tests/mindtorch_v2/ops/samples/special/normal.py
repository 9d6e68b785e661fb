"""Samples of ops/special/normal.py."""

from __future__ import annotations

from .. import S

EDGES = "torch.tensor([0., -0., 1., -1., 0.25, 2., -3., 30., -30., float('inf'), float('-inf'), float('nan')])"

SAMPLES = {
    "logit": [S("torch.logit(x / 2)", x="pos(3, 4)"), S("torch.logit(x, 0.2)", x="f(3, 4)"), S("x.logit()", x="i(3)"),
              S("torch.logit(x, eps=1e-3)", x="h(6)"), S("torch.logit(x.t(), 0.1)", x="d(2, 3)"),
              S("torch.logit(x)", x="c(2)"), S(f"torch.logit({EDGES})", x="f(1)"),
              S(f"torch.logit({EDGES} * x, 0.6)", x="torch.ones(())"), S("torch.logit(x[:, ::2], 0.1)", x="f(3, 4)")],
    "logit_": [S("(x / 2).logit_()", x="pos(3, 4)"), S("(x / 2).logit_(0.3)", x="pos(3, 4)"),
               S("x.logit_()", x="i(3)")],
    "logit.out": [S("torch.logit(x, 0.2, out=torch.empty(0))", x="f(3, 4)"),
                  S("torch.logit(x, out=torch.empty(0))", x="i(3)"),
                  S("torch.logit(x, 0.2, out=torch.empty(0))", x="f(3, 4).t()")],
    "logit_backward": [S("torch.ops.aten.logit_backward(g, x)", g="f(3, 4)", x="f(3, 4)"),
                       S("torch.ops.aten.logit_backward(g, x, 0.2)", g="f(3, 4)", x="f(3, 4)"),
                       S("torch.ops.aten.logit_backward(g, x, 0.2)", g="h(3)", x="h(3)"),
                       S(f"torch.ops.aten.logit_backward(g, {EDGES})", g="f(12)")],
    "logit_backward.grad_input": [S("torch.ops.aten.logit_backward.grad_input(g, x, 0.2, grad_input=torch.empty(0))",
                                    g="f(3, 4)", x="f(3, 4)")],
}
for _name, _inputs in {"entr": "pos(3, 4)", "erfcx": "f(3, 4)", "log_ndtr": "f(3, 4)", "ndtr": "f(3, 4)",
                       "ndtri": "pos(3, 4) / 3"}.items():
    _call = f"torch.special.{_name}"
    SAMPLES[f"special_{_name}"] = [
        S(f"{_call}(x)", x=_inputs), S(f"{_call}(x)", x="i(3)"), S(f"{_call}(x)", x="h(6)"),
        S(f"{_call}(x.t())", x="d(2, 3)"), S(f"{_call}(x)", x="c(2)"), S(f"{_call}({EDGES})", x="f(1)")]
    SAMPLES[f"special_{_name}.out"] = [S(f"{_call}(x, out=torch.empty(0))", x=_inputs)]
