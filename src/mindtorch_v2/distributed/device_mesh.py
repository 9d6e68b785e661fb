"""torch.distributed.device_mesh: the class of arrangements of many processes, for annotations; none can be made."""

from __future__ import annotations

from typing import NoReturn

_ALONE = "mindtorch_v2 makes no groups of several processes, and so no meshes of their devices"


class DeviceMesh:
    """Devices of many processes, by rows and columns."""

    def __init__(self, *args, **kwargs) -> None:
        raise RuntimeError(_ALONE)


def init_device_mesh(device_type: str, mesh_shape: tuple[int, ...], *, mesh_dim_names: tuple[str, ...] | None = None,
                     backend_override: dict | None = None) -> NoReturn:
    """Refused."""
    raise RuntimeError(_ALONE)
