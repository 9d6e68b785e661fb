"""Samples of ops/optim/fused.py: each step, and what it leaves in the parameters and the optimiser's state."""

from __future__ import annotations

from .. import S

P = {"p": "f(3, 4)", "q": "f(5)", "u": "f(3, 4)", "v": "f(5)"}  # parameters and their gradients
M = {"m": "f(3, 4)", "n": "f(5)"}
SQUARES = {"s": "pos(3, 4)", "t": "pos(5)"}
STEPS = {"j": "pos()", "k": "pos()"}
ADAM = "beta1=0.9, beta2=0.99, weight_decay=0.01, eps=1e-8"
SGD = "weight_decay=0.01, momentum=0.9, dampening=0.1"


def _step(call: str, left: str, *inputs: dict[str, str]):
    """A step on detached parameters, whose values are the answer."""
    merged = {name: build for group in inputs for name, build in group.items()}
    detached = ", ".join(f"{name}.detach()" for name in merged)
    return S(f"(lambda {', '.join(merged)}: ({call}, {left})[1:])({detached})", **merged)


def _adam(name: str):
    lists = f"torch._fused_{name}_([p, q], [u, v], [m, n], [s, t]"
    plain = f"{lists}, [], [j, k], lr=0.1, {ADAM}, amsgrad=False, maximize=False)"
    ams = f"{lists}, [x, y], [j, k], lr=0.1, {ADAM}, amsgrad=True, maximize=True)"
    rate = f"{lists}, [], [j, k], lr=r, {ADAM}, amsgrad=False, maximize=False)"
    return {
        f"_fused_{name}_": [_step(plain, "p, q, m, n, s, t", P, M, SQUARES, STEPS),
                            _step(ams, "p, q, x, y", P, M, SQUARES, STEPS, {"x": "pos(3, 4)", "y": "pos(5)"})],
        f"_fused_{name}_.tensor_lr": [_step(rate, "p, q", P, M, SQUARES, STEPS, {"r": "pos()"})],
    }


_SGD = "torch._fused_sgd_([p, q], [u, v], [m, n], "
SAMPLES = {
    **_adam("adam"),
    **_adam("adamw"),
    "_fused_sgd_": [
        _step(f"{_SGD}lr=0.1, {SGD}, nesterov=False, maximize=False, is_first_step=True)", "p, q, m, n", P, M),
        _step(f"{_SGD}lr=0.1, {SGD}, nesterov=True, maximize=True, is_first_step=False)", "p, q, m, n", P, M),
        _step("torch._fused_sgd_([p, q], [u, v], [], weight_decay=0.0, momentum=0.0, lr=0.1, dampening=0.0, "
              "nesterov=False, maximize=False, is_first_step=False)", "p, q", P),
    ],
    "_fused_sgd_.tensor_lr": [
        _step(f"{_SGD}lr=r, {SGD}, nesterov=False, maximize=False, is_first_step=False)", "p, q, m, n", P, M,
              {"r": "pos()"}),
    ],
    "_fused_adagrad_": [
        _step("torch._fused_adagrad_([p, q], [u, v], [s, t], [j, k], lr=0.1, lr_decay=0.01, weight_decay=0.1, "
              "eps=1e-10, maximize=False)", "p, q, s, t", P, SQUARES, STEPS),
    ],
    "_fused_adagrad_.tensor_lr": [
        _step("torch._fused_adagrad_([p, q], [u, v], [s, t], [j, k], lr=r, lr_decay=0.01, weight_decay=0.1, "
              "eps=1e-10, maximize=False)", "p, q, s, t", P, SQUARES, STEPS, {"r": "pos()"}),
    ],
}
