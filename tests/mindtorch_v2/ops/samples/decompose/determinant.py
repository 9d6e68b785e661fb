"""Determinants and their logarithms."""

from .. import S

A23 = "f(2, 3, 3) + 3 * torch.eye(3)"

SAMPLES = {
    "_linalg_det": [S("torch.ops.aten._linalg_det(x)[0]", x="f(3, 3)")],
    "_linalg_slogdet": [S("torch.ops.aten._linalg_slogdet(x)[:2]", x="f(3, 3)")],
    "linalg_det": [
        *[S("torch.linalg.det(x)", x=x) for x in ("f(3, 3)", "f(2, 3, 3)", "c(3, 3)", "c(2, 2, 2)", "f(0, 3, 3)",
                                                  "f(0, 0)", "f(1, 1)", "f(3)", "f(3, 4)", "i(3, 3)", "h(3, 3)")],
        S("torch.linalg.det(x.T)", x="d(4, 4)"),
        S("torch.linalg.det(x)", x="torch.diag(torch.tensor([1., 2., 0.]))"),
    ],
    "det": [S("torch.det(x)", x="f(3, 3)"), S("x.det()", x="f(2, 3, 3)")],
    "linalg_slogdet": [
        *[S("torch.linalg.slogdet(x)", x=x) for x in ("f(3, 3)", "f(2, 3, 3)", "c(3, 3)", "c(2, 2, 2)", "f(0, 0)",
                                                      "f(3, 4)", "i(3, 3)")],
        S("torch.linalg.slogdet(x.T).logabsdet", x="d(4, 4)"),
        S("torch.linalg.slogdet(x).sign", x="c(3, 3)"),
        S("torch.linalg.slogdet(x)", x="torch.zeros(3, 3)"),
    ],
    "slogdet": [S("torch.slogdet(x)", x="f(3, 3)"), S("x.slogdet()", x="f(2, 3, 3)")],
    "logdet": [
        S("torch.logdet(x)", x=A23),
        S("x.logdet()", x="torch.eye(3) + f(3, 3) / 9"),
        S("torch.logdet(x)", x="c(3, 3)"),
        S("torch.logdet(x)", x="-torch.eye(3)"),
        S("torch.logdet(x)", x="f(3, 4)"),
        S("torch.logdet(x)", x="h(3, 3)"),
    ],
}
