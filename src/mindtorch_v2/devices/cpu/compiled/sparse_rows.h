/* Matrices that are kept row by row (csr): where rows begin, the columns of their elements, and these. Callers have
   checked that rows lead inside the lists and columns inside of the matrix. */
#ifndef EACH
#include <stdlib.h>
#include "vmath.h"

enum { ROW_TILE = 64, WORD = 64 };

typedef struct {
    const int64_t *starts, *columns;
    const void *values;
} SparseRows;

/* A product with rows of a dense matrix, which are n numbers long; or the dot products of dense rows at sparse places. */
typedef struct {
    SparseRows sparse;
    ptrdiff_t n;
    const void *dense, *other;
    void *out;
    double alpha;
} DenseProduct;

/* A product of two sparse matrices: first where its rows begin, then what stands in them. */
typedef struct {
    SparseRows a, b, out;
    ptrdiff_t columns;
    int64_t *counts; /* of the elements of each row, or NULL */
    int is_out_of_memory;
} SparseProduct;

/* How many bits are set. */
INLINE int64_t bits_of(uint64_t word) {
    int64_t count = 0;
    for (; word; word &= word - 1) count++;
    return count;
}

INLINE int lowest_bit(uint64_t word) {
#if defined(__GNUC__)
    return __builtin_ctzll(word);
#else
    int at = 0;
    while (!(word >> at & 1)) at++;
    return at;
#endif
}

/* How many columns rows begin … end of a product have. */
static void count_product_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    SparseProduct *s = (SparseProduct *)job;
    const ptrdiff_t words = s->columns / WORD + 1;
    uint64_t *seen = (uint64_t *)calloc((size_t)words, sizeof *seen);
    if (!seen) {
        s->is_out_of_memory = 1;
        return;
    }
    for (ptrdiff_t i = begin; i < end; i++) {
        ptrdiff_t low = words, high = 0;
        s->counts[i] = 0;
        for (int64_t p = s->a.starts[i]; p < s->a.starts[i + 1]; p++)
            for (int64_t q = s->b.starts[s->a.columns[p]]; q < s->b.starts[s->a.columns[p] + 1]; q++) {
                const ptrdiff_t word = s->b.columns[q] / WORD;
                seen[word] |= (uint64_t)1 << s->b.columns[q] % WORD;
                low = word < low ? word : low, high = word > high ? word : high;
            }
        for (ptrdiff_t w = low; w <= high; w++) s->counts[i] += bits_of(seen[w]), seen[w] = 0;
    }
    free(seen);
}

/* Of two lists of numbers that ascend, the places of those in both; how many there are is returned. */
static ptrdiff_t common_places(int64_t *in_first, int64_t *in_second, const int64_t *first, ptrdiff_t n,
                               const int64_t *second, ptrdiff_t m) {
    ptrdiff_t i = 0, j = 0, count = 0;
    while (i < n && j < m) {
        const int64_t a = first[i], b = second[j];
        in_first[count] = i, in_second[count] = j;
        count += a == b, i += a <= b, j += b <= a;
    }
    return count;
}

#define EACH "sparse_rows.h"
#include "each_real.h"
#else

/* Rows begin … end of out += alpha * sparse @ dense. */
CLONES static void FN(rows_by_dense)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const DenseProduct *d = (const DenseProduct *)job;
    const int64_t *columns = d->sparse.columns;
    const REAL *values = (const REAL *)d->sparse.values, *dense = (const REAL *)d->dense, alpha = (REAL)d->alpha;
    const ptrdiff_t n = d->n;
    for (ptrdiff_t i = begin; i < end; i++) {
        const int64_t first = d->sparse.starts[i], past = d->sparse.starts[i + 1];
        REAL *out = (REAL *)d->out + i * n;
        for (ptrdiff_t tile = 0; tile < n; tile += ROW_TILE) {
            const ptrdiff_t width = n - tile < ROW_TILE ? n - tile : ROW_TILE;
            REAL sums[ROW_TILE] = {0};
            if (width == 1)
                for (int64_t p = first; p < past; p++) sums[0] += values[p] * dense[columns[p] * n + tile];
            else
                for (int64_t p = first; p < past; p++) {
                    const REAL value = values[p], *row = dense + columns[p] * n + tile;
                    FREE_LOOP for (ptrdiff_t j = 0; j < width; j++) sums[j] += value * row[j];
                }
            FREE_LOOP for (ptrdiff_t j = 0; j < width; j++) out[tile + j] += alpha * sums[j];
        }
    }
}

INLINE REAL FN(dot_of_rows)(const REAL *a, const REAL *b, ptrdiff_t n) {
    enum { STRANDS = 64 / sizeof(REAL) };
    REAL sums[STRANDS] = {0}, total = 0;
    ptrdiff_t k = 0;
    for (; k + STRANDS <= n; k += STRANDS)
        for (int s = 0; s < STRANDS; s++) sums[s] += a[k + s] * b[k + s];
    for (int s = 0; s < STRANDS; s++) total += sums[s];
    for (; k < n; k++) total += a[k] * b[k];
    return total;
}

/* At each place of rows begin … end, the dot product of that row of one matrix and that row of another. */
CLONES static void FN(sampled_rows)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const DenseProduct *d = (const DenseProduct *)job;
    const REAL *left = (const REAL *)d->dense, *right = (const REAL *)d->other;
    for (ptrdiff_t i = begin; i < end; i++)
        for (int64_t p = d->sparse.starts[i]; p < d->sparse.starts[i + 1]; p++)
            ((REAL *)d->out)[p] = FN(dot_of_rows)(left + i * d->n, right + d->sparse.columns[p] * d->n, d->n);
}

/* What stands in rows begin … end of a product, in the order of columns. */
static void FN(product_rows)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    SparseProduct *s = (SparseProduct *)job;
    const ptrdiff_t words = s->columns / WORD + 1;
    uint64_t *seen = (uint64_t *)calloc((size_t)words, sizeof *seen);
    REAL *sums = (REAL *)calloc((size_t)s->columns + 1, sizeof *sums);
    if (!seen || !sums) {
        s->is_out_of_memory = 1;
        end = begin;
    }
    for (ptrdiff_t i = begin; i < end; i++) {
        int64_t *columns = (int64_t *)s->out.columns + s->out.starts[i];
        REAL *values = (REAL *)s->out.values + s->out.starts[i];
        ptrdiff_t low = words, high = 0;
        for (int64_t p = s->a.starts[i]; p < s->a.starts[i + 1]; p++) {
            const REAL factor = ((const REAL *)s->a.values)[p];
            for (int64_t q = s->b.starts[s->a.columns[p]]; q < s->b.starts[s->a.columns[p] + 1]; q++) {
                const int64_t column = s->b.columns[q];
                const ptrdiff_t word = column / WORD;
                seen[word] |= (uint64_t)1 << column % WORD;
                low = word < low ? word : low, high = word > high ? word : high;
                sums[column] += factor * ((const REAL *)s->b.values)[q];
            }
        }
        for (ptrdiff_t w = low; w <= high; w++) {
            for (uint64_t word = seen[w]; word; word &= word - 1) {
                const ptrdiff_t column = w * WORD + lowest_bit(word);
                *columns++ = column, *values++ = sums[column], sums[column] = 0;
            }
            seen[w] = 0;
        }
    }
    free(seen);
    free(sums);
}
#endif
