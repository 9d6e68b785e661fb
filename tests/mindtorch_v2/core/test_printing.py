"""Tensors print byte for byte as torch prints them."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core.printing import get_printoptions, set_printoptions, tensor_text

HERE = Path(__file__).parent
build = runpy.run_path(str(HERE / "printing_cases.py"))["build"]
FACTS = json.loads(gzip.decompress((HERE.parent / "data" / "printing.json.gz").read_bytes()))


@pytest.fixture(autouse=True)
def default_options():
    set_printoptions(profile="default")
    yield
    set_printoptions(profile="default")


def array_of(recipe: dict) -> np.ndarray:
    array = build(recipe)
    return array.astype(ml_dtypes.bfloat16) if recipe["dtype"] == "bfloat16" else array


def text_of(recipe: dict) -> str:
    set_printoptions(**recipe.get("options", {}))
    grad = recipe.get("grad")
    return tensor_text(
        array_of(recipe),
        name=recipe.get("name", "tensor"),
        default_dtype=recipe.get("default_dtype", "float32"),
        requires_grad=grad is not None,
        grad_fn=None if grad == "leaf" else grad,
        device=recipe.get("device", "cpu"),
    )


WRITTEN = [
    pytest.param(recipe, id=f"{subject} {number}")
    for subject, group in FACTS["written"].items()
    for number, recipe in enumerate(group)
]


@pytest.mark.parametrize("recipe", WRITTEN)
def test_a_chosen_tensor_prints_as_torch_prints_it(recipe):
    assert text_of(recipe) == recipe["text"]


@pytest.mark.parametrize("recipe", FACTS["drawn"], ids=lambda recipe: f"{recipe['dtype']} {recipe['seed']}")
def test_a_random_tensor_prints_as_torch_prints_it(recipe):
    assert text_of(recipe) == recipe["text"]


def test_the_options_after_each_call_are_torchs():
    states = []
    for step in FACTS["options"]:
        set_printoptions(**step["call"])
        states.append(get_printoptions())
    assert states == [step["state"] for step in FACTS["options"]]


def test_changing_the_returned_options_changes_nothing():
    get_printoptions()["precision"] = 9
    assert get_printoptions()["precision"] == 4


@pytest.mark.parametrize("linewidth", [40, 60, 61, 62, 63, 64, 65, 80])
@pytest.mark.parametrize("shape", [(2,), (2, 30), (2, 0)])
def test_an_indent_moves_the_text_as_a_longer_name_would(shape, linewidth):
    set_printoptions(linewidth=linewidth)
    array = np.resize(np.array([1 / 7, 2 / 7]), shape)
    indented = tensor_text(array, name="tensor", indent=4, requires_grad=True)
    assert "****" + indented == tensor_text(array, name="****tensor", requires_grad=True)


def test_the_memory_layout_does_not_show():
    array = np.arange(24, dtype=np.int64).reshape(4, 6)
    assert tensor_text(array.T[::-1]) == tensor_text(np.ascontiguousarray(array.T[::-1]))


def test_a_dtype_numpy_lacks_is_told_by_the_caller():
    assert tensor_text(np.array([1 + 2j], np.complex64), dtype="complex32") == "tensor([1.+2.j], dtype=torch.complex32)"


def test_a_node_hides_requires_grad():
    text = tensor_text(np.ones(1, np.float32), requires_grad=True, grad_fn="AddBackward0")
    assert text == "tensor([1.], grad_fn=<AddBackward0>)"


def test_printing_leaves_the_array_alone():
    array = np.arange(2000, dtype=np.float32)
    array.flags.writeable = False
    assert tensor_text(array).startswith("tensor([0.0000e+00,")
    assert np.array_equal(array, np.arange(2000, dtype=np.float32))


def test_only_the_edges_of_a_huge_view_are_read():
    """All of it would take 28 GB."""
    huge = np.broadcast_to(np.float32(1), (100_000, 70_000))
    assert tensor_text(huge).count("...") == 7


class Named(torch.Tensor):
    """A subclass that says something else than its values."""

    def __repr__(self):
        return super().__repr__(tensor_contents="named")


class Wrapper(torch.Tensor):
    """A subclass that answers for ops."""

    @staticmethod
    def __new__(cls, x):
        return torch.Tensor._make_wrapper_subclass(cls, x.shape, dtype=x.dtype)

    def __repr__(self):
        return super().__repr__(tensor_contents="wrapped")

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


def test_subclasses_put_words_in_the_place_of_values():
    assert repr(torch.ones(2).as_subclass(Named)) == "Named(named)"
    assert repr(Wrapper(torch.ones(2))) == "Wrapper(wrapped)"
    assert repr(torch.nn.Parameter(torch.ones(2).as_subclass(Named))) == "Parameter(Named(named, requires_grad=True))"
    assert torch.Tensor.__repr__(torch.ones(2)) == "tensor([1., 1.])"
