"""torch.distributed.elastic.multiprocessing: torch's address for the errors of workers."""

from . import errors  # noqa: F401
