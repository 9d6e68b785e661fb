"""The safetensors package works on our tensors where ``torch`` is us."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("safetensors")

PROGRAM = """
import mindtorch_v2
mindtorch_v2.install_as_torch()
import torch
from safetensors import safe_open
from safetensors.torch import load, load_file, load_model, save, save_file, save_model

folder = r"{folder}"
names = ("float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool uint16 uint32 uint64 float8_e4m3fn "
         "float8_e5m2 complex64").split()
tensors = {{name: torch.tensor([1.0, 2.0, 3.0, 4.0]).to(getattr(torch, name)) for name in names}}
tensors |= {{"empty": torch.empty(0, 3), "matrix": torch.arange(6.0).reshape(2, 3)}}
save_file(tensors, folder + "/a.safetensors", metadata={{"made by": "us"}})
for loaded in (load_file(folder + "/a.safetensors"), load(save(tensors)), torch.load(folder + "/a.safetensors")):
    for name, tensor in tensors.items():
        assert (loaded[name].dtype, loaded[name].shape) == (tensor.dtype, tensor.shape), name
        assert loaded[name].tolist() == tensor.tolist(), name
with safe_open(folder + "/a.safetensors", framework="pt") as file:
    assert file.metadata() == {{"made by": "us"}}
    assert file.get_slice("matrix")[0:1, 1:3].tolist() == [[1, 2]]


def model():
    made = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
    made.add_module("tied", made[0])
    return made


first, second = model(), model()
save_model(first, folder + "/m.safetensors")
assert load_model(second, folder + "/m.safetensors") == (set(), [])
assert torch.equal(first[0].weight, second.tied.weight)
try:
    save_file({{"a": tensors["matrix"], "row": tensors["matrix"][0]}}, folder + "/b.safetensors")
except RuntimeError as error:
    assert "share memory" in str(error)
print("done")
"""


def test_safetensors_saves_and_loads_tensors_and_models(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(folder=tmp_path)], capture_output=True, text=True)
    assert done.stdout.strip() == "done", done.stderr
