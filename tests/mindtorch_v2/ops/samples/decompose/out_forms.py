"""Decompositions into given tensors."""

from .. import S

F, I, C = "torch.empty(0)", "torch.empty(0, dtype=torch.int)", "torch.empty(0, dtype=torch.complex64)"
P3 = "(lambda a: a @ a.mT + torch.eye(3))(f(3, 3))"
A3 = "f(3, 3) + 3 * torch.eye(3)"
DIAGONAL = "torch.diag(torch.tensor([3., 2., 1.]))"  # its vectors have no choice of signs
ROWS = "torch.linalg.lu_factor(f(3, 3))[1]"

SAMPLES = {
    "linalg_cholesky_ex.L": [S("torch.linalg.cholesky_ex(x, out=(o, p))", x=P3, o=F, p=I)],
    "linalg_cholesky.out": [S("torch.linalg.cholesky(x, out=o)", x=P3, o=F)],
    "cholesky.out": [S("torch.cholesky(x, out=o)", x=P3, o=F)],
    "cholesky_solve.out": [S("torch.cholesky_solve(y, x, out=o)", x=A3, y="f(3, 2)", o=F)],
    "cholesky_inverse.out": [S("torch.cholesky_inverse(x, out=o)", x=A3, o=F)],
    "linalg_solve_triangular.out": [
        S("torch.linalg.solve_triangular(x, y, upper=True, out=o)", x=A3, y="f(3, 2)", o=F)],
    "triangular_solve.X": [S("torch.triangular_solve(y, x, out=(o, p))", x=A3, y="f(3, 2)", o=F, p=F)],
    "linalg_lu_factor_ex.out": [S("torch.linalg.lu_factor_ex(x, out=(o, p, q))", x="f(3, 3)", o=F, p=I, q=I)],
    "linalg_lu_factor.out": [S("torch.linalg.lu_factor(x, out=(o, p))", x="f(2, 3, 3)", o=F, p=I)],
    "linalg_lu.out": [S("torch.linalg.lu(x, out=(o, p, q))", x="f(4, 3)", o=F, p=F, q=F)],
    "lu_unpack.out": [S("torch.lu_unpack(x, y, out=(o, p, q))", x="f(3, 3)", y=ROWS, o=F, p=F, q=F)],
    "linalg_lu_solve.out": [S("torch.linalg.lu_solve(x, z, y, out=o)", x=A3, z=ROWS, y="f(3, 2)", o=F)],
    "lu_solve.out": [S("torch.lu_solve(y, x, z, out=o)", x=A3, z=ROWS, y="f(3, 2)", o=F)],
    "_linalg_solve_ex.result": [
        S("torch.ops.aten._linalg_solve_ex(x, y, result=o, LU=p, pivots=q, info=r)", x=A3, y="f(3, 2)", o=F, p=F, q=I,
          r=I)],
    "linalg_solve_ex.out": [S("torch.linalg.solve_ex(x, y, out=(o, p))", x=A3, y="f(3, 2)", o=F, p=I)],
    "linalg_solve.out": [S("torch.linalg.solve(x, y, out=o)", x=A3, y="f(3, 2)", o=F)],
    "linalg_inv_ex.inverse": [S("torch.linalg.inv_ex(x, out=(o, p))", x=A3, o=F, p=I)],
    "linalg_inv.out": [S("torch.linalg.inv(x, out=o)", x=A3, o=F)],
    "inverse.out": [S("torch.inverse(x, out=o)", x=A3, o=F)],
    "_linalg_det.result": [S("torch.ops.aten._linalg_det(x, result=o, LU=p, pivots=q)[0]", x=A3, o=F, p=F, q=I)],
    "linalg_det.out": [S("torch.linalg.det(x, out=o)", x="f(2, 3, 3)", o=F)],
    "_linalg_slogdet.sign": [
        S("torch.ops.aten._linalg_slogdet(x, sign=o, logabsdet=p, LU=q, pivots=r)[:2]", x=A3, o=F, p=F, q=F, r=I)],
    "linalg_slogdet.out": [S("torch.linalg.slogdet(x, out=(o, p))", x="f(2, 3, 3)", o=F, p=F)],
    "slogdet.out": [S("torch.slogdet(x, out=(o, p))", x="f(2, 3, 3)", o=F, p=F)],
    "_linalg_eigh.eigenvalues": [
        S("torch.ops.aten._linalg_eigh(x, eigenvalues=o, eigenvectors=p)[0]", x=P3, o=F, p=F)],
    "linalg_eigh.eigvals": [S("torch.linalg.eigh(x, out=(o, p))", x=DIAGONAL, o=F, p=F)],
    "linalg_eigvalsh.out": [S("torch.linalg.eigvalsh(x, out=o)", x=P3, o=F)],
    "_linalg_svd.U": [S("torch.ops.aten._linalg_svd(x, U=o, S=p, Vh=q)[1]", x="f(3, 4)", o=F, p=F, q=F)],
    "linalg_svd.U": [S("torch.linalg.svd(x, out=(o, p, q))", x=DIAGONAL, o=F, p=F, q=F)],
    "linalg_svdvals.out": [S("torch.linalg.svdvals(x, out=o)", x="f(3, 4)", o=F)],
    "svd.U": [S("torch.svd(x, out=(o, p, q))", x=DIAGONAL, o=F, p=F, q=F)],
    "linalg_qr.out": [S("torch.linalg.qr(x, out=(o, p))", x="f(4, 3)", o=F, p=F)],
    "qr.Q": [S("torch.qr(x, out=(o, p))", x="f(4, 3)", o=F, p=F)],
    "geqrf.a": [S("torch.geqrf(x, out=(o, p))", x="f(4, 3)", o=F, p=F)],
    "linalg_householder_product.out": [
        S("torch.linalg.householder_product(x, y, out=o)", x="f(4, 3)", y="f(3)", o=F)],
    "orgqr.out": [S("torch.orgqr(x, y, out=o)", x="f(4, 3)", y="f(3)", o=F)],
    "ormqr.out": [S("torch.ormqr(x, y, z, out=o)", x="f(4, 3)", y="f(3)", z="f(4, 2)", o=F)],
    "linalg_eig.out": [S("torch.linalg.eig(x, out=(o, p)).eigenvalues", x="f(3, 3)", o=C, p=C)],
    "linalg_eigvals.out": [S("torch.linalg.eigvals(x, out=o)", x="f(3, 3)", o=C)],
    "linalg_ldl_factor_ex.out": [S("torch.linalg.ldl_factor_ex(x, out=(o, p, q))", x=P3, o=F, p=I, q=I)],
    "linalg_ldl_factor.out": [S("torch.linalg.ldl_factor(x, out=(o, p))", x=P3, o=F, p=I)],
    "linalg_ldl_solve.out": [
        S("torch.linalg.ldl_solve(x, z, y, out=o)", x=P3, z="torch.tensor([1, 2, 3], dtype=torch.int)", y="f(3, 2)",
          o=F)],
}
