"""torch's address for all transforms, by subject: of numbers, of events, of others."""

from .composed_transforms import CatTransform, CumulativeDistributionTransform, IndependentTransform, StackTransform
from .elementwise_transforms import (  # noqa: F401  _clipped_sigmoid, at torch's address
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
    _clipped_sigmoid,
)
from .event_transforms import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    ReshapeTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)
from .transform import ComposeTransform, Transform, _InverseTransform

__all__ = [
    "AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
    "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform", "LowerCholeskyTransform",
    "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform", "SigmoidTransform", "SoftplusTransform",
    "TanhTransform", "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "Transform", "identity_transform",
]
identity_transform = ComposeTransform([])
for _kind in (*[globals()[_name] for _name in __all__[:-1]], _InverseTransform):
    _kind.__module__ = __name__  # what users import, print and pickle
