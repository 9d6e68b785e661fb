"""The rows that resampling, padding and shuffling leave in a profile, forward and back."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = "x = torch.randn(2, 3, 5, 6, requires_grad=True); v = torch.randn(1, 2, 3, 4, 5, requires_grad=True); s = torch.randn(2, 3, 7, requires_grad=True); g = torch.zeros(2, 4, 3, 2, requires_grad=True); p = torch.randn(2, 8, 4, 4, requires_grad=True); t = torch.randn(2, 2, 3, requires_grad=True)\n"
LAST = "x = x.detach().contiguous(memory_format=torch.channels_last).requires_grad_(); v = v.detach().contiguous(memory_format=torch.channels_last_3d).requires_grad_()\n"
CALLS = (
    "F.interpolate(s, 9)", "F.interpolate(s, 9, mode='nearest-exact')", "F.interpolate(s, 9, mode='linear')", "F.interpolate(s, 9, mode='area')", "F.interpolate(x, (8, 9))", "F.interpolate(x, scale_factor=2)",
    "F.interpolate(x, (127, 2))", "F.interpolate(x, (8, 9), mode='bilinear')", "F.interpolate(x, (8, 9), mode='bicubic')", "F.interpolate(x, (8, 9), mode='bilinear', antialias=True)", "F.interpolate(x, (8, 9), mode='lanczos', antialias=True)",
    "F.interpolate(v, (4, 5, 6))", "F.interpolate(v, (4, 5, 6), mode='trilinear')", "F.interpolate(v, 2, mode='area')", "F.upsample(x, 4)", "nn.Upsample(scale_factor=2, mode='bilinear')(x)", "nn.UpsamplingNearest2d(8)(x)",
    "F.grid_sample(x, g, align_corners=False)", "F.grid_sample(x.detach(), g, align_corners=False)", "F.grid_sample(x, g.detach(), align_corners=False)", "F.affine_grid(t, (2, 3, 4, 5), align_corners=False)",
    "F.pixel_shuffle(p, 2)", "F.pixel_unshuffle(p, 2)", "F.channel_shuffle(p, 2)", "nn.PixelShuffle(2)(p)",
    *(f"nn.{kind}Pad{rank}d(1)({name})" for kind in ("Circular", "Reflection", "Replication", "Zero") for rank, name in ((1, "s"), (2, "x"), (3, "v"))), "nn.ConstantPad2d((1, -1, 0, 2), 3.5)(x)",
)

CASES = {
    **{call: (S, f"{call}.sum().backward()") for call in CALLS},
    **{f"{call} last": (S + LAST, f"y = {call}; y.backward(y.detach())") for call in CALLS if "(x" in call or "(v" in call},
}
