"""FLOPs against counts made by hand."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler.session.flops import flops_of
from mindtorch_v2.profiler.views import flops

from .reading import row_of


def t(*shape):
    """A described tensor."""
    return (shape, "float32", ())


def ints(*values):
    return ("[]", *values)


def yes(*values):
    return ("[]", *[("bool", value) for value in values])


WINDOW = (None, ints(1, 1), ints(0, 0), ints(1, 1), 1)
WEIGHTS = ("[]", t(20, 3), t(20, 5), t(20), t(20))

CASES = [
    # torch's seven, as torch counts them
    ("mm", (t(2, 3), t(3, 4)), 48),
    ("mm", (t(2, 3), t(3, 4), t(2, 4)), 48),
    ("addmm", (t(4), t(2, 3), t(3, 4), 1, 1), 48),
    ("bmm", (t(5, 2, 3), t(5, 3, 4)), 240),
    ("baddbmm", (t(5, 2, 4), t(5, 2, 3), t(5, 3, 4), 1, 1), 240),
    ("add", (t(2, 3), t(3), 1), 6),
    ("mul", (t(3), t(2, 3)), 3),
    ("mul", (t(), t()), 1),
    ("mul", (t(0, 3), 2), 0),
    ("conv2d", (t(2, 3, 8, 8), t(6, 3, 3, 3), *WINDOW), 23328),
    ("conv2d", (t(2, 3, 8, 8), t(6, 3, 3, 3), t(6), ints(2, 2), ints(1, 1), ints(1, 1), 1), 10368),
    ("conv2d", (t(2, 4, 8, 8), t(6, 2, 3, 3), None, ints(1, 1), ints(0, 0), ints(1, 1), 2), 15552),
    ("conv2d", (t(2, 4, 8, 8), t(6, 4, 3, 3), None, ints(1, 1), ints(0, 0), ints(2, 2), 1), 13824),
    ("conv2d", (t(3, 8, 8), t(6, 3, 3, 3), *WINDOW), 0),
    ("conv2d", (t(1, 3, 8, 8), t(6, 3, 3, 3), None, ints(1, 1), ("str", "same"), ints(1, 1), 1), 0),
    # vectors: a multiplication and an addition for each number of the matrix
    ("mv", (t(2, 3), t(3)), 12),
    ("addmv", (t(2), t(2, 3), t(3), 1, 1), 12),
    ("addmv_", (t(2), t(2, 3), t(3), 1, 1), 12),
    ("dot", (t(7), t(7)), 14),
    ("addr", (t(2, 3), t(2), t(3), 1, 1), 12),
    ("addbmm", (t(2, 4), t(5, 2, 3), t(5, 3, 4), 1, 1), 240),
    ("_addmm_activation", (t(4), t(2, 3), t(3, 4), 1, 1, ("bool", True)), 48),
    # one channel, a window of 3 over 8 numbers: 6 places of 3 products
    ("conv1d", (t(1, 1, 8), t(1, 1, 3), None, ints(1), ints(0), ints(1), 1), 36),
    ("conv3d", (t(1, 2, 4, 4, 4), t(3, 2, 2, 2, 2), None, ints(2, 2, 2), ints(0, 0, 0), ints(1, 1, 1), 1), 768),
    # every input number meets 6 channels of 3 x 3
    ("conv_transpose2d", (t(2, 4, 8, 8), t(4, 6, 3, 3), None, ints(1, 1)), 2 * 512 * 54),
    # 1728 products and sums forward (4 x 4 places, 6 x 9 weights); as much for each gradient; 96 sums for the bias
    ("convolution_backward", (t(1, 6, 4, 4), t(1, 1, 6, 6), t(6, 1, 3, 3), ints(6), ints(1, 1), ints(0, 0), ints(1, 1),
                              ("bool", False), ints(0, 0), 1, yes(True, True, True)), 2 * 1728 + 96),
    ("convolution_backward", (t(1, 6, 4, 4), t(1, 1, 6, 6), t(6, 1, 3, 3), ints(6), ints(1, 1), ints(0, 0), ints(1, 1),
                              ("bool", False), ints(0, 0), 1, yes(False, True, False)), 1728),
    # 6 heads of 4 queries and 7 keys of width 5, values of width 9
    ("_scaled_dot_product_flash_attention_for_cpu", (t(2, 3, 4, 5), t(2, 3, 7, 5), t(2, 3, 7, 9)), 2 * 6 * 28 * 14),
    ("_scaled_dot_product_flash_attention_for_cpu_backward",
     (t(2, 3, 4, 9), t(2, 3, 4, 5), t(2, 3, 7, 5), t(2, 3, 7, 9)), 2 * 6 * 28 * (15 + 18)),
    # causal: 1 + 2 + 3 + 4 of 28 pairs; where there are more queries than keys, the later ones see all keys
    ("_scaled_dot_product_flash_attention_for_cpu",
     (t(2, 3, 4, 5), t(2, 3, 7, 5), t(2, 3, 7, 9), 0.0, ("bool", True), None, None), 2 * 6 * 10 * 14),
    ("_scaled_dot_product_flash_attention_for_cpu",
     (t(2, 3, 4, 5), t(2, 3, 2, 5), t(2, 3, 2, 9), 0.0, ("bool", True), None, None), 2 * 6 * 7 * 14),
    ("_scaled_dot_product_flash_attention_for_cpu_backward",
     (t(2, 3, 4, 9), t(2, 3, 4, 5), t(2, 3, 7, 5), t(2, 3, 7, 9), t(2, 3, 4, 9), t(2, 3, 4), 0.0, ("bool", True), None,
      None), 2 * 6 * 10 * (15 + 18)),
    # 4 steps of 2 sequences through matrices of 60 and 100 numbers
    ("lstm", (t(4, 2, 3), ("[]", t(1, 2, 5), t(1, 2, 5)), WEIGHTS, ("bool", True), 1), 2 * 8 * 160),
    ("gru", (t(4, 2, 3), t(1, 2, 5), WEIGHTS, ("bool", True), 1), 2 * 8 * 160),
    ("gru", (t(8, 3), t(4), t(1, 2, 5), WEIGHTS, ("bool", True), 1), 2 * 8 * 160),
    ("lstm_cell", (t(2, 3), ("[]", t(2, 5), t(2, 5)), t(20, 3), t(20, 5), t(20), t(20)), 2 * 2 * 160),
    ("mkldnn_rnn_layer", (t(4, 2, 3), t(20, 3), t(20, 5), t(20), t(20)), 2 * 8 * 160),
    # leading terms of the textbooks
    ("linalg_cholesky_ex", (t(6, 6),), 72),
    ("linalg_lu_factor_ex", (t(5, 6, 6),), 5 * 144),
    ("linalg_inv_ex", (t(6, 6),), 432),
    ("_linalg_solve_ex", (t(6, 6), t(6)), 144 + 72),
    ("_linalg_solve_ex", (t(6, 6), t(6, 2)), 144 + 144),
    ("linalg_solve_triangular", (t(6, 6), t(6, 2)), 72),
    ("linalg_qr", (t(9, 6),), 4 * (9 * 36 - 72)),
    ("relu", (t(2, 3),), 0),
]


@pytest.mark.parametrize(("name", "described", "operations"), CASES)
def test_operations_counted_by_hand(name, described, operations):
    assert flops.count(f"aten::{name}", described) == operations


def test_every_formula_has_an_example_or_shares_one():
    tried = {(flops.TORCH | flops.BEYOND).get(f"aten::{name}") for name, *_ in CASES}
    missing = [name for name, formula in (flops.TORCH | flops.BEYOND).items()
               if formula not in tried and name not in flops.LINEAR_ALGEBRA]
    assert missing == []


def test_no_operation_is_counted_on_two_rows():
    """An op beyond torch's seven leaves its products to what is counted below it; of two such ops the outer counts."""
    names = [("aten::lstm", ""), ("aten::addmm", ""), ("aten::mv", ""), ("aten::addmv_", "")]
    given = [(t(4, 2, 3), t(1, 2, 5), WEIGHTS), (t(4), t(2, 3), t(3, 4), 1, 1), (t(2, 3), t(3)),
             (t(2), t(2, 3), t(3), 1, 1)]
    rows = np.array([0, 1, 2, 3, 0])
    found = flops_of(rows, rows, np.array([-1, 0, -1, 2, -1]), names, given)
    assert found.tolist() == [0, 48, 12, 0, 2 * 8 * 160]


@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_is_counted_on_the_kernel_s_row_forward_and_backward(is_causal):
    query, key, value = (torch.randn(2, 3, 8, 4, requires_grad=True) for _ in range(3))
    with torch.profiler.profile(with_flops=True) as prof:
        attended = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal)
        attended.sum().backward()
    counted = {event.name: event.flops for event in prof.events() if event.flops and "attention" in event.name}
    pairs = 6 * (36 if is_causal else 64)
    assert counted == {"aten::_scaled_dot_product_flash_attention_for_cpu": 2 * pairs * 8,
                       "aten::_scaled_dot_product_flash_attention_for_cpu_backward": 2 * pairs * 20}


def test_a_fused_encoder_layer_is_counted_on_its_products():
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    x = torch.randn(3, 5, 8)
    with torch.no_grad(), profile(with_flops=True) as prof:
        layer(x)
    counted = {event.name: 0 for event in prof.events() if event.flops}
    for event in prof.events():
        if event.flops:
            counted[event.name] += event.flops
    rows, pairs = 3 * 5, 3 * 2 * 5 * 5
    assert counted == {"aten::mm": 2 * rows * 8 * 24, "aten::bmm": 2 * 2 * pairs * 4,
                       "aten::addmm": 2 * rows * 8 * 8 + 2 * rows * 16 * 8,
                       "aten::_addmm_activation": 2 * rows * 8 * 16}


def test_attention_in_ops_is_counted_on_its_products():
    query = torch.randn(2, 3, 8, 4)
    with torch.profiler.profile(with_flops=True) as prof:
        torch.nn.functional.scaled_dot_product_attention(query, query, query, dropout_p=0.5)
    counted = {event.name: event.flops for event in prof.events() if event.flops}
    assert counted["aten::bmm"] == 2 * 6 * 64 * 4 and not [name for name in counted if "attention" in name]


def test_vectors_are_counted_in_a_profile():
    with profile(with_flops=True) as prof:
        torch.ones(2, 3).mv(torch.ones(3))
        torch.ones(7).dot(torch.ones(7))
    rows = prof.key_averages()
    assert row_of(rows, "aten::mv").flops == 12 and row_of(rows, "aten::dot").flops == 14
    assert rows.total_average().flops == 26
