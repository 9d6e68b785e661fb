"""Where a tensor lives and how it is laid out: torch.device, layout and memory format."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..record.places import ADDRESS, ADDRESS_BITS, KINDS, OWN, place_number

_TYPES = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla",
          "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")
_STRING = re.compile(r"([a-zA-Z_]+)(?::(0|[1-9][0-9]*))?")
PRIVATEUSE1 = "privateuseone"  # the device of a program's own as long as it has given it no name
_own_name = PRIVATEUSE1
when_renamed: list[Callable[[str], None]] = []  # told the name when the program gives one


def _get_privateuse1_backend_name() -> str:
    """What the program calls its own device."""
    return _own_name


def _rename_privateuse1_backend(name: str) -> None:
    """Give the program's own device a name: once."""
    global _own_name
    if not isinstance(name, str):
        raise RuntimeError(f"_rename_privateuse1_backend expects a str, but got {type(name).__name__}")
    if name in _TYPES and name != PRIVATEUSE1:
        raise RuntimeError(f"Cannot register privateuse1 backend with in-tree device name: {name}")
    if _own_name not in (PRIVATEUSE1, name):
        raise RuntimeError(f"torch.register_privateuse1_backend() has already been set! Current backend: {_own_name}")
    _own_name = name
    for tell in when_renamed:
        tell(name)


class device:  # noqa: N801  torch's name
    """A kind of processor and, where it has one, its number."""

    __module__ = "mindtorch_v2"
    __slots__ = ("index", "type")

    def __init__(self, type: str | device, index: int | None = None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif isinstance(type, int):  # of a device that computes beside the CPU
            raise RuntimeError("Device index must not be negative" if type < 0 else
                               "Cannot access accelerator device when none is available.")
        elif not type:
            raise RuntimeError("Device string must not be empty")
        elif type not in _TYPES:
            type, index = _read(type, index)
        if type == PRIVATEUSE1:
            type = _own_name
        if type not in _TYPES and type != _own_name:
            raise RuntimeError(f"Expected one of {', '.join(_TYPES)} device type at start of device string: {type}")
        if index is not None and not isinstance(index, int):
            raise TypeError(f"device(): argument 'index' (position 2) must be int, not {index.__class__.__name__}")
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
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
        return device, (self.type,) if self.index is None else (self.type, self.index)

    def __enter__(self) -> device:
        """New tensors are made here unless their call says otherwise."""
        from .default_device import enter  # stands on tensors, which stand on this
        return enter(self)

    def __exit__(self, *failure) -> None:
        from .default_device import leave
        leave()


def _read(text: str, index: int | None) -> tuple[str, int | None]:
    """The kind and the number that a string like "cuda:1" names."""
    match = _STRING.fullmatch(text)
    if match is None:
        raise RuntimeError(f"Invalid device string: '{text}'")
    kind, number = match.groups()
    if number is None:
        return kind, index
    if index is not None:
        raise RuntimeError(f"type (string) must not include an index because index was passed explicitly: {text}")
    return kind, int(number)


CPU = device("cpu")

# The devices that hold tensors, by number, which is what a storage keeps; and what each offers, a devices.Backend.
PLACES: list[device] = [CPU]
BACKENDS: list = [None]
# What stands above an address on each of them in a recording; None where tensors have no memory.
MARKS: list[int | None] = [0]


def add_device(place: device, backend) -> None:
    """Let tensors be on a device."""
    mark = place_number(KINDS.get(place.type, OWN), place.index or 0) << ADDRESS_BITS
    PLACES.append(place)
    BACKENDS.append(backend)
    MARKS.append(None if place.type == "meta" else mark)


def recorded_address(number: int, address: int) -> int:
    """An address on the device of a number as recordings keep it: no other device has the same."""
    mark = MARKS[number]
    return 0 if mark is None else mark | address & ADDRESS


def number_of(place: device) -> int:
    """The number of a device that holds tensors."""
    for number, known in enumerate(PLACES):
        if known == place:
            return number
    if place.type in NOT_COMPILED:
        raise AssertionError(f"Torch not compiled with {NOT_COMPILED[place.type]} enabled")
    holding = ", ".join(sorted({str(known) for known in PLACES}))
    raise RuntimeError(f"mindtorch_v2 holds tensors on {holding}, got device '{place}'; use one of these")


NOT_COMPILED = {"cuda": "CUDA", "xpu": "XPU"}
SINGLE = ("cpu", "meta")  # whatever number is asked for, there is one


def is_cpu(value) -> bool:
    """Whether this is the CPU, or its name."""
    return value is CPU or (value == "cpu" if type(value) is str else type(value) is device and value == CPU)


def as_device(value) -> device:
    """A device that holds tensors, from a device, a string or None."""
    if value is None or is_cpu(value):
        return CPU
    place = value if isinstance(value, device) else device(value)
    if place.type == "cpu":
        return CPU
    number = number_of(device(place.type, None if place.type in SINGLE else place.index or 0))
    return PLACES[number]


class _Choice:
    """One of a fixed set of named values, there once for all."""

    __slots__ = ("code", "name")

    def __new__(cls):
        raise TypeError(f"cannot create 'torch.{cls.__name__}' instances")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self):
        return _by_name, (self.name,)

    def __copy__(self) -> _Choice:
        return self

    def __deepcopy__(self, memo: dict) -> _Choice:
        return self

class layout(_Choice):  # noqa: N801  torch's name
    """How elements are stored; only strided tensors exist here."""

    __module__ = "mindtorch_v2"

    def __reduce__(self):
        return _get_layout, (repr(self),)


class memory_format(_Choice):  # noqa: N801  torch's name
    """The order of strides a new tensor gets."""

    __module__ = "mindtorch_v2"


def _choices(kind: type, *names: str) -> list:
    choices = []
    for code, name in enumerate(names):
        choice = object.__new__(kind)
        choice.name, choice.code = name, code
        choices.append(choice)
    return choices


# By torch's numbers.
strided, sparse_coo, sparse_csr, _mkldnn, sparse_csc, sparse_bsr, sparse_bsc, jagged = _choices(
    layout, "strided", "sparse_coo", "sparse_csr", "_mkldnn", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged")
contiguous_format, preserve_format, channels_last, channels_last_3d = _choices(
    memory_format, "contiguous_format", "preserve_format", "channels_last", "channels_last_3d")
legacy_contiguous_format = contiguous_format


def _by_name(name: str) -> _Choice:
    return globals()[name]


def _get_layout(name: str) -> layout:
    """The layout that a file calls ``torch.strided`` or the like."""
    known = globals().get(name.removeprefix("torch."))
    if not isinstance(known, layout):
        raise KeyError(name)
    return known
