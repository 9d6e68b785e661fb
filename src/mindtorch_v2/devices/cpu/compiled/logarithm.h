/* Logarithms as straight-line code. */
#ifndef MINDTORCH_LOGARITHM_H
#define MINDTORCH_LOGARITHM_H
#include "vmath.h"

/* log(1 + u) for u in [0, 1], as 2 atanh(u / (2 + u)). */
INLINE float log1p_unit_f32(float u) {
    const float s = u / (2.0f + u), z = s * s;
    float p = 1.0f / 15;
    p = p * z + 1.0f / 13;
    p = p * z + 1.0f / 11;
    p = p * z + 1.0f / 9;
    p = p * z + 1.0f / 7;
    p = p * z + 0.2f;
    p = p * z + 1.0f / 3;
    return 2.0f * (s + s * z * p);
}

INLINE double log1p_unit_f64(double u) {
    const double s = u / (2.0 + u), z = s * s;
    double p = 1.0 / 33;
    for (int odd = 31; odd >= 3; odd -= 2) p = p * z + 1.0 / odd;
    return 2.0 * (s + s * z * p);
}

/* x = 2^e m with m around 1, for x > 0. */
INLINE float mantissa_f32(float x, float *whole) {
    const float scaled = x < 1.17549435e-38f ? x * 16777216.0f : x; /* denormals are scaled up */
    int32_t bits, e;
    memcpy(&bits, &scaled, sizeof bits);
    e = (bits - 0x3F3504F3) >> 23; /* the bits of sqrt(1/2) */
    bits -= (int32_t)((uint32_t)e << 23);
    float m;
    memcpy(&m, &bits, sizeof m);
    *whole = (float)(x < 1.17549435e-38f ? e - 24 : e);
    return m;
}

INLINE double mantissa_f64(double x, double *whole) {
    const double scaled = x < 2.2250738585072014e-308 ? x * 18014398509481984.0 : x;
    int64_t bits, e;
    memcpy(&bits, &scaled, sizeof bits);
    e = (bits - 0x3FE6A09E667F3BCDLL) >> 52;
    bits -= (int64_t)((uint64_t)e << 52);
    double m;
    memcpy(&m, &bits, sizeof m);
    *whole = (double)(int32_t)(x < 2.2250738585072014e-308 ? e - 54 : e);
    return m;
}

/* log m beside f = m - 1, which is exact, with s = f / (2 + f): - (f^2/2 - s (f^2/2 + 2 s^2/3 + 2 s^4/5 + ...)). */
INLINE float log_beside_f32(float f) {
    const float s = f / (2.0f + f), z = s * s, half_square = 0.5f * f * f;
    float p = 2.0f / 9;
    p = p * z + 2.0f / 7;
    p = p * z + 0.4f;
    p = p * z + 2.0f / 3;
    return s * (half_square + z * p) - half_square;
}

INLINE double log_beside_f64(double f) {
    const double s = f / (2.0 + f), z = s * s, half_square = 0.5 * f * f;
    double p = 2.0 / 21;
    p = p * z + 2.0 / 19;
    p = p * z + 2.0 / 17;
    p = p * z + 2.0 / 15;
    p = p * z + 2.0 / 13;
    p = p * z + 2.0 / 11;
    p = p * z + 2.0 / 9;
    p = p * z + 2.0 / 7;
    p = p * z + 2.0 / 5;
    p = p * z + 2.0 / 3;
    return s * (half_square + z * p) - half_square;
}

/* A logarithm of x > 0, with the values beyond. */
#define BEYOND(x, largest, r) ((x) > 0 ? ((x) > (largest) ? (x) : (r)) : (x) == 0 ? -INFINITY : NAN)

INLINE float log_f32(float x) {
    float whole;
    const float f = mantissa_f32(x, &whole) - 1.0f;
    const float r = whole * 0.693145752f + (f + (log_beside_f32(f) + whole * 1.42860677e-6f));
    return BEYOND(x, 3.40282347e38f, r);
}

INLINE double log_f64(double x) {
    double whole;
    const double f = mantissa_f64(x, &whole) - 1.0;
    const double r = whole * 0.69314718036912382 + (f + (log_beside_f64(f) + whole * 1.9082149292705877e-10));
    return BEYOND(x, 1.7976931348623157e308, r);
}

/* In another base, by its logarithm's inverse and that of two in it, of which `more` is the rest. */
INLINE float log_in_base_f32(float x, float inverse, float of_two, float more) {
    float whole;
    const float f = mantissa_f32(x, &whole) - 1.0f, beside = log_beside_f32(f);
    const float sum = f + beside, rest = beside - (sum - f); /* what rounding took from the sum */
    const float r = whole * of_two + (sum * inverse + (rest * inverse + whole * more));
    return BEYOND(x, 3.40282347e38f, r);
}

INLINE double log_in_base_f64(double x, double inverse, double of_two, double more) {
    double whole;
    const double f = mantissa_f64(x, &whole) - 1.0;
    const double r = ((log_beside_f64(f) + f) * inverse + whole * more) + whole * of_two;
    return BEYOND(x, 1.7976931348623157e308, r);
}

/* The rounding of 1 + x is put back as a first-order term, where there is one. */
#define LOG1P(suffix, T)                                                                       \
    INLINE T log1p_##suffix(T x) {                                                             \
        const T u = 1 + x, rounding = ((u - 1) - x) / u;                                       \
        const T r = log_##suffix(u) - (rounding == rounding ? rounding : 0);                   \
        return x == 0 ? x : r;                                                                 \
    }
LOG1P(f32, float)
LOG1P(f64, double)
#undef LOG1P
#undef BEYOND
#endif
