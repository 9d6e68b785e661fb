/* What was accumulated so far, along the middle of a contiguous (outer, n, inner). */
#include "vmath.h"

enum { BUNDLE = 8, TILE = 256 }; /* rows in a bundle hide the latency of each other's additions */

#define ADD(total, x) ((total) += (x))
#define MULTIPLY(total, x) ((total) *= (x))
/* In double precision, as torch's; FIRST is what a total begins with. */
#define RUNNING(name, suffix, T, FIRST, ENTER)                                                                       \
    static void name##_rows_##suffix(T *out, const T *x, ptrdiff_t rows, ptrdiff_t n) {                              \
        double totals[BUNDLE];                                                                                       \
        for (int i = 0; i < BUNDLE; i++) totals[i] = FIRST;                                                          \
        if (rows == BUNDLE)                                                                                          \
            for (ptrdiff_t j = 0; j < n; j++)                                                                        \
                for (int i = 0; i < BUNDLE; i++) out[i * n + j] = (T)ENTER(totals[i], x[i * n + j]);                 \
        else                                                                                                         \
            for (ptrdiff_t i = 0; i < rows; i++)                                                                     \
                for (ptrdiff_t j = 0; j < n; j++) out[i * n + j] = (T)ENTER(totals[i], x[i * n + j]);                \
    }                                                                                                                \
    CLONES static void name##_columns_##suffix(T *out, const T *x, ptrdiff_t n, ptrdiff_t step, ptrdiff_t width) {   \
        double totals[TILE];                                                                                         \
        for (int k = 0; k < TILE; k++) totals[k] = FIRST;                                                            \
        for (ptrdiff_t j = 0; j < n; j++)                                                                            \
            FREE_LOOP for (ptrdiff_t k = 0; k < width; k++) {                                                        \
                out[j * step + k] = (T)ENTER(totals[k], x[j * step + k]);                                            \
            }                                                                                                        \
    }
RUNNING(sum, f32, float, 0, ADD)
RUNNING(sum, f64, double, 0, ADD)
RUNNING(product, f32, float, 1, MULTIPLY)
RUNNING(product, f64, double, 1, MULTIPLY)
#undef RUNNING

enum { SUM, PRODUCT, KINDS };
typedef void (*rows_loop)(void *, const void *, ptrdiff_t, ptrdiff_t);
typedef void (*columns_loop)(void *, const void *, ptrdiff_t, ptrdiff_t, ptrdiff_t);
static const rows_loop rows_loops[KINDS][2] = {{(rows_loop)sum_rows_f32, (rows_loop)sum_rows_f64},
                                               {(rows_loop)product_rows_f32, (rows_loop)product_rows_f64}};
static const columns_loop columns_loops[KINDS][2] = {
    {(columns_loop)sum_columns_f32, (columns_loop)sum_columns_f64},
    {(columns_loop)product_columns_f32, (columns_loop)product_columns_f64}};

typedef struct {
    int kind, is_double;
    char *out;
    const char *x;
    ptrdiff_t outer, n, inner, tiles;
} scan;

static void run_bundles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const scan *s = (const scan *)job;
    const ptrdiff_t itemsize = s->is_double ? sizeof(double) : sizeof(float);
    for (ptrdiff_t i = begin * BUNDLE; i < end * BUNDLE && i < s->outer; i += BUNDLE) {
        const ptrdiff_t rows = s->outer - i < BUNDLE ? s->outer - i : BUNDLE, at = i * s->n * itemsize;
        rows_loops[s->kind][s->is_double](s->out + at, s->x + at, rows, s->n);
    }
}

static void run_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const scan *s = (const scan *)job;
    const ptrdiff_t itemsize = s->is_double ? sizeof(double) : sizeof(float);
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / s->tiles, first = i % s->tiles * TILE, left = s->inner - first;
        const ptrdiff_t at = (item * s->n * s->inner + first) * itemsize;
        columns_loops[s->kind][s->is_double](s->out + at, s->x + at, s->n, s->inner, left < TILE ? left : TILE);
    }
}

/* The largest or smallest so far, of equal ones the last, and where it stands; a NaN is the extreme from there on. */
#define EXTREMES(name, T, is_worse)                                                                                  \
    static void name##_##T(const extremes *e, ptrdiff_t begin, ptrdiff_t end) {                                      \
        for (ptrdiff_t line = begin; line < end; line++) {                                                           \
            const ptrdiff_t first = line / e->inner * e->n * e->inner + line % e->inner;                             \
            const T *x = (const T *)e->x + first;                                                                    \
            T *values = (T *)e->values + first, best = e->n ? x[0] : 0;                                              \
            int64_t *places = e->places + first, place = 0;                                                          \
            for (ptrdiff_t j = 0; j < e->n; j++) {                                                                   \
                const T value = x[j * e->inner];                                                                     \
                if (!(value is_worse best) && (best == best || value != value)) best = value, place = j;             \
                values[j * e->inner] = best, places[j * e->inner] = place;                                           \
            }                                                                                                        \
        }                                                                                                            \
    }
typedef struct extremes extremes;
typedef void (*extremes_loop)(const extremes *, ptrdiff_t, ptrdiff_t);
struct extremes {
    extremes_loop run;
    void *values;
    int64_t *places;
    const void *x;
    ptrdiff_t n, inner;
};
EXTREMES(largest, float, <)
EXTREMES(largest, double, <)
EXTREMES(largest, int64_t, <)
EXTREMES(smallest, float, >)
EXTREMES(smallest, double, >)
EXTREMES(smallest, int64_t, >)
#undef EXTREMES
static const extremes_loop extremes_loops[2][3] = {{largest_float, largest_double, largest_int64_t},
                                                   {smallest_float, smallest_double, smallest_int64_t}};

static void run_extremes(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const extremes *e = (const extremes *)job;
    e->run(e, begin, end);
}
