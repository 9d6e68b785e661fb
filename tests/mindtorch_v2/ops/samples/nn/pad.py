"""Borders."""

from .. import S

SAMPLES = {
    "pad": [S("F.pad(x, (1, 2))", x="f(2, 3)"), S("F.pad(x, (1,))", x="f(2, 3)"),
            S("F.pad(x, (1, 1), 'nope')", x="f(2, 3)")],
    "constant_pad_nd": [S("F.pad(x, (1, 0, 2, 1), value=3.)", x="f(2, 3)"), S("F.pad(x, (-1, 1))", x="f(2, 3)"),
                        S("torch.constant_pad_nd(x, (0, -1))", x="f(2, 3)")],
    "_pad_circular": [S("F.pad(x, (1, 2), mode='circular')", x="f(1, 2, 3)")],
    "reflection_pad1d": [S("F.pad(x, (2, 1), mode='reflect')", x="f(2, 3)"),
                         S("F.pad(x, (3, 1), mode='reflect')", x="f(2, 3)")],
    "reflection_pad2d": [S("F.pad(x, (1, 1, 2, 0), mode='reflect')", x="f(1, 2, 3, 3)"),
                         S("F.pad(x.mT, (1, 1, 2, 0), mode='reflect')", x="f(1, 2, 3, 4)"),
                         S("F.pad(x, (1, 3, 2, 0), mode='reflect')", x="f(1, 2, 3, 3)")],
    "reflection_pad3d": [S("F.pad(x, (1, 1, 2, 0, 0, 1), mode='reflect')", x="f(1, 2, 3, 3, 2)"),
                         S("F.pad(x, (1, 1, 2, 0, 2, 1), mode='reflect')", x="f(1, 2, 3, 2)")],
    "replication_pad1d": [S("F.pad(x, (2, 1), mode='replicate')", x="f(2, 3)")],
    "replication_pad2d": [S("F.pad(x, (1, 1, 2, 0), mode='replicate')", x="f(1, 2, 3, 3)")],
    "replication_pad3d": [S("F.pad(x, (1, 1, 2, 0, 4, -1), mode='replicate')", x="f(1, 2, 3, 3, 2)"),
                          S("F.pad(x.mT, (1, 1, 2, 0, 0, 1), mode='replicate')", x="f(2, 3, 3, 2)")],
    "reflection_pad1d_backward": [
        S("torch.ops.aten.reflection_pad1d_backward(g, x, (1, 1))", g="f(2, 5)", x="f(2, 3)")],
    "replication_pad1d_backward": [
        S("torch.ops.aten.replication_pad1d_backward(g, x, (1, 1))", g="f(2, 5)", x="f(2, 3)")],
    "reflection_pad2d_backward": [
        S("torch.ops.aten.reflection_pad2d_backward(g, x, (1, 1, 0, 0))", g="f(1, 2, 5)", x="f(1, 2, 3)")],
    "reflection_pad3d_backward": [
        S("torch.ops.aten.reflection_pad3d_backward(g, x, (1, 1, 0, 0, 0, 1))", g="f(1, 3, 2, 5)", x="f(1, 2, 2, 3)"),
        S("torch.ops.aten.reflection_pad3d_backward(g.mT, x, (1, 1, 0, 0, 0, 1))", g="f(1, 3, 5, 2)",
          x="f(1, 2, 2, 3)")],
    "replication_pad3d_backward": [
        S("torch.ops.aten.replication_pad3d_backward(g, x, (1, 1, 0, 0, 0, 1))", g="f(1, 3, 2, 5)", x="f(1, 2, 2, 3)"),
        S("torch.ops.aten.replication_pad3d_backward(g.mT, x, (1, 1, 0, 0, 0, 1))", g="f(1, 3, 5, 2)",
          x="f(1, 2, 2, 3)")],
    "replication_pad2d_backward": [
        S("torch.ops.aten.replication_pad2d_backward(g, x, (1, 1, 0, 0))", g="f(1, 2, 5)", x="f(1, 2, 3)")],
}
