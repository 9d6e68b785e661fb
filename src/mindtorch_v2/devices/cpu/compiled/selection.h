/* Elements at places along the middle of (outer, n, inner): read, written or added to. Callers have seen to it that all
   places exist (are_within). */
#include "vmath.h"

typedef struct {
    char *out;
    const char *x; /* what is read; a single element where step is 0 */
    const int64_t *places;
    ptrdiff_t outer, n, count, inner; /* n elements along the dimension, count places */
    ptrdiff_t step;
    int kind;
} selection;

#define GATHER(T)                                                                                                    \
    static void gather_##T(selection *s, ptrdiff_t begin, ptrdiff_t end) {                                           \
        for (ptrdiff_t i = begin; i < end; i++) {                                                                    \
            const T *x = (const T *)s->x + i * s->n * s->inner;                                                      \
            const ptrdiff_t first = i * s->count * s->inner;                                                         \
            for (ptrdiff_t j = 0; j < s->count; j++)                                                                 \
                for (ptrdiff_t k = 0; k < s->inner; k++) {                                                           \
                    const ptrdiff_t at = first + j * s->inner + k;                                                   \
                    const int64_t place = s->places[at];                                                             \
                    ((T *)s->out)[at] = x[place * s->inner + k];                                                     \
                }                                                                                                    \
        }                                                                                                            \
    }
#define SCATTER(name, T, SIGN)                                                                                       \
    static void name##_##T(selection *s, ptrdiff_t begin, ptrdiff_t end) {                                           \
        for (ptrdiff_t i = begin; i < end; i++) {                                                                    \
            T *out = (T *)s->out + i * s->n * s->inner;                                                              \
            const ptrdiff_t first = i * s->count * s->inner;                                                         \
            for (ptrdiff_t j = 0; j < s->count; j++)                                                                 \
                for (ptrdiff_t k = 0; k < s->inner; k++) {                                                           \
                    const ptrdiff_t at = first + j * s->inner + k;                                                   \
                    const int64_t place = s->places[at];                                                             \
                    out[place * s->inner + k] SIGN((const T *)s->x)[at * s->step];                                   \
                }                                                                                                    \
        }                                                                                                            \
    }
GATHER(uint8_t) GATHER(uint16_t) GATHER(uint32_t) GATHER(uint64_t)
SCATTER(scatter, uint8_t, =) SCATTER(scatter, uint16_t, =) SCATTER(scatter, uint32_t, =) SCATTER(scatter, uint64_t, =)
SCATTER(scatter_add, float, +=) SCATTER(scatter_add, double, +=)
SCATTER(scatter_add, uint32_t, +=) SCATTER(scatter_add, uint64_t, +=) /* integers of either sign wrap around alike */
#undef GATHER
#undef SCATTER

typedef void (*selecting)(selection *, ptrdiff_t, ptrdiff_t);
/* by the bytes of an element */
static const selecting gather_loops[9] = {[1] = gather_uint8_t, [2] = gather_uint16_t, [4] = gather_uint32_t,
                                          [8] = gather_uint64_t};
static const selecting scatter_loops[9] = {[1] = scatter_uint8_t, [2] = scatter_uint16_t, [4] = scatter_uint32_t,
                                           [8] = scatter_uint64_t};
static const selecting add_loops[4] = {scatter_add_float, scatter_add_double, scatter_add_uint32_t,
                                       scatter_add_uint64_t};

CLONES static int are_within(const int64_t *places, ptrdiff_t count, ptrdiff_t n) {
    int64_t outside = 0;
    for (ptrdiff_t i = 0; i < count; i++) outside |= places[i] | (n - 1 - places[i]); /* negative where it is outside */
    return outside >= 0;
}

/* The coordinates of bytes that are not zero, `ndim` numbers each, for rows of the last dimension. */
static ptrdiff_t count_true(const uint8_t *x, ptrdiff_t n) {
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i++) count += x[i] != 0;
    return count;
}

static void coordinates(int64_t *out, const uint8_t *x, const ptrdiff_t *sizes, int ndim, ptrdiff_t rows) {
    const ptrdiff_t width = ndim ? sizes[ndim - 1] : 1;
    int64_t at[64] = {0};
    for (ptrdiff_t row = 0; row < rows; row++) {
        for (ptrdiff_t i = 0; i < width; i++)
            if (x[row * width + i]) {
                for (int d = 0; d < ndim - 1; d++) *out++ = at[d];
                if (ndim) *out++ = i;
            }
        for (int d = ndim - 2; d >= 0; d--) {
            if (++at[d] < sizes[d]) break;
            at[d] = 0;
        }
    }
}
