"""Where a tensor lives and how it is laid out: torch.device, layout and memory format."""

from __future__ import annotations

_TYPES = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla",
          "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")


class device:  # noqa: N801  torch's name
    """A kind of processor and, where it has one, its number."""

    __slots__ = ("index", "type")

    def __init__(self, type: str | device, index: int | None = None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif ":" in type:
            type, _, number = type.partition(":")
            if not number.isdigit():
                raise RuntimeError(f"Invalid device string: '{type}:{number}'")
            index = int(number)
        if type not in _TYPES:
            raise RuntimeError(f"Expected one of {', '.join(_TYPES)} device type at start of device string: {type}")
        self.type = type
        self.index = index

    def __eq__(self, other) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __reduce__(self):
        return device, (self.type, self.index)


CPU = device("cpu")


def as_device(value) -> device:
    """A device from a device, a string or None; only the CPU holds tensors here."""
    if value is None:
        return CPU
    found = value if isinstance(value, device) else device(value)
    if found.type != "cpu":
        if found.type == "cuda":
            raise AssertionError("Torch not compiled with CUDA enabled")
        raise RuntimeError(f"mindtorch_v2 holds tensors on the CPU only, got device '{found}'; use device='cpu'")
    return found


class layout:  # noqa: N801  torch's name
    """How elements are stored; only strided tensors exist here."""

    def __init__(self, name: str, code: int):
        self.name, self.code = name, code

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class memory_format:  # noqa: N801  torch's name
    """The order of strides a new tensor gets."""

    def __init__(self, name: str, code: int):
        self.name, self.code = name, code

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self):
        return _memory_format, (self.name,)


strided, sparse_coo = layout("strided", 0), layout("sparse_coo", 1)
contiguous_format, preserve_format = memory_format("contiguous_format", 0), memory_format("preserve_format", 1)
channels_last, channels_last_3d = memory_format("channels_last", 2), memory_format("channels_last_3d", 3)


def _memory_format(name: str) -> memory_format:
    return globals()[name]
