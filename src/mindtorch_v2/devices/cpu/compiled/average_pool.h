/* Means of windows; gradients are added to what comes zero-filled. */
#ifndef EACH
#include "vmath.h"
#include "window.h"
#define EACH "average_pool.h"
#include "each_real.h"
#define avg_pool_any(single, ...) BY_TYPE(single, avg_pool, __VA_ARGS__)
#define avg_pool_backward_any(single, ...) BY_TYPE(single, avg_pool_backward, __VA_ARGS__)
#define adaptive_avg_pool_any(single, ...) BY_TYPE(single, adaptive_avg_pool, __VA_ARGS__)
#define adaptive_avg_pool_backward_any(single, ...) BY_TYPE(single, adaptive_avg_pool_backward, __VA_ARGS__)
#else
#include "rows.h"

/* What the sums of an output row are divided by; a window without elements is worth zero. */
INLINE void FN(divisors)(REAL *divisor, const Window *w, ptrdiff_t od, ptrdiff_t oh, int padding_too,
                         ptrdiff_t override) {
    const ptrdiff_t rows = counted(w, 0, od, padding_too) * counted(w, 1, oh, padding_too);
    for (ptrdiff_t o = 0; o < w->out[2]; o++) {
        const ptrdiff_t n = rows * counted(w, 2, o, padding_too);
        divisor[o] = n == 0 ? R(1) : R(override ? override : n);
    }
}

INLINE void FN(add_row)(REAL *sum, const REAL *row, Span o, ptrdiff_t stride) {
    FREE_LOOP for (ptrdiff_t i = o.first; i < o.past; i++) sum[i] += row[i * stride];
}

INLINE void FN(add_back)(REAL *row, const REAL *share, Span o, ptrdiff_t stride) {
    FREE_LOOP for (ptrdiff_t i = o.first; i < o.past; i++) row[i * stride] += share[i];
}

/* The sum of a box of a plane; whole rows of it lie in one piece. */
INLINE REAL FN(box_sum)(const REAL *plane, const Window *w, Span d, Span h, Span c) {
    const ptrdiff_t columns = c.past - c.first;
    REAL sum = 0;
    for (ptrdiff_t z = d.first; z < d.past; z++) {
        const REAL *from = plane + (z * w->in[1] + h.first) * w->in[2] + c.first;
        if (columns == w->in[2])
            sum += FN(row_sum)(from, columns * (h.past - h.first));
        else
            for (ptrdiff_t y = h.first; y < h.past; y++, from += w->in[2])
                for (ptrdiff_t i = 0; i < columns; i++) sum += from[i];
    }
    return sum;
}

INLINE void FN(add_to_box)(REAL *plane, const Window *w, Span d, Span h, Span c, REAL part) {
    for (ptrdiff_t z = d.first; z < d.past; z++)
        for (ptrdiff_t y = h.first; y < h.past; y++) {
            REAL *to = plane + (z * w->in[1] + y) * w->in[2];
            for (ptrdiff_t i = c.first; i < c.past; i++) to[i] += part;
        }
}

/* Windows that are wider than a row of outputs are taken one by one, others tap by tap, a row of outputs at a time. */
#define IS_WIDE(w) ((w)->kernel[2] > (w)->out[2])

/* Every row of the input under the windows of an output row, and every tap of it. */
#define EACH_TAP(w, od, oh, kw_loop, action)                                                                          \
    const Span d = taps(w, 0, od), h = taps(w, 1, oh);                                                                \
    for (ptrdiff_t kd = d.first; kd < d.past; kd++)                                                                   \
        for (ptrdiff_t kh = h.first; kh < h.past; kh++)                                                               \
            kw_loop {                                                                                                 \
                const Span o = reached(w, 2, kw);                                                                     \
                const ptrdiff_t stride = w->stride[2];                                                                \
                const ptrdiff_t z = window_start(w, 0, od) + kd, y = window_start(w, 1, oh) + kh;                     \
                const ptrdiff_t at = (z * w->in[1] + y) * w->in[2] + kw - w->padding[2];                              \
                if (stride == 1)                                                                                      \
                    action(1);                                                                                        \
                else if (stride == 2)                                                                                 \
                    action(2);                                                                                        \
                else                                                                                                  \
                    action(stride);                                                                                   \
            }

CLONES static void FN(avg_pool_row)(REAL *sum, const REAL *plane, const REAL *divisor, ptrdiff_t od, ptrdiff_t oh,
                                    const Window *w) {
    if (IS_WIDE(w)) {
        const Span d = places(w, 0, od), h = places(w, 1, oh);
        for (ptrdiff_t o = 0; o < w->out[2]; o++) sum[o] = FN(box_sum)(plane, w, d, h, places(w, 2, o)) / divisor[o];
        return;
    }
    memset(sum, 0, (size_t)w->out[2] * sizeof(REAL));
#define ADD(step) FN(add_row)(sum, plane + at, o, step)
    EACH_TAP(w, od, oh, for (ptrdiff_t kw = 0; kw < w->kernel[2]; kw++), ADD)
#undef ADD
    FREE_LOOP for (ptrdiff_t i = 0; i < w->out[2]; i++) sum[i] /= divisor[i];
}

/* The last tap first: an element then gets its gradients in the order of the outputs. */
CLONES static void FN(avg_pool_backward_row)(REAL *plane, const REAL *g, REAL *divisor, ptrdiff_t od, ptrdiff_t oh,
                                             const Window *w) {
    FREE_LOOP for (ptrdiff_t i = 0; i < w->out[2]; i++) divisor[i] = g[i] / divisor[i];
    if (IS_WIDE(w)) {
        const Span d = places(w, 0, od), h = places(w, 1, oh);
        for (ptrdiff_t o = 0; o < w->out[2]; o++) FN(add_to_box)(plane, w, d, h, places(w, 2, o), divisor[o]);
        return;
    }
#define ADD(step) FN(add_back)(plane + at, divisor, o, step)
    EACH_TAP(w, od, oh, for (ptrdiff_t kw = w->kernel[2] - 1; kw >= 0; kw--), ADD)
#undef ADD
}
#undef EACH_TAP
#undef IS_WIDE

/* `room` holds a row of divisors. */
static void FN(avg_pool)(void *out, void *x, const Window *w, int padding_too, ptrdiff_t override, void *room) {
    REAL *sum = out;
    EACH_OUTPUT_ROW(w) {
        FN(divisors)(room, w, od, oh, padding_too, override);
        FN(avg_pool_row)(sum, (const REAL *)x + p * volume(w->in), room, od, oh, w);
        sum += w->out[2];
    }
}

static void FN(avg_pool_backward)(void *gx, void *g, const Window *w, int padding_too, ptrdiff_t override, void *room) {
    const REAL *from = g;
    EACH_OUTPUT_ROW(w) {
        FN(divisors)(room, w, od, oh, padding_too, override);
        FN(avg_pool_backward_row)((REAL *)gx + p * volume(w->in), from, room, od, oh, w);
        from += w->out[2];
    }
}

CLONES static void FN(adaptive_avg_pool)(void *out, void *x, const Window *w) {
    REAL *mean = out;
    if (volume(w->out) == 1) {
        const ptrdiff_t n = volume(w->in);
        for (ptrdiff_t p = 0; p < w->planes; p++) mean[p] = FN(row_sum)((const REAL *)x + p * n, n) / R(n);
        return;
    }
    EACH_OUTPUT_ROW(w) {
        const Span d = share(od, w->in[0], w->out[0]), h = share(oh, w->in[1], w->out[1]);
        for (ptrdiff_t ow = 0; ow < w->out[2]; ow++) {
            const Span c = share(ow, w->in[2], w->out[2]);
            const ptrdiff_t count = (d.past - d.first) * (h.past - h.first) * (c.past - c.first);
            *mean++ = FN(box_sum)((const REAL *)x + p * volume(w->in), w, d, h, c) / R(count);
        }
    }
}

CLONES static void FN(adaptive_avg_pool_backward)(void *gx, void *g, const Window *w) {
    const REAL *from = g;
    EACH_OUTPUT_ROW(w) {
        const Span d = share(od, w->in[0], w->out[0]), h = share(oh, w->in[1], w->out[1]);
        for (ptrdiff_t ow = 0; ow < w->out[2]; ow++) {
            const Span c = share(ow, w->in[2], w->out[2]);
            const REAL part = *from++ / R((d.past - d.first) * (h.past - h.first) * (c.past - c.first));
            FN(add_to_box)((REAL *)gx + p * volume(w->in), w, d, h, c, part);
        }
    }
}
#endif
