/* Products of matrices and of batches of them, by tiles (tile_sets.h). Work is shared out in blocks of a result. */
#ifndef EACH
#include "bfloat16_product.h"
#include "few_rows.h"
#include "product_job.h"
#include "tile_sets.h"
#include "turning.h"

enum {
    DEPTH = 1536,       /* bytes of a row of a, or elements times their size of a column of b, between two additions */
    BLOCK_ROWS = 240,   /* of a block at most */
    BLOCK_WIDTH = 512,  /* bytes of a row of a block at most */
    LEAST = 1 << 19,    /* multiplications of a block, so that sharing it out costs little */
    UNPACKED = 1 << 15, /* bytes of b up to which it is read where it lies */
    UNPACKED_ROWS = 16,      /* up to which b, if its columns lie in one piece, is not worth packing */
    TINY = 64,               /* multiplications of an item up to which a tile costs more than they do */
};

/* Complex numbers that become twice as many rows of real ones. */
typedef struct {
    ptrdiff_t columns;
    const void *from;
    void *to;
} ComplexRows;

/* How a result is cut into blocks, which does not depend on the number of threads. */
static void cut_into_blocks(Product *p) {
    const ptrdiff_t size = p->is_double ? sizeof(double) : sizeof(float);
    p->columns = BLOCK_WIDTH / size, p->rows = BLOCK_ROWS;
    if (p->n < p->columns) p->columns = p->n;
    if (p->m < p->rows) p->rows = p->m;
    while (p->rows > MOST_TILE_ROWS && p->rows * p->columns * p->k > 4 * (ptrdiff_t)LEAST) {
        if ((p->m + p->rows - 1) / p->rows * ((p->n + p->columns - 1) / p->columns) >= 16) break;
        p->rows = (p->rows / 2 + MOST_TILE_ROWS - 1) / MOST_TILE_ROWS * MOST_TILE_ROWS;
        if (p->rows == MOST_TILE_ROWS) break;
    }
    p->row_blocks = (p->m + p->rows - 1) / p->rows;
    p->column_blocks = (p->n + p->columns - 1) / p->columns;
}

#define EACH "product.h"
#include "each_real.h"

/* Blocks begin to end of all items. */
static void multiply_blocks(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Product *p = (const Product *)job;
    if (!p->is_bfloat16 && p->m * p->n * p->k <= TINY) {
        BY_TYPE(!p->is_double, multiply_tiny, p, begin, end);
        return;
    }
    for (ptrdiff_t i = begin; i < end; i++)
        if (p->is_bfloat16)
            multiply_block_bfloat16(p, i);
        else
            BY_TYPE(!p->is_double, multiply_block, p, i);
}
#else

/* Some columns of b as rows of `width` elements that follow each other; what is beyond b is zero. */
CLONES static void FN(pack_columns)(REAL *to, const REAL *b, ptrdiff_t b_row, ptrdiff_t b_column, ptrdiff_t k,
                                    ptrdiff_t width, ptrdiff_t there) {
    if (there < width) memset(to, 0, k * width * sizeof(REAL));
    if (b_column == 1)
        for (ptrdiff_t p = 0; p < k; p++) memcpy(to + p * width, b + p * b_row, there * sizeof(REAL));
    else if (b_row == 1)
        FN(turn_matrix)(to, width, b, b_column, there, k);
    else
        for (ptrdiff_t p = 0; p < k; p++)
            for (ptrdiff_t j = 0; j < there; j++) to[p * width + j] = b[p * b_row + j * b_column];
}

INLINE void FN(pack_rows)(REAL *to, const REAL *a, ptrdiff_t a_row, ptrdiff_t a_column, ptrdiff_t k, ptrdiff_t rows) {
    if (a_column == 1)
        FN(turn_matrix)(to, rows, a, a_row, rows, k);
    else
        for (ptrdiff_t p = 0; p < k; p++)
            for (ptrdiff_t i = 0; i < rows; i++) to[p * rows + i] = a[i * a_row + p * a_column];
}

/* What a block is made of: a strip of b for each tile's width, and where it is read. */
typedef struct {
    const REAL *b;
    const ptrdiff_t *offset;
} FN(Strip);

/* One tile, which may reach beyond the block: then it is computed beside it. */
INLINE void FN(put_tile)(const TileSet *set, REAL *c, ptrdiff_t c_row, const REAL *a, const ptrdiff_t *from,
                         ptrdiff_t step, const FN(Strip) * strip, ptrdiff_t k, ptrdiff_t rows, ptrdiff_t width,
                         int adds) {
    REAL beside[MOST_TILE_ROWS * TILE_VECTORS * (MOST_TILE_BYTES / sizeof(REAL))];
    const int wide = width > set->lanes;
    const ptrdiff_t whole = (wide + 1) * set->lanes;
    const tile_function tile = set->tiles[rows - 1][wide];
    if (width == whole) {
        tile(c, c_row, a, from, step, strip->b, strip->offset, k, adds);
        return;
    }
    tile(beside, whole, a, from, step, strip->b, strip->offset, k, 0);
    for (ptrdiff_t i = 0; i < rows; i++)
        for (ptrdiff_t j = 0; j < width; j++)
            c[i * c_row + j] = adds ? c[i * c_row + j] + beside[i * whole + j] : beside[i * whole + j];
}

/* Rows and columns of one item, for some of k. */
INLINE void FN(multiply_part)(const Product *p, const TileSet *set, REAL *c, const REAL *a, const REAL *b, ptrdiff_t m,
                              ptrdiff_t n, ptrdiff_t k, int adds) {
    enum { MOST_K = DEPTH / sizeof(REAL), MOST_N = BLOCK_WIDTH / sizeof(REAL) };
    REAL packed_b[MOST_K * MOST_N], packed_a[MOST_TILE_ROWS * MOST_K];
    FN(Strip) strips[MOST_N];
    ptrdiff_t packed[MOST_K], direct[MOST_K], from[MOST_TILE_ROWS];
    const ptrdiff_t full = TILE_VECTORS * set->lanes;
    const int packs_a = p->a_column != 1 && k > 1;
    const int packs_b = p->b_column != 1 || (m > 2 * set->rows && k * p->b_row * (ptrdiff_t)sizeof(REAL) > UNPACKED);
    for (ptrdiff_t i = 0; i < k; i++) packed[i] = i * full, direct[i] = i * p->b_row;
    for (ptrdiff_t j = 0; j < n; j += full) {
        const ptrdiff_t width = n - j < full ? n - j : full;
        const FN(Strip) there = {b + j, direct}, here = {packed_b + j * k, packed};
        strips[j / full] = packs_b || width < full ? here : there;
        if (packs_b || width < full)
            FN(pack_columns)(packed_b + j * k, b + j * p->b_column, p->b_row, p->b_column, k, full, width);
    }
    for (ptrdiff_t i = 0, rows; i < m; i += rows) {
        const REAL *of = a + i * p->a_row;
        rows = rows_of_tile(set, m - i);
        for (ptrdiff_t r = 0; r < rows; r++) from[r] = packs_a ? r : r * p->a_row;
        if (packs_a) FN(pack_rows)(packed_a, of, p->a_row, p->a_column, k, rows), of = packed_a;
        for (ptrdiff_t j = 0; j < n; j += full)
            FN(put_tile)(set, c + i * p->c_row + j, p->c_row, of, from, packs_a ? rows : 1, strips + j / full, k, rows,
                         n - j < full ? n - j : full, adds);
    }
}

/* Rows begin to end of complex numbers, each as two rows of real ones: (re, im) and, times i, (-im, re). */
CLONES static void FN(spread_complex)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const ComplexRows *r = (const ComplexRows *)job;
    const ptrdiff_t n = r->columns;
    for (ptrdiff_t i = begin; i < end; i++) {
        const REAL *from = (const REAL *)r->from + 2 * n * i;
        REAL *to = (REAL *)r->to + 4 * n * i, *turned = to + 2 * n;
        memcpy(to, from, 2 * n * sizeof(REAL));
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) turned[2 * j] = -from[2 * j + 1], turned[2 * j + 1] = from[2 * j];
    }
}

/* Items begin to end, each of a few numbers. */
CLONES static void FN(multiply_tiny)(const Product *p, ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t item = begin; item < end; item++) {
        const REAL *a = (const REAL *)p->a + (p->a_at ? p->a_at[item] : 0);
        const REAL *b = (const REAL *)p->b + (p->b_at ? p->b_at[item] : 0);
        REAL *c = (REAL *)p->c + (p->c_at ? p->c_at[item] : 0);
        for (ptrdiff_t i = 0; i < p->m; i++)
            for (ptrdiff_t j = 0; j < p->n; j++) {
                REAL total = 0;
                for (ptrdiff_t k = 0; k < p->k; k++)
                    total += a[i * p->a_row + k * p->a_column] * b[k * p->b_row + j * p->b_column];
                c[i * p->c_row + j] = p->adds ? c[i * p->c_row + j] + total : total;
            }
    }
}

static void FN(multiply_block)(const Product *p, ptrdiff_t block) {
    const TileSet *set = tile_set(sizeof(REAL) == sizeof(double));
    const ptrdiff_t item = block / (p->row_blocks * p->column_blocks);
    const ptrdiff_t i = block / p->column_blocks % p->row_blocks * p->rows, j = block % p->column_blocks * p->columns;
    const ptrdiff_t m = p->m - i < p->rows ? p->m - i : p->rows, n = p->n - j < p->columns ? p->n - j : p->columns;
    const REAL *a = (const REAL *)p->a + (p->a_at ? p->a_at[item] : 0) + i * p->a_row;
    const REAL *b = (const REAL *)p->b + (p->b_at ? p->b_at[item] : 0) + j * p->b_column;
    REAL *c = (REAL *)p->c + (p->c_at ? p->c_at[item] : 0) + i * p->c_row + j;
    const ptrdiff_t most = DEPTH / sizeof(REAL), parts = (p->k + most - 1) / most;
    for (ptrdiff_t part = 0, start = 0, k; part < parts; part++, start += k) {
        k = (p->k - start + parts - part - 1) / (parts - part);
        if (p->m <= UNPACKED_ROWS && p->a_column == 1 && p->b_row == 1 && p->b_column != 1
            && k >= DOT_DEPTH * FN(DOT_LANES))
            FN(multiply_few_rows)(c, p->c_row, a + start, p->a_row, b + start, p->b_column, m, n, k, p->adds || part);
        else
            FN(multiply_part)(p, set, c, a + start * p->a_column, b + start * p->b_row, m, n, k, p->adds || part);
    }
}
#endif
