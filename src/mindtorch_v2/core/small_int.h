/* The value of a Python int that is one digit long, as nearly all are, without a call. */
#include <Python.h>
#include <stdint.h>

#if PY_VERSION_HEX >= 0x030C0000
#define mt_is_small(whole) PyUnstable_Long_IsCompact((PyLongObject *)(whole))
#define mt_small(whole) ((int64_t)PyUnstable_Long_CompactValue((PyLongObject *)(whole)))
#else
#define mt_is_small(whole) ((size_t)(Py_SIZE(whole) + 1) <= 2)
#define mt_small(whole) ((int64_t)Py_SIZE(whole) * (int64_t)((PyLongObject *)(whole))->ob_digit[0])
#endif

#define mt_int64(whole, overflow) PyLong_AsLongLongAndOverflow(whole, overflow)
