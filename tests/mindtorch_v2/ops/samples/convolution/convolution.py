"""Convolutions of lines, images and volumes, and transposed ones."""

from .. import S

IMAGE = {"x": "f(2, 3, 5, 6)", "w": "f(4, 3, 3, 2)", "b_": "f(4)"}
ONE = {"x": "f(1, 3, 5, 6)", "w": "f(4, 3, 3, 2)", "b_": "f(4)"}
BACK = {"x": "f(2, 3, 4, 5)", "w": "f(3, 2, 3, 2)", "b_": "f(2)"}
LINE = {"x": "f(2, 3, 8)", "w": "f(4, 3, 3)", "b_": "f(4)"}
VOLUME = {"x": "f(2, 2, 3, 4, 4)", "w": "f(3, 2, 2, 2, 3)", "b_": "f(3)"}
_LAST = "memory_format=torch.channels_last"

SAMPLES = {
    "conv1d": [
        S("F.conv1d(x, w, b_)", **LINE), S("F.conv1d(x, w, None, 2, 1, 2)", **LINE),
        S("F.conv1d(x, w, b_)", x="f(3, 8)", w="f(4, 3, 3)", b_="f(4)"),
        S("F.conv1d(x, w, groups=3)", x="f(2, 3, 8)", w="f(6, 1, 3)"),
        S("F.conv1d(x, w)", x="f(1, 2, 3, 4)", w="f(4, 3, 3)"),
        S("F.conv1d(x.transpose(1, 2), w)", x="f(2, 8, 3)", w="f(4, 3, 3)"),
        S("F.conv1d(x, w)", x="f(2, 3)", w="f(4, 3, 3, 3)")],
    "conv2d": [
        S("F.conv2d(x, w, b_)", **IMAGE), S("F.conv2d(x, w, None, (2, 1), (1, 0), (1, 2))", **IMAGE),
        S("F.conv2d(x, w, b_, padding=1)", **ONE), S("F.conv2d(x, w, padding=1)", **ONE),
        S("F.conv2d(x, w, b_)", x="f(3, 5, 6)", w="f(4, 3, 3, 2)", b_="f(4)"),
        S("F.conv2d(x, w, b_, groups=2)", x="f(2, 4, 5, 5)", w="f(6, 2, 3, 3)", b_="f(6)"),
        S("F.conv2d(x, w, padding=1, groups=4)", x="f(2, 4, 5, 5)", w="f(4, 1, 3, 3)"),
        S("F.conv2d(x, w, b_)", x="f(2, 3, 4, 4)", w="f(5, 3, 1, 1)", b_="f(5)"),
        S("F.conv2d(x, w, stride=2)", x="f(2, 3, 4, 4)", w="f(5, 3, 1, 1)"),
        S("F.conv2d(x, w)", x="f(16, 3, 4, 4)", w="f(5, 3, 1, 1)"),
        S("F.conv2d(x, w, b_)", x="d(2, 3, 5, 6)", w="d(4, 3, 3, 2)", b_="d(4)"),
        S("F.conv2d(x, w, groups=2)", x="d(2, 4, 5, 5)", w="d(4, 2, 3, 3)"),
        S("F.conv2d(x, w, dilation=2)", x="f(1, 2, 5, 5)", w="f(3, 2, 3, 3)"),
        S("F.conv2d(x, w)", x="f(1, 2, 6, 6)", w="f(3, 2, 4, 4)"),
        S("F.conv2d(x, w, b_)", x="f(0, 3, 5, 6)", w="f(4, 3, 3, 2)", b_="f(4)"),
        S("F.conv2d(x, w)", x="i(2, 3, 5, 6)", w="i(4, 3, 3, 2)"),
        S(f"F.conv2d(x.to({_LAST}), w, b_)", **IMAGE),
        S(f"F.conv2d(x, w.to({_LAST}))", x="f(2, 3, 5, 6)", w="f(4, 3, 3, 2)"),
        S("F.conv2d(x.transpose(2, 3), w)", x="f(2, 3, 6, 5)", w="f(4, 3, 3, 2)"),
        S("F.conv2d(x + 1j * y, w + 2j * w, b_ + 1j * b_)", y="f(2, 3, 5, 6)", **IMAGE),
        S("F.conv2d(x, w)", x="f(2, 4, 5, 6)", w="f(4, 3, 3, 2)"), S("F.conv2d(x, w)", x="f(5, 6)", w="f(4, 3, 3, 2)"),
        S("F.conv2d(x, w, b_)", x="f(2, 3, 5, 6)", w="f(4, 3, 3, 2)", b_="f(3)"),
        S("F.conv2d(x, w, padding=-1)", **IMAGE), S("F.conv2d(x, w, stride=0)", **IMAGE),
        S("F.conv2d(x, w, dilation=0)", **IMAGE), S("F.conv2d(x, w, groups=0)", **IMAGE),
        S("F.conv2d(x, w, groups=2)", x="f(2, 6, 5, 6)", w="f(3, 3, 3, 2)"),
        S("F.conv2d(x, w)", x="f(2, 3, 2, 6)", w="f(4, 3, 3, 2)"), S("F.conv2d(x, w.double())", **IMAGE),
        S("F.conv2d(x, w.double())", **ONE), S("F.conv2d(x, w, b_.double())", **IMAGE),
        S("F.conv2d(x > 0, w > 0)", **IMAGE), S("F.conv2d(x, w, stride=(1, 1, 1))", **IMAGE),
        S("F.conv2d(x, w)", x="f(2, 3, 5, 6)", w="f(4, 3, 3)"), S("F.conv2d(x, w)", x="f(2, 3, 5, 6)", w="f(4, 3)")],
    "conv3d": [
        S("F.conv3d(x, w, b_)", **VOLUME), S("F.conv3d(x, w, None, (1, 2, 1), (1, 0, 1))", **VOLUME),
        S("F.conv3d(x, w)", x="f(1, 2, 3, 4, 4)", w="f(3, 2, 2, 2, 3)"),
        S("F.conv3d(x, w, b_)", x="f(2, 3, 4, 4)", w="f(3, 2, 2, 2, 3)", b_="f(3)")],
    "conv_transpose1d": [S("F.conv_transpose1d(x, w, b_)", x="f(2, 3, 5)", w="f(3, 2, 3)", b_="f(2)"),
                         S("F.conv_transpose1d(x, w, None, 2, 1, 1)", x="f(2, 3, 5)", w="f(3, 2, 3)"),
                         S("F.conv_transpose1d(x, w)", x="f(3, 5)", w="f(3, 2, 3)")],
    "conv_transpose2d.input": [
        S("F.conv_transpose2d(x, w, b_)", **BACK), S("F.conv_transpose2d(x, w, b_, 2, 1, 1)", **BACK),
        S("F.conv_transpose2d(x, w, None, (2, 1), dilation=2)", **BACK),
        S("F.conv_transpose2d(x, w, groups=2)", x="f(2, 4, 4, 5)", w="f(4, 3, 2, 2)"),
        S("F.conv_transpose2d(x, w, b_)", x="f(1, 3, 4, 5)", w="f(3, 2, 3, 2)", b_="f(2)"),
        S("F.conv_transpose2d(x, w, b_)", x="d(2, 3, 4, 5)", w="d(3, 2, 3, 2)", b_="d(2)"),
        S("F.conv_transpose2d(x, w)", x="f(3, 4, 5)", w="f(3, 2, 3, 2)"),
        S("F.conv_transpose2d(x, w, output_padding=1)", **BACK),
        S("F.conv_transpose2d(x, w, output_padding=-1)", **BACK), S("F.conv_transpose2d(x > 0, w > 0)", **BACK),
        S("F.conv_transpose2d(x, w, b_)", x="f(2, 4, 4, 5)", w="f(3, 2, 3, 2)", b_="f(2)"),
        S("F.conv_transpose2d(x, w, b_)", x="f(2, 3, 4, 5)", w="f(3, 2, 3, 2)", b_="f(3)"),
        S("F.conv_transpose2d(x, w, padding=3)", x="f(1, 3, 1, 1)", w="f(3, 2, 3, 2)"),
        S("F.conv_transpose2d(x, w, stride=2, output_padding=2, dilation=3)", x="f(1, 2, 3, 3)", w="f(2, 2, 2, 2)")],
    "conv_transpose3d.input": [
        S("F.conv_transpose3d(x, w, b_)", x="f(2, 2, 3, 3, 2)", w="f(2, 3, 2, 1, 2)", b_="f(3)"),
        S("F.conv_transpose3d(x, w, None, 2)", x="f(2, 2, 3, 3, 2)", w="f(2, 3, 2, 1, 2)")],
    "convolution": [S("torch.convolution(x, w, b_, (1,), (1,), (1,), False, (0,), 1)", **IMAGE),
                    S("torch.convolution(x, w, None, (2, 2), (0, 0), (1, 1), True, (1, 1), 1)", **BACK)],
    "_convolution": [S("torch._convolution(x, w, b_, (1, 1), (1, 1), (1, 1), False, (0, 0), 1, False, False, True, "
                       "True)", **IMAGE)],
    "conv1d.padding": [S("F.conv1d(x, w, b_, padding='same')", **LINE), S("F.conv1d(x, w, padding='valid')", **LINE),
                       S("F.conv1d(x, w, padding='same')", x="f(3, 8)", w="f(4, 3, 3)")],
    "conv2d.padding": [
        S("F.conv2d(x, w, b_, padding='same')", x="f(2, 3, 5, 6)", w="f(4, 3, 3, 3)", b_="f(4)"),
        S("F.conv2d(x, w, b_, padding='same')", **IMAGE), S("F.conv2d(x, w, b_, padding='valid')", **IMAGE),
        S("F.conv2d(x, w, padding='same', dilation=2)", **IMAGE), S("F.conv2d(x, w, padding='other')", **IMAGE),
        S("F.conv2d(x, w, stride=2, padding='same')", **IMAGE)],
    "conv3d.padding": [S("F.conv3d(x, w, padding='same')", x="f(2, 2, 3, 4, 4)", w="f(3, 2, 3, 3, 3)")],
    "_convolution_mode": [S("torch._convolution_mode(x, w, b_, (1, 1), 'valid', (1, 1), 1)", **IMAGE)],
}
