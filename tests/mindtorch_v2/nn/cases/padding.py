"""Layers that pad, and convolutions of padded inputs: text, numbers, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

X = {1: "torch.randn(2, 4, 7)", 2: "torch.randn(2, 4, 5, 6)", 3: "torch.randn(1, 4, 3, 4, 5)"}
KINDS = ("Circular", "Reflection", "Replication", "Zero")
MODES = ("zeros", "reflect", "replicate", "circular")
BACK = "y.backward(torch.linspace(-1, 1, y.numel(), dtype=y.dtype).view(y.shape))"

CASES = {
    **{f"{kind}Pad{rank}d": f"m = nn.{kind}Pad{rank}d(1)\nx = {X[rank]}.requires_grad_()\ny = m(x)\n{BACK}\nout = [repr(m), y, x.grad, m(x[0]), m.padding, m.__constants__, list(m.state_dict())]" for kind in KINDS for rank in X},
    **{f"ConstantPad{rank}d": f"m = nn.ConstantPad{rank}d(1, 2.5)\nout = [repr(m), m({X[rank]}), m.value, m.__constants__]" for rank in X},
    **{f"{kind}Pad2d uneven": f"m = nn.{kind}Pad2d((1, 2, 0, 3))\nout = [repr(m), m({X[2]})]" for kind in KINDS},
    **{f"{kind}Pad2d cuts": f"nn.{kind}Pad2d((-1, 2, 1, -2))({X[2]})" for kind in KINDS},
    **{f"{kind}Pad{rank}d of {dims}": f"nn.{kind}Pad{rank}d(1)(torch.randn({', '.join(['3'] * dims)}))" for kind in KINDS for rank, dims in ((1, 1), (1, 4), (2, 2), (2, 5), (3, 3), (3, 6))},
    **{f"{kind}Pad1d too wide": f"nn.{kind}Pad1d(9)({X[1]})" for kind in KINDS},
    **{f"Conv{rank}d {mode}": f"m = nn.Conv{rank}d(4, 2, 3, padding=1, padding_mode={mode!r}).double()\nx = {X[rank]}.double().requires_grad_()\ny = m(x)\n{BACK}\nout = [repr(m), y, x.grad, m.weight.grad, m.bias.grad, m(x[0])]" for rank in X for mode in MODES},
    **{f"Conv{rank}d {mode} same": f"nn.Conv{rank}d(4, 2, 4, padding='same', padding_mode={mode!r}).double()({X[rank]}.double())" for rank in X for mode in MODES[1:]},
    **{f"Conv2d {mode} uneven": f"nn.Conv2d(4, 2, (3, 2), padding=(2, 1), stride=(2, 1), padding_mode={mode!r}, groups=2, bias=False).double()({X[2]}.double())" for mode in MODES},
    **{f"Conv1d {mode} too wide": f"nn.Conv1d(4, 2, 3, padding=9, padding_mode={mode!r})({X[1]})" for mode in MODES[1:]},
    "ConvTranspose2d": "nn.ConvTranspose2d(4, 2, 3, padding_mode='reflect')",
}
