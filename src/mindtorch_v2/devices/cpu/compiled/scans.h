/* What was accumulated so far, along the middle of a contiguous (outer, n, inner). */
#include "complex_numbers.h"
#include "vmath.h"

enum { BUNDLE = 8, TILE = 256 }; /* rows in a bundle hide the latency of each other's additions */
enum { F32, F64, U8, I8, I16, I32, I64, C64, C128, TYPES };

#define ADD(total, x) ((total) += (x))
#define MULTIPLY(total, x) ((total) *= (x))
#define REAL_OF(T, total) (T)(total)
#define COMPLEX_OF(T, total) ((T){(total).re, (total).im})
/* Floats in double precision, as torch's; FIRST is what a total begins with. */
#define RUNNING(name, T, TOTAL, FIRST, ENTER, LEAVE)                                                                 \
    static void name##_rows(T *out, const T *x, ptrdiff_t rows, ptrdiff_t n) {                                       \
        TOTAL totals[BUNDLE];                                                                                        \
        for (int i = 0; i < BUNDLE; i++) totals[i] = FIRST;                                                          \
        if (rows == BUNDLE)                                                                                          \
            for (ptrdiff_t j = 0; j < n; j++)                                                                        \
                for (int i = 0; i < BUNDLE; i++) {                                                                   \
                    ENTER(totals[i], x[i * n + j]);                                                                  \
                    out[i * n + j] = LEAVE(T, totals[i]);                                                            \
                }                                                                                                    \
        else                                                                                                         \
            for (ptrdiff_t i = 0; i < rows; i++)                                                                     \
                for (ptrdiff_t j = 0; j < n; j++) {                                                                  \
                    ENTER(totals[i], x[i * n + j]);                                                                  \
                    out[i * n + j] = LEAVE(T, totals[i]);                                                            \
                }                                                                                                    \
    }                                                                                                                \
    CLONES static void name##_columns(T *out, const T *x, ptrdiff_t n, ptrdiff_t step, ptrdiff_t width) {            \
        TOTAL totals[TILE];                                                                                          \
        for (int k = 0; k < TILE; k++) totals[k] = FIRST;                                                            \
        for (ptrdiff_t j = 0; j < n; j++)                                                                            \
            FREE_LOOP for (ptrdiff_t k = 0; k < width; k++) {                                                        \
                ENTER(totals[k], x[j * step + k]);                                                                   \
                out[j * step + k] = LEAVE(T, totals[k]);                                                             \
            }                                                                                                        \
    }
#define RUNNING_NUMBERS(name, FIRST, ENTER, ENTER_COMPLEX)                                                           \
    RUNNING(name##_f32, float, double, FIRST, ENTER, REAL_OF)                                                        \
    RUNNING(name##_f64, double, double, FIRST, ENTER, REAL_OF)                                                       \
    RUNNING(name##_i64, int64_t, uint64_t, FIRST, ENTER, REAL_OF)                                                    \
    RUNNING(name##_c64, complex_f32, complex_f64, ((complex_f64){FIRST, 0}), ENTER_COMPLEX, COMPLEX_OF)              \
    RUNNING(name##_c128, complex_f64, complex_f64, ((complex_f64){FIRST, 0}), ENTER_COMPLEX, COMPLEX_OF)
RUNNING_NUMBERS(sum, 0, ADD, ADD_COMPLEX)
RUNNING_NUMBERS(product, 1, MULTIPLY, MULTIPLY_COMPLEX)
#undef RUNNING
#undef RUNNING_NUMBERS

enum { SUM, PRODUCT, KINDS };
typedef void (*rows_loop)(void *, const void *, ptrdiff_t, ptrdiff_t);
typedef void (*columns_loop)(void *, const void *, ptrdiff_t, ptrdiff_t, ptrdiff_t);
#define OF_TYPES(loop, name, along)                                                                                  \
    {[F32] = (loop)name##_f32##along, [F64] = (loop)name##_f64##along, [I64] = (loop)name##_i64##along,              \
     [C64] = (loop)name##_c64##along, [C128] = (loop)name##_c128##along}
static const rows_loop rows_loops[KINDS][TYPES] = {OF_TYPES(rows_loop, sum, _rows), OF_TYPES(rows_loop, product, _rows)};
static const columns_loop columns_loops[KINDS][TYPES] = {OF_TYPES(columns_loop, sum, _columns),
                                                         OF_TYPES(columns_loop, product, _columns)};
#undef OF_TYPES

typedef struct {
    rows_loop by_rows;
    columns_loop by_columns;
    char *out;
    const char *x;
    ptrdiff_t itemsize, outer, n, inner, tiles;
} scan;

static void run_bundles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const scan *s = (const scan *)job;
    for (ptrdiff_t i = begin * BUNDLE; i < end * BUNDLE && i < s->outer; i += BUNDLE) {
        const ptrdiff_t rows = s->outer - i < BUNDLE ? s->outer - i : BUNDLE, at = i * s->n * s->itemsize;
        s->by_rows(s->out + at, s->x + at, rows, s->n);
    }
}

static void run_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const scan *s = (const scan *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / s->tiles, first = i % s->tiles * TILE, left = s->inner - first;
        const ptrdiff_t at = (item * s->n * s->inner + first) * s->itemsize;
        s->by_columns(s->out + at, s->x + at, s->n, s->inner, left < TILE ? left : TILE);
    }
}

/* The largest or smallest so far, of equal ones the last, and where it stands; a NaN is the extreme from there on. */
#define EXTREMES(name, T, is_worse)                                                                                  \
    static void name##_rows(const extremes *e, ptrdiff_t at, ptrdiff_t rows) {                                       \
        for (ptrdiff_t i = 0; i < rows; i++) {                                                                       \
            const T *x = (const T *)e->x + at + i * e->n;                                                            \
            T *values = (T *)e->values + at + i * e->n, best = e->n ? x[0] : 0;                                      \
            int64_t *places = e->places + at + i * e->n, place = 0;                                                  \
            for (ptrdiff_t j = 0; j < e->n; j++) {                                                                   \
                const T value = x[j];                                                                                \
                if (!(value is_worse best) && (best == best || value != value)) best = value, place = j;             \
                values[j] = best, places[j] = place;                                                                 \
            }                                                                                                        \
        }                                                                                                            \
    }                                                                                                                \
    CLONES static void name##_columns(const extremes *e, ptrdiff_t at, ptrdiff_t width) {                            \
        const T *x = (const T *)e->x + at;                                                                           \
        T *values = (T *)e->values + at, best[TILE];                                                                 \
        int64_t *places = e->places + at, place[TILE];                                                               \
        for (ptrdiff_t k = 0; k < width; k++) best[k] = e->n ? x[k] : 0, place[k] = 0;                               \
        for (ptrdiff_t j = 0; j < e->n; j++, x += e->inner, values += e->inner, places += e->inner)                  \
            FREE_LOOP for (ptrdiff_t k = 0; k < width; k++) {                                                        \
                const T value = x[k], before = best[k];                                                              \
                const int enters = (!(value is_worse before)) & ((before == before) | (value != value));             \
                best[k] = enters ? value : before, place[k] = enters ? j : place[k];                                 \
                values[k] = best[k], places[k] = place[k];                                                           \
            }                                                                                                        \
    }
typedef struct extremes extremes;
typedef void (*extremes_loop)(const extremes *, ptrdiff_t, ptrdiff_t);
struct extremes {
    extremes_loop run;
    void *values;
    int64_t *places;
    const void *x;
    ptrdiff_t n, inner, tiles;
};
#define EXTREMES_OF(T) EXTREMES(largest_##T, T, <) EXTREMES(smallest_##T, T, >)
EXTREMES_OF(float) EXTREMES_OF(double) EXTREMES_OF(uint8_t) EXTREMES_OF(int8_t) EXTREMES_OF(int16_t)
EXTREMES_OF(int32_t) EXTREMES_OF(int64_t)
#undef EXTREMES
#undef EXTREMES_OF
#define OF_TYPES(name, along)                                                                                        \
    {[F32] = name##_float##along, [F64] = name##_double##along, [U8] = name##_uint8_t##along,                        \
     [I8] = name##_int8_t##along, [I16] = name##_int16_t##along, [I32] = name##_int32_t##along,                      \
     [I64] = name##_int64_t##along}
/* smallest or largest; by columns or by rows */
static const extremes_loop extremes_loops[2][2][TYPES] = {{OF_TYPES(largest, _rows), OF_TYPES(largest, _columns)},
                                                          {OF_TYPES(smallest, _rows), OF_TYPES(smallest, _columns)}};
#undef OF_TYPES

static void run_extremes(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const extremes *e = (const extremes *)job;
    if (e->inner == 1)
        e->run(e, begin * e->n, end - begin);
    else
        for (ptrdiff_t i = begin; i < end; i++) {
            const ptrdiff_t first = i % e->tiles * TILE, left = e->inner - first;
            e->run(e, i / e->tiles * e->n * e->inner + first, left < TILE ? left : TILE);
        }
}
