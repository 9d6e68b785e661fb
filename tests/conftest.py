"""Settings for all tests."""

from __future__ import annotations

try:
    from hypothesis import HealthCheck, settings
except ModuleNotFoundError:
    pass  # the front of the suite runs with NumPy and pytest alone
else:
    # No test asserts a time: a busy machine is no defect.
    settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("any machine")
