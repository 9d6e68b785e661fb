"""torch.multiprocessing.queue: Python's own queues, which write tensors by shared memory once they are told how."""

from multiprocessing.queues import Queue, SimpleQueue

__all__ = ["Queue", "SimpleQueue"]
