"""torch._VF: ops as functions, those among them that torch shows only in other words."""  # noqa: N999  torch's name

from .api.install import FUNCTIONS
from .core.missing_name import missing_name as _missing_name
from .dispatch.packet import named
from .opdef import table


def __getattr__(name: str):
    if name in FUNCTIONS or name in table.OPS:
        return named(name, False)
    raise _missing_name(__name__, name)
