"""Memory of dead tensors that new ones get: nobody else may still see it."""

from __future__ import annotations

import weakref

import pytest

import mindtorch_v2 as torch

_HOLDERS = {
    "an array": lambda x: x.numpy(),
    "a view": lambda x: x.t(),
    "a storage": lambda x: x.untyped_storage(),
    "a buffer": lambda x: memoryview(x.numpy()),
    "an alias": lambda x: x.detach(),
}


@pytest.mark.parametrize("hold", _HOLDERS.values(), ids=_HOLDERS)
def test_memory_that_somebody_holds_is_not_given_to_others(hold):
    x = torch.ones(2, 2)
    address, holder = x.data_ptr(), hold(x)
    del x
    others = [torch.empty(2, 2) for _ in range(8)]
    assert address not in [other.data_ptr() for other in others]
    del holder


def test_new_shape_over_old_memory_is_described_afresh():
    column = torch.ones(4, 1) + 1
    assert column.numpy().flags.f_contiguous
    del column
    for shape in [(2, 2), (1, 4), (4, 1)]:
        x = torch.ones(shape)
        assert (x.shape, x.stride(), x.tolist()) == (shape, (shape[1], 1), [[1.0] * shape[1]] * shape[0])
        assert x.t().is_contiguous() == (1 in shape)


def test_weak_reference_to_an_array_dies_with_its_tensor():
    x = torch.ones(3)
    dead = weakref.ref(x.numpy())
    del x
    assert dead() is None
