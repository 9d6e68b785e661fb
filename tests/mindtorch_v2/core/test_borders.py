"""Nothing a user can say makes a tensor leave its memory, or have more dimensions than there are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("borders.py")
TOO_MANY = "RuntimeError: tensors of more than 64 dimensions are not supported, got {} dimensions"
NEGATIVE = "RuntimeError: as_strided: Negative strides are not supported at the moment, got strides: {}"
OVERFLOW = "RuntimeError: Storage size calculation overflowed with sizes={}"
OFFSET = "RuntimeError: Tensor: invalid storage offset {}"
OUTSIDE = ("RuntimeError: setStorage: sizes {}, strides {}, storage offset {}, and itemsize 4 requiring a storage size "
           "of {} are out of bounds for storage of size 16")
NO_MEMORY = ("RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate {} bytes. Error code 12 "
             "(Cannot allocate memory)")

DIMENSIONS = {
    "torch.ones([1] * 64).dim()": "64",
    "torch.ones([1] * 65)": TOO_MANY.format(65),
    "torch.zeros([1] * 100)": TOO_MANY.format(100),
    "torch.empty([0] * 100)": TOO_MANY.format(100),
    "torch.ones(1).view([1] * 100)": TOO_MANY.format(100),
    "torch.ones(2, 2).t()[:1, :1].reshape([1] * 100)": TOO_MANY.format(100),
    "torch.ones(1).expand([1] * 100)": TOO_MANY.format(100),
    "torch.ones([1] * 64).unsqueeze(0)": TOO_MANY.format(65),
    "torch.ones([1] * 64)[None]": TOO_MANY.format(65),
    "torch.ones(2)[(None,) * 70]": TOO_MANY.format(65),
    "torch.ones(1).as_strided([1] * 65, [1] * 65)": TOO_MANY.format(65),
    "torch.stack([torch.ones([1] * 64)] * 2)": TOO_MANY.format(65),
    "torch.ones(1).resize_([1] * 65)": TOO_MANY.format(65),
    "torch.ones([2] + [1] * 63).permute(list(range(63, -1, -1))).shape[-1]": "2",
    "torch.ones(2).set_(torch.ones(1).untyped_storage(), 0, [1] * 65, [1] * 65)": TOO_MANY.format(65),
    "torch.ops.aten._reshape_alias(torch.ones(1), [1] * 65, [1] * 65)": TOO_MANY.format(65),
    "torch.empty_strided([1] * 65, [2] * 65)": TOO_MANY.format(65),
    "torch.tensor(eval('[' * 65 + '1' + ']' * 65))": TOO_MANY.format(65),
}

SIZES = {
    "torch.empty(2**62, 8)": OVERFLOW.format([2**62, 8]),
    "torch.empty(2**62, 2**62, 0)": OVERFLOW.format([2**62, 2**62, 0]),
    "torch.full((2**40, 2**40), 1.0)": OVERFLOW.format([2**40, 2**40]),
    "torch.ones(1).repeat(2**62)": OVERFLOW.format([2**62]),
    "torch.arange(2**62)": OVERFLOW.format([2**62]),
    "torch.empty_strided((2,), (2**62,))": OVERFLOW.format([2]) + f" and strides={[2**62]}",
    "torch.empty_strided((2,), (-1,))": OVERFLOW.format([2]) + " and strides=[-1]",
    "torch.empty_strided((2,), (1, 2))":
        "RuntimeError: dimensionality of sizes (1) must match dimensionality of strides (2)",
    "torch.empty(-1)": "RuntimeError: Trying to create tensor with negative dimension -1: [-1]",
    "torch.empty_strided((-2,), (1,))": "RuntimeError: Trying to create tensor with negative dimension -2: [-2]",
    "torch.ones(3).resize_(2**62)": OVERFLOW.format([2**62]),
    "torch.ones(3).resize_(-1)": "RuntimeError: numel: integer multiplication overflow",
    "torch.ones(3).view(2**32, 2**32)": "RuntimeError: shape '[4294967296, 4294967296]' is invalid for input of size 3",
    "torch.ones(0).view(2**32, 2**32)": "RuntimeError: numel: integer multiplication overflow",
    "torch.empty(2**50)": NO_MEMORY.format(2**52),
    "torch.zeros(2**50)": NO_MEMORY.format(2**52),
    "torch.bincount(torch.tensor([2**50]))": NO_MEMORY.format(8 * (2**50 + 1)),
    "torch.UntypedStorage(2**62)": NO_MEMORY.format(2**62),
}

VIEWS = {
    "torch.ones(4).as_strided((1,), (1,), -10**9)": OFFSET.format(-10**9),
    "torch.ones(4).as_strided((1,), (1,), -1)": OFFSET.format(-1),
    "torch.ones(4).as_strided((0,), (1,), -400)": OFFSET.format(-400),
    "torch.ones(4).as_strided((1,), (1,), 4)": OUTSIDE.format([1], [1], 4, 20),
    "torch.ones(4).as_strided((1,), (1,), 2**62)": OVERFLOW.format([1]) + " and strides=[1]",
    "torch.ones(4).as_strided((2,), (2**62,), 0)": OVERFLOW.format([2]) + f" and strides={[2**62]}",
    "torch.ones(4).as_strided((2,), (2**63 - 1,), 0)": OVERFLOW.format([2]) + f" and strides={[2**63 - 1]}",
    "torch.ones(4).as_strided((2**62 + 1,), (4,), 0)": OVERFLOW.format([2**62 + 1]) + " and strides=[4]",
    "torch.ones(4).as_strided((1,), (-1,), 2)": NEGATIVE.format([-1]),
    "torch.ones(4).as_strided((-1,), (1,), 0)": OVERFLOW.format([-1]) + " and strides=[1]",
    "torch.ones(4).as_strided((2,), (1, 2), 0)": "RuntimeError: mismatch in length of strides and shape",
    "torch.ones(4).as_strided_((5,), (1,))": OUTSIDE.format([5], [1], 0, 20),
    "torch.as_strided_scatter(torch.ones(4), torch.ones(1), (1,), (1,), -1)": OFFSET.format(-1),
    "torch.as_strided_scatter(torch.ones(4), torch.ones(1), (1,), (1,), 9)": OUTSIDE.format([1], [1], 9, 40),
    "torch.ops.aten._reshape_alias(torch.ones(4), (100,), (1,))": OUTSIDE.format([100], [1], 0, 400),
}

SET = {
    "torch.ones(4).set_(torch.ones(4).untyped_storage(), -1, (1,), (1,))": OFFSET.format(-1),
    "torch.ones(4).set_(torch.ones(4).untyped_storage(), 0, (2,), (-1,))":
        "RuntimeError: Storage size calculation overflowed with sizes=[2] and strides=[-1]",
    "torch.ones(4).set_(torch.ones(4).untyped_storage(), 0, (1, 2), (1,))":
        "RuntimeError: unequal size length (2) and stride length (1)",
    "torch.ones(4).set_(torch.ones(4).untyped_storage(), 2, (2,), (1,))": "tensor (2,) (1,) [1.0, 1.0]",
    "torch.ones(4).set_(torch.ones(4), 0, (10,), (1,)).shape": "torch.Size([10])",
    "torch.ones(4).set_(torch.ones(4), 0, (10,), (1,))[:4]": "tensor (4,) (1,) [1.0, 1.0, 1.0, 1.0]",
    "torch.ones(4).set_(torch.ones(4).untyped_storage(), 0, (2**40,))": NO_MEMORY.format(2**42),
    "torch.ones(4).set_(torch.from_numpy(np.ones(4, np.float32)), 0, (5,), (1,))":
        "RuntimeError: Trying to resize storage that is not resizable",
    "torch.ones(4).set_(torch.UntypedStorage(7)).shape": "torch.Size([1])",
}

# What pickle calls: a tensor of four numbers, with a false offset, size or stride.
_REBUILD = "torch.ones(4).__reduce_ex__(2)[0](torch.ones(4).__reduce_ex__(2)[1][0], {}, False, {{}})"
PICKLED = {
    _REBUILD.format("0, (4,), (1,)"): "tensor (4,) (1,) [1.0, 1.0, 1.0, 1.0]",
    _REBUILD.format("0, (100,), (1,)"): OUTSIDE.format([100], [1], 0, 400),
    _REBUILD.format("-1, (1,), (1,)"): OFFSET.format(-1),
    _REBUILD.format("0, (2,), (-1,)"): NEGATIVE.format([-1]),
    _REBUILD.format("4, (1,), (1,)"): OUTSIDE.format([1], [1], 4, 20),
    _REBUILD.format("0, (1,) * 65, (1,) * 65"): TOO_MANY.format(65),
}

FOREIGN = {
    "torch.from_numpy(np.arange(12.0).reshape(3, 4)[:, 1:])[:, 2:]": "tensor (3, 1) (4, 1) [[3.0], [7.0], [11.0]]",
    "torch.from_numpy(np.arange(12.0).reshape(3, 4)[:, 1:]).untyped_storage().nbytes()": "88",
    "torch.from_dlpack(np.arange(6.0)[::-1])":
        "ValueError: a tensor cannot lie on an array with negative strides; make a copy of the array",
    "torch.from_numpy(np.zeros(9, 'u1')[1:].view('f4'))":
        "ValueError: a tensor cannot lie on an array that is not aligned; make a copy of the array",
    "torch.frombuffer(b'\\0' * 9, dtype=torch.float32, offset=1) + 1": "tensor (2,) (1,) [1.0, 1.0]",
    "torch.frombuffer(b'\\0' * 4, dtype=torch.float32).add_(1)": "ValueError",
    "torch.frombuffer(b'\\0' * 8, dtype=torch.float32)[:1].fill_(1)": "ValueError",
    "torch.frombuffer(b'\\0' * 4, dtype=torch.float32).copy_(torch.ones(1))": "ValueError",
}

UNINITIALISED = {
    "torch.Tensor.__new__(torch.Tensor)": "tensor (0,) (1,) []",
    "torch.Tensor.__new__(torch.Tensor).view(1)": "RuntimeError: shape '[1]' is invalid for input of size 0",
    "torch.Tensor.__new__(type('Sub', (torch.Tensor,), {})) + 1": "tensor (0,) (1,) []",
    "torch.Tensor.__new__(torch.nn.Parameter).sum()": "tensor () () 0.0",
    "hasattr(torch.Tensor, '__setstate_cython__')": "False",
    "torch.dtype.__new__(torch.dtype).numpy": "None",
    "torch.empty(1, dtype=torch.dtype.__new__(torch.dtype))": "TypeError",
}

READ_ONLY = {f"{how}(torch.ones(2), '{name}'{value})": f"AttributeError: attribute '{name}' of"
             for name in ("dtype", "grad_fn", "output_nr", "_mt_array", "_mt_storage", "_mt_base")
             for how, value in (("setattr", ", 5"), ("delattr", ""))}
READ_ONLY |= {f"setattr(torch.ones(2)._mt_storage, '{name}', 0)": f"AttributeError: attribute '{name}' of"
              for name in ("owner", "address", "nbytes", "fixed")}
READ_ONLY |= {f"setattr(torch.float32, '{name}', 0)": f"AttributeError: attribute '{name}' of"
              for name in ("numpy", "itemsize", "code")}

LISTS = {
    "torch.hstack([])": "RuntimeError: hstack expects a non-empty TensorList",
    "torch.vstack([])": "RuntimeError: vstack expects a non-empty TensorList",
    "torch.dstack([])": "RuntimeError: dstack expects a non-empty TensorList",
    "torch.column_stack([])": "RuntimeError: column_stack expects a non-empty TensorList",
    "torch.stack([])": "RuntimeError: stack expects a non-empty TensorList",
    "torch.chain_matmul()": "RuntimeError: chain_matmul(): Expected one or more matrices",
    "torch.ops.aten.linalg_multi_dot([])": "RuntimeError: multi_dot(): expected at least 2 tensors but got 0",
    "torch.ops.aten.linalg_multi_dot([torch.ones(1, 1, 1), torch.ones(1, 1)])":
        "RuntimeError: multi_dot(): the first tensor must be 1D or 2D but got 3D",
    "torch.ops.aten.linalg_multi_dot([torch.ones(1, 1), torch.ones(1), torch.ones(1, 1)])":
        "RuntimeError: multi_dot(): tensor 1 must be 2D but got 1D",
    "torch.ops.aten.nll_loss_backward(torch.ones(()), torch.ones(()), torch.tensor(0), None, 0, -100, torch.ones(()))":
        "RuntimeError: input tensor should be 1D or 2D",
    "torch.ops.aten.nll_loss2d_backward(torch.ones(1), torch.ones(1), torch.tensor(0), None, 0, -100, torch.ones(()))":
        "RuntimeError: only batches of spatial targets supported (3D tensors) but got targets of dimension: 0",
    "torch.ops.aten.embedding_dense_backward(torch.ones(()), torch.tensor(0), 3, -1, False)": "IndexError",
}

_TOO_MANY_PIECES = "RuntimeError: one call gives at most 16777216 tensors"
COUNTS = {
    "torch.ones(0).tensor_split(2**31)": _TOO_MANY_PIECES,
    "torch.ones(0).chunk(2**31)": _TOO_MANY_PIECES,
    "torch.ones(1).expand(2**40).unbind()": _TOO_MANY_PIECES,
    "torch.ones(1).expand(2**40).split(1)": _TOO_MANY_PIECES,
    "len(torch.ones(3).chunk(2**31))": "3",
    "len(repr(torch.ones(1).expand(2**40))) < 200": "True",
}

# An overlapping copy of one piece of memory onto another gives what a copy by way of a third would give.
OVERLAPPING = {
    "(lambda t: (t.view(2, 3).copy_(t[1:4].expand(2, 3)), t)[1])(torch.arange(6.0))":
        "tensor (6,) (1,) [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]",
}

CASES = {**DIMENSIONS, **SIZES, **VIEWS, **SET, **PICKLED, **FOREIGN, **UNINITIALISED, **READ_ONLY, **LISTS, **COUNTS,
         **OVERLAPPING}


@pytest.fixture(scope="module")
def outcomes() -> dict:
    """What each expression gives, up to one that ends the process."""
    done = subprocess.run([sys.executable, PROGRAM], input=json.dumps(list(CASES)), capture_output=True, text=True,
                          timeout=300, check=False)
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.parametrize("source", CASES)
def test_a_border_holds(outcomes, source):
    assert outcomes.get(source, "the process died here or before").startswith(CASES[source])
