/* Reductions over the middle of a contiguous (outer, n, inner). A run of float32 is added up in lanes for some thousand
   elements, then in double precision: no less exact than one sum in double precision to the last bits of a float32, and
   as fast as memory. Results do not depend on the number of threads. */
#include "vmath.h"

enum { LANES = 64, NARROW = 16, BLOCK = 4096, TILE = 256, TILE_ROWS = 128, TOGETHER = 4 };

/* What is accumulated: the neutral value, how an element enters, and how two accumulators become one. */
#define ENTER_SUM(acc, x) acc += (x)
#define ENTER_PRODUCT(acc, x) acc *= (x)
#define ENTER_SQUARE(acc, x) acc += (x) * (x)
#define ENTER_LARGEST(acc, x) acc = (x) > acc ? (x) : acc, acc = (x) == (x) ? acc : (x) /* a NaN stays */
#define ENTER_SMALLEST(acc, x) acc = (x) < acc ? (x) : acc, acc = (x) == (x) ? acc : (x)

/* A row: of n elements in a line, in lanes of type LANE, which are folded into a double after every block. */
#define ROW(name, T, LANE, NEUTRAL, ENTER, MERGE)                                                                    \
    CLONES static double name(const T *x, ptrdiff_t n) {                                                             \
        double total = NEUTRAL;                                                                                      \
        for (ptrdiff_t i = 0; n < NARROW && i < n; i++) ENTER(total, (double)x[i]);                                  \
        for (ptrdiff_t begin = n < NARROW ? n : 0; begin < n; begin += BLOCK) {                                      \
            const ptrdiff_t end = n < begin + BLOCK ? n : begin + BLOCK;                                             \
            LANE lanes[LANES];                                                                                       \
            double folded[NARROW];                                                                                   \
            for (int l = 0; l < LANES; l++) lanes[l] = NEUTRAL;                                                      \
            ptrdiff_t i = begin;                                                                                     \
            for (; i + LANES <= end; i += LANES)                                                                     \
                for (int l = 0; l < LANES; l++) ENTER(lanes[l], (LANE)x[i + l]);                                     \
            for (; i + NARROW <= end; i += NARROW)                                                                   \
                for (int l = 0; l < NARROW; l++) ENTER(lanes[l], (LANE)x[i + l]);                                    \
            for (; i < end; i++) ENTER(total, (double)x[i]);                                                         \
            for (int l = 0; l < NARROW; l++) folded[l] = (double)lanes[l];                                           \
            for (int k = NARROW; k < LANES; k += NARROW)                                                             \
                for (int l = 0; l < NARROW; l++) MERGE(folded[l], (double)lanes[k + l]);                             \
            for (int half = NARROW / 2; half; half /= 2)                                                             \
                for (int l = 0; l < half; l++) MERGE(folded[l], folded[l + half]);                                   \
            MERGE(total, folded[0]);                                                                                 \
        }                                                                                                            \
        return total;                                                                                                \
    }

/* Columns: a tile of neighbouring ones, a few rows at a time. */
#define COLUMNS(name, T, LANE, NEUTRAL, ENTER, MERGE)                                                                \
    CLONES static void name(double *totals, const T *x, ptrdiff_t n, ptrdiff_t step, ptrdiff_t width) {              \
        for (ptrdiff_t k = 0; k < width; k++) totals[k] = NEUTRAL;                                                   \
        for (ptrdiff_t begin = 0; begin < n; begin += TILE_ROWS) {                                                   \
            const ptrdiff_t end = n < begin + TILE_ROWS ? n : begin + TILE_ROWS;                                     \
            LANE lanes[TILE];                                                                                        \
            for (ptrdiff_t k = 0; k < width; k++) lanes[k] = NEUTRAL;                                                \
            ptrdiff_t j = begin;                                                                                     \
            for (; j + TOGETHER <= end; j += TOGETHER) {                                                             \
                const T *a = x + j * step, *b = a + step, *c = b + step, *d = c + step;                              \
                for (ptrdiff_t k = 0; k < width; k++) {                                                              \
                    LANE lane = lanes[k];                                                                            \
                    ENTER(lane, (LANE)a[k]);                                                                         \
                    ENTER(lane, (LANE)b[k]);                                                                         \
                    ENTER(lane, (LANE)c[k]);                                                                         \
                    ENTER(lane, (LANE)d[k]);                                                                         \
                    lanes[k] = lane;                                                                                 \
                }                                                                                                    \
            }                                                                                                        \
            for (; j < end; j++)                                                                                     \
                for (ptrdiff_t k = 0; k < width; k++) ENTER(lanes[k], (LANE)x[j * step + k]);                        \
            for (ptrdiff_t k = 0; k < width; k++) MERGE(totals[k], (double)lanes[k]);                                \
        }                                                                                                            \
    }

#define REDUCTION(name, NEUTRAL, LANE32, ENTER, MERGE)                                                               \
    ROW(row_##name##_f32, float, LANE32, NEUTRAL, ENTER, MERGE)                                                      \
    ROW(row_##name##_f64, double, double, NEUTRAL, ENTER, MERGE)                                                     \
    COLUMNS(columns_##name##_f32, float, LANE32, NEUTRAL, ENTER, MERGE)                                              \
    COLUMNS(columns_##name##_f64, double, double, NEUTRAL, ENTER, MERGE)

REDUCTION(sum, 0, float, ENTER_SUM, ENTER_SUM)
REDUCTION(product, 1, float, ENTER_PRODUCT, ENTER_PRODUCT)
REDUCTION(squares, 0, double, ENTER_SQUARE, ENTER_SUM)
REDUCTION(largest, -INFINITY, float, ENTER_LARGEST, ENTER_LARGEST)
REDUCTION(smallest, INFINITY, float, ENTER_SMALLEST, ENTER_SMALLEST)

enum { SUM, PRODUCT, SQUARES, LARGEST, SMALLEST, KINDS };
typedef double (*row_loop)(const void *, ptrdiff_t);
typedef void (*column_loop)(double *, const void *, ptrdiff_t, ptrdiff_t, ptrdiff_t);
static const row_loop row_loops[KINDS][2] = {
    {(row_loop)row_sum_f32, (row_loop)row_sum_f64},
    {(row_loop)row_product_f32, (row_loop)row_product_f64},
    {(row_loop)row_squares_f32, (row_loop)row_squares_f64},
    {(row_loop)row_largest_f32, (row_loop)row_largest_f64},
    {(row_loop)row_smallest_f32, (row_loop)row_smallest_f64}};
static const column_loop column_loops[KINDS][2] = {
    {(column_loop)columns_sum_f32, (column_loop)columns_sum_f64},
    {(column_loop)columns_product_f32, (column_loop)columns_product_f64},
    {(column_loop)columns_squares_f32, (column_loop)columns_squares_f64},
    {(column_loop)columns_largest_f32, (column_loop)columns_largest_f64},
    {(column_loop)columns_smallest_f32, (column_loop)columns_smallest_f64}};

typedef struct {
    int kind, is_double;
    void *out;
    double *parts; /* where a single row is cut into pieces: what each piece comes to */
    const char *x;
    ptrdiff_t outer, n, inner, tiles, piece;
} reduction;

static void put(const reduction *r, ptrdiff_t at, double value) {
    if (r->is_double)
        ((double *)r->out)[at] = value;
    else
        ((float *)r->out)[at] = (float)value;
}

/* Rows begin to end of (outer, n). */
static void reduce_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    const ptrdiff_t size = r->n * (r->is_double ? sizeof(double) : sizeof(float));
    for (ptrdiff_t i = begin; i < end; i++) put(r, i, row_loops[r->kind][r->is_double](r->x + i * size, r->n));
}

/* Pieces of a single row. */
static void reduce_pieces(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    const ptrdiff_t itemsize = r->is_double ? sizeof(double) : sizeof(float);
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t start = i * r->piece, left = r->n - start;
        const ptrdiff_t length = left < r->piece ? left : r->piece;
        r->parts[i] = row_loops[r->kind][r->is_double](r->x + start * itemsize, length);
    }
}

/* What all pieces come to: squares are added up. */
static double reduce_parts(const reduction *r, ptrdiff_t pieces) {
    return row_loops[r->kind == SQUARES ? SUM : r->kind][1](r->parts, pieces);
}

/* Tiles of columns of (outer, n, inner). */
static void reduce_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    const ptrdiff_t itemsize = r->is_double ? sizeof(double) : sizeof(float);
    double totals[TILE];
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / r->tiles, first = i % r->tiles * TILE, left = r->inner - first;
        const ptrdiff_t width = left < TILE ? left : TILE;
        const char *x = r->x + (item * r->n * r->inner + first) * itemsize;
        column_loops[r->kind][r->is_double](totals, x, r->n, r->inner, width);
        for (ptrdiff_t k = 0; k < width; k++) put(r, item * r->inner + first + k, totals[k]);
    }
}

/* The squared distances of a row from a mean. */
#define APART(suffix, T)                                                                                             \
    CLONES static double apart_##suffix(const T *x, ptrdiff_t n, double mean) {                                      \
        double lanes[NARROW] = {0};                                                                               \
        ptrdiff_t i = 0;                                                                                             \
        for (; i + NARROW <= n; i += NARROW)                                                                   \
            for (int l = 0; l < NARROW; l++) {                                                                    \
                const double distance = (double)x[i + l] - mean;                                                     \
                lanes[l] += distance * distance;                                                                     \
            }                                                                                                        \
        for (int l = 0; i < n; i++, l++) lanes[l] += ((double)x[i] - mean) * ((double)x[i] - mean);                  \
        double total = 0;                                                                                            \
        for (int l = 0; l < NARROW; l++) total += lanes[l];                                                       \
        return total;                                                                                                \
    }                                                                                                                \
    CLONES static void columns_apart_##suffix(double *totals, const T *x, const double *means, ptrdiff_t n,          \
                                              ptrdiff_t step, ptrdiff_t width) {                                     \
        for (ptrdiff_t k = 0; k < width; k++) totals[k] = 0;                                                         \
        for (ptrdiff_t j = 0; j < n; j++) {                                                                          \
            const T *row = x + j * step;                                                                             \
            for (ptrdiff_t k = 0; k < width; k++) {                                                                  \
                const double distance = (double)row[k] - means[k];                                                   \
                totals[k] += distance * distance;                                                                    \
            }                                                                                                        \
        }                                                                                                            \
    }
APART(f32, float)
APART(f64, double)
#undef APART

/* Whole numbers wrap around, so the order of additions does not matter. */
CLONES static uint64_t row_whole_sum(const uint64_t *x, ptrdiff_t n) {
    uint64_t total = 0;
    for (ptrdiff_t i = 0; i < n; i++) total += x[i];
    return total;
}

typedef struct {
    uint64_t *out;
    const uint64_t *x;
    ptrdiff_t n, piece; /* elements of a row, and of the pieces that it is cut into */
} whole_sums;

static void whole_pieces(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const whole_sums *s = (const whole_sums *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t start = i * s->piece, left = s->n - start;
        s->out[i] = row_whole_sum(s->x + start, left < s->piece ? left : s->piece);
    }
}

typedef struct {
    reduction sums; /* of which out is where the mean goes, in double precision */
    double *apart;
} variance;

static void spread_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const variance *v = (const variance *)job;
    const reduction *r = &v->sums;
    const ptrdiff_t size = r->n * (r->is_double ? sizeof(double) : sizeof(float));
    double *means = (double *)r->out;
    for (ptrdiff_t i = begin; i < end; i++) {
        const char *x = r->x + i * size;
        means[i] = row_loops[SUM][r->is_double](x, r->n) / r->n;
        v->apart[i] = r->is_double ? apart_f64((const double *)x, r->n, means[i])
                                   : apart_f32((const float *)x, r->n, means[i]);
    }
}

static void spread_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const variance *v = (const variance *)job;
    const reduction *r = &v->sums;
    const ptrdiff_t itemsize = r->is_double ? sizeof(double) : sizeof(float);
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / r->tiles, first = i % r->tiles * TILE, left = r->inner - first;
        const ptrdiff_t width = left < TILE ? left : TILE, at = item * r->inner + first;
        const char *x = r->x + (item * r->n * r->inner + first) * itemsize;
        double *means = (double *)r->out + at, *apart = v->apart + at;
        column_loops[SUM][r->is_double](means, x, r->n, r->inner, width);
        for (ptrdiff_t k = 0; k < width; k++) means[k] /= r->n;
        if (r->is_double)
            columns_apart_f64(apart, (const double *)x, means, r->n, r->inner, width);
        else
            columns_apart_f32(apart, (const float *)x, means, r->n, r->inner, width);
    }
}

/* Running sums, in double precision as torch's; rows in a bundle hide the latency of each other's additions. */
enum { BUNDLE = 8 };
#define RUNNING(suffix, T)                                                                                           \
    static void running_rows_##suffix(T *out, const T *x, ptrdiff_t rows, ptrdiff_t n) {                             \
        double totals[BUNDLE] = {0};                                                                                 \
        if (rows == BUNDLE)                                                                                          \
            for (ptrdiff_t j = 0; j < n; j++)                                                                        \
                for (int i = 0; i < BUNDLE; i++) out[i * n + j] = (T)(totals[i] += x[i * n + j]);                    \
        else                                                                                                         \
            for (ptrdiff_t i = 0; i < rows; i++)                                                                     \
                for (ptrdiff_t j = 0; j < n; j++) out[i * n + j] = (T)(totals[i] += x[i * n + j]);                   \
    }                                                                                                                \
    CLONES static void running_columns_##suffix(T *out, const T *x, ptrdiff_t n, ptrdiff_t step, ptrdiff_t width) {  \
        double totals[TILE] = {0};                                                                                   \
        for (ptrdiff_t j = 0; j < n; j++)                                                                            \
            FREE_LOOP for (ptrdiff_t k = 0; k < width; k++) {                                                        \
                totals[k] += x[j * step + k];                                                                        \
                out[j * step + k] = (T)totals[k];                                                                    \
            }                                                                                                        \
    }
RUNNING(f32, float)
RUNNING(f64, double)
#undef RUNNING

static void run_bundles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    for (ptrdiff_t i = begin * BUNDLE; i < end * BUNDLE && i < r->outer; i += BUNDLE) {
        const ptrdiff_t rows = r->outer - i < BUNDLE ? r->outer - i : BUNDLE, at = i * r->n;
        if (r->is_double)
            running_rows_f64((double *)r->out + at, (const double *)r->x + at, rows, r->n);
        else
            running_rows_f32((float *)r->out + at, (const float *)r->x + at, rows, r->n);
    }
}

static void run_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / r->tiles, first = i % r->tiles * TILE, left = r->inner - first;
        const ptrdiff_t width = left < TILE ? left : TILE, at = item * r->n * r->inner + first;
        if (r->is_double)
            running_columns_f64((double *)r->out + at, (const double *)r->x + at, r->n, r->inner, width);
        else
            running_columns_f32((float *)r->out + at, (const float *)r->x + at, r->n, r->inner, width);
    }
}
