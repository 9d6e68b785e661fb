"""Grids of places, moved by affine maps."""

from .. import S

T2, T3 = {"t": "f(2, 2, 3)"}, {"t": "f(2, 3, 4)"}
A = "torch.ops.aten"

SAMPLES = {
    "affine_grid_generator": [
        *[S(f"F.affine_grid(t, {size}, align_corners={corners})", **T2)
          for size in ("(2, 3, 4, 5)", "(2, 1, 1, 5)", "(2, 1, 1, 1)") for corners in (False, True)],
        *[S(f"F.affine_grid(t, {size}, align_corners={corners})", **T3)
          for size in ("(2, 3, 2, 4, 5)", "(2, 3, 1, 4, 1)") for corners in (False, True)],
        S("F.affine_grid(t, (2, 3, 4, 5), align_corners=False)", t="d(2, 2, 3)"),
        *[S(f"torch.affine_grid_generator(t, {size}, False)", **T2)
          for size in ("(2, 3, 4, 5)", "(2, 3, 4)", "(2, 3, 4, 5, 6)", "(3, 3, 4, 5)", "(2, 3, 0, 5)")],
        *[S(f"F.affine_grid({t}, {size}, align_corners=False)", **T2)
          for t, size in (("t", "(2, 3, 4)"), ("t", "(2, 3, 4, 5, 6)"), ("t", "(2, 3, 0, 5)"), ("t[0]", "(2, 3, 4, 5)"),
                          ("t.int()", "(2, 3, 4, 5)"))]],
    "affine_grid_generator_backward": [
        S(f"{A}.affine_grid_generator_backward(g, (2, 3, 4, 5), False)", g="f(2, 4, 5, 2)")],
    "affine_grid_generator.out": [
        S(f"{A}.affine_grid_generator.out(t, (2, 3, 4, 5), False, out=torch.empty(0))", **T2)],
}
