"""Products of reflections."""

from .. import S

# Reflections as geqrf leaves them, so that their product is orthogonal.
SAMPLES = {
    "geqrf": [
        *[S("torch.geqrf(x)", x=x) for x in ("f(4, 3)", "f(2, 3, 4)", "c(3, 3)", "f(0, 3)", "f(3)", "i(3, 3)")],
        S("x.T.geqrf()", x="d(3, 3)"),
    ],
    "linalg_householder_product": [
        *[S("torch.linalg.householder_product(x, y)", x=x, y=y) for x, y in (
            ("f(4, 3)", "f(3)"), ("f(2, 4, 3)", "f(2, 2)"), ("d(3, 3)", "d(3)"), ("c(4, 2) / 3", "c(2) / 3"),
            ("f(3, 2)", "f(0)"), ("f(3)", "f(3)"), ("f(3, 4)", "f(3)"), ("f(4, 3)", "f(4)"), ("f(4, 3)", "f(1, 3)"),
            ("f(2, 4, 3)", "f(3, 3)"), ("f(4, 3)", "i(3)"), ("i(4, 3)", "i(3)"))],
        S("torch.linalg.householder_product(x.T, y)", x="f(3, 4)", y="f(3)"),
    ],
    "orgqr": [S("torch.orgqr(x, y)", x="f(4, 3)", y="f(3)"), S("x.orgqr(y)", x="f(2, 4, 3)", y="f(2, 3)")],
    "ormqr": [
        *[S(f"torch.ormqr(x, y, z{how})", x=x, y=y, z=z) for x, y, z, how in (
            ("f(4, 3)", "f(3)", "f(4, 2)", ""), ("f(4, 3)", "f(3)", "f(2, 4)", ", left=False"),
            ("f(4, 3)", "f(3)", "f(4, 2)", ", transpose=True"), ("c(4, 3)", "c(3)", "c(4, 2)", ""),
            ("f(4, 3)", "f(3)", "f(2, 4)", ", left=False, transpose=True"),
            ("c(4, 3)", "c(3)", "c(4, 2)", ", True, True"),
            ("c(4, 3)", "c(3)", "c(2, 4)", ", False"), ("f(2, 4, 3)", "f(2, 3)", "f(2, 4, 2)", ""),
            ("f(4)", "f(3)", "f(4, 2)", ""), ("f(4, 3)", "f(3)", "f(4)", ""), ("f(4, 3)", "f(3)", "f(3, 2)", ""),
            ("f(4, 3)", "f(3)", "f(3, 2)", ", left=False"), ("f(4, 3)", "f(4)", "f(4, 2)", ""),
            ("f(4, 3)", "f(1, 3)", "f(4, 2)", ""), ("f(2, 4, 3)", "f(2, 3)", "f(3, 4, 2)", ""),
            ("f(2, 4, 3)", "f(3, 3)", "f(2, 4, 2)", ""), ("f(4, 3)", "i(3)", "f(4, 2)", ""),
            ("f(4, 3)", "f(3)", "i(4, 2)", ""))],
        S("x.ormqr(y, z)", x="f(4, 3).T.contiguous().T", y="f(3)", z="f(4, 2)"),
        S("torch.ormqr(x, t, y)", x="f(3, 0)", t="f(0)", y="f(3, 2)")],
}
