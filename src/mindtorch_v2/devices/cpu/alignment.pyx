# cython: language_level=3
"""Memory of large arrays on cache lines: loops with wide instructions read a line at a time, not two halves of two.

NumPy asks a handler for memory. Ours hands on to NumPy's own, but for new memory of large arrays, which is aligned; all
of it comes from malloc, so that NumPy's own can also resize and free it.
"""
cdef extern from *:
    """
    #define NPY_TARGET_VERSION NPY_1_22_API_VERSION
    #include <stdlib.h>
    #include <string.h>
    #include "numpy/arrayobject.h"

    enum { CACHE_LINE = 64, LARGE = 1 << 14, PAGE = 1 << 12, HUGE_PAGE = 1 << 21 };
    static PyDataMem_Handler numpys, ours;

    #if defined(__linux__)
    #include <stdint.h>
    #include <sys/mman.h>
    /* What is as large as one of the system's huge pages may lie in them: fewer faults, and fewer addresses to look up. */
    static void prefer_huge_pages(void *memory, size_t size) {
        const uintptr_t first = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)memory + size) / PAGE * PAGE;
        if (size >= HUGE_PAGE) madvise((void *)first, end - first, MADV_HUGEPAGE);
    }
    #else
    #define prefer_huge_pages(memory, size) ((void)0)
    #endif

    #if defined(__unix__) || defined(__APPLE__)
    static void *aligned_malloc(void *context, size_t size) {
        void *memory;
        if (size < LARGE) return numpys.allocator.malloc(context, size);
        if (posix_memalign(&memory, CACHE_LINE, size)) return NULL;
        prefer_huge_pages(memory, size);
        return memory;
    }

    static PyObject *handler_on(PyObject *capsule) {
        PyDataMem_Handler *before = (PyDataMem_Handler *)PyCapsule_GetPointer(capsule, "mem_handler");
        if (!before) return NULL;
        if (strcmp(before->name, "default_allocator")) Py_RETURN_NONE; /* the program has one of its own */
        numpys = ours = *before;
        strcpy(ours.name, "mindtorch_aligned");
        ours.allocator.malloc = aligned_malloc;
        return PyCapsule_New(&ours, "mem_handler", NULL);
    }
    #else
    static PyObject *handler_on(PyObject *capsule) { (void)capsule; Py_RETURN_NONE; }
    #endif
    """
    object handler_on(object capsule)
    object PyDataMem_GetHandler()
    object PyDataMem_SetHandler(object handler)

cimport numpy as cnp

cnp.import_array()


def align_large_arrays():
    """Whether large arrays that this thread makes from now on begin on a cache line: not where another handler is set."""
    handler = handler_on(PyDataMem_GetHandler())
    if handler is not None:
        PyDataMem_SetHandler(handler)
    return handler is not None
