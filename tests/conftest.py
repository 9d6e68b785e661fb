"""Settings for all tests."""

from __future__ import annotations

import gc
import signal

import pytest

from mindtorch_v2.core import modes

try:
    from hypothesis import HealthCheck, settings
except ModuleNotFoundError:
    pass  # the front of the suite runs with NumPy and pytest alone
else:
    # No test asserts a time: a busy machine is no defect.
    settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("any machine")

# A shell that starts the tests in the background has these ignored, in them and in all their children.
_HANDLERS = {"SIGINT": signal.default_int_handler, "SIGQUIT": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
for _name, _handler in _HANDLERS.items():
    _signal = getattr(signal, _name, None)
    if _signal is not None and signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, _handler)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over the tests themselves: a hundred thousand objects at every full collection."""
    gc.collect()
    gc.freeze()
    if modes.count_reasons():
        raise pytest.UsageError("A test module makes tensors of a special kind or device when it is imported, perhaps "
                                "as parameters: while they live, no test sees a plain program. Make them in the test.")
