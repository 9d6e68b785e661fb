/* Distances of a vector to many: sums of sizes, of squares or of any powers, how many numbers differ, or the largest
   size of a difference. Long vectors are taken GROUP at a time, each in lanes of its own, which are then turned and
   merged at once; the numbers of each that do not fill the lanes come last. Of shorter ones a copy is turned first, so
   that as many distances are worked out side by side. */
#ifndef MINDTORCH_DISTANCES_H
#define MINDTORCH_DISTANCES_H
#include "binary.h"
#include "reduce_loops.h"

/* `step` is 0, or how many elements of turned others lie between two numbers of one. */
typedef void (*distance_loop)(char *out, const char *vector, const char *others, ptrdiff_t count, ptrdiff_t size,
                              ptrdiff_t step, double p);

typedef struct {
    const char *one, *two;
    char *out;
    ptrdiff_t rows, others, size, itemsize; /* vectors of each set in a batch, and their numbers */
    distance_loop run;
    double p;
    char *turned; /* the others of each batch, their first numbers first, with room to read on behind them; or NULL */
} distances;

enum { LONGEST_TURNED = 128, SIDE_BY_SIDE = 32 };

#define DISTANCE(name, suffix, T, ENTER, MERGE, END)                                                                 \
    INLINE void group_##name##_##suffix(T *out, const T *a, const T *b, ptrdiff_t count, ptrdiff_t size, T p) {      \
        enum { KEPT = 64 / sizeof(T) };                                                                              \
        _Alignas(64) T lanes[GROUP][KEPT] = {{0}}, turned[KEPT][GROUP];                                              \
        const ptrdiff_t rest = size % KEPT, whole = size - rest;                                                     \
        for (ptrdiff_t r = 0; whole && r < count; r++) {                                                             \
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
        T *totals = whole ? turned[0] : lanes[0];                                                                    \
        if (whole) {                                                                                                 \
            turn_lanes_##suffix(turned[0], lanes[0]);                                                                \
            for (int l = 1; l < KEPT; l++)                                                                           \
                ROLLED for (int r = 0; r < GROUP; r++) MERGE(turned[0][r], turned[l][r]);                            \
        }                                                                                                            \
        for (ptrdiff_t i = whole; i < size; i++) {                                                                   \
            if (count == GROUP)                                                                                      \
                ROLLED for (int r = 0; r < GROUP; r++) {                                                             \
                    const T apart = a[i] - b[r * size + i];                                                          \
                    ENTER(totals[r], apart);                                                                         \
                }                                                                                                    \
            else                                                                                                     \
                for (ptrdiff_t r = 0; r < count; r++) {                                                              \
                    const T apart = a[i] - b[r * size + i];                                                          \
                    ENTER(totals[r], apart);                                                                         \
                }                                                                                                    \
        }                                                                                                            \
        for (ptrdiff_t r = 0; r < count; r++) out[r] = END(totals[r]);                                               \
    }                                                                                                                \
    INLINE void turned_##name##_##suffix(T *out, const T *a, const T *b, ptrdiff_t count, ptrdiff_t size,           \
                                         ptrdiff_t step, T p) {                                                      \
        T totals[SIDE_BY_SIDE] = {0};                                                                                \
        for (ptrdiff_t i = 0; i < size; i++)                                                                         \
            ROLLED for (int j = 0; j < SIDE_BY_SIDE; j++) { /* which may be more than there are: memory goes on */   \
                const T apart = a[i] - b[i * step + j];                                                              \
                ENTER(totals[j], apart);                                                                             \
            }                                                                                                        \
        FREE_LOOP for (ptrdiff_t j = 0; j < count; j++) out[j] = END(totals[j]);                                     \
    }                                                                                                                \
    CLONES static void name##_##suffix(char *out, const char *vector, const char *others, ptrdiff_t count,           \
                                       ptrdiff_t size, ptrdiff_t step, double p) {                                   \
        for (ptrdiff_t j = 0; step && j < count; j += SIDE_BY_SIDE)                                                  \
            turned_##name##_##suffix((T *)out + j, (const T *)vector, (const T *)others + j,                         \
                                     count - j < SIDE_BY_SIDE ? count - j : SIDE_BY_SIDE, size, step, (T)p);         \
        for (ptrdiff_t j = 0; !step && j < count; j += GROUP)                                                        \
            group_##name##_##suffix((T *)out + j, (const T *)vector, (const T *)others + j * size,                   \
                                    count - j < GROUP ? count - j : GROUP, size, (T)p);                              \
    }
#define ITSELF(x) (x)
#define ENTER_OWN_SQUARE(acc, x) acc += (x) * (x)
#define ENTER_DIFFERENT(acc, x) acc += (x) == (x) ? (x) != 0 : (x) /* a NaN stays */
#define ENTER_POWER_f32(acc, x) acc += pow_f32(fabsf(x), p)
#define ENTER_POWER_f64(acc, x) acc += pow_f64(fabs(x), p)
#define ROOT_f32(x) pow_f32(x, 1 / p)
#define ROOT_f64(x) pow_f64(x, 1 / p)
#define DISTANCES(suffix, T)                                                                                         \
    DISTANCE(sizes, suffix, T, ENTER_SIZE, ENTER_SUM, ITSELF)                                                        \
    DISTANCE(squares, suffix, T, ENTER_OWN_SQUARE, ENTER_SUM, sqrt_##suffix)                                         \
    DISTANCE(largest, suffix, T, ENTER_LARGEST_SIZE, ENTER_LARGEST, ITSELF)                                          \
    DISTANCE(differing, suffix, T, ENTER_DIFFERENT, ENTER_SUM, ITSELF)                                               \
    DISTANCE(powers, suffix, T, ENTER_POWER_##suffix, ENTER_SUM, ROOT_##suffix)
DISTANCES(f32, float)
DISTANCES(f64, double)

/* Every vector of one set to every vector of another, rows of all batches one after the other. */
static void distances_between(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const distances *d = (const distances *)job;
    const char *others = d->turned ? d->turned : d->two;
    for (ptrdiff_t i = begin; i < end; i++)
        d->run(d->out + i * d->others * d->itemsize, d->one + i * d->size * d->itemsize,
               others + i / d->rows * d->others * d->size * d->itemsize, d->others, d->size,
               d->turned ? d->others : 0, d->p);
}

/* Every vector of a set to those behind it. */
static void distances_within(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const distances *d = (const distances *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const char *vector = d->one + i * d->size * d->itemsize;
        d->run(d->out + (i * d->rows - i * (i + 1) / 2) * d->itemsize, vector,
               d->turned ? d->turned + (i + 1) * d->itemsize : vector + d->size * d->itemsize, d->rows - i - 1, d->size,
               d->turned ? d->rows : 0, d->p);
    }
}

/* Batches begin to end of vectors, so many each, turned: the first numbers of all of them, then the second ones ... */
static void turn_vectors(char *to, const char *x, ptrdiff_t batches, ptrdiff_t count, ptrdiff_t size,
                         ptrdiff_t itemsize) {
    const ptrdiff_t each = count * size;
    for (ptrdiff_t i = 0; i < batches; i++)
        if (itemsize == sizeof(float))
            turn_matrix_f32((float *)to + i * each, count, (const float *)x + i * each, size, count, size);
        else
            turn_matrix_f64((double *)to + i * each, count, (const double *)x + i * each, size, count, size);
}
#endif
