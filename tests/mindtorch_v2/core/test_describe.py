"""What a row keeps of a call's inputs: every kind of value is read back as it was, and equal inputs share a number."""

from __future__ import annotations

import gc

from hypothesis import given
from hypothesis import strategies as st

import mindtorch_v2 as torch
from mindtorch_v2.core.describe import described, one
from mindtorch_v2.record.names import inputs
from mindtorch_v2.record.vocabulary import Vocabulary

DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.complex64, torch.int64, torch.bool)
SHAPES = st.lists(st.sampled_from((0, 1, 2, 3, 5)), max_size=5)
TENSORS = st.builds(lambda shape, dtype: torch.empty(shape, dtype=dtype), SHAPES, st.sampled_from(DTYPES))
WIDE = st.builds(lambda n: torch.empty(1).expand(n, 70_000), st.integers(1, 100_000))
TURNED = TENSORS.map(lambda t: t.transpose(0, -1) if t.dim() else t)
EDGES = st.builds(lambda sign, bits, step: sign * 2**bits + step, st.sampled_from((1, -1)),
                  st.sampled_from((30, 54, 60, 63)), st.integers(-1, 1))
WORDS = st.one_of(st.none(), st.booleans(), st.integers(), EDGES, st.floats(), st.complex_numbers(),
                  st.text(max_size=50))
CHOICES = st.sampled_from((torch.float16, torch.device("cpu"), torch.strided, torch.channels_last))
VALUES = st.one_of(TENSORS, WIDE, TURNED, TENSORS.map(lambda t: torch.nn.Parameter(t, requires_grad=False)), WORDS,
                   CHOICES)
CALLS = st.lists(st.one_of(VALUES, st.lists(VALUES, max_size=4)), max_size=6).map(tuple)


def read(number: int) -> tuple:
    return Vocabulary(inputs.copy())[number]


@given(CALLS)
def test_inputs_are_read_back_as_they_were(args):
    assert repr(read(described(args))) == repr(tuple(one(value) for value in args))


@given(CALLS)
def test_equal_inputs_share_a_number(args):
    again = tuple(list(value) if type(value) is list else value for value in args)
    words = repr([one(value) for value in args])
    if "nan" not in words:  # which is not equal to itself
        assert described(again) == described(args)


def test_inputs_that_differ_have_different_numbers():
    calls = [(1,), (1.0,), (True,), ("1",), (None,), ([1],), ([1, 2],), (1, 2), ([1], 2), (torch.ones(2, 3),),
             (torch.ones(3, 2),), (torch.ones(3, 2).t(),), (torch.ones(2, 3, dtype=torch.float64),), (torch.ones(6),),
             (torch.float32,), (torch.device("cpu"),), (0.0,), (2**54,), (-2**54,), (2**63,)]
    assert len({described(call) for call in calls}) == len(calls)


def test_inputs_are_known_in_whatever_order_they_come():
    calls = [(torch.ones(n, 2), n > 2) for n in range(5)]
    numbers = [described(call) for call in calls]
    order = [n * n % 7 % 5 for n in range(200)] + list(range(5)) * 3
    assert [described(calls[n]) for n in order] == [numbers[n] for n in order]


def test_a_thousand_numbers_in_tensors_are_given_to_one_call():
    many = [torch.ones(()) for _ in range(1010)]
    with torch.profiler.profile(record_shapes=True, profile_memory=True) as prof:
        torch.stack(many)
    (thread,) = prof.profiler._recordings._parts[0].read().threads
    assert len(thread.tensors) >= len(many)


def test_a_thousand_tensors_in_one_call_are_described_too():
    many = [torch.ones(n % 7, 2) for n in range(1000)]
    assert read(described((many, 1))) == (one(many), 1)


def recorded(numbers) -> torch.profiler.profile:
    x = torch.ones(2)
    with torch.profiler.profile(record_shapes=True) as prof:
        for number in numbers:
            x.fill_(number)
    return prof


def test_inputs_are_forgotten_with_the_last_profile_that_shows_them():
    recorded(range(1000))
    gc.collect()
    recorded([1])
    assert len(inputs) < 100


def test_inputs_of_a_profile_outlive_later_profiles():
    first = recorded([7])
    second = recorded([8])
    shown = [e.concrete_inputs for prof in (first, second) for e in prof.events() if e.name == "aten::fill_"]
    assert [values[1] for values in shown] == [7, 8]
