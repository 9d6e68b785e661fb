/* exp, expm1 and tanh as straight-line code, so that the compiler can turn a loop over them into SIMD. */
#ifndef MINDTORCH_VMATH_H
#define MINDTORCH_VMATH_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One body, two machines: wheels run anywhere, and use AVX2 and FMA where the loader finds them. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GNUC__ >= 12
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), unused))
#else
#define CLONES __attribute__((target_clones("avx2", "default"), unused))
#endif
#else
#define CLONES
#endif

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline, unused))
#define FREE_LOOP _Pragma("GCC ivdep") /* out may be one of the inputs: same index, so never a hazard */
#else
#define INLINE static inline
#define FREE_LOOP
#endif

/* The smaller of two, as one instruction: b where they cannot be compared, so a NaN in b stays. */
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))

/* 2^n for n in the range of normal numbers. */
INLINE float two_to_f32(int32_t n) {
    const uint32_t bits = (uint32_t)(n + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

INLINE double two_to_f64(int64_t n) {
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* 1.5 * 2^mantissa: adding it leaves the nearest integer in the low bits. */
#define ROUNDING_F32 12582912.0f
#define ROUNDING_F64 6755399441055744.0

/* x = n ln2 + r with |r| <= ln2/2. */
INLINE float reduce_f32(float x, int32_t *n) {
    const float shifted = x * 1.44269504f + ROUNDING_F32;
    const float whole = shifted - ROUNDING_F32;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    *n = bits - 0x4B400000;
    return (x - whole * 0.693145752f) - whole * 1.42860677e-6f;
}

INLINE double reduce_f64(double x, int64_t *n) {
    const double shifted = x * 1.4426950408889634 + ROUNDING_F64;
    const double whole = shifted - ROUNDING_F64;
    int64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    *n = bits - 0x4338000000000000LL;
    return (x - whole * 0.69314718036912382) - whole * 1.9082149292705877e-10;
}

/* e^r - 1 for |r| <= ln2/2: its Taylor series, to the last bit of the type. */
INLINE float small_expm1_f32(float r) {
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    return r + r * r * p;
}

INLINE double small_expm1_f64(double r) {
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    return r + r * r * p;
}

/* The comparisons keep a NaN; the power comes in two halves, so that inf and denormals are reached as they should. */
INLINE float exp_f32(float x) {
    int32_t n;
    x = x > 104.0f ? 104.0f : x;
    x = x < -104.0f ? -104.0f : x;
    const float p = 1.0f + small_expm1_f32(reduce_f32(x, &n));
    const int32_t half = (int32_t)((uint32_t)(n + 1024) >> 1) - 512;
    return p * two_to_f32(half) * two_to_f32(n - half);
}

INLINE double exp_f64(double x) {
    int64_t n;
    x = x > 746.0 ? 746.0 : x;
    x = x < -746.0 ? -746.0 : x;
    const double p = 1.0 + small_expm1_f64(reduce_f64(x, &n));
    const int64_t half = (int64_t)((uint64_t)(n + 8192) >> 1) - 4096;
    return p * two_to_f64(half) * two_to_f64(n - half);
}

/* Exact near zero; saturates above 88 (709), which its callers never look at. */
INLINE float expm1_f32(float x) {
    int32_t n;
    x = x > 88.0f ? 88.0f : x;
    x = x < -80.0f ? -80.0f : x;
    const float q = small_expm1_f32(reduce_f32(x, &n));
    const float power = two_to_f32(n);
    return power * q + (power - 1.0f);
}

INLINE double expm1_f64(double x) {
    int64_t n;
    x = x > 709.0 ? 709.0 : x;
    x = x < -700.0 ? -700.0 : x;
    const double q = small_expm1_f64(reduce_f64(x, &n));
    const double power = two_to_f64(n);
    return power * q + (power - 1.0);
}

INLINE float sqrt_f32(float x) { return sqrtf(x); }
INLINE double sqrt_f64(double x) { return sqrt(x); }
INLINE float abs_f32(float x) { return fabsf(x); }
INLINE double abs_f64(double x) { return fabs(x); }

/* e^y - 1 over e^y + 1 with y = 2|x|: no cancellation anywhere. */
INLINE float tanh_f32(float x) {
    float y = 2.0f * fabsf(x);
    y = y > 20.0f ? 20.0f : y;
    const float e = expm1_f32(y);
    return copysignf(e / (e + 2.0f), x);
}

INLINE double tanh_f64(double x) {
    double y = 2.0 * fabs(x);
    y = y > 40.0 ? 40.0 : y;
    const double e = expm1_f64(y);
    return copysign(e / (e + 2.0), x);
}
#endif
