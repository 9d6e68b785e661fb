/* Softmax and its relatives over the middle axis of (outer, dim, inner). */
#ifndef EACH
#include "vmath.h"
#define BLOCK 1024 /* elements that stay in the first cache between two passes */
#define COLUMNS 64 /* inner positions treated side by side */
#define EACH "softmax.h"
#include "each_real.h"
#define softmax_any(single, ...) BY_TYPE(single, softmax, __VA_ARGS__)
#define softmax_backward_any(single, ...) BY_TYPE(single, softmax_backward, __VA_ARGS__)
#else
#include "rows.h"

/* Short rows: the exponentials of a whole block of rows are taken in one flat loop, which is SIMD whatever the row. */
CLONES static void FN(softmax_rows)(REAL *out, const REAL *x, ptrdiff_t rows, ptrdiff_t n) {
    const ptrdiff_t step = n < BLOCK ? BLOCK / n : 1;
    for (ptrdiff_t start = 0; start < rows; start += step) {
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

/* log of the sum of exponentials, the row taken a block at a time. */
INLINE REAL FN(log_sum_exp)(const REAL *x, ptrdiff_t n, REAL *scratch) {
    REAL total = 0;
    for (ptrdiff_t start = 0; start < n; start += BLOCK) {
        const ptrdiff_t count = n - start < BLOCK ? n - start : BLOCK;
        for (ptrdiff_t i = 0; i < count; i++) scratch[i] = FN(exp)(x[start + i]);
        total += FN(row_sum)(scratch, count);
    }
    return FN(log)(total);
}

CLONES static void FN(log_softmax_rows)(REAL *out, const REAL *x, ptrdiff_t rows, ptrdiff_t n) {
    REAL scratch[BLOCK];
    const ptrdiff_t step = n < BLOCK ? BLOCK / n : 1;
    for (ptrdiff_t start = 0; start < rows; start += step) {
        const ptrdiff_t stop = start + step < rows ? start + step : rows;
        for (ptrdiff_t r = start; r < stop; r++) {
            const REAL top = FN(row_max)(x + r * n, n);
            FREE_LOOP for (ptrdiff_t i = r * n; i < (r + 1) * n; i++) out[i] = x[i] - top;
        }
        if (n <= BLOCK)
            for (ptrdiff_t i = 0; i < (stop - start) * n; i++) scratch[i] = FN(exp)(out[start * n + i]);
        for (ptrdiff_t r = start; r < stop; r++) {
            REAL *row = out + r * n;
            const REAL log_total = n <= BLOCK ? FN(log)(FN(row_sum)(scratch + (r - start) * n, n))
                                              : FN(log_sum_exp)(row, n, scratch);
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

static void FN(softmax)(void *out, void *x, ptrdiff_t outer, ptrdiff_t dim, ptrdiff_t inner, int logarithm) {
    if (outer * dim * inner == 0) return;
    if (inner == 1) {
        (logarithm ? FN(log_softmax_rows) : FN(softmax_rows))((REAL *)out, (const REAL *)x, outer, dim);
        return;
    }
    for (ptrdiff_t o = 0; o < outer; o++)
        for (ptrdiff_t j = 0; j < inner; j += COLUMNS) {
            const ptrdiff_t at = o * dim * inner + j;
            FN(softmax_columns)((REAL *)out + at, (const REAL *)x + at, dim, inner,
                                inner - j < COLUMNS ? inner - j : COLUMNS, logarithm);
        }
}

static void FN(softmax_backward)(void *gx, void *g, void *y, ptrdiff_t outer, ptrdiff_t dim,
                                 ptrdiff_t inner, int logarithm) {
    if (outer * dim * inner == 0) return;
    if (inner == 1) {
        (logarithm ? FN(log_softmax_backward_rows) : FN(softmax_backward_rows))((REAL *)gx, (const REAL *)g,
                                                                                (const REAL *)y, outer, dim);
        return;
    }
    for (ptrdiff_t o = 0; o < outer; o++)
        for (ptrdiff_t j = 0; j < inner; j += COLUMNS) {
            const ptrdiff_t at = o * dim * inner + j;
            FN(softmax_backward_columns)((REAL *)gx + at, (const REAL *)g + at, (const REAL *)y + at, dim, inner,
                                         inner - j < COLUMNS ? inner - j : COLUMNS, logarithm);
        }
}
#endif
