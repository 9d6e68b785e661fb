"""torch.distributed.optim: of it, the optimizer that divides its state among processes."""

from ...core.missing_name import missing as _missing
from .zero_redundancy_optimizer import ZeroRedundancyOptimizer

__all__ = ["ZeroRedundancyOptimizer"]
__getattr__ = _missing(__name__)
