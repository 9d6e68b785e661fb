"""Views show what NumPy's views show: same values, same shape, same strides, same memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mindtorch_v2 as torch

SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


def pair(shape) -> tuple:
    """A tensor and an array with the same numbers in memory of their own."""
    array = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    return torch.from_numpy(array.copy()), array


def assert_same_view(view, expected, source) -> None:
    """Equal in all that a view is; dimensions of size one have no stride to speak of."""
    assert tuple(view.shape) == expected.shape
    np.testing.assert_array_equal(view.numpy(), expected)
    ours = [s for s, n in zip(view.stride(), view.shape) if n > 1]
    assert ours == [s // 4 for s, n in zip(expected.strides, expected.shape) if n > 1]
    assert not view.numel() or np.shares_memory(view.numpy(), source.numpy())


@given(SHAPES, st.data())
def test_permute(shape, data):
    x, a = pair(shape)
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    assert_same_view(x.permute(order), a.transpose(order), x)


@given(SHAPES, st.data())
def test_transpose_accepts_dimensions_from_either_end(shape, data):
    x, a = pair(shape)
    dims = st.integers(-len(shape), len(shape) - 1)
    i, j = data.draw(dims), data.draw(dims)
    assert_same_view(x.transpose(i, j), a.swapaxes(i, j), x)


@given(SHAPES, st.data())
def test_movedim(shape, data):
    x, a = pair(shape)
    dims = st.integers(-len(shape), len(shape) - 1)
    i, j = data.draw(dims), data.draw(dims)
    assert_same_view(x.movedim(i, j), np.moveaxis(a, i, j), x)


@given(SHAPES, st.data())
def test_unsqueeze_then_squeeze_gives_the_shape_back(shape, data):
    x, a = pair(shape)
    dim = data.draw(st.integers(-len(shape) - 1, len(shape)))
    assert_same_view(x.unsqueeze(dim), np.expand_dims(a, dim), x)
    assert_same_view(x.unsqueeze(dim).squeeze(dim), a, x)


@given(SHAPES)
def test_squeeze_takes_every_dimension_of_size_one(shape):
    x, a = pair(shape)
    assert_same_view(x.squeeze(), a.squeeze(), x)


@given(SHAPES, st.data())
def test_expand_repeats_without_a_copy(shape, data):
    single = tuple(1 if data.draw(st.booleans()) else n for n in shape)
    x, a = pair(single)
    assert_same_view(x.expand(2, *shape), np.broadcast_to(a, (2, *shape)), x)


@given(SHAPES, st.data())
def test_narrow(shape, data):
    x, a = pair(shape)
    dim = data.draw(st.integers(0, len(shape) - 1))
    start = data.draw(st.integers(0, shape[dim]))
    length = data.draw(st.integers(0, shape[dim] - start))
    assert_same_view(x.narrow(dim, start, length), a[(slice(None),) * dim + (slice(start, start + length),)], x)


@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.integers(-6, 6))
def test_diagonal(shape, offset):
    x, a = pair(shape)
    assert_same_view(x.diagonal(offset), a.diagonal(offset), x)


@given(st.integers(1, 8), st.data())
def test_unfold_shows_every_window(size, data):
    x, a = pair((2, size))
    window = data.draw(st.integers(1, size))
    step = data.draw(st.integers(1, 3))
    expected = np.lib.stride_tricks.sliding_window_view(a, window, 1)[:, ::step]
    assert_same_view(x.unfold(1, window, step), expected, x)


@given(SHAPES, st.data())
def test_split_and_chunk_cover_the_dimension_in_order(shape, data):
    x, a = pair(shape)
    dim = data.draw(st.integers(0, len(shape) - 1))
    size = data.draw(st.integers(1, 5))
    pieces = x.split(size, dim)
    np.testing.assert_array_equal(np.concatenate([p.numpy() for p in pieces], dim), a)
    assert all(p.shape[dim] == size for p in pieces[:-1])
    for piece, expected in zip(x.tensor_split(size, dim), np.array_split(a, size, dim)):
        assert_same_view(piece, expected, x)


@given(SHAPES, st.data())
def test_unbind_gives_each_index_as_a_view(shape, data):
    x, a = pair(shape)
    dim = data.draw(st.integers(0, len(shape) - 1))
    views = x.unbind(dim)
    assert isinstance(views, tuple) and len(views) == shape[dim]
    for i, view in enumerate(views):
        assert_same_view(view, a.take(i, dim), x) if view.numel() == 1 else assert_same_view(
            view, np.moveaxis(a, dim, 0)[i], x)


@given(SHAPES, st.data())
def test_reshape_copies_only_where_strides_leave_no_other_way(shape, data):
    x, a = pair(shape)
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    wanted = tuple(data.draw(st.permutations(shape)))
    ours, expected = x.permute(order).reshape(wanted), a.transpose(order).reshape(wanted)
    np.testing.assert_array_equal(ours.numpy(), expected)
    assert np.shares_memory(ours.numpy(), x.numpy()) == np.shares_memory(expected, a)


@given(SHAPES, st.data())
def test_flatten_then_unflatten_gives_the_shape_back(shape, data):
    x, a = pair(shape)
    start = data.draw(st.integers(0, len(shape) - 1))
    end = data.draw(st.integers(start, len(shape) - 1))
    flat = x.flatten(start, end)
    expected = a.reshape(*shape[:start], int(np.prod(shape[start:end + 1])), *shape[end + 1:])
    assert_same_view(flat, expected, x)
    assert_same_view(flat.unflatten(start, shape[start:end + 1]), a, x)


@settings(max_examples=50)
@given(SHAPES, st.data())
def test_roll_and_flip_move_elements_as_numpy_does(shape, data):
    x, a = pair(shape)
    dims = tuple(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    shifts = tuple(data.draw(st.integers(-5, 5)) for _ in dims)
    np.testing.assert_array_equal(x.roll(shifts, dims).numpy(), np.roll(a, shifts, dims))
    np.testing.assert_array_equal(x.flip(dims).numpy(), np.flip(a, dims))


@settings(max_examples=50)
@given(SHAPES, st.data())
def test_cat_and_stack_join_as_numpy_does(shape, data):
    x, a = pair(shape)
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    y, b = x.permute(order).contiguous().permute(tuple(np.argsort(order))), a  # the same numbers in another layout
    dim = data.draw(st.integers(0, len(shape) - 1))
    np.testing.assert_array_equal(torch.cat([x, y], dim).numpy(), np.concatenate([a, b], dim))
    new = data.draw(st.integers(-len(shape) - 1, len(shape)))
    np.testing.assert_array_equal(torch.stack([x, y], new).numpy(), np.stack([a, b], new))


@settings(max_examples=50)
@given(SHAPES, st.lists(st.integers(0, 3), min_size=4, max_size=5))
def test_repeat_tiles_as_numpy_does(shape, repeats):
    x, a = pair(shape)
    np.testing.assert_array_equal(x.repeat(repeats).numpy(), np.tile(a, repeats))


@pytest.mark.parametrize(("shape", "steps"), [((1,), (0,)), ((2, 1), (0, 0)), ((3, 1, 1), (0, 0, 0))])
def test_a_number_is_expanded_with_steps_of_zero(shape, steps):
    assert torch.tensor(1.0).expand(shape).stride() == steps


def test_broadcast_shapes_takes_shapes_and_ints():
    assert torch.broadcast_shapes((1, 2), (3, 1)) == torch.Size([3, 2])
    assert torch.broadcast_shapes(3, (1,), [2, 1]) == torch.Size([2, 3])
    assert torch.broadcast_shapes((1, 0), 1) == torch.Size([1, 0])
    assert torch.broadcast_shapes() == torch.Size([])
