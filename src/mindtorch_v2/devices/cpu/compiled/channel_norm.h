/* Batch norm and group norm: x is (n, c, l). Statistics over many rows are gathered in double. */
#ifndef EACH
#include "vmath.h"
#define EACH "channel_norm.h"
#include "each_real.h"
#define batch_statistics_any(single, ...) BY_TYPE(single, batch_statistics, __VA_ARGS__)
#define running_invstd_any(single, ...) BY_TYPE(single, running_invstd, __VA_ARGS__)
#define batch_affine_any(single, ...) BY_TYPE(single, batch_affine, __VA_ARGS__)
#define batch_norm_backward_any(single, ...) BY_TYPE(single, batch_norm_backward, __VA_ARGS__)
#define group_norm_any(single, ...) BY_TYPE(single, group_norm, __VA_ARGS__)
#define group_norm_backward_any(single, ...) BY_TYPE(single, group_norm_backward, __VA_ARGS__)
#else
#include "rows.h"

/* total[ch] = the sum of `term` over n and l; with l == 1 the channels lie side by side and are taken together. */
#define CHANNEL_SUM(name, parameters, term, row)                                                    \
    INLINE void FN(name) parameters {                                                               \
        memset(total, 0, c * sizeof(double));                                                       \
        for (ptrdiff_t k = 0; k < n; k++)                                                           \
            if (l == 1)                                                                             \
                FREE_LOOP for (ptrdiff_t ch = 0, i = k * c; ch < c; ch++, i++) total[ch] += term;   \
            else                                                                                    \
                for (ptrdiff_t ch = 0, i = k * c * l; ch < c; ch++, i += l) total[ch] += row;       \
    }

CHANNEL_SUM(channel_sum, (double *total, const REAL *x, ptrdiff_t n, ptrdiff_t c, ptrdiff_t l), x[i],
            FN(row_sum)(x + i, l))
CHANNEL_SUM(channel_square_distance,
            (double *total, const REAL *x, const REAL *mean, ptrdiff_t n, ptrdiff_t c, ptrdiff_t l),
            (x[i] - mean[ch]) * (x[i] - mean[ch]), FN(row_square_distance)(x + i, mean[ch], l))
CHANNEL_SUM(channel_centred_dot,
            (double *total, const REAL *g, const REAL *x, const REAL *mean, ptrdiff_t n, ptrdiff_t c, ptrdiff_t l),
            g[i] * (x[i] - mean[ch]), FN(row_centred_dot)(g + i, x + i, mean[ch], l))
#undef CHANNEL_SUM

/* mean and invstd of each channel of this batch; running statistics move towards them, the variance unbiased. */
CLONES static void FN(batch_statistics)(REAL *mean, REAL *invstd, REAL *x, REAL *running_mean, REAL *running_var,
                                        double *total, ptrdiff_t n, ptrdiff_t c, ptrdiff_t l, double momentum,
                                        double eps) {
    const double m = (double)(n * l);
    FN(channel_sum)(total, x, n, c, l);
    for (ptrdiff_t ch = 0; ch < c; ch++) mean[ch] = R(total[ch] / m);
    FN(channel_square_distance)(total, x, mean, n, c, l);
    for (ptrdiff_t ch = 0; ch < c; ch++) {
        invstd[ch] = R(1 / sqrt(total[ch] / m + eps));
        if (running_mean) running_mean[ch] = R(momentum * mean[ch] + (1 - momentum) * running_mean[ch]);
        if (running_var) running_var[ch] = R(momentum * (total[ch] / (m - 1)) + (1 - momentum) * running_var[ch]);
    }
}

static void FN(running_invstd)(REAL *invstd, REAL *running_var, ptrdiff_t c, double eps) {
    for (ptrdiff_t ch = 0; ch < c; ch++) invstd[ch] = R(1 / sqrt(running_var[ch] + eps));
}

CLONES static void FN(batch_affine)(REAL *out, REAL *x, REAL *mean, REAL *invstd, REAL *w, REAL *b, ptrdiff_t n,
                                    ptrdiff_t c, ptrdiff_t l) {
    for (ptrdiff_t k = 0; k < n; k++, x += c * l, out += c * l)
        if (l == 1)
            FREE_LOOP for (ptrdiff_t ch = 0; ch < c; ch++)
                out[ch] = (x[ch] - mean[ch]) * (invstd[ch] * (w ? w[ch] : 1)) + (b ? b[ch] : 0);
        else
            for (ptrdiff_t ch = 0, at = 0; ch < c; ch++, at += l) {
                const REAL m = mean[ch], scale = invstd[ch] * (w ? w[ch] : 1), shift = b ? b[ch] : 0;
                FREE_LOOP for (ptrdiff_t i = at; i < at + l; i++) out[i] = (x[i] - m) * scale + shift;
            }
}

/* gx = invstd w (g - mean(g) - xhat mean(g xhat)); with running statistics only the first term is there. */
CLONES static void FN(batch_norm_backward)(REAL *gx, REAL *gw, REAL *gb, REAL *g, REAL *x, REAL *w, REAL *mean,
                                           REAL *invstd, double *total, int training, ptrdiff_t n, ptrdiff_t c,
                                           ptrdiff_t l) {
    double *sum = total, *dot = total + c;
    FN(channel_sum)(sum, g, n, c, l);
    FN(channel_centred_dot)(dot, g, x, mean, n, c, l);
    const double m = training ? (double)(n * l) : INFINITY;
    for (ptrdiff_t ch = 0; ch < c; ch++) {
        if (gw) gw[ch] = R(dot[ch] * invstd[ch]);
        if (gb) gb[ch] = R(sum[ch]);
        sum[ch] = sum[ch] / m;
        dot[ch] = dot[ch] / m * invstd[ch] * invstd[ch];
    }
    if (!gx) return;
    for (ptrdiff_t k = 0; k < n; k++, gx += c * l, g += c * l, x += c * l)
        if (l == 1)
            FREE_LOOP for (ptrdiff_t ch = 0; ch < c; ch++)
                gx[ch] = (g[ch] - R(sum[ch]) - (x[ch] - mean[ch]) * R(dot[ch])) * (invstd[ch] * (w ? w[ch] : 1));
        else
            for (ptrdiff_t ch = 0, at = 0; ch < c; ch++, at += l) {
                const REAL c1 = R(sum[ch]), c2 = R(dot[ch]), from = mean[ch], scale = invstd[ch] * (w ? w[ch] : 1);
                FREE_LOOP for (ptrdiff_t i = at; i < at + l; i++)
                    gx[i] = (g[i] - c1 - (x[i] - from) * c2) * scale;
            }
}

CLONES static void FN(group_norm)(REAL *out, REAL *mean, REAL *rstd, REAL *x, REAL *w, REAL *b, ptrdiff_t n,
                                  ptrdiff_t c, ptrdiff_t l, ptrdiff_t groups, double eps) {
    const ptrdiff_t d = c / groups, size = d * l;
    for (ptrdiff_t k = 0; k < n * groups; k++) {
        const REAL m = FN(row_sum)(x, size) / size;
        const REAL s = 1 / FN(sqrt)(FN(row_square_distance)(x, m, size) / size + R(eps));
        mean[k] = m;
        rstd[k] = s;
        for (ptrdiff_t ch = k % groups * d, end = ch + d; ch < end; ch++, x += l, out += l) {
            const REAL scale = s * (w ? w[ch] : 1), shift = b ? b[ch] : 0;
            FREE_LOOP for (ptrdiff_t i = 0; i < l; i++) out[i] = (x[i] - m) * scale + shift;
        }
    }
}

CLONES static void FN(group_norm_backward)(REAL *gx, REAL *gw, REAL *gb, REAL *g, REAL *x, REAL *mean, REAL *rstd,
                                           REAL *w, ptrdiff_t n, ptrdiff_t c, ptrdiff_t l, ptrdiff_t groups) {
    const ptrdiff_t d = c / groups;
    if (gw) memset(gw, 0, c * sizeof(REAL));
    if (gb) memset(gb, 0, c * sizeof(REAL));
    for (ptrdiff_t k = 0; k < n * groups; k++, g += d * l, x += d * l) {
        const REAL m = mean[k], s = rstd[k];
        double group_sum = 0, group_dot = 0;
        for (ptrdiff_t j = 0, ch = k % groups * d; j < d; j++, ch++) {
            const REAL sum = FN(row_sum)(g + j * l, l), dot = FN(row_centred_dot)(g + j * l, x + j * l, m, l);
            group_sum += sum * (w ? w[ch] : 1);
            group_dot += dot * (w ? w[ch] : 1);
            if (gw) gw[ch] += dot * s;
            if (gb) gb[ch] += sum;
        }
        if (!gx) continue;
        const REAL c1 = R(group_sum / (d * l)) * s, c2 = R(group_dot / (d * l)) * s * s * s;
        for (ptrdiff_t j = 0, ch = k % groups * d; j < d; j++, ch++, gx += l) {
            const REAL scale = s * (w ? w[ch] : 1);
            FREE_LOOP for (ptrdiff_t i = 0; i < l; i++)
                gx[i] = g[j * l + i] * scale - c1 - (x[j * l + i] - m) * c2;
        }
    }
}
#endif
