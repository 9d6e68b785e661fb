/* Windows that slide over up to three dimensions; those that are missing have size one. */
#ifndef MINDTORCH_WINDOW_H
#define MINDTORCH_WINDOW_H
#include <stddef.h>
#include <stdint.h>
#define AXES 3

typedef struct {
    ptrdiff_t planes; /* batch entries times channels */
    ptrdiff_t channels; /* that lie last, of each position; planes are batch entries then. Else 0 */
    ptrdiff_t in[AXES], out[AXES];
    ptrdiff_t kernel[AXES], stride[AXES], padding[AXES], dilation[AXES];
} Window;

typedef struct {
    ptrdiff_t first, past; /* a range of numbers */
} Span;

static inline ptrdiff_t volume(const ptrdiff_t *sizes) { return sizes[0] * sizes[1] * sizes[2]; }
static inline ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }
static inline ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b) { return a > b ? a : b; }

/* Division is slow, and most steps are one. */
static inline ptrdiff_t in_steps(ptrdiff_t a, ptrdiff_t step) { return step == 1 ? a : a / step; }

/* The numbers i in [0, count) for which offset + i * step lies in [0, size). */
static inline Span inside(ptrdiff_t offset, ptrdiff_t step, ptrdiff_t count, ptrdiff_t size) {
    const Span span = {offset < 0 ? in_steps(-offset + step - 1, step) : 0,
                       offset < size ? smaller(count, in_steps(size - 1 - offset, step) + 1) : 0};
    return span;
}

/* Where the window of output `o` begins, padding included. */
static inline ptrdiff_t window_start(const Window *w, int axis, ptrdiff_t o) {
    return o * w->stride[axis] - w->padding[axis];
}

/* The taps of the window of output `o` that lie in the input. */
static inline Span taps(const Window *w, int axis, ptrdiff_t o) {
    return inside(window_start(w, axis, o), w->dilation[axis], w->kernel[axis], w->in[axis]);
}

/* The places in the input that the window of output `o` covers, where it is not dilated; none begin behind their end. */
static inline Span places(const Window *w, int axis, ptrdiff_t o) {
    const ptrdiff_t start = window_start(w, axis, o);
    const Span k = taps(w, axis, o), span = {start + k.first, start + larger(k.past, k.first)};
    return span;
}

/* The outputs for which tap `k` lies in the input. */
static inline Span reached(const Window *w, int axis, ptrdiff_t k) {
    return inside(k * w->dilation[axis] - w->padding[axis], w->stride[axis], w->out[axis], w->in[axis]);
}

/* How many elements of this axis the window of output `o` counts. */
static inline ptrdiff_t counted(const Window *w, int axis, ptrdiff_t o, int padding_too) {
    const Span k = taps(w, axis, o);
    if (k.first >= k.past || !padding_too) return larger(k.past - k.first, 0);
    const ptrdiff_t start = window_start(w, axis, o);
    return smaller(start + w->kernel[axis], w->in[axis] + w->padding[axis]) - start;
}

/* The part of the input that adaptive pooling takes for output `o`. */
static inline Span share(ptrdiff_t o, ptrdiff_t in, ptrdiff_t out) {
    const Span span = {o / out * in + o % out * in / out, 1 + ((o + 1) * in - 1) / out};
    return span;
}

#define EACH_OUTPUT_ROW(w)                             \
    for (ptrdiff_t p = 0; p < (w)->planes; p++)        \
        for (ptrdiff_t od = 0; od < (w)->out[0]; od++) \
            for (ptrdiff_t oh = 0; oh < (w)->out[1]; oh++)
#endif
