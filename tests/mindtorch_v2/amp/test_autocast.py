"""torch.autocast: ops in the types that PyTorch's run in, and blocks that end as they should."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.opdef.autocast_policy import FLOAT32, LOWER_PRECISION, POLICIES, WIDEST
from mindtorch_v2.opdef.table import OPS

from ..nn.cases.autocast import CASES
from ..nn.recorded import check

DATA = Path(__file__).parent.parent / "data/autocast.json"
NAMES = {"lower precision": LOWER_PRECISION, "float32": FLOAT32, "widest": WIDEST}


@pytest.mark.parametrize("name", CASES)
def test_autocast_answers_as_torch_does(name):
    check("autocast", name, CASES[name])


def test_the_ops_that_autocast_treats_are_those_of_torch():
    recorded = {name: NAMES[policy] for name, policy in json.loads(DATA.read_text()).items()}
    assert recorded == POLICIES


def test_every_op_of_the_lists_that_is_declared_knows_its_policy():
    declared = {f"{op.name}.{op.overload}" if op.overload else op.name: op.autocast
                for overloads in OPS.values() for op in overloads}
    assert {name: policy for name, policy in declared.items() if policy} == {
        name: policy for name, policy in POLICIES.items() if name in declared}


def test_a_function_that_calls_itself_leaves_autocast_as_it_was():
    @torch.autocast("cpu")
    def countdown(n):
        return torch.is_autocast_enabled("cpu") if n == 0 else countdown(n - 1)

    assert countdown(3) and not torch.is_autocast_enabled("cpu")


def test_a_parameter_kept_in_one_type_is_not_used_for_another():
    x, w = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        first = x @ w
        with torch.autocast("cpu", dtype=torch.float16):
            second = x @ w
    assert (first.dtype, second.dtype) == (torch.bfloat16, torch.float16)


def test_casts_are_kept_no_longer_than_the_outermost_block():
    from mindtorch_v2.core.autocast import _casts
    w = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu"):
        with torch.autocast("cpu"):
            torch.mm(w, w)
        assert len(_casts) == 1
    assert not _casts


def test_tensors_on_the_meta_device_are_not_cast():
    x = torch.empty(2, 2, device="meta")
    with torch.autocast("cpu"):
        assert (x @ x).dtype is torch.float32


def test_the_older_functions_warn_of_their_successors():
    with pytest.warns(DeprecationWarning, match=r"torch\.is_autocast_cpu_enabled\(\) is deprecated\. Please use "
                                                r"torch\.is_autocast_enabled\('cpu'\) instead\."):
        assert not torch.is_autocast_cpu_enabled()
    with pytest.warns(DeprecationWarning, match=r"use torch\.get_autocast_dtype\('cuda'\)"):
        assert torch.get_autocast_gpu_dtype() is torch.float16
    with pytest.warns(DeprecationWarning):
        torch.set_autocast_cpu_dtype(torch.float16)
    assert torch.get_autocast_dtype("cpu") is torch.float16
    torch.set_autocast_dtype("cpu", torch.bfloat16)
