"""torch's address for the question whether there is anything that CUDA's autocast could run on."""

from ...amp.autocast_mode import amp_definitely_not_available

__all__ = ["amp_definitely_not_available"]
