"""Optimisers do what PyTorch's do: same weights, same state, same rows; and are as easy to save, hook and misuse."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import optim
from mindtorch_v2.record import recorder

from .optim import cases

FACTS = json.loads(gzip.open(Path(__file__).parent / "data" / "optim.json.gz").read())
RECORDED, DIFFERENTIABLE, LBFGS = FACTS["optimisers"], FACTS["differentiable"], FACTS["lbfgs"]


def parameter(*shape: int) -> torch.Tensor:
    return torch.zeros(*(shape or (2,)), requires_grad=True)


def with_gradient(*shape: int) -> torch.Tensor:
    made = parameter(*shape)
    made.grad = torch.ones(*(shape or (2,)))
    return made


def names(run) -> list[str]:
    """Names of the rows recorded while ``run()`` runs."""
    window = recorder.Window(1).open()
    run()
    recording = window.close()
    return [recording.names[row["name"]][0] for thread in recording.threads for row in thread.rows]


def shape(given) -> list | None:
    """The shape of a recorded tensor, or the shapes of a list of them."""
    if isinstance(given, tuple) and len(given) == 3 and isinstance(given[0], tuple):
        return list(given[0])
    if isinstance(given, tuple) and given[:1] == ("[]",):
        return [s for s in map(shape, given[1:]) if s is not None] or None
    return None


def rows(recording) -> list[str]:
    """The rows directly under the step, with the shapes of their tensors."""
    (thread,) = recording.threads
    found = []
    for row, parent in zip(thread.rows, thread.parents()):
        if parent == 0:
            name = recording.names[row["name"]][0]
            shapes = [s for s in map(shape, recording.inputs[row["inputs"]]) if s is not None]
            if name == "aten::index_put_":  # torch's trees leave out lists of tensors that may be missing
                del shapes[1]
            found.append(f"{name} {json.dumps(shapes)}")
    return found


def close(ours, theirs, dtype: str = "") -> None:
    # float64 is no better than the float32 of step counts and of ASGD's step size.
    rtol, atol = {"bfloat16": (2e-2, 1e-7), "float64": (2e-7, 1e-8)}.get(dtype, (2e-6, 1e-7))
    for mine, recorded in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, recorded, rtol=rtol, atol=atol)


class TestAgainstRecordedSteps:
    @pytest.mark.parametrize("code", RECORDED)
    def test_weights_and_state_equal_torch(self, code):
        dtype = code.rpartition(":")[0]
        ours, theirs = cases.optimise(torch, code), RECORDED[code]
        close(ours["params"], theirs["params"], dtype)
        close(ours["grads"], theirs["grads"], dtype)
        assert ours["state"].keys() == theirs["state"].keys()
        for key, state in theirs["state"].items():
            assert list(ours["state"][key]) == list(state)
            close(ours["state"][key].values(), state.values(), dtype)

    # Of complex Adagrad torch makes two more views at the end, which nobody looks at.
    @pytest.mark.parametrize("code", [code for code in RECORDED if code != "complex64:Adagrad(params)"])
    def test_rows_of_first_and_last_step_equal_torch(self, code):
        shown = []

        @contextmanager
        def watch():
            window = recorder.Window(recorder.CALLS | recorder.INPUTS).open()
            yield
            shown.append(rows(window.close()))

        cases.optimise(torch, code, watch)
        assert [shown[0], shown[-1]] == RECORDED[code]["rows"]

    @pytest.mark.parametrize("code", LBFGS)
    def test_losses_and_evaluations_of_lbfgs_equal_torch(self, code):
        ours, theirs = cases.minimise(torch, code), LBFGS[code]
        assert [ours[name] for name in ("func_evals", "n_iter", "keys")] \
            == [theirs[name] for name in ("func_evals", "n_iter", "keys")]
        np.testing.assert_allclose(ours["losses"], theirs["losses"], rtol=2e-5)
        for mine, recorded in zip(ours["params"], theirs["params"], strict=True):
            np.testing.assert_allclose(mine, recorded, rtol=1e-3, atol=2e-4)

    @pytest.mark.parametrize("code", LBFGS)
    def test_rows_of_lbfgs_equal_torch(self, code):
        shown = []

        @contextmanager
        def watch():
            window = recorder.Window(recorder.CALLS | recorder.INPUTS).open()
            yield
            shown.append(rows(window.close()))

        cases.minimise(torch, code, watch)
        assert [shown[0], shown[-1]] == LBFGS[code]["rows"]

    @pytest.mark.parametrize("code", DIFFERENTIABLE)
    def test_gradients_through_steps_equal_torch(self, code):
        theirs = DIFFERENTIABLE[code]
        ours = cases.differentiate(torch, code, theirs["steps"])
        close(ours["params"], theirs["params"])
        for mine, recorded in zip(ours["grads"], theirs["grads"]):
            np.testing.assert_allclose(mine, recorded, rtol=1e-4, atol=1e-6)
        assert (ours["knob"] is None) == (theirs["knob"] is None)
        if theirs["knob"] is not None:
            assert ours["knob"] == pytest.approx(theirs["knob"], rel=1e-4)


class TestGroups:
    def test_options_of_a_group_win_over_defaults(self):
        opt = optim.SGD([{"params": [with_gradient()], "lr": 0.5}, {"params": [with_gradient()]}], lr=0.1)
        opt.step()
        assert [g["params"][0].tolist() for g in opt.param_groups] == [[-0.5, -0.5], pytest.approx([-0.1, -0.1])]

    def test_added_group_takes_defaults_and_keeps_its_own(self):
        opt = optim.SGD([parameter()], lr=0.1)
        opt.add_param_group({"params": parameter(), "lr": 5, "mine": 1})
        assert {k: opt.param_groups[1][k] for k in ("lr", "mine", "momentum")} == {"lr": 5, "mine": 1, "momentum": 0}

    def test_parameters_without_gradient_are_left_alone(self):
        still, moved = parameter(), with_gradient()
        opt = optim.Adam([still, moved])
        opt.step()
        assert still.tolist() == [0, 0] and still not in opt.state and moved in opt.state

    @pytest.mark.parametrize("make, error, text", [
        (lambda: optim.SGD(torch.zeros(2)), TypeError, "params argument given to the optimizer should be an iterable "
         "of Tensors or dicts, but got torch.FloatTensor"),
        (lambda: optim.SGD([]), ValueError, "optimizer got an empty parameter list"),
        (lambda: optim.SGD([1]), TypeError, "optimizer can only optimize Tensors, but one of the params is int"),
        (lambda: optim.SGD([parameter() * 2]), ValueError, "can't optimize a non-leaf Tensor"),
        (lambda: optim.SGD([{"params": {parameter()}}]), TypeError, "optimizer parameters need to be "
         "organized in ordered collections, but the ordering of tensors in sets will change between runs. Please "
         "use a list instead."),
        (lambda: optim.SGD([parameter()]).add_param_group([1]), TypeError,
         "param_group must be a dict, but got <class 'list'>"),
        (lambda: optim.SGD([("a", parameter()), parameter()]), ValueError,
         "all optimizer params should be with/without names. Some param names are missing"),
        (lambda: optim.Optimizer([parameter()], {"lr": optim.optimizer.required}), ValueError,
         "parameter group didn't specify a value of required optimization parameter lr"),
        (lambda: optim.SGD([parameter()], lr=-1), ValueError, "Invalid learning rate: -1"),
        (lambda: optim.SGD([parameter()], nesterov=True), ValueError,
         "Nesterov momentum requires a momentum and zero dampening"),
        (lambda: optim.Adam([parameter()], betas=(0.9, 1)), ValueError, "Invalid beta parameter at index 1: 1"),
        (lambda: optim.Adam([parameter()], lr=torch.tensor(0.1), foreach=True), ValueError,
         "lr as a Tensor is not supported for capturable=False and foreach=True"),
        (lambda: optim.SGD([parameter()], lr=torch.zeros(2)), ValueError, "Tensor lr must be 1-element"),
        (lambda: optim.Adam([parameter()], fused=True, foreach=True), RuntimeError,
         "`fused` and `foreach` cannot be `True` together."),
        (lambda: optim.Adam([parameter()], fused=True, differentiable=True), RuntimeError,
         "`fused` does not support `differentiable`"),
        (lambda: optim.Adam([with_gradient()], capturable=True).step(), AssertionError, "If capturable=True, params "
         "and state_steps must be on supported devices: ['cuda', 'xpu', 'hpu', 'privateuseone', 'xla']."),
        (lambda: optim.Adam([with_gradient()], foreach=True, differentiable=True).step(), AssertionError,
         "_foreach ops don't support autograd"),
    ])
    def test_misuse_is_refused_in_torchs_words(self, make, error, text):
        with pytest.raises(error) as caught:
            make()
        assert str(caught.value) == text

    def test_a_parameter_in_two_groups_is_refused(self):
        p = parameter()
        with pytest.raises(ValueError, match="some parameters appear in more than one parameter group"):
            optim.SGD([{"params": [p]}, {"params": [p]}])

    def test_a_parameter_twice_in_a_group_is_warned_of(self):
        p = parameter()
        with pytest.warns(UserWarning, match="duplicate parameters"):
            optim.SGD([p, p])

    def test_text_lists_options_of_each_group(self):
        assert str(optim.ASGD([("w", parameter())])) == (
            "ASGD (\nParameter Group 0\n    alpha: 0.75\n    capturable: False\n    differentiable: False\n"
            "    foreach: None\n    lambd: 0.0001\n    lr: 0.01\n    maximize: False\n    param_names: ['w']\n"
            "    t0: 1000000.0\n    weight_decay: 0\n)")


class TestZeroGrad:
    def test_gradients_are_forgotten(self):
        p = with_gradient()
        optim.SGD([p]).zero_grad()
        assert p.grad is None

    @pytest.mark.parametrize("foreach, rows_shown", [
        (False, ["aten::zero_"]),
        (True, ["aten::_foreach_zero_", "aten::zero_"]),
    ])
    def test_or_filled_with_zeros_in_place(self, foreach, rows_shown):
        p = with_gradient()
        grad, opt = p.grad, optim.SGD([p], foreach=foreach)
        assert names(lambda: opt.zero_grad(set_to_none=False)) == ["Optimizer.zero_grad#SGD.zero_grad", *rows_shown]
        assert p.grad is grad and grad.tolist() == [0, 0]


class TestStep:
    def test_closure_computes_the_loss_with_gradients(self):
        p = torch.tensor([3.0], requires_grad=True)
        opt = optim.SGD([p], lr=0.5)

        def closure():
            loss = (p * p).sum()
            loss.backward()
            return loss.item()

        assert opt.step(closure) == 9.0
        assert p.tolist() == [0.0]

    def test_step_is_not_differentiated(self):
        p = with_gradient()
        optim.SGD([p]).step()
        assert p.is_leaf and p.grad_fn is None

    def test_base_class_has_no_step(self):
        with pytest.raises(NotImplementedError):
            optim.Optimizer([parameter()], {}).step()


class TestHooks:
    def test_order_around_a_step(self):
        seen, opt = [], optim.SGD([with_gradient()])
        handles = [
            optim.optimizer.register_optimizer_step_pre_hook(lambda o, a, k: seen.append("all before")),
            optim.optimizer.register_optimizer_step_post_hook(lambda o, a, k: seen.append("all after")),
            opt.register_step_pre_hook(lambda o, a, k: seen.append("before")),
            opt.register_step_post_hook(lambda o, a, k: seen.append("after")),
        ]
        opt.step()
        assert seen == ["all before", "before", "after", "all after"]
        for handle in handles:
            handle.remove()
        opt.step()
        assert len(seen) == 4

    def test_pre_hook_may_replace_arguments(self):
        opt = optim.SGD([with_gradient()])
        opt.register_step_pre_hook(lambda o, args, kwargs: ((o, lambda: 7), {}))
        assert opt.step() == 7

    def test_pre_hook_that_returns_something_else_is_refused(self):
        opt = optim.SGD([with_gradient()])
        opt.register_step_pre_hook(lambda o, args, kwargs: 3)
        with pytest.raises(RuntimeError, match=r"must return None or a tuple of \(new_args, new_kwargs\), but got 3."):
            opt.step()

    def test_state_dict_hooks_may_replace_it(self):
        opt = optim.SGD([parameter()], lr=0.1)
        opt.register_state_dict_post_hook(lambda o, packed: {**packed, "more": 1})
        assert opt.state_dict()["more"] == 1
        opt.register_load_state_dict_pre_hook(
            lambda o, packed: {**packed, "param_groups": [{**packed["param_groups"][0], "lr": 5}]})
        opt.load_state_dict(opt.state_dict())
        assert opt.param_groups[0]["lr"] == 5

    def test_prepended_hook_comes_first(self):
        seen, opt = [], optim.SGD([parameter()])
        opt.register_state_dict_pre_hook(lambda o: seen.append(1))
        opt.register_state_dict_pre_hook(lambda o: seen.append(2), prepend=True)
        opt.state_dict()
        assert seen == [2, 1]


class Mine(optim.SGD):
    """A user's optimiser, at module level so that it can be pickled."""


class TestProfile:
    def test_ranges_carry_the_subclass_name(self):
        opt = Mine([with_gradient()])
        assert names(opt.step)[0] == "Optimizer.step#Mine.step"
        assert names(opt.zero_grad) == ["Optimizer.zero_grad#Mine.zero_grad"]

    def test_a_step_of_ones_own_gets_a_range(self):
        class Own(optim.Optimizer):
            def __init__(self, params):
                super().__init__(params, {})

            def step(self, closure=None):
                return "done"

        opt = Own([parameter()])
        assert names(lambda: opt.step()) == ["Optimizer.step#Own.step"] and opt.step() == "done"

    @pytest.mark.parametrize("again", [lambda o: pickle.loads(pickle.dumps(o)), copy.deepcopy])
    def test_ranges_and_hooks_survive_pickling_and_copying(self, again):
        opt = again(Mine([with_gradient()], lr=0.5))
        seen = []
        opt.register_step_post_hook(lambda o, a, k: seen.append(1))
        assert names(opt.step)[0] == "Optimizer.step#Mine.step" and seen == [1]
        assert opt.param_groups[0]["lr"] == 0.5
