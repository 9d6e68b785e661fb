/* Long runs of drawn numbers. Every fused product is written as fma, and no other product is followed by an inexact
   sum: the results are the same whether or not the compiler contracts. */
#ifndef MINDTORCH_DRAWING_H
#define MINDTORCH_DRAWING_H
#include "mersenne.h"

#define CHUNK 1024
#define TWO_PI 6.283185307179586

INLINE float unit_f32(uint32_t word) { return (float)(int32_t)(word & 0xffffffu) * 0x1p-24f; }
INLINE double unit_f64(const uint32_t *pair) {
    const uint64_t word = ((uint64_t)pair[0] << 32) | pair[1];
    return (double)(int64_t)(word & 0x1fffffffffffffu) * 0x1p-53;
}

CLONES static void uniforms_f32(const uint32_t *words, float *out, ptrdiff_t n, float low, float high) {
    const float range = high - low;
    for (ptrdiff_t i = 0; i < n; i++) {
        const float x = fmaf(unit_f32(words[i]), range, low);
        out[i] = x == high ? low : x; /* rounding may reach the excluded end: torch gives the included one */
    }
}

CLONES static void uniforms_f64(const uint32_t *words, double *out, ptrdiff_t n, double low, double high) {
    const double range = high - low;
    for (ptrdiff_t i = 0; i < n; i++) {
        const double x = fma(unit_f64(words + 2 * i), range, low);
        out[i] = x == high ? low : x;
    }
}

/* Draws `per` words an element, CHUNK elements at a time, and hands them to the statement. */
#define IN_CHUNKS(per, statement)                                             \
    uint32_t words[CHUNK * per];                                              \
    for (ptrdiff_t start = 0; start < n; start += CHUNK) {                    \
        const ptrdiff_t some = n - start < CHUNK ? n - start : CHUNK;         \
        mersenne_words(m, words, some * per);                                 \
        statement;                                                            \
    }

static void uniform_f32(mersenne *m, float *out, ptrdiff_t n, float low, float high) {
    IN_CHUNKS(1, uniforms_f32(words, out + start, some, low, high))
}

static void uniform_f64(mersenne *m, double *out, ptrdiff_t n, double low, double high) {
    IN_CHUNKS(2, uniforms_f64(words, out + start, some, low, high))
}

static void bernoulli_one_p(mersenne *m, uint8_t *out, ptrdiff_t n, double p) {
    IN_CHUNKS(2, for (ptrdiff_t i = 0; i < some; i++) out[start + i] = unit_f64(words + 2 * i) < p)
}

static void bernoulli_p_f32(mersenne *m, uint8_t *out, ptrdiff_t n, const float *p) {
    IN_CHUNKS(1, for (ptrdiff_t i = 0; i < some; i++) out[start + i] = unit_f32(words[i]) < p[start + i])
}

static void bernoulli_p_f64(mersenne *m, uint8_t *out, ptrdiff_t n, const double *p) {
    IN_CHUNKS(2, for (ptrdiff_t i = 0; i < some; i++) out[start + i] = unit_f64(words + 2 * i) < p[start + i])
}

static void integers_32(mersenne *m, int64_t *out, ptrdiff_t n, uint32_t range, int64_t low) {
    IN_CHUNKS(1, for (ptrdiff_t i = 0; i < some; i++)
                     out[start + i] = (int64_t)((uint64_t)(words[i] % range) + (uint64_t)low))
}

/* A range of 0 stands for all 2^64 numbers. */
static void integers_64(mersenne *m, int64_t *out, ptrdiff_t n, uint64_t range, int64_t low) {
    for (ptrdiff_t i = 0; i < n; i++) {
        const uint64_t word = mersenne_word64(m);
        out[i] = (int64_t)(range ? word % range + (uint64_t)low : word);
    }
}

/* Fisher and Yates, from the front. */
static void shuffle(mersenne *m, int64_t *out, ptrdiff_t n) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = i;
    for (ptrdiff_t i = 0; i < n - 1; i++) {
        const ptrdiff_t z = i + (ptrdiff_t)(mersenne_word32(m) % (uint32_t)(n - i));
        const int64_t kept = out[i];
        out[i] = out[z];
        out[z] = kept;
    }
}

/* The same inside out: each number takes a random place, whose number moves to the end. */
static void shuffle_inside_out(mersenne *m, int64_t *out, ptrdiff_t n) {
    for (ptrdiff_t i = 0; i < n; i++) {
        const uint64_t z = mersenne_word64(m) % (uint64_t)(i + 1);
        out[i] = i;
        out[i] = out[z];
        out[z] = i;
    }
}

static void exponential_f64(mersenne *m, double *out, ptrdiff_t n, double lambd) {
    uniform_f64(m, out, n, 0.0, 1.0);
    for (ptrdiff_t i = 0; i < n; i++) out[i] = -1.0 / lambd * log1p(-out[i]);
}

static void cauchy_f64(mersenne *m, double *out, ptrdiff_t n, double median, double sigma) {
    uniform_f64(m, out, n, 0.0, 1.0);
    for (ptrdiff_t i = 0; i < n; i++) out[i] = fma(sigma, tan(3.141592653589793 * (out[i] - 0.5)), median);
}

static void geometric_f64(mersenne *m, double *out, ptrdiff_t n, double p) {
    const double log_fail = log1p(-p);
    uniform_f64(m, out, n, 0.0, 1.0);
    for (ptrdiff_t i = 0; i < n; i++) out[i] = ceil(log(out[i]) / log_fail);
}
#endif
