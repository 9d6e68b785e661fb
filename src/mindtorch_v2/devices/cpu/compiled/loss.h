/* Losses element by element, and their derivatives. `g_step` is 0 where one gradient stands for all elements. */
#ifndef EACH
#include "logarithm.h"
#define EACH "loss.h"
#include "each_real.h"
#else

#define FORWARD(name, expression)                                                                             \
    CLONES static void FN(name)(void *out_, void *a_, void *b_, ptrdiff_t n, double p_) {         \
        REAL *out = (REAL *)out_;                                                                             \
        const REAL *a = (const REAL *)a_, *b = (const REAL *)b_, p = R(p_);                                   \
        (void)p;                                                                                              \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                         \
            const REAL d = a[i] - b[i];                                                                       \
            out[i] = expression;                                                                              \
        }                                                                                                     \
    }

#define BACKWARD(name, expression)                                                                            \
    CLONES static void FN(name)(void *gx_, void *g_, void *a_, void *b_, ptrdiff_t n,       \
                                int g_step, double norm_, double p_) {                                        \
        REAL *gx = (REAL *)gx_;                                                                               \
        const REAL *g_in = (const REAL *)g_, *a = (const REAL *)a_, *b = (const REAL *)b_;                    \
        const REAL norm = R(norm_), p = R(p_), g_all = n ? norm * g_in[0] : 0;                                \
        (void)p;                                                                                              \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                         \
            const REAL d = a[i] - b[i], g = g_step ? norm * g_in[i] : g_all;                                  \
            gx[i] = expression;                                                                               \
        }                                                                                                     \
    }

FORWARD(mse, d *d)
BACKWARD(mse_backward, 2 * d * g)
FORWARD(smooth_l1, FN(abs)(d) < p ? R(0.5) * d * d / p : FN(abs)(d) - R(0.5) * p)
BACKWARD(smooth_l1_backward, d <= -p ? -g : d >= p ? g : d * g / p)
FORWARD(huber, FN(abs)(d) <= p ? R(0.5) * d * d : p * (FN(abs)(d) - R(0.5) * p))
BACKWARD(huber_backward, d < -p ? -g * p : d > p ? g * p : d * g)
/* torch keeps the quotient finite where x is exactly 0 or 1. */
BACKWARD(bce_backward, d *g / (a[i] * (1 - a[i]) > R(1e-12) ? a[i] * (1 - a[i]) : R(1e-12)))
#undef FORWARD
#undef BACKWARD

/* Both logarithms are cut at -100, so that 0 * log(0) stays 0. Returns 0 if some x is not a probability. */
CLONES static int FN(bce)(void *out_, void *x_, void *y_, ptrdiff_t n) {
    REAL *out = (REAL *)out_;
    const REAL *x = (const REAL *)x_, *y = (const REAL *)y_;
    int good = 1;
    for (ptrdiff_t i = 0; i < n; i++) good &= (x[i] >= 0) & (x[i] <= 1);
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {
        const REAL yes = FN(log)(x[i]), no = x[i] < 1 ? FN(log1p)(-x[i]) : -100;
        out[i] = (y[i] - 1) * (no > -100 ? no : -100) - y[i] * (yes > -100 ? yes : -100);
    }
    return good;
}

CLONES static void FN(multiply_by)(void *out_, void *w_, ptrdiff_t n) {
    REAL *out = (REAL *)out_;
    const REAL *w = (const REAL *)w_;
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] *= w[i];
}
#endif
