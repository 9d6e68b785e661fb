/* Sums, dots and maxima of one contiguous row, in LANES strands: SIMD, and kinder rounding than one strand. */
#if (IS_FLOAT && !defined(ROWS_F32)) || (!IS_FLOAT && !defined(ROWS_F64)) /* once for each type */
#if IS_FLOAT
#define ROWS_F32
#else
#define ROWS_F64
#endif
#define LANES 16
#define STRANDS 64 /* of a sum: several additions are under way at once */

/* The strands are folded as a tree. */
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
INLINE REAL FN(fold_sum)(REAL *lane) {
    for (int j = 0; j < 8; j++) lane[j] += lane[j + 8];
    for (int j = 0; j < 4; j++) lane[j] += lane[j + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

INLINE REAL FN(fold_max)(REAL *lane) {
    for (int j = 0; j < 8; j++) lane[j] = LARGER(lane[j], lane[j + 8]);
    for (int j = 0; j < 4; j++) lane[j] = LARGER(lane[j], lane[j + 4]);
    for (int j = 0; j < 2; j++) lane[j] = LARGER(lane[j], lane[j + 2]);
    return LARGER(lane[0], lane[1]);
}

#define ROW_SUM(name, parameters, term)                        \
    INLINE REAL FN(name) parameters {                          \
        REAL lane[STRANDS] = {0};                              \
        ptrdiff_t start = 0;                                   \
        for (; start + STRANDS <= n; start += STRANDS)         \
            for (int j = 0; j < STRANDS; j++) {                \
                const ptrdiff_t i = start + j;                 \
                lane[j] += term;                               \
            }                                                  \
        if (start)                                             \
            for (int j = 0; j < LANES; j++)                    \
                lane[j] = (lane[j] + lane[j + LANES]) + (lane[j + 2 * LANES] + lane[j + 3 * LANES]); \
        for (; start + LANES <= n; start += LANES)             \
            for (int j = 0; j < LANES; j++) {                  \
                const ptrdiff_t i = start + j;                 \
                lane[j] += term;                               \
            }                                                  \
        REAL rest = 0;                                         \
        for (ptrdiff_t i = start; i < n; i++) rest += term;    \
        return start ? FN(fold_sum)(lane) + rest : rest;       \
    }

ROW_SUM(row_sum, (const REAL *x, ptrdiff_t n), x[i])
ROW_SUM(row_square_sum, (const REAL *x, ptrdiff_t n), x[i] * x[i])
ROW_SUM(row_dot, (const REAL *x, const REAL *y, ptrdiff_t n), x[i] * y[i])
ROW_SUM(row_square_distance, (const REAL *x, REAL from, ptrdiff_t n), (x[i] - from) * (x[i] - from))
ROW_SUM(row_centred_dot, (const REAL *g, const REAL *x, REAL from, ptrdiff_t n), g[i] * (x[i] - from))
ROW_SUM(row_weighted_centred_dot, (const REAL *g, const REAL *w, const REAL *x, REAL from, ptrdiff_t n),
        g[i] * w[i] * (x[i] - from))
#undef ROW_SUM

/* A NaN may be passed over here: exp(NaN - max) brings it back. */
INLINE REAL FN(row_max)(const REAL *x, ptrdiff_t n) {
    REAL best = -INFINITY;
    ptrdiff_t start = 0;
    if (n >= LANES) {
        REAL lane[LANES];
        for (int j = 0; j < LANES; j++) lane[j] = -INFINITY;
        for (; start + LANES <= n; start += LANES)
            for (int j = 0; j < LANES; j++) lane[j] = LARGER(x[start + j], lane[j]);
        best = FN(fold_max)(lane);
    }
    for (ptrdiff_t i = start; i < n; i++) best = LARGER(x[i], best);
    return best;
}
#undef LANES
#undef STRANDS
#undef LARGER
#endif
