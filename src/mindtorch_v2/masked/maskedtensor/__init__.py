"""torch.masked.maskedtensor: tensors that carry a mask of their own."""

from .core import MaskedTensor, is_masked_tensor  # noqa: F401
from .creation import as_masked_tensor, masked_tensor  # noqa: F401
