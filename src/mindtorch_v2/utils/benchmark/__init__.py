"""torch.utils.benchmark: how long a statement takes, measured as torch measures it."""

from ...core.missing_name import answer_for_missing as _answer_for_missing
from .compare import Colorize, Compare
from .measurement import Measurement, TaskSpec
from .timer import Language, Timer, timer
from .units import ordered_unique, select_unit, set_torch_threads, trim_sigfig, unit_to_english

__all__ = ["Colorize", "Compare", "Language", "Measurement", "TaskSpec", "Timer", "ordered_unique", "select_unit",
           "set_torch_threads", "timer", "trim_sigfig", "unit_to_english"]

_answer_for_missing(__name__)
