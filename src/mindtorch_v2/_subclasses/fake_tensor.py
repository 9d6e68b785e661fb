"""torch._subclasses.fake_tensor: the class of tensors without values, for isinstance(); the meta device has ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..core.overrides import disabled_function
from ..core.tensor import Tensor


class FakeTensor(Tensor):
    """No tensor is an instance of it."""

    __torch_function__ = disabled_function  # nobody needs to be asked about tensors that cannot be made

    def __new__(cls, *args, **kwargs):
        raise RuntimeError('there are no fake tensors in mindtorch_v2: torch.empty(..., device="meta") has no values')


def is_fake(x: object) -> bool:
    """Whether a value is a tensor without values of torch's compiler: never."""
    return isinstance(x, FakeTensor)


@contextmanager
def unset_fake_temporarily() -> Iterator[None]:
    """A block in which tensors have values, as they have outside of it."""
    yield
