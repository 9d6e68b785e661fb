"""torch._C._distributed_rpc: calls between processes, for libraries that ask; there are none."""

from __future__ import annotations

from typing import NoReturn

from ..core.missing_name import missing as _missing


class PyRRef:
    """A value that another process holds, for isinstance()."""

    def __new__(cls, *args, **kwargs) -> NoReturn:
        raise RuntimeError("mindtorch_v2 makes no calls between processes, and so no references to values elsewhere")


def _is_current_rpc_agent_set() -> bool:
    """Whether this process takes part in such calls: never."""
    return False


__getattr__ = _missing(__name__)
