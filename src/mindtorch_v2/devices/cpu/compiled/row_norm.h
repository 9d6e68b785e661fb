/* Layer norm and RMS norm: statistics of each row of (rows, cols). */
#ifndef EACH
#include "vmath.h"
#define EACH "row_norm.h"
#include "each_real.h"
#define layer_norm_any(single, ...) BY_TYPE(single, layer_norm, __VA_ARGS__)
#define layer_norm_backward_any(single, ...) BY_TYPE(single, layer_norm_backward, __VA_ARGS__)
#define rms_norm_any(single, ...) BY_TYPE(single, rms_norm, __VA_ARGS__)
#define rms_norm_backward_any(single, ...) BY_TYPE(single, rms_norm_backward, __VA_ARGS__)
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
#endif
