"""What programs pickle without torch.save is written under torch's names, and what PyTorch pickled is read."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import nn

from . import pickled
from .recorded import recorded

# What cannot be the same: our Tensor has no class below it.
TENSOR_BASE = {"torch._C.TensorBase": "torch.Tensor"}


@pytest.fixture(scope="module")
def program() -> dict:
    """What our own run of the program says, of its pickles and of PyTorch's."""
    theirs = {line: content for line, (_, content) in recorded()["pickled"]["written"].items()}
    done = subprocess.run([sys.executable, "-m", "mindtorch_v2", "run", pickled.__file__], input=json.dumps(theirs),
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("line", pickled.OBJECTS)
def test_an_object_is_written_under_torch_s_names(program, line):
    theirs = [TENSOR_BASE.get(name, name) for name in recorded()["pickled"]["written"][line][0]]
    assert program["written"][line][0] == theirs


@pytest.mark.parametrize("line", pickled.OBJECTS)
def test_a_pickle_of_pytorch_is_read(program, line):
    assert program["read"][line] == recorded()["pickled"]["read"][line]


@pytest.mark.parametrize("obj", [torch.float8_e4m3fn, torch.sin, torch.nn.functional.gelu, torch.fft.fft, torch.norm,
                                 torch.Tensor.add, torch.Tensor.backward, torch.return_types.max])
def test_what_there_is_once_is_not_copied(obj):
    assert pickle.loads(pickle.dumps(obj)) is obj and copy.deepcopy(obj) is obj


def test_storages_are_pickled_with_their_bytes():
    untyped = pickle.loads(pickle.dumps(torch.tensor([1, 2], dtype=torch.uint8).untyped_storage()))
    assert type(untyped) is torch.UntypedStorage and untyped.tolist() == [1, 2]
    assert pickle.loads(pickle.dumps(torch.tensor([1, 2], dtype=torch.uint16))).tolist() == [1, 2]


def test_a_generator_goes_on_where_it_was():
    generator = torch.Generator().manual_seed(1)
    torch.rand(3, generator=generator)
    again = pickle.loads(pickle.dumps(generator))
    assert torch.equal(torch.rand(3, generator=again), torch.rand(3, generator=generator))


def test_a_hook_of_a_copied_module_gets_the_copy():
    module, told = nn.Linear(1, 1), []
    module.register_load_state_dict_pre_hook(lambda hooked, *args: told.append(hooked))
    copied = copy.deepcopy(module)
    copied.load_state_dict(module.state_dict())
    assert told == [copied]
