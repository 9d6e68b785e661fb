/* Where the largest or smallest stands along the middle of a contiguous (outer, n, inner): the first of equal ones, and
   the first NaN where there is one. */
#include "vmath.h"

enum { TILE = 256 }; /* columns that are compared together */
enum { F32, F64, U8, I8, I16, I32, I64, TYPES };

typedef struct places places;
typedef void (*columns_loop)(const places *, ptrdiff_t item, ptrdiff_t first, ptrdiff_t width);
typedef void (*rows_loop)(const places *, ptrdiff_t begin, ptrdiff_t end);
struct places {
    columns_loop by_columns;
    rows_loop by_rows; /* of a few elements */
    int64_t *out;
    const void *x;
    ptrdiff_t n, inner, tiles;
};

#define PLACES(name, T, PLACE, is_better)                                                                            \
    INLINE int name##_enters(T value, T before) {                                                                    \
        return ((value is_better before) & (before == before)) | ((value != value) & (before == before));            \
    }                                                                                                                \
    CLONES static void name##_columns(const places *p, ptrdiff_t item, ptrdiff_t first, ptrdiff_t width) {                     \
        const T *x = (const T *)p->x + item * p->n * p->inner + first;                                               \
        int64_t *out = p->out + item * p->inner + first;                                                             \
        T best[TILE];                                                                                                \
        PLACE place[TILE];                                                                                           \
        memcpy(best, x, (size_t)width * sizeof(T));                                                                  \
        memset(place, 0, (size_t)width * sizeof(PLACE));                                                             \
        for (ptrdiff_t j = 1; j < p->n; j++) {                                                                       \
            x += p->inner;                                                                                           \
            for (ptrdiff_t k = 0; k < width; k++) {                                                                  \
                const int enters = name##_enters(x[k], best[k]);                                                     \
                best[k] = enters ? x[k] : best[k], place[k] = enters ? (PLACE)j : place[k];                          \
            }                                                                                                        \
        }                                                                                                            \
        for (ptrdiff_t k = 0; k < width; k++) out[k] = place[k];                                                     \
    }                                                                                                                \
    static void name##_rows(const places *p, ptrdiff_t begin, ptrdiff_t end) {                                       \
        for (ptrdiff_t i = begin; i < end; i++) {                                                                    \
            const T *x = (const T *)p->x + i * p->n;                                                                 \
            T best = x[0];                                                                                           \
            int64_t place = 0;                                                                                       \
            for (ptrdiff_t j = 1; j < p->n; j++) {                                                                   \
                const int enters = name##_enters(x[j], best);                                                        \
                best = enters ? x[j] : best, place = enters ? j : place;                                             \
            }                                                                                                        \
            p->out[i] = place;                                                                                       \
        }                                                                                                            \
    }
#define BOTH(T, PLACE) PLACES(largest_##T, T, PLACE, >) PLACES(smallest_##T, T, PLACE, <)
BOTH(float, int32_t) BOTH(double, int64_t) BOTH(uint8_t, int32_t) BOTH(int8_t, int32_t) BOTH(int16_t, int32_t)
BOTH(int32_t, int32_t) BOTH(int64_t, int64_t)
#undef BOTH
#undef PLACES
#define OF_TYPES(name, along)                                                                                        \
    {[F32] = name##_float##along, [F64] = name##_double##along, [U8] = name##_uint8_t##along,                        \
     [I8] = name##_int8_t##along, [I16] = name##_int16_t##along, [I32] = name##_int32_t##along,                      \
     [I64] = name##_int64_t##along}
static const columns_loop columns_loops[2][TYPES] = {OF_TYPES(largest, _columns), OF_TYPES(smallest, _columns)};
static const rows_loop rows_loops[2][TYPES] = {OF_TYPES(largest, _rows), OF_TYPES(smallest, _rows)};
#undef OF_TYPES

/* Rows, or tiles of columns. */
static void find_places(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const places *p = (const places *)job;
    if (p->inner == 1)
        p->by_rows(p, begin, end);
    else
        for (ptrdiff_t i = begin; i < end; i++) {
            const ptrdiff_t first = i % p->tiles * TILE, left = p->inner - first;
            p->by_columns(p, i / p->tiles, first, left < TILE ? left : TILE);
        }
}
