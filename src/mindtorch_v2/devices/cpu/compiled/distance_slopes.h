/* The gradients of distances: for each vector the sum, over the others, of the derivative of their distance times its
   gradient. What is no distance apart has no derivative. */
#ifndef EACH
#include "distances.h"

enum { SLOPES_OF_NOTHING, SLOPES_OF_SIZES, SLOPES_OF_SQUARES, SLOPES_OF_LARGEST, SLOPES_OF_POWERS };
enum { SOME = 256 }; /* distances whose slopes are worked out at a time */

typedef struct {
    int kind;
    double p;
    ptrdiff_t rows, others, size; /* vectors of each set in a batch, and their numbers */
    const void *one, *two, *grad, *apart;
    void *out;
} Slopes;

#define EACH "distance_slopes.h"
#include "each_real.h"
#else
/* The derivatives of the distances of a vector to some others, each times its gradient, added to a row. */
INLINE void FN(add_slopes)(REAL *to, const REAL *a, const REAL *b, const REAL *grad, const REAL *apart, ptrdiff_t count,
                           const Slopes *s) {
    REAL scale[SOME];
    const REAL power = (REAL)(s->p - 1);
    const ptrdiff_t size = s->size;
    switch (s->kind) {
    case SLOPES_OF_SQUARES:
        FREE_LOOP for (ptrdiff_t j = 0; j < count; j++) scale[j] = apart[j] == 0 ? 0 : grad[j] / apart[j];
        for (ptrdiff_t j = 0; j < count; j++)
            FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) to[i] += scale[j] * (a[i] - b[j * size + i]);
        return;
    case SLOPES_OF_SIZES:
        for (ptrdiff_t j = 0; j < count; j++) {
            const REAL pull = apart[j] == 0 ? 0 : grad[j];
            FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) {
                const REAL d = a[i] - b[j * size + i];
                to[i] += d > 0 ? pull : d < 0 ? -pull : d * pull; /* a NaN stays */
            }
        }
        return;
    case SLOPES_OF_LARGEST:
        for (ptrdiff_t j = 0; j < count; j++) {
            const REAL pull = apart[j] == 0 ? 0 : grad[j], largest = apart[j];
            FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) {
                const REAL d = a[i] - b[j * size + i];
                to[i] += (d > 0 ? pull : d < 0 ? -pull : d * pull) * (REAL)(FN(abs)(d) == largest);
            }
        }
        return;
    case SLOPES_OF_POWERS:
        for (ptrdiff_t j = 0; j < count; j++) {
            if (apart[j] == 0) continue;
            const REAL pull = grad[j] / FN(pow)(apart[j], power);
            FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) {
                const REAL d = a[i] - b[j * size + i], slope = FN(pow)(FN(abs)(d), power) * pull;
                to[i] += d > 0 ? slope : d < 0 ? -slope : d;
            }
        }
    }
}

/* Rows of all batches one after the other. */
CLONES static void FN(slopes_between)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Slopes *s = (const Slopes *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const REAL *a = (const REAL *)s->one + i * s->size;
        const REAL *b = (const REAL *)s->two + i / s->rows * s->others * s->size;
        const REAL *grad = (const REAL *)s->grad + i * s->others, *apart = (const REAL *)s->apart + i * s->others;
        REAL *to = (REAL *)s->out + i * s->size;
        memset(to, 0, s->size * sizeof *to);
        for (ptrdiff_t j = 0; j < s->others; j += SOME)
            FN(add_slopes)(to, a, b + j * s->size, grad + j, apart + j, s->others - j < SOME ? s->others - j : SOME, s);
    }
}

/* Of a set of vectors, whose distances stand once each: those of a row to the rows behind it side by side. */
CLONES static void FN(slopes_within)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Slopes *s = (const Slopes *)job;
    const REAL *x = (const REAL *)s->one, *all_grads = (const REAL *)s->grad, *all_apart = (const REAL *)s->apart;
    REAL grad[SOME], apart[SOME];
    for (ptrdiff_t i = begin; i < end; i++) {
        REAL *to = (REAL *)s->out + i * s->size;
        memset(to, 0, s->size * sizeof *to);
        for (ptrdiff_t first = 0; first < s->rows; first += SOME) {
            const ptrdiff_t count = s->rows - first < SOME ? s->rows - first : SOME;
            ptrdiff_t pair = first * s->rows - first * (first + 1) / 2 + i - first - 1; /* of row `first` and row i */
            for (ptrdiff_t j = first; j < first + count; pair += s->rows - j - 2, j++) {
                const ptrdiff_t behind = i * s->rows - i * (i + 1) / 2 + j - i - 1, at = j < i ? pair : behind;
                grad[j - first] = i == j ? 0 : all_grads[at];
                apart[j - first] = i == j ? 0 : all_apart[at];
            }
            FN(add_slopes)(to, x + i * s->size, x + first * s->size, grad, apart, count, s);
        }
    }
}
#endif
