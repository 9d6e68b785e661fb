"""The way back through convolutions that torch computes by its own code: in double precision, or of a single item."""

from __future__ import annotations

_FORMS = {
    "volumes": ("2, 2, 4, 4, 4", "4, 2, 3, 3, 3", "conv3d", "padding=1"),
    "volumes in groups": ("2, 4, 4, 4, 4", "4, 2, 3, 3, 3", "conv3d", "padding=1, groups=2"),
    "volumes, one element": ("2, 2, 4, 4, 4", "4, 2, 1, 1, 1", "conv3d", ""),
    "dilated images": ("2, 2, 8, 8", "4, 2, 3, 3", "conv2d", "dilation=2"),
    "dilated volumes": ("1, 2, 6, 6, 6", "4, 2, 2, 2, 2", "conv3d", "dilation=2"),
    "dilated signal": ("1, 2, 9", "4, 2, 3", "conv1d", "dilation=2"),
    "transposed images": ("2, 2, 4, 4", "2, 4, 3, 3", "conv_transpose2d", ""),
    "transposed images, one element": ("2, 2, 4, 4", "2, 4, 1, 1", "conv_transpose2d", ""),
    "transposed volumes": ("2, 2, 4, 4, 4", "2, 4, 3, 3, 3", "conv_transpose3d", ""),
    "transposed volumes, one element": ("2, 2, 4, 4, 4", "2, 4, 1, 1, 1", "conv_transpose3d", ""),
}
_WANTED = {"all": "x, w, b", "input": "x,", "weight": "w,", "bias": "b,", "weight and bias": "w, b"}

CASES = {
    f"{name}, gradients of {of}": (
        f"x, w, b = [torch.randn(s, dtype=torch.float64).requires_grad_() for s in (({shape}), ({weight}), (4,))]\n"
        f"for t in (x, w, b): t.requires_grad_(any(t is u for u in ({wanted})))\n"
        f"y = F.{function}(x, w, b, {options})\nones = torch.ones_like(y)",
        f"torch.autograd.grad(y, ({wanted}), ones)")
    for name, (shape, weight, function, options) in _FORMS.items() for of, wanted in _WANTED.items()
}
