"""Schedules set the learning rates that PyTorch's set, epoch by epoch."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.optim import SGD, Adagrad, lr_scheduler
from mindtorch_v2.optim.lr_scheduler import (
    ChainedScheduler,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    LRScheduler,
    MultiplicativeLR,
    OneCycleLR,
    ReduceLROnPlateau,
    SequentialLR,
    StepLR,
)

from . import cases

SCHEDULES = json.loads(gzip.open(Path(__file__).parents[1] / "data" / "optim.json.gz").read())["schedules"]


def sgd(n: int = 1, **options) -> SGD:
    return SGD([{"params": [torch.zeros(1, requires_grad=True)]} for _ in range(n)], **{"lr": 0.1, **options})


def after(scheduler, epochs: int) -> list[float]:
    for _ in range(epochs):
        scheduler.optimizer.step()
        scheduler.step()
    return scheduler.get_last_lr()


@pytest.mark.parametrize("code", SCHEDULES)
def test_rates_and_momenta_equal_torch(code):
    assert cases.schedule(torch, code) == [pytest.approx(row, rel=1e-12, abs=1e-15) for row in SCHEDULES[code]]


@pytest.mark.parametrize("code", [code for code in SCHEDULES if "lambda" not in code and "Plateau" not in code])
def test_a_reloaded_schedule_goes_on(code):
    made = []
    for _ in range(2):
        opt = sgd(2, momentum=0.9)
        made.append(eval(code, {"opt": opt, **vars(lr_scheduler)}))
    whole, second = made
    after(whole, 5)
    second.load_state_dict(json.loads(json.dumps(whole.state_dict()), object_hook=_counted))
    for mine, theirs in zip(second.optimizer.param_groups, whole.optimizer.param_groups):
        mine.update({key: value for key, value in theirs.items() if key != "params"})
    assert after(second, 4) == after(whole, 4)


def _counted(found: dict) -> dict:
    """JSON turns the milestones' numbers into text."""
    return {int(key) if key.isdigit() else key: value for key, value in found.items()}


def test_closed_form_is_used_when_an_epoch_is_given():
    scheduler = StepLR(sgd(), 2)
    scheduler.optimizer.step()
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step\\(\\)` was not necessary"):
        scheduler.step(5)
    assert scheduler.get_last_lr() == [pytest.approx(0.001)]


def test_scheduler_before_optimiser_is_warned_of():
    with pytest.warns(UserWarning, match="Detected call of `lr_scheduler.step\\(\\)` before `optimizer.step\\(\\)`"):
        StepLR(sgd(), 2).step()


def test_the_right_order_is_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        after(StepLR(sgd(), 2), 3)


def test_a_step_overridden_later_is_warned_of():
    scheduler = StepLR(sgd(), 2)
    scheduler.optimizer.step = lambda: None
    with pytest.warns(UserWarning, match="Seems like `optimizer.step\\(\\)` has been overridden"):
        scheduler.step()


def test_asking_for_the_rate_outside_a_step_is_warned_of():
    with pytest.warns(UserWarning, match="please use `get_last_lr\\(\\)`"):
        assert StepLR(sgd(), 2).get_lr() == [0.1]


def test_a_rate_that_is_a_tensor_stays_the_same_tensor():
    lr = torch.tensor(0.1)
    scheduler = ExponentialLR(sgd(lr=lr), 0.5)
    last = after(scheduler, 2)
    assert lr.item() == pytest.approx(0.025) and last[0] is not lr and last[0].item() == pytest.approx(0.025)


def test_a_schedule_of_ones_own():
    class Halving(LRScheduler):
        def get_lr(self):
            return [group["lr"] * 0.5 for group in self.optimizer.param_groups]

    assert after(Halving(sgd()), 2) == [0.0125]


def test_callable_objects_are_saved_by_their_attributes():
    class Power:
        def __init__(self, base):
            self.base = base

        def __call__(self, epoch):
            return self.base**epoch

    saved = LambdaLR(sgd(), Power(0.5)).state_dict()
    assert saved["lr_lambdas"] == [{"base": 0.5}]
    scheduler = LambdaLR(sgd(), Power(0.9))
    scheduler.load_state_dict(saved)
    assert after(scheduler, 1) == [0.05]


def test_restarts_may_be_asked_for_between_epochs():
    scheduler = CosineAnnealingWarmRestarts(sgd(), 2, T_mult=2)
    scheduler.step(7.5)
    assert (scheduler.T_cur, scheduler.T_i, scheduler.last_epoch) == (1.5, 8, 7)


def test_resuming_needs_the_initial_rate():
    with pytest.raises(KeyError, match="param 'initial_lr' is not specified in param_groups\\[0\\]"):
        StepLR(sgd(), 2, last_epoch=3)


@pytest.mark.parametrize("make, error, text", [
    (lambda: StepLR(3, 2), TypeError, "int is not an Optimizer"),
    (lambda: LRScheduler(sgd()), NotImplementedError, ""),
    (lambda: LambdaLR(sgd(2), [len]), ValueError, "Expected 2 lr_lambdas, but got 1"),
    (lambda: LinearLR(sgd(), start_factor=0), ValueError,
     "Starting multiplicative factor expected to be greater than 0 and less or equal to 1."),
    (lambda: CosineAnnealingWarmRestarts(sgd(), 1.5), ValueError, "Expected positive integer T_0, but got 1.5"),
    (lambda: SequentialLR(sgd(), [], []), ValueError,
     "SequentialLR expects at least one scheduler, but got no scheduler."),
    (lambda: ChainedScheduler([]), ValueError,
     "ChainedScheduler expects at least one scheduler to be chained, but got no scheduler."),
    (lambda: CyclicLR(Adagrad([torch.zeros(1, requires_grad=True)]), 0.1, 0.2), ValueError,
     "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"),
    (lambda: CyclicLR(sgd(2, momentum=0.9), [0.1], 0.2), ValueError, "base_lr must have the same length as "
     "optimizer.param_groups. base_lr has 1 values, param_groups has 2."),
    (lambda: OneCycleLR(sgd(momentum=0.9), 0.1), ValueError,
     "You must define either total_steps OR (epochs AND steps_per_epoch)"),
    (lambda: after(OneCycleLR(sgd(momentum=0.9), 0.1, total_steps=3), 5), ValueError,
     "Tried to step 4 times. The specified number of total steps is 3"),
    (lambda: ReduceLROnPlateau(sgd(), factor=1.0), ValueError, "Factor should be < 1.0."),
    (lambda: ReduceLROnPlateau(sgd(), mode="x"), ValueError, "mode x is unknown!"),
    (lambda: ReduceLROnPlateau(sgd(2), min_lr=[1]), ValueError, "expected 2 min_lrs, got 1"),
])
def test_misuse_is_refused_in_torchs_words(make, error, text):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == text


def test_plateau_cannot_be_part_of_a_sequence():
    opt = sgd()
    with pytest.raises(ValueError, match="SequentialLR does not support `ReduceLROnPlateau` scheduler"):
        SequentialLR(opt, [StepLR(opt, 1), ReduceLROnPlateau(opt)], [1])


def test_a_restart_counts_from_wherever_it_is():
    schedule = CosineAnnealingWarmRestarts(sgd(), T_0=4)
    schedule.T_cur = 8
    schedule.step()
    assert schedule.T_cur == 1


def test_a_sequence_begins_with_the_schedule_whose_turn_it_is():
    opt = sgd(lr=1.0)
    schedules = [LinearLR(opt, factor, factor, 10) for factor in (0.1, 0.2, 0.3, 0.4)]
    sequence = SequentialLR(opt, schedules, milestones=[0, 0, 1])
    assert sequence.get_last_lr() == [pytest.approx(0.3)]
    assert after(sequence, 1) == [pytest.approx(0.4)]


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="lr_lambda should be a function, but got float"):
        MultiplicativeLR(sgd(), [0.9])


def test_tensors_that_change_later_change_no_schedule():
    low, high, momentum = torch.tensor(0.1), torch.tensor(0.2), torch.tensor(0.9)
    schedule = CyclicLR(sgd(momentum=0.9), low, high, max_momentum=momentum)
    for t in (low, high, momentum):
        t.mul_(0.5)
    group = schedule.optimizer.param_groups[0]
    assert [t.item() for t in (schedule.max_lrs[0], group["max_momentum"])] == pytest.approx([0.2, 0.9])


def test_the_shape_of_cycles_comes_back_with_a_state():
    saved = CyclicLR(sgd(momentum=0.9), 0.1, 0.2, mode="triangular2").state_dict()
    assert "_scale_fn_ref" not in saved
    other = CyclicLR(sgd(momentum=0.9), 0.1, 0.2)
    other.load_state_dict(saved)
    assert other.scale_fn(2) == 0.5


def test_old_states_of_one_cycle_have_the_function_itself():
    schedule = OneCycleLR(sgd(momentum=0.9), 0.5, total_steps=10)
    expected = OneCycleLR(sgd(momentum=0.9), 0.5, total_steps=10)
    del schedule._anneal_func_type
    schedule.load_state_dict({**schedule.state_dict(), "anneal_func": OneCycleLR._annealing_cos})
    assert after(schedule, 3) == after(expected, 3)
