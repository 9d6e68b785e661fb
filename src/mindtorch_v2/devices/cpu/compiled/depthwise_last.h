/* Convolutions with a kernel for each channel, on images whose channels lie last: all channels of a position at once.
   Weights lie as (places of the kernel, channels). */
#ifndef EACH
#include <stdlib.h>
#include "convolution.h"
#define CHANNELS_AT_ONCE 64 /* of the gradient of weights, that one thread takes */

typedef struct {
    const Convolution *v;
    int lacks_memory;
    void *out, *x, *weight, *bias; /* of gradients, `out` is that of the output and what is asked for is written */
} Depthwise;

#define ROWS_OF(v) ((v)->out[0] * (v)->out[1])
#define PLACES_OF(v) ((v)->kernel[0] * (v)->kernel[1] * (v)->kernel[2])

/* What an output sees: for each place of the kernel that is inside, the element there and the place's weight. */
typedef struct {
    ptrdiff_t element, weight;
} Tap;

/* Their number is returned. */
INLINE ptrdiff_t taps_of(Tap *taps, const Convolution *v, ptrdiff_t row, ptrdiff_t ow) {
    const ptrdiff_t o[3] = {row / v->out[1] % v->out[0], row % v->out[1], ow}, image = row / ROWS_OF(v) * v->in[0];
    ptrdiff_t start[3], low[3], high[3], count = 0;
    for (int k = 0; k < 3; k++) {
        start[k] = o[k] * v->stride[k] - v->padding[k];
        low[k] = start[k] < 0 ? between(0, ceiling(-start[k], v->dilation[k]), v->kernel[k]) : 0;
        high[k] = start[k] + (v->kernel[k] - 1) * v->dilation[k] < v->in[k]
                      ? v->kernel[k] /* which spares a division */
                      : between(low[k], ceiling(v->in[k] - start[k], v->dilation[k]), v->kernel[k]);
    }
    for (ptrdiff_t d = low[0]; d < high[0]; d++)
        for (ptrdiff_t h = low[1]; h < high[1]; h++) {
            const ptrdiff_t z = image + start[0] + d * v->dilation[0], y = start[1] + h * v->dilation[1];
            const ptrdiff_t line = (z * v->in[1] + y) * v->in[2] + start[2], place = (d * v->kernel[1] + h) * v->kernel[2];
            for (ptrdiff_t w = low[2]; w < high[2]; w++, count++)
                taps[count].element = (line + w * v->dilation[2]) * v->c, taps[count].weight = (place + w) * v->c;
        }
    return count;
}

#define EACH "depthwise_last.h"
#include "each_real.h"
#else

#if defined(__GNUC__)
typedef REAL FN(Channels) __attribute__((vector_size(64), aligned(sizeof(REAL)), may_alias));
#else
typedef REAL FN(Channels);
#endif
enum { FN(LANES) = sizeof(FN(Channels)) / sizeof(REAL) };

/* WIDE vectors of one output's channels, whose sums stay in registers. */
#define SUM_CHANNELS(WIDE)                                                                                        \
    INLINE void FN(sum_channels_##WIDE)(REAL *to, const Depthwise *job, const Tap *taps, ptrdiff_t count,         \
                                        ptrdiff_t c) {                                                            \
        FN(Channels) sum[WIDE] = {0};                                                                             \
        for (int j = 0; job->bias && j < WIDE; j++)                                                               \
            sum[j] = ((const FN(Channels) *)((const REAL *)job->bias + c))[j];                                    \
        for (ptrdiff_t t = 0; t < count; t++) {                                                                   \
            const FN(Channels) *x = (const FN(Channels) *)((const REAL *)job->x + taps[t].element + c);           \
            const FN(Channels) *weight = (const FN(Channels) *)((const REAL *)job->weight + taps[t].weight + c);  \
            for (int j = 0; j < WIDE; j++) sum[j] += x[j] * weight[j];                                            \
        }                                                                                                         \
        for (int j = 0; j < WIDE; j++) ((FN(Channels) *)(to + c))[j] = sum[j];                                    \
    }
SUM_CHANNELS(4)
SUM_CHANNELS(2)
SUM_CHANNELS(1)
#undef SUM_CHANNELS

INLINE void FN(sum_channel)(REAL *to, const Depthwise *job, const Tap *taps, ptrdiff_t count, ptrdiff_t c) {
    REAL sum = job->bias ? ((const REAL *)job->bias)[c] : 0;
    for (ptrdiff_t t = 0; t < count; t++)
        sum += ((const REAL *)job->x)[taps[t].element + c] * ((const REAL *)job->weight)[taps[t].weight + c];
    to[c] = sum;
}

/* Every output of some rows: where its channels are, and its taps. */
#define EACH_OUTPUT(begin, end)                                                                            \
    Tap *taps = malloc(PLACES_OF(v) * sizeof(Tap));                                                         \
    if (!taps) job->lacks_memory = 1;                                                                       \
    for (ptrdiff_t row = begin, count; taps && row < (end); row++)                                          \
        for (ptrdiff_t ow = 0, at = row * v->out[2] * v->c; ow < v->out[2] && ((count = taps_of(taps, v, row, ow)), 1); \
             ow++, at += v->c)

/* Rows of outputs of all images. */
CLONES static void FN(depthwise_rows)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Depthwise *job = (Depthwise *)job_;
    const Convolution *v = job->v;
    EACH_OUTPUT(begin, end) {
        REAL *to = (REAL *)job->out + at;
        ptrdiff_t c = 0;
        for (; c + 4 * FN(LANES) <= v->c; c += 4 * FN(LANES)) FN(sum_channels_4)(to, job, taps, count, c);
        for (; c + 2 * FN(LANES) <= v->c; c += 2 * FN(LANES)) FN(sum_channels_2)(to, job, taps, count, c);
        for (; c + FN(LANES) <= v->c; c += FN(LANES)) FN(sum_channels_1)(to, job, taps, count, c);
        for (; c < v->c; c++) FN(sum_channel)(to, job, taps, count, c);
    }
    free(taps);
}

/* Gradients of the inputs of images, which come zero-filled. */
CLONES static void FN(depthwise_input_grads)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Depthwise *job = (Depthwise *)job_;
    const Convolution *v = job->v;
    EACH_OUTPUT(begin * ROWS_OF(v), end * ROWS_OF(v)) {
        const REAL *g = (const REAL *)job->out + at;
        for (ptrdiff_t t = 0; t < count; t++) {
            REAL *to = (REAL *)job->x + taps[t].element;
            const REAL *weight = (const REAL *)job->weight + taps[t].weight;
            FREE_LOOP for (ptrdiff_t c = 0; c < v->c; c++) to[c] += g[c] * weight[c];
        }
    }
    free(taps);
}

/* Gradients of the weights of some blocks of channels, which come zero-filled. */
CLONES static void FN(depthwise_weight_grads)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Depthwise *job = (Depthwise *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t first = begin * CHANNELS_AT_ONCE, past = between(0, end * CHANNELS_AT_ONCE, v->c);
    EACH_OUTPUT(0, v->n * ROWS_OF(v)) {
        const REAL *g = (const REAL *)job->out + at;
        for (ptrdiff_t t = 0; t < count; t++) {
            const REAL *x = (const REAL *)job->x + taps[t].element;
            REAL *to = (REAL *)job->weight + taps[t].weight;
            FREE_LOOP for (ptrdiff_t c = first; c < past; c++) to[c] += g[c] * x[c];
        }
    }
    free(taps);
}
#undef EACH_OUTPUT
#endif
