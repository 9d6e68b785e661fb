/* The columns of a convolution: row (channel, place of the kernel), column j: what that place sees at position j. */
#ifndef EACH
#include "convolution.h"
#define EACH "columns.h"
#include "each_real.h"
#define gather_columns_any(single, ...) BY_TYPE(single, gather_columns, __VA_ARGS__)
#define scatter_columns_any(single, ...) BY_TYPE(single, scatter_columns, __VA_ARGS__)
#define turn_items_any(single, ...) BY_TYPE(single, turn_items, __VA_ARGS__)
#define add_bias_any(single, ...) BY_TYPE(single, add_bias, __VA_ARGS__)
#else

/* Positions [a, b) of one row of output, of which [low, high) lie in the row x of the input. */
INLINE void FN(take_row)(REAL *to, const REAL *x, ptrdiff_t step, ptrdiff_t a, ptrdiff_t b, ptrdiff_t low,
                         ptrdiff_t high) {
    const ptrdiff_t first = between(a, low, b), last = between(first, high, b);
    for (ptrdiff_t j = a; j < first; j++) to[j - a] = 0;
    if (step == 1)
        FREE_LOOP for (ptrdiff_t j = first; j < last; j++) to[j - a] = x[j];
    else if (step == 2)
        FREE_LOOP for (ptrdiff_t j = first; j < last; j++) to[j - a] = x[j * 2];
    else
        FREE_LOOP for (ptrdiff_t j = first; j < last; j++) to[j - a] = x[j * step];
    for (ptrdiff_t j = last; j < b; j++) to[j - a] = 0;
}

INLINE void FN(give_row)(const REAL *of, REAL *x, ptrdiff_t step, ptrdiff_t a, ptrdiff_t b, ptrdiff_t low,
                         ptrdiff_t high) {
    const ptrdiff_t first = between(a, low, b), last = between(first, high, b);
    if (step == 1)
        FREE_LOOP for (ptrdiff_t j = first; j < last; j++) x[j] += of[j - a];
    else
        FREE_LOOP for (ptrdiff_t j = first; j < last; j++) x[j * step] += of[j - a];
}

/* One row of columns [from, to): x is a channel, `at` the place in the kernel. */
INLINE void FN(one_place)(REAL *row, REAL *x, const Convolution *v, const ptrdiff_t *at, ptrdiff_t from, ptrdiff_t to,
                          const int give) {
    ptrdiff_t shift[3], low[3], high[3];
    for (int k = 0; k < 3; k++) {
        shift[k] = at[k] * v->dilation[k] - v->padding[k];
        low[k] = ceiling(-shift[k], v->stride[k]);
        high[k] = ceiling(v->in[k] - shift[k], v->stride[k]);
    }
    ptrdiff_t od = from / (v->out[1] * v->out[2]), oh = from / v->out[2] % v->out[1], ow = from % v->out[2];
    for (ptrdiff_t j = from; j < to; ow = 0) {
        const ptrdiff_t end = ow + to - j < v->out[2] ? ow + to - j : v->out[2];
        const int inside = od >= low[0] && od < high[0] && oh >= low[1] && oh < high[1];
        const ptrdiff_t line = (od * v->stride[0] + shift[0]) * v->in[1] + oh * v->stride[1] + shift[1];
        REAL *there = inside ? x + line * v->in[2] + shift[2] : x;
        if (!give)
            FN(take_row)(row + j - from, there, v->stride[2], ow, end, inside ? low[2] : end, inside ? high[2] : end);
        else if (inside)
            FN(give_row)(row + j - from, there, v->stride[2], ow, end, low[2], high[2]);
        j += end - ow;
        if (++oh == v->out[1]) oh = 0, od++;
    }
}

INLINE void FN(columns)(REAL *panel, ptrdiff_t width, REAL *x, const Convolution *v, ptrdiff_t channels,
                        ptrdiff_t from, ptrdiff_t to, const int give) {
    const ptrdiff_t size = v->in[0] * v->in[1] * v->in[2];
    ptrdiff_t at[3];
    for (ptrdiff_t c = 0; c < channels; c++)
        for (at[0] = 0; at[0] < v->kernel[0]; at[0]++)
            for (at[1] = 0; at[1] < v->kernel[1]; at[1]++)
                for (at[2] = 0; at[2] < v->kernel[2]; at[2]++, panel += width)
                    FN(one_place)(panel, x + c * size, v, at, from, to, give);
}

/* Columns [from, to) of x, whose channels follow each other, into a panel whose rows are `width` apart. */
CLONES static void FN(gather_columns)(REAL *panel, ptrdiff_t width, REAL *x, const Convolution *v, ptrdiff_t channels,
                                      ptrdiff_t from, ptrdiff_t to) {
    FN(columns)(panel, width, x, v, channels, from, to, 0);
}

/* The same back: what a column holds is added to what it saw. */
CLONES static void FN(scatter_columns)(REAL *panel, ptrdiff_t width, REAL *x, const Convolution *v, ptrdiff_t channels,
                                       ptrdiff_t from, ptrdiff_t to) {
    FN(columns)(panel, width, x, v, channels, from, to, 1);
}

/* (items, rows, cols) -> (rows, items, cols); items are `apart` elements apart. Or back. */
CLONES static void FN(turn_items)(REAL *beside, REAL *x, ptrdiff_t items, ptrdiff_t apart, ptrdiff_t rows,
                                  ptrdiff_t cols, int back) {
    for (ptrdiff_t i = 0; i < items; i++)
        for (ptrdiff_t r = 0; r < rows; r++) {
            REAL *there = x + i * apart + r * cols, *here = beside + (r * items + i) * cols;
            if (back)
                FREE_LOOP for (ptrdiff_t j = 0; j < cols; j++) there[j] = here[j];
            else
                FREE_LOOP for (ptrdiff_t j = 0; j < cols; j++) here[j] = there[j];
        }
}

CLONES static void FN(add_bias)(REAL *x, REAL *bias, ptrdiff_t rows, ptrdiff_t cols) {
    for (ptrdiff_t r = 0; r < rows; r++)
        FREE_LOOP for (ptrdiff_t j = 0; j < cols; j++) x[r * cols + j] += bias[r];
}
#endif
