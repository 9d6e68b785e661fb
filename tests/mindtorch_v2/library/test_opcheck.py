"""torch.library.opcheck, and torch._custom_ops' register of its ops."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._custom_op.impl import global_registry
from mindtorch_v2.library import opcheck

X = torch.ones(3, requires_grad=True)


def made(name: str, function, mutates_args=()):
    op = torch.library.custom_op(f"opcheck_test::{name}", function, mutates_args=mutates_args)
    op.register_fake(lambda x: torch.empty_like(x))
    return op


def good(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def writes(x: torch.Tensor) -> torch.Tensor:
    x.detach().mul_(2)
    return x.clone()


def shortens(x: torch.Tensor) -> torch.Tensor:
    return x[:1].clone()


def test_an_op_that_keeps_its_word_passes():
    op = made("good", good)
    op.register_autograd(lambda ctx, grad: grad * 2)
    assert opcheck(op, (X,)) == {
        "test_schema": "SUCCESS", "test_autograd_registration": "SUCCESS", "test_faketensor": "SUCCESS",
        "test_aot_dispatch_dynamic": "SKIPPED: mindtorch_v2 compiles nothing"}


@pytest.mark.parametrize(("function", "check", "text"), [
    (writes, "test_schema", "Argument x is not defined as mutable but was mutated"),
    (shortens, "test_faketensor", r"the fake says \[\(\(3,\), .*but the op gives \[\(\(1,\)")])
def test_an_op_that_does_not_is_found_out(function, check, text):
    op = made(function.__name__, function)
    with pytest.raises(Exception, match=rf"opcheck\(op, ...\): {check} failed with .*{text}"):
        opcheck(op, (torch.ones(3),))
    assert isinstance(opcheck(op, (torch.ones(3),), test_utils=check, raise_exception=False)[check], RuntimeError)
    with pytest.raises(ValueError, match="expected test_utils to be subset of"):
        opcheck(op, (X,), test_utils="test_nothing")


def test_older_ops_are_registered_and_taken_back():
    torch._custom_ops.custom_op("opcheck_test::older", "(Tensor x) -> Tensor")
    torch._custom_ops.impl("opcheck_test::older", func=lambda x: x + 1)
    assert global_registry["opcheck_test::older"](torch.ones(1)).item() == 2
    global_registry["opcheck_test::older"]._destroy()
    assert not hasattr(torch.ops.opcheck_test, "older")


def test_an_op_that_only_writes_needs_no_function_for_tensors_without_values():
    @torch.library.custom_op("opcheck_test::sine_into", mutates_args={"out"}, device_types="cpu")
    def sine_into(x: torch.Tensor, out: torch.Tensor) -> None:
        out.copy_(x.sin())

    assert sine_into(torch.ones(3, device="meta"), torch.empty(3, device="meta")) is None
    assert opcheck(sine_into, (torch.ones(3), torch.empty(3)))["test_faketensor"] == "SUCCESS"
