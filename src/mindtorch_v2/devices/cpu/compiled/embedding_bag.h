/* Sums of bags of a table's rows. Some columns of a bag stay in registers while its rows are added; rows of half
   precision are widened part by part. */
#ifndef EACH
#include "half.h"
#include "vmath.h"

enum { PART = 64 }; /* columns of half precision that are added up at a time */

typedef struct {
    void *out;
    const char *table;
    const int64_t *index;
    const int64_t *bounds; /* where bags begin, and behind them where the last one ends */
    const void *scale;     /* of each row, or NULL; floats for rows of half precision */
    ptrdiff_t cols, itemsize;
    int is_double, half;
} Bags;

#define EACH "embedding_bag.h"
#include "each_real.h"

/* Halves are added up in single precision and rounded once. */
CLONES static void sum_half_bag(const Bags *b, ptrdiff_t bag) {
    for (ptrdiff_t column = 0; column < b->cols; column += PART) {
        const ptrdiff_t width = b->cols - column < PART ? b->cols - column : PART;
        float sum[PART] = {0}, wide[PART];
        for (ptrdiff_t i = b->bounds[bag]; i < b->bounds[bag + 1]; i++) {
            const float factor = b->scale ? ((const float *)b->scale)[i] : 1;
            const uint16_t *row = (const uint16_t *)b->table + b->index[i] * b->cols + column;
            if (b->half == BFLOAT16) {
                for (ptrdiff_t j = 0; j < width; j++) sum[j] += factor * from_bfloat16(row[j]);
            } else {
                widen(b->half, wide, (const char *)row, b->itemsize, width);
                for (ptrdiff_t j = 0; j < width; j++) sum[j] += factor * wide[j];
            }
        }
        narrow(b->half, (char *)b->out + (bag * b->cols + column) * b->itemsize, b->itemsize, sum, width);
    }
}

/* sums[bag[i]] += scale[i] * table[index[i]], rows of halves; products and sums are rounded each time. */
#define ADD_HALF_ROWS(name, FROM, TO)                                                                                  \
    CLONES static void name(uint16_t *sums, const uint16_t *table, const int64_t *index, const int64_t *bag,           \
                            const uint16_t *scale, ptrdiff_t count, ptrdiff_t cols) {                                  \
        for (ptrdiff_t i = 0; i < count; i++) {                                                                        \
            const uint16_t *row = table + index[i] * cols;                                                             \
            uint16_t *to = sums + bag[i] * cols;                                                                       \
            const float factor = scale ? FROM(scale[i]) : 1;                                                           \
            FREE_LOOP for (ptrdiff_t j = 0; j < cols; j++) to[j] = TO(FROM(to[j]) + FROM(TO(factor * FROM(row[j]))));  \
        }                                                                                                              \
    }
ADD_HALF_ROWS(add_bfloat16_rows, from_bfloat16, to_bfloat16)
ADD_HALF_ROWS(add_float16_rows, from_float16, to_float16)
#undef ADD_HALF_ROWS

static void sum_bags(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Bags *b = (const Bags *)job;
    for (ptrdiff_t bag = begin; bag < end; bag++)
        if (b->half != NOT_HALF)
            sum_half_bag(b, bag);
        else
            BY_TYPE(!b->is_double, sum_bag, b, bag);
}
#else
#if defined(__GNUC__)
typedef REAL FN(Columns) __attribute__((vector_size(64), aligned(sizeof(REAL)), may_alias));
#else
typedef REAL FN(Columns);
#endif

/* WIDE vectors of columns, as long as so many are left. */
#define SUM_COLUMNS(WIDE)                                                                                         \
    for (; column + WIDE * lanes <= cols; column += WIDE * lanes) {                                               \
        FN(Columns) sum[WIDE] = {0};                                                                              \
        for (ptrdiff_t i = begin; i < end; i++) {                                                                 \
            const FN(Columns) *row = (const FN(Columns) *)(table + b->index[i] * cols + column);                  \
            const REAL factor = scale ? scale[i] : 1;                                                             \
            for (int j = 0; j < WIDE; j++) sum[j] += factor * row[j];                                             \
        }                                                                                                         \
        for (int j = 0; j < WIDE; j++) ((FN(Columns) *)(out + column))[j] = sum[j];                               \
    }

CLONES static void FN(sum_bag)(const Bags *b, ptrdiff_t bag) {
    const ptrdiff_t lanes = sizeof(FN(Columns)) / sizeof(REAL), cols = b->cols;
    const ptrdiff_t begin = b->bounds[bag], end = b->bounds[bag + 1];
    const REAL *table = (const REAL *)b->table, *scale = (const REAL *)b->scale;
    REAL *out = (REAL *)b->out + bag * cols;
    ptrdiff_t column = 0;
    SUM_COLUMNS(4)
    SUM_COLUMNS(1)
    for (ptrdiff_t j = column; j < cols; j++) out[j] = 0;
    for (ptrdiff_t i = begin; column < cols && i < end; i++)
        FREE_LOOP for (ptrdiff_t j = column; j < cols; j++)
            out[j] += (scale ? scale[i] : 1) * table[b->index[i] * cols + j];
}
#undef SUM_COLUMNS
#endif
