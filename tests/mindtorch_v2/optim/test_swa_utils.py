"""Averaged models and their schedule; the numbers are PyTorch's."""

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.optim.swa_utils import (
    SWALR,
    AveragedModel,
    get_ema_avg_fn,
    get_ema_multi_avg_fn,
    get_swa_avg_fn,
    get_swa_multi_avg_fn,
    update_bn,
)


def model():
    made = torch.nn.Linear(2, 1)
    with torch.no_grad():
        made.weight.copy_(torch.tensor([[1.0, 2.0]]))
        made.bias.zero_()
    made.register_buffer("seen", torch.ones(2))
    return made


def optimizer():
    return torch.optim.SGD([{"params": [torch.zeros(1, requires_grad=True)], "lr": lr} for lr in (0.1, 0.5)], lr=0.1)


@pytest.mark.parametrize(("options", "weights"), [
    ({}, [2.0, 3.0]),
    ({"avg_fn": get_swa_avg_fn()}, [2.0, 3.0]),
    ({"multi_avg_fn": get_swa_multi_avg_fn()}, [2.0, 3.0]),
    ({"avg_fn": get_ema_avg_fn(0.9)}, [1.29, 2.29]),
    ({"multi_avg_fn": get_ema_multi_avg_fn(0.9)}, [1.29, 2.29]),
    ({"avg_fn": lambda average, current, n: average + current + n}, [9.0, 12.0]),
])
def test_weights_are_averaged_as_the_function_says(options, weights):
    trained = model()
    averaged = AveragedModel(trained, **options)
    for _ in range(3):
        averaged.update_parameters(trained)
        with torch.no_grad():
            trained.weight.add_(1)
    assert averaged.module.weight.flatten().tolist() == pytest.approx(weights)
    assert averaged.n_averaged.item() == 3


def test_buffers_are_copied_or_averaged():
    for use_buffers, seen in ((False, 2.0), (True, 1.5)):
        trained = model()
        averaged = AveragedModel(trained, use_buffers=use_buffers)
        averaged.update_parameters(trained)
        trained.seen.add_(1)
        averaged.update_parameters(trained)
        assert averaged.module.seen.tolist() == [seen, seen]


def test_an_averaged_model_is_saved_with_its_count():
    averaged = AveragedModel(model())
    averaged.update_parameters(model())
    assert list(averaged.state_dict()) == ["n_averaged", "module.weight", "module.bias", "module.seen"]
    assert torch.equal(averaged(torch.ones(1, 2)), torch.tensor([[3.0]]))


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: AveragedModel(model(), avg_fn=get_swa_avg_fn(), multi_avg_fn=get_swa_multi_avg_fn()), AssertionError,
     "Only one of avg_fn and multi_avg_fn should be provided"),
    (lambda: get_ema_avg_fn(2), ValueError, "Invalid decay value 2 provided"),
    (lambda: get_ema_multi_avg_fn(-1), ValueError, "Invalid decay value -1 provided"),
    (lambda: SWALR(optimizer(), [0.1]), ValueError, "swa_lr has 1 values, param_groups has 2"),
    (lambda: SWALR(optimizer(), 0.1, anneal_strategy="x"), ValueError,
     "must be one of 'cos' or 'linear', instead got x"),
    (lambda: SWALR(optimizer(), 0.1, anneal_epochs=-1), ValueError, "must be equal or greater than 0, got -1"),
])
def test_wrong_options_are_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize(("options", "rates"), [
    (dict(swa_lr=0.05, anneal_epochs=4), [[0.092678, 0.434099], [0.075, 0.275], [0.057322, 0.115901], [0.05, 0.05],
                                          [0.05, 0.05]]),
    (dict(swa_lr=[0.05, 0.2], anneal_epochs=3, anneal_strategy="linear"),
     [[0.083333, 0.4], [0.066667, 0.3], [0.05, 0.2], [0.05, 0.2], [0.05, 0.2]]),
    (dict(swa_lr=0.05, anneal_epochs=0), [[0.05, 0.05]] * 5),
])
def test_learning_rates_lead_to_that_of_the_average(options, rates):
    opt = optimizer()
    schedule = SWALR(opt, **options)
    for expected in rates:
        opt.step()
        schedule.step()
        assert [group["lr"] for group in opt.param_groups] == pytest.approx(expected, abs=1e-6)


def test_running_statistics_are_those_of_all_batches():
    class Mean(torch.nn.Module):
        """A layer with running statistics, as far as update_bn looks at one."""

        momentum = 0.1

        def reset_running_stats(self):
            self.sum = self.batches = 0

        def forward(self, x):
            assert self.momentum is None and self.training
            self.sum, self.batches = self.sum + x.mean().item(), self.batches + 1

    layer = Mean().eval()
    update_bn([(torch.ones(2), "label"), (torch.full((2,), 3.0), "label")], layer)
    assert (layer.sum / layer.batches, layer.momentum, layer.training) == (2.0, 0.1, False)
