"""torch.profiler._chrome_trace_export: traces from raw results; ours are written by one writer, whoever asks."""

from __future__ import annotations


def export_chrome_trace(kineto_results, path: str, metadata: dict[str, str] | None = None) -> None:
    """Write the trace of raw results, with more metadata where it is given."""
    kineto_results.save(path, metadata)
