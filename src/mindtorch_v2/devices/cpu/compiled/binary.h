/* Two real numbers in, one out: a row each; x and y are the operands, which lie side by side. */
#ifndef EACH
#include "logarithm.h"
#include "walk.h"
#define EACH "binary.h"
#include "each_real.h"
#define LOOPS(name) static const inner_loop name##_loops[2] = {name##_loop_f32, name##_loop_f64};
LOOPS(fmod) LOOPS(remainder) LOOPS(floor_divide) LOOPS(hypot) LOOPS(nextafter) LOOPS(copysign) LOOPS(logaddexp)
LOOPS(logaddexp2) LOOPS(xlogy) LOOPS(pow) LOOPS(prelu)
#undef LOOPS
#else

#if IS_FLOAT
#define SAFE_QUOTIENT 4194304.0f /* below it, a quotient's whole part is exact or one too far from zero */
#define BITS int32_t
#define C_NAME(name) name##f
#else
#define SAFE_QUOTIENT 2251799813685248.0
#define BITS int64_t
#define C_NAME(name) name
#endif

#define EACH_ELEMENT(name, expression)                                                                              \
    CLONES static void FN(name##_loop)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {   \
        REAL *out = (REAL *)at[0];                                                                                  \
        const REAL *xs = (const REAL *)at[1], *ys = (const REAL *)at[2];                                            \
        (void)steps, (void)extra;                                                                                   \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                               \
            const REAL x = xs[i], y = ys[i];                                                                        \
            out[i] = expression;                                                                                    \
        }                                                                                                           \
    }

/* The rest of a division towards zero where the quotient is not too large: a fused multiplication leaves it exact. */
INLINE REAL FN(quick_fmod)(REAL x, REAL y) {
    const REAL a = C_NAME(fabs)(x), b = C_NAME(fabs)(y);
    const REAL rest = C_NAME(fma)(-C_NAME(trunc)(a / b), b, a);
    return C_NAME(copysign)(a < b ? a : rest < 0 ? rest + b : rest, x);
}

INLINE int FN(is_quick)(REAL x, REAL y) { return C_NAME(fabs)(x) < C_NAME(fabs)(y) * SAFE_QUOTIENT; }

/* From the rest of a division: that of one towards minus infinity, and its quotient, by torch's formulas. */
INLINE REAL FN(signed_rest)(REAL rest, REAL y) { return (rest != 0) & ((y < 0) != (rest < 0)) ? rest + y : rest; }

INLINE REAL FN(floored)(REAL x, REAL y, REAL rest) {
    const REAL near = (x - rest) / y - ((rest != 0) & ((y < 0) != (rest < 0)) ? 1 : 0);
    const REAL whole = C_NAME(floor)(near), quotient = near - whole > R(0.5) ? whole + 1 : whole;
    return y == 0 ? x / y : near != 0 ? quotient : C_NAME(copysign)(0, x / y);
}

/* Blocks with a zero, a NaN, an infinity or a large quotient in them take the C library's function. */
enum { FN(DIVIDED_TOGETHER) = 256 };
#define EACH_REST(name, expression)                                                                                 \
    CLONES static void FN(name##_loop)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {   \
        (void)steps, (void)extra;                                                                                   \
        for (ptrdiff_t begin = 0; begin < n; begin += FN(DIVIDED_TOGETHER)) {                                       \
            const ptrdiff_t left = n - begin, m = left < FN(DIVIDED_TOGETHER) ? left : FN(DIVIDED_TOGETHER);        \
            REAL *out = (REAL *)at[0] + begin;                                                                      \
            const REAL *xs = (const REAL *)at[1] + begin, *ys = (const REAL *)at[2] + begin;                        \
            BITS quick = 1;                                                                                         \
            for (ptrdiff_t i = 0; i < m; i++) quick &= FN(is_quick)(xs[i], ys[i]);                                  \
            if (quick)                                                                                              \
                FREE_LOOP for (ptrdiff_t i = 0; i < m; i++) {                                                       \
                    const REAL x = xs[i], y = ys[i], rest = FN(quick_fmod)(x, y);                                   \
                    (void)y;                                                                                        \
                    out[i] = expression;                                                                            \
                }                                                                                                   \
            else                                                                                                    \
                for (ptrdiff_t i = 0; i < m; i++) {                                                                 \
                    const REAL x = xs[i], y = ys[i];                                                                \
                    const REAL rest = FN(is_quick)(x, y) ? FN(quick_fmod)(x, y) : C_NAME(fmod)(x, y);               \
                    out[i] = expression;                                                                            \
                }                                                                                                   \
        }                                                                                                           \
    }
EACH_REST(fmod, rest)
EACH_REST(remainder, FN(signed_rest)(rest, y))
EACH_REST(floor_divide, FN(floored)(x, y, rest))
#undef EACH_REST

/* Scaled by a power of two where a square would overflow or vanish. */
INLINE REAL FN(hypot)(REAL x, REAL y) {
    const REAL a = C_NAME(fabs)(x), b = C_NAME(fabs)(y), larger = a > b ? a : b;
    const double scale = IS_FLOAT ? 1 : larger > 1e140 ? 0x1p-600 : larger < 1e-140 ? 0x1p600 : 1;
    const double p = a * scale, q = b * scale, length = sqrt(p * p + q * q) / scale;
    return (a == INFINITY) | (b == INFINITY) ? INFINITY : (REAL)length;
}

/* The number next to x in the direction of y: its bits count numbers of one sign in order. */
INLINE REAL FN(nextafter)(REAL x, REAL y) {
    BITS bits;
    memcpy(&bits, &x, sizeof bits);
    const BITS from_zero = (y > x) == (x > 0) ? 1 : -1, least = 1;
    bits += from_zero;
    REAL next, smallest;
    memcpy(&next, &bits, sizeof next);
    memcpy(&smallest, &least, sizeof smallest);
    next = x == 0 ? C_NAME(copysign)(smallest, y) : next;
    return (x != x) | (y != y) ? x + y : x == y ? y : next;
}

INLINE REAL FN(logaddexp)(REAL x, REAL y, REAL log_of_base) {
    const REAL larger = x > y ? x : y, apart = x == y ? 0 : C_NAME(fabs)(x - y);
    const REAL sum = larger + FN(log1p_unit)(FN(exp)(-apart * log_of_base)) / log_of_base;
    return (x != x) | (y != y) ? x + y : C_NAME(fabs)(larger) == INFINITY ? larger : sum;
}

/* In double precision, as far as a float needs it; one where y is zero or x is one, and a sign where x is negative and
   y odd. */
#if IS_FLOAT
INLINE double log_of_float(double x) {
    double whole;
    const double m = mantissa_f64(x, &whole), s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 2.0 / 13;
    p = p * z + 2.0 / 11;
    p = p * z + 2.0 / 9;
    p = p * z + 2.0 / 7;
    p = p * z + 2.0 / 5;
    p = p * z + 2.0 / 3;
    const double r = 2.0 * s + s * z * p + whole * 0.69314718055994531;
    return x > 0 ? (x == INFINITY ? x : r) : x == 0 ? -INFINITY : NAN;
}

/* What lies beyond 200 is infinite or zero as a float. */
INLINE double exp_to_float(double x) {
    int64_t n;
    x = x > 200.0 ? 200.0 : x;
    x = x < -200.0 ? -200.0 : x;
    const double r = reduce_f64(x, &n);
    double p = 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    return (1.0 + (r + r * r * p)) * two_to_f64(n);
}

INLINE float pow_f32(float x, float y) {
    const float a = fabsf(x), halved = 0.5f * y;
    const double power = exp_to_float((a == 1) | (y == 0) ? 0.0 : (double)y * log_of_float((double)a));
    const int is_whole = truncf(y) == y, is_odd = is_whole & (truncf(halved) != halved);
    const float sign = is_odd ? copysignf(1.0f, x) : 1.0f;
    return (x < 0) & !is_whole & (a < INFINITY) ? NAN : sign * (float)power;
}
#else
/* A number as the sum of two, the second of which is what rounding took from the first. */
typedef struct { double high, low; } double_double;

/* log x of a finite x > 0 to some 65 bits: 2 atanh(s) for s = (m - 1) / (m + 1). */
INLINE double_double precise_log(double x) {
    const double third_high = 0.66666666666666663, third_low = 3.7007434154171886e-17; /* of two */
    double whole;
    const double m = mantissa_f64(x, &whole), f = m - 1, below = m + 1, below_rest = m - (below - 1);
    const double s = f / below, s_rest = (fma(-s, below, f) - s * below_rest) / below;
    const double z = s * s, z_rest = fma(s, s, -z) + 2 * s * s_rest;
    double p = 2.0 / 23;
    for (int odd = 21; odd >= 5; odd -= 2) p = p * z + 2.0 / odd;
    p *= z;
    const double c = third_high + p, c_rest = (third_high - c) + p + third_low;
    const double cube = s * z, cube_rest = fma(s, z, -cube) + (s * z_rest + s_rest * z);
    const double l = fma(cube, c, 2 * s); /* spelled out, so that no compiler fuses half of it */
    const double l_rest = fma(cube, c, 2 * s - l) + (2 * s_rest + (cube * c_rest + cube_rest * c));
    const double sum = fma(whole, 0.69314718036912382, l);
    const double rest = fma(whole, 0.69314718036912382, -sum) + l + (l_rest + whole * 1.9082149292705877e-10);
    const double high = sum + rest;
    return (double_double){high, (sum - high) + rest};
}

/* As the C library has it, less than one unit in the last place away. */
INLINE double pow_f64(double x, double y) {
    const double a = fabs(x), halved = 0.5 * y, power_of = a == 1 ? 0 : y; /* one, and no power, is one */
    const double_double log_a = precise_log(a > 0 ? (a < INFINITY ? a : 1) : 1);
    const double high = y == 0 ? 0 : a > 0 ? (a < INFINITY ? log_a.high : a) : a == 0 ? -INFINITY : a;
    double product = power_of * high;
    const double rest = fabs(product) < 800 ? fma(power_of, high, -product) + power_of * log_a.low : 0;
    product = product > 800 ? 800 : product;
    product = product < -800 ? -800 : product;
    const double shifted = product * 1.4426950408889634 + ROUNDING_F64, whole = shifted - ROUNDING_F64;
    int64_t n;
    memcpy(&n, &shifted, sizeof n);
    n -= 0x4338000000000000LL;
    const double exact = product - whole * 0.69314718036912382, less = whole * 1.9082149292705877e-10, r = exact - less;
    const double beside = rest + ((exact - r) - less), unit = 1 + r, more = small_expm1_f64(r);
    const double power = unit + (((1 - unit) + r) + (more - r + beside * (1 + more)));
    const int64_t half = (int64_t)((uint64_t)(n + 8192) >> 1) - 4096;
    const double scaled = power * two_to_f64(half) * two_to_f64(n - half);
    const double of_whole = trunc(halved) != halved ? copysign(1, x) : 1, of_others = x < 0 ? (a < INFINITY ? NAN : 1) : 1;
    return (trunc(y) == y ? of_whole : of_others) * scaled;
}
#endif

EACH_ELEMENT(hypot, FN(hypot)(x, y))
EACH_ELEMENT(nextafter, FN(nextafter)(x, y))
EACH_ELEMENT(copysign, C_NAME(copysign)(x, y))
EACH_ELEMENT(logaddexp, FN(logaddexp)(x, y, 1))
EACH_ELEMENT(logaddexp2, FN(logaddexp)(x, y, R(0.69314718055994531)))
EACH_ELEMENT(xlogy, y != y ? y : x == 0 ? 0 : x * FN(log)(y))
EACH_ELEMENT(pow, FN(pow)(x, y))
EACH_ELEMENT(prelu, x > 0 ? x : x * y)
#undef EACH_ELEMENT
#undef SAFE_QUOTIENT
#undef BITS
#undef C_NAME
#endif
