"""torch.tensor and its relatives: types, shapes, shared memory, and torch's complaints."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch

TYPES = [
    ([1, 2], torch.int64), ([1, 2.5], torch.float32), ([True, False], torch.bool), ([True, 2], torch.int64),
    ([1 + 2j], torch.complex64), ([], torch.float32), ([[], []], torch.float32), (range(3), torch.int64),
    ([np.int32(1)], torch.int32), ([np.float64(1)], torch.float64), ([np.float32(1), 2.5], torch.float32),
    ([np.float16(1), 2], torch.float16), ([np.int8(1), 2], torch.int64), (bytearray(b"ab"), torch.int64),
]
CONTAINS_ITSELF: list = [0]
CONTAINS_ITSELF.append(CONTAINS_ITSELF)
COMPLAINTS = [
    ("abc", TypeError, "new(): invalid data type 'str'"),
    (["abc"], ValueError, "too many dimensions 'str'"),
    ([1, "a"], TypeError, "new(): invalid data type 'str'"),
    ([[1, 2], [3]], ValueError, "expected sequence of length 2 at dim 1 (got 1)"),
    ([[1, 2], [3, 4, 5]], ValueError, "expected sequence of length 2 at dim 1 (got 3)"),
    ([[1, 2], 3], TypeError, "not a sequence"),
    ([1, [2, 3]], TypeError, "'list' object cannot be interpreted as an integer"),
    ([1.0, [2]], TypeError, "must be real number, not list"),
    (CONTAINS_ITSELF, TypeError, "new(): self-referential lists are incompatible"),
    (None, RuntimeError, "Could not infer dtype of NoneType"),
    ({1: 2}, RuntimeError, "Could not infer dtype of dict"),
    ([2**63], ValueError, "Overflow when unpacking long long"),
]
OTHER_ELEMENTS = [
    ([[1.0, 2.0], {}], ValueError, "expected sequence of length 2 at dim 1 (got 0)"),
    ([[1.0], "a"], TypeError, "must be real number, not str"),
    ([[1.0], None], TypeError, "not a sequence"),
    ([[1.0], torch.ones(1)], TypeError, "not a sequence"),
]
OVERFLOWS = [([300], torch.uint8), ([-256], torch.uint8), ([200], torch.int8), ([2**40], torch.int32),
             ([float("nan")], torch.int64)]


@pytest.mark.parametrize(("data", "dtype"), TYPES, ids=str)
def test_elements_agree_on_a_type(data, dtype):
    assert torch.tensor(data).dtype is dtype


@pytest.mark.parametrize(("data", "error", "text"), COMPLAINTS, ids=[c[2] for c in COMPLAINTS])
def test_what_is_no_tensor_is_refused_in_torchs_words(data, error, text):
    with pytest.raises(error) as caught:
        torch.tensor(data)
    assert str(caught.value) == text


@pytest.mark.parametrize(("data", "error", "text"), OTHER_ELEMENTS, ids=[str(c[0]) for c in OTHER_ELEMENTS])
def test_what_stands_beside_a_list_is_refused_by_what_it_holds(data, error, text):
    with pytest.raises(error) as caught:
        torch.FloatTensor(data)
    assert str(caught.value) == text


NO_INDEX = "only integer tensors of a single element can be converted to an index"
INTO_OTHER_TYPES = [
    (torch.tensor(2.0), torch.int64, TypeError, NO_INDEX),
    (torch.tensor(2.0), torch.bool, TypeError, NO_INDEX),
    (torch.tensor(2j), torch.uint8, TypeError, NO_INDEX),
    (torch.tensor(2j), torch.float32, RuntimeError, "value cannot be converted to type double without overflow"),
]


@pytest.mark.parametrize(("element", "dtype", "error", "text"), INTO_OTHER_TYPES,
                         ids=[f"{c[0].dtype} into {c[1]}" for c in INTO_OTHER_TYPES])
def test_a_tensor_in_a_list_loses_nothing_of_its_number(element, dtype, error, text):
    with pytest.raises(error) as caught:
        torch.tensor([[element]], dtype=dtype)
    assert str(caught.value) == text


def test_a_dictionary_beside_a_list_gives_its_keys():
    assert torch.FloatTensor([[1, 2], {3: "a", 4: "b"}]).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(("data", "dtype"), OVERFLOWS, ids=str)
def test_a_number_that_does_not_fit_is_refused(data, dtype):
    with pytest.raises(RuntimeError, match=f"value cannot be converted to type {dtype.name} without overflow"):
        torch.tensor(data, dtype=dtype)


def test_an_unsigned_type_takes_what_wraps_around():
    assert torch.tensor([-1, -255], dtype=torch.uint8).tolist() == [255, 1]


def test_integers_cannot_require_a_gradient():
    with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype can require gradients"):
        torch.tensor([1], requires_grad=True)


def test_tensors_of_one_element_are_numbers_in_a_list():
    assert torch.tensor([torch.tensor(1.5), 2]).tolist() == [1.5, 2.0]


def test_tensor_copies_an_array():
    array = np.zeros(2)
    made = torch.tensor(array)
    array[0] = 5
    assert made.tolist() == [0, 0]


def test_from_numpy_shares_memory_both_ways():
    array = np.zeros(2)
    made = torch.from_numpy(array)
    array[0] = 5
    made[1] = 7
    assert made.tolist() == array.tolist() == [5, 7]


def test_as_tensor_copies_only_to_another_type():
    array = np.zeros(2, np.float32)
    assert torch.as_tensor(array).data_ptr() == array.ctypes.data
    assert torch.as_tensor(array, dtype=torch.float64).data_ptr() != array.ctypes.data


def test_as_tensor_hands_a_tensor_back():
    x = torch.ones(2, requires_grad=True)
    assert torch.as_tensor(x) is x


def test_negative_strides_are_refused():
    with pytest.raises(ValueError, match="At least one stride in the given numpy array is negative"):
        torch.from_numpy(np.arange(3)[::-1])


def test_copying_a_tensor_with_tensor_warns():
    with pytest.warns(UserWarning, match="To copy construct from a tensor"):
        torch.tensor(torch.ones(2))


def test_asarray_reads_buffers_and_says_when_it_cannot_alias():
    assert torch.asarray(bytearray(b"ab"), dtype=torch.uint8).tolist() == [97, 98]
    with pytest.raises(ValueError, match="can't alias tensor with dtype 'Float' into dtype 'Double'."):
        torch.asarray(torch.ones(2), dtype=torch.float64, copy=False)


def test_frombuffer_shares_the_bytes():
    buffer = bytearray(b"abcdefgh")
    made = torch.frombuffer(buffer, dtype=torch.uint8, count=3, offset=2)
    buffer[2] = 0
    assert made.tolist() == [0, 100, 101]


def test_frombuffer_wants_whole_elements():
    with pytest.raises(ValueError, match="must be a multiple of element size"):
        torch.frombuffer(bytearray(5), dtype=torch.int32)


def test_the_old_constructor_takes_sizes_lists_and_tensors():
    assert torch.Tensor(2, 3).shape == (2, 3)
    assert torch.Tensor([1, 2]).dtype is torch.float32
    assert torch.Tensor(torch.Size([2])).shape == (2,)
    x = torch.ones(2)
    assert torch.Tensor(x).data_ptr() == x.data_ptr()


def test_typed_constructors_are_classes_for_isinstance():
    assert torch.LongTensor([1, 2]).dtype is torch.int64
    assert isinstance(torch.ones(2), torch.FloatTensor)
    assert not isinstance(torch.ones(2), torch.LongTensor)


def test_default_dtype_is_what_floats_become():
    torch.set_default_dtype(torch.float64)
    try:
        made = torch.tensor([1.5]), torch.zeros(1), torch.arange(2.0), torch.Tensor([1])
    finally:
        torch.set_default_dtype(torch.float32)
    assert {t.dtype for t in made} == {torch.float64}


def test_a_subclass_keeps_its_class_and_prints_its_name():
    class Mine(torch.Tensor):
        pass

    made = torch.ones(2).as_subclass(Mine)
    assert type(made) is Mine
    assert repr(made) == "Mine([1., 1.])"


def test_casts_are_silent_about_what_does_not_fit():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.tensor([float("nan"), 1e30]).to(torch.int32)
