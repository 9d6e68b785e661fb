/* Resampling: every output along an axis is a weighted sum of a few inputs. A table holds, for one axis, which ones
   and their weights; the axes are taken one after the other, the last one first, and backwards with the same tables. */
#ifndef EACH
#include <stdlib.h>
#include "vmath.h"
#include "window.h"
#ifndef MINDTORCH_RESAMPLE_H
#define MINDTORCH_RESAMPLE_H
enum { NEAREST, NEAREST_EXACT, LINEAR, CUBIC, LINEAR_SMOOTH, CUBIC_SMOOTH, LANCZOS_SMOOTH };

typedef struct {
    ptrdiff_t in, out, width; /* width: taps for each output, at most */
    int skip;                 /* nothing happens along this axis */
    int32_t *at;              /* (width, out): the input of each tap */
    int32_t *count;           /* taps of each output, where they differ; else NULL */
    void *weight;             /* (width, out) */
    unsigned char *used;      /* which inputs are looked at */
} Axis;

/* Given factors count only where they are positive and corners are not aligned. */
static inline double step_of(ptrdiff_t in, ptrdiff_t out, int align_corners, double scale) {
    if (align_corners) return out > 1 ? (double)(in - 1) / (double)(out - 1) : 0;
    return scale > 0 ? 1 / scale : (double)in / (double)out;
}

static inline double smooth_support(int mode, double step) {
    const double reach = mode - LINEAR_SMOOTH + 1; /* the kernels are listed by their width */
    return step >= 1 ? reach * step : reach;
}

static inline ptrdiff_t taps_of(int mode, ptrdiff_t in, ptrdiff_t out, int align_corners, double scale) {
    if (mode < LINEAR) return 1;
    if (mode < LINEAR_SMOOTH) return mode == LINEAR ? 2 : 4;
    const double width = ceil(smooth_support(mode, step_of(in, out, align_corners, scale))) * 2 + 1;
    return width < (double)in ? (ptrdiff_t)width : in;
}

#define EACH "resample.h"
#include "each_real.h"
#define fill_axis_any(single, ...) BY_TYPE(single, fill_axis, __VA_ARGS__)
#define resample_any(single, ...) BY_TYPE(single, resample, __VA_ARGS__)
#define resample_backward_any(single, ...) BY_TYPE(single, resample_backward, __VA_ARGS__)
#endif
#else
/* Keys' cubic kernel, near (|x| <= 1) and far (1 < |x| < 2). */
INLINE REAL FN(cubic_near)(REAL x, REAL a) { return ((a + 2) * x - (a + 3)) * x * x + 1; }
INLINE REAL FN(cubic_far)(REAL x, REAL a) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; }

INLINE REAL FN(hold)(REAL x, REAL low, REAL high) { return x > low ? (x < high ? x : high) : low; }

static void FN(nearest_axis)(Axis *axis, int exact, double scale) {
    /* torch finds neighbours in single precision, whatever the numbers are */
    const float step = scale > 0 ? (float)(1 / scale) : (float)axis->in / (float)axis->out;
    for (ptrdiff_t o = 0; o < axis->out; o++) {
        const float source = exact ? floorf((float)(((double)o + 0.5) * step)) : floorf((float)o * step);
        axis->at[o] = (int32_t)(source < (float)(axis->in - 1) ? source : (float)(axis->in - 1));
        ((REAL *)axis->weight)[o] = 1;
    }
}

static void FN(linear_axis)(Axis *axis, REAL step, int align_corners) {
    const ptrdiff_t out = axis->out;
    REAL *weight = axis->weight;
    for (ptrdiff_t o = 0; o < out; o++) {
        const REAL place = axis->in == out ? R(o) : align_corners ? step * R(o) : step * (R(o) + R(0.5)) - R(0.5);
        const REAL source = FN(hold)(place, 0, R(axis->in - 1));
        const int32_t low = (int32_t)source;
        axis->at[o] = low;
        axis->at[out + o] = axis->in == out || low == axis->in - 1 ? low : low + 1;
        weight[out + o] = FN(hold)(place - R(low), 0, 1);
        weight[o] = 1 - weight[out + o];
    }
}

static void FN(cubic_axis)(Axis *axis, REAL step, int align_corners) {
    const REAL a = R(-0.75), edge = R(axis->in) + 4;
    REAL *weight = axis->weight;
    for (ptrdiff_t o = 0; o < axis->out; o++) {
        const REAL place = FN(hold)(align_corners ? step * R(o) : step * (R(o) + R(0.5)) - R(0.5), -4, edge);
        const ptrdiff_t low = (ptrdiff_t)(place + 4) - 4;
        const REAL t = place - R(low);
        const REAL taps[4] = {FN(cubic_far)(t + 1, a), FN(cubic_near)(t, a), FN(cubic_near)(1 - t, a),
                              FN(cubic_far)(2 - t, a)};
        for (int k = 0; k < 4; k++) {
            axis->at[k * axis->out + o] = (int32_t)larger(0, smaller(low - 1 + k, axis->in - 1));
            weight[k * axis->out + o] = taps[k];
        }
    }
}

/* Lanczos' kernel over three elements to each side: sinc(x) sinc(x / 3). */
INLINE REAL FN(lanczos)(REAL x) {
    const double turn = 3.14159265358979323846 * (double)x;
    return x == 0 ? 1 : x < 3 ? R(sin(turn) / turn * (sin(turn / 3) / (turn / 3))) : 0;
}

INLINE REAL FN(smooth_weight)(int mode, REAL x) {
    x = x < 0 ? -x : x;
    if (mode == LINEAR_SMOOTH) return x < 1 ? 1 - x : 0;
    if (mode == LANCZOS_SMOOTH) return FN(lanczos)(x);
    return x < 1 ? FN(cubic_near)(x, R(-0.5)) : x < 2 ? FN(cubic_far)(x, R(-0.5)) : 0;
}

/* The kernel is stretched over all inputs that an output stands for, and its weights sum up to one. */
static void FN(smooth_axis)(Axis *axis, int mode, REAL step) {
    const REAL support = R(smooth_support(mode, step)), shrink = step >= 1 ? 1 / step : 1, size = R(axis->in);
    REAL *weight = axis->weight;
    for (ptrdiff_t o = 0; o < axis->out; o++) {
        const REAL centre = step * (R(o) + R(0.5));
        const ptrdiff_t first = (ptrdiff_t)FN(hold)(centre - support + R(0.5), 0, size);
        const ptrdiff_t past = (ptrdiff_t)FN(hold)(centre + support + R(0.5), 0, size);
        const ptrdiff_t count = smaller(past - first, axis->width);
        REAL total = 0;
        for (ptrdiff_t k = 0; k < count; k++) {
            axis->at[k * axis->out + o] = (int32_t)(first + k);
            weight[k * axis->out + o] = FN(smooth_weight)(mode, (R(first + k) - centre + R(0.5)) * shrink);
            total += weight[k * axis->out + o];
        }
        for (ptrdiff_t k = 0; total != 0 && k < count; k++) weight[k * axis->out + o] /= total;
        axis->count[o] = (int32_t)count;
    }
}

static void FN(fill_axis)(Axis *axis, int mode, int align_corners, double scale) {
    const REAL step = align_corners || scale > 0 ? R(step_of(axis->in, axis->out, align_corners, scale))
                                                 : R(axis->in) / R(axis->out);
    if (mode < LINEAR)
        FN(nearest_axis)(axis, mode == NEAREST_EXACT, scale);
    else if (mode == LINEAR)
        FN(linear_axis)(axis, step, align_corners);
    else if (mode == CUBIC)
        FN(cubic_axis)(axis, step, align_corners);
    else
        FN(smooth_axis)(axis, mode, step);
    for (ptrdiff_t o = 0; o < axis->out; o++)
        for (ptrdiff_t k = 0; k < (axis->count ? axis->count[o] : axis->width); k++)
            axis->used[axis->at[k * axis->out + o]] = 1;
}

/* One row along the last axis. */
INLINE void FN(gather_row)(REAL *out, const REAL *x, const Axis *axis) {
    const ptrdiff_t n = axis->out;
    const int32_t *at = axis->at;
    const REAL *weight = axis->weight;
    if (axis->width == 1 && !axis->count) {
        FREE_LOOP for (ptrdiff_t o = 0; o < n; o++) out[o] = x[at[o]];
    } else if (axis->width == 2 && !axis->count) {
        FREE_LOOP for (ptrdiff_t o = 0; o < n; o++) out[o] = weight[o] * x[at[o]] + weight[n + o] * x[at[n + o]];
    } else if (!axis->count) {
        FREE_LOOP for (ptrdiff_t o = 0; o < n; o++)
            out[o] = weight[o] * x[at[o]] + weight[n + o] * x[at[n + o]] + weight[2 * n + o] * x[at[2 * n + o]] +
                     weight[3 * n + o] * x[at[3 * n + o]];
    } else {
        for (ptrdiff_t o = 0; o < n; o++) {
            REAL sum = 0;
            for (ptrdiff_t k = 0; k < axis->count[o]; k++) sum += weight[k * n + o] * x[at[k * n + o]];
            out[o] = sum;
        }
    }
}

INLINE void FN(scatter_row)(REAL *gx, const REAL *g, const Axis *axis) {
    const ptrdiff_t n = axis->out;
    const REAL *weight = axis->weight;
    memset(gx, 0, (size_t)axis->in * sizeof(REAL));
    for (ptrdiff_t o = 0; o < n; o++)
        for (ptrdiff_t k = 0; k < (axis->count ? axis->count[o] : axis->width); k++)
            gx[axis->at[k * n + o]] += weight[k * n + o] * g[o];
}

/* An axis whose elements are rows of `inner` numbers. */
INLINE void FN(blend_rows)(REAL *out, const REAL *x, ptrdiff_t inner, const Axis *axis) {
    const REAL *weight = axis->weight;
    const ptrdiff_t n = axis->out;
    for (ptrdiff_t o = 0; o < n; o++, out += inner) {
        const ptrdiff_t count = axis->count ? axis->count[o] : axis->width;
        const REAL *first = x + axis->at[o] * inner;
        if (count == 1 && !axis->count) {
            memcpy(out, first, (size_t)inner * sizeof(REAL));
            continue;
        }
        if (count == 2) {
            const REAL *second = x + axis->at[n + o] * inner, a = weight[o], b = weight[n + o];
            FREE_LOOP for (ptrdiff_t i = 0; i < inner; i++) out[i] = a * first[i] + b * second[i];
            continue;
        }
        if (count == 0) memset(out, 0, (size_t)inner * sizeof(REAL));
        for (ptrdiff_t k = 0; k < count; k++) {
            const REAL *row = x + axis->at[k * n + o] * inner, w = weight[k * n + o];
            if (k == 0)
                FREE_LOOP for (ptrdiff_t i = 0; i < inner; i++) out[i] = w * row[i];
            else
                FREE_LOOP for (ptrdiff_t i = 0; i < inner; i++) out[i] += w * row[i];
        }
    }
}

INLINE void FN(spread_rows)(REAL *gx, const REAL *g, ptrdiff_t inner, const Axis *axis) {
    const REAL *weight = axis->weight;
    memset(gx, 0, (size_t)(axis->in * inner) * sizeof(REAL));
    for (ptrdiff_t o = 0; o < axis->out; o++, g += inner)
        for (ptrdiff_t k = 0; k < (axis->count ? axis->count[o] : axis->width); k++) {
            const REAL w = weight[k * axis->out + o];
            REAL *row = gx + axis->at[k * axis->out + o] * inner;
            FREE_LOOP for (ptrdiff_t i = 0; i < inner; i++) row[i] += w * g[i];
        }
}

/* (d, h, w) -> (od, oh, ow); `columns` and `rows` are room for (d, h, ow) and (d, oh, ow). */
CLONES static void FN(resample_plane)(REAL *out, const REAL *x, const Axis *axes, REAL *columns, REAL *rows) {
    const Axis *d = axes, *h = axes + 1, *w = axes + 2;
    const REAL *now = x;
    if (!w->skip) {
        REAL *to = h->skip && d->skip ? out : columns;
        for (ptrdiff_t z = 0; z < d->in; z++)
            for (ptrdiff_t y = 0; y < h->in; y++)
                if (d->used[z] && h->used[y])
                    FN(gather_row)(to + (z * h->in + y) * w->out, now + (z * h->in + y) * w->in, w);
        now = to;
    }
    if (!h->skip) {
        REAL *to = d->skip ? out : rows;
        for (ptrdiff_t z = 0; z < d->in; z++)
            if (d->used[z]) FN(blend_rows)(to + z * h->out * w->out, now + z * h->in * w->out, w->out, h);
        now = to;
    }
    if (!d->skip) {
        FN(blend_rows)(out, now, h->out * w->out, d);
        now = out;
    }
    if (now == x) memcpy(out, x, (size_t)(d->in * h->in * w->in) * sizeof(REAL));
}

CLONES static void FN(resample_plane_backward)(REAL *gx, const REAL *g, const Axis *axes, REAL *columns, REAL *rows) {
    const Axis *d = axes, *h = axes + 1, *w = axes + 2;
    const REAL *now = g;
    if (!d->skip) {
        REAL *to = h->skip && w->skip ? gx : rows;
        FN(spread_rows)(to, now, h->out * w->out, d);
        now = to;
    }
    if (!h->skip) {
        REAL *to = w->skip ? gx : columns;
        for (ptrdiff_t z = 0; z < d->in; z++)
            FN(spread_rows)(to + z * h->in * w->out, now + z * h->out * w->out, w->out, h);
        now = to;
    }
    if (!w->skip) {
        for (ptrdiff_t row = 0; row < d->in * h->in; row++) FN(scatter_row)(gx + row * w->in, now + row * w->out, w);
        now = gx;
    }
    if (now == g) memcpy(gx, g, (size_t)(d->in * h->in * w->in) * sizeof(REAL));
}

/* `room` holds (d, h, ow) and (d, oh, ow). */
static void FN(resample)(void *out, void *x, ptrdiff_t planes, const Axis *axes, void *room) {
    const ptrdiff_t in = axes[0].in * axes[1].in * axes[2].in, size = axes[0].out * axes[1].out * axes[2].out;
    REAL *columns = room, *rows = columns + axes[0].in * axes[1].in * axes[2].out;
    for (ptrdiff_t p = 0; p < planes; p++)
        FN(resample_plane)((REAL *)out + p * size, (const REAL *)x + p * in, axes, columns, rows);
}

static void FN(resample_backward)(void *gx, void *g, ptrdiff_t planes, const Axis *axes, void *room) {
    const ptrdiff_t in = axes[0].in * axes[1].in * axes[2].in, size = axes[0].out * axes[1].out * axes[2].out;
    REAL *columns = room, *rows = columns + axes[0].in * axes[1].in * axes[2].out;
    for (ptrdiff_t p = 0; p < planes; p++)
        FN(resample_plane_backward)((REAL *)gx + p * in, (const REAL *)g + p * size, axes, columns, rows);
}
#endif
