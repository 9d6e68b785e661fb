"""Types that few ops take, against what PyTorch answered: large unsigned integers, floats of eight bits, complex32."""

from __future__ import annotations

import gzip
import json
import pathlib

import pytest

import mindtorch_v2 as torch

from .rare_type_cases import CASES, NAMES, answer, attributes, pairs

RECORDED = json.loads(gzip.decompress((pathlib.Path(__file__).parents[1] / "data" / "rare_types.json.gz").read_bytes()))


@pytest.mark.parametrize("name", NAMES)
def test_a_rare_type_does_what_it_does_in_pytorch(name):
    recorded = RECORDED["answers"][name]
    different = {expression: (ours, recorded[expression]) for expression in CASES
                 if (ours := answer(torch, name, expression)) != recorded[expression]}
    assert different == {}


def test_types_say_of_themselves_what_pytorch_s_do():
    ours, theirs = attributes(torch), RECORDED["attributes"]
    assert "has no limits of torch.float4_e2m1fn_x2" in ours["float4_e2m1fn_x2"][7]
    ours["float4_e2m1fn_x2"][7] = theirs["float4_e2m1fn_x2"][7]  # PyTorch's words there are an accident
    assert ours.keys() == theirs.keys()
    assert {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]} == {}


def test_two_types_have_the_common_type_that_they_have_in_pytorch():
    ours = pairs(torch)
    different = {names: (ours[names], said) for names, said in RECORDED["pairs"].items() if ours[names] != said}
    accidents = {names for names, (_, said) in different.items() if "INTERNAL ASSERT" in said[0]}
    assert {names: pair for names, pair in different.items() if names not in accidents} == {}
    assert all(ours[names][0].endswith("is not supported") for names in accidents)


def test_bytes_without_meaning_are_made_moved_and_refused_everything_else():
    x = torch.zeros(2, dtype=torch.bits8)
    assert repr(x) == "tensor(..., size=(2,), dtype=torch.bits8)"
    assert torch.cat([x, x]).clone().view(torch.uint8).tolist() == [0] * 4
    refused = [(lambda: torch.ones(2, dtype=torch.uint4), "fill_cpu"), (lambda: x.to(torch.float32), "copy_"),
               (lambda: torch.ones(2).to(torch.int4), "copy_"), (lambda: x + x, "add_stub"),
               (lambda: x[0].item(), "_local_scalar_dense_cpu")]
    for call, words in refused:
        with pytest.raises(NotImplementedError, match=f'"{words}" not implemented for'):
            call()
    with pytest.raises(RuntimeError, match="store_scalar: invalid type"):
        torch.tensor([1], dtype=torch.quint8)


def test_numbers_beyond_a_type_round_as_in_pytorch():
    beyond = [1000.0, 1e6, -3.3, 3.0]
    assert repr(torch.tensor(beyond, dtype=torch.float8_e4m3fn).tolist()) == "[448.0, 448.0, -3.25, 3.0]"
    assert repr(torch.tensor(beyond, dtype=torch.float8_e5m2).tolist()) == "[1024.0, inf, -3.5, 3.0]"
    assert repr(torch.tensor(beyond, dtype=torch.float8_e4m3fnuz).tolist()) == "[nan, nan, -3.25, 3.0]"
    assert repr(torch.tensor(beyond, dtype=torch.float8_e8m0fnu).tolist()) == "[1024.0, 1048576.0, 4.0, 4.0]"
    assert torch.tensor([2**64 - 1], dtype=torch.uint64).item() == 2**64 - 1
    with pytest.raises(RuntimeError, match="value cannot be converted to type c10::Float8_e4m3fn without overflow"):
        torch.full((2,), 1e6, dtype=torch.float8_e4m3fn)
    with pytest.raises(TypeError, match="Got unsupported ScalarType Float8_e5m2"):
        torch.ones(1, dtype=torch.float8_e5m2).numpy()
