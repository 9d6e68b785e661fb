"""Who opened a range: torch's numbers, and ours above them for what Python did."""

from __future__ import annotations

from enum import Enum


class RecordScope(Enum):
    """torch's kinds of recorded functions."""

    def __int__(self) -> int:
        return self.value

    FUNCTION = 0
    BACKWARD_FUNCTION = 1
    TORCHSCRIPT_FUNCTION = 2
    KERNEL_FUNCTION_DTYPE = 3
    CUSTOM_CLASS = 4
    BUILD_FEATURE = 5
    LITE_INTERPRETER = 6
    USER_SCOPE = 7
    STATIC_RUNTIME_OP = 8
    STATIC_RUNTIME_MODEL = 9


# Rows that are no ops: what the Python interpreter did around them.
PYTHON_CALL, C_CALL, MODULE_CALL, GARBAGE_COLLECTION = 32, 33, 34, 35
LINE_BASE = -2  # such a row's ``sequence`` is this less the line it was called from
