"""functorch.einops: rearrange, which takes its words from the library einops."""

from ...core.missing_name import missing as _missing
from ...func.rearrange import rearrange

__all__ = ["rearrange"]
__getattr__ = _missing(__name__)
