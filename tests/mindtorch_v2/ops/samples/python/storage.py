"""Samples of ops/python/storage.py."""

from .. import S

SAMPLES = {
    "set_.source_Tensor": [S("torch.empty(0).set_(x.detach())", x="f(3, 4)")],
    "set_.source_Tensor_storage_offset": [S("torch.empty(0).set_(x.detach(), 1, (2, 2), (2, 1))", x="f(3, 4)")],
    "set_.source_Storage": [S("torch.empty(0).set_(x.untyped_storage())", x="f(3, 4)")],
    "set_.source_Storage_storage_offset": [S("torch.empty(0).set_(x.untyped_storage(), 2, (2, 3))", x="f(3, 4)")],
    "set_": [S("torch.ones(3, 4).set_()")],
}
