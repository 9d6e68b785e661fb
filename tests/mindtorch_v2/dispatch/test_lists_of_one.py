"""Where an op takes a number for each of several dimensions, one number stands for all, but a list of one does not."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.nn import functional

# What torch says of a list of one; None where the op itself takes it for all dimensions.
CALLS = {
    "F.avg_pool2d(x, [2])": None,
    "F.max_pool3d(v, [2])": None,
    "F.conv2d(x, w, stride=[2], padding=(1,))": None,
    "F.adaptive_avg_pool2d(x, [2])": "adaptive_avg_pool2d: output_size must be 2",
    "F.adaptive_max_pool2d(x, [2])": "adaptive_max_pool2d(): internal error: output_size.size() must be 2",
    "F.unfold(x, [2])": "It is expected kernel_size equals to 2, but got size 1",
    "F.fold(torch.ones(1, 12, 16), [5], [2])": "It is expected output_size equals to 2, but got size 1",
    "aten.im2col(x, [2, 2], [1], [0, 0], [1, 1])": "It is expected dilation equals to 2, but got size 1",
    "aten.reflection_pad2d(x, [1])": "padding size is expected to be 4, but got: 1",
    "aten.replication_pad2d(x, [1])": "padding size is expected to be 4",
    "aten.max_unpool2d(x, x.long(), [4])": "There should be exactly two elements (height, width) in output_size, but "
                                           "got 1 elements.",
    "aten.slow_conv3d(v, w3, [3], None, [1], [0])": "It is expected kernel_size equals to 3, but got size 1",
    "aten.thnn_conv2d(x, w, [3, 3], None, [1], [0, 0])": "2D stride expected",
    "aten.slow_conv_dilated2d(x, w, [3, 3], None, [1, 1], [0], [2])": "dilations length should be 2, but got 1",
}


def given() -> dict:
    return {"torch": torch, "F": functional, "aten": torch.ops.aten, "x": torch.ones(2, 3, 8, 8),
            "v": torch.ones(1, 2, 6, 6, 6), "w": torch.ones(4, 3, 3, 3), "w3": torch.ones(2, 2, 3, 3, 3)}


@pytest.mark.parametrize("call", [call for call, words in CALLS.items() if words is None])
def test_ops_that_spread_a_list_of_one_do_it_themselves(call):
    assert eval(call, given()).dim() > 3


@pytest.mark.parametrize("call", [call for call, words in CALLS.items() if words is not None])
def test_a_list_of_one_is_refused_where_torch_wants_one_number_for_each_dimension(call):
    with pytest.raises(RuntimeError) as error:
        eval(call, given())
    assert str(error.value) == CALLS[call]


def test_one_number_stands_for_all_dimensions():
    assert functional.adaptive_avg_pool2d(torch.ones(2, 3, 8, 8), 2).shape == (2, 3, 2, 2)
