"""Optimizers as functions of lists, at torch's addresses: ``torch.optim.adam.adam(params, grads, exp_avgs, …)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..core.tensor import Tensor
from .adadelta import Adadelta
from .adafactor import Adafactor
from .adagrad import Adagrad
from .adam import Adam
from .adamax import Adamax
from .adamw import AdamW
from .asgd import ASGD
from .nadam import NAdam
from .radam import RAdam
from .rmsprop import RMSprop
from .rprop import Rprop
from .rule import Rule
from .sgd import SGD

# Function, optimizer, the parameters as torch has them, and which entry of a parameter's state each list holds.
FORMS = (
    ("adadelta", Adadelta, "params, grads, square_avgs, acc_deltas, state_steps, capturable=False, foreach=None, "
     "differentiable=False, has_complex=False, *, lr, rho, eps, weight_decay, maximize",
     {"square_avgs": "square_avg", "acc_deltas": "acc_delta", "state_steps": "step"}),
    ("adafactor", Adafactor, "params, grads, row_vars, col_vars, variances, state_steps, foreach=None, "
     "grad_scale=None, found_inf=None, has_complex=False, *, d, lr, beta2_decay, weight_decay, eps1, eps2, maximize",
     {"row_vars": "row_var", "col_vars": "col_var", "variances": "variance", "state_steps": "step"}),
    ("adagrad", Adagrad, "params, grads, state_sums, state_steps, fused=None, grad_scale=None, found_inf=None, "
     "has_sparse_grad=False, foreach=None, differentiable=False, has_complex=False, *, lr, weight_decay, lr_decay, "
     "eps, maximize", {"state_sums": "sum", "state_steps": "step"}),
    ("adam", Adam, "params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, foreach=None, "
     "capturable=False, differentiable=False, fused=None, grad_scale=None, found_inf=None, has_complex=False, "
     "decoupled_weight_decay=False, *, amsgrad, beta1, beta2, lr, weight_decay, eps, maximize",
     {"exp_avgs": "exp_avg", "exp_avg_sqs": "exp_avg_sq", "max_exp_avg_sqs": "max_exp_avg_sq", "state_steps": "step"}),
    ("adamax", Adamax, "params, grads, exp_avgs, exp_infs, state_steps, foreach=None, maximize=False, "
     "differentiable=False, capturable=False, has_complex=False, *, eps, beta1, beta2, lr, weight_decay",
     {"exp_avgs": "exp_avg", "exp_infs": "exp_inf", "state_steps": "step"}),
    ("adamw", AdamW, "params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, foreach=None, "
     "capturable=False, differentiable=False, fused=None, grad_scale=None, found_inf=None, has_complex=False, *, "
     "amsgrad, beta1, beta2, lr, weight_decay, eps, maximize",
     {"exp_avgs": "exp_avg", "exp_avg_sqs": "exp_avg_sq", "max_exp_avg_sqs": "max_exp_avg_sq", "state_steps": "step"}),
    ("asgd", ASGD, "params, grads, axs, mus, etas, state_steps, foreach=None, maximize=False, differentiable=False, "
     "capturable=False, has_complex=False, *, lambd, lr, t0, alpha, weight_decay",
     {"axs": "ax", "mus": "mu", "etas": "eta", "state_steps": "step"}),
    ("nadam", NAdam, "params, grads, exp_avgs, exp_avg_sqs, mu_products, state_steps, decoupled_weight_decay=False, "
     "foreach=None, capturable=False, differentiable=False, has_complex=False, maximize=False, *, beta1, beta2, lr, "
     "weight_decay, momentum_decay, eps",
     {"exp_avgs": "exp_avg", "exp_avg_sqs": "exp_avg_sq", "mu_products": "mu_product", "state_steps": "step"}),
    ("radam", RAdam, "params, grads, exp_avgs, exp_avg_sqs, state_steps, decoupled_weight_decay=False, foreach=None, "
     "differentiable=False, capturable=False, has_complex=False, maximize=False, *, beta1, beta2, lr, weight_decay, "
     "eps",
     {"exp_avgs": "exp_avg", "exp_avg_sqs": "exp_avg_sq", "state_steps": "step"}),
    ("rmsprop", RMSprop, "params, grads, square_avgs, grad_avgs, momentum_buffer_list, state_steps, foreach=None, "
     "maximize=False, differentiable=False, capturable=False, has_complex=False, *, lr, alpha, eps, weight_decay, "
     "momentum, centered", {"square_avgs": "square_avg", "grad_avgs": "grad_avg",
                            "momentum_buffer_list": "momentum_buffer", "state_steps": "step"}),
    ("rprop", Rprop, "params, grads, prevs, step_sizes, state_steps, foreach=None, capturable=False, maximize=False, "
     "differentiable=False, has_complex=False, *, step_size_min, step_size_max, etaminus, etaplus",
     {"prevs": "prev", "step_sizes": "step_size", "state_steps": "step"}),
    ("sgd", SGD, "params, d_p_list, momentum_buffer_list, has_sparse_grad=False, foreach=None, fused=None, "
     "grad_scale=None, found_inf=None, *, weight_decay, momentum, lr, dampening, nesterov, maximize",
     {"momentum_buffer_list": "momentum_buffer"}),
)
# Options of an optimizer that its function takes one by one.
PAIRS = {"betas": ("beta1", "beta2"), "etas": ("etaminus", "etaplus"), "step_sizes": ("step_size_min", "step_size_max"),
         "eps": ("eps1", "eps2")}
NO_STEPS = "API has changed, `state_steps` argument must contain a list of singleton tensors"


def functional(name: str, rule: type[Rule], parameters: str, entries: dict[str, str]) -> Callable[..., None]:
    """A step of an optimizer on lists, which are changed in place."""
    signature = inspect.signature(eval(f"lambda {parameters}: None"))

    def update(*args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        options = bound.arguments
        params, grads, *lists = (options.pop(of_all) for of_all in list(options)[:2 + len(entries)])
        columns = dict(zip(entries.values(), lists))
        if not all(isinstance(step, Tensor) for step in columns.get("step", ())):
            raise RuntimeError(NO_STEPS)
        for pair, (first, second) in PAIRS.items():
            if first in options:
                options[pair] = (options.pop(first), options.pop(second))
        states = [{entry: values[i] for entry, values in columns.items() if values and values[i] is not None}
                  for i in range(len(params))]
        optimizer = rule.__new__(rule)  # its rule alone: there are no groups, and nothing to remember
        optimizer.grad_scale, optimizer.found_inf = options.pop("grad_scale", None), options.pop("found_inf", None)
        optimizer._update({**rule.added, **_FIXED.get(name, {}), **options}, params, grads, states)
        for entry, values in columns.items():  # what the first step made
            values[:] = [state.get(entry, value) for state, value in zip(states, values)]

    update.__name__ = update.__qualname__ = name
    update.__doc__ = f"A step of {rule.__name__} on lists of tensors."
    update.__signature__ = signature
    return update


_FIXED = {"adamw": {"decoupled_weight_decay": True}}

for _name, _rule, _parameters, _entries in FORMS:
    globals()[_name] = functional(_name, _rule, _parameters, _entries)
    setattr(import_module(_rule.__module__), _name, globals()[_name])  # torch.optim.adam.adam
