"""What is done with every optimiser and schedule, on PyTorch (tools/record_optim.py) and here: ``torch`` is either."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

STEPS = 7  # RAdam trusts its squares from the sixth step on
WAYS = ("", "foreach=True", "fused=True")

# optimiser: sets of options, each tried in every way the optimiser has
OPTIONS = {
    "SGD": ["", "lr=0.1", "lr=0.1, momentum=0.9", "lr=0.1, momentum=0.9, dampening=0.2, weight_decay=0.01",
            "lr=0.1, momentum=0.9, nesterov=True, maximize=True", "lr=0.1, weight_decay=0.1, maximize=True",
            "lr=torch.tensor(0.1), momentum=0.9", "lr=0.1, weight_decay=torch.tensor(0.1)"],
    "Adam": ["", "lr=0.1, betas=(0.8, 0.9), eps=1e-4", "weight_decay=0.1", "amsgrad=True, maximize=True",
             "weight_decay=0.1, amsgrad=True", "weight_decay=0.1, decoupled_weight_decay=True", "lr=torch.tensor(0.1)",
             "betas=(torch.tensor(0.9), torch.tensor(0.99))"],
    "AdamW": ["", "lr=0.1, weight_decay=0.5", "amsgrad=True, maximize=True", "lr=torch.tensor(0.1)"],
    "NAdam": ["", "lr=0.1, momentum_decay=0.1", "weight_decay=0.1, maximize=True",
              "weight_decay=0.1, decoupled_weight_decay=True", "lr=torch.tensor(0.1)"],
    "ASGD": ["", "lr=0.1, weight_decay=0.1", "t0=0, maximize=True", "lr=0.1, alpha=0.5, lambd=0.1, t0=3",
             "t0=0, weight_decay=0.1, maximize=True", "lr=torch.tensor(0.1)"],
    "RAdam": ["", "weight_decay=0.1, maximize=True", "weight_decay=0.1, decoupled_weight_decay=True",
              "betas=(0.9, 0.5)", "lr=torch.tensor(0.1)"],
    "Adagrad": ["", "lr_decay=0.1, weight_decay=0.1", "initial_accumulator_value=0.5", "maximize=True",
                "lr=torch.tensor(0.1)"],
    "RMSprop": ["", "momentum=0.9, centered=True", "weight_decay=0.1, maximize=True", "centered=True, weight_decay=0.1",
                "lr=torch.tensor(0.1)"],
    "Adadelta": ["", "lr=0.5, rho=0.5, eps=1e-3", "weight_decay=0.1, maximize=True", "lr=torch.tensor(0.1)"],
    "Rprop": ["", "lr=0.1, etas=(0.3, 1.5), step_sizes=(1e-3, 0.2)", "maximize=True", "lr=torch.tensor(0.1)"],
    "Adafactor": ["", "lr=0.1, beta2_decay=-0.5, eps=(1e-3, 1e-2), d=2.0", "weight_decay=0.1, maximize=True",
                  "lr=torch.tensor(0.1)"],
    "Muon": ["", "lr=0.1, momentum=0.5, nesterov=False, weight_decay=0", "ns_steps=3, adjust_lr_fn='match_rms_adamw'"],
    "Adamax": ["", "betas=(0.5, 0.6)", "weight_decay=0.1", "maximize=True", "lr=torch.tensor(0.1)"],
}
REAL_ONLY = ("Adafactor", "Muon")
WAYLESS = ("Muon",)  # has one way only, for matrices only
FUSED = ("SGD", "Adam", "AdamW", "Adagrad")
DTYPES = ("float64", "bfloat16", "complex64")
# So few iterations that rounding does not decide when to end.
LBFGS = ["LBFGS(params, max_iter=6)", "LBFGS(params, lr=0.5, max_iter=4, history_size=2)", "LBFGS(params, max_eval=3)",
         "LBFGS(params, lr=torch.tensor(0.3), max_iter=4)", "LBFGS(params, max_iter=4, line_search_fn='strong_wolfe')",
         "LBFGS(params, lr=0.1, max_iter=6, line_search_fn='strong_wolfe')",
         "float64:LBFGS(params, line_search_fn='strong_wolfe', tolerance_grad=1e-3)",
         "complex64:LBFGS(params, max_iter=5)"]
DIFFERENTIABLE = [
    "SGD(params, lr=0.1, momentum=0.9, weight_decay=0.1, differentiable=True)",
    "SGD(params, lr=knob, weight_decay=knob, differentiable=True)",
    "Adam(params, differentiable=True)", "Adam(params, lr=knob, amsgrad=True, differentiable=True)",
    "Adam(params, betas=(knob, knob), differentiable=True)", "AdamW(params, lr=knob, differentiable=True)",
    "NAdam(params, differentiable=True)", "ASGD(params, t0=0, differentiable=True)",
    "RAdam(params, betas=(0.9, 0.9), differentiable=True)", "Adagrad(params, differentiable=True)",
    "RMSprop(params, momentum=0.1, centered=True, differentiable=True)", "Adadelta(params, differentiable=True)",
    "Adamax(params, differentiable=True)", "Rprop(params, differentiable=True)",
]
SCHEDULES = [
    "StepLR(opt, 3)", "StepLR(opt, 2, gamma=0.5)", "MultiStepLR(opt, [2, 4, 4, 9])", "ConstantLR(opt)",
    "ConstantLR(opt, factor=0.5, total_iters=4)", "LinearLR(opt)", "LinearLR(opt, 0.2, 0.7, total_iters=6)",
    "ExponentialLR(opt, 0.9)", "PolynomialLR(opt)", "PolynomialLR(opt, total_iters=8, power=2.0)",
    "CosineAnnealingLR(opt, 4)", "CosineAnnealingLR(opt, 5, eta_min=0.01)", "CosineAnnealingWarmRestarts(opt, 3)",
    "CosineAnnealingWarmRestarts(opt, 2, T_mult=2, eta_min=0.01)", "LambdaLR(opt, lambda e: 0.95 ** e)",
    "LambdaLR(opt, [lambda e: 0.5 ** e, lambda e: 1 / (e + 1)])", "MultiplicativeLR(opt, lambda e: 0.9 + e / 100)",
    "CyclicLR(opt, 0.01, 0.1, step_size_up=3)", "CyclicLR(opt, 0.01, 0.1, 2, 4, mode='triangular2')",
    "CyclicLR(opt, [0.01, 0.02], [0.1, 0.2], 3, mode='exp_range', gamma=0.9)",
    "CyclicLR(opt, 0.01, 0.1, 3, scale_fn=lambda x: 1 / x, cycle_momentum=False)",
    "OneCycleLR(opt, 0.5, total_steps=14)", "OneCycleLR(opt, 0.5, epochs=7, steps_per_epoch=2, three_phase=True)",
    "OneCycleLR(opt, [0.5, 1.0], total_steps=14, anneal_strategy='linear', pct_start=0.5)",
    "SequentialLR(opt, [ConstantLR(opt, 0.1, 2), ExponentialLR(opt, 0.9)], [3])",
    "SequentialLR(opt, [LinearLR(opt, 0.1, 1.0, 4), CosineAnnealingLR(opt, 6)], [4])",
    "SequentialLR(opt, [LinearLR(opt, 0.1, 1.0, 4), CosineAnnealingWarmRestarts(opt, 3)], [4])",
    "SequentialLR(opt, [ConstantLR(opt), StepLR(opt, 2), ExponentialLR(opt, 0.5)], [2, 6])",
    "ChainedScheduler([ConstantLR(opt, 0.1, 3), ExponentialLR(opt, 0.9)])",
    "ReduceLROnPlateau(opt, patience=1)", "ReduceLROnPlateau(opt, 'max', 0.5, 0, threshold_mode='abs', cooldown=2)",
]
METRICS = [5.0, 4.0, 4.5, 4.2, 4.1, 3.0, 3.1, 3.2, 3.3, 3.4, 3.0, 2.0, 2.0]



def values(n: int, seed: int) -> list[float]:
    """Numbers that every library makes alike."""
    return [((k * 37 + seed * 17 + 11) % 41 - 20) / 10 for k in range(n)]


def tensors(torch, seed: int, dtype: str = "float32") -> list:
    made = [torch.tensor(values(6, seed)).reshape(2, 3), torch.tensor(values(4, seed + 1))]
    if dtype.startswith("complex"):
        made = [torch.view_as_complex(torch.stack([t, t.flip(0)], -1)) for t in made]
    return [t.to(getattr(torch, dtype)) for t in made]


def numbers(torch, t) -> list[float]:
    if t.is_complex():
        t = torch.view_as_real(t)
    return [float(f"{v:.9g}") for v in t.detach().to(torch.float64).flatten().tolist()]


def codes() -> list[str]:
    """Every set of options in every way its optimiser has."""
    found = []
    for name, options in OPTIONS.items():
        ways = WAYS if name in FUSED else WAYS[:1] if name in WAYLESS else WAYS[:2]
        for given, way in itertools.product(options, ways):
            refused = name in ("Adam", "AdamW") and way == "foreach=True" and "tensor" in given
            if not refused and not ("betas=(torch" in given and way == "fused=True"):
                found.append(f"{name}({', '.join(filter(None, ['params', given, way]))})")
    return found


def typed_codes() -> list[str]:
    return [f"{dtype}:{name}({', '.join(filter(None, ['params', way]))})"
            for dtype, name, way in itertools.product(DTYPES, OPTIONS, WAYS[:2])
            if not (dtype.startswith("complex") and name in REAL_ONLY) and not (way and name in WAYLESS)]


def optimise(torch, code: str, watch: Callable = nullcontext) -> dict[str, Any]:
    """Parameters, gradients and state after STEPS steps; ``watch()`` surrounds each step."""
    dtype, _, code = code.rpartition(":")
    params = [t.requires_grad_() for t in tensors(torch, 0, dtype or "float32")]
    if code.startswith(WAYLESS):
        params = params[:1]
    opt = eval(code, {"torch": torch, "params": params, **vars(torch.optim)})
    for step in range(STEPS):
        for p, grad in zip(params, tensors(torch, step + 1, dtype or "float32")):
            p.grad = grad
        with watch():
            opt.step()
    state = opt.state_dict()["state"]
    return {"params": [numbers(torch, p) for p in params], "grads": [numbers(torch, p.grad) for p in params],
            "state": {str(k): {n: numbers(torch, v) for n, v in s.items()} for k, s in state.items()}}


def minimise(torch, code: str, watch: Callable = nullcontext) -> dict[str, Any]:
    """Losses and parameters of an optimiser that asks for the loss itself, step by step."""
    dtype, _, code = code.rpartition(":")
    params = [t.requires_grad_() for t in tensors(torch, 0, dtype or "float32")]
    goals = tensors(torch, 5, dtype or "float32")
    opt = eval(code, {"torch": torch, "params": params, **vars(torch.optim)})

    def closure():
        opt.zero_grad()
        loss = sum(((p - goal).abs() ** 4).sum() + 3 * ((p + 1).abs() ** 2).sum() for p, goal in zip(params, goals))
        loss.backward()
        return loss

    losses = []
    for _ in range(3):
        with watch():
            losses.append(opt.step(closure).item())
    state = opt.state_dict()["state"][0]
    return {"losses": losses, "params": [numbers(torch, p) for p in params], "func_evals": state["func_evals"],
            "n_iter": state["n_iter"], "keys": sorted(state)}


def differentiate(torch, code: str, steps: int) -> dict[str, Any]:
    """Gradients that went back through several steps, to the first weights and to an option."""
    leaves = [t.requires_grad_() for t in tensors(torch, 0)]
    knob = torch.tensor(0.3, requires_grad=True)
    params = [t.clone() for t in leaves]
    opt = eval(code, {"torch": torch, "params": params, "knob": knob, **vars(torch.optim)})
    for step in range(steps):
        for p, grad in zip(params, tensors(torch, step + 1)):
            grad = grad + 0.05  # no zeros, where roots have no derivative
            p.grad = grad * (p + 3) if step == 0 else grad
        opt.step()
    sum((p * p).sum() for p in params).backward()
    return {"steps": steps, "params": [numbers(torch, p) for p in params],
            "grads": [numbers(torch, leaf.grad) for leaf in leaves],
            "knob": None if knob.grad is None else knob.grad.item()}


def schedule(torch, code: str) -> list[list[float]]:
    """Learning rates and momenta of both groups, epoch by epoch."""
    groups = [{"params": [torch.zeros(1, requires_grad=True)], "lr": lr} for lr in (0.1, 0.05)]
    opt = torch.optim.SGD(groups, lr=0.1, momentum=0.9)
    one = eval(code, {"opt": opt, **vars(torch.optim.lr_scheduler)})
    found = [[g[name] for g in opt.param_groups for name in ("lr", "momentum")]]
    for metric in METRICS:
        opt.step()
        one.step(*([metric] if "Plateau" in code else []))
        found.append([g[name] for g in opt.param_groups for name in ("lr", "momentum")])
    return found
