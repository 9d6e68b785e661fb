"""On which device a storage was saved and where it is loaded to: tags, and who restores them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from ..api.typed_storage import TypedStorage
from ..core.device import _get_privateuse1_backend_name, device
from ..ops.python.storage import UntypedStorage

Tagger = Callable[[UntypedStorage], "str | None"]
Deserializer = Callable[[UntypedStorage, str], "UntypedStorage | None"]
_package_registry: list[tuple[int, Tagger, Deserializer]] = []
_TO_CPU = ("If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to "
           "map your storages to the CPU.")


def register_package(priority: int, tagger: Tagger, deserializer: Deserializer) -> None:
    """Let somebody tag storages and restore them from tags; those with lower numbers are asked first."""
    _package_registry.append((priority, tagger, deserializer))
    _package_registry.sort(key=lambda package: package[0])


def location_tag(storage: UntypedStorage | TypedStorage) -> str:
    """What a file says of the device that a storage is on."""
    for _, tagger, _ in _package_registry:
        location = tagger(storage)
        if location:
            return location
    raise RuntimeError(f"don't know how to determine data location of torch.storage.{type(storage).__name__}")


def default_restore_location(storage: UntypedStorage, location: str) -> UntypedStorage:
    """A storage on the device that a tag names."""
    for _, _, deserializer in _package_registry:
        restored = deserializer(storage, location)
        if restored is not None:
            return restored
    raise RuntimeError(f"don't know how to restore data location of torch.storage.{type(storage).__name__} "
                       f"(tagged with {location})")


class NotPlaced(Exception):  # noqa: N818  the error is its cause
    """What placing a storage failed with, which is no fault of the file that is being read."""


def restorer(map_location) -> Callable[[UntypedStorage, str], UntypedStorage]:
    """How load(map_location=...) wants storages to be placed."""
    place = _placer(map_location)

    def restore(storage: UntypedStorage, location: str) -> UntypedStorage:
        try:
            return place(storage, location)
        except Exception as error:
            raise NotPlaced from error
    return restore


def _placer(map_location) -> Callable[[UntypedStorage, str], UntypedStorage]:
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(storage, map_location.get(location, location))
    if isinstance(map_location, (str, bytes, device)):
        place = map_location.decode() if isinstance(map_location, bytes) else str(map_location)
        return lambda storage, location: default_restore_location(storage, place)

    def restore(storage: UntypedStorage, location: str) -> UntypedStorage:
        placed = map_location(storage, location)
        return default_restore_location(storage, location) if placed is None else placed

    return restore


def is_meta(map_location) -> bool:
    """Whether all storages go to the device without memory, so that nothing needs to be read."""
    return map_location == "meta" or isinstance(map_location, device) and map_location.type == "meta"


def _validate_device(location: str, backend_name: str) -> device:
    """The device of a location, if this machine has it."""
    from importlib import import_module
    try:
        module = import_module(f"..{backend_name}", __package__)
    except ModuleNotFoundError:
        raise RuntimeError(f"The {backend_name.upper()} device module is not registered. {_TO_CPU}") from None
    place = device(location)
    index = place.index or 0
    if not module.is_available():
        raise RuntimeError(f"Attempting to deserialize object on a {backend_name.upper()} device but "
                           f"torch.{backend_name}.is_available() is False. {_TO_CPU}")
    count = module.device_count()
    if index >= count:
        raise RuntimeError(f"Attempting to deserialize object on {backend_name.upper()} device {index} but "
                           f"torch.{backend_name}.device_count() is {count}. Please use torch.load with map_location "
                           "to map your storages to an existing device.")
    return device(backend_name, index)


def validate_cuda_device(location: str) -> int:
    return _validate_device(location, "cuda").index


def validate_hpu_device(location: str) -> int:
    return _validate_device(location, "hpu").index


def _tag(kind: str, storage) -> str | None:
    """The tag of a storage on a kind of device; ``privateuse1`` is the program's own."""
    kind = _get_privateuse1_backend_name() if kind == "privateuse1" else kind
    place = storage.device
    if place.type != kind:
        return None
    return kind if kind in ("cpu", "meta") else str(place)


def _restore_here(storage: UntypedStorage, location: str) -> UntypedStorage | None:
    return storage if location == "cpu" else None


def _restore_without_memory(storage: UntypedStorage, location: str) -> UntypedStorage | None:
    return UntypedStorage(storage.nbytes(), device="meta") if location == "meta" else None


def _restore_elsewhere(kind: str, storage: UntypedStorage, location: str) -> UntypedStorage | None:
    if re.match(rf"{kind}(:\d+|\d+)?$", location):
        return storage.to(device=_validate_device(location, kind))
    return None


def _restore_on_own_device(storage: UntypedStorage, location: str) -> UntypedStorage | None:
    """On the program's own device, whose module registers itself by name."""
    own = _get_privateuse1_backend_name()
    return storage.to(device=device(location)) if re.match(rf"{own}(:\d+)?$", location) else None


# torch's order.
for _priority, _kind, _restore in (
        (10, "cpu", _restore_here), (20, "cuda", partial(_restore_elsewhere, "cuda")),
        (21, "mps", partial(_restore_elsewhere, "mps")), (22, "meta", _restore_without_memory),
        (23, "privateuse1", _restore_on_own_device), (24, "hpu", partial(_restore_elsewhere, "hpu")),
        (25, "xpu", partial(_restore_elsewhere, "xpu")), (26, "mtia", partial(_restore_elsewhere, "mtia"))):
    register_package(_priority, partial(_tag, _kind), _restore)
