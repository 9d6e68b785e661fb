"""Parts of sparse tensors; of whole numbers, which have no gradient."""

from .. import S

_COO = "torch.sparse_coo_tensor(torch.tensor([[0, 1, 2, 0], [3, 0, 2, 3]]), i(4), (3, 4))"
X = {"s": _COO}
C = {"c": f"{_COO}.coalesce()"}
R = {"r": "torch.arange(12).reshape(3, 4).to_sparse_csr()"}
K = {"k": "torch.arange(12).reshape(3, 4).to_sparse_csc()"}
W = {"w": "i(3, 4)"}

SAMPLES = {
    "_indices": [S("s._indices()", **X)],
    "_values": [S("s._values()", **X)],
    "indices": [S("c.indices()", **C), S("s.indices()", **X), S("w.indices()", **W)],
    "values": [S("c.values()", **C), S("s.values()", **X), S("w.values()", **W), S("r.values()", **R)],
    "_nnz": [S("s._nnz()", **X), S("r._nnz()", **R)],
    "is_coalesced": [S("s.is_coalesced()", **X), S("c.is_coalesced()", **C), S("w.is_coalesced()", **W)],
    "sparse_dim": [S("s.sparse_dim()", **X), S("w.sparse_dim()", **W)],
    "dense_dim": [S("s.dense_dim()", **X), S("w.dense_dim()", **W)],
    "_dimI": [S("s._dimI()", **X)],
    "_dimV": [S("s._dimV()", **X)],
    "_coalesced_": [S("s._coalesced_(True).is_coalesced()", **X)],
    "crow_indices": [S("r.crow_indices()", **R), S("k.crow_indices()", **K)],
    "col_indices": [S("r.col_indices()", **R)],
    "ccol_indices": [S("k.ccol_indices()", **K), S("r.ccol_indices()", **R)],
    "row_indices": [S("k.row_indices()", **K)],
    "coalesce": [S("s.coalesce()._values()", **X), S("c.coalesce()._values()", **C), S("w.coalesce()", **W)],
    "crow_indices_copy": [S("torch.crow_indices_copy(r)", **R)],
    "crow_indices_copy.out": [S("torch.crow_indices_copy(r, out=torch.empty(4, dtype=torch.int64))", **R)],
    "col_indices_copy": [S("torch.col_indices_copy(r)", **R)],
    "col_indices_copy.out": [S("torch.col_indices_copy(r, out=torch.empty(11, dtype=torch.int64))", **R)],
    "ccol_indices_copy": [S("torch.ccol_indices_copy(k)", **K)],
    "ccol_indices_copy.out": [S("torch.ccol_indices_copy(k, out=torch.empty(5, dtype=torch.int64))", **K)],
    "row_indices_copy": [S("torch.row_indices_copy(k)", **K)],
    "row_indices_copy.out": [S("torch.row_indices_copy(k, out=torch.empty(11, dtype=torch.int64))", **K)],
    "indices_copy": [S("torch.indices_copy(w)", **W)],
    "indices_copy.out": [S("torch.indices_copy(w, out=w)", **W)],
    "values_copy": [S("torch.values_copy(w)", **W)],
    "values_copy.out": [S("torch.values_copy(w, out=w)", **W)],
}
