"""Tests with real programs that read what the profiler writes; each is skipped where its program is missing."""
