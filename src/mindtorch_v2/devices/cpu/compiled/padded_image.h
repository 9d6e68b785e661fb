/* An image between zeros, its positions sorted by their remainder modulo the stride. Then each place of a kernel is an
   offset, and the whole image is one long row:  row[j] = sum over places t of weight[t] * padded[offset[t] + j].
   Between the lines of the image such a row holds sums of no meaning, which nobody reads. */
#ifndef EACH
#include <stdlib.h>
#include "convolution.h"

/* Rows of sums begin on cache lines: tiles write whole ones. An element has four bytes at least. */
enum { LINE_BYTES = 64, LINE_ELEMENTS = LINE_BYTES / 4 };
INLINE ptrdiff_t whole_lines(ptrdiff_t elements) {
    return (elements + LINE_ELEMENTS - 1) / LINE_ELEMENTS * LINE_ELEMENTS;
}
INLINE void *next_line(void *memory) {
    return (void *)(((uintptr_t)memory + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES);
}

/* Remainders first, then lines, the last dimension fastest. */
typedef struct {
    ptrdiff_t front[3], step[3], lines[3]; /* zeros before the image (or, below zero, what is left out of it) */
    ptrdiff_t size;                        /* of one channel */
} Padded;

INLINE Padded padded(const ptrdiff_t *front, const ptrdiff_t *step, const ptrdiff_t *lines) {
    Padded p = {.size = 1};
    for (int k = 0; k < 3; k++) {
        p.front[k] = front[k];
        p.step[k] = step[k];
        p.lines[k] = lines[k];
        p.size *= step[k] * lines[k];
    }
    return p;
}

/* Division, of numbers that are not below zero, is slow, and most strides are one or two. */
INLINE ptrdiff_t quotient(ptrdiff_t a, ptrdiff_t step) { return step == 1 ? a : step == 2 ? a >> 1 : a / step; }
INLINE ptrdiff_t remains(ptrdiff_t a, ptrdiff_t step) { return step == 1 ? 0 : step == 2 ? a & 1 : a % step; }

/* Where the element (a, b, c) of what lies behind the first zero is. */
INLINE ptrdiff_t padded_offset(const Padded *p, const ptrdiff_t *at) {
    ptrdiff_t remainder = 0, line = 0;
    for (int k = 0; k < 3; k++) {
        remainder = remainder * p->step[k] + remains(at[k], p->step[k]);
        line = line * p->lines[k] + quotient(at[k], p->step[k]);
    }
    return remainder * p->lines[0] * p->lines[1] * p->lines[2] + line;
}

/* The input as an output's positions see it, and the offset of each (channel, place). */
INLINE Padded padded_input(const Convolution *v) {
    ptrdiff_t lines[3];
    for (int k = 0; k < 3; k++) lines[k] = v->out[k] + (v->kernel[k] - 1) * v->dilation[k] / v->stride[k];
    return padded(v->padding, v->stride, lines);
}

INLINE void input_offsets(ptrdiff_t *offset, const Padded *p, const Convolution *v, ptrdiff_t channels) {
    for (ptrdiff_t c = 0; c < channels; c++)
        for (ptrdiff_t d = 0; d < v->kernel[0]; d++)
            for (ptrdiff_t h = 0; h < v->kernel[1]; h++)
                for (ptrdiff_t w = 0; w < v->kernel[2]; w++) {
                    const ptrdiff_t at[3] = {d * v->dilation[0], h * v->dilation[1], w * v->dilation[2]};
                    *offset++ = c * p->size + padded_offset(p, at);
                }
}

/* From the first of these positions to the last. */
INLINE ptrdiff_t row_length(const ptrdiff_t *count, const ptrdiff_t *lines) {
    return ((count[0] - 1) * lines[1] + count[1] - 1) * lines[2] + count[2];
}

/* What a row holds of an image: its line q is line q * step + first there. */
typedef struct {
    const ptrdiff_t *size, *step;
    ptrdiff_t first[3], low[3], high[3];
} Image;

/* The images are taken in bands along their first dimension that is not one, so that a band stays in the cache. */
INLINE int band_axis(const ptrdiff_t *size) { return size[0] > 1 ? 0 : size[1] > 1 ? 1 : 2; }

#define EACH "padded_image.h"
#include "each_real.h"
#else

/* Channels between zeros, which are there already; what lies beyond the last line is not needed. */
INLINE void FN(pad)(REAL *to, const Padded *p, const REAL *x, ptrdiff_t channels, const ptrdiff_t *size) {
    const ptrdiff_t step = p->step[2], begin = p->front[2] < 0 ? -p->front[2] : 0;
    const ptrdiff_t last_d = p->lines[0] * p->step[0] - p->front[0], last_h = p->lines[1] * p->step[1] - p->front[1];
    const ptrdiff_t end_d = size[0] < last_d ? size[0] : last_d, end_h = size[1] < last_h ? size[1] : last_h;
    for (ptrdiff_t c = 0; c < channels; c++, to += p->size, x += size[0] * size[1] * size[2])
        for (ptrdiff_t d = p->front[0] < 0 ? -p->front[0] : 0; d < end_d; d++)
            for (ptrdiff_t h = p->front[1] < 0 ? -p->front[1] : 0; h < end_h; h++)
                for (ptrdiff_t first = begin; first < begin + step && first < size[2]; first++) {
                    const ptrdiff_t at[3] = {d + p->front[0], h + p->front[1], first + p->front[2]};
                    const ptrdiff_t room = p->lines[2] - quotient(at[2], step);
                    const ptrdiff_t count = quotient(size[2] - first + step - 1, step);
                    const ptrdiff_t n = count < room ? count : room;
                    const REAL *of = x + (d * size[1] + h) * size[2] + first;
                    REAL *row = to + padded_offset(p, at);
                    if (step == 1)
                        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = of[j];
                    else if (step == 2)
                        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = of[j * 2];
                    else
                        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = of[j * step];
                }
}

/* A row as the image that it is of. */
INLINE void FN(show)(REAL *to, const REAL *row, const ptrdiff_t *lines, const Image *i, REAL bias) {
    const ptrdiff_t step = i->step[2];
    for (ptrdiff_t d = i->low[0]; d < i->high[0]; d++)
        for (ptrdiff_t h = i->low[1]; h < i->high[1]; h++) {
            const REAL *of = row + (d * lines[1] + h) * lines[2];
            const ptrdiff_t line = (d * i->step[0] + i->first[0]) * i->size[1] + h * i->step[1] + i->first[1];
            REAL *there = to + line * i->size[2] + i->first[2];
            if (step == 1)
                FREE_LOOP for (ptrdiff_t j = i->low[2]; j < i->high[2]; j++) there[j] = of[j] + bias;
            else
                for (ptrdiff_t j = i->low[2]; j < i->high[2]; j++) there[j * step] = of[j] + bias;
        }
}
#endif
