/* row[o][j] = sum over t of weight[o][t] * x[offset[t] + j]: the sums of a tile stay in registers. */
#ifndef EACH
#include "vmath.h"
#define TAPS_AT_ONCE 256 /* so that what a tile sees, and the weights of a block, stay in the first cache */
#define ROW_SLACK 64     /* elements that a tile may reach beyond the end of a row */
#define MOST_OUTS 6

/* Outputs are summed up in blocks of nearly one size; so many are in the block that begins at o. */
INLINE ptrdiff_t block_of(ptrdiff_t o, ptrdiff_t outs) {
    const ptrdiff_t blocks = (outs - o + MOST_OUTS - 1) / MOST_OUTS;
    return (outs - o + blocks - 1) / blocks;
}

#define EACH "weighted_rows.h"
#include "each_real.h"
#else
#if defined(__GNUC__)
typedef REAL FN(Vector) __attribute__((vector_size(32), aligned(sizeof(REAL)), may_alias));
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
SUM_TILE(6, 2)
SUM_TILE(5, 2)
SUM_TILE(4, 2)
SUM_TILE(3, 4)
SUM_TILE(3, 2)
SUM_TILE(2, 4)
SUM_TILE(1, 8)
#undef SUM_TILE

/* All rows, some taps: with more than three rows a tile has two vectors, and each block of rows takes it in turn. */
#define TILES(OUTS, WIDE)                                                                       \
    for (ptrdiff_t j = 0; j < length; j += WIDE * LANES)                                        \
        FN(sum_tile_##OUTS##_##WIDE)(to + j, apart, x + j, offset, weight, taps, is_first)
CLONES static void FN(sum_some)(REAL *to, ptrdiff_t apart, ptrdiff_t outs, const REAL *x, const ptrdiff_t *offset,
                         const REAL *weight, ptrdiff_t taps, ptrdiff_t length, int is_first) {
    if (outs == 1) TILES(1, 8);
    else if (outs == 2) TILES(2, 4);
    else if (outs == 3) TILES(3, 4);
    else
        for (ptrdiff_t j = 0; j < length; j += 2 * LANES)
            for (ptrdiff_t o = 0, block; o < outs; o += block) {
                REAL *tile = to + o * apart + j;
                block = block_of(o, outs);
                if (block == 6) FN(sum_tile_6_2)(tile, apart, x + j, offset, weight + o * taps, taps, is_first);
                else if (block == 5) FN(sum_tile_5_2)(tile, apart, x + j, offset, weight + o * taps, taps, is_first);
                else if (block == 4) FN(sum_tile_4_2)(tile, apart, x + j, offset, weight + o * taps, taps, is_first);
                else FN(sum_tile_3_2)(tile, apart, x + j, offset, weight + o * taps, taps, is_first);
            }
}
#undef TILES

/* Rows are `apart` elements apart and have ROW_SLACK behind them, as x has; weights are packed. */
INLINE void FN(sum_taps)(REAL *to, ptrdiff_t apart, ptrdiff_t outs, const REAL *x, const ptrdiff_t *offset,
                         const REAL *packed, ptrdiff_t taps, ptrdiff_t length) {
    ptrdiff_t t = 0;
    do {
        const ptrdiff_t some = taps - t < TAPS_AT_ONCE ? taps - t : TAPS_AT_ONCE;
        FN(sum_some)(to, apart, outs, x, offset + t, packed + t * outs, some, length, t == 0);
        t += some;
    } while (t < taps);
}

/* Weights in the order in which they are read: element (o, t) is weight[o * apart + from[t]]. */
INLINE void FN(pack_weights)(REAL *to, const REAL *weight, ptrdiff_t apart, const ptrdiff_t *from, ptrdiff_t outs,
                             ptrdiff_t taps) {
    for (ptrdiff_t start = 0; start < taps; start += TAPS_AT_ONCE) {
        const ptrdiff_t end = start + TAPS_AT_ONCE < taps ? start + TAPS_AT_ONCE : taps;
        for (ptrdiff_t o = 0, block; o < outs; o += block) {
            block = block_of(o, outs);
            for (ptrdiff_t t = start; t < end; t++)
                for (ptrdiff_t k = 0; k < block; k++) *to++ = weight[(o + k) * apart + from[t]];
        }
    }
}
#undef LANES
#endif
