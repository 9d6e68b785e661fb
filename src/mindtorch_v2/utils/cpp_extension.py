"""torch.utils.cpp_extension: extensions in C++ are built against PyTorch's own library, which is not here."""

from __future__ import annotations

from typing import NoReturn

from ..core.missing_name import missing as _missing

__all__ = ["BuildExtension", "CUDAExtension", "CppExtension", "include_paths", "is_ninja_available", "library_paths",
           "load", "load_inline"]
CUDA_HOME = ROCM_HOME = CUDNN_HOME = SYCL_HOME = None
IS_HIP_EXTENSION = False


def _refuse(*args, **kwargs) -> NoReturn:
    raise RuntimeError("mindtorch_v2 cannot build extensions in C++: they are compiled against PyTorch's own library. "
                       "Where the program has a way in Python, take that")


load = load_inline = CppExtension = CUDAExtension = include_paths = library_paths = verify_ninja_availability = _refuse


class BuildExtension:
    """For setup() of a package; it builds nothing."""

    def __init__(self, *args, **kwargs) -> None:
        _refuse()

    @classmethod
    def with_options(cls, **options):
        """The class itself."""
        return cls


def is_ninja_available() -> bool:
    """False: nothing is built."""
    return False


__getattr__ = _missing(__name__)
