/* One number in, one out: a row each, with parameters p, q, r. */
#ifndef EACH
#include "error_function.h"
#include "gamma_function.h"
#include "trigonometry.h"
#include "walk.h"
static const double NO_NUMBERS[3] = {0};
/* The sign of a number in half precision is a bit. */
#define HALF_SIGN(name, expression)                                                                                 \
    CLONES static void name(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {              \
        (void)extra;                                                                                                \
        if (DENSE(uint16_t, 0) && DENSE(uint16_t, 1)) {                                                             \
            uint16_t *out = (uint16_t *)at[0];                                                                      \
            const uint16_t *xs = (const uint16_t *)at[1];                                                           \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                           \
                const uint16_t x = xs[i];                                                                           \
                out[i] = (uint16_t)(expression);                                                                    \
            }                                                                                                       \
        } else                                                                                                      \
            for (ptrdiff_t i = 0; i < n; i++) {                                                                     \
                const uint16_t x = AT(uint16_t, 1, i);                                                              \
                *(uint16_t *)(at[0] + i * steps[0]) = (uint16_t)(expression);                                       \
            }                                                                                                       \
    }
HALF_SIGN(neg_half, x ^ 0x8000)
HALF_SIGN(abs_half, x & 0x7FFF)
#undef HALF_SIGN
#define EACH "unary.h"
#include "each_real.h"
#define LOOPS(name) static const inner_loop name##_loops[2] = {name##_loop_f32, name##_loop_f64};
LOOPS(sqrt) LOOPS(rsqrt) LOOPS(reciprocal) LOOPS(neg) LOOPS(abs) LOOPS(exp) LOOPS(exp2) LOOPS(tanh)
LOOPS(cube) LOOPS(inverse_square) LOOPS(sign) LOOPS(frac) LOOPS(erfc) LOOPS(log) LOOPS(log1p) LOOPS(log2) LOOPS(log10) LOOPS(atanh)
LOOPS(logit) LOOPS(finite) LOOPS(digamma) LOOPS(trigamma) LOOPS(lgamma)
#undef LOOPS
#else
INLINE REAL FN(trunc)(REAL x) { return IS_FLOAT ? (REAL)truncf((float)x) : (REAL)trunc((double)x); }
INLINE REAL FN(largest)(void) { return IS_FLOAT ? R(3.40282347e38f) : R(1.7976931348623157e308); }

INLINE REAL FN(atanh)(REAL x) {
    const REAL a = FN(abs)(x), r = FN(log1p)(2 * a / (1 - a)) / 2;
    return x < 0 ? -r : x == 0 ? x : r;
}

/* log(x / (1 - x)) of a probability that is held at least so far from zero and one; a negative distance is none. */
INLINE REAL FN(logit)(REAL x, REAL distance) {
    const REAL held = distance < 0 ? x : x < distance ? distance : x > 1 - distance ? 1 - distance : x;
    return FN(log)(held / (1 - held));
}

#define EACH_ELEMENT(name, expression)                                                                              \
    CLONES static void FN(name##_loop)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {   \
        REAL *out = (REAL *)at[0];                                                                                  \
        const REAL *xs = (const REAL *)at[1];                                                                       \
        const double *numbers = extra ? (const double *)extra : NO_NUMBERS;                                         \
        const REAL p = R(numbers[0]), q = R(numbers[1]), r = R(numbers[2]);                                         \
        (void)steps, (void)p, (void)q, (void)r;                                                                     \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                               \
            const REAL x = xs[i];                                                                                   \
            out[i] = expression;                                                                                    \
        }                                                                                                           \
    }
EACH_ELEMENT(sqrt, FN(sqrt)(x))
EACH_ELEMENT(rsqrt, 1 / FN(sqrt)(x))
EACH_ELEMENT(reciprocal, 1 / x)
EACH_ELEMENT(neg, -x)
EACH_ELEMENT(abs, FN(abs)(x))
EACH_ELEMENT(exp, FN(exp)(x))
EACH_ELEMENT(exp2, FN(exp2)(x))
EACH_ELEMENT(tanh, FN(tanh)(x))
EACH_ELEMENT(cube, x *x *x)
EACH_ELEMENT(inverse_square, 1 / (x * x))
EACH_ELEMENT(sign, (REAL)((x > 0) - (x < 0)))
EACH_ELEMENT(frac, x - FN(trunc)(x))
EACH_ELEMENT(erfc, FN(erfc)(x))
EACH_ELEMENT(log, FN(log)(x))
EACH_ELEMENT(log1p, FN(log1p)(x))
EACH_ELEMENT(log2, FN(log_in_base)(x, R(1.4426950408889634), 1, 0))
EACH_ELEMENT(log10, FN(log_in_base)(x, R(0.43429448190325182), R(0.301025390625), R(4.6050389811980175e-06)))
EACH_ELEMENT(atanh, FN(atanh)(x))
EACH_ELEMENT(logit, FN(logit)(x, p))
EACH_ELEMENT(digamma, R(digamma_of(x)))
EACH_ELEMENT(trigamma, R(trigamma_of(x, R(PI) * x)))
EACH_ELEMENT(finite, x != x ? p : x > FN(largest)() ? q : x < -FN(largest)() ? r : x)

/* Doubles next to a zero of the logarithm are left to the C library, which has all their digits; of floats only the
   zeros themselves lack any. */
EACH_ELEMENT(quick_lgamma, R(lgamma_of(x)))
static void FN(lgamma_loop)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {
    enum { TOGETHER = 256 };
    for (ptrdiff_t begin = 0; begin < n; begin += TOGETHER) {
        const ptrdiff_t count = n - begin < TOGETHER ? n - begin : TOGETHER;
        REAL given[TOGETHER], *out = (REAL *)at[0] + begin;
        memcpy(given, (const REAL *)at[1] + begin, (size_t)count * sizeof(REAL));
        FN(quick_lgamma_loop)((char *const[]){(char *)out, (char *)given}, steps, count, extra);
        const REAL near = IS_FLOAT ? R(1e-12) : R(0.1);
        for (ptrdiff_t i = 0; i < count; i++)
            if (out[i] < near && out[i] > -near) out[i] = (REAL)lgamma(given[i]);
    }
}
#undef EACH_ELEMENT
#endif
