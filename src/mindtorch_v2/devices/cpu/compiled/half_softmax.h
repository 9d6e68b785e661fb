/* Softmax and its relatives of halves: some rows, or some columns of a slab, as floats in between. */
#ifndef MINDTORCH_HALF_SOFTMAX_H
#define MINDTORCH_HALF_SOFTMAX_H
#include <stdlib.h>
#include "half.h"
#include "softmax.h"

enum { ELEMENTS_BETWEEN = 4096 }; /* of whole rows that are floats at a time */

typedef struct {
    SoftmaxJob of; /* halves */
    int half, lacks_memory;
} HalfSoftmax;

/* `lines` of `width` halves that lie `apart` from each other, as floats side by side. */
static void widen_lines(int half, float *to, const uint16_t *from, ptrdiff_t apart, ptrdiff_t lines, ptrdiff_t width) {
    for (ptrdiff_t i = 0; i < lines; i++) widen(half, to + i * width, (const char *)(from + i * apart), sizeof *from, width);
}

static void half_softmax_pieces(void *given, ptrdiff_t begin, ptrdiff_t end) {
    HalfSoftmax *job = (HalfSoftmax *)given;
    const ptrdiff_t dim = job->of.dim, inner = job->of.inner, tiles = tiles_of(&job->of);
    const ptrdiff_t rows = dim < ELEMENTS_BETWEEN ? ELEMENTS_BETWEEN / dim : 1, most = dim * (inner == 1 ? rows : COLUMNS);
    float *x = malloc(2 * most * sizeof *x), *y = x + most;
    SoftmaxJob floats = {1, job->of.logarithm, x, x, job->of.y ? y : NULL, dim, 1};
    if (!x) job->lacks_memory = 1;
    for (ptrdiff_t i = begin, step; x && i < end; i += step) {
        const ptrdiff_t first = i % tiles * COLUMNS;
        step = inner > 1 ? 1 : rows < end - i ? rows : end - i;
        floats.inner = inner - first < COLUMNS ? inner - first : COLUMNS; /* which is 1 where there are whole rows */
        const ptrdiff_t at = i / tiles * dim * inner + first;
        const ptrdiff_t lines = inner == 1 ? 1 : dim, width = inner == 1 ? step * dim : floats.inner;
        widen_lines(job->half, x, (const uint16_t *)job->of.x + at, inner, lines, width);
        if (floats.y) widen_lines(job->half, y, (const uint16_t *)job->of.y + at, inner, lines, width);
        softmax_pieces(&floats, 0, step);
        for (ptrdiff_t d = 0; d < lines; d++)
            narrow(job->half, (char *)((uint16_t *)job->of.out + at + d * inner), sizeof(uint16_t), x + d * width, width);
    }
    free(x);
}
#endif
