"""Singular values. The signs of vectors are LAPACK's choice: sizes are compared."""

from .. import S

SIZES = "(lambda r: (r[0].abs(), r[1], r[2].abs()))({})"

SAMPLES = {
    "_linalg_svd": [S("torch.ops.aten._linalg_svd(x)[1]", x="f(3, 3)")],
    "linalg_svd": [
        *[S(SIZES.format("torch.linalg.svd(x, full_matrices=False)"), x=x)
          for x in ("f(3, 3)", "d(2, 4, 3)", "f(3, 4)", "d(3, 3)")],
        S("(lambda r: (r[0].abs(), r[1]))(torch.linalg.svd(x))", x="f(3, 4)"),
        S("(lambda r: (r[1], r[2].abs()))(torch.linalg.svd(x))", x="f(4, 3)"),
        S("(lambda r: r[0] @ torch.diag(r[1]) @ r[2])(torch.linalg.svd(x.detach()))", x="f(3, 3)"),
        S("torch.linalg.svd(x, full_matrices=False).S", x="c(4, 3)"),
        S("(lambda r: (r[0].abs(), r[2].abs()))(torch.linalg.svd(x))", x="c(3, 3)"),
        S("(lambda r: r[2].abs())(torch.linalg.svd(x, full_matrices=False))", x="c(3, 4)"),
        S("torch.linalg.svd(x)", x="f(0, 3)"),
        S("torch.linalg.svd(x, driver='gesvd')", x="f(3, 3)"),
        S("torch.linalg.svd(x)", x="torch.full((3, 3), float('nan'))"),
        *[S("torch.linalg.svd(x)", x=x) for x in ("f(3)", "i(3, 3)", "h(3, 3).bfloat16()")],
    ],
    "linalg_svdvals": [
        S("torch.linalg.svdvals(x)", x="f(3, 4)"),
        S("torch.linalg.svdvals(x)", x="f(2, 4, 3)"),
        S("torch.linalg.svdvals(x)", x="c(3, 3)"),
        S("torch.linalg.svdvals(x.T)", x="d(4, 3)"),
        S("torch.linalg.svdvals(x)", x="f(0, 3)"),
        S("torch.linalg.svdvals(x)", x="f(3)"),
    ],
    "svd": [
        S(SIZES.format("torch.svd(x)"), x="f(3, 4)"),
        S("(lambda r: r[1])(x.svd(some=False))", x="f(2, 4, 3)"),
        S("torch.svd(x, compute_uv=False)", x="f(3, 4)"),
        S("torch.svd(x)", x="f(3)"),
    ],
}
