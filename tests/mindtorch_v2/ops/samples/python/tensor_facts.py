"""Samples of ops/python/tensor_facts.py."""

from .. import S

_FACTS = ("dim numel sym_numel size sym_size stride sym_stride storage_offset sym_storage_offset is_contiguous "
          "sym_is_contiguous get_device is_complex is_floating_point is_signed is_inference is_distributed "
          "retains_grad _version _debug_has_internal_overlap _is_zerotensor")
SAMPLES = {
    **{name: [S(f"torch.ops.aten.{name}(x)", x="f(2, 3)"), S(f"torch.ops.aten.{name}(x.t()[1:])", x="i(2, 3)")]
       for name in _FACTS.split()},
    "is_leaf": [S("torch.ops.aten.is_leaf(x * 2)", x="i(2)")],
    "output_nr": [S("torch.ops.aten.output_nr(x.unbind()[1])", x="i(2)")],
    "size.int": [S("torch.ops.aten.size(x, -1)", x="f(2, 3)"), S("torch.ops.aten.size.int(x, 2)", x="f(2, 3)")],
    "sym_size.int": [S("torch.ops.aten.sym_size.int(x, -1)", x="f(2, 3)")],
    "stride.int": [S("torch.ops.aten.stride.int(x, 0)", x="f(2, 3)")],
    "sym_stride.int": [S("torch.ops.aten.sym_stride.int(x, 0)", x="f(2, 3)")],
    "is_contiguous.memory_format": [
        S("torch.ops.aten.is_contiguous.memory_format(x, torch.channels_last)", x="f(1, 2, 3, 3)")],
    "_has_same_storage_numel": [S("torch.ops.aten._has_same_storage_numel(x, x[:1])", x="f(2, 3)"),
                                S("torch.ops.aten._has_same_storage_numel(x, y)", x="f(2, 3)", y="f(5)")],
    "data": [S("torch.ops.aten.data(x)", x="i(2, 3)")],
    "set_data": [S("torch.ops.aten.set_data(x, y)", x="i(2, 3)", y="i(4)")],
    "requires_grad_": [S("torch.ops.aten.requires_grad_(torch.ones(2)).requires_grad")],
    "retain_grad": [S("torch.ops.aten.retain_grad(x * 2)", x="i(2)")],
    "pin_memory": [S("torch.ops.aten.pin_memory(x)", x="f(2)")],
    "_pin_memory": [S("torch.ops.aten._pin_memory(x)", x="f(2)")],
}
