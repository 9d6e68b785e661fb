"""A copy with a part replaced."""

from .. import S

SAMPLES = {
    "select_scatter": [S("torch.select_scatter(x, y, 0, 1)", x="f(3, 4)", y="f(4)")],
    "slice_scatter": [S("torch.slice_scatter(x, y, 1, 1, 3)", x="f(3, 4)", y="f(3, 2)")],
    "diagonal_scatter": [S("torch.diagonal_scatter(x, y)", x="f(3, 4)", y="f(3)")],
    # x detached: torch gives it the gradient of what was replaced, ours that of what was kept
    "as_strided_scatter": [S("torch.as_strided_scatter(x.detach(), y, (2, 2), (4, 1), 1)", x="f(3, 4)", y="f(2, 2)")],
}
