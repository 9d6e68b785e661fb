"""torch.profiler._trace_validator: re-exports only."""

from .export.trace_rules import EVENT_RECORDS as _CUDA_EVENT_RECORD_NAMES
from .export.trace_rules import NCCL_REQUIRED_FIELDS as _NCCL_REQUIRED_FIELDS
from .export.trace_rules import RULES as _RULES
from .export.trace_rules import (
    Violation,
    _check_backward_seq_id_uniqueness,
    _check_gpu_kernel_causality,
    _check_nccl_metadata,
    _check_stream_sync_overlap,
    _check_stream_wait_corr_id_in_past,
    _check_stream_wait_corr_id_populated,
    validate_trace,
)
from .export.trace_rules import load_events as _load_events

__all__ = ["Violation", "_CUDA_EVENT_RECORD_NAMES", "_NCCL_REQUIRED_FIELDS", "_RULES",
           "_check_backward_seq_id_uniqueness", "_check_gpu_kernel_causality", "_check_nccl_metadata",
           "_check_stream_sync_overlap", "_check_stream_wait_corr_id_in_past", "_check_stream_wait_corr_id_populated",
           "_load_events", "validate_trace"]
