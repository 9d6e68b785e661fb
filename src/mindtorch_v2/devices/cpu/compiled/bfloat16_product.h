/* A block of a product of bfloat16 matrices into float32: product.h in pairs of elements along k. */
#include "bfloat16_tiles.h"
#include "product_job.h"
#include "turning.h"

enum { MOST_PAIRS = 384, BFLOAT16_COLUMNS = 128 };

INLINE uint32_t pair_of(const uint16_t *x, ptrdiff_t step, int has_second) {
    return x[0] | (has_second ? (uint32_t)x[step] << 16 : 0);
}

/* Some columns of b as rows of `width` pairs; what is beyond b is zero. */
CLONES static void pack_pairs(uint32_t *to, const uint16_t *b, ptrdiff_t b_row, ptrdiff_t b_column, ptrdiff_t k,
                              ptrdiff_t width, ptrdiff_t there) {
    const ptrdiff_t pairs = (k + 1) / 2;
    if (there < width) memset(to, 0, pairs * width * sizeof *to);
    if (b_row == 1 && b_column % 2 == 0 && (uintptr_t)b % sizeof *to == 0) { /* a pair is turned like a number of 32 bits */
        turn_matrix_f32((float *)to, width, (const float *)b, b_column / 2, there, k / 2);
        for (ptrdiff_t j = 0; k % 2 && j < there; j++) to[(pairs - 1) * width + j] = b[j * b_column + k - 1];
    } else
        for (ptrdiff_t p = 0; p < pairs; p++) {
            const uint16_t *row = b + 2 * p * b_row;
            if (b_column == 1 && 2 * p + 1 < k)
                FREE_LOOP for (ptrdiff_t j = 0; j < there; j++)
                    to[p * width + j] = row[j] | (uint32_t)row[b_row + j] << 16;
            else
                for (ptrdiff_t j = 0; j < there; j++)
                    to[p * width + j] = pair_of(row + j * b_column, b_row, 2 * p + 1 < k);
        }
}

/* Rows and columns of one item, for some of k. */
static void multiply_pairs(const Product *job, float *c, const uint16_t *a, const uint16_t *b, ptrdiff_t m, ptrdiff_t n,
                           ptrdiff_t k, int adds) {
    uint32_t packed_b[MOST_PAIRS * BFLOAT16_COLUMNS], packed_a[MOST_TILE_ROWS * MOST_PAIRS];
    float beside[MOST_TILE_ROWS * TILE_VECTORS * 16];
    ptrdiff_t offset[MOST_PAIRS], from[MOST_TILE_ROWS];
    const TileSet *set = &bfloat16_set;
    const ptrdiff_t pairs = (k + 1) / 2, full = TILE_VECTORS * set->lanes;
    const int is_direct = job->a_column == 1 && k % 2 == 0;
    for (ptrdiff_t p = 0; p < pairs; p++) offset[p] = p * full;
    for (ptrdiff_t j = 0; j < n; j += full)
        pack_pairs(packed_b + j * pairs, b + j * job->b_column, job->b_row, job->b_column, k, full,
                   n - j < full ? n - j : full);
    for (ptrdiff_t i = 0, rows; i < m; i += rows) {
        const uint16_t *of = a + i * job->a_row;
        rows = rows_of_tile(set, m - i);
        for (ptrdiff_t r = 0; r < rows; r++) from[r] = is_direct ? r * job->a_row : 2 * r;
        for (ptrdiff_t p = 0; !is_direct && p < pairs; p++)
            for (ptrdiff_t r = 0; r < rows; r++)
                packed_a[p * rows + r] =
                    pair_of(of + r * job->a_row + 2 * p * job->a_column, job->a_column, 2 * p + 1 < k);
        for (ptrdiff_t j = 0; j < n; j += full) {
            const ptrdiff_t width = n - j < full ? n - j : full, whole = width > set->lanes ? full : set->lanes;
            const int is_whole = width == whole;
            float *to = c + i * job->c_row + j;
            set->tiles[rows - 1][width > set->lanes](
                is_whole ? to : beside, is_whole ? job->c_row : whole, is_direct ? (const void *)of : packed_a, from,
                is_direct ? 2 : 2 * rows, packed_b + j * pairs, offset, pairs, is_whole && adds);
            for (ptrdiff_t r = 0; !is_whole && r < rows; r++)
                for (ptrdiff_t x = 0; x < width; x++)
                    to[r * job->c_row + x] = (adds ? to[r * job->c_row + x] : 0) + beside[r * whole + x];
        }
    }
}

static void multiply_block_bfloat16(const Product *p, ptrdiff_t block) {
    const ptrdiff_t item = block / (p->row_blocks * p->column_blocks);
    const ptrdiff_t i = block / p->column_blocks % p->row_blocks * p->rows, j = block % p->column_blocks * p->columns;
    const ptrdiff_t m = p->m - i < p->rows ? p->m - i : p->rows, n = p->n - j < p->columns ? p->n - j : p->columns;
    const uint16_t *a = (const uint16_t *)p->a + (p->a_at ? p->a_at[item] : 0) + i * p->a_row;
    const uint16_t *b = (const uint16_t *)p->b + (p->b_at ? p->b_at[item] : 0) + j * p->b_column;
    float *c = (float *)p->c + (p->c_at ? p->c_at[item] : 0) + i * p->c_row + j;
    for (ptrdiff_t start = 0, k; start < p->k; start += k) {
        k = p->k - start < 2 * MOST_PAIRS ? p->k - start : 2 * MOST_PAIRS;
        multiply_pairs(p, c, a + start * p->a_column, b + start * p->b_row, m, n, k, p->adds || start);
    }
}
