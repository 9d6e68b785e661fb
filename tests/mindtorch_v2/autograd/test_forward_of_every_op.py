"""Forward mode and backward say the same of every op: <J v, u> = <v, J^T u>, over the recorded samples."""

from __future__ import annotations

import gzip
import json
import pathlib

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import forward_ad

from ..ops import observe
from ..ops.test_every_op import TABLES

REFUSED = "that does not support it"
# Samples for which the way back is not the derivative of the way there, in torch as here, by the number of the sample.
UNEQUAL = {
    ("embedding", 2): "the gradient is scaled by how often an index comes",
    ("linalg_det", 12): "going back, the determinant of a singular matrix has no derivative",
    ("linalg_slogdet", 9): "a singular matrix",
    ("max_unpool2d", 6): "several elements go to one place",
    ("max_unpool3d", 1): "several elements go to one place",
    ("nll_loss_backward", 0): "going back, the sum of the weights is worked out anew",
    ("nll_loss2d_backward", 0): "going back, the sum of the weights is worked out anew",
    ("slice_inverse", 0): "the second operand only lends its geometry",
    ("upsample_nearest3d.vec", 7): "going back, places are worked out from sizes and not from the factor",
}
# Ops that round to half precision on the way, in torch as here: how far the two sides may be apart, relatively.
TOLERANCE = 1e-4
ROUNDED = {"chalf": 2**-10}


def is_exact(tensor) -> bool:
    return tensor.dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128)


def backward_of(sample):
    """The derivatives of a sample by going back from random gradients, and these; None where it cannot."""
    leaves, outs = observe.differentiated(torch, sample, "float64")
    starts = observe.starts_for(torch, outs, np.random.default_rng(11))
    if not outs or not all(map(is_exact, outs)):
        return None
    return list(leaves), starts, torch.autograd.grad(outs, list(leaves.values()), starts, allow_unused=True)


def forward_of(sample, names: list[str]):
    """The tangents of a sample's results for random tangents of its inputs, and these."""
    inputs = observe.Builders(torch, "float64").inputs(sample)
    given = observe.starts_for(torch, [inputs[name] for name in names], np.random.default_rng(12))
    with forward_ad.dual_level():
        for name, tangent in zip(names, given):
            inputs[name] = forward_ad.make_dual(inputs[name], tangent)
        results = observe.tensors_of(torch, observe.evaluate(torch, sample, inputs))
        tangents = [forward_ad.unpack_dual(t).tangent for t in results]
        return given, [tangent for tangent in tangents if tangent is not None]


def array_of(tensor) -> np.ndarray:
    return tensor.detach().resolve_conj().resolve_neg().numpy()


def dot(tensors, others) -> float:
    pairs = [(array_of(a), array_of(b)) for a, b in zip(tensors, others) if a is not None]
    return sum(float((a.conj() * b).real.sum()) for a, b in pairs)


def compare(sample, tolerance: float = TOLERANCE) -> str | None:
    """What is wrong with a sample."""
    try:
        back = backward_of(sample)
    except (RuntimeError, NotImplementedError, TypeError, ValueError, IndexError):
        return None  # a sample of an error, or without a derivative
    if back is None:
        return None
    names, starts, gradients = back
    try:
        given, tangents = forward_of(sample, names)
    except NotImplementedError as error:
        return None if REFUSED in str(error) else str(error)
    if len(tangents) < len(starts):
        return f"{len(tangents)} results have tangents, {len(starts)} have a way back"
    expected, value = dot(gradients, given), dot(starts, tangents)
    if np.isfinite(expected) and np.isfinite(value) and not np.isclose(value, expected, rtol=tolerance, atol=1e-6):
        return f"<J v, u> = {value}, but <v, J^T u> = {expected}"
    return None


@pytest.mark.parametrize("folder", sorted({file.partition("/")[0] for file, _ in TABLES.values()}))
def test_tangents_agree_with_gradients(folder):
    wrong = {}
    for op, (file, rows) in TABLES.items():
        for i, sample in enumerate(rows if file.startswith(folder + "/") else ()):
            message = None if (op, i) in UNEQUAL else compare(sample, ROUNDED.get(op, TOLERANCE))
            if message is not None:
                wrong[f"{op}-{i}: {sample.expression}"] = message
    assert not wrong


DATA = pathlib.Path(__file__).parent.parent / "data" / "derivatives.json.gz"
RECORDED = json.loads(gzip.decompress(DATA.read_bytes()))["tangents"]
# Ops of which the first sample's tangents are others than torch's, and why.
OTHER = {
    **dict.fromkeys(("_foreach_maximum.Scalar", "_foreach_maximum.ScalarList"),
                    "torch adds tangents where the number is the larger one"),
    **dict.fromkeys(("linalg_cholesky", "linalg_cholesky_ex", "linalg_eigh", "cholesky_inverse", "triangular_solve"),
                    "what becomes of a tangent that is not symmetric, or not triangular, as the matrix is"),
    **dict.fromkeys(("native_batch_norm_backward", "native_layer_norm_backward"),
                    "the statistics of the sample are not those of its input, as derivatives assume"),
    **dict.fromkeys(("_softmax_backward_data", "_log_softmax_backward_data", "special_ndtr.out"),
                    "the sample asks for float32 of float64"),
    "polar": "negative lengths, of which torch's gradients are others than its tangents",
    "view_copy.dtype": "refused, though the result are integers",
    "view_as_complex_copy": "autograd does not follow it in either direction",
}


def same(ours: list | None, theirs: list | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return ours[:2] == theirs[:2] and np.allclose(ours[2:], theirs[2:], rtol=1e-4, atol=1e-5, equal_nan=True)


def test_tangents_equal_torch():
    wrong = {}
    for op, (_, rows) in TABLES.items():
        theirs = RECORDED.get(op, {}).get("tangents")
        if theirs is None or op in OTHER:
            continue
        ours = observe.attempt(observe.tangents_of, torch, rows[0])
        if not (len(ours.get("tangents", ())) == len(theirs) and all(map(same, ours["tangents"], theirs))):
            wrong[f"{op}: {rows[0].expression}"] = (ours, theirs)
    assert not wrong
