/* Lines of functions that NumPy has no fast loop for: signs of complex numbers, truth, shifts, angles in double
   precision. */
#include "complex_numbers.h"
#include "moving.h"
#include "trigonometry.h"

#define OWN_UNARY(name, OUT, T, expression)                                                                          \
    CLONES static void name(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {               \
        (void)extra;                                                                                                 \
        if (DENSE(OUT, 0) && DENSE(T, 1)) {                                                                          \
            OUT *out = (OUT *)at[0];                                                                                 \
            const T *xs = (const T *)at[1];                                                                          \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                            \
                const T x = xs[i];                                                                                   \
                out[i] = expression;                                                                                 \
            }                                                                                                        \
        } else                                                                                                       \
            for (ptrdiff_t i = 0; i < n; i++) {                                                                      \
                const T x = AT(T, 1, i);                                                                             \
                *(OUT *)(at[0] + i * steps[0]) = expression;                                                         \
            }                                                                                                        \
    }
#define OWN_BINARY(name, T, expression)                                                                              \
    CLONES static void name(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {               \
        (void)extra;                                                                                                 \
        if (DENSE(T, 0) && DENSE(T, 1) && DENSE(T, 2)) {                                                             \
            T *out = (T *)at[0];                                                                                     \
            const T *xs = (const T *)at[1], *ys = (const T *)at[2];                                                  \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                            \
                const T x = xs[i], y = ys[i];                                                                        \
                out[i] = expression;                                                                                 \
            }                                                                                                        \
        } else if (DENSE(T, 0) && DENSE(T, 1) && !steps[2]) {                                                        \
            T *out = (T *)at[0];                                                                                     \
            const T *xs = (const T *)at[1], y = *(const T *)at[2];                                                   \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                            \
                const T x = xs[i];                                                                                   \
                out[i] = expression;                                                                                 \
            }                                                                                                        \
        } else                                                                                                       \
            for (ptrdiff_t i = 0; i < n; i++) {                                                                      \
                const T x = AT(T, 1, i), y = AT(T, 2, i);                                                            \
                *(T *)(at[0] + i * steps[0]) = expression;                                                           \
            }                                                                                                        \
    }
OWN_UNARY(negative_c64, complex_f32, complex_f32, ((complex_f32){-x.re, -x.im}))
OWN_UNARY(negative_c128, complex_f64, complex_f64, ((complex_f64){-x.re, -x.im}))
OWN_UNARY(conjugate_c64, complex_f32, complex_f32, ((complex_f32){x.re, -x.im}))
OWN_UNARY(conjugate_c128, complex_f64, complex_f64, ((complex_f64){x.re, -x.im}))
/* Smith's way: by the quotient of the smaller part by the larger one. */
#define RECIPROCAL(name, T, REAL, ABS)                                                                               \
    INLINE T reciprocal_of_##name(T x) {                                                                             \
        const int is_flat = ABS(x.re) >= ABS(x.im);                                                                  \
        const REAL large = is_flat ? x.re : x.im, small = is_flat ? x.im : x.re, r = small / large;                  \
        const REAL of_large = 1 / (large + small * r), of_small = r * of_large;                                      \
        return (T){is_flat ? of_large : of_small, is_flat ? -of_small : -of_large};                                  \
    }                                                                                                                \
    OWN_UNARY(reciprocal_##name, T, T, reciprocal_of_##name(x))
RECIPROCAL(c64, complex_f32, float, fabsf)
RECIPROCAL(c128, complex_f64, double, fabs)
#undef RECIPROCAL
#define OWN_NOT(name, T) OWN_UNARY(not_##name, uint8_t, T, x == 0)
OWN_NOT(u8, uint8_t) OWN_NOT(i16, int16_t) OWN_NOT(i32, int32_t) OWN_NOT(i64, int64_t)
OWN_NOT(f32, float) OWN_NOT(f64, double)
OWN_UNARY(not_c64, uint8_t, complex_f32, (x.re == 0) & (x.im == 0))
OWN_UNARY(not_c128, uint8_t, complex_f64, (x.re == 0) & (x.im == 0))
/* By as many bits as there are, or by less than none, nothing is left but the sign. */
#define OWN_SHIFTS(name, T, U)                                                                                       \
    OWN_BINARY(left_##name, T, (U)y < 8 * sizeof(T) ? (T)((U)x << ((U)y & (8 * sizeof(T) - 1))) : (T)0)              \
    OWN_BINARY(right_##name, T,                                                                                      \
               (T)((U)y < 8 * sizeof(T) ? x >> ((U)y & (8 * sizeof(T) - 1)) : x < 0 ? (T)-1 : (T)0))
OWN_SHIFTS(u8, uint8_t, uint8_t) OWN_SHIFTS(i8, int8_t, uint8_t) OWN_SHIFTS(i16, int16_t, uint16_t)
OWN_SHIFTS(i32, int32_t, uint32_t) OWN_SHIFTS(i64, int64_t, uint64_t)
/* Blocks with an angle beyond the quick reduction, or with none, take the C library's function. */
#define OWN_ANGLE(name, quick, library)                                                                              \
    OWN_UNARY(quick_##name, double, double, quick(x))                                                                \
    CLONES static void name(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {               \
        enum { ANGLES = 256 };                                                                                       \
        for (ptrdiff_t begin = 0; begin < n; begin += ANGLES) {                                                      \
            const ptrdiff_t m = n - begin < ANGLES ? n - begin : ANGLES;                                             \
            char *const here[2] = {at[0] + begin * steps[0], at[1] + begin * steps[1]};                              \
            int64_t is_quick = 1;                                                                                    \
            for (ptrdiff_t i = 0; i < m; i++)                                                                        \
                is_quick &= fabs(*(const double *)(here[1] + i * steps[1])) < LARGEST_QUICK_ANGLE;                   \
            if (is_quick)                                                                                            \
                quick_##name(here, steps, m, extra);                                                                 \
            else                                                                                                     \
                for (ptrdiff_t i = 0; i < m; i++) {                                                                  \
                    const double x = *(const double *)(here[1] + i * steps[1]);                                      \
                    *(double *)(here[0] + i * steps[0]) = fabs(x) < LARGEST_QUICK_ANGLE ? quick(x) : library(x);     \
                }                                                                                                    \
        }                                                                                                            \
    }
OWN_ANGLE(sin_f64, quick_sin, sin)
OWN_ANGLE(cos_f64, quick_cos, cos)
#undef OWN_ANGLE
#undef OWN_UNARY
#undef OWN_BINARY
#undef OWN_NOT
#undef OWN_SHIFTS
