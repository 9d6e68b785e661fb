# ruff: noqa: E501
"""Statements about whole sparse tensors: copied, saved, joined, printed; about layouts and hybrid tensors."""

from __future__ import annotations

MORE = r'''
import pickle; pickle.loads(pickle.dumps(s))
import pickle; pickle.loads(pickle.dumps(c))
import pickle; pickle.loads(pickle.dumps(r))
import pickle; pickle.loads(pickle.dumps(b))
import copy; copy.deepcopy(s)
import copy; copy.copy(c)
import io; f = io.BytesIO(); torch.save({"a": s, "b": r}, f); f.seek(0); m = torch.load(f); [m["a"], m["b"]]
torch.utils.data.default_collate([c, c])
next(iter(torch.utils.data.DataLoader([c, c, c], batch_size=3)))
x = torch.nn.Parameter(c.clone()); [x.is_sparse, x.requires_grad]
x = c.clone(); x.requires_grad = True; x
x = s.clone(); x.values() if x.is_coalesced() else x._values().fill_(1); x
x = c.clone(); x.values().mul_(2); x
x = c.detach(); x._values().mul_(2); c
x = s.clone(); x.add_(x); [x, x._version]
x = s.clone(); x.mul_(3); x
x = s.clone(); x.zero_(); [x, x.is_coalesced()]
x = torch.zeros(2, 3); x.add_(s); x
x = torch.zeros(2, 3); x.add_(s, alpha=2); x
x = torch.zeros(2, 3); x.sub_(s); x
x = torch.zeros(2, 3, dtype=torch.int64); x.add_(s); x
torch.zeros(2, 3, dtype=torch.float64) + s
torch.zeros(3, 2).t() + s
torch.add(s, s, alpha=3)
torch.add(c, torch.sparse_coo_tensor([[0, 1], [0, 0]], [1., 2.], (2, 3)))
torch.add(c, torch.sparse_coo_tensor([[0, 1], [0, 0]], [1., 2.], (2, 3)).coalesce())
torch.mul(c, torch.sparse_coo_tensor([[0, 1], [0, 0]], [1., 2.], (2, 3)).coalesce())
torch.mul(s, torch.sparse_coo_tensor([[0, 1], [0, 0]], [1., 2.], (2, 3)).coalesce())
torch.sparse_coo_tensor((2, 3)) + c
c + torch.sparse_coo_tensor((2, 3))
h.coalesce()
h + h
h * h
h * 2
h.to_dense()
h.sum(2)
torch.sparse.sum(h, 2)
torch.sparse.sum(h, (1, 2))
h.transpose(0, 1)
h.transpose(0, 2)
h.select(0, 1)
h.select(2, 0)
h.unsqueeze(1)
h.unsqueeze(3)
h.index_select(2, torch.tensor([1, 0]))
torch.cat([h, h], 2)
torch.cat([h, h], 0)
torch.arange(12.).reshape(2, 3, 2).to_sparse(2)
torch.arange(12.).reshape(2, 3, 2).to_sparse(1)
torch.zeros(2, 3).to_sparse()
torch.arange(12.).reshape(2, 3, 2).to_sparse_csr(dense_dim=1)
torch.eye(4).reshape(2, 2, 4).to_sparse_csr()
torch.eye(4).to_sparse_bsc((2, 2))
torch.eye(4).to_sparse_csr().to_sparse_bsr((2, 2))
torch.eye(4).to_sparse_bsr((2, 2)).to_sparse_csr()
torch.eye(4).to_sparse_bsr((2, 2)).to_sparse()
torch.eye(4).to_sparse_bsr((2, 2)).to_dense()
torch.eye(4).to_sparse_bsc((2, 2)).to_dense()
r.to_sparse_csc()
r.to_sparse_csc().to_sparse_csr()
r.to_sparse_csc().to_sparse()
r.to_sparse_bsr((2, 3)).blocksize if hasattr(r, "blocksize") else 0
r.values()
r.crow_indices()
r.col_indices()
r.dense_dim()
r.layout
r.is_sparse
r.is_sparse_csr
s.is_sparse
w.is_sparse
s.layout
s.is_mkldnn
s.sparse_dim()
s.dense_dim()
h.dense_dim()
s._dimI()
s._dimV()
s._nnz()
c.indices()
c.values()
s._indices()
s._values()
torch.sparse_coo_tensor([], [], (2, 3)) if False else torch.sparse_coo_tensor(torch.empty(2, 0), torch.empty(0), (2, 3))
torch.sparse_coo_tensor([[0, 1], [1, 0]], [1, 2])
torch.sparse_coo_tensor([[0], [1]], 5., (2, 2))
torch.sparse_coo_tensor(indices=i, values=v, size=(2, 3))
torch.sparse_coo_tensor(size=(2, 3))
torch.sparse_coo_tensor((2, 3), dtype=torch.float64)
torch.sparse_csr_tensor(crow_indices=[0, 1, 2], col_indices=[0, 1], values=[1, 2])
torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([0, 1], dtype=torch.int32), [1., 2.]).crow_indices().dtype
torch.sparse_csr_tensor([[0, 1, 2], [0, 2, 2]], [[0, 1], [0, 1]], [[1., 2.], [3., 4.]]).to_dense()
torch.sparse.check_sparse_tensor_invariants.enable(); q = torch.sparse.check_sparse_tensor_invariants.is_enabled(); torch.sparse.check_sparse_tensor_invariants.disable(); q
torch.sparse.check_sparse_tensor_invariants()(lambda: torch.sparse_coo_tensor(i, v, (1, 1)))()
torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)(lambda x: x.to_dense(), [c.double().requires_grad_()])
torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)(lambda x: torch.sparse.mm(x, d.double()), [c.double().requires_grad_()], masked=True)
torch.sparse.to_sparse_semi_structured(w)
torch.sparse.FloatTensor(i, v, torch.Size([2, 3])).type()
isinstance(s, torch.FloatTensor)
isinstance(w, torch.sparse.FloatTensor)
torch.spmm(s, d)
torch.dsmm(s, d)
torch.hsmm(s, d)
torch.saddmm(s, s, torch.ones(3, 3))
torch.mm(s, torch.ones(3, 0))
torch.mm(torch.sparse_coo_tensor((2, 3)), d)
torch.addmm(torch.ones(4), s, d)
torch.addmm(torch.ones(2, 4), s, d, beta=2, alpha=3)
torch.sparse.mm(c, c.t())
torch.sparse.mm(s, s.t())
torch.sparse.mm(w, c.t())
torch.sparse.mm(r, torch.eye(3).to_sparse_csr())
torch.bmm(torch.stack([s, s]), torch.ones(2, 3, 4))
torch.is_tensor(s)
torch.numel(s)
torch.is_floating_point(s)
s.is_pinned()
s.size()
s.shape
s.element_size()
s.device.type
torch.zeros_like(s)
torch.zeros_like(s, layout=torch.strided)
torch.zeros(2, 3, layout=torch.sparse_coo).is_coalesced()
s.to_sparse_coo()
w.to_sparse_coo()
torch.relu_(c.clone())
torch.abs(s)
c.conj_physical()
s.bfloat16()
torch.tensor([1 + 2j, 0]).to_sparse()
torch.tensor([True, False]).to_sparse()
torch.sparse_coo_tensor(i, [True, True, False, True], (2, 3)).coalesce()
torch.sparse_coo_tensor(i, v.half(), (2, 3)).coalesce()
torch.sparse_coo_tensor(i, v.long(), (2, 3)).to_dense()
torch.zeros(2, 0).to_sparse_csr()
torch.zeros(0, 3).to_sparse_bsr((1, 1)).to_dense()
torch.zeros(0, 2, 2).to_sparse_csr().to_dense()
torch.zeros(2, 0, 3).to_sparse(1) + torch.zeros(2, 0, 3)
torch.sparse_csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([1, 0]), torch.tensor([0., 2.]), (2, 2)).to_sparse_csc()
torch.sparse_csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([1, 0]), torch.tensor([0., 2.]), (2, 2)).to_sparse_bsr((1, 2))
torch.sparse_csr_tensor(torch.tensor([0, 1], dtype=torch.int32), torch.tensor([1], dtype=torch.int32), torch.ones(1), (1, 2)).to_sparse_csc()
torch.eye(4).repeat(2, 1, 1).to_sparse_csr().to_sparse_csc()
torch.eye(4).repeat(2, 1, 1).to_sparse_bsr((2, 2)).to_sparse()
torch.eye(4).repeat(2, 1, 1).to_sparse_csr().to_sparse_bsr((2, 2))
torch.eye(4).repeat(2, 1, 1).to_sparse().to_sparse_bsr((2, 2))
torch.eye(4).repeat(2, 1, 1).to_sparse().to_sparse(layout=torch.sparse_csc)
b.to_sparse_bsc((1, 2))
b.to_sparse_bsr((1, 2))
b.to_sparse_bsc((2, 2))
r.to_sparse_csc(dense_dim=0)
r.to_sparse_bsr((3, 2))
torch.zeros_like(b)
torch.empty_like(b).shape
torch.ones_like(r)
torch.full_like(b, 2.)
repr(torch.sparse_coo_tensor(i, v.half(), (2, 3)))
repr(h)
repr(h.requires_grad_())
repr(torch.sparse_coo_tensor(i, v.clone().requires_grad_(), (2, 3)))
repr(torch.sparse_coo_tensor((20, 30)))
repr(torch.eye(40).to_sparse())
repr(torch.eye(40).to_sparse_csr())
repr(torch.eye(4).to_sparse_bsr((2, 2)))
repr(torch.eye(4).double().to_sparse_csc())
repr(torch.arange(2000.).reshape(40, 50).to_sparse())
str(torch.nn.Parameter(c.clone()))
'''.strip().splitlines()
