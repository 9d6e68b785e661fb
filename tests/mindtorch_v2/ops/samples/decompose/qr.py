"""The QR decomposition."""

from .. import S

SAMPLES = {
    "linalg_qr": [
        *[S(f"torch.linalg.qr(x{mode})", x=x) for x, mode in (
            ("f(4, 3)", ""), ("f(3, 4)", ""), ("f(2, 4, 3)", ""), ("f(4, 3)", ", 'complete'"), ("f(4, 3)", ", 'r'"),
            ("f(3, 4)", ", 'complete'"), ("f(2, 3, 4)", ", 'r'"), ("f(3, 3)", ""), ("d(2, 3, 3)", ""), ("c(3, 3)", ""),
            ("c(4, 2)", ""), ("c(2, 3)", ""), ("f(0, 3)", ""), ("f(3, 0)", ""), ("f(3)", ""), ("f(3, 3)", ", 'q'"),
            ("i(3, 3)", ""), ("h(3, 3)", ""))],
        S("torch.linalg.qr(x).Q", x="f(3, 4)"),
        S("torch.linalg.qr(x.T).R", x="f(3, 4)"),
    ],
    "qr": [S("torch.qr(x)", x="f(4, 3)"), S("x.qr(some=False)", x="f(3, 3)"), S("torch.qr(x)", x="f(3)")],
}
