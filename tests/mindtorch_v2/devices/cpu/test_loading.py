"""Kernels are loaded with the package: no op's first row shows the time it takes to load them."""

from __future__ import annotations

import subprocess
import sys

STEP = """
import sys
import mindtorch_v2 as torch
import mindtorch_v2.nn, mindtorch_v2.optim
net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LayerNorm(4), torch.nn.GELU(), torch.nn.Dropout())
optimizer = torch.optim.AdamW(net.parameters(), fused=True)
loaded = set(sys.modules)
torch.nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.randint(0, 4, (8,))).backward()
optimizer.step()
print(sorted(set(sys.modules) - loaded))
"""


def test_a_first_training_step_loads_no_module():
    done = subprocess.run([sys.executable, "-c", STEP], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
