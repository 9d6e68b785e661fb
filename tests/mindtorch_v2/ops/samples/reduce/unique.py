"""Distinct values, places among sorted ones, counts by value."""

from .. import S

SAMPLES = {
    "_unique2": [S("torch.unique(x)", x="i(3, 4)"), S("torch.unique(x, return_inverse=True)[1]", x="i(3, 4)"),
                 S("torch.unique(x, return_counts=True)[1]", x="i(9)"), S("torch.unique(x)", x="b(4)")],
    "unique_consecutive": [S("torch.unique_consecutive(x)", x="i(9, high=2)"),
                           S("torch.unique_consecutive(x, return_counts=True)[1]", x="i(9, high=2)")],
    "searchsorted.Tensor": [S("torch.searchsorted(x.sort()[0], y)", x="f(5)", y="f(3, 4)"),
                            S("torch.searchsorted(x.sort()[0], y, right=True)", x="f(3, 5)", y="f(3, 2)")],
    "searchsorted.Scalar": [S("torch.searchsorted(x.sort()[0], 0.5)", x="f(5)")],
    "bucketize.Tensor": [S("torch.bucketize(y, x.sort()[0], out_int32=True)", x="f(5)", y="f(3, 4)")],
    "bucketize.Scalar": [S("torch.bucketize(0.5, x.sort()[0], right=True)", x="f(5)")],
    "histc": [S("torch.histc(x, 5)", x="f(3, 4)"), S("x.histc(4, -1, 1)", x="f(3, 4)")],
    "bincount": [S("torch.bincount(x)", x="i(9)"), S("torch.bincount(x, y, 8)", x="i(9)", y="i(9)")],
    "_unique": [S("torch._unique(x)", x="i(3, 4)"), S("torch._unique(x, True, True)", x="f(3)"),
                S("torch._unique(x, True, True)", x="b(3)"), S("torch._unique(x)", x="c(3)")],
    "unique_dim": [S("torch.unique(x, dim=0)", x="i(3, 4)"),
                   S("torch.unique(x, dim=1, return_inverse=True, return_counts=True)", x="i(3, 4, high=2)"),
                   S("torch.unique(x, dim=0)", x="i(0, 4)")],
    "unique_dim_consecutive": [S("torch.unique_consecutive(x, dim=1, return_inverse=True, return_counts=True)",
                                 x="i(2, 4, high=2)"),
                               S("torch.ops.aten.unique_dim_consecutive(x, 0)", x="i(3, 4, high=2)")],
}
