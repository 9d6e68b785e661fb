"""Norms of matrices and condition numbers."""

from .. import S

A3 = "f(3, 3) + 3 * torch.eye(3)"

SAMPLES = {
    "linalg_matrix_norm": [
        *[S(f"torch.linalg.matrix_norm(x, {order})", x="f(4, 3)") for order in ("1", "-1", "2", "-2", "float('inf')",
                                                                             "-float('inf')", "3", "1j")],
        S("torch.linalg.matrix_norm(x, 2, dim=(0, 2), keepdim=True)", x="f(2, 4, 3)"),
        S("torch.linalg.matrix_norm(x, -1, dim=(1, 0))", x="f(4, 3)"),
        S("torch.linalg.matrix_norm(x, float('inf'), keepdim=True)", x="f(2, 4, 3)"),
        S("torch.linalg.matrix_norm(x, 1, dtype=torch.double)", x="f(4, 3)"),
        S("torch.linalg.matrix_norm(x, 1)", x="c(3, 3)"),
        S("torch.linalg.matrix_norm(x, 2)", x="h(3, 3)"),
        *[S(f"torch.linalg.matrix_norm(x, {order}, keepdim={keep})", x="f(2, 3, 0)")
          for order, keep in (("1", False), ("2", True), ("float('inf')", False))],
    ],
    "linalg_matrix_norm.str_ord": [
        S("torch.linalg.matrix_norm(x)", x="f(4, 3)"),
        S("torch.linalg.matrix_norm(x, 'nuc')", x="f(2, 4, 3)"),
        S("torch.linalg.matrix_norm(x, 'nuc', dim=(0, 1), keepdim=True)", x="f(2, 4, 3)"),
        S("torch.linalg.matrix_norm(x, dtype=torch.double)", x="f(4, 3)"),
        S("torch.linalg.matrix_norm(x, 'x')", x="f(3, 3)"),
        S("torch.linalg.matrix_norm(x)", x="f(3)"),
        S("torch.linalg.matrix_norm(x)", x="i(3, 3)"),
        S("torch.linalg.matrix_norm(x, dim=(0,))", x="f(3, 3)"),
        S("torch.linalg.matrix_norm(x, dim=(0, 0))", x="f(3, 3)"),
    ],
    "linalg_norm": [
        S("torch.linalg.norm(x)", x="f(2, 4, 3)"),
        S("torch.linalg.norm(x, 2)", x="f(4, 3)"),
        S("torch.linalg.norm(x, 2)", x="f(4)"),
        S("torch.linalg.norm(x, 3, dim=1)", x="f(4, 3)"),
        S("torch.linalg.norm(x, dim=(0, 1))", x="f(4, 3)"),
        S("torch.linalg.norm(x, 1, dim=(0, 1), keepdim=True)", x="f(4, 3)"),
        S("torch.linalg.norm(x, 2)", x="f(2, 4, 3)"),
        S("torch.linalg.norm(x, 2, dim=(0, 1, 2))", x="f(2, 4, 3)"),
        S("torch.linalg.norm(x)", x="i(3)"),
    ],
    "linalg_norm.ord_str": [
        S("torch.linalg.norm(x, 'fro')", x="f(4, 3)"),
        S("torch.linalg.norm(x, 'nuc', dim=(0, 1))", x="f(4, 3)"),
        S("torch.linalg.norm(x, 'fro')", x="f(4)"),
    ],
    "frobenius_norm.dim": [S("torch.frobenius_norm(x, dim=(0, 1))", x="f(3, 4)"),
                           S("torch.frobenius_norm(x, 1, True)", x="f(3, 4)")],
    "nuclear_norm": [S("torch.nuclear_norm(x)", x="f(3, 4)")],
    "nuclear_norm.dim": [S("torch.nuclear_norm(x, dim=(0, 1))", x="f(3, 4)")],
    "linalg_cond": [
        *[S(f"torch.linalg.cond(x{order})", x=A3)
          for order in ("", ", 2", ", -2", ", 1", ", -1", ", float('inf')", ", 3")],
        S("torch.linalg.cond(x, 1)", x="torch.zeros(3, 3)"),
        S("torch.linalg.cond(x)", x="f(0, 3, 3)"),
        S("torch.linalg.cond(x)", x="f(3, 0, 0)"),
        S("torch.linalg.cond(x, 1)", x="f(3, 4)"),
        S("torch.linalg.cond(x)", x="f(3)"),
    ],
    "linalg_cond.p_str": [
        S("torch.linalg.cond(x, 'fro')", x="f(2, 3, 3) + 3 * torch.eye(3)"),
        S("torch.linalg.cond(x, 'nuc')", x=A3),
        S("torch.linalg.cond(x, 'x')", x=A3),
    ],
}
