"""torch.utils.checkpoint: gradients as without it, from values that were computed again."""

import contextlib
import functools
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.utils.checkpoint import (
    CheckpointError,
    CheckpointPolicy,
    GraphExecGroup,
    checkpoint,
    checkpoint_sequential,
    create_selective_checkpoint_contexts,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)


def counted(function):
    """The function, and how often it was called."""
    calls = [0]

    @functools.wraps(function)
    def call(*args, **kwargs):
        calls[0] += 1
        return function(*args, **kwargs)

    return call, calls


def first_then(first, again):
    """A function that does something else from the second call on."""
    calls = [0]

    def call(x):
        calls[0] += 1
        return first(x) if calls[0] == 1 else again(x)

    return call


def leaf(*values):
    return torch.tensor(values or (0.5,), requires_grad=True)


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_gradients_are_those_of_the_plain_call(use_reentrant):
    function, calls = counted(lambda x: x.sin().exp().sin())
    x, plain = leaf(0.5, -1.0), leaf(0.5, -1.0)
    checkpoint(function, x, use_reentrant=use_reentrant).sum().backward()
    plain.sin().exp().sin().sum().backward()
    assert torch.equal(x.grad, plain.grad) and calls[0] == 2


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_random_numbers_are_drawn_again(use_reentrant):
    drawn = []

    def noisy(x):
        drawn.append(torch.rand(3))
        return (x * drawn[-1]).exp()

    x = torch.ones(3, requires_grad=True)
    result = checkpoint(noisy, x, use_reentrant=use_reentrant)
    before = torch.get_rng_state()
    result.sum().backward()
    assert len(drawn) == 2 and torch.equal(*drawn)
    assert torch.equal(torch.get_rng_state(), before)


def test_numbers_of_its_own_are_drawn_where_the_state_is_not_kept():
    x = torch.ones(3, requires_grad=True)
    result = checkpoint(lambda x: (x * torch.rand(3)).exp(), x, use_reentrant=False, preserve_rng_state=False)
    before = torch.get_rng_state()
    result.sum().backward()
    assert not torch.equal(torch.get_rng_state(), before)


def test_a_checkpoint_in_a_checkpoint_is_differentiated_twice():
    def inner(x):
        return x.sin().exp()

    def outer(x):
        return checkpoint(inner, x.cos(), use_reentrant=False).sin()

    def second(function):
        x = leaf(0.3)
        (g,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
        return torch.autograd.grad(g.sum(), x)[0]

    expected = second(lambda x: inner(x.cos()).sin())
    assert torch.allclose(second(lambda x: checkpoint(outer, x, use_reentrant=False)), expected)


def test_what_saves_nothing_is_not_run_again_unless_early_stop_is_off():
    tail, calls = counted(lambda x: x.clone())

    def function(x):
        return tail(x.sin().cos())

    checkpoint(function, leaf(), use_reentrant=False).backward()
    assert calls[0] == 1
    checkpoint(function, leaf(), use_reentrant=False, early_stop=False).backward()
    assert calls[0] == 3
    with set_checkpoint_early_stop(False):
        result = checkpoint(function, leaf(), use_reentrant=False, early_stop=True)
    result.backward()
    assert calls[0] == 5


def test_outside_a_pass_every_look_computes_again():
    function, calls = counted(lambda x: x.exp())
    result = checkpoint(function, leaf(), use_reentrant=False)
    assert result.grad_fn._saved_result.shape == (1,) and calls[0] == 2
    assert result.grad_fn._saved_result.shape == (1,) and calls[0] == 3


def test_passes_of_a_group_share_what_was_computed_again():
    function, calls = counted(lambda x: (x.sin().cos(), x.sin().cos().sin().cos()))

    def both(context):
        x = leaf()
        y = x.sin()
        pair = checkpoint(lambda v: (function(v)[0], v.exp()), y, use_reentrant=False)
        with context:
            torch.autograd.grad(pair[0], y, retain_graph=True)
            torch.autograd.grad(pair[1], y)

    both(contextlib.nullcontext())
    apart = calls[0]
    both(GraphExecGroup())
    assert (apart, calls[0] - apart) == (3, 2)


def test_overlapping_passes_of_a_group_are_refused():
    result = checkpoint(lambda x: x.sin().exp(), leaf(), use_reentrant=False)
    with GraphExecGroup():
        result.backward(retain_graph=True)
        with pytest.raises(CheckpointError, match="Performing two backward calls that overlap"):
            result.backward()


@pytest.mark.parametrize(("first", "again", "message"), [
    (lambda x: x.sin().exp().sin(), lambda x: x.sin().exp(), "A different number of tensors was saved"),
    (lambda x: x.sin().exp(), lambda x: x.sin() * torch.ones(2), "have different metadata"),
])
def test_a_function_that_does_something_else_is_found_out(first, again, message):
    with pytest.raises(CheckpointError, match=message):
        checkpoint(first_then(first, again), leaf(), use_reentrant=False).backward()


def test_a_function_that_saves_more_is_found_out_without_early_stop():
    more = first_then(lambda x: x.sin().exp(), lambda x: x.sin().exp().sin())
    with pytest.raises(CheckpointError, match="trying to save more tensors during recomputation"):
        checkpoint(more, leaf(), use_reentrant=False, early_stop=False).backward()


def test_no_check_is_made_where_none_is_wanted():
    other = first_then(lambda x: x.sin().exp(), lambda x: x.sin() * torch.ones(2))
    checkpoint(other, leaf(), use_reentrant=False, determinism_check="none").backward()


def test_a_log_of_ops_is_told_on_demand():
    def other():
        return first_then(lambda x: x.sin().exp(), lambda x: x.sin() * torch.ones(2))

    with pytest.raises(CheckpointError, match="aten.exp.default") as told:
        checkpoint(other(), leaf(), use_reentrant=False, debug=True).backward()
    assert "because you passed `debug=True` to checkpoint" in str(told.value)
    with pytest.raises(CheckpointError, match="different metadata"), set_checkpoint_debug_enabled(False):
        checkpoint(other(), leaf(), use_reentrant=False, debug=True).backward()


def test_a_context_that_swallows_errors_of_forward_is_refused():
    def fail(x):
        raise ValueError("no")

    def contexts():
        return contextlib.suppress(ValueError), contextlib.nullcontext()

    with pytest.raises(RuntimeError, match="context_fn suppressed an exception"):
        checkpoint(fail, leaf(), use_reentrant=False, context_fn=contexts)


def test_the_reentrant_form_refuses_what_it_cannot_do():
    x = leaf()
    with pytest.raises(RuntimeError, match="incompatible with .grad()"):
        torch.autograd.grad(checkpoint(torch.exp, x, use_reentrant=True), x)
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        checkpoint(torch.exp, x, use_reentrant=True, debug=True)
    with pytest.raises(ValueError, match="Unexpected keyword arguments: blah"):
        checkpoint(torch.exp, x, use_reentrant=True, blah=1)
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        checkpoint(torch.exp, x.detach(), use_reentrant=True)


def test_the_form_is_to_be_chosen():
    with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
        checkpoint(torch.exp, leaf())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checkpoint(torch.exp, leaf(), use_reentrant=False)


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_layers_in_a_row_are_checkpointed_in_segments(use_reentrant):
    torch.manual_seed(0)
    layers = torch.nn.Sequential(*[torch.nn.Linear(3, 3) for _ in range(5)])
    x, plain = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    checkpoint_sequential(layers, 2, x, use_reentrant=use_reentrant).sum().backward()
    layers(plain).sum().backward()
    assert torch.equal(x.grad, plain.grad)


def selectively(policy, function, **options):
    chosen = functools.partial(create_selective_checkpoint_contexts, policy, **options)
    x = torch.ones(3, requires_grad=True)
    return x, checkpoint(function, x, use_reentrant=False, context_fn=chosen)


def test_results_that_a_policy_keeps_are_not_computed_again():
    class Count(torch.utils._python_dispatch.TorchDispatchMode):
        calls = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            Count.calls += func is torch.ops.aten.exp.default
            return func(*args, **(kwargs or {}))

    for policy, calls in (([torch.ops.aten.exp.default], 1), (lambda context, op, *args, **kwargs: False, 2)):
        Count.calls = 0
        with Count():
            x, result = selectively(policy, lambda x: x.sin().exp())
            result.sum().backward()
        assert Count.calls == calls
        assert torch.allclose(x.grad, result.detach() * x.detach().cos())


def test_what_was_kept_serves_one_pass_and_may_not_be_written():
    def keep_sin(context, op, *args, **kwargs):
        return CheckpointPolicy.MUST_SAVE if op is torch.ops.aten.sin.default else CheckpointPolicy.PREFER_RECOMPUTE

    _, result = selectively(keep_sin, lambda x: x.sin().cos().exp())
    result.sum().backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="Trying to backward an extra time"):
        result.sum().backward()
    _, result = selectively(keep_sin, lambda x: x.sin().mul_(2).cos().exp())
    with pytest.raises(RuntimeError, match="has been mutated"):
        result.sum().backward()
    _, result = selectively(keep_sin, lambda x: x.sin().mul_(2).cos().exp(), allow_cache_entry_mutation=True)
    result.sum().backward()


def test_policies_are_functions_or_lists_of_overloads():
    with pytest.raises(ValueError, match="Please update the OpOverloadPacket to a specific OpOverload"):
        create_selective_checkpoint_contexts([torch.ops.aten.sin])
    with pytest.raises(TypeError, match="either a function or a list of ops"):
        create_selective_checkpoint_contexts(2)
