"""Other modules than pickle: what is asked of them before they are used."""

from __future__ import annotations

import warnings
from typing import Any

OLDEST_DILL = (0, 3, 1)


def check_module_version_greater_or_equal(module, req_version_tuple: tuple, error_if_malformed: bool = True) -> bool:
    """Whether a module's version is at least this; of one that cannot be read, an error or a warning."""
    try:
        parts = module.__version__.split(".")
        version = tuple(type(wanted)(parts[i]) for i, wanted in enumerate(req_version_tuple))
        return version >= req_version_tuple
    except Exception as error:
        message = (f"'{module.__name__}' module version string is malformed '{module.__version__}' and cannot be "
                   f"compared with tuple {req_version_tuple}")
        if error_if_malformed:
            raise RuntimeError(message) from error
        warnings.warn(message + ", but continuing assuming that requirement is met", stacklevel=2)
        return True


def check_dill_version(pickle_module: Any) -> None:
    """Refuse versions of dill that cannot pickle by reference."""
    if pickle_module is None or pickle_module.__name__ != "dill":
        return
    if not check_module_version_greater_or_equal(pickle_module, OLDEST_DILL, False):
        raise ValueError(f"'torch' supports dill >= {'.'.join(map(str, OLDEST_DILL))}, but you have dill "
                         f"{pickle_module.__version__}. Please upgrade dill or switch to 'pickle'")
