"""Calls on the CPU pay for other devices only as long as tensors are there or a call is at work there."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import mindtorch_v2 as torch
from mindtorch_v2.core.modes import are_devices_used
assert not are_devices_used()
"""


def run(program: str) -> None:
    """In a process of its own: others' tensors may be on a device."""
    subprocess.run([sys.executable, "-c", START + program], check=True)


@pytest.mark.parametrize("make", [
    "torch.ones(3, device='meta')", "torch.ones(3).to('meta')", "torch.empty(0, device='meta')",
    "torch.ones(3, device='meta')[1:].view(2)", "torch.nn.Linear(2, 2, device='meta')"])
def test_a_device_is_in_use_as_long_as_a_tensor_is_on_it(make):
    run(f"x = {make}\nassert are_devices_used()\ndel x\nassert not are_devices_used()")


def test_graphs_hold_what_they_saved_on_a_device_and_let_it_go():
    run("""
x = torch.ones(3, device="meta", requires_grad=True)
y = (x * x).sum()
y.backward()
assert are_devices_used() and x.grad.device.type == "meta"
del x, y
assert not are_devices_used()
""")


def test_a_device_that_is_named_while_none_is_in_use_is_where_tensors_are_made():
    run("""
for _ in range(2):
    assert torch.ones(2, device="meta").device.type == "meta" and not are_devices_used()
    assert torch.full((2,), 3.0, device=torch.device("meta")).is_meta and not are_devices_used()
    with torch.device("meta"):
        assert torch.nn.Linear(2, 2).weight.is_meta and torch.empty(2).is_meta
    assert torch.ones(2).device.type == torch.ones(2, device="cpu").device.type == "cpu" and not are_devices_used()
""")


def test_a_call_that_fails_on_a_device_leaves_it_unused():
    run("""
for make in (lambda: torch.ones(-1, device="meta"), lambda: torch.ones(2, device="cuda")):
    try:
        make()
    except (RuntimeError, AssertionError):
        pass
    else:
        raise SystemExit("it did not fail")
    assert not are_devices_used() and torch.zeros(2).tolist() == [0.0, 0.0]
""")


def test_threads_use_a_device_each_for_itself():
    run("""
import threading

def make():
    for _ in range(2000):
        assert torch.empty(2, device="meta").is_meta and torch.zeros(1).tolist() == [0.0]
        done.append(1)

done = []
threads = [threading.Thread(target=make) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(done) == 6000 and not are_devices_used()
""")
