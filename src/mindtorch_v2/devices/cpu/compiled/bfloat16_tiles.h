/* Tiles of products of bfloat16, summed up in float32, for machines whose instructions multiply two pairs at once:
   c[i][j] (+)= sum over pairs p of the products of a[from[i] + p * step], and its neighbour, with the pair b[offset[p]][j].
   Laid out as in tiles.h; offsets in b are in pairs. */
#ifndef MINDTORCH_BFLOAT16_TILES_H
#define MINDTORCH_BFLOAT16_TILES_H
#include "tile_sets.h"

#if defined(__x86_64__) && defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 10)
#include <immintrin.h>
#define HAS_BFLOAT16_TILES 1
#define BFLOAT16_TILE(ROWS, WIDE)                                                                                   \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))) static void bfloat16_tile_##ROWS##_##WIDE(      \
        void *c, ptrdiff_t c_row, const void *a, const ptrdiff_t *from, ptrdiff_t step, const void *b,              \
        const ptrdiff_t *offset, ptrdiff_t k, int adds) {                                                           \
        __m512 sum[ROWS][WIDE];                                                                                     \
        for (int i = 0; i < ROWS; i++)                                                                              \
            for (int j = 0; j < WIDE; j++) sum[i][j] = _mm512_setzero_ps();                                         \
        for (ptrdiff_t p = 0; p < k; p++) {                                                                         \
            const uint32_t *row = (const uint32_t *)b + offset[p];                                                  \
            const uint16_t *column = (const uint16_t *)a + p * step;                                                \
            __m512i pairs[WIDE];                                                                                    \
            for (int j = 0; j < WIDE; j++) pairs[j] = _mm512_loadu_si512(row + 16 * j);                             \
            _Pragma("GCC unroll 16") for (int i = 0; i < ROWS; i++) {                                               \
                int32_t pair;                                                                                       \
                memcpy(&pair, column + from[i], sizeof pair);                                                       \
                for (int j = 0; j < WIDE; j++)                                                                      \
                    sum[i][j] = _mm512_dpbf16_ps(sum[i][j], (__m512bh)_mm512_set1_epi32(pair), (__m512bh)pairs[j]); \
            }                                                                                                       \
        }                                                                                                           \
        for (int i = 0; i < ROWS; i++)                                                                              \
            for (int j = 0; j < WIDE; j++) {                                                                        \
                float *to = (float *)c + i * c_row + 16 * j;                                                        \
                _mm512_storeu_ps(to, adds ? _mm512_add_ps(sum[i][j], _mm512_loadu_ps(to)) : sum[i][j]);             \
            }                                                                                                       \
    }
#define TILES(ROWS) BFLOAT16_TILE(ROWS, 1) BFLOAT16_TILE(ROWS, 2)
#define NAMES(ROWS) {bfloat16_tile_##ROWS##_1, bfloat16_tile_##ROWS##_2}
TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6) TILES(7) TILES(8) TILES(9) TILES(10) TILES(11) TILES(12)
static const tile_function bfloat16_tiles[MOST_TILE_ROWS][TILE_VECTORS] = {
    NAMES(1), NAMES(2), NAMES(3), NAMES(4), NAMES(5), NAMES(6),
    NAMES(7), NAMES(8), NAMES(9), NAMES(10), NAMES(11), NAMES(12)};
#undef TILES
#undef NAMES
#undef BFLOAT16_TILE
static const TileSet bfloat16_set = {bfloat16_tiles, MOST_TILE_ROWS, 16};
static int takes_bfloat16(void) { return !!__builtin_cpu_supports("avx512bf16"); }
#else
static const TileSet bfloat16_set = {NULL, 1, 1};
static int takes_bfloat16(void) { return 0; }
#endif
#endif
