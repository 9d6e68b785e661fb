"""② One fixed-width row per call. Knows neither tensors nor the profiler."""
