# ruff: noqa: E501
"""Statements about gradients of sparse tensors and about rows of profiles."""

from __future__ import annotations

# Gradients of and to sparse tensors.
GRADIENTS = r'''
x = v.clone().requires_grad_(); torch.sparse_coo_tensor(i, x, (2, 3)).to_dense().mul(w).sum().backward(); x.grad
x = v.clone().requires_grad_(); torch.sparse_coo_tensor(i, x, (2, 3)).coalesce().values().pow(2).sum().backward(); x.grad
x = v.clone().requires_grad_(); torch.sparse.mm(torch.sparse_coo_tensor(i, x, (2, 3)), d).sum().backward(); x.grad
x = v.clone().requires_grad_(); y = torch.sparse_coo_tensor(i, x, (2, 3)); (y @ d).sum().backward(); x.grad
x = v.clone().requires_grad_(); torch.sparse_csr_tensor([0, 2, 4], [0, 1, 0, 1], x, (2, 3)).to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.to_dense(masked_grad=False).mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); z = d.clone().requires_grad_(); torch.mm(x, z).pow(2).sum().backward(); [x.grad, z.grad]
x = c.clone().requires_grad_(); z = d.clone().requires_grad_(); torch.sparse.mm(x, z).pow(2).sum().backward(); [x.grad, z.grad]
x = c.clone().requires_grad_(); z = d.clone().requires_grad_(); b0 = torch.ones(2, 4, requires_grad=True); torch.sparse.addmm(b0, x, z, beta=2, alpha=3).pow(2).sum().backward(); [x.grad, z.grad, b0.grad]
x = c.clone().requires_grad_(); torch.sparse.mm(x, x.t()).to_dense().sum().backward(); x.grad
x = c.clone().requires_grad_(); torch.sparse.sum(x).backward(); x.grad
x = c.clone().requires_grad_(); torch.sparse.sum(x, 0).to_dense().mul(w[0]).sum().backward(); x.grad
x = h.clone().requires_grad_(); torch.sparse.sum(x, (0, 2)).to_dense().mul(w[0]).sum().backward(); x.grad
x = h.clone().requires_grad_(); torch.sparse.sum(x, (0, 1)).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.sum().backward(); x.grad
x = c.clone().requires_grad_(); (x + x).to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); (x * 2 - x / 4).to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); (x * x).to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); (x * w).to_dense().sum().backward(); x.grad
x = c.clone().requires_grad_(); (-x).to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.sin().to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.relu().to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.tanh().to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.sqrt().to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.t().to_dense().mul(w.t()).sum().backward(); x.grad
x = c.clone().requires_grad_(); torch.sparse.softmax(x, 1).to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); torch.sparse.log_softmax(x, 0).to_dense().mul(w).sum().backward(); x.grad
x = h.clone().requires_grad_(); torch.sparse.softmax(x, 2).to_dense().pow(2).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.double().to_dense().mul(w).sum().backward(); x.grad
x = c.clone().requires_grad_(); x.clone().to_dense().mul(w).sum().backward(); x.grad
x = w.clone().requires_grad_(); x.to_sparse().to_dense().mul(w).sum().backward(); x.grad
x = w.clone().requires_grad_(); x.to_sparse_csr().to_dense().mul(w).sum().backward(); x.grad
x = w.clone().requires_grad_(); x.sparse_mask(c).to_dense().mul(w).sum().backward(); x.grad
x = w.clone().requires_grad_(); (x + s).mul(w).sum().backward(); x.grad
x = r.clone().requires_grad_(); x.to_dense().mul(w).sum().backward(); x.grad
x = r.clone().requires_grad_(); z = d.clone().requires_grad_(); torch.sparse.mm(x, z).pow(2).sum().backward(); [x.grad, z.grad]
x = r.clone().requires_grad_(); z = d.clone().requires_grad_(); torch.sparse.mm(x, z, "mean").pow(2).sum().backward(); [x.grad, z.grad]
x = c.clone().requires_grad_(); y = x.to_dense(); y.sum().backward(); y = x.to_dense(); y.sum().backward(); x.grad
x = c.clone().requires_grad_(); torch.autograd.grad(torch.sparse.mm(x, d).sum(), x)[0]
x = d.clone().requires_grad_(); torch.spmm(s, x).sum().backward(); x.grad
x = d.clone().requires_grad_(); (s @ x).pow(2).sum().backward(); x.grad
x = torch.ones(3, 4, requires_grad=True); torch.gather(x, 1, torch.tensor([[0, 1], [2, 2], [0, 0]]), sparse_grad=True).sum().backward(); [x.grad, x.grad.to_dense()]
e = emb(); e(idx).sum().backward(); e.weight.grad
e = emb(); e(idx).sum().backward(); e(idx).sum().backward(); e.weight.grad.coalesce()
e = emb(); (e(idx).sum() + e(idx).pow(2).sum()).backward(); e.weight.grad.coalesce()
e = emb(); e(idx).sum().backward(); e.weight.sum().backward(); e.weight.grad
e = emb(); e.weight.sum().backward(); e(idx).sum().backward(); e.weight.grad
e = emb(); (e.weight.sum() + e(idx).sum()).backward(); e.weight.grad
e = emb(); (e(idx).sum() + e.weight.sum()).backward(); e.weight.grad
e = emb(padding_idx=1); e(idx).sum().backward(); e.weight.grad
e = emb(scale_grad_by_freq=True); e(idx).sum().backward(); e.weight.grad
e = emb(); e(torch.tensor([[1, 2], [0, 1]])).sum().backward(); e.weight.grad
e = bag("sum"); e(idx, torch.tensor([0, 2])).sum().backward(); e.weight.grad
e = bag("mean"); e(idx, torch.tensor([0, 2])).sum().backward(); e.weight.grad
e = bag("sum"); e(idx, torch.tensor([0, 2]), per_sample_weights=torch.tensor([1., 2., 3.])).sum().backward(); e.weight.grad
'''.strip().splitlines()

# Optimizers and what else works on sparse gradients.
TRAINING = r'''
trained(torch.optim.SGD, lr=0.1)
trained(torch.optim.SGD, lr=0.1, momentum=0.9)
trained(torch.optim.SGD, lr=0.1, weight_decay=0.1)
trained(torch.optim.SGD, lr=0.1, nesterov=True, momentum=0.9)
trained(torch.optim.SGD, lr=0.1, maximize=True)
trained(torch.optim.SparseAdam, lr=0.1)
trained(torch.optim.SparseAdam, lr=0.1, betas=(0.8, 0.9), eps=1e-4)
trained(torch.optim.SparseAdam, lr=0.1, maximize=True)
trained(torch.optim.SparseAdam, lr=-1)
trained(torch.optim.Adagrad, lr=0.1)
trained(torch.optim.Adagrad, lr=0.1, lr_decay=0.1)
trained(torch.optim.Adagrad, lr=0.1, weight_decay=0.1)
trained(torch.optim.Adagrad, lr=0.1, foreach=True)
trained(torch.optim.Adam, lr=0.1)
trained(torch.optim.AdamW, lr=0.1)
trained(torch.optim.Adamax, lr=0.1)
trained(torch.optim.NAdam, lr=0.1)
trained(torch.optim.RAdam, lr=0.1)
trained(torch.optim.RMSprop, lr=0.1)
trained(torch.optim.Adadelta, lr=0.1)
trained(torch.optim.ASGD, lr=0.1)
trained(torch.optim.Rprop, lr=0.1)
torch.optim.SparseAdam([torch.sparse_coo_tensor((2, 2), requires_grad=True)])
e = emb(); torch.optim.SparseAdam(e.parameters(), lr=0.1)
e = emb(sparse=False); o = torch.optim.SparseAdam(e.parameters()); e(idx).sum().backward(); o.step()
e = emb(); o = torch.optim.SGD(e.parameters(), 0.1); e(idx).sum().backward(); o.zero_grad(set_to_none=False); e.weight.grad
e = emb(); e(idx).sum().backward(); [torch.nn.utils.clip_grad_norm_(e.parameters(), 0.5, foreach=False), e.weight.grad]
e = emb(); e(idx).sum().backward(); torch.nn.utils.clip_grad_norm_(e.parameters(), 0.5)
e = emb(); e(idx).sum().backward(); torch.nn.utils.clip_grad_value_(e.parameters(), 0.5)
e = emb(); g = torch.amp.GradScaler("cpu"); o = torch.optim.SGD(e.parameters(), 0.1); g.scale(e(idx).sum()).backward(); g.step(o); g.update(); e.weight
'''.strip().splitlines()

# What a profile shows of the last part of each.
ROWS = r'''
torch.sparse_coo_tensor(i, v, (2, 3))
torch.sparse_coo_tensor(i, v)
torch.sparse_coo_tensor([[0, 1], [1, 0]], [1., 2.], (2, 2))
torch.sparse_coo_tensor((2, 3))
torch.empty(2, 3, layout=torch.sparse_coo)
torch.zeros(2, 3, layout=torch.sparse_coo)
torch.zeros_like(s)
torch.empty_like(s)
s.coalesce()
c.coalesce()
c.indices()
c.values()
s._indices()
s._nnz()
s.is_coalesced()
s.to_dense()
w.to_sparse()
w.to_sparse(1)
w.to_sparse_csr()
s.to_sparse_csr()
s + s
c + c
s - s
c * c
c * 2
c / 2
-s
c.sqrt()
s.sqrt()
c.relu()
c.abs()
c.pow(2)
s.pow(2)
w + s
w.add_(s)
s.add_(s)
s.mul_(2)
s.div_(2)
s * w
s.sum()
torch.sparse.sum(s)
torch.sparse.sum(s, 0)
torch.sparse.softmax(c, 1)
torch.mm(s, d)
torch.sparse.mm(s, d)
s @ d
torch.addmm(b0, s, d)
torch.sparse.addmm(b0, s, d)
torch.mv(s, d[:, 0])
torch.mm(b0.t(), s)
s.t()
s.transpose(0, 1)
s[0]
torch.cat([s, s])
torch.stack([s, s])
s.unsqueeze(0)
s.norm()
s.clone()
s.detach()
s.to(torch.float64)
s.double()
w.sparse_mask(c)
s.zero_()
s.copy_(c)
c.any()
c.isnan()
e = emb(); y = e(idx).sum(); y.backward()
e = emb(); e(idx).sum().backward(); y = e(idx).sum(); y.backward()
e = emb(); y = e(idx).sum() + e(idx).sum(); y.backward()
e = emb(); e(idx).sum().backward(); y = e.weight.sum(); y.backward()
e = emb(); e.weight.sum().backward(); y = e(idx).sum(); y.backward()
e = emb(); y = e.weight.sum() + e(idx).sum(); y.backward()
e = bag("sum"); y = e(idx, torch.tensor([0, 2])).sum(); y.backward()
e = emb(); o = torch.optim.SGD(e.parameters(), 0.1); e(idx).sum().backward(); o.step()
e = emb(); o = torch.optim.SparseAdam(e.parameters(), 0.1); e(idx).sum().backward(); o.step()
e = emb(); o = torch.optim.Adagrad(e.parameters(), 0.1); e(idx).sum().backward(); o.step()
x = c.clone().requires_grad_(); y = x.to_dense().sum(); y.backward()
x = c.clone().requires_grad_(); y = x.coalesce().values().sum(); y.backward()
x = c.clone().requires_grad_(); y = torch.sparse.mm(x, d).sum(); y.backward()
x = d.clone().requires_grad_(); y = torch.spmm(s, x).sum(); y.backward()
x = c.clone().requires_grad_(); y = (x + x).to_dense().sum(); y.backward()
x = c.clone().requires_grad_(); y = torch.sparse.sum(x); y.backward()
'''.strip().splitlines()
