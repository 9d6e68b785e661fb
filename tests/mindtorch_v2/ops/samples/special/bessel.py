"""Samples of ops/special/bessel.py."""

from __future__ import annotations

from .. import S

EDGES = "torch.tensor([0., -0., 1., -1., 0.25, 30., -30., 1e3, float('inf'), float('-inf'), float('nan')])"
DIFFERENTIABLE = ("special_i0e", "special_i1", "special_i1e")
OTHERS = ("airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0", "modified_bessel_i1",
          "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
          "spherical_bessel_j0")

SAMPLES = {
    "i0": [S("torch.i0(x)", x="f(3, 4)"), S("x.i0()", x="i(5)"), S("torch.i0(x)", x="h(6)"),
           S("torch.i0(x.t())", x="d(2, 3)"), S("torch.i0(x)", x="c(2)"), S(f"torch.i0({EDGES})", x="f(1)")],
    "i0_": [S("(x * 1).i0_()", x="f(3, 4)")],
    "i0.out": [S("torch.i0(x, out=torch.empty(0))", x="f(3, 4)")],
}
for _op in (*DIFFERENTIABLE, *(f"special_{name}" for name in OTHERS)):
    _call = f"torch.special.{_op.removeprefix('special_')}"
    SAMPLES[_op] = [S(f"{_call}(x)", x="f(3, 4)"), S(f"{_call}(x)", x="i(5)"), S(f"{_call}(x)", x="h(6)"),
                    S(f"{_call}(x.t())", x="d(2, 3)"), S(f"{_call}(x)", x="c(2)"),
                    S(f"{_call}({EDGES})", x="f(1)")]
    SAMPLES[f"{_op}.out"] = [S(f"{_call}(x, out=torch.empty(0))", x="f(3, 4)")]
# in half types torch computes this one in those, ours in float32
SAMPLES["special_i0e"] = [sample for sample in SAMPLES["special_i0e"] if sample.inputs != (("x", "h(6)"),)]
for _op in DIFFERENTIABLE:
    SAMPLES[_op].append(S(f"torch.special.{_op.removeprefix('special_')}(x * 0)", x="f(3)"))
