"""Several views of one tensor."""

from .. import S

SAMPLES = {
    "unbind.int": [S("x.unbind()", x="f(3, 4)"), S("torch.unbind(x, 1)", x="f(3, 4)"), S("x.unbind()[1]", x="f(3, 4)"),
                   S("x.unbind()", x="f(1)[0]")],
    "split.Tensor": [S("x.split(2)", x="f(3, 4)"), S("torch.split(x, 3, dim=1)[0]", x="f(3, 4)"),
                     S("x.split(-1)", x="f(3)"), S("x.split(0)", x="f(3)")],
    "split.sizes": [S("torch.ops.aten.split(x, (1, 2))", x="f(3, 4)")],
    "split_with_sizes": [S("x.split([1, 2])", x="f(3, 4)"), S("torch.split_with_sizes(x, (3, 1), 1)[1]", x="f(3, 4)"),
                         S("x.split([1, 1])", x="f(3)")],
    "unsafe_split.Tensor": [S("torch.unsafe_split(x, 2)", x="f(3, 4)")],
    "chunk": [S("x.chunk(2)", x="f(3, 4)"), S("torch.chunk(x, 3, 1)", x="f(3, 4)"), S("x.chunk(0)", x="f(3)")],
    "unsafe_chunk": [S("torch.unsafe_chunk(x, 2)", x="f(4, 2)")],
    "tensor_split.sections": [S("x.tensor_split(2)", x="f(3, 4)"), S("torch.tensor_split(x, 3, 1)", x="f(3, 4)")],
    "tensor_split.indices": [S("x.tensor_split((1, 3), 1)", x="f(3, 4)")],
    "tensor_split.tensor_indices_or_sections": [S("x.tensor_split(i)", x="f(4)", i="i(1, low=2, high=3)[0]"),
                                                S("x.tensor_split(i)", x="f(4)", i="i(2)")],
    "hsplit.int": [S("x.hsplit(2)", x="f(3, 4)"), S("x.hsplit(3)", x="f(3, 4)")],
    "hsplit.array": [S("x.hsplit((1, 2))", x="f(3, 4)")],
    "vsplit.int": [S("x.vsplit(3)", x="f(3, 4)")],
    "vsplit.array": [S("torch.vsplit(x, (1,))", x="f(3, 4)")],
    "dsplit.int": [S("torch.dsplit(x, 2)", x="f(2, 2, 4)"), S("x.dsplit(3)", x="f(2, 2, 4)"),
                   S("torch.dsplit(x, 3)", x="f(2, 2)")],
    "dsplit.array": [S("torch.dsplit(x, [1, 2])", x="f(2, 2, 4)")],
    "unsafe_split_with_sizes": [S("torch.unsafe_split_with_sizes(x, [1, 3])", x="f(4)"),
                                S("x.unsafe_split_with_sizes([1, 2], 0)", x="f(4)")],
}
