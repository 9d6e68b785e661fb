"""Functions that write their inputs in place, and views that do."""

import pytest

import mindtorch_v2 as torch


def adder(result, on_input=True):
    """A Function that adds in place and returns what ``result`` makes of both arguments."""
    class Add(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            a = a if on_input else 3 * a
            a.add_(b)
            ctx.mark_dirty(a)
            return result(a, b)

        @staticmethod
        def backward(ctx, *grads):
            return grads[0], grads[0]

    return Add.apply


def leaf(*shape):
    return torch.ones(*(shape or (2,)), requires_grad=True)


def test_a_base_takes_on_the_history_of_a_view_that_a_function_wrote():
    root, b = leaf(4, 4), leaf(2, 2)
    x = root.clone()
    adder(lambda a, b: a)(x.narrow(1, 2, 2).narrow(0, 1, 2), b)
    (x * x).sum().backward()
    assert b.grad.tolist() == [[4.0, 4.0], [4.0, 4.0]]
    assert root.grad[1].tolist() == [2.0, 2.0, 4.0, 4.0]


@pytest.mark.parametrize(("result", "written", "text"), [
    (lambda a, b: (a.clone(), a + b), lambda: leaf().clone(), "Some elements marked as dirty .* were not returned"),
    (lambda a, b: (a, a + b), lambda: leaf().clone()[:], "cannot return more than one Tensor"),
    (lambda a, b: a, lambda: leaf()[:], "a view of a leaf Variable that requires grad is being used"),
    (lambda a, b: a, lambda: leaf(2, 2).clone().unbind()[0], "a function that returns multiple views"),
    (lambda a, b: a, leaf, "a leaf Variable that requires grad has been used"),
])
def test_writes_that_autograd_cannot_follow_are_refused(result, written, text):
    with pytest.raises(RuntimeError, match=text):
        adder(result)(written(), leaf())


def test_what_is_no_input_is_not_to_be_marked():
    with pytest.warns(UserWarning, match="received a tensor that was not an input"):
        adder(lambda a, b: a, on_input=False)(leaf().clone(), leaf())


@pytest.mark.parametrize("view", [
    lambda b: torch.view_as_complex(b),
    lambda b: torch.view_as_complex(b).reshape(4),
    lambda b: torch.view_as_complex(b)[1],
    lambda b: torch.view_as_real(torch.view_as_complex(b)),
])
def test_a_write_into_a_view_of_another_type_leads_back_to_its_base(view):
    x, plain = (torch.arange(8.0).reshape(2, 2, 2).requires_grad_() for _ in range(2))
    base = x.clone()
    view(base).mul_(2)
    (base * base).sum().backward()
    written = torch.ones(2, 2, 2)
    view(written).mul_(2)  # each element's factor
    ((plain * written) * (plain * written)).sum().backward()
    assert torch.equal(x.grad, plain.grad)


def test_a_view_of_a_view_of_another_type_is_written_where_it_lies():
    x = torch.arange(6.0).to(torch.complex64).requires_grad_()
    part = torch.view_as_real(x.clone().reshape(3, 2)[1:])
    part.mul_(torch.tensor([2.0, 3.0]))
    part.sum().backward()
    assert x.grad.tolist() == [0, 0, 2 + 3j, 2 + 3j, 2 + 3j, 2 + 3j]


def test_a_view_knows_of_a_write_into_its_base_when_a_pass_begins_there():
    r = leaf(1)
    x = torch.ones(5)
    view = x.select(0, 1)
    x.add_(r)
    view.backward()
    assert r.grad.tolist() == [1.0]
