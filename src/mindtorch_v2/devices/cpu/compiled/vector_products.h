/* Products with vectors: of halves, widened a piece at a time and summed up in float32; outer and cross products. */
#ifndef EACH
#include "half.h"

enum { PIECE = 512, TERM = 8192, STRANDS = 4, STRAND_LANES = 16 }; /* numbers: widened at a time, of a part of a sum */

/* Steps are in bytes. Parts of a sum, and pieces of a line, depend on sizes alone. */
typedef struct {
    int half;
    ptrdiff_t rows, size, row_step, step, other_step;
    const char *x, *other; /* halves; `other` is only for one sum */
    const float *vector;
    float *out;
    double *terms;
} HalfProducts;

#if defined(__GNUC__)
typedef float Strand __attribute__((vector_size(4 * STRAND_LANES), aligned(4), may_alias));
#endif

/* Every sum goes by as many strands, which are added up in one order. */
CLONES static float sum_of_products(const float *a, const float *b, ptrdiff_t n) {
    enum { AT_ONCE = STRANDS * STRAND_LANES };
    float total = 0;
    ptrdiff_t p = 0;
#if defined(__GNUC__)
    Strand sum[STRANDS] = {{0}};
    for (; p + AT_ONCE <= n; p += AT_ONCE)
        _Pragma("GCC unroll 4") for (int s = 0; s < STRANDS; s++)
            sum[s] += *(const Strand *)(a + p + s * STRAND_LANES) * *(const Strand *)(b + p + s * STRAND_LANES);
    for (; p + STRAND_LANES <= n; p += STRAND_LANES) sum[0] += *(const Strand *)(a + p) * *(const Strand *)(b + p);
    sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (int lane = 0; lane < STRAND_LANES; lane++) total += sum[0][lane];
#endif
    for (; p < n; p++) total += a[p] * b[p];
    return total;
}

CLONES static void add_scaled(float *restrict sums, const float *x, float factor, ptrdiff_t n) {
    for (ptrdiff_t i = 0; i < n; i++) sums[i] += factor * x[i];
}

/* Parts begin … end of the sum of the products of two lines. */
static void half_terms(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const HalfProducts *h = (const HalfProducts *)job;
    float a[PIECE], b[PIECE];
    for (ptrdiff_t term = begin; term < end; term++) {
        const ptrdiff_t past = h->size - term * TERM < TERM ? h->size : (term + 1) * TERM;
        double total = 0;
        for (ptrdiff_t p = term * TERM; p < past; p += PIECE) {
            const ptrdiff_t n = past - p < PIECE ? past - p : PIECE;
            widen(h->half, a, h->x + p * h->step, h->step, n);
            widen(h->half, b, h->other + p * h->other_step, h->other_step, n);
            total += sum_of_products(a, b, n);
        }
        h->terms[term] = total;
    }
}

/* Rows begin … end by the vector. */
static void half_rows(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const HalfProducts *h = (const HalfProducts *)job;
    float x[PIECE];
    for (ptrdiff_t i = begin; i < end; i++) {
        double total = 0;
        for (ptrdiff_t p = 0; p < h->size; p += PIECE) {
            const ptrdiff_t n = h->size - p < PIECE ? h->size - p : PIECE;
            widen(h->half, x, h->x + i * h->row_step + p * h->step, h->step, n);
            total += sum_of_products(x, h->vector + p, n);
        }
        h->out[i] = (float)total;
    }
}

/* The same where columns lie in one piece: pieces begin … end of all columns, one after the other. */
static void half_columns(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const HalfProducts *h = (const HalfProducts *)job;
    float x[PIECE];
    for (ptrdiff_t piece = begin; piece < end; piece++) {
        const ptrdiff_t first = piece * PIECE, n = h->rows - first < PIECE ? h->rows - first : PIECE;
        float *sums = h->out + first;
        memset(sums, 0, n * sizeof *sums);
        for (ptrdiff_t p = 0; p < h->size; p++) {
            widen(h->half, x, h->x + first * h->row_step + p * h->step, h->row_step, n);
            add_scaled(sums, x, h->vector[p], n);
        }
    }
}

/* beta * summand + alpha * column * row; steps of the summand, of its rows and of the column are in elements. */
typedef struct {
    ptrdiff_t rows, columns, summand_row, summand_step, column_step;
    const void *summand, *column, *row;
    void *out;
    double beta, alpha;
} Outer;

/* Cross products of vectors whose three numbers lie `inner` elements apart. */
typedef struct {
    ptrdiff_t inner;
    const void *a, *b;
    void *out;
} Cross;

#define EACH "vector_products.h"
#include "each_real.h"
#else

CLONES static void FN(outer_rows)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Outer *o = (const Outer *)job;
    const REAL *row = (const REAL *)o->row, beta = (REAL)o->beta, alpha = (REAL)o->alpha;
    const ptrdiff_t n = o->columns, step = o->summand_step;
    for (ptrdiff_t i = begin; i < end; i++) {
        const REAL factor = alpha * ((const REAL *)o->column)[i * o->column_step];
        const REAL *summand = (const REAL *)o->summand + i * o->summand_row;
        REAL *to = (REAL *)o->out + i * n;
        if (beta == 0)
            FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) to[j] = factor * row[j];
        else if (step == 1)
            FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) to[j] = beta * summand[j] + factor * row[j];
        else
            FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) to[j] = beta * summand[j * step] + factor * row[j];
    }
}

/* Of the elements before the vectors, begin … end. */
CLONES static void FN(crosses)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Cross *c = (const Cross *)job;
    const ptrdiff_t n = c->inner;
    for (ptrdiff_t i = begin; i < end; i++) {
        const REAL *a = (const REAL *)c->a + 3 * i * n, *b = (const REAL *)c->b + 3 * i * n;
        REAL *to = (REAL *)c->out + 3 * i * n;
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) {
            const REAL x = a[n + j] * b[2 * n + j] - a[2 * n + j] * b[n + j];
            const REAL y = a[2 * n + j] * b[j] - a[j] * b[2 * n + j];
            const REAL z = a[j] * b[n + j] - a[n + j] * b[j];
            to[j] = x, to[n + j] = y, to[2 * n + j] = z;
        }
    }
}
#endif
