"""torch.profiler._pattern_matcher: re-exports only."""

from .kineto.event_tree import _ProfilerEvent
from .kineto.fields import _ExtraFields_PyCall, _ExtraFields_PyCCall, _ExtraFields_TorchOp
from .kineto.kinds import _EventType
from .kineto.search import index_of_first_match
from .kineto.traversal import traverse_bfs, traverse_dfs
from .patterns.pattern import NamePattern, Pattern, input_dtypes, input_shapes, source_code_location
from .patterns.report import report_all_anti_patterns
from .patterns.tensor_patterns import (
    ExtraCUDACopyPattern,
    ForLoopIndexingPattern,
    FP32MatMulPattern,
    MatMulDimInFP16Pattern,
)
from .patterns.training_patterns import (
    Conv2dBiasFollowedByBatchNorm2dPattern,
    GradNotSetToNonePattern,
    OptimizerSingleTensorPattern,
    SynchronizedDataLoaderPattern,
)

__all__ = ["Conv2dBiasFollowedByBatchNorm2dPattern", "ExtraCUDACopyPattern", "FP32MatMulPattern",
           "ForLoopIndexingPattern", "GradNotSetToNonePattern", "MatMulDimInFP16Pattern", "NamePattern",
           "OptimizerSingleTensorPattern", "Pattern", "SynchronizedDataLoaderPattern", "_EventType",
           "_ExtraFields_PyCCall", "_ExtraFields_PyCall", "_ExtraFields_TorchOp", "_ProfilerEvent",
           "index_of_first_match", "input_dtypes", "input_shapes", "report_all_anti_patterns",
           "source_code_location", "traverse_bfs", "traverse_dfs"]
