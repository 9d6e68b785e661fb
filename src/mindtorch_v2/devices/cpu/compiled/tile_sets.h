/* Tiles of products (tiles.h) for each instruction set that a machine may have, and the choice among them. The rows and
   vectors of a tile fill the registers. */
#ifndef MINDTORCH_TILE_SETS_H
#define MINDTORCH_TILE_SETS_H
#include "vmath.h"

typedef void (*tile_function)(void *c, ptrdiff_t c_row, const void *a, const ptrdiff_t *from, ptrdiff_t step,
                              const void *b, const ptrdiff_t *offset, ptrdiff_t k, int adds);
enum { MOST_TILE_ROWS = 12, TILE_VECTORS = 2, MOST_TILE_BYTES = 64 };

typedef struct {
    const tile_function (*tiles)[TILE_VECTORS]; /* by rows less one and vectors less one */
    ptrdiff_t rows, lanes;                      /* of the largest tile, and of a vector */
} TileSet;

#if defined(__x86_64__) && defined(__GNUC__)
#define SET(name) name##_avx512
#define TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,fma")))
#define TILE_BYTES 64
#define TILE_ROWS 12
#define EACH "tiles.h"
#include "each_real.h"
#undef SET
#undef TARGET
#undef TILE_BYTES
#undef TILE_ROWS

#define SET(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define TILE_BYTES 32
#define TILE_ROWS 6
#define EACH "tiles.h"
#include "each_real.h"
#undef SET
#undef TARGET
#undef TILE_BYTES
#undef TILE_ROWS
#endif

#define SET(name) name##_any
#define TARGET
#define TILE_BYTES 16
#if defined(__aarch64__) /* it has 32 registers */
#define TILE_ROWS 12
#else
#define TILE_ROWS 6
#endif
#define EACH "tiles.h"
#include "each_real.h"
#undef SET
#undef TARGET
#undef TILE_BYTES
#undef TILE_ROWS

/* The tiles of this machine. */
static const TileSet *tile_set(int is_double) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        return is_double ? &set_avx512_f64 : &set_avx512_f32;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return is_double ? &set_avx2_f64 : &set_avx2_f32;
#endif
    return is_double ? &set_any_f64 : &set_any_f32;
}

/* Rows are taken in tiles of nearly one size; so many has the first of those that are left. */
INLINE ptrdiff_t rows_of_tile(const TileSet *set, ptrdiff_t left) {
    const ptrdiff_t tiles = (left + set->rows - 1) / set->rows;
    return (left + tiles - 1) / tiles;
}
#endif
