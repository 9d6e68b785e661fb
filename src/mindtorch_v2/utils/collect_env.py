"""torch.utils.collect_env: what a report of a problem should say of the machine, in torch's lines."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

from ..version import __version__, debug

UNKNOWN, NOT_HERE = "Could not collect", "N/A"
PIP_PATTERNS = {"torch", "numpy", "ml_dtypes", "scipy", "mypy", "flake8", "onnx", "optree", "mindtorch_v2"}
_TIMEOUT_S = 10


class SystemEnv(NamedTuple):
    """Everything that the report says."""

    torch_version: str
    is_debug_build: str
    cuda_compiled_version: str
    gcc_version: str | None
    clang_version: str | None
    cmake_version: str | None
    os: str | None
    libc_version: str
    python_version: str
    python_platform: str
    is_cuda_available: str
    cuda_runtime_version: str
    cuda_module_loading: str
    nvidia_driver_version: str
    nvidia_gpu_models: str
    cudnn_version: str
    is_xpu_available: str
    pip_version: str
    pip_packages: str
    conda_packages: str
    hip_compiled_version: str
    hip_runtime_version: str
    miopen_runtime_version: str
    caching_allocator_config: str
    is_xnnpack_available: str
    cpu_info: str | None


# Line by line: what stands before it, and whose fields stand in it; an empty row is an empty line.
_LINES = (
    ("PyTorch version", "torch_version"), ("Is debug build", "is_debug_build"),
    ("CUDA used to build PyTorch", "cuda_compiled_version"), ("ROCM used to build PyTorch", "hip_compiled_version"), (),
    ("OS", "os"), ("GCC version", "gcc_version"), ("Clang version", "clang_version"),
    ("CMake version", "cmake_version"), ("Libc version", "libc_version"), (),
    ("Python version", "python_version"), ("Python platform", "python_platform"),
    ("Is CUDA available", "is_cuda_available"), ("CUDA runtime version", "cuda_runtime_version"),
    ("CUDA_MODULE_LOADING set to", "cuda_module_loading"), ("GPU models and configuration", "nvidia_gpu_models"),
    ("Nvidia driver version", "nvidia_driver_version"), ("cuDNN version", "cudnn_version"),
    ("Is XPU available", "is_xpu_available"), ("HIP runtime version", "hip_runtime_version"),
    ("MIOpen runtime version", "miopen_runtime_version"), ("Is XNNPACK available", "is_xnnpack_available"),
    ("Caching allocator config", "caching_allocator_config"), ())


def run(command: list[str]) -> tuple[int, str, str]:
    """How a command ended, and what it wrote; -1 where there is no such command."""
    if shutil.which(command[0]) is None:
        return -1, "", f"{command[0]}: not found"
    done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def _first_match(command: list[str], pattern: str) -> str | None:
    code, out, _ = run(command)
    match = re.search(pattern, out) if code == 0 else None
    return match.group(1) if match else None


def get_gcc_version() -> str | None:
    """gcc's word for its version."""
    return _first_match(["gcc", "--version"], r"gcc (.*)")


def get_clang_version() -> str | None:
    """clang's."""
    return _first_match(["clang", "--version"], r"clang version (.*)")


def get_cmake_version() -> str | None:
    """CMake's."""
    return _first_match(["cmake", "--version"], r"cmake (.*)")


def get_os() -> str:
    """The system and its kind of processor."""
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        name = f"{platform.system()} {platform.release()}"
    return f"{name} ({platform.machine()})"


def get_libc_version() -> str:
    """The C library, where there is one to ask about."""
    return "-".join(platform.libc_ver()) if sys.platform == "linux" else NOT_HERE


def get_cpu_info() -> str | None:
    """What the system tells of the processor."""
    code, out, _ = run(["lscpu"] if sys.platform == "linux" else ["sysctl", "-n", "machdep.cpu.brand_string"])
    return out if code == 0 else None


def get_pip_packages(patterns: set[str] | None = None) -> tuple[str, str]:
    """pip's name, and the installed packages that matter, a line each."""
    chosen = PIP_PATTERNS if patterns is None else patterns
    installed = {dist.metadata["Name"]: dist.version for dist in importlib.metadata.distributions()
                 if dist.metadata["Name"]}
    lines = [f"{name}=={version}" for name, version in sorted(installed.items())
             if any(pattern in name.lower() for pattern in chosen)]
    return f"pip{sys.version_info.major}", "\n".join(lines)


def get_env_info() -> SystemEnv:
    """The facts of this machine."""
    pip_version, pip_packages = get_pip_packages()
    python = f"{sys.version.replace(chr(10), ' ')} ({sys.maxsize.bit_length() + 1}-bit runtime)"
    absent = dict.fromkeys((
        "cuda_compiled_version", "cuda_module_loading", "hip_compiled_version", "hip_runtime_version",
        "miopen_runtime_version", "caching_allocator_config"), NOT_HERE)
    return SystemEnv(
        torch_version=__version__, is_debug_build=str(debug), gcc_version=get_gcc_version(),
        clang_version=get_clang_version(), cmake_version=get_cmake_version(), os=get_os(),
        libc_version=get_libc_version(), python_version=python, python_platform=platform.platform(),
        is_cuda_available="False", cuda_runtime_version=UNKNOWN, nvidia_driver_version=UNKNOWN,
        nvidia_gpu_models=UNKNOWN, cudnn_version=UNKNOWN, is_xpu_available="False", pip_version=pip_version,
        pip_packages=pip_packages, conda_packages="", is_xnnpack_available="False",
        cpu_info=get_cpu_info(), **absent)


def pretty_str(envinfo: SystemEnv) -> str:
    """The facts as torch lays them out."""
    lines = [f"{row[0]}: {getattr(envinfo, row[1]) or UNKNOWN}" if row else "" for row in _LINES]
    packages = [f"[{envinfo.pip_version}] {line}" for line in envinfo.pip_packages.splitlines()]
    return "\n".join([*lines, "CPU:", envinfo.cpu_info or UNKNOWN, "", "Versions of relevant libraries:",
                      *(packages or [f"[{envinfo.pip_version}] {UNKNOWN}"]), "[conda] Could not collect"])


def get_pretty_env_info() -> str:
    """The facts of this machine as text."""
    return pretty_str(get_env_info())


def main() -> None:
    """Print the report."""
    print("Collecting environment information...")
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()
