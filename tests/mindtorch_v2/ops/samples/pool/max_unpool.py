"""Elements put where the largest ones were."""

from .. import S

X2 = {"x": "f(2, 3, 2, 3)", "i_": "i(2, 3, 2, 3, high=24)"}
X3 = {"x": "f(2, 2, 2, 2, 3)", "i_": "i(2, 2, 2, 2, 3, high=64)"}
A = "torch.ops.aten"
LAST = ".contiguous(memory_format=torch.channels_last)"

SAMPLES = {
    "max_unpool2d": [S("F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2)", x="f(2, 3, 4, 6)"),
                     S("F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2, output_size=(4, 7))",
                       x="f(3, 4, 7)"),
                     S("F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2, output_size=(4, 9))",
                       x="f(3, 4, 7)"),
                     S("F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2, output_size=(4,))",
                       x="f(3, 4, 7)"),
                     S("F.max_unpool1d(*F.max_pool1d(x, 2, return_indices=True), 2)", x="f(2, 3, 6)"),
                     S(f"F.max_unpool2d(*F.max_pool2d(x{LAST}, 2, return_indices=True), 2)", x="f(2, 3, 4, 6)"),
                     S(f"{A}.max_unpool2d(x, i_ * 0, [4, 6])", **X2),
                     S(f"{A}.max_unpool2d(x.mT, i_.mT * 0, [4, 6])", **X2),
                     S(f"{A}.max_unpool2d(x, i_.int(), [4, 6])", **X2), S(f"{A}.max_unpool2d(x, i_, [4] * 3)", **X2),
                     S(f"{A}.max_unpool2d(x, i_[:1], [4, 6])", **X2),
                     S(f"{A}.max_unpool2d(x[..., :0], i_[..., :0], [4, 6])", **X2),
                     S(f"{A}.max_unpool2d(x[:0], i_[:0], [4, 6])", **X2),
                     S(f"{A}.max_unpool2d(x[0, 0], i_[0, 0], [4, 6])", **X2),
                     S(f"{A}.max_unpool2d(i_, i_, [4, 6])", **X2)],
    "max_unpool3d": [S("F.max_unpool3d(*F.max_pool3d(x, 2, return_indices=True), 2)", x="f(2, 2, 4, 4, 6)"),
                     S(f"{A}.max_unpool3d(x, i_ * 0, [4, 4, 6], [2] * 3, [0] * 3)", **X3),
                     *[S(f"{A}.max_unpool3d(x, i_, {rest})", **X3) for rest in
                       ("[4] * 4, [2] * 3, [0] * 3", "[4, 4, 6], [2] * 2, [0] * 3", "[4, 4, 6], [2] * 3, [0] * 2",
                        "[4, 4, 6], [0] * 3, [0] * 3")],
                     S(f"{A}.max_unpool3d(x, i_.int(), [4, 4, 6], [2] * 3, [0] * 3)", **X3),
                     S(f"{A}.max_unpool3d(x, i_[:1], [4, 4, 6], [2] * 3, [0] * 3)", **X3),
                     S(f"{A}.max_unpool3d(x[..., :0], i_[..., :0], [4, 4, 6], [2] * 3, [0] * 3)", **X3)],
}
