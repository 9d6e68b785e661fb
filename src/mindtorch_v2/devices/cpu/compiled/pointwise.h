/* Arithmetic, comparison, bounds and choice: the loops of a line, for operands side by side, single or in steps. */
#include "walk.h"

/* READ makes of an element what the expression computes with. */
#define LINE(name, OUT, T, READ, expression)                                                   \
    CLONES static void name(char *const *at, const ptrdiff_t *steps, ptrdiff_t n,              \
                            const void *extra) {                                               \
        typedef __typeof__(READ(*(const T *)at[1])) number;                                    \
        OUT *out = (OUT *)at[0];                                                               \
        const T *a = (const T *)at[1], *b = (const T *)at[2];                                  \
        const number e = extra ? *(const number *)extra : 0;                                   \
        (void)e;                                                                               \
        if (DENSE(OUT, 0) && DENSE(T, 1) && DENSE(T, 2))                                       \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const number x = READ(a[i]), y = READ(b[i]);                                   \
                out[i] = expression;                                                           \
            }                                                                                  \
        else if (DENSE(OUT, 0) && !steps[1] && DENSE(T, 2)) {                                  \
            const number x = READ(a[0]);                                                       \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const number y = READ(b[i]);                                                   \
                out[i] = expression;                                                           \
            }                                                                                  \
        } else if (DENSE(OUT, 0) && DENSE(T, 1) && !steps[2]) {                                \
            const number y = READ(b[0]);                                                       \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const number x = READ(a[i]);                                                   \
                out[i] = expression;                                                           \
            }                                                                                  \
        } else                                                                                 \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const number x = READ(AT(T, 1, i)), y = READ(AT(T, 2, i));                     \
                *(OUT *)(at[0] + i * steps[0]) = expression;                                   \
            }                                                                                  \
    }
#define ITSELF(x) (x)
#define REAL_LINES(name, expression)                                                           \
    LINE(name##_f32, float, float, ITSELF, expression)                                         \
    LINE(name##_f64, double, double, ITSELF, expression)                                       \
    LINE(name##_bf16, uint16_t, uint16_t, from_bfloat16, to_bfloat16(expression))

/* Integers wrap around, which C promises only of unsigned ones. */
#define ARITHMETIC(name, sign)                                                                 \
    REAL_LINES(name, x sign y)                                                                 \
    LINE(name##_i32, int32_t, int32_t, ITSELF, (int32_t)((uint32_t)x sign(uint32_t) y))        \
    LINE(name##_i64, int64_t, int64_t, ITSELF, (int64_t)((uint64_t)x sign(uint64_t) y))        \
    LOOPS(name)
enum { F32, F64, I32, I64, BF16, TYPES };
#define LOOPS(name)                                                                            \
    static const inner_loop name##_loops[TYPES] = {name##_f32, name##_f64, name##_i32, name##_i64, name##_bf16};
#define LOOPS_OF_REALS(name)                                                                   \
    static const inner_loop name##_loops[TYPES] = {[F32] = name##_f32, [F64] = name##_f64, [BF16] = name##_bf16};

#define TRUTH(name, expression)                                                                \
    LINE(name##_f32, uint8_t, float, ITSELF, expression)                                       \
    LINE(name##_f64, uint8_t, double, ITSELF, expression)                                      \
    LINE(name##_i32, uint8_t, int32_t, ITSELF, expression)                                     \
    LINE(name##_i64, uint8_t, int64_t, ITSELF, expression)                                     \
    LINE(name##_bf16, uint8_t, uint16_t, from_bfloat16, expression)                            \
    LOOPS(name)
#define COMPARISON(name, sign) TRUTH(name, x sign y)

ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)
REAL_LINES(div, x / y)
LOOPS_OF_REALS(div) /* the quotient of integers is another dtype */
/* Towards zero; by -1 integers wrap around, which the processor would refuse, and their callers leave out zeros. */
LINE(truncated_f32, float, float, ITSELF, truncf(x / y))
LINE(truncated_f64, double, double, ITSELF, trunc(x / y))
LINE(truncated_i32, int32_t, int32_t, ITSELF, y == -1 ? (int32_t)(0 - (uint32_t)x) : y == 0 ? 0 : x / y)
LINE(truncated_i64, int64_t, int64_t, ITSELF, y == -1 ? (int64_t)(0 - (uint64_t)x) : y == 0 ? 0 : x / y)
LINE(truncated_bf16, uint16_t, uint16_t, from_bfloat16, to_bfloat16(truncf(x / y)))
LOOPS(truncated)
TRUTH(logical_and, (x != 0) & (y != 0))
TRUTH(logical_or, (x != 0) | (y != 0))
TRUTH(logical_xor, (x != 0) != (y != 0))
COMPARISON(eq, ==)
COMPARISON(ne, !=)
COMPARISON(lt, <)
COMPARISON(le, <=)
COMPARISON(gt, >)
COMPARISON(ge, >=)
REAL_LINES(axpy, x + e * y)
LOOPS_OF_REALS(axpy)
#undef ARITHMETIC
#undef COMPARISON
#undef TRUTH
#undef REAL_LINES
#undef LOOPS
#undef LOOPS_OF_REALS
#undef LINE
#undef ITSELF

/* A NaN stays; where the bounds cross, the upper one wins; a NaN bound makes all NaN (integers have none). */
typedef struct {
    double lo, hi;
    int64_t int_lo, int_hi;
} bounds;
#define CLAMP(suffix, T, LO, HI)                                                               \
    CLONES static void clamp_##suffix(char *const *at, const ptrdiff_t *steps, ptrdiff_t n,    \
                                      const void *extra) {                                     \
        T *out = (T *)at[0];                                                                   \
        const T *a = (const T *)at[1];                                                         \
        const T lo = (T)((const bounds *)extra)->LO, hi = (T)((const bounds *)extra)->HI;      \
        const int is_nan = lo != lo || hi != hi;                                               \
        if (DENSE(T, 0) && DENSE(T, 1) && !is_nan)                                             \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                const T x = a[i] < lo ? lo : a[i];                                             \
                out[i] = x > hi ? hi : x;                                                      \
            }                                                                                  \
        else                                                                                   \
            for (ptrdiff_t i = 0; i < n; i++) {                                                \
                const T given = AT(T, 1, i), x = given < lo ? lo : given;                      \
                *(T *)(at[0] + i * steps[0]) = is_nan ? lo + hi : x > hi ? hi : x;             \
            }                                                                                  \
    }
CLAMP(f32, float, lo, hi)
CLAMP(f64, double, lo, hi)
CLAMP(i32, int32_t, int_lo, int_hi)
CLAMP(i64, int64_t, int_lo, int_hi)
CLAMP(u8, uint8_t, int_lo, int_hi)
CLAMP(i8, int8_t, int_lo, int_hi)
CLAMP(i16, int16_t, int_lo, int_hi)
#undef CLAMP
enum { BOUNDED_TYPES = 7 };
static const inner_loop clamp_loops[BOUNDED_TYPES] = {clamp_f32, clamp_f64, clamp_i32, clamp_i64,
                                                      clamp_u8,  clamp_i8,  clamp_i16};

/* Bounds of each element; a NaN among the three stays. */
#define HELD(x, lo, hi) held = (x) < (lo) || (lo) != (lo) ? (lo) : (x), held > (hi) || (hi) != (hi) ? (hi) : held
#define CLAMP_BETWEEN(suffix, T)                                                               \
    CLONES static void clamp_between_##suffix(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, \
                                              const void *extra) {                             \
        T *out = (T *)at[0];                                                                   \
        const T *x = (const T *)at[1], *lo = (const T *)at[2], *hi = (const T *)at[3];         \
        (void)extra;                                                                           \
        if (DENSE(T, 0) && DENSE(T, 1) && DENSE(T, 2) && DENSE(T, 3))                          \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                      \
                T held;                                                                        \
                out[i] = (HELD(x[i], lo[i], hi[i]));                                           \
            }                                                                                  \
        else                                                                                   \
            for (ptrdiff_t i = 0; i < n; i++) {                                                \
                T held;                                                                        \
                *(T *)(at[0] + i * steps[0]) = (HELD(AT(T, 1, i), AT(T, 2, i), AT(T, 3, i)));  \
            }                                                                                  \
    }
CLAMP_BETWEEN(f32, float)
CLAMP_BETWEEN(f64, double)
CLAMP_BETWEEN(i32, int32_t)
CLAMP_BETWEEN(i64, int64_t)
CLAMP_BETWEEN(u8, uint8_t)
CLAMP_BETWEEN(i8, int8_t)
CLAMP_BETWEEN(i16, int16_t)
#undef HELD
#undef CLAMP_BETWEEN
static const inner_loop clamp_between_loops[BOUNDED_TYPES] = {
    clamp_between_f32, clamp_between_f64, clamp_between_i32, clamp_between_i64,
    clamp_between_u8,  clamp_between_i8,  clamp_between_i16};

/* Which of two is only a matter of size, so this serves every dtype. */
#define CHOOSE_LINE(T, A, B)                                                                   \
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                              \
        const T x = A, y = B;                                                                  \
        out[i] = condition[i] ? x : y;                                                         \
    }
#define CHOOSE(T)                                                                              \
    CLONES static void choose_##T(char *const *at, const ptrdiff_t *steps, ptrdiff_t n,        \
                                  const void *extra) {                                         \
        T *out = (T *)at[0];                                                                   \
        const uint8_t *condition = (const uint8_t *)at[1];                                     \
        const T *a = (const T *)at[2], *b = (const T *)at[3], first_a = a[0], first_b = b[0];  \
        (void)extra;                                                                           \
        if (!DENSE(T, 0) || !DENSE(uint8_t, 1) || (steps[2] && !DENSE(T, 2)) ||                \
            (steps[3] && !DENSE(T, 3)))                                                        \
            for (ptrdiff_t i = 0; i < n; i++)                                                  \
                *(T *)(at[0] + i * steps[0]) = AT(uint8_t, 1, i) ? AT(T, 2, i) : AT(T, 3, i);  \
        else if (steps[2] && steps[3]) CHOOSE_LINE(T, a[i], b[i])                              \
        else if (steps[2]) CHOOSE_LINE(T, a[i], first_b)                                       \
        else if (steps[3]) CHOOSE_LINE(T, first_a, b[i])                                       \
        else CHOOSE_LINE(T, first_a, first_b)                                                  \
    }
CHOOSE(uint8_t)
CHOOSE(uint16_t)
CHOOSE(uint32_t)
CHOOSE(uint64_t)
CHOOSE(wide16)
#undef CHOOSE
/* by the bytes of an element */
static const inner_loop choose_loops[17] = {[1] = choose_uint8_t, [2] = choose_uint16_t, [4] = choose_uint32_t,
                                            [8] = choose_uint64_t, [16] = choose_wide16};
#undef CHOOSE_LINE
