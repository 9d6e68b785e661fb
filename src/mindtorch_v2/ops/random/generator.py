# cython: annotation_typing=False
"""torch.Generator: where random numbers come from, and the one that is used when none is given."""

from __future__ import annotations

import contextlib
import os

from ...core import dtype as dtypes
from ...core.device import CPU, device
from ...core.tensor import Tensor, new_tensor
from ...devices.kernel import ask

SEED_BYTES = 8


class Generator:
    """A stream of random numbers with a seed and a state; same seed, same numbers as PyTorch's on the CPU."""

    def __init__(self, device: str | device = "cpu"):
        kind = device_type(device)
        if kind != "cpu":
            raise RuntimeError(f"mindtorch_v2 draws random numbers on the CPU only, got device '{device}'; use "
                               "device='cpu'")
        self.engine = ask.new_engine()

    @property
    def device(self) -> device:
        return CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start over from a seed; a negative one counts from 2**64 down."""
        self.engine.seed(as_seed(seed))
        return self

    def seed(self) -> int:
        """Start over from a seed nobody chose, and tell it."""
        seed = int.from_bytes(os.urandom(SEED_BYTES), "little")
        self.engine.seed(seed)
        return seed

    def initial_seed(self) -> int:
        return int(self.engine.initial_seed)

    def get_state(self) -> Tensor:
        """The state as bytes, in torch's own layout."""
        return new_tensor(self.engine.get_state(), dtypes.uint8)

    def set_state(self, new_state: Tensor) -> Generator:
        if not isinstance(new_state, Tensor) or new_state.dtype is not dtypes.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        ask.set_engine_state(self.engine, new_state)
        return self

    def clone_state(self) -> Generator:
        """Another generator that goes on from the same state."""
        return Generator().set_state(self.get_state())

    def get_offset(self) -> int:
        """Refused: generators of other devices count in a sequence."""
        raise RuntimeError("CPU Generator does not use offset")

    def set_offset(self, offset: int) -> Generator:
        raise RuntimeError("CPU Generator does not use offset")

    def graphsafe_get_state(self) -> Generator:
        """Refused: only generators of devices with graphs have such a state."""
        raise NotImplementedError("graphsafe_get_state is not supported in this Generator")

    def graphsafe_set_state(self, state: Generator) -> Generator:
        raise NotImplementedError("graphsafe_set_state is not supported in this Generator")

    def __reduce__(self) -> tuple:
        no_offset = None  # in a sequence that generators of other devices count
        return Generator, (self.device,), (self.initial_seed(), no_offset, self.get_state())

    def __setstate__(self, state: tuple) -> None:
        self.set_state(state[-1])

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"


def device_type(of: str | device) -> str:
    return of.type if isinstance(of, device) else device(of).type


def as_seed(seed: int) -> int:
    seed = int(seed)
    if not -(2**63) <= seed < 2**64:
        raise ValueError("Overflow when unpacking long long")
    return seed % 2**64


default_generator = Generator()
default_generator.seed()


def engine_of(generator: Generator | None):
    """What a kernel draws from: the engine of the generator that was given, or of the default one."""
    return default_generator.engine if generator is None else generator.engine


def manual_seed(seed: int) -> Generator:
    """Seed the generator that is used when none is given."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Seed the default generator with a number nobody chose, and tell it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed the default generator started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The default generator's state as bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Go on from a state that get_rng_state() gave."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled: bool = True, _caller: str = "fork_rng", _devices_kw: str = "devices",
             device_type: str | None = None):
    """Whatever is drawn inside leaves the default generator as it was; other devices have none to keep."""
    kind = device(device_type or "cuda").type
    if not enabled:
        yield
        return
    if devices is not None and list(devices) and kind == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    before = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(before)
