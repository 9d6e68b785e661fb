/* Products of a few rows with columns that lie in one piece, as weights of a linear layer do: dot products, for which
   nothing is packed. Every element is summed up in the same strands, whatever is computed beside it. */
#ifndef EACH
#include "vmath.h"
#define DOT_ROWS 4
#define DOT_COLUMNS 4
#define DOT_DEPTH 8 /* vectors of a row from which on adding up the strands costs less than packing */
#define EACH "few_rows.h"
#include "each_real.h"
#else
enum { FN(DOT_LANES) = 64 / sizeof(REAL) };
#if defined(__GNUC__)
typedef REAL FN(Strands) __attribute__((vector_size(64), aligned(sizeof(REAL)), may_alias));
#define STRANDS_OF(p) (*(const FN(Strands) *)(p))
#define ADD_STRANDS(sum, a, b) sum += STRANDS_OF(a) * STRANDS_OF(b)
#define STRAND(sum, lane) ((sum)[lane])
#else
typedef struct { REAL lane[64 / sizeof(REAL)]; } FN(Strands);
#define ADD_STRANDS(sum, a, b) \
    for (int lane_ = 0; lane_ < FN(DOT_LANES); lane_++) (sum).lane[lane_] += (a)[lane_] * (b)[lane_]
#define STRAND(sum, lane_) ((sum).lane[lane_])
#endif

/* Some rows by some columns. */
#define DOT_TILE(ROWS, COLUMNS)                                                                                      \
    INLINE void FN(dots_##ROWS##_##COLUMNS)(REAL *c, ptrdiff_t c_row, const REAL *a, ptrdiff_t a_row, const REAL *b,   \
                                            ptrdiff_t b_column, ptrdiff_t k, int adds) {                             \
        FN(Strands) sum[ROWS][COLUMNS] = {0};                                                                        \
        ptrdiff_t p = 0;                                                                                             \
        for (; p + FN(DOT_LANES) <= k; p += FN(DOT_LANES))                                                           \
            for (int i = 0; i < ROWS; i++)                                                                           \
                for (int j = 0; j < COLUMNS; j++) ADD_STRANDS(sum[i][j], a + i * a_row + p, b + j * b_column + p);   \
        for (int i = 0; i < ROWS; i++)                                                                               \
            for (int j = 0; j < COLUMNS; j++) {                                                                      \
                REAL total = 0;                                                                                      \
                for (int lane = 0; lane < FN(DOT_LANES); lane++) total += STRAND(sum[i][j], lane);                   \
                for (ptrdiff_t q = p; q < k; q++) total += a[i * a_row + q] * b[j * b_column + q];                   \
                c[i * c_row + j] = adds ? c[i * c_row + j] + total : total;                                          \
            }                                                                                                        \
    }
DOT_TILE(4, 4) DOT_TILE(4, 1) DOT_TILE(1, 4) DOT_TILE(1, 1)
#undef DOT_TILE

CLONES static void FN(multiply_few_rows)(REAL *c, ptrdiff_t c_row, const REAL *a, ptrdiff_t a_row, const REAL *b,
                                         ptrdiff_t b_column, ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, int adds) {
    for (ptrdiff_t j = 0, columns; j < n; j += columns) {
        columns = n - j >= DOT_COLUMNS ? DOT_COLUMNS : 1;
        for (ptrdiff_t i = 0, rows; i < m; i += rows) {
            REAL *to = c + i * c_row + j;
            const REAL *of = a + i * a_row, *by = b + j * b_column;
            rows = m - i >= DOT_ROWS ? DOT_ROWS : 1;
            if (rows > 1 && columns > 1)
                FN(dots_4_4)(to, c_row, of, a_row, by, b_column, k, adds);
            else if (rows > 1)
                FN(dots_4_1)(to, c_row, of, a_row, by, b_column, k, adds);
            else if (columns > 1)
                FN(dots_1_4)(to, c_row, of, a_row, by, b_column, k, adds);
            else
                FN(dots_1_1)(to, c_row, of, a_row, by, b_column, k, adds);
        }
    }
}
#undef STRANDS_OF
#undef ADD_STRANDS
#undef STRAND
#endif
