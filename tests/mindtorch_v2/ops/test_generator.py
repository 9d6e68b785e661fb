"""Generators: seeds, states, and what is drawn from which."""

from __future__ import annotations

import pickle

import pytest

import mindtorch_v2 as torch


def test_the_same_seed_gives_the_same_numbers():
    torch.manual_seed(3)
    first = torch.rand(5).tolist()
    torch.manual_seed(3)
    assert torch.rand(5).tolist() == first


def test_manual_seed_hands_out_the_default_generator():
    assert torch.manual_seed(3) is torch.default_generator
    assert torch.initial_seed() == 3


def test_a_negative_seed_counts_down_from_two_to_the_64():
    assert torch.Generator().manual_seed(-1).initial_seed() == 2**64 - 1


def test_a_seed_has_64_bits():
    with pytest.raises(ValueError, match="Overflow when unpacking long long"):
        torch.manual_seed(2**64)


def test_a_new_generator_has_torchs_default_seed():
    assert torch.Generator().initial_seed() == 67280421310721


def test_seed_tells_what_it_chose():
    assert torch.seed() == torch.initial_seed()


def test_a_state_can_be_gone_back_to():
    torch.manual_seed(1)
    torch.randn(3)  # leaves a spare normal number behind
    state = torch.get_rng_state()
    first = torch.randn(3).tolist()
    torch.set_rng_state(state)
    assert torch.randn(3).tolist() == first
    assert state.shape == (5056,)


def test_a_state_is_made_of_bytes():
    with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
        torch.set_rng_state(torch.zeros(3))


def test_another_generator_leaves_the_default_one_alone():
    torch.manual_seed(1)
    expected = torch.rand(1).item()
    torch.manual_seed(1)
    torch.rand(3, generator=torch.Generator())
    assert torch.rand(1).item() == expected


def test_fork_rng_leaves_the_default_generator_as_it_was():
    torch.manual_seed(1)
    expected = torch.rand(1).item()
    torch.manual_seed(1)
    with torch.random.fork_rng():
        torch.rand(3)
    assert torch.rand(1).item() == expected


def test_fork_rng_refuses_devices_that_are_not_there():
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"), torch.random.fork_rng([0]):
        pass
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"), torch.random.fork_rng(device_type="foo"):
        pass
    with torch.random.fork_rng([0], enabled=False):
        assert torch.rand(1).shape == (1,)


def test_a_pickled_generator_goes_on_where_it_was():
    g = torch.Generator().manual_seed(5)
    torch.rand(3, generator=g)
    other = pickle.loads(pickle.dumps(g))
    assert torch.rand(2, generator=other).tolist() == torch.rand(2, generator=g).tolist()


def test_a_transposed_tensor_is_filled_as_it_lies_in_memory():
    torch.manual_seed(1)
    flat = torch.rand(6).tolist()
    torch.manual_seed(1)
    x = torch.zeros(2, 3)
    x.t().uniform_()
    assert x.view(-1).tolist() == flat


COMPLAINTS = [
    (lambda: torch.empty(1).uniform_(2, 1), "uniform_ expects to return a [from, to) range, but found from=2 > to=1"),
    (lambda: torch.empty(1).normal_(0, -1), "normal expects std >= 0.0, but found std -1"),
    (lambda: torch.randint(5, 0, (3,)), "random_ expects 'from' to be less than 'to', but got from=5 >= to=0"),
    (lambda: torch.randint(300, (2,), dtype=torch.uint8), "to - 1 is out of bounds for unsigned char"),
    (lambda: torch.empty(1).bernoulli_(1.5), "bernoulli_ expects p to be in [0, 1], but got p=1.5"),
    (lambda: torch.empty(1).exponential_(0), "exponential_ expects lambda > 0.0, but found lambda=0"),
    (lambda: torch.empty(1).geometric_(1), "geometric_ expects p to be in (0, 1), but got p=1"),
    (lambda: torch.multinomial(torch.ones(3), 4),
     "cannot sample n_sample > prob_dist.size(-1) samples without replacement"),
    (lambda: torch.multinomial(torch.zeros(3), 1), "invalid multinomial distribution (sum of probabilities <= 0)"),
]


@pytest.mark.parametrize(("act", "text"), COMPLAINTS, ids=[c[1] for c in COMPLAINTS])
def test_impossible_distributions_are_refused_in_torchs_words(act, text):
    with pytest.raises(RuntimeError) as caught:
        act()
    assert str(caught.value) == text


def test_integers_are_not_drawn_from_continuous_distributions():
    with pytest.raises(NotImplementedError, match="\"normal_kernel_cpu\" not implemented for 'Long'"):
        torch.randn(3, dtype=torch.int64)


def test_an_expanded_tensor_has_no_place_for_each_number():
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        torch.ones(3).expand(2, 3).uniform_()


DRAWS = {
    "randn": lambda: torch.randn(3, device="meta"),
    "randint": lambda: torch.randint(0, 9, (3,), device="meta"),
    "randperm": lambda: torch.randperm(5, device="meta"),
    "exponential_": lambda: torch.empty(3, device="meta").exponential_(),
    "bernoulli_": lambda: torch.empty(3, device="meta").bernoulli_(torch.empty(3, device="meta")),
    "normal": lambda: torch.normal(torch.empty(3, device="meta"), torch.empty(3, device="meta")),
    "multinomial": lambda: torch.multinomial(torch.empty(3, device="meta"), 2, True),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_nothing_is_drawn_for_tensors_without_values(draw):
    before = torch.get_rng_state()
    assert draw().is_meta
    assert torch.equal(torch.get_rng_state(), before)


def test_samples_with_replacement_reach_an_out_tensor_with_gaps():
    torch.manual_seed(0)
    out = torch.zeros(8, dtype=torch.int64)[::2]
    torch.multinomial(torch.ones(3), 4, True, out=out)
    assert out.tolist() == [2, 2, 1, 2]  # PyTorch's numbers


def test_probabilities_that_do_not_fit_are_refused_before_their_values_are_read():
    with pytest.raises(RuntimeError, match="The expanded size of the tensor"):
        torch.empty(3).bernoulli_(torch.tensor([0.5, 2.0]))
