"""Times, shares and sizes as torch prints them."""

from __future__ import annotations

US_IN_SECOND = 1000.0 * 1000.0
US_IN_MS = 1000.0
UNITS = {"s": US_IN_SECOND, "ms": US_IN_MS, "us": 1.0}
SIZES = ((1024**3, "GB"), (1024**2, "MB"), (1024, "KB"))


def format_time(time_us: float) -> str:
    """In the largest unit that leaves at least 1."""
    for unit, size in UNITS.items():
        if time_us >= size:
            return f"{time_us / size:.3f}{unit}"
    return f"{time_us:.3f}us"


def format_time_in(time_us: float, unit: str | None) -> str:
    """In the given unit; one that is unknown is torch's to choose."""
    if unit not in UNITS:
        return format_time(time_us)
    return f"{time_us / UNITS[unit]:.3f}{unit}"


def format_time_share(time_us: float, total_time_us: float) -> str:
    """A percentage of the total."""
    if total_time_us == 0:
        if time_us != 0:
            raise AssertionError(f"Expected time_us == 0 but got {time_us}")
        return "NaN"
    return f"{time_us * 100.0 / total_time_us:.2f}%"


def format_memory(nbytes: float) -> str:
    """In the largest binary unit that leaves at least 1."""
    for size, unit in SIZES:
        if abs(nbytes) >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} B"
