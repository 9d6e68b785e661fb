/* Numbers in a row, rounded where torch rounds them. */
#include "vmath.h"

enum { VECTOR_BYTES = 32 }; /* torch computes floating-point ranges in vectors of so many bytes */

typedef struct {
    void *out;
    ptrdiff_t n;
    double start, step, end;
    const double *exponents;
} row_of_numbers;

/* start + i * step; torch rounds at the head of each vector, but for what does not fill two of them. */
#define IN_VECTORS(suffix, T)                                                                                        \
    CLONES static void vectors_##suffix(void *job, ptrdiff_t begin, ptrdiff_t end) {                                 \
        const row_of_numbers *r = (const row_of_numbers *)job;                                                       \
        const double start = r->start, step = r->step;                                                               \
        enum { lanes = VECTOR_BYTES / sizeof(T) };                                                                   \
        const ptrdiff_t whole = r->n - r->n % (2 * lanes), stop = end * lanes < whole ? end * lanes : whole;         \
        T *out = (T *)r->out;                                                                                        \
        ptrdiff_t i = begin * lanes;                                                                                 \
        for (; i < stop; i += lanes) {                                                                               \
            const double head = (double)(T)fma((double)i, step, start);                                              \
            for (int lane = 0; lane < lanes; lane++) out[i + lane] = (T)fma((double)lane, step, head);               \
        }                                                                                                            \
        for (; i < end * lanes && i < r->n; i++) out[i] = (T)fma((double)i, step, start);                            \
    }
IN_VECTORS(f32, float)
IN_VECTORS(f64, double)
#undef IN_VECTORS

/* Counted from both ends, so that both are met exactly. */
#define BETWEEN(suffix, T, FMA)                                                                                      \
    CLONES static void between_##suffix(void *job, ptrdiff_t begin, ptrdiff_t end) {                                 \
        const row_of_numbers *r = (const row_of_numbers *)job;                                                       \
        const T first = (T)r->start, last = (T)r->end, step = (last - first) / (T)(r->n - 1);                        \
        const ptrdiff_t middle = r->n / 2, stop = end < middle ? end : middle;                                       \
        T *out = (T *)r->out;                                                                                        \
        ptrdiff_t i = begin;                                                                                         \
        for (; i < stop; i++) out[i] = FMA((T)i, step, first);                                                       \
        for (; i < end; i++) out[i] = FMA((T)(r->n - 1 - i), -step, last);                                           \
    }
BETWEEN(f32, float, fmaf)
BETWEEN(f64, double, fma)
#undef BETWEEN

/* The C library's powers of one base, to the last bit. */
static void powers_of_base(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const row_of_numbers *r = (const row_of_numbers *)job;
    for (ptrdiff_t i = begin; i < end; i++) ((double *)r->out)[i] = pow(r->start, r->exponents[i]);
}
