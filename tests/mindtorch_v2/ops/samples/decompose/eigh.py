"""Eigenvalues of matrices that are their own adjoint. The signs of vectors are LAPACK's choice: sizes are compared."""

from .. import S

S3 = "(lambda a: a + a.mT)(f(3, 3))"
S23 = "(lambda a: a + a.mT)(f(2, 3, 3))"
H3 = "(lambda a: a + a.mH)(c(3, 3))"
SIZES = "(lambda r: (r[0], r[1].abs()))({})"

SAMPLES = {
    "_linalg_eigh": [S("torch.ops.aten._linalg_eigh(x)[0]", x=S3)],
    "linalg_eigh": [
        S(SIZES.format("torch.linalg.eigh(x)"), x=S3),
        S(SIZES.format("torch.linalg.eigh(x, UPLO='U')"), x=S23),
        S(SIZES.format("torch.linalg.eigh(x)"), x=H3),
        S(SIZES.format("torch.linalg.eigh(x, 'u')"), x=H3),
        S("torch.linalg.eigh(x).eigenvectors.abs()", x="(lambda a: a + a.mT)(d(4, 4))"),
        S("torch.linalg.eigh(x).eigenvalues", x="f(1, 1)"),
        S("torch.linalg.eigh(x)", x="f(0, 0)"),
        S("torch.linalg.eigh(x, UPLO='X')", x=S3),
        *[S("torch.linalg.eigh(x)", x=x) for x in ("f(3)", "f(3, 4)", "i(3, 3)", "h(3, 3).bfloat16()")],
    ],
    "linalg_eigvalsh": [
        S("torch.linalg.eigvalsh(x)", x=S3),
        S("torch.linalg.eigvalsh(x, UPLO='U')", x=S23),
        S("torch.linalg.eigvalsh(x)", x=H3),
        S("torch.linalg.eigvalsh(x)", x="(lambda a: a + a.mT)(d(2, 4, 4))"),
        S("torch.linalg.eigvalsh(x)", x="f(0, 3, 3)"),
        S("torch.linalg.eigvalsh(x)", x="f(3, 4)"),
    ],
}
