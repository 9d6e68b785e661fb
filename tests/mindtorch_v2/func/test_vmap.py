"""vmap with derivatives, modules, custom Functions and threads; test_vmap_recorded.py compares it with PyTorch."""

from __future__ import annotations

import gc
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import nn
from mindtorch_v2._C import _functorch
from mindtorch_v2.core import modes
from mindtorch_v2.func import functional_call, grad, hessian, jacrev, stack_module_state, vmap
from mindtorch_v2.nn import functional


def close(ours, theirs):
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(1, 4, 3, padding=1), nn.GroupNorm(2, 4)
        self.second, self.out = nn.Conv2d(4, 6, 3, stride=2, groups=2), nn.Linear(6 * 4, 3)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.norm(self.first(x))), 2)
        return self.out(functional.relu(self.second(x)).flatten(1))


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.norm = nn.Embedding(9, 8), nn.LayerNorm(8)
        self.attention, self.out = nn.MultiheadAttention(8, 2, batch_first=True), nn.Linear(8, 3)

    def forward(self, x):
        words = self.table(x)
        return self.out(self.norm(words + self.attention(words, words, words, need_weights=False)[0]).mean(1))


class Series(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps, self.out = nn.GRU(3, 4, batch_first=True), nn.Linear(4, 3)

    def forward(self, x):
        return self.out(self.steps(x)[0][:, -1])


MODELS = {
    "perceptron": (lambda: nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 3)), lambda: torch.randn(4, 5)),
    "images": (Images, lambda: torch.randn(4, 1, 10, 10)),
    "words": (Words, lambda: torch.randint(0, 9, (4, 6))),
    "series": (Series, lambda: torch.randn(4, 5, 3)),
}


@pytest.mark.parametrize("name", MODELS)
def test_every_sample_has_the_gradients_it_has_alone(name):
    torch.manual_seed(0)
    model, inputs = MODELS[name][0](), MODELS[name][1]()
    targets = torch.tensor([0, 2, 1, 2])

    def loss(parameters, x, y):
        return functional.cross_entropy(functional_call(model, parameters, (x[None],)), y[None])

    parameters = {key: value.detach() for key, value in model.named_parameters()}
    ours = vmap(grad(loss), in_dims=(None, 0, 0))(parameters, inputs, targets)
    for at in range(4):
        alone = torch.autograd.grad(functional.cross_entropy(model(inputs[at:at + 1]), targets[at:at + 1]),
                                    tuple(model.parameters()))
        for value, expected in zip(ours.values(), alone):
            close(value[at], expected)


def test_an_ensemble_runs_as_one():
    torch.manual_seed(0)
    models = [nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2)) for _ in range(3)]
    x = torch.randn(5, 4)
    states = stack_module_state(models)
    ours = vmap(lambda state, x: functional_call(models[0], state, (x,)), in_dims=(0, None))(states, x)
    close(ours, torch.stack([model(x) for model in models]))


def test_a_captured_weight_gets_the_gradients_of_all_members():
    x, w = torch.randn(3, 4), torch.randn(4, requires_grad=True)
    vmap(lambda a: (a * w).sum())(x).sum().backward()
    close(w.grad, x.sum(0))


def test_gradients_flow_to_inputs_and_their_views():
    x = torch.randn(3, 4, requires_grad=True)
    (out,) = torch.autograd.grad(vmap(lambda a: a[1:].exp().prod(), in_dims=1)(x).sum(), x)
    expected = torch.cat([torch.zeros(1, 4), x[1:].exp().prod(0).expand(2, 4)])
    close(out, expected)


def test_a_gradient_inside_of_a_batch_has_a_gradient_outside():
    x, w = torch.randn(3, 4), torch.randn(4, requires_grad=True)
    inner = vmap(grad(lambda a: ((a * w) ** 3).sum()))(x)
    close(inner, 3 * (x * w) ** 2 * w)
    (outer,) = torch.autograd.grad(inner.sum(), w)
    close(outer, (9 * (x * w) ** 2).sum(0))


def test_jacobians_and_hessians_of_batches():
    matrix, x = torch.randn(3, 3), torch.randn(4, 3)
    jacobians = vmap(jacrev(lambda a: torch.tanh(matrix @ a)))(x)
    close(jacobians, (1 - torch.tanh(x @ matrix.t()) ** 2)[:, :, None] * matrix)
    close(vmap(hessian(lambda a: (a ** 3).sum()))(x), torch.diag_embed(6 * x))


def test_a_batch_of_gradients_goes_back_in_one_pass():
    x, w = torch.randn(3, requires_grad=True), torch.randn(2, 3, requires_grad=True)
    y = torch.tanh(w @ x)
    starts = torch.randn(5, 2)
    calls = []
    y.grad_fn.register_hook(lambda *given: calls.append(given))
    ours = torch.autograd.grad(y, (x, w), starts, is_grads_batched=True, retain_graph=True)
    assert len(calls) == 1
    rows = [torch.autograd.grad(y, (x, w), start, retain_graph=True) for start in starts]
    for value, column in zip(ours, zip(*rows)):
        close(value, torch.stack(column))


def test_unused_inputs_of_a_batch_of_gradients_stay_none():
    x, y = torch.randn(2, requires_grad=True), torch.randn(2, requires_grad=True)
    found = torch.autograd.grad(x * 2, (x, y), torch.eye(2), is_grads_batched=True, allow_unused=True)
    assert found[1] is None
    close(found[0], 2 * torch.eye(2))


def test_vectorized_jacobians_equal_those_row_by_row():
    x, y = torch.randn(2, 3), torch.randn(3)

    def function(x, y):
        return (x * y).exp().sum(1), x.sum() * y, torch.ones(2)

    ours = torch.autograd.functional.jacobian(function, (x, y), vectorize=True)
    for row, expected in zip(ours, torch.autograd.functional.jacobian(function, (x, y))):
        for value, one in zip(row, expected):
            close(value, one)


class Cube(torch.autograd.Function):
    """x³w, with the derivative written out."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, w):
        return x ** 3 * w, x.sum() > 0

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.mark_non_differentiable(output[1])
        ctx.shape = inputs[0].shape

    @staticmethod
    def backward(ctx, grad, _):
        x, w = ctx.saved_tensors
        assert ctx.shape == x.shape  # that of a member, not of the batch
        return 3 * grad * x ** 2 * w, grad * x ** 3


def test_a_generated_rule_of_a_function_goes_forward_and_back():
    x, w = torch.randn(3, 4, requires_grad=True), torch.randn(4, requires_grad=True)
    value, sign = vmap(Cube.apply, in_dims=(0, None))(x, w)
    close(value, x ** 3 * w)
    assert sign.tolist() == (x.sum(1) > 0).tolist()
    ours = torch.autograd.grad(value.sum(), (x, w))
    close(ours, (3 * x ** 2 * w, (x ** 3).sum(0)))


def test_a_generated_rule_in_two_levels_and_inside_of_grad():
    x, w = torch.randn(2, 3, 4), torch.randn(4)
    nested = vmap(vmap(lambda a: Cube.apply(a, w)[0], in_dims=1), in_dims=0)(x.transpose(1, 2))
    close(nested, x ** 3 * w)
    close(vmap(grad(lambda a: Cube.apply(a, w)[0].sum()))(x[0]), 3 * x[0] ** 2 * w)


def test_a_function_is_asked_for_its_own_rule():
    seen = []

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(x, factor):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor, None

        @staticmethod
        def vmap(info, in_dims, x, factor):
            seen.append((info.batch_size, info.randomness, in_dims))
            return Doubled.apply(x, factor), in_dims[0]

    x = torch.randn(4, 3, requires_grad=True)
    out = vmap(Doubled.apply, in_dims=(1, None), randomness="same")(x, 2.0)
    close(out, 2 * x.t())
    assert seen == [(3, "same", (1, None))]
    close(torch.autograd.grad(out.sum(), x)[0], torch.full((4, 3), 2.0))


def test_batched_tensors_can_be_taken_apart():
    seen = []

    def look(a):
        seen.extend([_functorch.is_batchedtensor(a), _functorch.maybe_get_bdim(a), _functorch.maybe_get_level(a),
                     _functorch.get_unwrapped(a) is x, _functorch.maybe_current_level()])
        return a

    x = torch.randn(2, 3)
    vmap(look, in_dims=1)(x)
    assert seen == [True, 1, 1, True, 1]
    assert not _functorch.is_batchedtensor(x) and _functorch.maybe_current_level() is None


def test_nothing_is_left_behind():
    gc.collect()  # what other tests left in circles
    x = torch.randn(3)
    vmap(torch.sin)(x)
    with pytest.raises(RuntimeError, match="item"):
        vmap(lambda a: a.item())(x)
    assert _functorch.maybe_current_level() is None
    assert not modes.are_kinds_used()


def test_threads_have_levels_of_their_own():
    seen, meet = [], threading.Barrier(2)

    def work(size):
        def member(a):
            meet.wait(10)
            return a + torch.rand(())
        seen.append(vmap(member, randomness="different")(torch.zeros(size)).shape)

    threads = [threading.Thread(target=work, args=(size,)) for size in (2, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [torch.Size([2]), torch.Size([5])]


def test_autocast_and_no_grad_hold_inside():
    x, w = torch.randn(3, 4), torch.randn(4, 4, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert vmap(lambda a: a @ w)(x).dtype is torch.bfloat16
    with torch.no_grad():
        assert not vmap(lambda a: a @ w)(x).requires_grad


def test_running_statistics_of_each_member_are_updated():
    x, means, variances = torch.randn(3, 5, 2), torch.zeros(3, 2), torch.ones(3, 2)
    out = vmap(lambda a, m, v: functional.batch_norm(a, m, v, training=True))(x, means, variances)
    for at in range(3):
        mean, variance = torch.zeros(2), torch.ones(2)
        close(out[at], functional.batch_norm(x[at], mean, variance, training=True))
        close((means[at], variances[at]), (mean, variance))
