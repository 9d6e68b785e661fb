"""torch.distributed.rpc: there are no other processes to call, and this says so."""

from ..core.missing_name import answer_for_missing as _answer_for_missing

__all__ = ["is_available"]


def is_available() -> bool:
    """Whether functions of other processes can be called."""
    return False


_answer_for_missing(__name__)
