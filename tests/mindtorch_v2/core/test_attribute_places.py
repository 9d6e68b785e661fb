"""Compiled code remembers where it found an attribute: what changes later is seen all the same."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core import dtype as dtypes
from mindtorch_v2.devices.kernel import run


@pytest.fixture
def rows() -> torch.Tensor:
    """Rows whose variance was asked for before, so that all attributes on the way have been looked up."""
    given = torch.arange(6.0).view(2, 3)
    given.var(1)
    return given


def test_a_module_is_given_another_value(rows, monkeypatch):
    monkeypatch.setattr(dtypes, "FLOATING", dtypes.COMPLEX)
    with pytest.raises(RuntimeError, match="only support floating point"):
        rows.var(1)
    monkeypatch.undo()
    assert rows.var(1).tolist() == [1.0, 1.0]


def test_a_kernel_is_replaced(rows, monkeypatch):
    asked, spread = [], run.spread

    def noted(out, self, dims, correction, root):
        asked.append(dims)
        spread(out, self, dims, correction, root)

    monkeypatch.setattr(run, "spread", noted)
    rows.var(1)
    monkeypatch.undo()
    rows.var(0)
    assert asked == [(1,)]


def test_one_place_sees_tensors_of_several_classes(rows):
    class Named(torch.Tensor):
        pass

    given = [rows, torch.nn.Parameter(rows.double()), rows.as_subclass(Named), rows.half()]
    assert [tensor.var(1).dtype for tensor in given * 2] == [tensor.dtype for tensor in given] * 2


def test_a_class_changes_what_a_place_has_found(rows, monkeypatch):
    class Renamed(torch.Tensor):
        pass

    renamed = rows.as_subclass(Renamed)
    assert renamed.var(1).dtype is torch.float32
    monkeypatch.setattr(Renamed, "dtype", property(lambda self: torch.int64))
    with pytest.raises(RuntimeError, match="only support floating point"):
        renamed.var(1)
