"""Samples of ops/view/conjugation.py: pending conjugates and negatives, and what every kind of op makes of them."""

from .. import S

# Expressions of a complex matrix x, a real one r.
_CONJUGATES = """
    x.conj(); x.conj().conj(); x.conj() * 2; x.conj() + x.conj(); x.conj().sum(); x.conj().resolve_conj(); x.H
    x.conj().clone(); x.conj().t(); x.conj()[0]; x.conj().view(-1); x.conj().reshape(-1); x.mH; x.adjoint()
    x.conj().t().contiguous(); x.conj().real; x.conj().imag; x.conj().imag.resolve_neg(); x.conj().imag + 1
    x.conj().imag.clone(); torch.view_as_real(x.conj())
    x.conj().view(torch.float32); x.conj().imag.view(torch.int32); x.conj().conj_physical()
    x.clone().conj().conj_physical_(); x.clone().conj().add_(1); x.clone().conj().zero_(); x.clone().conj().mul_(2j)
    x.clone().conj().copy_(x); x.clone().copy_(x.conj()); x.conj() @ x; x @ x.conj(); x.conj() @ x.conj(); x.H @ x
    x.conj().mT @ x; torch.bmm(x.conj()[None], x[None]); torch.addmm(x.conj(), x.conj(), x)
    torch.dot(x.conj()[0], x[1]); torch.dot(x[0], x.conj()[1]); torch.dot(x.conj()[0], x.conj()[1])
    torch.vdot(x.conj()[0], x[1]); torch.mv(x.conj(), x[0]); x.conj().to(torch.complex128); x.conj().abs()
    x.conj().angle(); x.conj().exp(); torch.cat([x.conj(), x]); torch.stack([x.conj(), x])
    torch.fft.fft(x.conj()); torch.zeros_like(x.conj()); torch.ones_like(x.conj())
    torch.full_like(x.conj(), 2); x.conj().new_zeros(2); x.conj().detach(); x.conj().expand(3, 2, 2); x.conj().unbind()
    x.conj().split(1); torch.where(r > 0, x.conj(), x); x.conj().index_select(0, torch.tensor([0]))
    torch.add(x.detach(), x.detach(), out=torch.empty(2, 2, dtype=torch.complex64).conj()); x.conj().is_conj()
    torch.is_conj(x.conj()); torch.is_neg(x.conj().imag); torch.einsum('ij,jk', x.conj(), x); x.conj() == x
    torch.linalg.vecdot(x, x); torch.inner(x.conj(), x); x.conj().square(); x.conj().masked_fill(r > 0, 1)
    x.conj().diagonal(); x.conj().sgn(); x.conj().cumsum(0); x.conj().tril(); x.conj().flip(0); torch.kron(x.conj(), x)
    x.conj().mean(); x.conj().norm(); torch.conj(r)
    torch.fft.ihfft(r); torch.fft.ifft(r); torch.fft.hfft(x)
    x.conj().is_contiguous(); torch.polar(r.abs(), r._neg_view()); torch.linalg.solve(x.conj(), x)
""".replace("\n", ";").split(";")
_NEGATIVES = """
    r._neg_view(); r._neg_view().neg(); r._neg_view()._neg_view(); r._neg_view().abs(); r.clone()._neg_view().add_(1)
    torch._neg_view(x); torch.view_as_complex(torch.view_as_real(x)._neg_view()); r._neg_view() @ r; r._neg_view().sum()
    x.conj()._neg_view() * x; (r * 1)._neg_view().mul_(2); r._neg_view().is_neg()
""".replace("\n", ";").split(";")


def _samples(expressions: list[str]) -> list:
    return [S(text.strip(), x="c(2, 2)", r="f(2, 2)") for text in expressions if text.strip()]


SAMPLES = {
    "_conj": _samples(_CONJUGATES),
    "_neg_view": _samples(_NEGATIVES),
    "_conj_copy": [S("torch._conj_copy(x)", x="c(3)")],
    "_conj_copy.out": [S("torch._conj_copy(x.detach(), out=torch.empty(3, dtype=torch.complex64))", x="c(3)")],
    "_neg_view_copy": [S("torch._neg_view_copy(x)", x="f(3)")],
    "_neg_view_copy.out": [S("torch._neg_view_copy(x.detach(), out=torch.empty(3))", x="f(3)")],
    "is_conj": [S("torch.ops.aten.is_conj(x.conj())", x="c(3)")],
    "is_neg": [S("torch.ops.aten.is_neg(x._neg_view())", x="f(3)")],
}
