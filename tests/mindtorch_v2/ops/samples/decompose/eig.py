"""Eigenvalues of any square matrices. How vectors are turned is LAPACK's choice: sizes are compared."""

from .. import S

SIZES = "(lambda r: (r[0], r[1].abs()))({})"

SAMPLES = {
    "linalg_eig": [
        *[S(SIZES.format("torch.linalg.eig(x)"), x=x)
          for x in ("f(3, 3)", "f(2, 3, 3)", "c(3, 3)", "d(2, 2)", "torch.tensor([[2., 1.], [1., 3.]])")],
        S("torch.linalg.eig(x).eigenvalues", x="c(2, 3, 3)"),
        S("torch.linalg.eig(x)", x="f(0, 0)"),
        S("torch.linalg.eig(x)", x="torch.full((3, 3), float('nan'))"),
        *[S("torch.linalg.eig(x)", x=x) for x in ("f(3)", "f(3, 4)", "i(3, 3)")],
    ],
    "linalg_eigvals": [
        *[S("torch.linalg.eigvals(x)", x=x)
          for x in ("f(3, 3)", "c(2, 3, 3)", "d(3, 3)", "torch.tensor([[2., 1.], [1., 3.]])", "f(3, 4)")],
    ],
}
