"""The same kernels in Cython and C: the long loops, fast."""
