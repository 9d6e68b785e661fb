/* Sine and cosine of angles that are not too large, and powers of two, in double precision as straight-line code. */
#ifndef MINDTORCH_TRIGONOMETRY_H
#define MINDTORCH_TRIGONOMETRY_H
#include "vmath.h"

#define LARGEST_QUICK_ANGLE 1e5
/* A quarter of a turn in three parts; with fused multiplications, all of the rest is left. */
#define QUARTER_TURN 1.5707963267948966
#define BEHIND_QUARTER 6.123233995736766e-17
#define FAR_BEHIND_QUARTER -1.4973849048591833e-33

/* The sine of an angle moved by so many quarters of a turn: Taylor's series of sine and cosine for up to an eighth. */
INLINE double sine_of_moved(double x, int64_t quarters) {
    const double shifted = fma(x, 0.63661977236758138, ROUNDING_F64), turns = shifted - ROUNDING_F64;
    int64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits += quarters;
    const double r = fma(-turns, FAR_BEHIND_QUARTER, fma(-turns, BEHIND_QUARTER, fma(-turns, QUARTER_TURN, x)));
    const double z = r * r;
    double s = 1.0 / 355687428096000.0, c = 1.0 / 20922789888000.0;
    s = s * z - 1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    const double half = 0.5 * z, head = 1 - half;
    const double sine = r + r * z * s, cosine = head + ((1 - head - half) + z * z * c);
    const double value = bits & 1 ? cosine : sine;
    return bits & 2 ? -value : value;
}

INLINE double quick_sin(double x) { return sine_of_moved(x, 0); }
INLINE double quick_cos(double x) { return sine_of_moved(x, 1); }

/* Two to the x; the power comes in two halves, so that infinity and denormals are reached as they should. */
INLINE float exp2_f32(float x) {
    float held = x > 160.0f ? 160.0f : x;
    held = held < -160.0f ? -160.0f : held;
    const float shifted = held + ROUNDING_F32, whole = shifted - ROUNDING_F32;
    int32_t n;
    memcpy(&n, &shifted, sizeof n);
    n -= 0x4B400000;
    const float p = 1.0f + small_expm1_f32((held - whole) * 0.69314718f);
    const int32_t half = (int32_t)((uint32_t)(n + 1024) >> 1) - 512;
    return p * two_to_f32(half) * two_to_f32(n - half);
}

INLINE double exp2_f64(double x) {
    double held = x > 1100.0 ? 1100.0 : x;
    held = held < -1100.0 ? -1100.0 : held;
    const double shifted = held + ROUNDING_F64, whole = shifted - ROUNDING_F64;
    int64_t n;
    memcpy(&n, &shifted, sizeof n);
    n -= 0x4338000000000000LL;
    const double p = 1.0 + small_expm1_f64((held - whole) * 0.69314718055994531);
    const int64_t half = (int64_t)((uint64_t)(n + 8192) >> 1) - 4096;
    return p * two_to_f64(half) * two_to_f64(n - half);
}
#endif
