"""Tensors given as ``out=``, of other types, shapes and strides than the result: values, warnings and errors."""

from __future__ import annotations

import gzip
import json
import pathlib
import sys

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.opdef.table import OPS

from .test_every_op import assert_same_value, full_name

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))  # the recorder runs the same file outside the package
import out_forms  # noqa: E402

FACTS = json.loads(gzip.decompress((HERE.parent / "data" / "out_forms.json.gz").read_bytes()))
# Where torch is not followed, and why.
_IN_C_ORDER = "torch fills memory in C order, whatever the strides: the elements change places"
_VECTORS_FIRST = "torch gives vectors their shape before values, and so the same warnings come in another order"
SIGNED = {
    ("_softmax.out", "turned"): _IN_C_ORDER,
    ("_log_softmax.out", "turned"): _IN_C_ORDER,
    ("avg_pool3d.out", "turned"): _IN_C_ORDER,
    ("linalg_eigh.eigvals", "resized"): _VECTORS_FIRST, ("linalg_svd.U", "resized"): _VECTORS_FIRST,
    ("svd.U", "resized"): _VECTORS_FIRST,
    ("linalg_multi_dot.out", "resized"): "torch.ops writes torch's warnings to the terminal",
    ("linalg_norm.out", "resized"): "torch.ops writes torch's warnings to the terminal",
}
SAMPLES = out_forms.samples()
CASES = [pytest.param(op, way, id=f"{op}-{way}") for op, answers in FACTS.items() for way in answers
         if (op, way) not in SIGNED]


@pytest.mark.parametrize(("op", "way"), CASES)
def test_what_is_given_to_be_written_is_treated_as_torch_does(op, way):
    ours, theirs = out_forms.observed(torch, SAMPLES[op], way), FACTS[op][way]
    assert ours["warnings"] == theirs["warnings"]
    assert ours.get("error") == theirs.get("error")
    assert ours.get("described") == theirs.get("described")
    if "value" in theirs:
        assert_same_value(ours["value"], theirs["value"], like="float32")  # which torch computes in and then casts


# Forms of torch's that are not here, for ops that are, and why.
ABSENT = {
    "writes into a sparse tensor": "hspmm.out sparse_sampled_addmm.out sspaddmm.out",
    "needs an op that is not here": """addmm.dtype_out baddbmm.dtype_out bmm.dtype_out mm.dtype_out""",
    "called by x[...] alone": "index.Tensor_out",
    "no public function of torch.nn takes out= for it": """
        _addmm_activation.out adaptive_avg_pool2d.out adaptive_avg_pool3d.out adaptive_max_pool2d.out
        adaptive_max_pool3d.out binary_cross_entropy.out col2im.out fractional_max_pool2d.output
        fractional_max_pool3d.output glu.out hardswish.out huber_loss.out im2col.out
        max_pool2d_with_indices.out max_pool3d_with_indices.out max_unpool2d.out max_unpool3d.out mse_loss.out
        nll_loss.out nll_loss2d.out nll_loss2d_forward.output nll_loss_forward.output smooth_l1_loss.out""",
    "inner halves of convolutions": """_slow_conv2d_forward.output slow_conv3d.out slow_conv3d_forward.output
        slow_conv_transpose2d.out slow_conv_transpose3d.out thnn_conv2d.out""",
    "they write running statistics besides, and only exporters know them": """
        _batch_norm_with_update.out _native_batch_norm_legit.no_stats_out _native_batch_norm_legit.out""",
}


def test_every_out_form_of_torch_is_here():
    theirs = json.loads(gzip.decompress((HERE.parent / "data" / "out_overloads.json.gz").read_bytes()))
    ours = {full_name(op) for ops in OPS.values() for op in ops}
    absent = [name for name in theirs if name.partition(".")[0] in OPS and name not in ours and "_backward" not in name]
    assert sorted(absent) == sorted(" ".join(ABSENT.values()).split())


def test_every_sample_of_an_out_form_is_recorded():
    assert set(FACTS) == set(SAMPLES)
