/* Softmax and its relatives over the middle axis of (outer, dim, inner). */
#ifndef EACH
#include "logarithm.h"
#define BLOCK 1024 /* elements that stay in the first cache between two passes */
#define COLUMNS 64 /* inner positions treated side by side */
#define LONG 128 /* elements of a row from which it is taken by itself */

typedef struct {
    int single, logarithm;
    void *out, *x, *y; /* in backward x is the gradient and y the result; else y is NULL */
    ptrdiff_t dim, inner;
} SoftmaxJob;

/* Pieces of one outer slab. */
INLINE ptrdiff_t tiles_of(const SoftmaxJob *job) { return (job->inner + COLUMNS - 1) / COLUMNS; }

#define EACH "softmax.h"
#include "each_real.h"

static void softmax_pieces(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((SoftmaxJob *)job)->single, softmax_pieces, (SoftmaxJob *)job, begin, end);
}
#else
#include "rows.h"

/* Short rows: the exponentials of a whole block of rows are taken in one flat loop, which is SIMD whatever the row. */
CLONES static void FN(softmax_rows)(REAL *out, const REAL *x, ptrdiff_t rows, ptrdiff_t n) {
    const ptrdiff_t step = n < BLOCK ? BLOCK / n : 1;
    for (ptrdiff_t r = 0; n >= LONG && r < rows; r++, x += n, out += n) {
        const REAL top = FN(row_max)(x, n);
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] = FN(exp)(x[i] - top);
        const REAL scale = 1 / FN(row_sum)(out, n);
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] *= scale;
    }
    for (ptrdiff_t start = 0; n < LONG && start < rows; start += step) {
        const ptrdiff_t stop = start + step < rows ? start + step : rows;
        for (ptrdiff_t r = start; r < stop; r++) {
            const REAL top = FN(row_max)(x + r * n, n);
            FREE_LOOP for (ptrdiff_t i = r * n; i < (r + 1) * n; i++) out[i] = x[i] - top;
        }
        FREE_LOOP for (ptrdiff_t i = start * n; i < stop * n; i++) out[i] = FN(exp)(out[i]);
        for (ptrdiff_t r = start; r < stop; r++) {
            const REAL scale = 1 / FN(row_sum)(out + r * n, n);
            FREE_LOOP for (ptrdiff_t i = r * n; i < (r + 1) * n; i++) out[i] *= scale;
        }
    }
}

/* log of the sum of exponentials of what a row has above its largest element, a block at a time. */
INLINE REAL FN(log_sum_exp)(const REAL *x, REAL top, ptrdiff_t n, REAL *scratch) {
    REAL total = 0;
    for (ptrdiff_t start = 0; start < n; start += BLOCK) {
        const ptrdiff_t count = n - start < BLOCK ? n - start : BLOCK;
        FREE_LOOP for (ptrdiff_t i = 0; i < count; i++) scratch[i] = FN(exp)(x[start + i] - top);
        total += FN(row_sum)(scratch, count);
    }
    return FN(log)(total);
}

CLONES static void FN(log_softmax_rows)(REAL *out, const REAL *x, ptrdiff_t rows, ptrdiff_t n) {
    REAL scratch[BLOCK];
    const ptrdiff_t step = n < BLOCK ? BLOCK / n : 1;
    for (ptrdiff_t r = 0; n >= LONG && r < rows; r++, x += n, out += n) {
        const REAL top = FN(row_max)(x, n), log_total = FN(log_sum_exp)(x, top, n, scratch);
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] = x[i] - top - log_total;
    }
    for (ptrdiff_t start = 0; n < LONG && start < rows; start += step) {
        const ptrdiff_t stop = start + step < rows ? start + step : rows;
        for (ptrdiff_t r = start; r < stop; r++) {
            const REAL top = FN(row_max)(x + r * n, n);
            FREE_LOOP for (ptrdiff_t i = r * n; i < (r + 1) * n; i++) out[i] = x[i] - top;
        }
        for (ptrdiff_t i = 0; i < (stop - start) * n; i++) scratch[i] = FN(exp)(out[start * n + i]);
        for (ptrdiff_t r = start; r < stop; r++) {
            REAL *row = out + r * n;
            const REAL log_total = FN(log)(FN(row_sum)(scratch + (r - start) * n, n));
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) row[i] -= log_total;
        }
    }
}

CLONES static void FN(softmax_backward_rows)(REAL *gx, const REAL *g, const REAL *y, ptrdiff_t rows, ptrdiff_t n) {
    for (ptrdiff_t r = 0; r < rows; r++, gx += n, g += n, y += n) {
        const REAL dot = FN(row_dot)(g, y, n);
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) gx[i] = (g[i] - dot) * y[i];
    }
}

CLONES static void FN(log_softmax_backward_rows)(REAL *gx, const REAL *g, const REAL *y, ptrdiff_t rows, ptrdiff_t n) {
    for (ptrdiff_t r = 0; r < rows; r++, gx += n, g += n, y += n) {
        const REAL sum = FN(row_sum)(g, n);
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) gx[i] = g[i] - FN(exp)(y[i]) * sum;
    }
}

/* The strided case: `width` neighbouring columns of one outer slab, so that memory is still read in order. */
#define EACH_CELL                                                  \
    for (ptrdiff_t d = 0; d < dim; d++)                            \
        FREE_LOOP for (ptrdiff_t j = 0, i = d * inner; j < width; j++, i++)

CLONES static void FN(softmax_columns)(REAL *out, const REAL *x, ptrdiff_t dim, ptrdiff_t inner, ptrdiff_t width,
                                       int logarithm) {
    REAL top[COLUMNS], total[COLUMNS];
    for (ptrdiff_t j = 0; j < width; j++) top[j] = -INFINITY, total[j] = 0;
    EACH_CELL top[j] = x[i] > top[j] ? x[i] : top[j];
    if (logarithm) {
        EACH_CELL total[j] += FN(exp)(x[i] - top[j]);
        for (ptrdiff_t j = 0; j < width; j++) total[j] = FN(log)(total[j]);
        EACH_CELL out[i] = x[i] - top[j] - total[j];
    } else {
        EACH_CELL {
            const REAL e = FN(exp)(x[i] - top[j]);
            out[i] = e;
            total[j] += e;
        }
        for (ptrdiff_t j = 0; j < width; j++) total[j] = 1 / total[j];
        EACH_CELL out[i] *= total[j];
    }
}

CLONES static void FN(softmax_backward_columns)(REAL *gx, const REAL *g, const REAL *y, ptrdiff_t dim, ptrdiff_t inner,
                                                ptrdiff_t width, int logarithm) {
    REAL sum[COLUMNS] = {0};
    if (logarithm) {
        EACH_CELL sum[j] += g[i];
        EACH_CELL gx[i] = g[i] - FN(exp)(y[i]) * sum[j];
    } else {
        EACH_CELL sum[j] += g[i] * y[i];
        EACH_CELL gx[i] = (g[i] - sum[j]) * y[i];
    }
}
#undef EACH_CELL

/* Some pieces of (outer, dim, inner): rows, or of the strided case columns of one outer slab. */
static void FN(softmax_pieces)(const SoftmaxJob *job, ptrdiff_t begin, ptrdiff_t end) {
    REAL *out = (REAL *)job->out;
    const REAL *x = (const REAL *)job->x, *y = (const REAL *)job->y;
    const ptrdiff_t dim = job->dim, inner = job->inner, tiles = tiles_of(job);
    if (inner == 1) {
        out += begin * dim, x += begin * dim;
        if (y)
            (job->logarithm ? FN(log_softmax_backward_rows) : FN(softmax_backward_rows))(out, x, y + begin * dim,
                                                                                         end - begin, dim);
        else
            (job->logarithm ? FN(log_softmax_rows) : FN(softmax_rows))(out, x, end - begin, dim);
        return;
    }
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t first = i % tiles * COLUMNS, at = i / tiles * dim * inner + first;
        const ptrdiff_t width = inner - first < COLUMNS ? inner - first : COLUMNS;
        if (y)
            FN(softmax_backward_columns)(out + at, x + at, y + at, dim, inner, width, job->logarithm);
        else
            FN(softmax_columns)(out + at, x + at, dim, inner, width, job->logarithm);
    }
}
#endif
