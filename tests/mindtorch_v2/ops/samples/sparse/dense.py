"""From sparse to dense and back, masks, sizes, and older products."""

from .. import S
from .parts import C, W, X

T = {**X, "t": "torch.sparse_coo_tensor((7, 7), dtype=torch.int64)"}
D = {**X, "d": "torch.ones(4, 4, dtype=torch.int64)"}

SAMPLES = {
    "to_dense": [S("s.to_dense()", **X), S("w.to_dense()", **W), S("w.to_dense(torch.float64)", **W),
                 S("s.to_dense(torch.float64)", **X)],
    "_to_dense": [S("s._to_dense()", **X)],
    "to_sparse": [S("w.to_sparse()._values()", **W), S("w.to_sparse(layout=torch.sparse_bsr)", **W),
                  S("s.to_sparse()._values()", **X)],
    "to_sparse.sparse_dim": [S("w.to_sparse(2)._values()", **W), S("w.to_sparse(3)", **W), S("w.to_sparse(0)", **W),
                             S("s.to_sparse(1)", **X)],
    "sparse_mask": [S("w.sparse_mask(s)._values()", **X, **W), S("w[:2].sparse_mask(s)", **X, **W)],
    "_sparse_mask_projection": [S("s._sparse_mask_projection(c)._values()", **X, **C)],
    "copy_sparse_to_sparse_": [S("torch.ops.aten.copy_sparse_to_sparse_(t, s)._values()", **T)],
    "sparse_resize_": [S("s.sparse_resize_((5, 6), 2, 0)._indices()", **X), S("s.sparse_resize_((5, 6), 1, 1)", **X),
                       S("s.sparse_resize_((5,), 2, 0)", **X)],
    "sparse_resize_and_clear_": [S("s.sparse_resize_and_clear_((5, 6), 1, 1)._values()", **X)],
    "resize_as_sparse_": [S("s.resize_as_sparse_(t)._indices()", **T)],
    "hspmm": [S("torch.hspmm(s, d)._values()", **D)],
    "smm": [S("torch.smm(s, d).to_dense()", **D)],
    "sspaddmm": [S("torch.sspaddmm(s, s, d).to_dense()", **D)],
    "native_norm": [S("torch.native_norm(s.float())", **X)],
    "native_norm.ScalarOpt_dim_dtype": [S("torch.native_norm(s.float(), 1, (0, 1), False, None)", **X),
                                        S("torch.native_norm(s.float(), 1, 0, False, None)", **X)],
}
