/* row[o][j] = sum over t of weight[o][t] * x[offset[t] + j]: the sums of a tile stay in registers. Few rows have wide
   tiles of their own; others are a product of matrices, whose second operand is read by offsets. */
#ifndef EACH
#include "tile_sets.h"
#define TAPS_AT_ONCE 320 /* so that what a tile sees, and the weights of a block, stay in the first cache */
#define ROW_SLACK 96     /* elements that a tile may reach beyond the end of a row */
#define FEW_ROWS 3       /* that have tiles of their own */

#define EACH "weighted_rows.h"
#include "each_real.h"
#else
#if defined(__GNUC__)
typedef REAL FN(Vector) __attribute__((vector_size(64), aligned(sizeof(REAL)), may_alias));
#else
typedef REAL FN(Vector);
#endif
#define LANES (ptrdiff_t)(sizeof(FN(Vector)) / sizeof(REAL))

/* One tile of OUTS rows; the weights are (taps, OUTS). */
#define SUM_TILE(OUTS, WIDE)                                                                                     \
    INLINE void FN(sum_tile_##OUTS##_##WIDE)(REAL *to, ptrdiff_t apart, const REAL *x, const ptrdiff_t *offset,  \
                                             const REAL *weight, ptrdiff_t taps, int is_first) {                 \
        FN(Vector) sum[OUTS][WIDE] = {0};                                                                        \
        if (!is_first)                                                                                           \
            for (int o = 0; o < OUTS; o++)                                                                       \
                for (int j = 0; j < WIDE; j++) sum[o][j] = ((FN(Vector) *)(to + o * apart))[j];                  \
        for (ptrdiff_t t = 0; t < taps; t++) {                                                                   \
            const FN(Vector) *from = (const FN(Vector) *)(x + offset[t]);                                        \
            for (int o = 0; o < OUTS; o++)                                                                       \
                for (int j = 0; j < WIDE; j++) sum[o][j] += weight[t * OUTS + o] * from[j];                      \
        }                                                                                                        \
        for (int o = 0; o < OUTS; o++)                                                                           \
            for (int j = 0; j < WIDE; j++) ((FN(Vector) *)(to + o * apart))[j] = sum[o][j];                      \
    }
SUM_TILE(3, 2)
SUM_TILE(2, 3)
SUM_TILE(1, 6)
#undef SUM_TILE

#define TILES(OUTS, WIDE)                                                                       \
    for (ptrdiff_t j = 0; j < length; j += WIDE * LANES)                                        \
        FN(sum_tile_##OUTS##_##WIDE)(to + j, apart, x + j, offset, packed, taps, is_first)
CLONES static void FN(sum_few)(REAL *to, ptrdiff_t apart, ptrdiff_t outs, const REAL *x, const ptrdiff_t *offset,
                               const REAL *weight, ptrdiff_t weight_row, ptrdiff_t taps, ptrdiff_t length,
                               int is_first) {
    REAL packed[FEW_ROWS * TAPS_AT_ONCE];
    for (ptrdiff_t t = 0; t < taps; t++)
        for (ptrdiff_t o = 0; o < outs; o++) packed[t * outs + o] = weight[o * weight_row + t];
    if (outs == 1) TILES(1, 6);
    else if (outs == 2) TILES(2, 3);
    else TILES(3, 2);
}
#undef TILES

static void FN(sum_many)(REAL *to, ptrdiff_t apart, ptrdiff_t outs, const REAL *x, const ptrdiff_t *offset,
                         const REAL *weight, ptrdiff_t weight_row, ptrdiff_t taps, ptrdiff_t length, int is_first) {
    const TileSet *set = tile_set(sizeof(REAL) == sizeof(double));
    ptrdiff_t from[MOST_TILE_ROWS];
    for (int i = 0; i < MOST_TILE_ROWS; i++) from[i] = i * weight_row;
    for (ptrdiff_t j = 0; j < length; j += TILE_VECTORS * set->lanes)
        for (ptrdiff_t o = 0, rows; o < outs; o += rows) {
            rows = rows_of_tile(set, outs - o);
            set->tiles[rows - 1][TILE_VECTORS - 1](to + o * apart + j, apart, weight + o * weight_row, from, 1, x + j,
                                                   offset, taps, !is_first);
        }
}

/* Rows are `apart` elements apart and have ROW_SLACK behind them, as x has; weights are (outs, taps). */
INLINE void FN(sum_taps)(REAL *to, ptrdiff_t apart, ptrdiff_t outs, const REAL *x, const ptrdiff_t *offset,
                         const REAL *weight, ptrdiff_t weight_row, ptrdiff_t taps, ptrdiff_t length) {
    ptrdiff_t t = 0;
    do {
        const ptrdiff_t some = taps - t < TAPS_AT_ONCE ? taps - t : TAPS_AT_ONCE;
        (outs <= FEW_ROWS ? FN(sum_few) : FN(sum_many))(to, apart, outs, x, offset + t, weight + t, weight_row, some,
                                                        length, t == 0);
        t += some;
    } while (t < taps);
}
#undef LANES
#endif
