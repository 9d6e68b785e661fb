/* One number in, one out: a row each. */
#ifndef EACH
#include "walk.h"
#define EACH "unary.h"
#include "each_real.h"
#define LOOPS(name) static const inner_loop name##_loops[2] = {name##_loop_f32, name##_loop_f64};
LOOPS(sqrt) LOOPS(rsqrt) LOOPS(reciprocal) LOOPS(neg) LOOPS(abs) LOOPS(exp) LOOPS(tanh) LOOPS(cube)
LOOPS(inverse_square)
#undef LOOPS
#else
#define EACH_ELEMENT(name, expression)                                                                              \
    CLONES static void FN(name##_loop)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {   \
        REAL *out = (REAL *)at[0];                                                                                  \
        const REAL *xs = (const REAL *)at[1];                                                                       \
        (void)steps, (void)extra;                                                                                   \
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
EACH_ELEMENT(tanh, FN(tanh)(x))
EACH_ELEMENT(cube, x *x *x)
EACH_ELEMENT(inverse_square, 1 / (x * x))
#undef EACH_ELEMENT
#endif
