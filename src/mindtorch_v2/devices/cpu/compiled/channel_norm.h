/* Batch norm and group norm: x is (n, c, l). Statistics over many rows are gathered in double. */
#ifndef EACH
#include "vmath.h"

enum { FEW_ITEMS = 8 };

/* What batch norm reads and writes; NULL where something is not asked for. In backward out is the gradient of x. */
typedef struct {
    int single, training;
    void *out, *x, *grad, *weight, *bias, *grad_weight, *grad_bias;
    void *mean, *invstd, *running_mean, *running_var;
    double *total; /* room for 2 c sums */
    ptrdiff_t n, c, l;
    double momentum, eps;
} BatchNorm;

/* The same of group norm; totals are the sums and dots of each channel of each item, (n, c) each. */
typedef struct {
    int single;
    void *out, *x, *grad, *weight, *bias, *mean, *rstd;
    double *sums, *dots;
    ptrdiff_t c, l, groups;
    double eps;
} GroupNorm;

#define EACH "channel_norm.h"
#include "each_real.h"

#define sum_items_any(single, ...) BY_TYPE(single, sum_items, __VA_ARGS__)

static void batch_norm_channels(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((BatchNorm *)job)->single, batch_norm_channels, (BatchNorm *)job, begin, end);
}
static void batch_statistics_channels(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((BatchNorm *)job)->single, batch_statistics_channels, (BatchNorm *)job, begin, end);
}
static void batch_affine_channels(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((BatchNorm *)job)->single, batch_affine_channels, (BatchNorm *)job, begin, end);
}
static void batch_norm_backward_channels(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((BatchNorm *)job)->single, batch_norm_backward_channels, (BatchNorm *)job, begin, end);
}
static void group_norm_groups(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((GroupNorm *)job)->single, group_norm_groups, (GroupNorm *)job, begin, end);
}
static void group_norm_backward_groups(void *job, ptrdiff_t begin, ptrdiff_t end) {
    BY_TYPE(((GroupNorm *)job)->single, group_norm_backward_groups, (GroupNorm *)job, begin, end);
}
#else
#include "rows.h"

/* total[ch] = the sum of `term` over n and l, for some channels; with l == 1 they lie side by side, and what a few
   items come to is added up before it is widened. */
#define CHANNEL_SUM(name, parameters, term, row)                                                                   \
    INLINE void FN(name) parameters {                                                                              \
        ptrdiff_t k = 0;                                                                                           \
        for (ptrdiff_t ch = first; ch < last; ch++) total[ch] = 0;                                                 \
        for (; l == 1 && k + FEW_ITEMS <= n; k += FEW_ITEMS)                                                       \
            FREE_LOOP for (ptrdiff_t ch = first; ch < last; ch++) {                                                \
                REAL some[FEW_ITEMS];                                                                              \
                for (ptrdiff_t j = 0, i = k * c + ch; j < FEW_ITEMS; j++, i += c) some[j] = term;                  \
                total[ch] += ((some[0] + some[1]) + (some[2] + some[3])) +                                         \
                             ((some[4] + some[5]) + (some[6] + some[7]));                                          \
            }                                                                                                      \
        for (; k < n; k++)                                                                                         \
            if (l == 1)                                                                                            \
                FREE_LOOP for (ptrdiff_t ch = first, i = k * c + first; ch < last; ch++, i++) total[ch] += term;   \
            else                                                                                                   \
                for (ptrdiff_t ch = first, i = (k * c + first) * l; ch < last; ch++, i += l) total[ch] += row;     \
    }
#define CHANNELS ptrdiff_t n, ptrdiff_t c, ptrdiff_t l, ptrdiff_t first, ptrdiff_t last

CHANNEL_SUM(channel_sum, (double *total, const REAL *x, CHANNELS), x[i], FN(row_sum)(x + i, l))
CHANNEL_SUM(channel_square_distance, (double *total, const REAL *x, const REAL *mean, CHANNELS),
            (x[i] - mean[ch]) * (x[i] - mean[ch]), FN(row_square_distance)(x + i, mean[ch], l))
CHANNEL_SUM(channel_centred_dot, (double *total, const REAL *g, const REAL *x, const REAL *mean, CHANNELS),
            g[i] * (x[i] - mean[ch]), FN(row_centred_dot)(g + i, x + i, mean[ch], l))
#undef CHANNEL_SUM
#undef CHANNELS

/* mean and invstd of channels of this batch; running statistics move towards them, the variance unbiased. */
INLINE void FN(batch_statistics)(const BatchNorm *b, ptrdiff_t first, ptrdiff_t last) {
    REAL *mean = (REAL *)b->mean, *invstd = (REAL *)b->invstd, *x = (REAL *)b->x;
    REAL *running_mean = (REAL *)b->running_mean, *running_var = (REAL *)b->running_var;
    const double m = (double)(b->n * b->l), momentum = b->momentum;
    double *total = b->total;
    FN(channel_sum)(total, x, b->n, b->c, b->l, first, last);
    for (ptrdiff_t ch = first; ch < last; ch++) mean[ch] = R(total[ch] / m);
    FN(channel_square_distance)(total, x, mean, b->n, b->c, b->l, first, last);
    for (ptrdiff_t ch = first; ch < last; ch++) {
        invstd[ch] = R(1 / sqrt(total[ch] / m + b->eps));
        if (running_mean) running_mean[ch] = R(momentum * mean[ch] + (1 - momentum) * running_mean[ch]);
        if (running_var) running_var[ch] = R(momentum * (total[ch] / (m - 1)) + (1 - momentum) * running_var[ch]);
    }
}

INLINE void FN(running_invstd)(const BatchNorm *b, ptrdiff_t first, ptrdiff_t last) {
    const REAL *running_var = (const REAL *)b->running_var;
    for (ptrdiff_t ch = first; ch < last; ch++) ((REAL *)b->invstd)[ch] = R(1 / sqrt(running_var[ch] + b->eps));
}

INLINE void FN(batch_affine)(const BatchNorm *b, ptrdiff_t first, ptrdiff_t last) {
    const REAL *mean = (REAL *)b->mean, *invstd = (REAL *)b->invstd, *w = (REAL *)b->weight, *shifts = (REAL *)b->bias;
    const ptrdiff_t c = b->c, l = b->l;
    for (ptrdiff_t k = 0; k < b->n; k++) {
        const REAL *x = (const REAL *)b->x + k * c * l;
        REAL *out = (REAL *)b->out + k * c * l;
        if (l == 1)
            FREE_LOOP for (ptrdiff_t ch = first; ch < last; ch++)
                out[ch] = (x[ch] - mean[ch]) * (invstd[ch] * (w ? w[ch] : 1)) + (shifts ? shifts[ch] : 0);
        else
            for (ptrdiff_t ch = first, at = first * l; ch < last; ch++, at += l) {
                const REAL m = mean[ch], scale = invstd[ch] * (w ? w[ch] : 1), shift = shifts ? shifts[ch] : 0;
                FREE_LOOP for (ptrdiff_t i = at; i < at + l; i++) out[i] = (x[i] - m) * scale + shift;
            }
    }
}

/* Channels that do not lie side by side are taken one at a time, so that each stays in the cache. */
CLONES static void FN(batch_norm_channels)(const BatchNorm *b, ptrdiff_t begin, ptrdiff_t end) {
    const ptrdiff_t step = b->l == 1 ? end - begin : 1;
    for (ptrdiff_t ch = begin; ch < end; ch += step) {
        if (b->training)
            FN(batch_statistics)(b, ch, ch + step);
        else
            FN(running_invstd)(b, ch, ch + step);
        FN(batch_affine)(b, ch, ch + step);
    }
}

CLONES static void FN(batch_statistics_channels)(const BatchNorm *b, ptrdiff_t begin, ptrdiff_t end) {
    const ptrdiff_t step = b->l == 1 ? end - begin : 1;
    for (ptrdiff_t ch = begin; ch < end; ch += step) FN(batch_statistics)(b, ch, ch + step);
}

CLONES static void FN(batch_affine_channels)(const BatchNorm *b, ptrdiff_t begin, ptrdiff_t end) {
    FN(batch_affine)(b, begin, end);
}

/* gx = invstd w (g - mean(g) - xhat mean(g xhat)); with running statistics only the first term is there. */
INLINE void FN(batch_norm_gradients)(const BatchNorm *b, ptrdiff_t first, ptrdiff_t last) {
    const REAL *mean = (REAL *)b->mean, *invstd = (REAL *)b->invstd, *w = (REAL *)b->weight;
    REAL *gw = (REAL *)b->grad_weight, *gb = (REAL *)b->grad_bias;
    const ptrdiff_t c = b->c, l = b->l;
    double *sum = b->total, *dot = b->total + c;
    FN(channel_sum)(sum, (REAL *)b->grad, b->n, c, l, first, last);
    FN(channel_centred_dot)(dot, (REAL *)b->grad, (REAL *)b->x, mean, b->n, c, l, first, last);
    const double m = b->training ? (double)(b->n * l) : INFINITY;
    for (ptrdiff_t ch = first; ch < last; ch++) {
        if (gw) gw[ch] = R(dot[ch] * invstd[ch]);
        if (gb) gb[ch] = R(sum[ch]);
        sum[ch] = sum[ch] / m;
        dot[ch] = dot[ch] / m * invstd[ch] * invstd[ch];
    }
    for (ptrdiff_t k = 0; b->out && k < b->n; k++) {
        REAL *gx = (REAL *)b->out + k * c * l;
        const REAL *g = (const REAL *)b->grad + k * c * l, *x = (const REAL *)b->x + k * c * l;
        if (l == 1)
            FREE_LOOP for (ptrdiff_t ch = first; ch < last; ch++)
                gx[ch] = (g[ch] - R(sum[ch]) - (x[ch] - mean[ch]) * R(dot[ch])) * (invstd[ch] * (w ? w[ch] : 1));
        else
            for (ptrdiff_t ch = first, at = first * l; ch < last; ch++, at += l) {
                const REAL c1 = R(sum[ch]), c2 = R(dot[ch]), from = mean[ch], scale = invstd[ch] * (w ? w[ch] : 1);
                FREE_LOOP for (ptrdiff_t i = at; i < at + l; i++)
                    gx[i] = (g[i] - c1 - (x[i] - from) * c2) * scale;
            }
    }
}

CLONES static void FN(batch_norm_backward_channels)(const BatchNorm *b, ptrdiff_t begin, ptrdiff_t end) {
    const ptrdiff_t step = b->l == 1 ? end - begin : 1;
    for (ptrdiff_t ch = begin; ch < end; ch += step) {
        if (!b->training) FN(running_invstd)(b, ch, ch + step);
        FN(batch_norm_gradients)(b, ch, ch + step);
    }
}

CLONES static void FN(group_norm_groups)(const GroupNorm *g, ptrdiff_t begin, ptrdiff_t end) {
    const ptrdiff_t d = g->c / g->groups, l = g->l, size = d * l;
    const REAL *w = (const REAL *)g->weight, *b = (const REAL *)g->bias;
    for (ptrdiff_t k = begin; k < end; k++) {
        const REAL *x = (const REAL *)g->x + k * size;
        REAL *out = (REAL *)g->out + k * size;
        const REAL m = FN(row_sum)(x, size) / size;
        const REAL s = 1 / FN(sqrt)(FN(row_square_distance)(x, m, size) / size + R(g->eps));
        ((REAL *)g->mean)[k] = m;
        ((REAL *)g->rstd)[k] = s;
        if (l == 1) {
            const ptrdiff_t ch = k % g->groups * d;
            FREE_LOOP for (ptrdiff_t j = 0; j < d; j++)
                out[j] = (x[j] - m) * (s * (w ? w[ch + j] : 1)) + (b ? b[ch + j] : 0);
            continue;
        }
        for (ptrdiff_t ch = k % g->groups * d, last = ch + d; ch < last; ch++, x += l, out += l) {
            const REAL scale = s * (w ? w[ch] : 1), shift = b ? b[ch] : 0;
            FREE_LOOP for (ptrdiff_t i = 0; i < l; i++) out[i] = (x[i] - m) * scale + shift;
        }
    }
}

/* Group k of d channels that are one number each. */
INLINE void FN(group_gradients)(const GroupNorm *job, ptrdiff_t k, ptrdiff_t d, REAL m, REAL s) {
    const REAL *g = (const REAL *)job->grad + k * d, *x = (const REAL *)job->x + k * d;
    const REAL *w = job->weight ? (const REAL *)job->weight + k % job->groups * d : NULL;
    REAL *gx = (REAL *)job->out + k * d;
    double *sums = job->sums + k * d, *dots = job->dots + k * d;
    FREE_LOOP for (ptrdiff_t j = 0; j < d; j++) sums[j] = g[j], dots[j] = g[j] * (x[j] - m) * s;
    const REAL sum = w ? FN(row_dot)(g, w, d) : FN(row_sum)(g, d);
    const REAL dot = w ? FN(row_weighted_centred_dot)(g, w, x, m, d) : FN(row_centred_dot)(g, x, m, d);
    const REAL c1 = sum / R(d) * s, c2 = dot / R(d) * s * s * s;
    if (job->out)
        FREE_LOOP for (ptrdiff_t j = 0; j < d; j++) gx[j] = g[j] * (s * (w ? w[j] : 1)) - c1 - (x[j] - m) * c2;
}

CLONES static void FN(group_norm_backward_groups)(const GroupNorm *job, ptrdiff_t begin, ptrdiff_t end) {
    const ptrdiff_t d = job->c / job->groups, l = job->l;
    const REAL *w = (const REAL *)job->weight;
    for (ptrdiff_t k = begin; k < end; k++) {
        const REAL *g = (const REAL *)job->grad + k * d * l, *x = (const REAL *)job->x + k * d * l;
        const REAL m = ((const REAL *)job->mean)[k], s = ((const REAL *)job->rstd)[k];
        double group_sum = 0, group_dot = 0;
        if (l == 1) {
            FN(group_gradients)(job, k, d, m, s);
            continue;
        }
        for (ptrdiff_t j = 0, ch = k % job->groups * d; j < d; j++, ch++) {
            const REAL sum = FN(row_sum)(g + j * l, l), dot = FN(row_centred_dot)(g + j * l, x + j * l, m, l);
            group_sum += sum * (w ? w[ch] : 1);
            group_dot += dot * (w ? w[ch] : 1);
            job->sums[k * d + j] = sum;
            job->dots[k * d + j] = dot * s;
        }
        const REAL c1 = R(group_sum / (d * l)) * s, c2 = R(group_dot / (d * l)) * s * s * s;
        REAL *gx = (REAL *)job->out + k * d * l;
        for (ptrdiff_t j = 0, ch = k % job->groups * d; job->out && j < d; j++, ch++, gx += l) {
            const REAL scale = s * (w ? w[ch] : 1);
            FREE_LOOP for (ptrdiff_t i = 0; i < l; i++)
                gx[i] = g[j * l + i] * scale - c1 - (x[j * l + i] - m) * c2;
        }
    }
}

/* to[ch] = the sum over items of what each channel came to; the sums are gathered in the first item's. */
CLONES static void FN(sum_items)(REAL *to, double *of, ptrdiff_t n, ptrdiff_t c) {
    for (ptrdiff_t k = 1; k < n; k++)
        FREE_LOOP for (ptrdiff_t ch = 0; ch < c; ch++) of[ch] += of[k * c + ch];
    for (ptrdiff_t ch = 0; ch < c; ch++) to[ch] = n ? R(of[ch]) : 0;
}
#endif
