"""Images and volumes at the places of a grid."""

from .. import S

A = "torch.ops.aten"
D2, D3 = {"x": "f(2, 3, 5, 6)", "g": "f(2, 4, 7, 2)"}, {"x": "f(2, 2, 3, 4, 5)", "g": "f(2, 3, 2, 4, 3)"}
LAST = ".contiguous(memory_format=torch.channels_last)"
PADDINGS = ("zeros", "border", "reflection")
# Pairs of input and grid; some do not fit.
PAIRS = ["x[:0], g[:0]", "x[:, :0], g", "x, g[:, :0]", "x.mT, g", "x, g.transpose(1, 2)", "x.double(), g",
         "x.int(), g.int()", "x[:1], g", "x[:, :, :0], g", "x, g[..., :1]", "x[0], g", "x, g[0]"]


def sampled(mode: str, inputs: dict) -> list:
    """F.grid_sample with every padding, near the edges of the input and beyond."""
    return [S(f"F.grid_sample(x, g * 0.6, {mode!r}, {padding!r}, align_corners={corners})", **inputs)
            for padding in PADDINGS for corners in (False, True)]


def back(name: str, grad: str, inputs: dict) -> list:
    """The gradients that are asked for; that of the grid comes in any case. Ours are differentiated no third time."""
    return [S(f"{A}.{name}_backward(s.detach(), x.detach(), g.detach(), 0, 0, False, {mask})", s=grad, **inputs)
            for mask in ("[True, True]", "[False, True]", "[True, False]")]


SAMPLES = {
    "grid_sampler": [S("torch.grid_sampler(x, g, 0, 1, True)", **D2), S("torch.grid_sampler(x, g, 1, 2, False)", **D3),
                     S("torch.grid_sampler(x, g, 2, 0, False)", **D3),
                     *[S(f"F.grid_sample({pair}, align_corners=False)", **D2) for pair in PAIRS],
                     S("F.grid_sample(x, g, 'nope')", **D2), S("F.grid_sample(x, g, padding_mode='nope')", **D2)],
    # few digits are left of a cubic's slopes in single precision: they are held against torch's in double
    "grid_sampler_2d": [*sampled("bilinear", D2), *sampled("nearest", D2),
                        *[S(f"F.grid_sample(x, g, 'bicubic', {padding!r}, align_corners=False)", x="d(2, 3, 5, 6)",
                            g="d(2, 4, 7, 2)") for padding in PADDINGS],
                        S("torch.grid_sampler_2d(x, g, 0, 1, False)", **D2),
                        S(f"F.grid_sample(x{LAST}, g, align_corners=False)", **D2)],
    "grid_sampler_3d": [*sampled("bilinear", D3), *sampled("nearest", D3),
                        S("torch.grid_sampler_3d(x, g, 0, 1, False)", **D3),
                        *[S(f"F.grid_sample({pair}, align_corners=False)", **D3) for pair in PAIRS]],
    "grid_sampler_2d_backward": back("grid_sampler_2d", "f(2, 3, 4, 7)", D2),
    "grid_sampler_3d_backward": back("grid_sampler_3d", "f(2, 2, 3, 2, 4)", D3),
    "grid_sampler_2d.out": [S(f"{A}.grid_sampler_2d.out(x, g, 0, 0, False, out=torch.empty(0))", **D2)],
    "grid_sampler_3d.out": [S(f"{A}.grid_sampler_3d.out(x, g, 0, 0, False, out=torch.empty(0))", **D3)],
}
