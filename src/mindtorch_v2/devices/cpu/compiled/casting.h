/* Numbers of one type as another: a loop for each pair of types that C has; half precision goes through float32 in small
   blocks, complex numbers through their parts. */
#include "complex_numbers.h"
#include "half.h"
#include "moving.h"

#define CAST(to, TO, from, FROM, expression)                                                                         \
    CLONES static void to##_of_##from(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {     \
        (void)extra;                                                                                                 \
        if (DENSE(TO, 0) && DENSE(FROM, 1)) {                                                                        \
            TO *out = (TO *)at[0];                                                                                   \
            const FROM *xs = (const FROM *)at[1];                                                                    \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                            \
                const FROM x = xs[i];                                                                                \
                out[i] = expression;                                                                                 \
            }                                                                                                        \
        } else                                                                                                       \
            for (ptrdiff_t i = 0; i < n; i++) {                                                                      \
                const FROM x = AT(FROM, 1, i);                                                                       \
                *(TO *)(at[0] + i * steps[0]) = expression;                                                          \
            }                                                                                                        \
    }
#define FROM_EACH(to, TO)                                                                                            \
    CAST(to, TO, u8, uint8_t, (TO)x) CAST(to, TO, i8, int8_t, (TO)x) CAST(to, TO, i16, int16_t, (TO)x)               \
    CAST(to, TO, i32, int32_t, (TO)x) CAST(to, TO, i64, int64_t, (TO)x)
FROM_EACH(u8, uint8_t) FROM_EACH(i8, int8_t) FROM_EACH(i16, int16_t) FROM_EACH(i32, int32_t) FROM_EACH(i64, int64_t)
FROM_EACH(f32, float) FROM_EACH(f64, double)
CAST(u8, uint8_t, f32, float, (uint8_t)(int32_t)x) CAST(u8, uint8_t, f64, double, (uint8_t)(int64_t)x)
CAST(i8, int8_t, f32, float, (int8_t)(int32_t)x) CAST(i8, int8_t, f64, double, (int8_t)(int32_t)x)
CAST(i16, int16_t, f32, float, (int16_t)(int32_t)x) CAST(i16, int16_t, f64, double, (int16_t)(int32_t)x)
CAST(i32, int32_t, f32, float, (int32_t)x) CAST(i32, int32_t, f64, double, (int32_t)x)
CAST(i64, int64_t, f32, float, (int64_t)x) CAST(i64, int64_t, f64, double, (int64_t)x)
CAST(f64, double, f32, float, (double)x) CAST(f32, float, f64, double, (float)x)
#define TRUTH(from, FROM) CAST(bool, uint8_t, from, FROM, x != 0)
TRUTH(u8, uint8_t) TRUTH(i8, int8_t) TRUTH(i16, int16_t) TRUTH(i32, int32_t) TRUTH(i64, int64_t)
TRUTH(f32, float) TRUTH(f64, double)
CAST(bool, uint8_t, c64, complex_f32, (x.re != 0) | (x.im != 0))
CAST(bool, uint8_t, c128, complex_f64, (x.re != 0) | (x.im != 0))
CAST(c64, complex_f32, c128, complex_f64, ((complex_f32){(float)x.re, (float)x.im}))
CAST(c128, complex_f64, c64, complex_f32, ((complex_f64){x.re, x.im}))
CAST(c64, complex_f32, f32, float, ((complex_f32){x, 0}))
CAST(c128, complex_f64, f64, double, ((complex_f64){x, 0}))
CAST(c128, complex_f64, f32, float, ((complex_f64){x, 0}))
#undef CAST
#undef FROM_EACH
#undef TRUTH

enum { BOOL, U8, I8, I16, I32, I64, F32, F64, C64, C128, CAST_TYPES };
#define WHOLE(to) [BOOL] = to##_of_u8, [U8] = to##_of_u8, [I8] = to##_of_i8, [I16] = to##_of_i16,                    \
                  [I32] = to##_of_i32, [I64] = to##_of_i64
/* to, from; a number of one type becomes complex by way of a real one, and a complex one gives its real part */
static const inner_loop cast_loops[CAST_TYPES][CAST_TYPES] = {
    [BOOL] = {WHOLE(bool), [F32] = bool_of_f32, [F64] = bool_of_f64, [C64] = bool_of_c64, [C128] = bool_of_c128},
    [U8] = {WHOLE(u8), [F32] = u8_of_f32, [F64] = u8_of_f64},
    [I8] = {WHOLE(i8), [F32] = i8_of_f32, [F64] = i8_of_f64},
    [I16] = {WHOLE(i16), [F32] = i16_of_f32, [F64] = i16_of_f64},
    [I32] = {WHOLE(i32), [F32] = i32_of_f32, [F64] = i32_of_f64},
    [I64] = {WHOLE(i64), [F32] = i64_of_f32, [F64] = i64_of_f64},
    [F32] = {WHOLE(f32), [F32] = move_uint32_t, [F64] = f32_of_f64},
    [F64] = {WHOLE(f64), [F32] = f64_of_f32, [F64] = move_uint64_t},
    [C64] = {[F32] = c64_of_f32, [C64] = move_uint64_t, [C128] = c64_of_c128},
    [C128] = {[F32] = c128_of_f32, [F64] = c128_of_f64, [C64] = c128_of_c64, [C128] = move_wide16}};
#undef WHOLE

/* A cast in two steps with floats in between. */
typedef struct {
    int of_half, to_half; /* kinds of half precision, or NOT_HALF */
    inner_loop read, write;
    ptrdiff_t between; /* the size of a float */
} cast_by_floats;

static void cast_in_blocks(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {
    enum { CAST_TOGETHER = 512 };
    const cast_by_floats *c = (const cast_by_floats *)extra;
    _Alignas(64) double block[CAST_TOGETHER];
    if (c->of_half != NOT_HALF && !c->write && c->to_half == NOT_HALF && DENSE(float, 0)) {
        widen(c->of_half, (float *)at[0], at[1], steps[1], n);
        return;
    }
    if (c->to_half != NOT_HALF && !c->read && c->of_half == NOT_HALF && DENSE(float, 1)) {
        narrow(c->to_half, at[0], steps[0], (const float *)at[1], n);
        return;
    }
    for (ptrdiff_t begin = 0; begin < n; begin += CAST_TOGETHER) {
        const ptrdiff_t count = n - begin < CAST_TOGETHER ? n - begin : CAST_TOGETHER;
        char *to = at[0] + begin * steps[0], *from = at[1] + begin * steps[1];
        if (c->of_half != NOT_HALF)
            widen(c->of_half, (float *)block, from, steps[1], count);
        else
            (c->read ? c->read : move_uint32_t)((char *const[]){(char *)block, from},
                                                (const ptrdiff_t[]){c->between, steps[1]}, count, NULL);
        if (c->to_half != NOT_HALF)
            narrow(c->to_half, to, steps[0], (const float *)block, count);
        else
            (c->write ? c->write : move_uint32_t)((char *const[]){to, (char *)block},
                                                  (const ptrdiff_t[]){steps[0], c->between}, count, NULL);
    }
}
