"""Attention and transformers: their text, their numbers, their checks."""

from __future__ import annotations

import copy
import pickle

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional

from .cases import attention, sdpa, transformer
from .recorded import check


@pytest.mark.parametrize("name", attention.CASES)
def test_attention_computes_as_torch_does(name):
    check("attention", name, attention.CASES[name])


@pytest.mark.parametrize("name", transformer.CASES)
def test_transformers_compute_as_torch_does(name):
    check("transformer", name, transformer.CASES[name])


@pytest.mark.parametrize("name", sdpa.CASES)
def test_scaled_dot_product_attention_computes_as_torch_does(name):
    check("sdpa", name, sdpa.CASES[name])


@pytest.mark.parametrize("function", [torch.relu, functional.gelu, functional.linear, torch.Tensor.relu])
def test_functions_are_copied_and_pickled_as_themselves(function):
    assert copy.deepcopy(function) is function
    assert copy.copy(function) is function
    assert pickle.loads(pickle.dumps(function)) is function


def test_layers_with_hooks_give_zeros_at_padding_too():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    plain = torch.nn.TransformerEncoder(layer, 2).eval()
    hooked = copy.deepcopy(plain)
    seen = []
    hooked.layers[1].register_forward_hook(lambda module, given, result: seen.append(result.shape))
    x, padding = torch.randn(2, 3, 8), torch.tensor([[False, False, False], [False, True, True]])
    with torch.no_grad():
        expected, result = plain(x, src_key_padding_mask=padding), hooked(x, src_key_padding_mask=padding)
    assert seen == [(2, 3, 8)]
    assert torch.allclose(result, expected, atol=1e-6)
    assert not result[1, 1:].any()
