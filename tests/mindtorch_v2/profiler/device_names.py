"""A program that brings a device of its own along, step by step, and what each step answers; torch or ours.

The name can be given once in a process: the tests run this file in a process of its own.
"""

from __future__ import annotations

import importlib
import json
import sys

STEPS = """
torch._C._get_privateuse1_backend_name()
activities()
torch.device("npu:0")
torch._register_device_module("npu", module)
torch.utils.rename_privateuse1_backend("cuda")
torch.utils.rename_privateuse1_backend(3)
torch.utils.rename_privateuse1_backend("npu")
torch.utils.rename_privateuse1_backend("npu")
torch.utils.rename_privateuse1_backend("other")
torch._C._get_privateuse1_backend_name()
torch.device("npu:0")
torch.device("npu", 1)
torch.device("privateuseone:0")
torch.device("npu:0") == torch.device("privateuseone:0")
torch.device("npu:x")
torch.device("bogus")
torch.get_device_module("npu")
torch.utils.generate_methods_for_privateuse1_backend(for_tensor=False)
activities()
profiler.ProfilerActivity.PrivateUse1
str(profiler.ProfilerActivity.NPU), profiler.ProfilerActivity.NPU.name, profiler.ProfilerActivity.CPU.name
autograd.DeviceType.NPU, str(autograd.DeviceType.PrivateUse1), autograd.DeviceType.NPU.name
torch._register_device_module("npu", module)
torch._register_device_module("npu", module)
torch.npu
torch.get_device_module("npu")
torch.get_device_module(torch.device("npu:0"))
torch.utils.generate_methods_for_privateuse1_backend()
torch.utils.generate_methods_for_privateuse1_backend()
torch.ones(2).is_npu
torch.ones(2).npu("cpu")
hasattr(torch.nn.Module, "npu")
profiled(activities=[CPU, OWN])
profiled(activities=[OWN, CPU], record_shapes=True)
profiled()
profiled(activities=[CPU])
torch.autograd.profiler.profile(use_device="npu", use_kineto=True).kineto_activities == {CPU, OWN}
""".strip().splitlines()


class Module:
    """Stands for the module of a device; it counts how often somebody waits."""

    waits = 0

    def synchronize(self) -> None:
        Module.waits += 1

    def __repr__(self) -> str:
        return "the module"


def outcomes(root: str) -> list:
    """What each step answers, in words."""
    torch, profiler, autograd = (importlib.import_module(root + part) for part in ("", ".profiler", ".autograd"))
    activity = profiler.ProfilerActivity

    def activities() -> list:
        return sorted(map(repr, profiler.supported_activities()))

    def profiled(**options) -> list:
        Module.waits = 0
        with profiler.profile(**options) as prof:
            torch.ones(2)
        return [prof.use_device, prof.profiler.use_device, prof.profiler.profiler_kind.name, Module.waits,
                prof.events()[0].use_device, len(prof.key_averages().table().splitlines())]

    known = {"torch": torch, "profiler": profiler, "autograd": autograd, "activities": activities, "module": Module(),
             "profiled": profiled, "CPU": activity.CPU, "OWN": activity.PrivateUse1}
    return [[step, _outcome(step, known)] for step in STEPS]


def _outcome(step: str, known: dict) -> str:
    try:
        return repr(eval(step, known))  # noqa: S307  the steps stand above
    except Exception as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    print(json.dumps(outcomes(sys.argv[1])))
