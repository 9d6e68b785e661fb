/* Variances over the middle of a contiguous (outer, n, inner): means, and squared distances from them. */
#include "reduction.h"

/* The squared distances of a row from a mean. */
#define APART(suffix, T)                                                                                             \
    CLONES static double apart_##suffix(const T *x, ptrdiff_t n, double mean) {                                      \
        double lanes[NARROW] = {0};                                                                               \
        ptrdiff_t i = 0;                                                                                             \
        for (; i + NARROW <= n; i += NARROW)                                                                   \
            for (int l = 0; l < NARROW; l++) {                                                                    \
                const double distance = (double)x[i + l] - mean;                                                     \
                lanes[l] += distance * distance;                                                                     \
            }                                                                                                        \
        for (int l = 0; i < n; i++, l++) lanes[l] += ((double)x[i] - mean) * ((double)x[i] - mean);                  \
        double total = 0;                                                                                            \
        for (int l = 0; l < NARROW; l++) total += lanes[l];                                                       \
        return total;                                                                                                \
    }                                                                                                                \
    CLONES static void columns_apart_##suffix(double *totals, const T *x, const double *means, ptrdiff_t n,          \
                                              ptrdiff_t step, ptrdiff_t width) {                                     \
        for (ptrdiff_t k = 0; k < width; k++) totals[k] = 0;                                                         \
        ptrdiff_t j = 0;                                                                                             \
        for (; j + TOGETHER <= n; j += TOGETHER) {                                                                   \
            const T *a = x + j * step, *b = a + step, *c = b + step, *d = c + step;                                  \
            for (ptrdiff_t k = 0; k < width; k++) {                                                                  \
                const double p = (double)a[k] - means[k], q = (double)b[k] - means[k];                               \
                const double r = (double)c[k] - means[k], s = (double)d[k] - means[k];                               \
                totals[k] += (p * p + q * q) + (r * r + s * s);                                                      \
            }                                                                                                        \
        }                                                                                                            \
        for (; j < n; j++) {                                                                                         \
            const T *row = x + j * step;                                                                             \
            for (ptrdiff_t k = 0; k < width; k++) {                                                                  \
                const double distance = (double)row[k] - means[k];                                                   \
                totals[k] += distance * distance;                                                                    \
            }                                                                                                        \
        }                                                                                                            \
    }
APART(f32, float)
APART(f64, double)
#undef APART

typedef struct {
    int is_double;
    const char *x;
    double *means, *apart;
    ptrdiff_t n, inner, tiles;
} variance;

static void spread_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const variance *v = (const variance *)job;
    const ptrdiff_t size = v->n * (v->is_double ? sizeof(double) : sizeof(float));
    for (ptrdiff_t i = begin; i < end; i++) {
        const char *x = v->x + i * size;
        row_loops[SUM][v->is_double ? F64 : F32](v->means + i, x, v->n, 0, 1);
        v->means[i] /= v->n;
        v->apart[i] = v->is_double ? apart_f64((const double *)x, v->n, v->means[i])
                                   : apart_f32((const float *)x, v->n, v->means[i]);
    }
}

static void spread_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const variance *v = (const variance *)job;
    const ptrdiff_t itemsize = v->is_double ? sizeof(double) : sizeof(float);
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / v->tiles, first = i % v->tiles * TILE, left = v->inner - first;
        const ptrdiff_t width = left < TILE ? left : TILE, at = item * v->inner + first;
        const char *x = v->x + (item * v->n * v->inner + first) * itemsize;
        double *means = v->means + at, *apart = v->apart + at;
        column_loops[SUM][v->is_double ? F64 : F32](means, x, v->n, v->inner, width);
        for (ptrdiff_t k = 0; k < width; k++) means[k] /= v->n;
        if (v->is_double)
            columns_apart_f64(apart, (const double *)x, means, v->n, v->inner, width);
        else
            columns_apart_f32(apart, (const float *)x, means, v->n, v->inner, width);
    }
}
