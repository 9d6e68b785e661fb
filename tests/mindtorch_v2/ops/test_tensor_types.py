"""torch.FloatTensor and its like are classes: in annotations, isinstance(), pickles and x.type()."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

import mindtorch_v2 as torch

NAMES = ["ByteTensor", "CharTensor", "ShortTensor", "IntTensor", "LongTensor", "HalfTensor", "FloatTensor",
         "DoubleTensor", "BoolTensor", "BFloat16Tensor"]


@pytest.mark.parametrize("name", NAMES)
def test_type_is_a_class_of_tensors_of_one_dtype(name):
    kind = getattr(torch, name)
    assert isinstance(kind, type)
    made = kind(2, 3)
    assert made.dtype is kind.dtype and made.shape == (2, 3) and made.type() == f"torch.{name}"
    assert isinstance(made, kind) and isinstance(made, kind | None)
    assert not isinstance(made, torch.cuda.__dict__[name]) and not isinstance(3, kind)
    assert [other for other in NAMES if isinstance(made, getattr(torch, other))] == [name]


@pytest.mark.parametrize("name", NAMES)
def test_type_is_one_object_through_copies_and_pickles(name):
    kind = getattr(torch, name)
    assert pickle.loads(pickle.dumps(kind)) is copy.deepcopy(kind) is kind


def test_type_stands_in_annotations():
    def forward(ids: torch.LongTensor | None = None, masks: typing.Optional[torch.FloatTensor] = None): ...  # noqa: UP045

    hints = typing.get_type_hints(forward, {"torch": torch, "typing": typing})
    assert hints["ids"] == torch.LongTensor | None
    assert torch.FloatTensor in typing.get_args(hints["masks"])


def test_parameter_is_an_instance_of_its_type():
    assert isinstance(torch.nn.Parameter(torch.ones(2)), torch.FloatTensor)
    assert not issubclass(torch.FloatTensor, torch.Tensor)


@pytest.mark.parametrize(("wanted", "dtype"), [
    (torch.LongTensor, torch.int64), ("torch.LongTensor", torch.int64), (torch.float64, torch.float64),
    (torch.Tensor, torch.float32), ("torch.ComplexFloatTensor", torch.complex64),
])
def test_tensor_is_cast_to_a_type(wanted, dtype):
    assert torch.ones(2, dtype=torch.int32).type(wanted).dtype is dtype


@pytest.mark.parametrize(("wanted", "error", "text"), [
    (int, ValueError, "invalid type: 'int'"),
    ("torch.MissingTensor", ValueError, "invalid type: 'torch.MissingTensor'"),
    (3, TypeError, "dtype must be a type, str, or dtype object"),
    ("torch.cuda.FloatTensor", AssertionError, "Torch not compiled with CUDA enabled"),
])
def test_tensor_is_not_cast_to_what_is_no_type(wanted, error, text):
    with pytest.raises(error, match=text):
        torch.ones(2).type(wanted)


@pytest.mark.parametrize("arguments", [{"data": [1, 2]}, {"other": torch.tensor([1, 2])}])
def test_constructor_takes_its_argument_by_name(arguments):
    assert torch.LongTensor(**arguments).tolist() == [1, 2]


def test_constructor_takes_sizes_and_storages():
    assert torch.LongTensor(size=(2, 3)).shape == (2, 3)
    memory = torch.tensor([1.0, 2.0])
    shown = torch.FloatTensor(memory.untyped_storage())
    shown[0] = 5
    assert memory.tolist() == [5, 2]


def test_types_of_a_device_that_is_not_there_make_nothing():
    assert torch.cuda.FloatTensor.is_cuda and torch.cuda.FloatTensor.dtype is torch.float32
    with pytest.raises(TypeError, match="type torch.cuda.FloatTensor not available"):
        torch.cuda.FloatTensor(2)


def test_type_cannot_be_a_base_class():
    with pytest.raises(TypeError, match="type 'torch.FloatTensor' is not an acceptable base type"):
        class Mine(torch.FloatTensor): ...


def test_default_type_is_set_by_class_and_by_name():
    try:
        torch.set_default_tensor_type(torch.DoubleTensor)
        assert torch.ones(1).dtype is torch.float64
    finally:
        torch.set_default_tensor_type("torch.FloatTensor")
    assert torch.ones(1).dtype is torch.float32
    with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
        torch.set_default_tensor_type(torch.LongTensor)
