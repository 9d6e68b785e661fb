"""torch.nn.utils: clipping gradients, and parameters as one vector."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

P = """
ps = [nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(1))]
ps[0].grad = torch.tensor([3.0, -4.0]); ps[1].grad = torch.tensor([0.0, 12.0, 1.0])
U = nn.utils
"""
GRADS = "[p.grad for p in ps]"
CASES = {
    "clip_grad_norm_": P + f"n = U.clip_grad_norm_(ps, 1.0)\nout = [n, {GRADS}]",
    "clip_grad_norm_ large": P + f"n = U.clip_grad_norm_(ps, 100.0)\nout = [n, {GRADS}]",
    "clip_grad_norm_ inf": P + f"n = U.clip_grad_norm_(ps, 1.0, norm_type='inf')\nout = [n, {GRADS}]",
    "clip_grad_norm_ one": P + f"n = U.clip_grad_norm_(ps, 1.0, norm_type=1)\nout = [n, {GRADS}]",
    "clip_grad_norm_ loop": P + f"n = U.clip_grad_norm_(ps, 1.0, foreach=False)\nout = [n, {GRADS}]",
    "clip_grad_norm_ foreach": P + f"n = U.clip_grad_norm_(ps, 1.0, foreach=True)\nout = [n, {GRADS}]",
    "clip_grad_norm_ tensor": P + f"n = U.clip_grad_norm_(ps[0], 1.0)\nout = [n, {GRADS}]",
    "clip_grad_norm_ generator": P + f"n = U.clip_grad_norm_((p for p in ps), 1.0)\nout = [n, {GRADS}]",
    "clip_grad_norm_ empty": P + "out = U.clip_grad_norm_([], 1.0)",
    "clip_grad_norm_ empty generator": P + "out = U.clip_grad_norm_((p for p in ()), 1.0)",
    "clip_grad_norm_ without grads": P + "out = U.clip_grad_norm_(ps[2:], 1.0)",
    "clip_grad_norm_ nan": P + "ps[0].grad[0] = float('nan')\nU.clip_grad_norm_(ps, 1.0, error_if_nonfinite=True)",
    "clip_grad_norm_ nan allowed": P + "ps[0].grad[0] = float('inf')\nout = U.clip_grad_norm_(ps, 1.0)",
    "clip_grad_norm_ types": P + f"q = nn.Parameter(torch.ones(2, dtype=torch.float64)); q.grad = torch.ones(2, dtype=torch.float64); ps.append(q)\nn = U.clip_grad_norm_(ps, 1.0)\nout = [n, {GRADS}]",
    "clip_grad_norm old name": P + "out = U.clip_grad_norm(ps, 1.0)",
    "clip_grad_value_": P + f"r = U.clip_grad_value_(ps, 2.0)\nout = [r, {GRADS}]",
    "clip_grad_value_ loop": P + f"U.clip_grad_value_(ps, 2.0, foreach=False)\nout = {GRADS}",
    "clip_grad_value_ tensor": P + f"U.clip_grad_value_(ps[0], 1)\nout = {GRADS}",
    "get_total_norm": P + "out = [U.get_total_norm([p.grad for p in ps[:2]]), U.get_total_norm([]), U.get_total_norm(ps[0].grad, norm_type=1.0)]",
    "clip_grads_with_norm_": P + f"U.clip_grads_with_norm_(ps, 1.0, torch.tensor(5.0))\nout = {GRADS}",
    "parameters_to_vector": P + "out = U.parameters_to_vector(ps)",
    "vector_to_parameters": P + "U.vector_to_parameters(torch.arange(6.0), ps)\nout = ps",
    "vector_to_parameters wrong": P + "U.vector_to_parameters([1.0], ps)",
    "vector round trip": "m = nn.Linear(2, 3)\nv = nn.utils.parameters_to_vector(m.parameters()); nn.utils.vector_to_parameters(v * 2, m.parameters())\nout = [v, m.weight]",
}
