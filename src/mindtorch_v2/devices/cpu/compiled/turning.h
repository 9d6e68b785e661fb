/* A matrix turned on its side, in blocks of 16 bytes by 16 bytes: to[p][j] = x[j][p]. */
#ifndef EACH
#ifndef MINDTORCH_TURNING_H
#define MINDTORCH_TURNING_H
#include "vmath.h"
#define EACH "turning.h"
#include "each_real.h"
#endif
#else
#if defined(__GNUC__) && !defined(__clang__)
typedef REAL FN(Quarter) __attribute__((vector_size(16), aligned(sizeof(REAL)), may_alias));
#if IS_FLOAT
enum { QUARTER_f32 = 4 };
typedef int32_t Picks_f32 __attribute__((vector_size(16)));
INLINE void turn_quarter_f32(float *to, ptrdiff_t to_row, const float *x, ptrdiff_t x_row) {
    const Picks_f32 low = {0, 4, 1, 5}, high = {2, 6, 3, 7}, front = {0, 1, 4, 5}, back = {2, 3, 6, 7};
    Quarter_f32 r[4];
    for (int i = 0; i < 4; i++) r[i] = *(const Quarter_f32 *)(x + i * x_row);
    const Quarter_f32 a = __builtin_shuffle(r[0], r[1], low), b = __builtin_shuffle(r[0], r[1], high);
    const Quarter_f32 c = __builtin_shuffle(r[2], r[3], low), d = __builtin_shuffle(r[2], r[3], high);
    *(Quarter_f32 *)to = __builtin_shuffle(a, c, front);
    *(Quarter_f32 *)(to + to_row) = __builtin_shuffle(a, c, back);
    *(Quarter_f32 *)(to + 2 * to_row) = __builtin_shuffle(b, d, front);
    *(Quarter_f32 *)(to + 3 * to_row) = __builtin_shuffle(b, d, back);
}
#else
enum { QUARTER_f64 = 2 };
typedef int64_t Picks_f64 __attribute__((vector_size(16)));
INLINE void turn_quarter_f64(double *to, ptrdiff_t to_row, const double *x, ptrdiff_t x_row) {
    const Quarter_f64 a = *(const Quarter_f64 *)x, b = *(const Quarter_f64 *)(x + x_row);
    *(Quarter_f64 *)to = __builtin_shuffle(a, b, (Picks_f64){0, 2});
    *(Quarter_f64 *)(to + to_row) = __builtin_shuffle(a, b, (Picks_f64){1, 3});
}
#endif
#else
enum { FN(QUARTER) = 1 };
INLINE void FN(turn_quarter)(REAL *to, ptrdiff_t to_row, const REAL *x, ptrdiff_t x_row) {
    (void)to_row, (void)x_row;
    *to = *x;
}
#endif

/* j < rows, p < columns; rows of x and of the result are so many elements apart. */
CLONES static void FN(turn_matrix)(REAL *to, ptrdiff_t to_row, const REAL *x, ptrdiff_t x_row, ptrdiff_t rows,
                                   ptrdiff_t columns) {
    const ptrdiff_t each = FN(QUARTER), whole_rows = rows - rows % each, whole_columns = columns - columns % each;
    for (ptrdiff_t p = 0; p < whole_columns; p += each)
        for (ptrdiff_t j = 0; j < whole_rows; j += each)
            FN(turn_quarter)(to + p * to_row + j, to_row, x + j * x_row + p, x_row);
    for (ptrdiff_t p = 0; p < columns; p++)
        for (ptrdiff_t j = p < whole_columns ? whole_rows : 0; j < rows; j++) to[p * to_row + j] = x[j * x_row + p];
}
#endif
