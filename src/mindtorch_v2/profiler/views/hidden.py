"""Names and frames that torch's lists leave out: its own machinery."""

from __future__ import annotations

HIDDEN_NAMES = frozenset((
    "[memory]", "[OutOfMemory]", "profiler::_record_function_enter", "profiler::_record_function_enter_new",
    "profiler::_record_function_exit", "aten::is_leaf", "aten::output_nr", "aten::_version"))
# File and function of frames that stand between the user's code and the engine.
HIDDEN_FRAMES = (
    ("autograd/__init__", "_make_grads"), ("autograd/__init__", "backward"), ("torch/tensor", "backward"),
    ("_internal/common_utils", "prof_callable"), ("_internal/common_utils", "prof_func_call"),
    ("_internal/common_utils", "prof_meth_call"))


def filter_name(name) -> bool:
    """Whether torch's list of events leaves a name out."""
    return name in HIDDEN_NAMES


def filter_stack_entry(entry) -> bool:
    """Whether a frame belongs to the user's stack."""
    return all(file not in entry or function not in entry for file, function in HIDDEN_FRAMES)
