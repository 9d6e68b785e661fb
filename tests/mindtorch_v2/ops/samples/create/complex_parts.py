"""Complex numbers made of two real ones."""

from .. import S

SAMPLES = {name: [
    S(f"torch.{name}(x, y)", x="f(2, 3)", y="f(3)"),
    S(f"torch.{name}(x, y)", x="d(3)", y="d(3)"),
    S(f"torch.{name}(x.T, y.T)", x="f(2, 3)", y="f(2, 3)"),
    S(f"torch.{name}(x, y)", x="f(0)", y="f(0)"),
    S(f"torch.{name}(x, y)", x="i(3)", y="i(3)"),
    S(f"torch.{name}(x, y)", x="f(3)", y="i(3).double()"),
] for name in ("complex", "polar")}
