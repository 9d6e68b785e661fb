"""The QR decomposition; without gradients, which are not here yet."""

from .. import S

SAMPLES = {
    "linalg_qr": [S(f"torch.ops.aten.linalg_qr(x.detach(){mode})", x=f"f({shape})") for shape, mode in (
        ("4, 3", ""), ("3, 4", ""), ("2, 4, 3", ""), ("4, 3", ", 'complete'"), ("4, 3", ", 'r'"), ("3, 3", ""),
        ("3", ""), ("3, 3", ", 'q'"))],
}
