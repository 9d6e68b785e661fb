"""Equations solved as nearly as can be."""

from .. import S

SAMPLES = {
    "linalg_lstsq": [
        *[S(f"torch.linalg.lstsq(x, y{how})", x=x, y=y) for x, y, how in (
            ("f(4, 3)", "f(4, 2)", ""), ("f(4, 3)", "f(4)", ""), ("f(2, 3, 4)", "f(2, 3, 2)", ""),
            ("f(4, 3)", "f(4, 2)", ", driver='gels'"), ("f(2, 4, 3)", "f(2, 4, 2)", ", driver='gels'"),
            ("f(4, 3)", "f(4, 2)", ", driver='gelss'"), ("f(4, 3)", "f(4, 2)", ", driver='gelsd'"),
            ("f(4, 3)", "f(4, 2)", ", rcond=0.1, driver='gelsd'"), ("d(3, 3)", "d(3, 2)", ""),
            ("c(4, 3)", "c(4, 2)", ""), ("f(0, 3)", "f(0, 2)", ""),
            ("f(4)", "f(4, 2)", ""), ("f(4, 3)", "f(3, 2)", ""), ("f(4, 3)", "i(4, 2)", ""),
            ("i(4, 3)", "i(4, 2)", ""), ("f(4, 3)", "f(4, 2)", ", driver='x'"))],
    ],
}
