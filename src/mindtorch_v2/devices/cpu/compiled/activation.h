/* Activations: one row each, the formula of an element x (of g and x for a derivative) with parameters p, q, r.
   What comes last is x; all lie side by side. */
#ifndef EACH
#include "error_function.h"
#include "logarithm.h"
#include "walk.h"
#define SQRT_HALF 0.70710678118654752
#define SQRT_2_OVER_PI 0.79788456080286536
#define SQRT_1_OVER_2PI 0.39894228040143268
#define CUBE 0.044715
#define EACH "activation.h"
#include "each_real.h"
#define LOOPS(name) static const inner_loop name##_loops[2] = {name##_loop_f32, name##_loop_f64};
LOOPS(gelu) LOOPS(gelu_backward) LOOPS(gelu_tanh) LOOPS(gelu_tanh_backward) LOOPS(silu) LOOPS(silu_backward)
LOOPS(sigmoid) LOOPS(sigmoid_backward) LOOPS(tanh_backward) LOOPS(threshold_backward) LOOPS(softplus)
LOOPS(softplus_backward) LOOPS(elu) LOOPS(elu_backward) LOOPS(elu_backward_of_result) LOOPS(leaky_relu)
LOOPS(leaky_relu_backward) LOOPS(hardtanh_backward) LOOPS(mish) LOOPS(mish_backward) LOOPS(hardswish)
LOOPS(hardswish_backward) LOOPS(hardsigmoid) LOOPS(hardsigmoid_backward) LOOPS(logsigmoid) LOOPS(logsigmoid_backward)
LOOPS(erf) LOOPS(erfinv) LOOPS(threshold) LOOPS(hardshrink) LOOPS(softshrink) LOOPS(shrink_backward)
#undef LOOPS
#else

#define EACH_ELEMENT(name, expression)                                                                              \
    CLONES static void FN(name##_loop)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {   \
        REAL *out = (REAL *)at[0];                                                                                  \
        const double *numbers = (const double *)extra;                                                              \
        const REAL *gs = (const REAL *)at[1], *xs = (const REAL *)at[2];                                            \
        const REAL p = R(numbers[0]), q = R(numbers[1]), r = R(numbers[2]);                                         \
        (void)p, (void)q, (void)r, (void)steps;                                                                     \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                               \
            const REAL x = xs[i], g = gs[i];                                                                        \
            (void)g;                                                                                                \
            out[i] = expression;                                                                                    \
        }                                                                                                           \
    }

INLINE REAL FN(sigmoid)(REAL x) { return 1 / (1 + FN(exp)(-x)); }

/* Two comparisons, each one instruction, that keep a NaN. */
INLINE REAL FN(relu6)(REAL x) {
    const REAL least = 0 > x ? 0 : x;
    return SMALLER(6, least);
}

/* log(1 + e^x) without overflow. */
INLINE REAL FN(softplus)(REAL x) { return (x > 0 ? x : 0) + FN(log1p_unit)(FN(exp)(-FN(abs)(x))); }

/* tanh(log(1 + e^x)) = e (e + 2) / (e (e + 2) + 2): exact for small e, 1 for large. */
INLINE REAL FN(tanh_softplus)(REAL x) {
    const REAL e = FN(exp)(x > 40 ? 40 : x), s = e * (e + 2);
    return s / (s + 2);
}

INLINE REAL FN(gelu_tanh_slope)(REAL x) {
    const REAL t = FN(tanh)(R(SQRT_2_OVER_PI) * (x + R(CUBE) * x * x * x));
    const REAL inner = R(SQRT_2_OVER_PI) * (1 + 3 * R(CUBE) * x * x);
    return R(0.5) * (1 + t) + R(0.5) * x * (1 - t * t) * inner;
}

EACH_ELEMENT(gelu, x *R(0.5) * (1 + FN(erf)(x * R(SQRT_HALF))))
EACH_ELEMENT(gelu_backward, g *(R(0.5) * (1 + FN(erf)(x * R(SQRT_HALF))) +
                                x * FN(exp)(R(-0.5) * x * x) * R(SQRT_1_OVER_2PI)))
EACH_ELEMENT(gelu_tanh, R(0.5) * x * (1 + FN(tanh)(R(SQRT_2_OVER_PI) * (x + R(CUBE) * x * x * x))))
EACH_ELEMENT(gelu_tanh_backward, g *FN(gelu_tanh_slope)(x))
EACH_ELEMENT(silu, x / (1 + FN(exp)(-x)))
EACH_ELEMENT(silu_backward, g *FN(sigmoid)(x) * (1 + x * (1 - FN(sigmoid)(x))))
EACH_ELEMENT(sigmoid, FN(sigmoid)(x))
EACH_ELEMENT(sigmoid_backward, g *(1 - x) * x)
EACH_ELEMENT(tanh_backward, g *(1 - x * x))
EACH_ELEMENT(threshold_backward, x <= p ? 0 : g)
EACH_ELEMENT(softplus, x *p > q ? x : FN(softplus)(x * p) / p)
EACH_ELEMENT(softplus_backward, x *p > q ? g : g * FN(sigmoid)(x * p))
EACH_ELEMENT(elu, x < 0 ? FN(expm1)(x * r) * (p * q) : x * q)
EACH_ELEMENT(elu_backward, x <= 0 ? g * r * (p * q) * FN(exp)(x * r) : g * q)
EACH_ELEMENT(elu_backward_of_result, x <= 0 ? g * r * (x + p * q) : g * q)
EACH_ELEMENT(leaky_relu, x > 0 ? x : x * p)
EACH_ELEMENT(leaky_relu_backward, x > 0 ? g : g * p)
EACH_ELEMENT(hardtanh_backward, (x <= p) | (x >= q) ? 0 : g)
EACH_ELEMENT(mish, x *FN(tanh_softplus)(x))
EACH_ELEMENT(mish_backward, g *(FN(tanh_softplus)(x) +
                                x * FN(sigmoid)(x) * (1 - FN(tanh_softplus)(x) * FN(tanh_softplus)(x))))
EACH_ELEMENT(hardswish, x *FN(relu6)(x + 3) / 6)
EACH_ELEMENT(hardswish_backward, x <= -3 ? 0 : x < 3 ? g * (x / 3 + R(0.5)) : g)
EACH_ELEMENT(hardsigmoid, FN(relu6)(x + 3) / 6)
EACH_ELEMENT(hardsigmoid_backward, (x > -3) & (x < 3) ? g * (REAL)(1.0f / 6) : 0)
EACH_ELEMENT(logsigmoid, (x < 0 ? x : 0) - FN(log1p_unit)(FN(exp)(-FN(abs)(x))))
EACH_ELEMENT(logsigmoid_backward, g *FN(sigmoid)(-x))
EACH_ELEMENT(threshold, x <= p ? q : x)
EACH_ELEMENT(hardshrink, (x >= -p) & (x <= p) ? 0 : x)
EACH_ELEMENT(softshrink, x > p ? x - p : x < -p ? x + p : x * 0) /* a NaN stays */
EACH_ELEMENT(shrink_backward, (x >= -p) & (x <= p) ? 0 : g)
EACH_ELEMENT(erf, FN(erf)(x))
EACH_ELEMENT(erfinv, FN(erfinv)(x))
#undef EACH_ELEMENT
#endif
