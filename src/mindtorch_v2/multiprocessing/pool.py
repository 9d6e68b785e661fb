"""torch.multiprocessing.pool: Python's own pool, whose queues write tensors by shared memory."""

from multiprocessing.pool import Pool
from multiprocessing.queues import SimpleQueue

__all__ = ["Pool", "SimpleQueue"]
