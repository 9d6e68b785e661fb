/* The arithmetic of optimisers, one pass each; what is updated is read and written at the same place. */
#ifndef EACH
#include "walk.h"
typedef struct {
    double lr, beta1, beta2, weight_decay, eps, correction1, correction2_sqrt, step_size;
    int amsgrad, maximize, decoupled;
} Adam;
typedef struct {
    double weight_decay, momentum, lr, dampening;
    int nesterov, maximize, first;
} Sgd;
typedef struct {
    double lr, weight_decay, eps;
    int maximize;
} Adagrad;
#define EACH "update.h"
#include "each_real.h"
#define LOOPS(name) static const inner_loop name##_loops[2] = {name##_f32, name##_f64};
LOOPS(addcmul) LOOPS(addcdiv) LOOPS(lerp_scalar) LOOPS(lerp_tensor) LOOPS(axpy)
#undef LOOPS
#define fused_adam_any(single, ...) BY_TYPE(single, fused_adam, __VA_ARGS__)
#define fused_sgd_any(single, ...) BY_TYPE(single, fused_sgd, __VA_ARGS__)
#define fused_adagrad_any(single, ...) BY_TYPE(single, fused_adagrad, __VA_ARGS__)
#else

#define EACH_ELEMENT(name, expression)                                                                              \
    CLONES static void FN(name)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {          \
        REAL *out = (REAL *)at[0];                                                                                  \
        const REAL *self = (const REAL *)at[1], *a = (const REAL *)at[2], *b = (const REAL *)at[3];                 \
        const REAL value = extra ? R(*(const double *)extra) : 0;                                                    \
        (void)steps, (void)b, (void)value;                                                                                       \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] = expression;                                            \
    }

/* torch's two formulas: whichever end is nearer is met exactly. */
INLINE REAL FN(lerp)(REAL from, REAL to, REAL w) {
    return FN(abs)(w) < R(0.5) ? from + w * (to - from) : to - (to - from) * (1 - w);
}

EACH_ELEMENT(addcmul, self[i] + value * a[i] * b[i])
EACH_ELEMENT(addcdiv, self[i] + value * a[i] / b[i])
EACH_ELEMENT(lerp_scalar, FN(lerp)(self[i], a[i], value))
EACH_ELEMENT(lerp_tensor, FN(lerp)(self[i], a[i], b[i]))
EACH_ELEMENT(axpy, self[i] + value * a[i])
#undef EACH_ELEMENT

/* `amsgrad` is a constant where this is called, so each of the two loops is SIMD. */
INLINE void FN(adam_loop)(REAL *param, REAL *grad, REAL *m, REAL *v, REAL *v_max, ptrdiff_t n, Adam *a, int amsgrad) {
    const REAL decay = R(a->weight_decay), kept = a->decoupled ? R(1 - a->lr * a->weight_decay) : 1;
    const REAL w1 = R(1 - a->beta1), beta2 = R(a->beta2), w2 = R(1 - a->beta2), eps = R(a->eps);
    const REAL correction = R(a->correction2_sqrt), step_size = R(a->step_size), sign = a->maximize ? -1 : 1;
    const int coupled = !a->decoupled && decay != 0, near = w1 < R(0.5);
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {
        const REAL p = param[i] * kept, g = coupled ? sign * grad[i] + p * decay : sign * grad[i], old = m[i];
        const REAL mean = near ? old + w1 * (g - old) : g - (g - old) * (1 - w1);
        REAL square = v[i] * beta2 + w2 * g * g;
        m[i] = mean;
        v[i] = square;
        if (amsgrad) {
            square = v_max[i] > square ? v_max[i] : square;
            v_max[i] = square;
        }
        param[i] = p - step_size * mean / (FN(sqrt)(square) / correction + eps);
    }
}

CLONES static void FN(fused_adam)(REAL *param, REAL *grad, REAL *m, REAL *v, REAL *v_max, ptrdiff_t n, Adam *a) {
    if (a->amsgrad)
        FN(adam_loop)(param, grad, m, v, v_max, n, a, 1);
    else
        FN(adam_loop)(param, grad, m, v, v_max, n, a, 0);
}

CLONES static void FN(fused_sgd)(REAL *param, REAL *grad, REAL *buffer, ptrdiff_t n, Sgd *s) {
    const REAL decay = R(s->weight_decay), momentum = R(s->momentum), lr = R(s->lr), sign = s->maximize ? -1 : 1;
    const REAL fresh = s->first ? 1 : R(1 - s->dampening), old = s->first ? 0 : momentum;
    const int nesterov = s->nesterov, first = s->first, decays = decay != 0;
    if (!buffer) {
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++)
            param[i] -= lr * (decays ? sign * grad[i] + param[i] * decay : sign * grad[i]);
        return;
    }
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {
        const REAL g = decays ? sign * grad[i] + param[i] * decay : sign * grad[i];
        const REAL b = first ? g : buffer[i] * old + g * fresh; /* a fresh buffer may hold anything, NaN too */
        buffer[i] = b;
        param[i] -= lr * (nesterov ? g + momentum * b : b);
    }
}

CLONES static void FN(fused_adagrad)(REAL *param, REAL *grad, REAL *sum, ptrdiff_t n, Adagrad *a) {
    const REAL decay = R(a->weight_decay), lr = R(a->lr), eps = R(a->eps), sign = a->maximize ? -1 : 1;
    const int decays = decay != 0;
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {
        const REAL g = decays ? sign * grad[i] + param[i] * decay : sign * grad[i];
        sum[i] += g * g;
        param[i] -= lr * g / (FN(sqrt)(sum[i]) + eps);
    }
}
#endif
