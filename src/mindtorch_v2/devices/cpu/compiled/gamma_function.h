/* The derivatives of the logarithm of the gamma function as straight-line code, in double precision: steps up to where the
   asymptotic series holds, and reflection on the other side. */
#ifndef MINDTORCH_GAMMA_FUNCTION_H
#define MINDTORCH_GAMMA_FUNCTION_H
#include "logarithm.h"

#define PI 3.14159265358979312
#define PI_BEHIND 1.2246467991473532e-16 /* what PI lacks */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 16") /* so that no loop is left within a loop */
#else
#define UNROLLED
#endif

/* Taylor's series of sin and cos for |r| <= PI / 2. */
INLINE double sine_near_zero(double r) {
    const double z = r * r;
    double p = 1;
    UNROLLED for (int k = 24; k >= 2; k -= 2) p = 1 - p * z / (k * (k + 1));
    return r * p;
}
INLINE double cosine_near_zero(double r) {
    const double z = r * r;
    double p = 1;
    UNROLLED for (int k = 23; k >= 1; k -= 2) p = 1 - p * z / (k * (k + 1));
    return p;
}

/* log(x) - 1 / 2x - sum of B(2k) / (2k x^2k), for x from 10 on. */
INLINE double digamma_far(double x) {
    const double y = 1 / (x * x);
    double p = 1.0 / 12;
    p = p * y - 691.0 / 32760;
    p = p * y + 1.0 / 132;
    p = p * y - 1.0 / 240;
    p = p * y + 1.0 / 252;
    p = p * y - 1.0 / 120;
    p = p * y + 1.0 / 12;
    return log_f64(x) - 0.5 / x - p * y;
}

/* The logarithm of the absolute value of the gamma function: Stirling's series less that of the steps. Next to its zeros
   it has as many digits behind the point, and so fewer in all. */
INLINE double lgamma_of(double x) {
    const double whole = rint(x), up = x < 0.5 ? 1 - x : x;
    double steps = 1;
    UNROLLED for (int k = 0; k < 10; k++) steps *= up + k < 10 ? up + k : 1;
    const double far = up < 10 ? up + ceil(10 - up) : up, inverse = 1 / far, y = inverse * inverse;
    double p = 1.0 / 156;
    p = p * y - 691.0 / 360360;
    p = p * y + 1.0 / 1188;
    p = p * y - 1.0 / 1680;
    p = p * y + 1.0 / 1260;
    p = p * y - 1.0 / 360;
    p = p * y + 1.0 / 12;
    const double right = (far - 0.5) * log_f64(far) - far + (0.91893853320467274 + p * inverse) - log_f64(steps);
    const double left = log_f64(PI / fabs(sine_near_zero(PI * (x - whole)))) - right;
    const double value = x < 0.5 ? (whole == x && x <= 0 ? INFINITY : left) : right;
    return fabs(x) == INFINITY ? INFINITY : value;
}

/* Minus infinity at 0, NaN at the poles below it. The sum of 1 / (x + k) is one quotient, so one division. */
INLINE double digamma_of(double x) {
    const double whole = rint(x), apart = PI * (x - whole), up = x < 0 ? 1 - x : x;
    double top = 0, bottom = 1;
    UNROLLED for (int k = 0; k < 10; k++) {
        const double term = up + k;
        top = term < 10 ? top * term + bottom : top;
        bottom = term < 10 ? bottom * term : bottom;
    }
    const double far = up < 10 ? up + ceil(10 - up) : up;
    const double right = digamma_far(far) - top / bottom;
    const double left = right - PI * cosine_near_zero(apart) / sine_near_zero(apart);
    const double value = x < 0 ? (whole == x ? NAN : left) : right;
    return x == 0 ? copysign(INFINITY, -x) : value;
}

/* The sum of 1 / (x + k)^2 over all k from 0 on, for x from 8 on: 1 / x + 1 / 2x^2 + sum of B(2k) / x^(2k + 1). */
INLINE double trigamma_far(double x) {
    const double inverse = 1 / x, y = inverse * inverse;
    double p = -3617.0 / 510;
    p = p * y + 7.0 / 6;
    p = p * y - 691.0 / 2730;
    p = p * y + 5.0 / 66;
    p = p * y - 1.0 / 30;
    p = p * y + 1.0 / 42;
    p = p * y - 1.0 / 30;
    p = p * y + 1.0 / 6;
    return inverse * (1 + inverse * (0.5 + inverse * p));
}

/* `angle` is PI times x as the type of x rounds it, which is what says how large the poles are. */
INLINE double trigamma_of(double x, double angle) {
    const double turns = rint(angle / PI), apart = fma(-turns, PI_BEHIND, fma(-turns, PI, angle));
    const double sine = sine_near_zero(apart), reflected = PI / sine, up = x < 0.5 ? 1 - x : x;
    double sum = 0;
    UNROLLED for (int k = 0; k < 8; k++) {
        const double term = up + k;
        sum += term < 8 ? 1 / (term * term) : 0;
    }
    const double right = sum + trigamma_far(up < 8 ? up + ceil(8 - up) : up);
    return x < 0.5 ? reflected * reflected - right : right;
}
#undef UNROLLED
#endif
