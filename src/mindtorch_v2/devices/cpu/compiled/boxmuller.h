/* Normal numbers from pairs of uniform ones (Box and Muller, 1958), in the two ways torch draws them. */
#ifndef MINDTORCH_BOXMULLER_H
#define MINDTORCH_BOXMULLER_H
#include "drawing.h"

#define HALF_BLOCK 8
#define BLOCK 16

/* The second number of a pair waits for the next call. */
typedef struct {
    double value;
    int is_there;
} spare;

static double normal_one(mersenne *m, spare *s) {
    if (s->is_there) {
        s->is_there = 0;
        return s->value;
    }
    uint32_t words[4];
    mersenne_words(m, words, 4);
    const double angle = TWO_PI * unit_f64(words), radius = sqrt(-2.0 * log1p(-unit_f64(words + 2)));
    s->value = radius * sin(angle);
    s->is_there = 1;
    return radius * cos(angle);
}

static void normal_one_by_one(mersenne *m, spare *s, double *out, ptrdiff_t n, double mean, double std) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = fma(normal_one(m, s), std, mean);
}

/* Cephes' logf (Moshier) in fused arithmetic, for 0 < x <= 1. */
INLINE float log_cephes(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    float e = (float)((int32_t)(bits >> 23) - 126);
    bits = (bits & 0x007fffffu) | 0x3f000000u;
    float f;
    memcpy(&f, &bits, sizeof f);
    const int low = f < 0.707106781186547524f;
    e = low ? e - 1.0f : e;
    f = low ? (f - 1.0f) + f : f - 1.0f;
    const float z = f * f;
    float y = 7.0376836292e-2f;
    y = fmaf(y, f, -1.1514610310e-1f);
    y = fmaf(y, f, 1.1676998740e-1f);
    y = fmaf(y, f, -1.2420140846e-1f);
    y = fmaf(y, f, 1.4249322787e-1f);
    y = fmaf(y, f, -1.6668057665e-1f);
    y = fmaf(y, f, 2.0000714765e-1f);
    y = fmaf(y, f, -2.4999993993e-1f);
    y = fmaf(y, f, 3.3333331174e-1f);
    y = fmaf(y * f, z, e * -2.12194440e-4f) - z * 0.5f;
    return fmaf(e, 0.693359375f, f + y);
}

/* Cephes' sinf and cosf (Moshier) in fused arithmetic, for 0 <= x < 8. */
INLINE void sincos_cephes(float x, float *sine, float *cosine) {
    const int32_t octant = ((int32_t)(x * 1.27323954473516f) + 1) & ~1;
    const float turns = (float)octant;
    x = fmaf(turns, -0.78515625f, x);
    x = fmaf(turns, -2.4187564849853515625e-4f, x);
    x = fmaf(turns, -3.77489497744594108e-8f, x);
    const float z = x * x;
    float c = fmaf(2.443315711809948e-5f, z, -1.388731625493765e-3f);
    c = fmaf(c, z, 4.166664568298827e-2f);
    c = fmaf(c * z, z, -(z * 0.5f)) + 1.0f;
    float s = fmaf(-1.9515295891e-4f, z, 8.3321608736e-3f);
    s = fmaf(s, z, -1.6666654611e-1f);
    s = fmaf(s * z, x, x);
    const int swapped = (octant & 2) != 0;
    const float sin_part = swapped ? c : s, cos_part = swapped ? s : c;
    *sine = octant & 4 ? -sin_part : sin_part;
    *cosine = (octant + 2) & 4 ? -cos_part : cos_part;
}

/* In a block of 16 uniform numbers, number j and number j + 8 make a pair. */
CLONES static void normal_blocks_f32(float *x, ptrdiff_t n, float mean, float std) {
    for (ptrdiff_t start = 0; start + BLOCK <= n; start += BLOCK) {
        float *a = x + start, *b = a + HALF_BLOCK;
        for (int j = 0; j < HALF_BLOCK; j++) {
            const float radius = sqrtf(-2.0f * log_cephes(1.0f - a[j]));
            float sine, cosine;
            sincos_cephes((float)TWO_PI * b[j], &sine, &cosine);
            a[j] = fmaf(radius * cosine, std, mean);
            b[j] = fmaf(radius * sine, std, mean);
        }
    }
}

static void normal_blocks_f64(double *x, ptrdiff_t n, double mean, double std) {
    for (ptrdiff_t start = 0; start + BLOCK <= n; start += BLOCK) {
        double *a = x + start, *b = a + HALF_BLOCK;
        for (int j = 0; j < HALF_BLOCK; j++) {
            const double radius = sqrt(-2.0 * log(1.0 - a[j])), angle = TWO_PI * b[j];
            a[j] = fma(radius * cos(angle), std, mean);
            b[j] = fma(radius * sin(angle), std, mean);
        }
    }
}

/* A last block that is not full is not filled up: the last 16 numbers are drawn anew. For float and double torch has
   drawn its incomplete uniform numbers before that, for the half types it has not: `first` is n, or n in whole blocks. */
#define NORMAL_FILL(REAL, SUFFIX)                                                                           \
    static void normal_##SUFFIX(mersenne *m, REAL *out, ptrdiff_t n, ptrdiff_t first, REAL mean, REAL std) { \
        uniform_##SUFFIX(m, out, first, 0, 1);                                                               \
        normal_blocks_##SUFFIX(out, n, mean, std);                                                           \
        if (n % BLOCK) {                                                                                     \
            uniform_##SUFFIX(m, out + n - BLOCK, BLOCK, 0, 1);                                               \
            normal_blocks_##SUFFIX(out + n - BLOCK, BLOCK, mean, std);                                       \
        }                                                                                                    \
    }
NORMAL_FILL(float, f32)
NORMAL_FILL(double, f64)
#endif
