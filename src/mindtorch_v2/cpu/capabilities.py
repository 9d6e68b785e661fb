"""What the processor can do, as the kernel tells it: torch.cpu.get_capabilities and what libraries ask of it."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

# Instructions by PyTorch's names, where the kernel has another; all others have the same.
_INSTRUCTIONS = {
    "x86_64": {
        "sse": "", "sse2": "", "sse3": "pni", "ssse3": "", "sse4_1": "", "sse4_2": "", "sse4a": "", "avx": "",
        "avx2": "", "fma3": "fma", "fma4": "", "f16c": "", "bmi": "bmi1", "bmi2": "", "popcnt": "", "lzcnt": "abm",
        "aes": "", "sha": "sha_ni", "clflush": "", "clflushopt": "", "clwb": "", "avx512_f": "avx512f",
        "avx512_cd": "avx512cd", "avx512_dq": "avx512dq", "avx512_bw": "avx512bw", "avx512_vl": "avx512vl",
        "avx512_ifma": "avx512ifma", "avx512_vbmi": "avx512vbmi", "avx512_vbmi2": "", "avx512_bitalg": "",
        "avx512_vpopcntdq": "", "avx512_vnni": "", "avx512_bf16": "", "avx512_fp16": "", "avx512_vp2intersect": "",
        "avx512_4vnniw": "", "avx512_4fmaps": "", "avx_vnni": "", "avx_vnni_int8": "", "avx_vnni_int16": "",
        "avx_ne_convert": "", "avx10_1": "", "avx10_2": "", "amx_bf16": "", "amx_tile": "", "amx_int8": "",
        "amx_fp16": ""},
    "aarch64": {
        "neon": "asimd", "fp16_arith": "asimdhp", "bf16": "", "i8mm": "", "dot": "asimddp", "rdm": "asimdrdm",
        "sve": "", "sve2": "", "sve_bf16": "svebf16", "sme": "", "sme2": "", "aes": "", "sha1": "", "sha2": "",
        "pmull": "", "crc32": "", "atomics": ""},
}
_CPUINFO, _CPU = Path("/proc/cpuinfo"), Path("/sys/devices/system/cpu")


def get_capabilities() -> dict[str, bool | int | str]:
    """The instructions of the processor, its caches and cores by name."""
    machine, told = platform.machine(), _told()
    flags = set(told.get("flags", told.get("Features", "")).split())
    names = _INSTRUCTIONS.get(machine, {})
    return {"architecture": machine, "cpu_name": told.get("model name", "unknown"),
            **{name: (kernels_name or name) in flags for name, kernels_name in names.items()},
            "num_sockets": _count("physical_package_id"), "num_physical_cores": _count("core_id"),
            "num_logical_cores": os.cpu_count() or 1,
            "l1d_cache_size": _cache_bytes(0), "l2_cache_size": _cache_bytes(2)}


def _is_avx2_supported() -> bool:
    return _has("avx2")


def _is_avx512_supported() -> bool:
    return all(_has(f"avx512_{part}") for part in ("f", "vl", "bw", "dq", "cd"))


def _is_avx512_bf16_supported() -> bool:
    return _has("avx512_bf16")


def _is_vnni_supported() -> bool:
    return _has("avx512_vnni")


def _is_amx_tile_supported() -> bool:
    return _has("amx_tile")


def _is_amx_fp16_supported() -> bool:
    return _has("amx_fp16")


def _has(instruction: str) -> bool:
    return bool(get_capabilities().get(instruction, False))


@cache
def _told() -> dict[str, str]:
    """What the kernel says of the first processor; nothing where there is no such file."""
    if not _CPUINFO.exists():
        return {}
    first = _CPUINFO.read_text().partition("\n\n")[0]
    return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in first.splitlines())}


def _count(kind: str) -> int:
    """How many sockets or cores there are, by the numbers that the processors say they are in."""
    numbers = {tuple(file.read_text() for file in (folder / "physical_package_id", folder / kind))
               for folder in _CPU.glob("cpu[0-9]*/topology") if (folder / kind).exists()}
    return len(numbers) or 1


def _cache_bytes(index: int) -> int:
    """The size of a cache of the first processor; 0 where the kernel does not tell."""
    file = _CPU / f"cpu0/cache/index{index}/size"
    text = file.read_text().strip() if file.exists() else "0"
    return int(text.rstrip("KM")) * {"K": 1024, "M": 1024 ** 2}.get(text[-1], 1)
