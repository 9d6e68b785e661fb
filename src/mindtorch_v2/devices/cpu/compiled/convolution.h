/* The sizes of a convolution; what has one or two dimensions has a depth, and a height, of one. */
#ifndef MINDTORCH_CONVOLUTION_H
#define MINDTORCH_CONVOLUTION_H
#include "vmath.h"
typedef struct {
    ptrdiff_t n, c, o, groups; /* items, channels of the input and of the output */
    ptrdiff_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3]; /* depth, height, width */
} Convolution;

/* a / b, rounded up or down, with b > 0 */
INLINE ptrdiff_t ceiling(ptrdiff_t a, ptrdiff_t b) { return a > 0 ? (a + b - 1) / b : -(-a / b); }
INLINE ptrdiff_t between(ptrdiff_t low, ptrdiff_t a, ptrdiff_t high) { return a < low ? low : a > high ? high : a; }
#endif
