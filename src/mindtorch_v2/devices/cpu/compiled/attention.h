/* Attention of one head. The rows of q, k, v and out are a stride apart, the elements of a row side by side. */
#ifndef EACH
#include "logarithm.h"
typedef struct {
    ptrdiff_t l, s, e, ev;          /* queries, keys, width of a key, width of a value */
    ptrdiff_t first;                /* the query that comes first, where these are some of more */
    ptrdiff_t q, k, v, o, g;        /* strides of a row, in elements; o is of out, g of its gradient */
    ptrdiff_t gq, gk, gv, mask_row, mask_column;
    int causal;
    double scale;
} Head;
#define EACH "attention.h"
#include "each_real.h"
#define attention_head_any(single, ...) BY_TYPE(single, attention_head, __VA_ARGS__)
#define attention_head_backward_any(single, ...) BY_TYPE(single, attention_head_backward, __VA_ARGS__)
#define score_rows_any(single, ...) BY_TYPE(single, score_rows, __VA_ARGS__)
#define probability_rows_any(single, ...) BY_TYPE(single, probability_rows, __VA_ARGS__)
#define slope_rows_any(single, ...) BY_TYPE(single, slope_rows, __VA_ARGS__)
#else
#include "rows.h"

/* With keys turned on their side, a row of scores is a sum of rows, and nothing is added up across a register. */
INLINE void FN(turn)(REAL *turned, const REAL *x, ptrdiff_t rows, ptrdiff_t cols, ptrdiff_t stride) {
    for (ptrdiff_t r = 0; r < rows; r++)
        for (ptrdiff_t c = 0; c < cols; c++) turned[c * rows + r] = x[r * stride + c];
}

/* to = sum over d of factor[d] matrix[d], a tile of columns at a time so that the sums stay in registers. */
#define TILES(size)                                                                                               \
    for (; start + size <= width; start += size) {                                                                \
        REAL sum[size] = {0};                                                                                     \
        for (ptrdiff_t d = 0; d < count; d++)                                                                     \
            for (int j = 0; j < size; j++) sum[j] += factor[d * factor_step] * matrix[d * stride + start + j];    \
        memcpy(to + start, sum, sizeof sum);                                                                      \
    }
INLINE void FN(combine)(REAL *to, const REAL *factor, ptrdiff_t factor_step, const REAL *matrix, ptrdiff_t stride,
                        ptrdiff_t count, ptrdiff_t width) {
    ptrdiff_t start = 0;
    TILES(32) TILES(16) TILES(8) TILES(1)
}
#undef TILES

/* How many keys query i may look at: causal is torch's upper left triangle, whatever the two lengths. */
INLINE ptrdiff_t FN(seen)(const Head *h, ptrdiff_t i) {
    return h->causal && h->first + i + 1 < h->s ? h->first + i + 1 : h->s;
}

INLINE void FN(scale_and_mask)(REAL *row, const REAL *mask, const Head *h, ptrdiff_t i, ptrdiff_t n) {
    const REAL scale = R(h->scale);
    FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] *= scale;
    if (!mask) return;
    mask += i * h->mask_row;
    if (h->mask_column == 1)
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] += mask[j];
    else
        for (ptrdiff_t j = 0; j < n; j++) row[j] += mask[j * h->mask_column];
}

/* Softmax of a row in place, returning its log-sum-exp. A row with no key left gives 0 for both, as in torch. */
INLINE REAL FN(softmax_row)(REAL *row, ptrdiff_t n) {
    const REAL top = FN(row_max)(row, n);
    if (top == -INFINITY) {
        int lost = 0;
        for (ptrdiff_t j = 0; j < n; j++) lost |= row[j] != row[j];
        for (ptrdiff_t j = 0; j < n; j++) row[j] = lost ? NAN : 0;
        return lost ? NAN : 0;
    }
    FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = FN(exp)(row[j] - top);
    const REAL total = FN(row_sum)(row, n), share = 1 / total;
    FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] *= share;
    return top + FN(log)(total);
}

/* scratch: (e + 1) * s. */
CLONES static void FN(attention_head)(REAL *out, REAL *lse, REAL *q, REAL *k, REAL *v, REAL *mask, Head *h,
                                      REAL *scratch) {
    REAL *keys = scratch, *row = scratch + h->e * h->s;
    FN(turn)(keys, k, h->s, h->e, h->k);
    for (ptrdiff_t i = 0; i < h->l; i++) {
        const ptrdiff_t n = FN(seen)(h, i);
        FN(combine)(row, q + i * h->q, 1, keys, h->s, h->e, n);
        FN(scale_and_mask)(row, mask, h, i, n);
        lse[i] = FN(softmax_row)(row, n);
        FN(combine)(out + i * h->o, row, 1, v, h->v, n, h->ev);
    }
}

/* scratch: (e + ev + 2 l + 1) * s + max(e, ev). gk and gv are added to, since heads of queries may share them. */
CLONES static void FN(attention_head_backward)(REAL *gq, REAL *gk, REAL *gv, REAL *g, REAL *q, REAL *k, REAL *v,
                                               REAL *out, REAL *lse, REAL *mask, Head *h, REAL *scratch) {
    REAL *keys = scratch, *values = keys + h->e * h->s, *p = values + h->ev * h->s;
    REAL *slopes = p + h->l * h->s, *sum = slopes + h->l * h->s;
    FN(turn)(keys, k, h->s, h->e, h->k);
    FN(turn)(values, v, h->s, h->ev, h->v);
    memset(p, 0, 2 * h->l * h->s * sizeof(REAL));
    for (ptrdiff_t i = 0; i < h->l; i++) {
        const ptrdiff_t n = FN(seen)(h, i);
        const REAL delta = FN(row_dot)(g + i * h->g, out + i * h->o, h->ev), scale = R(h->scale), top = lse[i];
        REAL *row = p + i * h->s, *slope = slopes + i * h->s;
        FN(combine)(row, q + i * h->q, 1, keys, h->s, h->e, n);
        FN(combine)(slope, g + i * h->g, 1, values, h->s, h->ev, n);
        FN(scale_and_mask)(row, mask, h, i, n);
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = FN(exp)(row[j] - top);
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) slope[j] = row[j] * (slope[j] - delta) * scale;
        FN(combine)(gq + i * h->gq, slope, 1, k, h->k, n, h->e);
    }
    for (ptrdiff_t j = 0; j < h->s; j++) {
        FN(combine)(sum, slopes + j, h->s, q, h->q, h->l, h->e);
        for (ptrdiff_t d = 0; d < h->e; d++) gk[j * h->gk + d] += sum[d];
        FN(combine)(sum, p + j, h->s, g, h->g, h->l, h->ev);
        for (ptrdiff_t d = 0; d < h->ev; d++) gv[j * h->gv + d] += sum[d];
    }
}

/* For large heads, whose products are made of tiles: q k' comes in (l, s) and leaves as probabilities. */
CLONES static void FN(score_rows)(REAL *scores, REAL *lse, REAL *mask, Head *h) {
    for (ptrdiff_t i = 0; i < h->l; i++, scores += h->s) {
        const ptrdiff_t n = FN(seen)(h, i);
        FN(scale_and_mask)(scores, mask, h, i, n);
        lse[i] = FN(softmax_row)(scores, n);
        for (ptrdiff_t j = n; j < h->s; j++) scores[j] = 0;
    }
}

/* The same in backward, when the log-sum-exp is known. */
CLONES static void FN(probability_rows)(REAL *scores, REAL *lse, REAL *mask, Head *h) {
    for (ptrdiff_t i = 0; i < h->l; i++, scores += h->s) {
        const ptrdiff_t n = FN(seen)(h, i);
        FN(scale_and_mask)(scores, mask, h, i, n);
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) scores[j] = FN(exp)(scores[j] - lse[i]);
        for (ptrdiff_t j = n; j < h->s; j++) scores[j] = 0;
    }
}

/* g v' comes in and leaves as the gradient of q k'. */
CLONES static void FN(slope_rows)(REAL *slopes, REAL *p, REAL *g, REAL *out, Head *h) {
    const REAL scale = R(h->scale);
    for (ptrdiff_t i = 0; i < h->l; i++, slopes += h->s, p += h->s) {
        const REAL delta = FN(row_dot)(g + i * h->g, out + i * h->o, h->ev);
        FREE_LOOP for (ptrdiff_t j = 0; j < h->s; j++) slopes[j] = p[j] * (slopes[j] - delta) * scale;
    }
}
#endif
