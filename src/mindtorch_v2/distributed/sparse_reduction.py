"""all_reduce for sparse tensors, of which each process may have other elements."""

from __future__ import annotations

import numpy as np

from ..autograd.grad_mode import no_grad
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from .collectives import run
from .parts import array_of, bytes_of, write
from .process_group import ProcessGroup
from .reduce_op import ReduceOp
from .work import Work


def all_reduce_sparse(tensor: Tensor, op: ReduceOp, group: ProcessGroup, async_op: bool) -> Work | None:
    """The sum of the sparse tensors of all processes, in the place of each."""
    if op != ReduceOp.SUM:
        raise RuntimeError("ProcessGroupGloo::allreduce: unsupported reduction operation (allreduce of sparse tensors "
                           "only works with ReduceOp.SUM)")

    def work(tag: int) -> None:
        with no_grad():
            _sum(tensor, group, tag)
    return run(group, ("allreduce_", "sparse_all_reduce"), work, [tensor], async_op)


def _sum(tensor: Tensor, group: ProcessGroup, tag: int) -> None:
    """Send every element to every process, and add what has the same place."""
    mine = tensor.coalesce()
    places, numbers = mine.indices(), mine.values()
    everyone = range(group.size())
    message = bytes(bytes_of(array_of(places))) + bytes(bytes_of(array_of(numbers)))
    came = group.swap(tag, dict.fromkeys(everyone, message), everyone)
    element = np.dtype([("place", np.int64, places.shape[:1]),
                        ("number", array_of(numbers).dtype, numbers.shape[1:])])
    all_places, all_numbers = [], []
    for peer in everyone:
        if len(came[peer]) % element.itemsize:
            raise RuntimeError(f"all_reduce: rank {peer} sent {len(came[peer])} bytes, which are no elements of "
                               f"{element.itemsize} bytes: the tensors of all processes must have one shape and type")
        nnz = len(came[peer]) // element.itemsize
        split = nnz * element["place"].itemsize
        all_places.append(_tensor(came[peer][:split], places, (places.shape[0], nnz)))
        all_numbers.append(_tensor(came[peer][split:], numbers, (nnz, *numbers.shape[1:])))
    total = aten.sparse_coo_tensor(aten.cat(all_places, 1), aten.cat(all_numbers), tensor.shape, dtype=tensor.dtype)
    tensor.copy_(total.coalesce())


def _tensor(data: bytearray, like: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The numbers that came, as a tensor."""
    tensor = like.new_empty(shape)
    write(tensor, np.frombuffer(data, array_of(tensor).dtype))
    return tensor
