/* Largest elements of windows and where they lie: a flat position in the plane, or -1 for a window without elements.
   A NaN is larger than everything, and the last NaN counts, as torch has it; else the first of equal elements. */
#ifndef EACH
#include "vmath.h"
#include "window.h"
#define EACH "max_pool.h"
#include "each_real.h"
#define max_pool_any(single, ...) BY_TYPE(single, max_pool, __VA_ARGS__)
#define max_pool_backward_any(single, ...) BY_TYPE(single, max_pool_backward, __VA_ARGS__)
#define adaptive_max_pool_any(single, ...) BY_TYPE(single, adaptive_max_pool, __VA_ARGS__)
#define fractional_max_pool_any(single, ...) BY_TYPE(single, fractional_max_pool, __VA_ARGS__)
#define max_unpool_any(single, ...) BY_TYPE(single, max_unpool, __VA_ARGS__)
#else
#include "rows.h"

/* One tap for a row of outputs: those for which row[o * stride] is larger take it and its position. */
INLINE void FN(take_larger)(REAL *best, int32_t *at, const REAL *row, int32_t position, Span o, ptrdiff_t stride) {
    FREE_LOOP for (ptrdiff_t i = o.first; i < o.past; i++) {
        const REAL value = row[i * stride];
        const int32_t here = position + (int32_t)(i * stride);
        const int take = (value > best[i]) | (value != value);
        best[i] = take ? value : best[i];
        at[i] = take ? here : at[i];
    }
}

/* The same where nobody asks for positions. */
INLINE void FN(take_larger_value)(REAL *best, const REAL *row, Span o, ptrdiff_t stride) {
    FREE_LOOP for (ptrdiff_t i = o.first; i < o.past; i++) {
        const REAL value = row[i * stride];
        best[i] = (value > best[i]) | (value != value) ? value : best[i];
    }
}

CLONES static void FN(max_pool_values_row)(REAL *best, const REAL *plane, ptrdiff_t od, ptrdiff_t oh, const Window *w) {
    const Span d = taps(w, 0, od), h = taps(w, 1, oh);
    for (ptrdiff_t i = 0; i < w->out[2]; i++) best[i] = -INFINITY;
    for (ptrdiff_t kd = d.first; kd < d.past; kd++)
        for (ptrdiff_t kh = h.first; kh < h.past; kh++) {
            const ptrdiff_t z = window_start(w, 0, od) + kd * w->dilation[0];
            const ptrdiff_t y = window_start(w, 1, oh) + kh * w->dilation[1];
            for (ptrdiff_t kw = 0; kw < w->kernel[2]; kw++) {
                const REAL *row = plane + (z * w->in[1] + y) * w->in[2] + kw * w->dilation[2] - w->padding[2];
                const Span o = reached(w, 2, kw);
                if (w->stride[2] == 1)
                    FN(take_larger_value)(best, row, o, 1);
                else if (w->stride[2] == 2)
                    FN(take_larger_value)(best, row, o, 2);
                else
                    FN(take_larger_value)(best, row, o, w->stride[2]);
            }
        }
}

/* All taps of one output row; `at` is room for a row of positions, `first` the first column of each window. */
CLONES static void FN(max_pool_row)(REAL *best, int64_t *indices, const REAL *plane, ptrdiff_t od, ptrdiff_t oh,
                                    const Window *w, const int32_t *first, int32_t *at) {
    const ptrdiff_t width = w->in[2], stride = w->stride[2], n = w->out[2];
    const Span d = taps(w, 0, od), h = taps(w, 1, oh);
    const ptrdiff_t z = window_start(w, 0, od), y = window_start(w, 1, oh);
    const int empty = d.first >= d.past || h.first >= h.past;
    const ptrdiff_t first_row = (z + d.first * w->dilation[0]) * w->in[1] + y + h.first * w->dilation[1];
    const int32_t corner = (int32_t)(first_row * width);
    for (ptrdiff_t i = 0; i < n; i++) best[i] = -INFINITY, at[i] = empty || first[i] < 0 ? -1 : corner + first[i];
    for (ptrdiff_t kd = d.first; kd < d.past; kd++)
        for (ptrdiff_t kh = h.first; kh < h.past; kh++) {
            const ptrdiff_t row = ((z + kd * w->dilation[0]) * w->in[1] + y + kh * w->dilation[1]) * width;
            for (ptrdiff_t kw = 0; kw < w->kernel[2]; kw++) {
                const Span o = reached(w, 2, kw);
                const ptrdiff_t position = row + kw * w->dilation[2] - w->padding[2];
                if (stride == 1)
                    FN(take_larger)(best, at, plane + position, (int32_t)position, o, 1);
                else if (stride == 2)
                    FN(take_larger)(best, at, plane + position, (int32_t)position, o, 2);
                else
                    FN(take_larger)(best, at, plane + position, (int32_t)position, o, stride);
            }
        }
    for (ptrdiff_t i = 0; i < n; i++) indices[i] = at[i];
}

/* `room` holds two rows of positions; `indices` may be NULL. */
static void FN(max_pool)(void *out, int64_t *indices, void *x, const Window *w, int32_t *room) {
    REAL *best = out;
    int32_t *first = room + w->out[2];
    if (!indices) {
        EACH_OUTPUT_ROW(w) {
            FN(max_pool_values_row)(best, (const REAL *)x + p * volume(w->in), od, oh, w);
            best += w->out[2];
        }
        return;
    }
    for (ptrdiff_t o = 0; o < w->out[2]; o++) {
        const Span k = taps(w, 2, o);
        first[o] = k.first < k.past ? (int32_t)(window_start(w, 2, o) + k.first * w->dilation[2]) : -1;
    }
    EACH_OUTPUT_ROW(w) {
        FN(max_pool_row)(best, indices, (const REAL *)x + p * volume(w->in), od, oh, w, first, room);
        best += w->out[2], indices += w->out[2];
    }
}

/* The largest of each column over some rows and its position; a column without rows is asked for by nobody. */
INLINE void FN(largest_of_columns)(REAL *top, int32_t *at, const REAL *plane, const ptrdiff_t *size, Span d, Span h) {
    const ptrdiff_t corner = (d.first * size[1] + h.first) * size[2];
    for (ptrdiff_t i = 0; i < size[2]; i++) top[i] = -INFINITY, at[i] = (int32_t)(corner + i);
    for (ptrdiff_t z = d.first; z < d.past; z++)
        for (ptrdiff_t y = h.first; y < h.past; y++) {
            const ptrdiff_t row = (z * size[1] + y) * size[2];
            const Span all = {0, size[2]};
            FN(take_larger)(top, at, plane + row, (int32_t)row, all, 1);
        }
}

/* The largest of some columns: of equal ones the first by its position, of NaNs the last. */
INLINE void FN(largest_column)(REAL *best, int64_t *index, const REAL *top, const int32_t *at, Span columns) {
    REAL largest = top[columns.first];
    int32_t where = at[columns.first];
    for (ptrdiff_t i = columns.first + 1; i < columns.past; i++) {
        const int is_nan = top[i] != top[i], was_nan = largest != largest;
        const int is_better = is_nan ? !was_nan || at[i] > where
                                     : !was_nan && (top[i] > largest || (top[i] == largest && at[i] < where));
        largest = is_better ? top[i] : largest;
        where = is_better ? at[i] : where;
    }
    *best = largest, *index = where;
}

/* The largest of one row: what it is, then where. */
INLINE void FN(largest_of_row)(REAL *best, int64_t *index, const REAL *row, Span columns) {
    const REAL *x = row + columns.first;
    const ptrdiff_t n = columns.past - columns.first;
    const REAL top = FN(row_max)(x, n);
    int nans = 0;
    for (ptrdiff_t i = 0; i < n; i++) nans += x[i] != x[i];
    ptrdiff_t at = 0;
    if (nans)
        for (at = n - 1; x[at] == x[at];) at--;
    else
        while (x[at] != top) at++;
    *best = x[at], *index = columns.first + at;
}

/* `room` holds a row of the input and of its positions. */
CLONES static void FN(adaptive_max_pool)(void *out, int64_t *indices, void *x, const Window *w, void *room) {
    REAL *best = out, *top = room;
    int32_t *at = (int32_t *)(top + w->in[2]);
    EACH_OUTPUT_ROW(w) {
        const Span d = share(od, w->in[0], w->out[0]), h = share(oh, w->in[1], w->out[1]);
        if (w->in[0] * w->in[1] == 1) {
            for (ptrdiff_t ow = 0; ow < w->out[2]; ow++)
                FN(largest_of_row)(best++, indices++, (const REAL *)x + p * w->in[2], share(ow, w->in[2], w->out[2]));
            continue;
        }
        FN(largest_of_columns)(top, at, (const REAL *)x + p * volume(w->in), w->in, d, h);
        for (ptrdiff_t ow = 0; ow < w->out[2]; ow++)
            FN(largest_column)(best++, indices++, top, at, share(ow, w->in[2], w->out[2]));
    }
}

/* Where the window of output `o` begins: steps of about (in - kernel) / (out - 1), shifted by a sample in [0, 1). */
INLINE Span FN(fraction)(const Window *w, int axis, ptrdiff_t o, REAL sample) {
    const ptrdiff_t last = w->in[axis] - w->kernel[axis];
    ptrdiff_t first = last;
    if (o < w->out[axis] - 1) {
        const REAL step = R(last) / R(w->out[axis] - 1);
        const REAL start = (REAL)(int64_t)((R(o) + sample) * step) - (REAL)(int64_t)(sample * step);
        first = start > 0 ? smaller((ptrdiff_t)start, last) : 0;
    }
    const Span span = {first, first + w->kernel[axis]};
    return span;
}

/* `samples` holds `rank` numbers in [0, 1) for each plane; place[axis] says which one is for the axis, or -1. */
CLONES static void FN(fractional_max_pool)(void *out, int64_t *indices, void *x, void *samples, const int *place,
                                           int rank, const Window *w, void *room) {
    REAL *best = out, *top = room;
    int32_t *at = (int32_t *)(top + w->in[2]);
    EACH_OUTPUT_ROW(w) {
        REAL sample[AXES];
        for (int axis = 0; axis < AXES; axis++)
            sample[axis] = place[axis] < 0 ? 0 : ((REAL *)samples)[p * rank + place[axis]];
        const Span d = FN(fraction)(w, 0, od, sample[0]), h = FN(fraction)(w, 1, oh, sample[1]);
        FN(largest_of_columns)(top, at, (const REAL *)x + p * volume(w->in), w->in, d, h);
        for (ptrdiff_t ow = 0; ow < w->out[2]; ow++)
            FN(largest_column)(best++, indices++, top, at, FN(fraction)(w, 2, ow, sample[2]));
    }
}

/* Adds each gradient to the element it came from; what points elsewhere is passed over. gx comes zero-filled. */
static void FN(max_pool_backward)(void *gx, void *g, int64_t *indices, ptrdiff_t planes, ptrdiff_t in, ptrdiff_t out) {
    const REAL *from = g;
    for (ptrdiff_t p = 0; p < planes; p++) {
        REAL *to = (REAL *)gx + p * in;
        for (ptrdiff_t i = p * out; i < (p + 1) * out; i++)
            if ((uint64_t)indices[i] < (uint64_t)in) to[indices[i]] += from[i];
    }
}

/* Puts each element where its index says; returns the place of the last index outside the plane, or -1. */
static ptrdiff_t FN(max_unpool)(void *out, void *x, int64_t *indices, ptrdiff_t planes, ptrdiff_t in, ptrdiff_t size) {
    const REAL *from = x;
    ptrdiff_t bad = -1;
    for (ptrdiff_t p = 0; p < planes; p++) {
        REAL *to = (REAL *)out + p * size;
        for (ptrdiff_t i = p * in; i < (p + 1) * in; i++)
            if ((uint64_t)indices[i] < (uint64_t)size)
                to[indices[i]] = from[i];
            else
                bad = i;
    }
    return bad;
}
#endif
