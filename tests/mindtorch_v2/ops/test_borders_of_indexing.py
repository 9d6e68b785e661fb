"""Indexing, filling and copying at the borders: nothing, scalars, wrong columns, negative places, shared memory."""

from __future__ import annotations

import copy
import pickle

import pytest

import mindtorch_v2 as torch

NOWHERE = torch.tensor([], dtype=torch.int64)


@pytest.mark.parametrize("key", [NOWHERE, [], (slice(None), NOWHERE), torch.zeros(0, 4, dtype=torch.int64),
                                 torch.tensor(False), (NOWHERE, None)], ids=repr)
def test_the_gradient_of_an_empty_selection_is_zero(key):
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    x[key].sum().backward()
    assert x.grad.tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("columns", [1, 5])
def test_index_add_wants_the_columns_of_its_target(columns):
    with pytest.raises(RuntimeError, match="source tensor shape must match self tensor shape"):
        torch.zeros(3, 4).index_add(0, torch.tensor([0, 1]), torch.ones(2, columns))


def test_index_copy_counts_from_the_front_only():
    with pytest.raises(IndexError, match=r"index -1 is out of bounds for dimension 0 with size 3"):
        torch.zeros(3, 4).index_copy(0, torch.tensor([-1]), torch.ones(1, 4))


def test_index_copy_does_not_broadcast():
    with pytest.raises(RuntimeError, match="must have same slice shapes"):
        torch.zeros(3, 2).index_copy(0, torch.tensor([0]), torch.ones(1, 1))


@pytest.mark.parametrize("value", [2.0, torch.tensor(2.0)], ids=["number", "tensor"])
def test_filling_no_index_of_a_scalar_leaves_it_alone(value):
    assert torch.tensor(1.0).index_fill_(0, NOWHERE, value).item() == 1.0


def test_index_put_wants_a_tensor_for_every_index_it_is_given():
    with pytest.raises(TypeError, match="expected Tensor as element 1 in argument 0, but got NoneType"):
        torch.ones(3, 2).index_put((torch.tensor([0]), None), torch.ones(2))


@pytest.mark.parametrize(("base", "exponent"), [(torch.tensor([2.0, 3.0]), 0), (torch.tensor([2.0, 3.0]), 1),
                                                (1, torch.tensor([2.0, 3.0]))], ids=["x**0", "x**1", "1**x"])
def test_pow_gives_out_the_shape_of_the_result(base, exponent):
    out = torch.empty(0)
    assert torch.pow(base, exponent, out=out) is out
    assert out.tolist() == (base ** exponent).tolist()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=repr)
def test_halves_are_rounded_to_decimals_once_at_the_end(dtype):
    x = torch.tensor([1.234375, 33.34375, 100.0]).to(dtype)
    expected = (torch.tensor(x.tolist(), dtype=torch.float32) * 100).round() / 100
    assert x.round_(decimals=2).tolist() == expected.to(dtype).tolist()


def test_integers_have_no_decimals():
    with pytest.raises(NotImplementedError, match="\"round_cpu\" not implemented for 'Int'"):
        torch.ones(2, dtype=torch.int32).round(decimals=2)


def test_attention_of_width_zero_is_the_mean_of_the_values():
    value = torch.arange(6.0).reshape(1, 1, 3, 2).requires_grad_()
    made = torch.nn.functional.scaled_dot_product_attention(torch.ones(1, 1, 2, 0), torch.ones(1, 1, 3, 0), value)
    made.sum().backward()
    assert torch.allclose(made, torch.tensor([[[[2.0, 3.0]] * 2]]))
    assert torch.allclose(value.grad, torch.full((1, 1, 3, 2), 2 / 3))


@pytest.mark.parametrize("shift", [1, 3])
def test_a_copy_onto_part_of_itself_is_refused_as_torch_refuses_it(shift):
    x = torch.arange(8.0)
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        x[shift:].copy_(x[:-shift])
    assert x.tolist() == list(range(8))


def test_set_beyond_the_storage_makes_it_larger():
    storage = torch.zeros(3).untyped_storage()
    x = torch.zeros(2).set_(storage, 0, (100,))
    assert x.shape == (100,) and storage.nbytes() == 400 and x[:3].tolist() == [0.0] * 3


@pytest.mark.parametrize("size", [(-2,), (2**40, 2**40)], ids=str)
def test_set_refuses_a_size_that_no_memory_has(size):
    with pytest.raises(RuntimeError):
        torch.zeros(2).set_(torch.zeros(3).untyped_storage(), 0, size)




def test_a_pickle_with_a_false_size_raises_and_reads_nothing():
    text = pickle.dumps(torch.arange(3.0))
    assert pickle.loads(text).tolist() == [0.0, 1.0, 2.0]
    for at in range(len(text)):
        for byte in (0, 1, 127, 255):
            changed = text[:at] + bytes([byte]) + text[at + 1:]
            try:
                loaded = pickle.loads(changed)
            except Exception:
                continue  # whatever it says, it is an exception and not a crash
            if isinstance(loaded, torch.Tensor):
                copy.deepcopy(loaded).tolist()


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_no_position_exists_in_a_dimension_of_size_zero(device):
    empty, first = torch.zeros(0, 3, device=device), torch.zeros(1, dtype=torch.int64, device=device)
    for use in (lambda: empty[first], lambda: empty.index_put_((first,), torch.ones(5, device=device))):
        with pytest.raises(IndexError, match="^index is out of bounds for dimension with size 0$"):
            use()


def test_assigning_to_a_tensor_without_values_changes_nothing_about_it():
    x = torch.empty(4, 5, device="meta")
    x[0], x[:, 1:3], x[[0, 1]] = 1, 2.0, 3.0
    assert (x.shape, x.device.type) == ((4, 5), "meta")


def test_a_mask_without_values_selects_nobody_knows_what():
    x = torch.empty(4, 5, device="meta")
    with pytest.raises(NotImplementedError, match="aten::nonzero"):
        x[torch.empty(4, 5, dtype=torch.bool, device="meta")]


def test_gather_takes_single_numbers_and_single_positions():
    line, number = torch.arange(10.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    picked = torch.gather(line, 0, torch.tensor(4))
    assert (picked.item(), picked.shape) == (4.0, ())
    repeated = torch.gather(number, 0, torch.zeros(2, dtype=torch.int64))
    assert repeated.tolist() == [3.0, 3.0]
    (picked + repeated.sum()).backward()
    assert (line.grad.tolist(), number.grad.item()) == ([0, 0, 0, 0, 1, 0, 0, 0, 0, 0], 2.0)
