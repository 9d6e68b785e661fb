"""torch.profiler.itt: re-exports only."""

from .session.annotations import is_available, mark, range, range_pop, range_push  # noqa: A004 - torch's names

__all__ = ["is_available", "range_push", "range_pop", "mark", "range"]
