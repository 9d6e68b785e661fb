/* Decompositions of many small matrices, column by column, and what is solved by them: what LAPACK does, without a call
   for each matrix. Element (i, j) of a matrix of n rows is a[j * n + i]. */
#ifndef EACH
#include "vmath.h"

/* A batch: matrices of m rows and n columns, `others` what is solved, of m rows and k columns. */
typedef struct {
    ptrdiff_t m, n, k;
    void *matrices, *others;
    int32_t *pivots, *info;
    int flag; /* which half of a matrix counts, or whether it is turned */
} Batch;

INLINE ptrdiff_t fewer(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

#define EACH "small_matrices.h"
#include "each_real.h"
#else

INLINE REAL FN(root_of)(REAL x) { return IS_FLOAT ? (REAL)sqrtf((float)x) : (REAL)sqrt(x); }
INLINE REAL FN(size)(REAL x) { return x < 0 ? -x : x; }

/* to -= factor * of */
INLINE void FN(take_off)(REAL *to, const REAL *of, REAL factor, ptrdiff_t first, ptrdiff_t past) {
    FREE_LOOP for (ptrdiff_t i = first; i < past; i++) to[i] -= factor * of[i];
}

INLINE void FN(exchange)(REAL *a, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t one, ptrdiff_t two) {
    for (ptrdiff_t j = 0; one != two && j < columns; j++) {
        const REAL kept = a[j * rows + one];
        a[j * rows + one] = a[j * rows + two];
        a[j * rows + two] = kept;
    }
}

/* Both triangles in the place of the matrix; the first zero of the diagonal, counted from 1, is returned, or 0. */
INLINE int32_t FN(factor_lu)(REAL *a, ptrdiff_t m, ptrdiff_t n, int32_t *pivots) {
    int32_t first_zero = 0;
    for (ptrdiff_t j = 0; j < fewer(m, n); j++) {
        REAL *column = a + j * m;
        ptrdiff_t largest = j;
        for (ptrdiff_t i = j + 1; i < m; i++)
            if (FN(size)(column[i]) > FN(size)(column[largest])) largest = i;
        pivots[j] = (int32_t)largest + 1;
        if (column[largest] != 0) {
            FN(exchange)(a, m, n, j, largest);
            const REAL pivot = column[j];
            FREE_LOOP for (ptrdiff_t i = j + 1; i < m; i++) column[i] /= pivot;
        } else if (!first_zero)
            first_zero = (int32_t)j + 1;
        for (ptrdiff_t c = j + 1; c < n; c++) FN(take_off)(a + c * m, column, a[c * m + j], j + 1, m);
    }
    return first_zero;
}

CLONES static void FN(lu_factors)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Batch *b = (const Batch *)job;
    for (ptrdiff_t i = begin; i < end; i++)
        b->info[i] = FN(factor_lu)((REAL *)b->matrices + i * b->m * b->n, b->m, b->n, b->pivots + i * fewer(b->m, b->n));
}

/* x by the triangles a of n rows: of LUx = x, or of its transpose. */
INLINE void FN(solve_lu)(REAL *x, const REAL *a, ptrdiff_t n, int is_turned) {
    if (!is_turned) {
        for (ptrdiff_t j = 0; j < n; j++) FN(take_off)(x, a + j * n, x[j], j + 1, n);
        for (ptrdiff_t j = n - 1; j >= 0; j--) {
            x[j] /= a[j * n + j];
            FN(take_off)(x, a + j * n, x[j], 0, j);
        }
        return;
    }
    for (ptrdiff_t j = 0; j < n; j++) {
        for (ptrdiff_t i = 0; i < j; i++) x[j] -= a[j * n + i] * x[i];
        x[j] /= a[j * n + j];
    }
    for (ptrdiff_t j = n - 1; j >= 0; j--)
        for (ptrdiff_t i = j + 1; i < n; i++) x[j] -= a[j * n + i] * x[i];
}

CLONES static void FN(lu_solutions)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Batch *b = (const Batch *)job;
    const ptrdiff_t n = b->m;
    for (ptrdiff_t i = begin; i < end; i++) {
        const REAL *a = (const REAL *)b->matrices + i * n * n;
        const int32_t *pivots = b->pivots + i * n;
        REAL *x = (REAL *)b->others + i * n * b->k;
        for (ptrdiff_t r = 0; !b->flag && r < n; r++) FN(exchange)(x, n, b->k, r, pivots[r] - 1);
        for (ptrdiff_t c = 0; c < b->k; c++) FN(solve_lu)(x + c * n, a, n, b->flag);
        for (ptrdiff_t r = n - 1; b->flag && r >= 0; r--) FN(exchange)(x, n, b->k, r, pivots[r] - 1);
    }
}

/* The triangle in its half of a matrix; the order of the first minor that is not positive is returned, or 0. */
INLINE int32_t FN(factor_cholesky)(REAL *a, ptrdiff_t n, int is_upper) {
    const ptrdiff_t down = is_upper ? n : 1, across = is_upper ? 1 : n; /* steps from (i, j) of the lower triangle */
    for (ptrdiff_t j = 0; j < n; j++) {
        REAL *column = a + j * across;
        for (ptrdiff_t p = 0; p < j; p++) {
            const REAL *before = a + p * across, factor = before[j * down];
            for (ptrdiff_t i = j; i < n; i++) column[i * down] -= factor * before[i * down];
        }
        if (!(column[j * down] > 0)) return (int32_t)j + 1;
        const REAL root = FN(root_of)(column[j * down]);
        column[j * down] = root;
        for (ptrdiff_t i = j + 1; i < n; i++) column[i * down] /= root;
    }
    return 0;
}

CLONES static void FN(cholesky_factors)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Batch *b = (const Batch *)job;
    for (ptrdiff_t i = begin; i < end; i++)
        b->info[i] = FN(factor_cholesky)((REAL *)b->matrices + i * b->n * b->n, b->n, b->flag);
}
#endif
