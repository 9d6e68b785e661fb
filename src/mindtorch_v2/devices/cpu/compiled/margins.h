/* Losses by margins, sample by sample: what a right class lacks to lead each other one is a gap. */
#ifndef EACH
#include "vmath.h"
#define EACH "margins.h"
#include "each_real.h"
#else
#include "rows.h"
#define GAP_LANES 16

/* The sum of lead + x[i], or of their squares, where it is above zero. */
INLINE REAL FN(sum_of_gaps)(const REAL *x, REAL lead, ptrdiff_t n, int is_squared) {
    REAL lane[GAP_LANES] = {0}, rest = 0;
    ptrdiff_t i = 0;
    for (; i + GAP_LANES <= n; i += GAP_LANES)
        for (int j = 0; j < GAP_LANES; j++) {
            const REAL gap = lead + x[i + j] > 0 ? lead + x[i + j] : 0;
            lane[j] += is_squared ? gap * gap : gap;
        }
    for (; i < n; i++) {
        const REAL gap = lead + x[i] > 0 ? lead + x[i] : 0;
        rest += is_squared ? gap * gap : gap;
    }
    return FN(fold_sum)(lane) + rest;
}

CLONES static void FN(multi_margin)(REAL *losses, const REAL *x, const int64_t *target, const REAL *weight,
                                    ptrdiff_t rows, ptrdiff_t classes, int p, double margin) {
    for (ptrdiff_t i = 0; i < rows; i++, x += classes) {
        const ptrdiff_t own = target[i];
        const REAL lead = R(margin) - x[own];
        const REAL gaps = FN(sum_of_gaps)(x, lead, own, p == 2) +
                          FN(sum_of_gaps)(x + own + 1, lead, classes - own - 1, p == 2);
        losses[i] = gaps * (weight ? weight[own] : 1) / R(classes);
    }
}

/* Every class with a gap is pushed down, a sample's own is pulled up as much. */
CLONES static void FN(multi_margin_backward)(REAL *slopes, const REAL *share, ptrdiff_t share_step, const REAL *x,
                                             const int64_t *target, const REAL *weight, ptrdiff_t rows,
                                             ptrdiff_t classes, int p, double margin) {
    for (ptrdiff_t i = 0; i < rows; i++, x += classes, slopes += classes) {
        const ptrdiff_t own = target[i];
        const REAL lead = R(margin) - x[own], by = share[i * share_step] * (weight ? weight[own] : 1);
        FREE_LOOP for (ptrdiff_t j = 0; j < classes; j++) {
            const REAL gap = lead + x[j];
            slopes[j] = gap > 0 ? (p == 2 ? 2 * gap : 1) : 0;
        }
        slopes[own] = 0;
        slopes[own] = -FN(row_sum)(slopes, classes);
        FREE_LOOP for (ptrdiff_t j = 0; j < classes; j++) slopes[j] *= by;
    }
}

/* The scores of the classes that are not a sample's own, and where they are; their number is returned. */
INLINE ptrdiff_t FN(gather_others)(REAL *others, ptrdiff_t *where, const REAL *x, const REAL *marks, ptrdiff_t classes) {
    ptrdiff_t count = 0;
    for (ptrdiff_t j = 0; j < classes; j++)
        if (marks[j] == 0) others[count] = x[j], where[count++] = j;
    return count;
}

/* Marks come as zeros; `others` and `where` have room for a row. */
CLONES static void FN(multilabel_margin)(REAL *losses, REAL *marks, const REAL *x, const int64_t *target, ptrdiff_t rows,
                                         ptrdiff_t classes, REAL *others, ptrdiff_t *where) {
    for (ptrdiff_t i = 0; i < rows; i++, x += classes, target += classes, marks += classes) {
        REAL gaps = 0;
        for (ptrdiff_t k = 0; k < classes && target[k] >= 0; k++) marks[target[k]] = 1;
        const ptrdiff_t count = FN(gather_others)(others, where, x, marks, classes);
        for (ptrdiff_t k = 0; k < classes && target[k] >= 0; k++)
            gaps += FN(sum_of_gaps)(others, 1 - x[target[k]], count, 0);
        losses[i] = gaps / R(classes);
    }
}

/* For each gap the other class is pushed down and the sample's own pulled up. Slopes come as zeros; `others` has room
   for two rows. */
CLONES static void FN(multilabel_margin_backward)(REAL *slopes, const REAL *share, ptrdiff_t share_step, const REAL *x,
                                                  const int64_t *target, const REAL *marks, ptrdiff_t rows,
                                                  ptrdiff_t classes, REAL *others, ptrdiff_t *where) {
    for (ptrdiff_t i = 0; i < rows; i++, x += classes, target += classes, marks += classes, slopes += classes) {
        const ptrdiff_t count = FN(gather_others)(others, where, x, marks, classes);
        REAL *pushed = others + classes;
        for (ptrdiff_t j = 0; j < count; j++) pushed[j] = 0;
        for (ptrdiff_t k = 0; k < classes && target[k] >= 0; k++) {
            const REAL lead = 1 - x[target[k]];
            ptrdiff_t gaps = 0;
            for (ptrdiff_t j = 0; j < count; j++) {
                const int has_gap = lead + others[j] > 0;
                gaps += has_gap;
                pushed[j] += R(has_gap);
            }
            slopes[target[k]] -= R(gaps);
        }
        for (ptrdiff_t j = 0; j < count; j++) slopes[where[j]] += pushed[j];
        FREE_LOOP for (ptrdiff_t j = 0; j < classes; j++) slopes[j] *= share[i * share_step];
    }
}
#undef GAP_LANES
#endif
