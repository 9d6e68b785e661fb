"""torch.multiprocessing.pool: Python's own pool, whose queues write tensors by shared memory."""

from multiprocessing.pool import Pool

__all__ = ["Pool"]
