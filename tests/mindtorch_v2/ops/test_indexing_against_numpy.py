"""x[key] and x[key] = y mean what they mean in NumPy, wherever torch and NumPy agree on the key."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mindtorch_v2 as torch

SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


def pair(shape) -> tuple:
    array = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    return torch.from_numpy(array.copy()), array


def slices(size: int):
    bound = st.none() | st.integers(-size - 1, size + 1)
    return st.builds(slice, bound, bound, st.none() | st.integers(1, 3))


def basic_keys(shape):
    """Keys of integers, slices, None and an ellipsis."""
    parts = st.tuples(*[st.integers(-n, n - 1) | slices(n) for n in shape])

    def shorten(key, count, new_at, dots):
        key = list(key[:count])
        if dots:
            key.append(Ellipsis)
        if new_at is not None:
            key.insert(min(new_at, len(key)), None)
        return tuple(key)

    return st.builds(shorten, parts, st.integers(0, len(shape)), st.none() | st.integers(0, len(shape)), st.booleans())


@given(SHAPES, st.data())
def test_basic_keys_give_views(shape, data):
    x, a = pair(shape)
    key = data.draw(basic_keys(shape))
    ours, expected = x[key], a[key]
    assert tuple(ours.shape) == expected.shape
    np.testing.assert_array_equal(ours.numpy(), expected)
    assert [s for s, n in zip(ours.stride(), ours.shape) if n > 1] == [
        s // 4 for s, n in zip(np.asarray(expected).strides, expected.shape) if n > 1]
    if ours.numel():
        assert np.shares_memory(ours.numpy(), x.numpy())


@given(SHAPES, st.data())
def test_assignment_through_basic_keys(shape, data):
    x, a = pair(shape)
    key = data.draw(basic_keys(shape))
    x[key] = -1
    a[key] = -1
    np.testing.assert_array_equal(x.numpy(), a)


@given(SHAPES, st.data())
def test_assigned_values_are_broadcast(shape, data):
    x, a = pair(shape)
    key = data.draw(basic_keys(shape))
    part = np.asarray(a[key]).shape
    wanted = tuple(1 if data.draw(st.booleans()) else n for n in part)
    values = np.arange(-1, -int(np.prod(wanted)) - 1, -1, dtype=np.float32).reshape(wanted)
    x[key] = torch.from_numpy(values.copy())
    a[key] = values
    np.testing.assert_array_equal(x.numpy(), a)


@given(SHAPES, st.data())
def test_masks_select_and_assign(shape, data):
    x, a = pair(shape)
    mask = data.draw(hnp.arrays(np.bool_, shape[:data.draw(st.integers(1, len(shape)))]))
    ours = torch.from_numpy(mask)
    np.testing.assert_array_equal(x[ours].numpy(), a[mask])
    np.testing.assert_array_equal(x[mask].numpy(), a[mask])
    x[ours] = 7
    a[mask] = 7
    np.testing.assert_array_equal(x.numpy(), a)


def positions(size: int):
    return hnp.arrays(np.int64, hnp.array_shapes(max_dims=2, max_side=3), elements=st.integers(-size, size - 1))


@given(SHAPES, st.data())
def test_positions_select_copies(shape, data):
    x, a = pair(shape)
    dim = data.draw(st.integers(0, len(shape) - 1))
    index = data.draw(positions(shape[dim]))
    key, ours = (slice(None),) * dim + (index,), (slice(None),) * dim + (torch.from_numpy(index.copy()),)
    found = x[ours]
    np.testing.assert_array_equal(found.numpy(), a[key])
    assert found.is_contiguous() and not np.shares_memory(found.numpy(), x.numpy())


@given(SHAPES.filter(lambda s: len(s) > 1), st.data())
def test_positions_of_several_dimensions_are_broadcast(shape, data):
    x, a = pair(shape)
    parts = [slice(None)] * len(shape)
    for dim in data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=2, max_size=2)):
        parts[dim] = data.draw(hnp.arrays(np.int64, data.draw(st.sampled_from([(3,), (2, 1), (1, 3), (1,)])),
                                          elements=st.integers(0, shape[dim] - 1)))
    ours = tuple(torch.from_numpy(p.copy()) if isinstance(p, np.ndarray) else p for p in parts)
    np.testing.assert_array_equal(x[ours].numpy(), a[tuple(parts)])
    x[ours] = -3
    a[tuple(parts)] = -3
    np.testing.assert_array_equal(x.numpy(), a)


@given(st.integers(1, 5), st.lists(st.integers(0, 4), min_size=1, max_size=8))
def test_accumulating_adds_as_often_as_a_position_appears(columns, rows):
    x = torch.zeros(5, columns)
    x.index_put_((torch.tensor(rows),), torch.ones(len(rows), columns), accumulate=True)
    expected = np.zeros((5, columns), np.float32)
    np.add.at(expected, rows, 1)
    np.testing.assert_array_equal(x.numpy(), expected)


@settings(max_examples=50)
@given(SHAPES, st.data())
def test_gather_and_scatter_are_take_and_put_along_axis(shape, data):
    x, a = pair(shape)
    dim = data.draw(st.integers(0, len(shape) - 1))
    index = np.stack([data.draw(st.permutations(range(shape[dim]))) for _ in range(max(1, a.size // shape[dim]))])
    index = np.moveaxis(index.reshape(*np.delete(shape, dim), shape[dim]), -1, dim).astype(np.int64)
    ours = torch.from_numpy(np.ascontiguousarray(index))
    np.testing.assert_array_equal(x.gather(dim, ours).numpy(), np.take_along_axis(a, index, dim))
    values = -a - 1
    expected = a.copy()
    np.put_along_axis(expected, index, values, dim)
    np.testing.assert_array_equal(x.scatter(dim, ours, torch.from_numpy(values)).numpy(), expected)


@given(hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=3), elements=st.sampled_from([0.0, 1.0, 2.0])))
def test_nonzero_lists_positions_row_by_row(array):
    x = torch.from_numpy(array.copy())
    np.testing.assert_array_equal(x.nonzero().numpy(), np.argwhere(array))
    for ours, expected in zip(torch.nonzero(x, as_tuple=True), np.nonzero(array)):
        np.testing.assert_array_equal(ours.numpy(), expected)


def test_lists_ranges_and_arrays_index_like_tensors():
    x, a = pair((4, 3))
    for key in ([0, 2], [[0, 2], [1, 1]], range(2), np.array([3, 0])):
        np.testing.assert_array_equal(x[key].numpy() if not isinstance(key, list) or not isinstance(key[0], list) else
                                      x[torch.tensor(key)].numpy(), a[np.asarray(key)])


def test_a_list_of_lists_is_a_tuple_of_lists():
    x, a = pair((4, 3))
    with pytest.warns(UserWarning, match="Using a non-tuple sequence for multidimensional indexing is deprecated"):
        np.testing.assert_array_equal(x[[[0, 2], [1, 1]]].numpy(), a[[0, 2], [1, 1]])


def test_tensors_of_one_integer_are_numbers():
    x, a = pair((4, 3))
    i = torch.tensor(1)
    assert x[i].shape == (3,) and x[i:i + 2].shape == (2, 3)
    np.testing.assert_array_equal(x[i:i + 2, i].numpy(), a[1:3, 1])


def test_booleans_add_a_dimension():
    x, _ = pair((2, 3))
    assert x[True].shape == (1, 2, 3)
    assert x[False].shape == (0, 2, 3)
    x[False] = 9
    assert 9 not in x


@pytest.mark.parametrize("key", [[True, 0], [1, True], ([0, 1], [True, 0])], ids=str)
def test_a_list_is_a_mask_only_if_it_holds_nothing_but_booleans(key):
    x, a = pair((2, 3))
    expected = a[np.array(key, int)] if isinstance(key, list) else a[tuple(np.array(part, int) for part in key)]
    np.testing.assert_array_equal(x[key].numpy(), expected)


def test_iteration_and_membership():
    x, a = pair((3, 2))
    assert [row.tolist() for row in x] == a.tolist()
    assert 5.0 in x and 6.0 not in x
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(x[0, 0])


CONTAINS_ITSELF: list = []
CONTAINS_ITSELF.append(CONTAINS_ITSELF)


@pytest.mark.parametrize(("key", "error", "text"), [
    (4, IndexError, "index 4 is out of bounds for dimension 0 with size 2"),
    ((0, -4), IndexError, "index -4 is out of bounds for dimension 1 with size 3"),
    ((0, 0, 0), IndexError, "too many indices for tensor of dimension 2"),
    (1.5, IndexError, r"only integers, slices \(`:`\), ellipsis \(`...`\), None and long or byte Variables are valid "
                       "indices "
                      r"\(got float\)"),
    (slice(None, None, -1), ValueError, "step must be greater than zero"),
    ([5], IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
    ([True], IndexError, r"The shape of the mask \[1\] at index 0 does not match the shape of the indexed tensor "
                          r"\[2, 3\] at "
                         "index 0"),
    (CONTAINS_ITSELF, TypeError, r"new\(\): self-referential lists are incompatible"),
    (["a"], TypeError, r"new\(\): invalid data type 'str'"),
    (([0, None],), RuntimeError, "Could not infer dtype of NoneType"),
])
@pytest.mark.filterwarnings("ignore:Using a non-tuple sequence")
def test_what_cannot_be_indexed_says_so_as_torch_does(key, error, text):
    x, _ = pair((2, 3))
    with pytest.raises(error, match=text):
        x[key]


@pytest.mark.parametrize(("value", "text"), [
    ([1, 2], "can't assign a list to a torch.FloatTensor"),
    (np.ones(3), "can't assign a numpy.ndarray to a torch.FloatTensor"),
    ("a", "can't assign a str to a torch.FloatTensor"),
])
def test_what_cannot_be_assigned_says_so_as_torch_does(value, text):
    x, _ = pair((2, 3))
    with pytest.raises(TypeError, match=text):
        x[0] = value
