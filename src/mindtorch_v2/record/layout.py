"""What a row holds, byte for byte, and the words for what can be recorded; rows.pxd says the same in C."""

from __future__ import annotations

import numpy as np

# ``back`` is the distance to the parent's row, 0 for none: rows stay right wherever they are cut or moved.
ROW = np.dtype([("start_ns", "i8"), ("end_ns", "i8"), ("sequence", "i8"), ("name", "i4"), ("back", "u4"),
                ("inputs", "i4"), ("forward_thread", "i2"), ("scope", "u1"), ("flags", "u1")])

# ``place`` is twice the address, plus 1 if the block's allocation was recorded. ``row`` is the number of the innermost
# open row plus 1, modulo 2**32; 0 for none.
MEMORY = np.dtype([("time_ns", "i8"), ("place", "i8"), ("change", "i8"), ("row", "u4")])

# Which tensors a row was given: ``slot`` counts them in the order of the arguments, lists opened.
TENSOR = np.dtype([("row", "u4"), ("slot", "u4"), ("tensor", "i8"), ("storage", "i8")])

# What ran on a device's own queue: ``row`` is the handle of the launching row or -1, ``device`` and ``name`` are places
# in lists; the times are those of the device's clock until they are read.
DEVICE_ACTIVITY = np.dtype([("correlation", "i8"), ("launch_ns", "i8"), ("start_ns", "i8"), ("end_ns", "i8"),
                            ("row", "i8"), ("queue", "i8"), ("bytes", "i8"), ("name", "i4"), ("device", "i4"),
                            ("thread", "i4"), ("kind", "i4")])
# Memory of a device that came or went; ``total`` is what is alive on it afterwards.
DEVICE_MEMORY = np.dtype([("time_ns", "i8"), ("address", "i8"), ("change", "i8"), ("total", "i8"), ("row", "i8"),
                          ("device", "i4"), ("thread", "i4")])
KERNEL, MEMCPY, MEMSET = range(3)  # kinds of device activity

# What a listener may want.
CALLS, OF_MEMORY, INPUTS, STACKS, TENSORS, COLLECTIONS, EXECUTED, OPTIMIZERS, MODULES = 1, 2, 4, 8, 16, 32, 64, 128, 256
CPU_TIMES = 512

# The handle of a row is its thread's index above these bits and its number, counted over the thread's life, below.
NUMBER_BITS = 40
# Memory and tensors name their row by the lower 32 bits of its number plus one; 0 is no row.
ROW_WORD = 0xFFFFFFFF

# Kinds of rows: torch's numbers for its own, ours from 32 on.
FUNCTION_SCOPE, BACKWARD_SCOPE, USER_SCOPE = 0, 1, 7
PYTHON_CALL, C_CALL, MODULE_CALL, GARBAGE_COLLECTION = 32, 33, 34, 35
CPU_TIME = 37  # how long a thread had run on a processor, in ``sequence``; no event either
MODULE_RANGE = 36  # a module's call by its qualified name; no event, a table of its own is made of them

# A Python call keeps in ``sequence`` the line it was made from: ``LINE_BASE - line``, below everything that is a number
# of autograd's; NO_LINE where it is not known.
NO_LINE, LINE_BASE = -1, -2

# Bits of ``flags``.
UNFINISHED = 1
