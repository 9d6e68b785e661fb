"""torch.profiler._memory_profiler: re-exports only."""

from .kineto.event_tree import _ProfilerEvent
from .kineto.fields import _ExtraFields_Allocation, _ExtraFields_TorchOp, _TensorMetadata
from .kineto.kinds import _EventType
from .memory.categories import CategoryDict, CategoryElement
from .memory.data_flow import DataFlowEdge, DataFlowGraph, DataFlowNode
from .memory.keys import ACTION_TO_INDEX as _ACTION_TO_INDEX
from .memory.keys import CATEGORY_TO_COLORS as _CATEGORY_TO_COLORS
from .memory.keys import CATEGORY_TO_INDEX as _CATEGORY_TO_INDEX
from .memory.keys import Action, Category, Key, TensorKey, _Storage
from .memory.memory_profile import MemoryProfile
from .memory.op_tree import (
    OpTree,
    SizeMap,
    _extract_parameters_and_gradients,
    extract_gradients,
    extract_parameters,
    get_scopes,
)
from .memory.timeline import MemoryProfileTimeline
from .session.schema_matcher import SchemaMatcher
from .views.record_scope import RecordScope

KeyAndID = tuple["Key", int]
TensorAndID = tuple["TensorKey", int]

__all__ = ["Action", "Category", "CategoryDict", "CategoryElement", "DataFlowEdge", "DataFlowGraph", "DataFlowNode",
           "Key", "KeyAndID", "MemoryProfile", "MemoryProfileTimeline", "OpTree", "RecordScope", "SchemaMatcher",
           "SizeMap", "TensorAndID", "TensorKey", "_ACTION_TO_INDEX", "_CATEGORY_TO_COLORS", "_CATEGORY_TO_INDEX",
           "_EventType", "_ExtraFields_Allocation", "_ExtraFields_TorchOp", "_ProfilerEvent", "_Storage",
           "_TensorMetadata", "_extract_parameters_and_gradients", "extract_gradients", "extract_parameters",
           "get_scopes"]
