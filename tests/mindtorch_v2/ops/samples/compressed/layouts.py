"""Conversions to the compressed layouts."""

from .. import S

W = {"w": "i(4, 4) * (i(4, 4) > 1)"}
STARTS = "torch.tensor([0, 2, 3, 3])"

SAMPLES = {
    "_convert_indices_from_coo_to_csr": [
        S("torch._convert_indices_from_coo_to_csr(x, 5)", x="torch.tensor([0, 0, 1, 3])"),
        S("torch._convert_indices_from_coo_to_csr(x, 5, out_int32=True)", x="torch.tensor([0, 0, 1, 3])")],
    "_convert_indices_from_csr_to_coo": [
        S(f"torch._convert_indices_from_csr_to_coo(x, y, transpose={turned})", x=STARTS, y="torch.tensor([1, 2, 0])")
        for turned in (False, True)],
    "_convert_indices_from_coo_to_csr.out": [
        S("torch._convert_indices_from_coo_to_csr(x, 5, out=y)", x="torch.tensor([0, 0, 1, 3])", y="i(6)")],
    "_convert_indices_from_csr_to_coo.out": [
        S("torch._convert_indices_from_csr_to_coo(x, y, out=z)", x=STARTS, y="torch.tensor([1, 2, 0])", z="i(2, 3)")],
    "to_sparse_csr": [S("w.to_sparse_csr().to_dense()", **W), S("w.to_sparse_csr().to_sparse_csr().to_dense()", **W)],
    "to_sparse_csc": [S("w.to_sparse_csc().to_dense()", **W)],
    "to_sparse_bsr": [S("w.to_sparse_bsr((2, 2)).to_dense()", **W), S("w.to_sparse_bsr((3, 2))", **W)],
    "to_sparse_bsc": [S("w.to_sparse_bsc((2, 2)).to_dense()", **W)],
}
