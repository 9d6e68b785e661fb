/* Arithmetic and comparison of contiguous arrays; `scalar` is 1 where a is a single element, 2 where b is. */
#include "vmath.h"

typedef void (*binary)(void *out, void *a, void *b, ptrdiff_t n, int scalar);
typedef void (*clamping)(void *out, void *a, ptrdiff_t n, double lo, double hi, int64_t int_lo, int64_t int_hi);
typedef void (*choosing)(void *out, uint8_t *condition, void *a, void *b, ptrdiff_t n, int a_step, int b_step);

#define EACH_PAIR(name, T, OUT, expression)                                                    \
    CLONES static void name(void *out_, void *a_, void *b_, ptrdiff_t n, int scalar) {         \
        OUT *out = (OUT *)out_;                                                                \
        const T *a = (const T *)a_, *b = (const T *)b_;                                        \
        if (scalar == 1) {                                                                     \
            const T x = a[0];                                                                  \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const T y = b[i];                                                              \
                out[i] = expression;                                                           \
            }                                                                                  \
        } else if (scalar == 2) {                                                              \
            const T y = b[0];                                                                  \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const T x = a[i];                                                              \
                out[i] = expression;                                                           \
            }                                                                                  \
        } else                                                                                 \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const T x = a[i], y = b[i];                                                    \
                out[i] = expression;                                                           \
            }                                                                                  \
    }

/* Integers wrap around, which C promises only of unsigned ones. */
#define ARITHMETIC(name, sign)                                                                 \
    EACH_PAIR(name##_f32, float, float, x sign y)                                              \
    EACH_PAIR(name##_f64, double, double, x sign y)                                            \
    EACH_PAIR(name##_i32, int32_t, int32_t, (int32_t)((uint32_t)x sign(uint32_t) y))           \
    EACH_PAIR(name##_i64, int64_t, int64_t, (int64_t)((uint64_t)x sign(uint64_t) y))           \
    static const binary name##_loops[4] = {name##_f32, name##_f64, name##_i32, name##_i64};

#define COMPARISON(name, sign)                                                                 \
    EACH_PAIR(name##_f32, float, uint8_t, x sign y)                                            \
    EACH_PAIR(name##_f64, double, uint8_t, x sign y)                                           \
    EACH_PAIR(name##_i32, int32_t, uint8_t, x sign y)                                          \
    EACH_PAIR(name##_i64, int64_t, uint8_t, x sign y)                                          \
    static const binary name##_loops[4] = {name##_f32, name##_f64, name##_i32, name##_i64};

ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)
EACH_PAIR(div_f32, float, float, x / y)
EACH_PAIR(div_f64, double, double, x / y)
static const binary div_loops[4] = {div_f32, div_f64, NULL, NULL}; /* the quotient of integers is another dtype */
COMPARISON(eq, ==)
COMPARISON(ne, !=)
COMPARISON(lt, <)
COMPARISON(le, <=)
COMPARISON(gt, >)
COMPARISON(ge, >=)
#undef ARITHMETIC
#undef COMPARISON
#undef EACH_PAIR

/* A NaN stays; where the bounds cross, the upper one wins; a NaN bound makes all NaN (integers have none). */
#define CLAMP(suffix, T, LO, HI)                                                                                     \
    CLONES static void clamp_##suffix(void *out_, void *a_, ptrdiff_t n, double lo_, double hi_, int64_t int_lo,     \
                                      int64_t int_hi) {                                                              \
        T *out = (T *)out_;                                                                                          \
        const T *a = (const T *)a_, lo = (T)LO, hi = (T)HI;                                                          \
        (void)int_lo, (void)int_hi;                                                                                  \
        if (lo != lo || hi != hi) {                                                                                  \
            for (ptrdiff_t i = 0; i < n; i++) out[i] = lo + hi;                                                      \
            return;                                                                                                  \
        }                                                                                                            \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                                \
            const T x = a[i] < lo ? lo : a[i];                                                                       \
            out[i] = x > hi ? hi : x;                                                                                \
        }                                                                                                            \
    }
CLAMP(f32, float, lo_, hi_)
CLAMP(f64, double, lo_, hi_)
CLAMP(i32, int32_t, int_lo, int_hi)
CLAMP(i64, int64_t, int_lo, int_hi)
#undef CLAMP
static const clamping clamp_loops[4] = {clamp_f32, clamp_f64, clamp_i32, clamp_i64};

/* Which of two is only a matter of size, so this serves every dtype. */
#define CHOOSE_LOOP(T, A, B)                                                                                         \
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                                    \
        const T x = A, y = B;                                                                                        \
        out[i] = condition[i] ? x : y;                                                                               \
    }
#define CHOOSE(T)                                                                                                    \
    CLONES static void choose_##T(void *out_, uint8_t *condition, void *a_, void *b_, ptrdiff_t n, int a_step,       \
                                  int b_step) {                                                                      \
        T *out = (T *)out_;                                                                                          \
        const T *a = (const T *)a_, *b = (const T *)b_;                                                              \
        const T first_a = n ? a[0] : 0, first_b = n ? b[0] : 0;                                                      \
        if (a_step && b_step) CHOOSE_LOOP(T, a[i], b[i])                                                             \
        else if (a_step) CHOOSE_LOOP(T, a[i], first_b)                                                               \
        else if (b_step) CHOOSE_LOOP(T, first_a, b[i])                                                               \
        else CHOOSE_LOOP(T, first_a, first_b)                                                                        \
    }
CHOOSE(uint8_t)
CHOOSE(uint16_t)
CHOOSE(uint32_t)
CHOOSE(uint64_t)
#undef CHOOSE
#undef CHOOSE_LOOP
