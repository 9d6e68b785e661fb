"""torch.autograd.anomaly_mode: the search for what makes NaN, at torch's address."""

from .anomaly import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
