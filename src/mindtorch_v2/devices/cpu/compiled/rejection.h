/* Numbers drawn by proposing and rejecting, in the order of draws that torch's CPU generator has. Compiled for a plain
   processor: what is fused elsewhere would round differently. */
#ifndef MINDTORCH_REJECTION_H
#define MINDTORCH_REJECTION_H
#include "boxmuller.h"

/* From this mean on, a transformed rejection is taken instead of counting single events. */
#define LARGE_MEAN 10.0

static double unit_one(mersenne *m) {
    uint32_t pair[2];
    pair[0] = mersenne_word32(m);
    pair[1] = mersenne_word32(m);
    return unit_f64(pair);
}

/* Marsaglia and Tsang, 2000: a cube of a normal number, under a squeeze. Shapes below 1 are made of those above by a
   power of a uniform number; torch works out that power and the shape less a third in the type of the tensor, and has
   some constants in float32. */
static double gamma_one(mersenne *m, spare *s, int is_below_one, double power, double d) {
    const double scale = is_below_one ? pow(1.0 - unit_one(m), power) : 1.0;
    if (!(d > 0.0)) return NAN;
    const double c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        double x, y;
        do {
            x = normal_one(m, s);
            y = 1.0 + c * x;
        } while (y <= 0.0);
        const double v = y * y * y, u = 1.0 - unit_one(m), square = x * x;
        if (u < 1.0 - 0.0331f * square * square) return scale * d * v;
        if (log(u) < 0.5 * square + d * (1.0 - v + log(v))) return scale * d * v;
    }
}

#define GAMMA(name, real)                                                                               \
    static void name(mersenne *m, spare *s, double *out, ptrdiff_t n, const real *shape) {              \
        for (ptrdiff_t i = 0; i < n; i++) {                                                             \
            const int is_below_one = shape[i] < 1;                                                      \
            const real power = 1 / shape[i], above = is_below_one ? shape[i] + 1 : shape[i];            \
            const real d = above - 1.0f / 3.0f;                                                         \
            out[i] = shape[i] == 0 ? 0.0 : gamma_one(m, s, is_below_one, power, d);                     \
        }                                                                                               \
    }
GAMMA(gamma_f32, float)
GAMMA(gamma_f64, double)

/* PTRS of Hörmann, 1993. */
static double poisson_large(mersenne *m, double mean) {
    const double log_mean = log(mean), b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2.0);
    for (;;) {
        const double u = unit_one(m) - 0.5, v = unit_one(m), us = 0.5 - fabs(u);
        double k = floor((2.0 * a / us + b) * u + mean + 0.43);
        if (!(fabs(k) < 0x1p63)) k = -0x1p63; /* what torch's cast to 64 bits makes of it */
        if (us >= 0.07 && v <= v_r) return k;
        if (k < 0.0 || (us < 0.013 && v > us)) continue;
        if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <= -mean + k * log_mean - lgamma(k + 1.0)) return k;
    }
}

/* Knuth: uniform numbers multiplied until their product falls below that of the mean. */
static double poisson_small(mersenne *m, double mean) {
    const double limit = exp(-mean);
    double product = 1.0, k = 0.0;
    for (;;) {
        product *= unit_one(m);
        if (product <= limit) return k;
        k += 1.0;
    }
}

static void poisson_f64(mersenne *m, double *out, ptrdiff_t n, const double *mean) {
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = mean[i] >= LARGE_MEAN ? poisson_large(m, mean[i]) : mean[i] == 0.0 ? 0.0 : poisson_small(m, mean[i]);
}

/* What Stirling's formula for log(k!) lacks. */
static double stirling_tail(double k) {
    static const double first[] = {0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650,
                                   0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                   0.00925546218271273, 0.00833056343336287};
    if (k <= 9.0) return first[(int)k];
    const double square = (k + 1.0) * (k + 1.0);
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0);
}

/* BTRS of Hörmann, 1993, for p up to one half. */
static double binomial_large(mersenne *m, double n, double p) {
    const double spread = sqrt(n * p * (1.0 - p)), b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double c = n * p + 0.5, v_r = 0.92 - 4.2 / b, r = p / (1.0 - p), alpha = (2.83 + 5.1 / b) * spread;
    const double mode = floor((n + 1.0) * p);
    for (;;) {
        const double u = unit_one(m) - 0.5;
        double v = unit_one(m);
        const double us = 0.5 - fabs(u), k = floor((2.0 * a / us + b) * u + c);
        if (us >= 0.07 && v <= v_r) return k;
        if (k < 0.0 || k > n) continue;
        v = log(v * alpha / (a / (us * us) + b));
        const double limit = (mode + 0.5) * log((mode + 1.0) / (r * (n - mode + 1.0)))
            + (n + 1.0) * log((n - mode + 1.0) / (n - k + 1.0)) + (k + 0.5) * log(r * (n - k + 1.0) / (k + 1.0))
            + stirling_tail(mode) + stirling_tail(n - mode) - stirling_tail(k) - stirling_tail(n - k);
        if (v <= limit) return k;
    }
}

/* Waiting times for successes, added until the trials are used up. */
static double binomial_small(mersenne *m, double n, double p) {
    const double log_fail = log1p(-p);
    double trials = 0.0, k = 0.0;
    for (;;) {
        trials += ceil(log(unit_one(m)) / log_fail);
        if (trials > n) return k;
        k += 1.0;
    }
}

static double binomial_one(mersenne *m, double n, double p) {
    if (p != p || n != n) return p + n;
    if (n <= 0.0 || p <= 0.0) return 0.0;
    if (p >= 1.0) return n;
    if (p <= 0.5) return n * p >= LARGE_MEAN ? binomial_large(m, n, p) : binomial_small(m, n, p);
    return n - (n * (1.0 - p) >= LARGE_MEAN ? binomial_large(m, n, 1.0 - p) : binomial_small(m, n, 1.0 - p));
}

static void binomial_f64(mersenne *m, double *out, ptrdiff_t n, const double *count, const double *p) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = binomial_one(m, count[i], p[i]);
}
#endif
