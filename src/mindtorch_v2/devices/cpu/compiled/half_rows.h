/* Norms of rows of halves: some rows at a time as floats. Parameters, statistics and sums are floats. */
#ifndef MINDTORCH_HALF_ROWS_H
#define MINDTORCH_HALF_ROWS_H
#include <stdlib.h>
#include "half.h"
#include "row_norm.h"

enum { ROW_ELEMENTS = 8192 }; /* that are floats at a time, or a single row */

typedef struct {
    RowNorm of; /* whose out, x and grad are halves */
    int half, lacks_memory;
} HalfRows;

static void half_norm_rows(void *given, ptrdiff_t begin, ptrdiff_t end) {
    HalfRows *job = (HalfRows *)given;
    const ptrdiff_t cols = job->of.cols, most = cols < ROW_ELEMENTS ? ROW_ELEMENTS / (cols + 1) + 1 : 1;
    float *floats = malloc((most * cols + 1) * sizeof *floats);
    if (!floats) job->lacks_memory = 1;
    for (ptrdiff_t row = begin; floats && row < end; row += most) {
        const ptrdiff_t rows = end - row < most ? end - row : most, at = row * cols;
        RowNorm some = job->of;
        some.x = some.out = floats;
        some.rstd = (float *)job->of.rstd + row;
        if (job->of.mean) some.mean = (float *)job->of.mean + row;
        widen(job->half, floats, (const char *)((uint16_t *)job->of.x + at), sizeof(uint16_t), rows * cols);
        norm_rows_f32(&some, 0, rows);
        narrow(job->half, (char *)((uint16_t *)job->of.out + at), sizeof(uint16_t), floats, rows * cols);
    }
    free(floats);
}

/* Parts of the rows, each as floats. */
static void half_norm_parts_backward(void *given, ptrdiff_t begin, ptrdiff_t end) {
    HalfRows *job = (HalfRows *)given;
    const ptrdiff_t cols = job->of.cols, size = job->of.part * cols;
    float *x = malloc((3 * size + 1) * sizeof *x), *grad = x + size, *out = grad + size;
    if (!x) job->lacks_memory = 1;
    for (ptrdiff_t part = begin; x && part < end; part++) {
        const ptrdiff_t first = part * job->of.part, at = first * cols;
        RowNorm some = job->of;
        some.rows = job->of.rows - first < job->of.part ? job->of.rows - first : job->of.part;
        some.x = x, some.grad = grad, some.out = job->of.out ? out : NULL;
        some.rstd = (float *)job->of.rstd + first;
        if (job->of.mean) some.mean = (float *)job->of.mean + first;
        if (job->of.grad_weights) some.grad_weights = (float *)job->of.grad_weights + part * cols;
        if (job->of.grad_biases) some.grad_biases = (float *)job->of.grad_biases + part * cols;
        widen(job->half, x, (const char *)((uint16_t *)job->of.x + at), sizeof(uint16_t), some.rows * cols);
        widen(job->half, grad, (const char *)((uint16_t *)job->of.grad + at), sizeof(uint16_t), some.rows * cols);
        norm_parts_backward_f32(&some, 0, 1);
        if (job->of.out)
            narrow(job->half, (char *)((uint16_t *)job->of.out + at), sizeof(uint16_t), out, some.rows * cols);
    }
    free(x);
}
#endif
