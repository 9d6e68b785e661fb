"""Products of matrices and vectors by every name, einsum, and reductions of their results."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    torch.manual_seed(24)
    a, b = torch.randn(3, 4, requires_grad=True), torch.randn(4, 5, requires_grad=True)
    v, u = torch.randn(4, requires_grad=True), torch.randn(3, requires_grad=True)
    x, y = torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 4, 5, requires_grad=True)
    bias = torch.randn(5, requires_grad=True)
    leaves = [a, b, v, u, x, y, bias]
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            parts = [
                a @ b,
                a.mm(b),
                torch.addmm(bias, a, b, beta=0.5, alpha=2),
                a.mv(v),
                a @ v,
                u @ a,
                v.dot(v),
                v @ v,
                torch.outer(u, v),
                torch.ger(u, v),
                torch.addmv(u, a, v),
                torch.addr(a, u, v),
                x.bmm(y),
                x @ y,
                x @ b,
                x @ v,
                torch.baddbmm(bias, x, y),
                torch.addbmm(bias, x, y),
                torch.matmul(a, y),
                torch.matmul(v, y),
                a.t() @ a,
                torch.einsum("ij,jk->ik", a, b),
                torch.einsum("bij,bjk->bik", x, y),
                torch.einsum("i,j->ij", u, v),
                torch.einsum("bij,ij->b", x, a),
                torch.einsum("ij->ji", a),
                torch.einsum("bij,bik->jk", x, x),
                torch.tensordot(x, y, dims=([0, 2], [0, 1])),
                u @ a @ b,
                torch.kron(u, v),
                torch.matmul(a, v),
                a @ b @ b.t(),
                a.T.mT,
            ]
            loss = sum(p.sum() * 0.1 + p.square().mean() for p in parts) + torch.trace(a[:3, :3]) + torch.vdot(u, u)
            loss.backward()
            with torch.no_grad():
                torch.mm(a, b, out=torch.empty(3, 5))
                for leaf in leaves:
                    leaf.addcmul_(leaf.grad, torch.ones_like(leaf), value=-1e-3)
                    leaf.grad = None
            out.append(loss.item())
            prof.step()
    return prof, out
