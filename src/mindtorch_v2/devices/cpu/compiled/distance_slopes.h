/* The gradients of distances: for each vector the sum, over the others, of the derivative of their distance times its
   gradient. What is no distance apart has no derivative. */
#ifndef EACH
#include "vmath.h"

enum { SLOPES_OF_SIZES, SLOPES_OF_SQUARES, SLOPES_OF_LARGEST };

typedef struct {
    int kind;
    ptrdiff_t rows, others, size; /* vectors of each set in a batch, and their numbers */
    const void *one, *two, *grad, *apart;
    void *out;
} Slopes;

#define EACH "distance_slopes.h"
#include "each_real.h"
#else
/* The derivative of one distance, added to a row. */
INLINE void FN(add_slope)(REAL *to, const REAL *a, const REAL *b, REAL grad, REAL apart, int kind, ptrdiff_t size) {
    if (apart == 0) return;
    if (kind == SLOPES_OF_SQUARES) {
        const REAL scale = grad / apart;
        FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) to[i] += scale * (a[i] - b[i]);
        return;
    }
    for (ptrdiff_t i = 0; i < size; i++) {
        const REAL d = a[i] - b[i], signed_grad = d > 0 ? grad : d < 0 ? -grad : d * grad;
        to[i] += kind == SLOPES_OF_SIZES ? signed_grad : signed_grad * (REAL)((d < 0 ? -d : d) == apart);
    }
}

/* Rows of all batches one after the other. */
CLONES static void FN(slopes_between)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Slopes *s = (const Slopes *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        const REAL *a = (const REAL *)s->one + i * s->size, *b = (const REAL *)s->two + i / s->rows * s->others * s->size;
        const REAL *grad = (const REAL *)s->grad + i * s->others, *apart = (const REAL *)s->apart + i * s->others;
        REAL *to = (REAL *)s->out + i * s->size;
        memset(to, 0, s->size * sizeof *to);
        for (ptrdiff_t j = 0; j < s->others; j++) FN(add_slope)(to, a, b + j * s->size, grad[j], apart[j], s->kind, s->size);
    }
}

/* Of a set of vectors, whose distances stand once each: those of a row to the rows behind it side by side. */
CLONES static void FN(slopes_within)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Slopes *s = (const Slopes *)job;
    const REAL *x = (const REAL *)s->one, *grad = (const REAL *)s->grad, *apart = (const REAL *)s->apart;
    for (ptrdiff_t i = begin; i < end; i++) {
        REAL *to = (REAL *)s->out + i * s->size;
        memset(to, 0, s->size * sizeof *to);
        for (ptrdiff_t j = 0; j < s->rows; j++) {
            const ptrdiff_t low = i < j ? i : j, high = i < j ? j : i;
            const ptrdiff_t pair = low * s->rows - low * (low + 1) / 2 + high - low - 1;
            if (i != j) FN(add_slope)(to, x + i * s->size, x + j * s->size, grad[pair], apart[pair], s->kind, s->size);
        }
    }
}
#endif
