"""Samples of ops/optim/scaling.py: gradients that were scaled, and the scale itself."""

from __future__ import annotations

from .. import S

_UNSCALE = "(lambda p, q: (torch._amp_foreach_non_finite_check_and_unscale_([p, q], found, {factor}), p, q, found)[1:])"
_SCALE = ("(lambda s, tracker: (torch._amp_update_scale_(s, tracker, {found}, 2.0, 0.5, 3), s, tracker))"
          "(torch.tensor(4.0), torch.tensor(2, dtype=torch.int32))")
_GRADS = {"p": "f(3, 4)", "q": "f(5)", "found": "torch.zeros(())"}
_DETACHED = "(p.detach(), q.detach())"

SAMPLES = {
    "_amp_foreach_non_finite_check_and_unscale_": [
        S(_UNSCALE.format(factor="torch.tensor(0.5)") + _DETACHED, **_GRADS),
        S(_UNSCALE.format(factor="torch.tensor(1.0)") + _DETACHED, **_GRADS),
        S(_UNSCALE.format(factor="torch.tensor(0.5)") + "(p.detach() / 0, q.detach())", **_GRADS),
        S(_UNSCALE.format(factor="torch.tensor(0.3)") + "(p.detach().bfloat16(), q.detach().half())", **_GRADS),
        S(_UNSCALE.format(factor="torch.tensor(0.3)") + "(p.detach().t(), q.detach()[::2])", **_GRADS),
    ],
    "_amp_update_scale_": [S(_SCALE.format(found="torch.tensor(0.0)")), S(_SCALE.format(found="torch.tensor(1.0)"))],
}
