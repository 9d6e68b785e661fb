/* The loops of reductions: what rows and columns of numbers come to, in cells of eight bytes. A run of float32 is added up
   in lanes for some thousand elements, then in double precision: no less exact than one sum in double precision to the
   last bits of a float32, and as fast as memory. */
#ifndef MINDTORCH_REDUCE_LOOPS_H
#define MINDTORCH_REDUCE_LOOPS_H
#include "half.h"
#include "turning.h"

enum { LANES = 64, NARROW = 16, BLOCK = 4096, TILE = 256, TILE_ROWS = 128, TOGETHER = 4 };
/* Rows shorter than SHORT are reduced GROUP at a time: in lanes of their own, which are then turned and merged at once. */
enum { GROUP = 16, SHORT = 1024 };
#if defined(__GNUC__) && !defined(__clang__)
#define ROLLED _Pragma("GCC unroll 1") /* as a loop it becomes one instruction, unrolled it may not */
#else
#define ROLLED
#endif

/* How an element enters, and how two cells become one. */
#define ENTER_SUM(acc, x) acc += (x)
#define ENTER_PRODUCT(acc, x) acc *= (x)
#define ENTER_SQUARE(acc, x) acc += (double)(x) * (double)(x)
#define ENTER_SIZE(acc, x) acc += (x) < 0 ? -(x) : (x)
#define ENTER_NUMBER(acc, x) acc += (x) == (x) ? (x) : 0 /* a NaN counts nothing */
#define ENTER_LARGEST(acc, x) acc = (x) > acc ? (x) : acc, acc = (x) == (x) ? acc : (x) /* a NaN stays */
#define ENTER_SMALLEST(acc, x) acc = (x) < acc ? (x) : acc, acc = (x) == (x) ? acc : (x)
#define ENTER_LARGEST_SIZE(acc, x) ENTER_LARGEST(acc, (x) < 0 ? -(x) : (x))
#define ENTER_COUNT(acc, x) acc += (x) != 0
#define ENTER_ANY(acc, x) acc |= (x) != 0
#define ENTER_ALL(acc, x) acc &= (x) != 0

/* How an element is read. */
#define PLAIN(x) (x)
#define WIDENED(x) from_bfloat16(x)

/* One row in lanes of type LANE, which are folded into a cell after every block. */
#define LONG_ROW(name, T, READ, LANE, CELL, NEUTRAL, ENTER, MERGE)                                                   \
    INLINE CELL long_##name(const T *x, ptrdiff_t n) {                                                               \
        CELL total = NEUTRAL;                                                                                        \
        for (ptrdiff_t begin = 0; begin < n; begin += BLOCK) {                                                       \
            const ptrdiff_t end = n < begin + BLOCK ? n : begin + BLOCK;                                             \
            LANE lanes[LANES];                                                                                       \
            CELL folded[NARROW];                                                                                     \
            for (int l = 0; l < LANES; l++) lanes[l] = NEUTRAL;                                                      \
            ptrdiff_t i = begin;                                                                                     \
            for (; i + LANES <= end; i += LANES)                                                                     \
                for (int l = 0; l < LANES; l++) ENTER(lanes[l], READ(x[i + l]));                                     \
            for (; i + NARROW <= end; i += NARROW)                                                                   \
                for (int l = 0; l < NARROW; l++) ENTER(lanes[l], READ(x[i + l]));                                    \
            for (; i < end; i++) ENTER(total, READ(x[i]));                                                           \
            for (int l = 0; l < NARROW; l++) folded[l] = (CELL)lanes[l];                                             \
            for (int k = NARROW; k < LANES; k += NARROW)                                                             \
                for (int l = 0; l < NARROW; l++) MERGE(folded[l], (CELL)lanes[k + l]);                               \
            for (int half = NARROW / 2; half; half /= 2)                                                             \
                for (int l = 0; l < half; l++) MERGE(folded[l], folded[l + half]);                                   \
            MERGE(total, folded[0]);                                                                                 \
        }                                                                                                            \
        return total;                                                                                                \
    }

/* Up to GROUP rows of no more than SHORT elements, which begin `step` elements apart. */
#define SHORT_ROWS(name, T, READ, LANE, CELL, NEUTRAL, ENTER, MERGE)                                                 \
    INLINE void short_##name(CELL *totals, const T *x, ptrdiff_t n, ptrdiff_t step, ptrdiff_t rows) {                \
        typedef __typeof__((LANE)0 + 0) lane; /* of four bytes at least */                                           \
        enum { KEPT = NARROW * sizeof(float) / sizeof(lane) };                                                       \
        _Alignas(64) lane lanes[GROUP][KEPT], turned[KEPT][GROUP];                                                   \
        const ptrdiff_t rest = n % NARROW, whole = n - rest;                                                         \
        CELL merged[GROUP];                                                                                          \
        for (ptrdiff_t r = 0; r < rows; r++) {                                                                       \
            const T *row = x + r * step;                                                                             \
            lane here[NARROW];                                                                                       \
            ROLLED for (int l = 0; l < NARROW; l++) here[l] = NEUTRAL;                                               \
            for (ptrdiff_t i = 0; i < whole; i += NARROW)                                                            \
                ROLLED for (int l = 0; l < NARROW; l++) ENTER(here[l], READ(row[i + l]));                            \
            ROLLED for (int l = KEPT; l < NARROW; l++) MERGE(here[l - KEPT], here[l]);                               \
            memcpy(lanes[r], here, sizeof lanes[r]);                                                                 \
        }                                                                                                            \
        for (ptrdiff_t r = 0; rest && r < rows; r++)                                                                 \
            for (ptrdiff_t l = 0; l < rest; l++) ENTER(lanes[r][l % KEPT], READ(x[r * step + whole + l]));           \
        if (rows < GROUP) memset(lanes[rows], 0, (size_t)(GROUP - rows) * sizeof lanes[0]);                          \
        TURN_LANES(turned, lanes);                                                                                   \
        ROLLED for (int r = 0; r < GROUP; r++) merged[r] = (CELL)turned[0][r];                                       \
        for (int l = 1; l < KEPT; l++)                                                                               \
            ROLLED for (int r = 0; r < GROUP; r++) MERGE(merged[r], (CELL)turned[l][r]);                             \
        memcpy(totals, merged, (size_t)rows * sizeof(CELL));                                                         \
    }
/* lanes[r][l] to turned[l][r]; lanes fill 64 bytes a row. */
#define TURN_LANES(turned, lanes)                                                                                    \
    (sizeof lanes[0][0] == sizeof(float) ? turn_lanes_f32((float *)turned, (const float *)lanes)                     \
                                         : turn_lanes_f64((double *)turned, (const double *)lanes))
#define TURN(suffix, T)                                                                                              \
    INLINE void turn_lanes_##suffix(T *to, const T *from) {                                                          \
        enum { KEPT = 64 / sizeof(T) };                                                                              \
        for (int l = 0; l < KEPT; l += QUARTER_##suffix)                                                             \
            for (int r = 0; r < GROUP; r += QUARTER_##suffix)                                                        \
                turn_quarter_##suffix(to + l * GROUP + r, GROUP, from + r * KEPT + l, KEPT);                         \
    }
TURN(f32, float)
TURN(f64, double)

/* Rows of any length; no more than GROUP at a time. */
#define ROWS(name, T, READ, LANE, CELL, NEUTRAL, ENTER, MERGE)                                                       \
    LONG_ROW(name, T, READ, LANE, CELL, NEUTRAL, ENTER, MERGE)                                                       \
    SHORT_ROWS(name, T, READ, LANE, CELL, NEUTRAL, ENTER, MERGE)                                                     \
    CLONES static void rows_##name(void *out, const void *in, ptrdiff_t n, ptrdiff_t step, ptrdiff_t rows) {         \
        const T *x = (const T *)in;                                                                                  \
        CELL *totals = (CELL *)out;                                                                                  \
        if (n >= NARROW && n < SHORT && rows > 1)                                                                    \
            short_##name(totals, x, n, step, rows);                                                                  \
        else if (n >= NARROW)                                                                                        \
            for (ptrdiff_t r = 0; r < rows; r++) totals[r] = long_##name(x + r * step, n);                           \
        else                                                                                                         \
            for (ptrdiff_t r = 0; r < rows; r++) {                                                                   \
                CELL total = NEUTRAL;                                                                                \
                for (ptrdiff_t i = 0; i < n; i++) ENTER(total, READ(x[r * step + i]));                               \
                totals[r] = total;                                                                                   \
            }                                                                                                        \
    }

/* Columns: a tile of neighbouring ones, a few rows at a time. */
#define COLUMNS(name, T, READ, LANE, CELL, NEUTRAL, ENTER, MERGE)                                                    \
    CLONES static void columns_##name(void *out, const void *in, ptrdiff_t n, ptrdiff_t step, ptrdiff_t width) {     \
        const T *x = (const T *)in;                                                                                  \
        CELL *totals = (CELL *)out;                                                                                  \
        for (ptrdiff_t k = 0; !n && k < width; k++) totals[k] = NEUTRAL;                                             \
        for (ptrdiff_t begin = 0; begin < n; begin += TILE_ROWS) {                                                   \
            const ptrdiff_t end = n < begin + TILE_ROWS ? n : begin + TILE_ROWS;                                     \
            LANE lanes[TILE];                                                                                        \
            for (ptrdiff_t k = 0; k < width; k++) lanes[k] = NEUTRAL;                                                \
            ptrdiff_t j = begin;                                                                                     \
            for (; j + TOGETHER <= end; j += TOGETHER) {                                                             \
                const T *a = x + j * step, *b = a + step, *c = b + step, *d = c + step;                              \
                for (ptrdiff_t k = 0; k < width; k++) {                                                              \
                    LANE lane = lanes[k];                                                                            \
                    ENTER(lane, READ(a[k]));                                                                         \
                    ENTER(lane, READ(b[k]));                                                                         \
                    ENTER(lane, READ(c[k]));                                                                         \
                    ENTER(lane, READ(d[k]));                                                                         \
                    lanes[k] = lane;                                                                                 \
                }                                                                                                    \
            }                                                                                                        \
            for (; j < end; j++)                                                                                     \
                for (ptrdiff_t k = 0; k < width; k++) ENTER(lanes[k], READ(x[j * step + k]));                        \
            for (ptrdiff_t k = 0; !begin && k < width; k++) totals[k] = (CELL)lanes[k];                              \
            for (ptrdiff_t k = 0; begin && k < width; k++) MERGE(totals[k], (CELL)lanes[k]);                         \
        }                                                                                                            \
    }

#define LOOPS_OF(...) ROWS(__VA_ARGS__) COLUMNS(__VA_ARGS__)
#define REAL_LOOPS(name, LANE32, NEUTRAL, ENTER, MERGE)                                                              \
    LOOPS_OF(name##_f32, float, PLAIN, LANE32, double, NEUTRAL, ENTER, MERGE)                                        \
    LOOPS_OF(name##_f64, double, PLAIN, double, double, NEUTRAL, ENTER, MERGE)                                       \
    LOOPS_OF(name##_bf16, uint16_t, WIDENED, LANE32, double, NEUTRAL, ENTER, MERGE)
#define WHOLE_LOOPS(name, LANE8, LANE16, LANE32, NEUTRAL, ENTER, MERGE)                                              \
    LOOPS_OF(name##_u8, uint8_t, PLAIN, LANE8, int64_t, NEUTRAL, ENTER, MERGE)                                       \
    LOOPS_OF(name##_i8, int8_t, PLAIN, LANE8, int64_t, NEUTRAL, ENTER, MERGE)                                        \
    LOOPS_OF(name##_i16, int16_t, PLAIN, LANE16, int64_t, NEUTRAL, ENTER, MERGE)                                     \
    LOOPS_OF(name##_i32, int32_t, PLAIN, LANE32, int64_t, NEUTRAL, ENTER, MERGE)                                     \
    LOOPS_OF(name##_i64, int64_t, PLAIN, int64_t, int64_t, NEUTRAL, ENTER, MERGE)
/* What is true of numbers of any type; of half precision the bits without their sign tell. A lane holds what a block of
   rows or columns comes to. */
#define MAGNITUDE(x) ((x) & 0x7FFF)
#define TRUTH_LOOPS(name, NEUTRAL, ENTER, MERGE)                                                                     \
    WHOLE_LOOPS(name, uint8_t, int16_t, int32_t, NEUTRAL, ENTER, MERGE)                                              \
    LOOPS_OF(name##_f32, float, PLAIN, int32_t, int64_t, NEUTRAL, ENTER, MERGE)                                      \
    LOOPS_OF(name##_f64, double, PLAIN, int64_t, int64_t, NEUTRAL, ENTER, MERGE)                                     \
    LOOPS_OF(name##_bf16, uint16_t, MAGNITUDE, int16_t, int64_t, NEUTRAL, ENTER, MERGE)
#define EXTREME_LOOPS(name, END, ENTER)                                                                              \
    LOOPS_OF(name##_u8, uint8_t, PLAIN, uint8_t, int64_t, UINT8_##END, ENTER, ENTER)                                 \
    LOOPS_OF(name##_i8, int8_t, PLAIN, int8_t, int64_t, INT8_##END, ENTER, ENTER)                                    \
    LOOPS_OF(name##_i16, int16_t, PLAIN, int16_t, int64_t, INT16_##END, ENTER, ENTER)                                \
    LOOPS_OF(name##_i32, int32_t, PLAIN, int32_t, int64_t, INT32_##END, ENTER, ENTER)                                \
    LOOPS_OF(name##_i64, int64_t, PLAIN, int64_t, int64_t, INT64_##END, ENTER, ENTER)
#define UINT8_MIN 0
REAL_LOOPS(sum, float, 0, ENTER_SUM, ENTER_SUM)
REAL_LOOPS(product, float, 1, ENTER_PRODUCT, ENTER_PRODUCT)
REAL_LOOPS(squares, double, 0, ENTER_SQUARE, ENTER_SUM)
REAL_LOOPS(sizes, float, 0, ENTER_SIZE, ENTER_SUM)
REAL_LOOPS(numbers, float, 0, ENTER_NUMBER, ENTER_SUM)
REAL_LOOPS(largest, float, -INFINITY, ENTER_LARGEST, ENTER_LARGEST)
REAL_LOOPS(smallest, float, INFINITY, ENTER_SMALLEST, ENTER_SMALLEST)
REAL_LOOPS(largest_size, float, 0, ENTER_LARGEST_SIZE, ENTER_LARGEST)
WHOLE_LOOPS(sum, int32_t, int32_t, int64_t, 0, ENTER_SUM, ENTER_SUM)
LOOPS_OF(product_i64, int64_t, PLAIN, int64_t, int64_t, 1, ENTER_PRODUCT, ENTER_PRODUCT)
EXTREME_LOOPS(largest, MIN, ENTER_LARGEST)
EXTREME_LOOPS(smallest, MAX, ENTER_SMALLEST)
TRUTH_LOOPS(count, 0, ENTER_COUNT, ENTER_SUM)
TRUTH_LOOPS(any, 0, ENTER_ANY, ENTER_ANY)
TRUTH_LOOPS(all, 1, ENTER_ALL, ENTER_ALL)

typedef void (*fold_loop)(void *totals, const void *x, ptrdiff_t n, ptrdiff_t step, ptrdiff_t count);
enum { SUM, PRODUCT, SQUARES, SIZES, NUMBERS, LARGEST, SMALLEST, LARGEST_SIZE, COUNT, ANY, ALL, KINDS };
enum { F32, F64, BF16, U8, I8, I16, I32, I64, C64, C128, TYPES };
#define REAL_ROW(of, name) [F32] = of##_##name##_f32, [F64] = of##_##name##_f64, [BF16] = of##_##name##_bf16
#define WHOLE_ROW(of, name)                                                                                          \
    [U8] = of##_##name##_u8, [I8] = of##_##name##_i8, [I16] = of##_##name##_i16, [I32] = of##_##name##_i32,          \
    [I64] = of##_##name##_i64
#define COMPLEX_ROW(of, name) [C64] = of##_##name##_c64, [C128] = of##_##name##_c128
#define TABLE(of)                                                                                                    \
    {[SUM] = {REAL_ROW(of, sum), WHOLE_ROW(of, sum), COMPLEX_ROW(of, sum)},                                          \
     [PRODUCT] = {REAL_ROW(of, product), [I64] = of##_product_i64, COMPLEX_ROW(of, product)},                        \
     [SQUARES] = {REAL_ROW(of, squares)},                                                                            \
     [SIZES] = {REAL_ROW(of, sizes)},                                                                                \
     [NUMBERS] = {REAL_ROW(of, numbers)},                                                                            \
     [LARGEST] = {REAL_ROW(of, largest), WHOLE_ROW(of, largest)},                                                    \
     [SMALLEST] = {REAL_ROW(of, smallest), WHOLE_ROW(of, smallest)},                                                 \
     [LARGEST_SIZE] = {REAL_ROW(of, largest_size)},                                                                  \
     [COUNT] = {REAL_ROW(of, count), WHOLE_ROW(of, count), COMPLEX_ROW(of, count)},                                  \
     [ANY] = {REAL_ROW(of, any), WHOLE_ROW(of, any)},                                                                \
     [ALL] = {REAL_ROW(of, all), WHOLE_ROW(of, all)}}
#include "complex_reduce.h"
static const fold_loop row_loops[KINDS][TYPES] = TABLE(rows);
static const fold_loop column_loops[KINDS][TYPES] = TABLE(columns);
/* What results of parts are: of this kind, in cells of this type. */
static const int kind_of_parts[KINDS] = {SUM, PRODUCT, SUM, SUM, SUM, LARGEST, SMALLEST, LARGEST, SUM, ANY, ALL};
static int cell_type(int kind, int type) {
    const int is_whole = type >= U8 && type <= I64;
    return kind >= COUNT || is_whole ? I64 : type == C64 || type == C128 ? C128 : F64;
}
static const ptrdiff_t cell_sizes[TYPES] = {[F64] = sizeof(double), [I64] = sizeof(int64_t), [C128] = sizeof(complex_f64)};
#endif
