"""torch._VF: ops as functions, those among them that torch shows only in other words."""  # noqa: N999  torch's name

from .api.install import FUNCTIONS
from .core.missing_name import missing_name as _missing_name
from .dispatch.packet import Packet
from .opdef import table


def __getattr__(name: str):
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name in table.OPS:
        return Packet(name, table.OPS[name])
    raise _missing_name(__name__, name)
