"""torch.profiler._utils: re-exports only."""

from .kineto.evaluation import BasicEvaluation, EventKey, EventMetrics, Interval
from .kineto.search import argmax, index_of_first_match, source_code_location
from .kineto.traversal import traverse_bfs, traverse_dfs

__all__ = ["BasicEvaluation", "EventKey", "EventMetrics", "Interval", "argmax", "index_of_first_match",
           "source_code_location", "traverse_bfs", "traverse_dfs"]
