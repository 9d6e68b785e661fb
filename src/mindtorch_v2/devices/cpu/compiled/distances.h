/* Distances of a vector to many: sums of sizes, of squares, or the largest size of a difference. Vectors are taken GROUP at
   a time, each in lanes of its own, which are then turned and merged at once. */
#include "reduce_loops.h"

typedef void (*distance_loop)(char *out, const char *vector, const char *others, ptrdiff_t count, ptrdiff_t size);

typedef struct {
    const char *one, *two;
    char *out;
    ptrdiff_t rows, others, size, itemsize; /* vectors of each set in a batch, and their numbers */
    distance_loop run;
} distances;

#define DISTANCE(name, suffix, T, ENTER, MERGE, END)                                                                 \
    INLINE void group_##name##_##suffix(T *out, const T *a, const T *b, ptrdiff_t count, ptrdiff_t size) {           \
        enum { KEPT = 64 / sizeof(T) };                                                                              \
        _Alignas(64) T lanes[GROUP][KEPT] = {{0}}, turned[KEPT][GROUP];                                              \
        const ptrdiff_t rest = size % KEPT, whole = size - rest;                                                     \
        for (ptrdiff_t r = 0; r < count; r++) {                                                                      \
            const T *row = b + r * size;                                                                             \
            T here[KEPT];                                                                                            \
            ROLLED for (int l = 0; l < KEPT; l++) here[l] = 0;                                                       \
            for (ptrdiff_t i = 0; i < whole; i += KEPT)                                                              \
                ROLLED for (int l = 0; l < KEPT; l++) {                                                              \
                    const T apart = a[i + l] - row[i + l];                                                           \
                    ENTER(here[l], apart);                                                                           \
                }                                                                                                    \
            memcpy(lanes[r], here, sizeof here);                                                                     \
        }                                                                                                            \
        for (ptrdiff_t r = 0; rest && r < count; r++)                                                                \
            for (ptrdiff_t l = 0; l < rest; l++) ENTER(lanes[r][l], (a[whole + l] - b[r * size + whole + l]));       \
        turn_lanes_##suffix(turned[0], lanes[0]);                                                                    \
        for (int l = 1; l < KEPT; l++)                                                                               \
            ROLLED for (int r = 0; r < GROUP; r++) MERGE(turned[0][r], turned[l][r]);                                \
        for (ptrdiff_t r = 0; r < count; r++) out[r] = END(turned[0][r]);                                            \
    }                                                                                                                \
    CLONES static void name##_##suffix(char *out, const char *vector, const char *others, ptrdiff_t count,           \
                                       ptrdiff_t size) {                                                             \
        for (ptrdiff_t j = 0; j < count; j += GROUP)                                                                 \
            group_##name##_##suffix((T *)out + j, (const T *)vector, (const T *)others + j * size,                   \
                                    count - j < GROUP ? count - j : GROUP, size);                                    \
    }
#define ITSELF(x) (x)
#define ENTER_OWN_SQUARE(acc, x) acc += (x) * (x)
#define DISTANCES(suffix, T)                                                                                         \
    DISTANCE(sizes, suffix, T, ENTER_SIZE, ENTER_SUM, ITSELF)                                                        \
    DISTANCE(squares, suffix, T, ENTER_OWN_SQUARE, ENTER_SUM, sqrt_##suffix)                                         \
    DISTANCE(largest, suffix, T, ENTER_LARGEST_SIZE, ENTER_LARGEST, ITSELF)
DISTANCES(f32, float)
DISTANCES(f64, double)

/* Every vector of one set to every vector of another, rows of all batches one after the other. */
static void distances_between(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const distances *d = (const distances *)job;
    for (ptrdiff_t i = begin; i < end; i++)
        d->run(d->out + i * d->others * d->itemsize, d->one + i * d->size * d->itemsize,
               d->two + i / d->rows * d->others * d->size * d->itemsize, d->others, d->size);
}

/* Every vector of a set to those behind it. */
static void distances_within(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const distances *d = (const distances *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const char *vector = d->one + i * d->size * d->itemsize;
        d->run(d->out + (i * d->rows - i * (i + 1) / 2) * d->itemsize, vector, vector + d->size * d->itemsize,
               d->rows - i - 1, d->size);
    }
}
