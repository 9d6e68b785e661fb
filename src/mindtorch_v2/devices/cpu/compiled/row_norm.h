/* Layer norm and RMS norm: statistics of each row of (rows, cols). */
#ifndef EACH
#include "vmath.h"

/* What a norm of rows reads and writes; NULL where something is not asked for. In backward out is the gradient of
   x, and each part of the rows has its own sums for the weight and the bias, which are added up afterwards. */
typedef struct {
    int single, is_rms;
    void *out, *x, *grad, *weight, *bias, *mean, *rstd;
    void *grad_weights, *grad_biases; /* (parts, cols) */
    ptrdiff_t rows, cols, part; /* rows of a part */
    double eps;
} RowNorm;

INLINE ptrdiff_t parts_of(const RowNorm *r) { return r->rows ? (r->rows + r->part - 1) / r->part : 0; }

#define EACH "row_norm.h"
#include "each_real.h"
#define add_parts_any(single, ...) BY_TYPE(single, add_parts, __VA_ARGS__)

static void norm_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((RowNorm *)job)->single, norm_rows, (RowNorm *)job, begin, end);
}
static void norm_parts_backward(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((RowNorm *)job)->single, norm_parts_backward, (RowNorm *)job, begin, end);
}
#else
#include "rows.h"

CLONES static void FN(layer_norm)(REAL *out, REAL *mean, REAL *rstd, REAL *x, REAL *w, REAL *b, ptrdiff_t rows,
                                  ptrdiff_t cols, double eps) {
    for (ptrdiff_t r = 0; r < rows; r++, x += cols, out += cols) {
        const REAL m = cols ? FN(row_sum)(x, cols) / cols : 0;
        const REAL var = FN(row_square_distance)(x, m, cols) / cols;
        const REAL s = 1 / FN(sqrt)(var + R(eps));
        mean[r] = m;
        rstd[r] = s;
        if (w && b)
            FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) out[i] = (x[i] - m) * s * w[i] + b[i];
        else if (w)
            FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) out[i] = (x[i] - m) * s * w[i];
        else if (b)
            FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) out[i] = (x[i] - m) * s + b[i];
        else
            FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) out[i] = (x[i] - m) * s;
    }
}

/* gx = rstd (gw - mean(gw) - xhat mean(gw xhat)) of one row, gw being g times the weight. */
INLINE void FN(layer_norm_row_backward)(REAL *gx, const REAL *g, const REAL *x, const REAL *w, REAL m, REAL s,
                                        ptrdiff_t cols) {
    const REAL sum = w ? FN(row_dot)(g, w, cols) : FN(row_sum)(g, cols);
    const REAL dot = w ? FN(row_weighted_centred_dot)(g, w, x, m, cols) : FN(row_centred_dot)(g, x, m, cols);
    const REAL c1 = sum / cols * s, c2 = dot / cols * s * s * s;
    if (w)
        FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) gx[i] = g[i] * w[i] * s - c1 - (x[i] - m) * c2;
    else
        FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) gx[i] = g[i] * s - c1 - (x[i] - m) * c2;
}

CLONES static void FN(layer_norm_backward)(REAL *gx, REAL *gw, REAL *gb, REAL *g, REAL *x, REAL *mean, REAL *rstd,
                                           REAL *w, ptrdiff_t rows, ptrdiff_t cols) {
    if (gw) memset(gw, 0, cols * sizeof(REAL));
    if (gb) memset(gb, 0, cols * sizeof(REAL));
    for (ptrdiff_t r = 0; r < rows; r++, x += cols, g += cols) {
        const REAL m = mean[r], s = rstd[r];
        if (gx) FN(layer_norm_row_backward)(gx + r * cols, g, x, w, m, s, cols);
        if (gw) FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) gw[i] += g[i] * ((x[i] - m) * s);
        if (gb) FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) gb[i] += g[i];
    }
}

CLONES static void FN(rms_norm)(REAL *out, REAL *rstd, REAL *x, REAL *w, ptrdiff_t rows, ptrdiff_t cols, double eps) {
    for (ptrdiff_t r = 0; r < rows; r++, x += cols, out += cols) {
        const REAL s = 1 / FN(sqrt)(FN(row_square_sum)(x, cols) / cols + R(eps));
        rstd[r] = s;
        if (w)
            FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) out[i] = x[i] * s * w[i];
        else
            FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) out[i] = x[i] * s;
    }
}

CLONES static void FN(rms_norm_backward)(REAL *gx, REAL *gw, REAL *g, REAL *x, REAL *rstd, REAL *w, ptrdiff_t rows,
                                         ptrdiff_t cols) {
    if (gw) memset(gw, 0, cols * sizeof(REAL));
    for (ptrdiff_t r = 0; r < rows; r++, x += cols, g += cols) {
        const REAL s = rstd[r];
        if (gx) {
            REAL *row = gx + r * cols;
            const REAL dot = w ? FN(row_weighted_centred_dot)(g, w, x, 0, cols) : FN(row_dot)(g, x, cols);
            const REAL c = dot / cols * s * s * s;
            if (w)
                FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) row[i] = g[i] * w[i] * s - x[i] * c;
            else
                FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) row[i] = g[i] * s - x[i] * c;
        }
        if (gw) FREE_LOOP for (ptrdiff_t i = 0; i < cols; i++) gw[i] += g[i] * (x[i] * s);
    }
}

static void FN(norm_rows)(const RowNorm *r, ptrdiff_t begin, ptrdiff_t end) {
    const ptrdiff_t at = begin * r->cols;
    REAL *out = (REAL *)r->out + at, *x = (REAL *)r->x + at, *w = (REAL *)r->weight, *rstd = (REAL *)r->rstd + begin;
    if (r->is_rms)
        FN(rms_norm)(out, rstd, x, w, end - begin, r->cols, r->eps);
    else
        FN(layer_norm)(out, (REAL *)r->mean + begin, rstd, x, w, (REAL *)r->bias, end - begin, r->cols, r->eps);
}

static void FN(norm_parts_backward)(const RowNorm *r, ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t first = i * r->part, at = first * r->cols;
        const ptrdiff_t rows = r->rows - first < r->part ? r->rows - first : r->part;
        REAL *gx = r->out ? (REAL *)r->out + at : NULL, *g = (REAL *)r->grad + at, *x = (REAL *)r->x + at;
        REAL *gw = r->grad_weights ? (REAL *)r->grad_weights + i * r->cols : NULL;
        REAL *gb = r->grad_biases ? (REAL *)r->grad_biases + i * r->cols : NULL;
        REAL *rstd = (REAL *)r->rstd + first, *w = (REAL *)r->weight;
        if (r->is_rms)
            FN(rms_norm_backward)(gx, gw, g, x, rstd, w, rows, r->cols);
        else
            FN(layer_norm_backward)(gx, gw, gb, g, x, (REAL *)r->mean + first, rstd, w, rows, r->cols);
    }
}

/* The sums of all parts, one after the other. */
CLONES static void FN(add_parts)(REAL *to, const REAL *parts, ptrdiff_t count, ptrdiff_t cols) {
    memset(to, 0, cols * sizeof(REAL));
    for (ptrdiff_t i = 0; i < count; i++)
        FREE_LOOP for (ptrdiff_t j = 0; j < cols; j++) to[j] += parts[i * cols + j];
}
#endif
