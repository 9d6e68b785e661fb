"""The rows of norms: a setup, and the call that is watched."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = "x = torch.randn(2, 5, 3, 4, requires_grad=True); u = torch.randn(5, 3, 4, requires_grad=True); s = torch.randn(2, 5, 6, requires_grad=True)\n"
LAYERS = {"InstanceNorm2d(5)": "xu", "InstanceNorm2d(5, affine=True)": "xu", "InstanceNorm2d(5, affine=True, track_running_stats=True)": "xu", "InstanceNorm1d(5, affine=True)": "s",
          "InstanceNorm2d(5, track_running_stats=True).eval()": "xu", "LocalResponseNorm(3)": "xs", "CrossMapLRN2d(3)": "x", "SyncBatchNorm(5)": "xs", "SyncBatchNorm(5).eval()": "x"}
CASES = {
    **{f"{layer}({x})": (f"{S}m = nn.{layer}", f"m({x})") for layer, inputs in LAYERS.items() for x in inputs},
    **{f"{layer}({x}) backward": (f"{S}m = nn.{layer}\ny = m({x}).sum()", "y.backward()") for layer, inputs in LAYERS.items() for x in inputs},
    "InstanceNorm2d channels last": (f"{S}m = nn.InstanceNorm2d(5); x = x.to(memory_format=torch.channels_last)", "m(x).sum().backward()"),
    **{call: (S, f"nn.{call}") for call in ("InstanceNorm1d(3)", "InstanceNorm1d(3, affine=True, track_running_stats=True)", "SyncBatchNorm(3)", "LazyBatchNorm1d()", "LazyInstanceNorm1d()", "UninitializedParameter()", "UninitializedBuffer()")},
    "LazyBatchNorm2d called": (f"{S}m = nn.LazyBatchNorm2d()", "m(x)"),
    "LazyInstanceNorm2d called": (f"{S}m = nn.LazyInstanceNorm2d()", "m(x)"),
    "convert_sync_batchnorm": (f"{S}m = nn.Sequential(nn.BatchNorm1d(3))", "nn.SyncBatchNorm.convert_sync_batchnorm(m)"),
}
