"""torch.utils.data._utils: what a DataLoader is made of, at torch's addresses."""

import atexit

from ....core.exception_wrapper import ExceptionWrapper

MP_STATUS_CHECK_INTERVAL = 5.0  # seconds after which a process that says nothing is looked at
HAS_NUMPY = True
python_exit_status = False  # True when Python is about to end: its processes are then ended by multiprocessing


def _set_python_exit_flag() -> None:
    global python_exit_status
    python_exit_status = True


atexit.register(_set_python_exit_flag)

from . import collate, fetch, pin_memory, signal_handling, worker  # noqa: E402  they use what stands above
