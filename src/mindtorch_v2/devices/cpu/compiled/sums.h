/* Reductions over the middle of a contiguous (outer, n, inner). A run of float32 is added up in lanes for some thousand
   elements, then in double precision: no less exact than one sum in double precision to the last bits of a float32, and
   as fast as memory. Results do not depend on the number of threads. */
#include "half.h"
#include "vmath.h"

enum { LANES = 64, NARROW = 16, LONG = 1536, BLOCK = 4096, TILE = 256, TILE_ROWS = 128, TOGETHER = 4, WIDENED_ROWS = 32 };

/* What is accumulated: the neutral value, how an element enters, and how two accumulators become one. */
#define ENTER_SUM(acc, x) acc += (x)
#define ENTER_PRODUCT(acc, x) acc *= (x)
#define ENTER_SQUARE(acc, x) acc += (x) * (x)
#define ENTER_NUMBER(acc, x) acc += (x) == (x) ? (x) : 0 /* a NaN counts nothing */
#define ENTER_LARGEST(acc, x) acc = (x) > acc ? (x) : acc, acc = (x) == (x) ? acc : (x) /* a NaN stays */
#define ENTER_SMALLEST(acc, x) acc = (x) < acc ? (x) : acc, acc = (x) == (x) ? acc : (x)

/* Lanes become one value as a tree. */
#define FOLD(lane, MERGE)                                                                                            \
    do {                                                                                                             \
        for (int l = 0; l < 8; l++) MERGE(lane[l], lane[l + 8]);                                                     \
        for (int l = 0; l < 4; l++) MERGE(lane[l], lane[l + 4]);                                                     \
        for (int l = 0; l < 2; l++) MERGE(lane[l], lane[l + 2]);                                                     \
        MERGE(lane[0], lane[1]);                                                                                     \
    } while (0)

/* A short row, of which folding would take most of the time: few lanes. What is left over after the last full step is
   read together with elements before it, which enter as the neutral value. */
#define SHORT_ROW(name, T, LANE, NEUTRAL, ENTER, MERGE)                                                              \
    INLINE double short_##name(const T *x, ptrdiff_t n) {                                                            \
        LANE lanes[NARROW];                                                                                          \
        double folded[NARROW];                                                                                       \
        ptrdiff_t i = 0;                                                                                             \
        for (int l = 0; l < NARROW; l++) lanes[l] = NEUTRAL;                                                         \
        for (; i + NARROW <= n; i += NARROW)                                                                         \
            for (int l = 0; l < NARROW; l++) ENTER(lanes[l], (LANE)x[i + l]);                                        \
        const int taken = (int)(i + NARROW - n);                                                                     \
        for (int l = 0; l < NARROW; l++) {                                                                           \
            const LANE element = l < taken ? (LANE)NEUTRAL : (LANE)x[n - NARROW + l];                                \
            ENTER(lanes[l], element);                                                                                \
        }                                                                                                            \
        for (int l = 0; l < NARROW; l++) folded[l] = (double)lanes[l];                                               \
        FOLD(folded, MERGE);                                                                                         \
        return folded[0];                                                                                            \
    }

/* A row: of n elements in a line, in lanes of type LANE, which are folded into a double after every block. */
#define ROW(name, T, LANE, NEUTRAL, ENTER, MERGE)                                                                    \
    SHORT_ROW(name, T, LANE, NEUTRAL, ENTER, MERGE)                                                                  \
    CLONES static double name(const T *x, ptrdiff_t n) {                                                             \
        double total = NEUTRAL;                                                                                      \
        if (n >= NARROW && n < LONG) return short_##name(x, n);                                                      \
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
            FOLD(folded, MERGE);                                                                                     \
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
REDUCTION(numbers, 0, float, ENTER_NUMBER, ENTER_SUM)
REDUCTION(largest, -INFINITY, float, ENTER_LARGEST, ENTER_LARGEST)
REDUCTION(smallest, INFINITY, float, ENTER_SMALLEST, ENTER_SMALLEST)

enum { SUM, PRODUCT, SQUARES, NUMBERS, LARGEST, SMALLEST, KINDS };
typedef double (*row_loop)(const void *, ptrdiff_t);
typedef void (*column_loop)(double *, const void *, ptrdiff_t, ptrdiff_t, ptrdiff_t);
static const row_loop row_loops[KINDS][2] = {
    {(row_loop)row_sum_f32, (row_loop)row_sum_f64},
    {(row_loop)row_product_f32, (row_loop)row_product_f64},
    {(row_loop)row_squares_f32, (row_loop)row_squares_f64},
    {(row_loop)row_numbers_f32, (row_loop)row_numbers_f64},
    {(row_loop)row_largest_f32, (row_loop)row_largest_f64},
    {(row_loop)row_smallest_f32, (row_loop)row_smallest_f64}};
static const column_loop column_loops[KINDS][2] = {
    {(column_loop)columns_sum_f32, (column_loop)columns_sum_f64},
    {(column_loop)columns_product_f32, (column_loop)columns_product_f64},
    {(column_loop)columns_squares_f32, (column_loop)columns_squares_f64},
    {(column_loop)columns_numbers_f32, (column_loop)columns_numbers_f64},
    {(column_loop)columns_largest_f32, (column_loop)columns_largest_f64},
    {(column_loop)columns_smallest_f32, (column_loop)columns_smallest_f64}};

/* How results of parts are reduced once more: squares and numbers are added up. */
static const int kind_of_parts[KINDS] = {SUM, PRODUCT, SUM, SUM, LARGEST, SMALLEST};

typedef struct {
    int kind, is_double;
    int half;      /* the kind of half precision that is read and written, or NOT_HALF */
    int takes_root; /* whether the root of what comes out is wanted */
    ptrdiff_t itemsize;
    void *out;
    double *parts; /* where a single row is cut into pieces: what each piece comes to */
    const char *x;
    ptrdiff_t outer, n, inner, tiles, piece;
} reduction;

static void put(const reduction *r, ptrdiff_t at, double value) {
    if (r->takes_root) value = sqrt(value);
    const float single = (float)value;
    if (r->is_double)
        ((double *)r->out)[at] = value;
    else if (r->half == NOT_HALF)
        ((float *)r->out)[at] = single;
    else
        narrow(r->half, (char *)r->out + at * r->itemsize, r->itemsize, &single, 1);
}

/* n elements in a line; halves are widened block by block. */
static double reduce_line(const reduction *r, const char *x, ptrdiff_t n) {
    if (r->half == NOT_HALF) return row_loops[r->kind][r->is_double](x, n);
    float wide[BLOCK];
    double both[2] = {0};
    for (ptrdiff_t begin = 0; begin == 0 || begin < n; begin += BLOCK) {
        const ptrdiff_t count = n - begin < BLOCK ? n - begin : BLOCK;
        widen(r->half, wide, x + begin * r->itemsize, r->itemsize, count);
        both[1] = row_loops[r->kind][0](wide, count);
        both[0] = begin ? row_loops[kind_of_parts[r->kind]][1](both, 2) : both[1];
    }
    return both[0];
}

/* Neighbouring columns of n rows. */
static void reduce_columns(const reduction *r, double *totals, const char *x, ptrdiff_t width) {
    if (r->half == NOT_HALF) {
        column_loops[r->kind][r->is_double](totals, x, r->n, r->inner, width);
        return;
    }
    float wide[WIDENED_ROWS * TILE];
    double both[2 * TILE];
    for (ptrdiff_t begin = 0; begin == 0 || begin < r->n; begin += WIDENED_ROWS) {
        const ptrdiff_t rows = r->n - begin < WIDENED_ROWS ? r->n - begin : WIDENED_ROWS;
        for (ptrdiff_t j = 0; j < rows; j++)
            widen(r->half, wide + j * TILE, x + (begin + j) * r->inner * r->itemsize, r->itemsize, width);
        column_loops[r->kind][0](begin ? both + TILE : totals, wide, rows, TILE, width);
        if (!begin) continue;
        memcpy(both, totals, (size_t)width * sizeof(double));
        column_loops[kind_of_parts[r->kind]][1](totals, both, 2, TILE, width);
    }
}

/* Rows begin to end of (outer, n). */
static void reduce_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    for (ptrdiff_t i = begin; i < end; i++) put(r, i, reduce_line(r, r->x + i * r->n * r->itemsize, r->n));
}

/* Pieces of a single row. */
static void reduce_pieces(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t start = i * r->piece, left = r->n - start;
        r->parts[i] = reduce_line(r, r->x + start * r->itemsize, left < r->piece ? left : r->piece);
    }
}

static double reduce_parts(const reduction *r, ptrdiff_t pieces) {
    return row_loops[kind_of_parts[r->kind]][1](r->parts, pieces);
}

/* Tiles of columns of (outer, n, inner). */
static void reduce_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    double totals[TILE];
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / r->tiles, first = i % r->tiles * TILE, left = r->inner - first;
        const ptrdiff_t width = left < TILE ? left : TILE;
        reduce_columns(r, totals, r->x + (item * r->n * r->inner + first) * r->itemsize, width);
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
        ptrdiff_t j = 0;                                                                                             \
        for (; j + TOGETHER <= n; j += TOGETHER) {                                                                   \
            const T *a = x + j * step, *b = a + step, *c = b + step, *d = c + step;                                  \
            for (ptrdiff_t k = 0; k < width; k++) {                                                                  \
                const double p = (double)a[k] - means[k], q = (double)b[k] - means[k];                               \
                const double r = (double)c[k] - means[k], s = (double)d[k] - means[k];                               \
                totals[k] += (p * p + q * q) + (r * r + s * s);                                                      \
            }                                                                                                        \
        }                                                                                                            \
        for (; j < n; j++) {                                                                                         \
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

/* Sums of whole numbers in 64 bits wrap around, so the order of additions does not matter. */
#define WHOLE(T)                                                                                                     \
    CLONES static uint64_t row_whole_##T(const T *x, ptrdiff_t n) {                                                  \
        uint64_t total = 0;                                                                                          \
        for (ptrdiff_t i = 0; i < n; i++) total += (uint64_t)x[i];                                                   \
        return total;                                                                                                \
    }                                                                                                                \
    CLONES static void columns_whole_##T(uint64_t *totals, const T *x, ptrdiff_t n, ptrdiff_t step,                  \
                                         ptrdiff_t width) {                                                          \
        for (ptrdiff_t k = 0; k < width; k++) totals[k] = 0;                                                         \
        for (ptrdiff_t j = 0; j < n; j++)                                                                            \
            FREE_LOOP for (ptrdiff_t k = 0; k < width; k++) totals[k] += (uint64_t)x[j * step + k];                  \
    }
WHOLE(uint8_t)
WHOLE(int32_t)
WHOLE(int64_t)
#undef WHOLE
typedef uint64_t (*whole_row_loop)(const void *, ptrdiff_t);
typedef void (*whole_column_loop)(uint64_t *, const void *, ptrdiff_t, ptrdiff_t, ptrdiff_t);
/* by the bytes of an element */
static const whole_row_loop whole_row_loops[9] = {
    [1] = (whole_row_loop)row_whole_uint8_t, [4] = (whole_row_loop)row_whole_int32_t,
    [8] = (whole_row_loop)row_whole_int64_t};
static const whole_column_loop whole_column_loops[9] = {
    [1] = (whole_column_loop)columns_whole_uint8_t, [4] = (whole_column_loop)columns_whole_int32_t,
    [8] = (whole_column_loop)columns_whole_int64_t};

typedef struct {
    uint64_t *out;
    const char *x;
    ptrdiff_t itemsize, n, inner, tiles, piece; /* a row of n elements is cut into pieces */
} whole_sums;

static void whole_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const whole_sums *s = (const whole_sums *)job;
    for (ptrdiff_t i = begin; i < end; i++)
        s->out[i] = whole_row_loops[s->itemsize](s->x + i * s->n * s->itemsize, s->n);
}

static void whole_pieces(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const whole_sums *s = (const whole_sums *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t start = i * s->piece, left = s->n - start;
        s->out[i] = whole_row_loops[s->itemsize](s->x + start * s->itemsize, left < s->piece ? left : s->piece);
    }
}

static void whole_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const whole_sums *s = (const whole_sums *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / s->tiles, first = i % s->tiles * TILE, left = s->inner - first;
        whole_column_loops[s->itemsize](s->out + item * s->inner + first,
                                        s->x + (item * s->n * s->inner + first) * s->itemsize, s->n, s->inner,
                                        left < TILE ? left : TILE);
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
