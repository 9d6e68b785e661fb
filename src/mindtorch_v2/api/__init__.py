"""Ops as torch's functions and methods: importing this room declares all ops and installs them."""

import gc
from importlib import import_module
from pkgutil import iter_modules

from .. import ops
from .install import install

_was_collecting = gc.isenabled()
gc.disable()  # a hundred thousand objects are made here, none of them garbage
try:
    ops.declare_all()
    for _module in iter_modules(__path__, f"{__name__}."):
        import_module(_module.name)
    install()
    if not gc.get_freeze_count():  # into the oldest generation at once: they will not go away again
        gc.freeze()
        gc.unfreeze()
finally:
    if _was_collecting:
        gc.enable()
