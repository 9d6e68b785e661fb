"""Truth values and counts."""

from .. import S

SAMPLES = {
    "any": [S("x.any()", x="b(3, 4)"), S("torch.any(x)", x="f(3, 4)"), S("x.any()", x="f(0)")],
    "any.dim": [S("x.any(1)", x="i(3, 4)"), S("x.any(-1, True)", x="b(3, 4)")],
    "any.all_out": [S("torch.any(x, out=y)", x="f(3, 4)", y="b()")],
    "any.out": [S("torch.any(x, 1, out=y)", x="i(3, 4)", y="b(3)")],
    "any.dims": [S("x.any((0, 2))", x="b(2, 3, 4)")],
    "all": [S("x.all()", x="b(3, 4)"), S("torch.all(x)", x="f(3, 4)")],
    "all.dim": [S("x.all(1)", x="i(3, 4)"), S("x.all(0, True)", x="b(3, 4)")],
    "all.all_out": [S("torch.all(x, out=y)", x="f(3, 4)", y="b()")],
    "all.out": [S("torch.all(x, 1, True, out=y)", x="i(3, 4)", y="b(3, 1)"),
                S("torch.all(x, 1, out=y)", x="f(3, 4)", y="f(3)")],
    "all.dims": [S("x.all((0, 2), True)", x="b(2, 3, 4)")],
    "count_nonzero": [S("torch.count_nonzero(x)", x="i(3, 4)"), S("x.count_nonzero(1)", x="i(3, 4)")],
    "count_nonzero.dim_IntList": [S("torch.count_nonzero(x, (0, 1))", x="i(3, 4)")],
    "_is_all_true": [S("torch._is_all_true(x)", x="b(3, 4)"), S("torch._is_all_true(x > 0)", x="pos(3)")],
    "_is_any_true": [S("torch._is_any_true(x)", x="b(3, 4)"), S("torch._is_any_true(x < 0)", x="pos(3)")],
}
