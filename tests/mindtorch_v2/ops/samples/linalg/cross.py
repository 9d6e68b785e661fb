"""The cross product."""

from .. import S

SAMPLES = {
    "linalg_cross": [
        *[S("torch.linalg.cross(x, y)", x=x, y=y) for x, y in (
            ("f(2, 3)", "f(2, 3)"), ("c(2, 3)", "c(2, 3)"), ("i(2, 3)", "i(2, 3)"), ("h(3)", "h(3)"),
            ("f(0, 3)", "f(0, 3)"), ("f(3)", "f(4)"), ("f(3)", "f(2, 3)"), ("f(3)", "i(3)"))],
        S("torch.linalg.cross(x, y, dim=0)", x="f(3, 1)", y="f(3, 4)"),
        S("torch.linalg.cross(x.T, y.T, dim=0)", x="f(2, 3)", y="f(2, 3)"),
        S("torch.linalg.cross(x, y, dim=2)", x="f(3)", y="f(3)"),
    ],
    "cross": [
        S("torch.cross(x, y)", x="f(3, 3)", y="f(3, 3)"),
        S("x.cross(y, dim=1)", x="f(2, 3)", y="f(2, 3)"),
        S("torch.cross(x, y)", x="f(2, 4)", y="f(2, 4)"),
    ],
}
