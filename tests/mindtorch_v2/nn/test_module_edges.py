"""Every method and every mistake: the whole of nn.Module."""

from __future__ import annotations

import copy

import pytest

import mindtorch_v2 as torch

from .cases.module_edges import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_modules_answer_as_in_torch(name):
    check("module_edges", name, CASES[name])


@pytest.mark.parametrize(("layer", "arguments"), [
    ("Conv2d", (2, 3, 1)), ("ConvTranspose1d", (2, 3, 1)), ("Linear", (2, 3)), ("Bilinear", (2, 2, 2)),
    ("Embedding", (3, 2)), ("EmbeddingBag", (3, 2)), ("LayerNorm", (2,)), ("GroupNorm", (1, 2)), ("RMSNorm", (2,)),
    ("BatchNorm2d", (2,)), ("LSTM", (2, 3)), ("GRUCell", (2, 3)), ("MultiheadAttention", (4, 2)), ("PReLU", ()),
    ("TransformerEncoderLayer", (4, 2)), ("AdaptiveLogSoftmaxWithLoss", (4, 5, [2]))])
def test_a_layer_is_made_on_the_device_of_the_block(layer, arguments):
    with torch.device("meta"):
        module = getattr(torch.nn, layer)(*arguments)
    assert all(tensor.is_meta for tensor in (*module.parameters(), *module.buffers()))


def test_a_subclass_may_register_buffers_as_it_used_to():
    class Older(torch.nn.Module):
        def register_buffer(self, name, value):
            super().register_buffer(name, value)

    module = Older()
    module.kept = torch.nn.Buffer(torch.ones(1))
    assert list(module.state_dict()) == ["kept"]
    with pytest.raises(RuntimeError, match="^Registering a non-persistent buffer on a Module subclass"):
        module.left_out = torch.nn.Buffer(torch.ones(1), persistent=False)


class Unpicklable(torch.nn.Linear):
    def __init__(self):
        super().__init__(2, 2)
        self.function = lambda x: x

    def __getstate__(self):
        state = super().__getstate__()
        del state["function"]
        return state


def test_what_a_program_takes_out_of_the_state_stays_in_the_module():
    module = Unpicklable()
    copied = copy.deepcopy(module)
    assert copied.weight.equal(module.weight) and not hasattr(copied, "function")
    assert module.function(1) == 1


def test_the_state_is_without_what_compiling_left():
    module = torch.nn.Linear(1, 1)
    module._compiled_call_impl = lambda x: x
    assert module.__dict__.keys() - module.__getstate__().keys() == {"_compiled_call_impl"}
