/* Pooling of images whose channels lie last: of each position, all channels at once. Windows are those of window.h, its
   planes whole images; forward loops take some rows of outputs of all images, backward loops some images. */
#ifndef EACH
#include "vmath.h"
#include "window.h"
#define max_pool_last_any(single, ...) BY_TYPE(single, max_pool_last, __VA_ARGS__)
#define adaptive_max_pool_last_any(single, ...) BY_TYPE(single, adaptive_max_pool_last, __VA_ARGS__)
#define max_pool_last_backward_any(single, ...) BY_TYPE(single, max_pool_last_backward, __VA_ARGS__)
#define avg_pool_last_any(single, ...) BY_TYPE(single, avg_pool_last, __VA_ARGS__)
#define avg_pool_last_backward_any(single, ...) BY_TYPE(single, avg_pool_last_backward, __VA_ARGS__)
#define adaptive_avg_pool_last_any(single, ...) BY_TYPE(single, adaptive_avg_pool_last, __VA_ARGS__)
#define adaptive_avg_pool_last_backward_any(single, ...) BY_TYPE(single, adaptive_avg_pool_last_backward, __VA_ARGS__)

/* The elements under the window of one output, as places of the input: positions [first, past) in steps of `by`. */
typedef struct {
    Span places[AXES];
    ptrdiff_t by[AXES];
} Seen;

INLINE Seen seen_by(const Window *w, const ptrdiff_t *o) {
    Seen seen;
    for (int axis = 0; axis < AXES; axis++) {
        const Span k = taps(w, axis, o[axis]);
        const ptrdiff_t start = window_start(w, axis, o[axis]);
        seen.by[axis] = w->dilation[axis];
        seen.places[axis].first = start + k.first * w->dilation[axis];
        seen.places[axis].past = k.first < k.past ? start + (k.past - 1) * w->dilation[axis] + 1 : seen.places[axis].first;
    }
    return seen;
}

INLINE Seen seen_by_share(const Window *w, const ptrdiff_t *o) {
    Seen seen = {.by = {1, 1, 1}};
    for (int axis = 0; axis < AXES; axis++) seen.places[axis] = share(o[axis], w->in[axis], w->out[axis]);
    return seen;
}

INLINE ptrdiff_t size_of(const Seen *s) {
    ptrdiff_t size = 1;
    for (int axis = 0; axis < AXES; axis++) size *= s->places[axis].past - s->places[axis].first;
    return size;
}

#define EACH_PLACE(w, s)                                                                                        \
    for (ptrdiff_t z = (s)->places[0].first; z < (s)->places[0].past; z += (s)->by[0])                           \
        for (ptrdiff_t y = (s)->places[1].first; y < (s)->places[1].past; y += (s)->by[1])                       \
            for (ptrdiff_t place = (z * (w)->in[1] + y) * (w)->in[2] + (s)->places[2].first,                     \
                           last = place - (s)->places[2].first + (s)->places[2].past;                            \
                 place < last; place += (s)->by[2])

/* Outputs of rows begin to end: their number, the image they are of, and where in it. */
#define EACH_OUTPUT_OF_ROWS(w, begin, end)                                                                      \
    for (ptrdiff_t row = begin; row < end; row++)                                                               \
        for (ptrdiff_t o[AXES] = {row / (w)->out[1] % (w)->out[0], row % (w)->out[1], 0},                       \
                       image = row / ((w)->out[0] * (w)->out[1]), at = row * (w)->out[2];                       \
             o[2] < (w)->out[2]; o[2]++, at++)

#define EACH "pool_last.h"
#include "each_real.h"
#else

/* The largest element of each channel and where it is; `where` is room for a position of each. */
INLINE void FN(largest_of_seen)(REAL *best, int64_t *indices, const REAL *x, const Window *w, const Seen *seen,
                                int32_t *where) {
    const ptrdiff_t n = w->channels;
    const Span *from = seen->places;
    const ptrdiff_t corner = (from[0].first * w->in[1] + from[1].first) * w->in[2] + from[2].first;
    for (ptrdiff_t c = 0; c < n; c++) best[c] = -INFINITY, where[c] = size_of(seen) ? (int32_t)corner : -1;
    EACH_PLACE(w, seen) {
        const REAL *value = x + place * n;
        FREE_LOOP for (ptrdiff_t c = 0; c < n; c++) {
            const int take = (value[c] > best[c]) | (value[c] != value[c]);
            best[c] = take ? value[c] : best[c];
            where[c] = take ? (int32_t)place : where[c];
        }
    }
    for (ptrdiff_t c = 0; c < n; c++) indices[c] = where[c];
}

CLONES static void FN(max_pool_last)(void *out, int64_t *indices, void *x, const Window *w, ptrdiff_t begin,
                                     ptrdiff_t end, int32_t *where) {
    const ptrdiff_t n = w->channels;
    EACH_OUTPUT_OF_ROWS(w, begin, end) {
        const Seen seen = seen_by(w, o);
        FN(largest_of_seen)((REAL *)out + at * n, indices + at * n, (const REAL *)x + image * volume(w->in) * n, w,
                            &seen, where);
    }
}

CLONES static void FN(adaptive_max_pool_last)(void *out, int64_t *indices, void *x, const Window *w, ptrdiff_t begin,
                                              ptrdiff_t end, int32_t *where) {
    const ptrdiff_t n = w->channels;
    EACH_OUTPUT_OF_ROWS(w, begin, end) {
        const Seen seen = seen_by_share(w, o);
        FN(largest_of_seen)((REAL *)out + at * n, indices + at * n, (const REAL *)x + image * volume(w->in) * n, w,
                            &seen, where);
    }
}

static void FN(max_pool_last_backward)(void *gx, void *g, int64_t *indices, const Window *w, ptrdiff_t begin,
                                       ptrdiff_t end) {
    const ptrdiff_t n = w->channels, in = volume(w->in), out = volume(w->out);
    for (ptrdiff_t image = begin; image < end; image++)
        for (ptrdiff_t at = image * out; at < (image + 1) * out; at++)
            for (ptrdiff_t c = 0; c < n; c++) {
                const int64_t place = indices[at * n + c];
                if ((uint64_t)place < (uint64_t)in)
                    ((REAL *)gx)[(image * in + place) * n + c] += ((const REAL *)g)[at * n + c];
            }
}

#if defined(__GNUC__)
typedef REAL FN(Values) __attribute__((vector_size(64), aligned(sizeof(REAL)), may_alias));
#else
typedef REAL FN(Values);
#endif

/* The means of WIDE vectors of channels, as long as so many are left. */
#define MEAN_OF_SEEN(WIDE)                                                                          \
    for (; c + WIDE * lanes <= n; c += WIDE * lanes) {                                              \
        FN(Values) sum[WIDE] = {0};                                                                 \
        EACH_PLACE(w, seen)                                                                         \
            for (int j = 0; j < WIDE; j++) sum[j] += ((const FN(Values) *)(x + place * n + c))[j];  \
        for (int j = 0; j < WIDE; j++) ((FN(Values) *)(mean + c))[j] = sum[j] / divisor;            \
    }
INLINE void FN(mean_of_seen)(REAL *mean, const REAL *x, const Window *w, const Seen *seen, REAL divisor) {
    const ptrdiff_t n = w->channels, lanes = sizeof(FN(Values)) / sizeof(REAL);
    ptrdiff_t c = 0;
    MEAN_OF_SEEN(4)
    MEAN_OF_SEEN(1)
    for (; c < n; c++) {
        REAL sum = 0;
        EACH_PLACE(w, seen) sum += x[place * n + c];
        mean[c] = sum / divisor;
    }
}
#undef MEAN_OF_SEEN

/* `part` is room for a gradient of each channel. */
INLINE void FN(give_to_seen)(REAL *gx, const REAL *g, const Window *w, const Seen *seen, REAL divisor, REAL *part) {
    const ptrdiff_t n = w->channels;
    for (ptrdiff_t c = 0; c < n; c++) part[c] = g[c] / divisor;
    EACH_PLACE(w, seen) {
        REAL *to = gx + place * n;
        FREE_LOOP for (ptrdiff_t c = 0; c < n; c++) to[c] += part[c];
    }
}

INLINE REAL FN(divisor_of)(const Window *w, const ptrdiff_t *o, int padding_too, ptrdiff_t override) {
    ptrdiff_t count = 1;
    for (int axis = 0; axis < AXES; axis++) count *= counted(w, axis, o[axis], padding_too);
    return count == 0 ? R(1) : R(override ? override : count);
}

CLONES static void FN(avg_pool_last)(void *out, void *x, const Window *w, ptrdiff_t begin, ptrdiff_t end,
                                     int padding_too, ptrdiff_t override) {
    EACH_OUTPUT_OF_ROWS(w, begin, end) {
        const Seen seen = seen_by(w, o);
        FN(mean_of_seen)((REAL *)out + at * w->channels, (const REAL *)x + image * volume(w->in) * w->channels, w, &seen,
                         FN(divisor_of)(w, o, padding_too, override));
    }
}

CLONES static void FN(avg_pool_last_backward)(void *gx, void *g, const Window *w, ptrdiff_t begin, ptrdiff_t end,
                                              int padding_too, ptrdiff_t override, void *room) {
    const ptrdiff_t rows = w->out[0] * w->out[1];
    EACH_OUTPUT_OF_ROWS(w, begin * rows, end * rows) {
        const Seen seen = seen_by(w, o);
        FN(give_to_seen)((REAL *)gx + image * volume(w->in) * w->channels, (const REAL *)g + at * w->channels, w, &seen,
                         FN(divisor_of)(w, o, padding_too, override), room);
    }
}

CLONES static void FN(adaptive_avg_pool_last)(void *out, void *x, const Window *w, ptrdiff_t begin, ptrdiff_t end) {
    EACH_OUTPUT_OF_ROWS(w, begin, end) {
        const Seen seen = seen_by_share(w, o);
        FN(mean_of_seen)((REAL *)out + at * w->channels, (const REAL *)x + image * volume(w->in) * w->channels, w, &seen,
                         R(size_of(&seen)));
    }
}

CLONES static void FN(adaptive_avg_pool_last_backward)(void *gx, void *g, const Window *w, ptrdiff_t begin,
                                                       ptrdiff_t end, void *room) {
    const ptrdiff_t rows = w->out[0] * w->out[1];
    EACH_OUTPUT_OF_ROWS(w, begin * rows, end * rows) {
        const Seen seen = seen_by_share(w, o);
        FN(give_to_seen)((REAL *)gx + image * volume(w->in) * w->channels, (const REAL *)g + at * w->channels, w, &seen,
                         R(size_of(&seen)), room);
    }
}
#endif
