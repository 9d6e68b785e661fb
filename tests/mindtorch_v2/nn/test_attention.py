"""Attention and transformers: their text, their numbers, their checks."""

from __future__ import annotations

import copy
import pickle
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional
from mindtorch_v2.nn.attention.flex_attention import AuxRequest, create_block_mask
from mindtorch_v2.nn.attention.flex_attention import flex_attention as flex

from .cases import attention, flex_attention, sdpa, transformer
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


@pytest.mark.parametrize("name", flex_attention.CASES)
def test_flex_attention_computes_as_torch_does(name):
    check("flex_attention", name, flex_attention.CASES[name])


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


def test_flex_attention_has_gradients():
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, 2, 6, 4, dtype=torch.float64, requires_grad=True) for _ in range(3))
    slopes = torch.randn(2, dtype=torch.float64, requires_grad=True)
    mask = create_block_mask(lambda b, h, q, k: q >= k, None, None, 6, 6)

    def attended(query, key, value, slopes):
        return flex(query, key, value, lambda score, b, h, q, k: score + slopes[h] * (q - k), mask)

    assert torch.autograd.gradcheck(attended, (query, key, value, slopes))


def test_flex_attention_gives_the_largest_scores():
    query, key = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 5, 4)
    _, given = flex(query, key, key, scale=1.0, return_aux=AuxRequest(max_scores=True))
    assert given.lse is None
    assert torch.allclose(given.max_scores, (query @ key.transpose(-2, -1)).amax(-1))


def test_flex_attention_is_counted_on_its_products():
    query = torch.randn(2, 3, 8, 4)
    with torch.profiler.profile(with_flops=True) as prof:
        flex(query, query, query)
    assert sum(event.flops for event in prof.events() if event.name == "aten::bmm") == 2 * 2 * 6 * 64 * 4


def test_an_implementation_of_flash_attention_is_kept_and_taken_back():
    removed = []

    class Handle:
        def remove(self):
            removed.append(True)

    attention_module = torch.nn.attention
    attention_module.register_flash_attention_impl("mine", register_fn=Handle)
    assert attention_module.list_flash_attention_impls() == ["mine"]
    attention_module.activate_flash_attention_impl("mine")
    assert attention_module.current_flash_attention_impl() == "mine"
    attention_module.restore_flash_attention_impl()
    assert removed == [True] and attention_module.current_flash_attention_impl() is None
    with pytest.raises(ValueError, match="Unknown flash attention impl 'other'"):
        attention_module.activate_flash_attention_impl("other")


def test_sequences_without_padding_show_no_shape_in_a_profile():
    encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 1).eval()
    padding = torch.tensor([[False, False], [False, True]])
    with warnings.catch_warnings(), torch.no_grad(), torch.profiler.profile(record_shapes=True) as prof:
        warnings.simplefilter("ignore")
        encoder(torch.randn(2, 2, 8), src_key_padding_mask=padding)
    shapes = {event.name: event.input_shapes for event in prof.events()}
    assert shapes["aten::_transformer_encoder_layer_fwd"][:4] == [[], [], [], [24, 8]]
    assert shapes["aten::to_padded_tensor"][0] == []
