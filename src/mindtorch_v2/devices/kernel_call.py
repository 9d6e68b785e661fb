"""Calls of the CPU's kernels, uncompiled: every call goes through ``__call__`` (kernel_call.pyx)."""

from __future__ import annotations

from collections.abc import Callable


class KernelCall:
    """Something that runs a kernel of the CPU on the arrays of the tensors that it is called with."""

    def __init__(self, kernel: Callable):
        self.cpu = kernel

    def on_arrays(self, arrays: list):
        """The kernel on arguments among which tensors are arrays already."""
        return self.cpu(*arrays)


def install(cls: type) -> None:
    """Have the interpreter enter the instances of a class in a quicker way; there is none."""
