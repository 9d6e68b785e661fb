/* A tile of a product of matrices, whose sums stay in registers, for one instruction set and one type:
   c[i][j] (+)= sum over p of a[from[i] + p * step] * b[offset[p] + j], for ROWS rows and WIDE vectors of columns.
   Every element is summed up in the order of p, so its bits depend neither on the tile nor on who computes it. */
#if defined(__GNUC__)
typedef REAL FN(SET(Lanes)) __attribute__((vector_size(TILE_BYTES), aligned(sizeof(REAL)), may_alias));
#else
typedef REAL FN(SET(Lanes));
#endif

#define TILE_STEP(ROWS, WIDE, p)                                                                                    \
    {                                                                                                               \
        const FN(SET(Lanes)) *row = (const FN(SET(Lanes)) *)(b + offset[p]);                                        \
        const REAL *column = a + (p) * step;                                                                        \
        UNROLLED for (int i = 0; i < ROWS; i++)                                                                     \
            UNROLLED for (int j = 0; j < WIDE; j++) sum[i][j] += column[from[i]] * row[j];                          \
    }
#define TILE(ROWS, WIDE)                                                                                            \
    TARGET static void FN(SET(tile_##ROWS##_##WIDE))(void *c, ptrdiff_t c_row, const void *a_,                      \
                                                     const ptrdiff_t *from, ptrdiff_t step, const void *b_,         \
                                                     const ptrdiff_t *offset, ptrdiff_t k, int adds) {              \
        const REAL *a = (const REAL *)a_, *b = (const REAL *)b_;                                                    \
        FN(SET(Lanes)) sum[ROWS][WIDE] = {0};                                                                       \
        ptrdiff_t p = 0;                                                                                            \
        for (; p + 1 < k; p += 2) {                                                                                 \
            TILE_STEP(ROWS, WIDE, p)                                                                                \
            TILE_STEP(ROWS, WIDE, p + 1)                                                                            \
        }                                                                                                           \
        if (p < k) TILE_STEP(ROWS, WIDE, p)                                                                         \
        for (int i = 0; i < ROWS; i++)                                                                              \
            for (int j = 0; j < WIDE; j++) {                                                                        \
                FN(SET(Lanes)) *to = (FN(SET(Lanes)) *)((REAL *)c + i * c_row) + j;                                 \
                if (adds) sum[i][j] += *to;                                                                         \
                *to = sum[i][j];                                                                                    \
            }                                                                                                       \
    }
#if defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 16")
#else
#define UNROLLED
#endif
#define TILES(ROWS) TILE(ROWS, 1) TILE(ROWS, 2)
#define NAMES(ROWS) {FN(SET(tile_##ROWS##_1)), FN(SET(tile_##ROWS##_2))}
TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6)
#if TILE_ROWS == 12
TILES(7) TILES(8) TILES(9) TILES(10) TILES(11) TILES(12)
#endif

static const tile_function FN(SET(tiles))[TILE_ROWS][TILE_VECTORS] = {
    NAMES(1), NAMES(2), NAMES(3), NAMES(4), NAMES(5), NAMES(6),
#if TILE_ROWS == 12
    NAMES(7), NAMES(8), NAMES(9), NAMES(10), NAMES(11), NAMES(12),
#endif
};
static const TileSet FN(SET(set)) = {FN(SET(tiles)), TILE_ROWS, sizeof(FN(SET(Lanes))) / sizeof(REAL)};
#undef TILE_STEP
#undef TILE
#undef TILES
#undef NAMES
#undef UNROLLED
