/* Convolutions with a kernel for each channel, on images whose channels lie last: all channels of a position at once.
   Weights lie as (places of the kernel, channels). */
#ifndef EACH
#include <stdlib.h>
#include "convolution.h"
#define MANY_OUTPUTS 8 /* that follow each other, and share what they see */
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

typedef struct {
    Tap *taps;
    ptrdiff_t count, shift; /* of taps, and from the output that they were found for to the one at hand */
    int is_whole;           /* whether that one sees by all places of a line */
} Seen;

static void find_taps(Seen *seen, const Convolution *v, ptrdiff_t row, ptrdiff_t ow) {
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
                seen->taps[count] = (Tap){(line + w * v->dilation[2]) * v->c, (place + w) * v->c};
        }
    seen->count = count, seen->shift = 0, seen->is_whole = high[2] - low[2] == v->kernel[2];
}

/* Whether an output further on in the row sees the same, only further: both are between the borders. */
INLINE int sees_alike(const Seen *seen, const Convolution *v, ptrdiff_t ow) {
    const ptrdiff_t last = ow * v->stride[2] - v->padding[2] + (v->kernel[2] - 1) * v->dilation[2];
    return seen->is_whole && last < v->in[2] && ow < v->out[2];
}

/* Whether outputs that follow each other see by neighbouring places of a line, of a length that has a loop. */
INLINE int shares_lines(const Convolution *v) {
    const ptrdiff_t w = v->kernel[2];
    return v->stride[2] == 1 && v->dilation[2] == 1 && (w == 3 || w == 5 || w == 7);
}

/* The next output of a row. */
INLINE void see(Seen *seen, const Convolution *v, ptrdiff_t row, ptrdiff_t ow) {
    if (ow > 0 && sees_alike(seen, v, ow))
        seen->shift += v->stride[2] * v->c;
    else
        find_taps(seen, v, row, ow);
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

/* WIDE vectors of the channels of some outputs that follow each other; their sums stay in registers. */
#define SUM_CHANNELS(OUTPUTS, WIDE)                                                                               \
    INLINE void FN(sum_channels_##OUTPUTS##_##WIDE)(REAL *to, const Depthwise *job, const Seen *seen, ptrdiff_t c) { \
        const ptrdiff_t apart = job->v->stride[2] * job->v->c;                                                    \
        const REAL *from = (const REAL *)job->x + seen->shift + c, *weights = (const REAL *)job->weight + c;      \
        FN(Channels) sum[OUTPUTS][WIDE] = {0};                                                                    \
        for (int i = 0; i < OUTPUTS; i++)                                                                         \
            for (int j = 0; job->bias && j < WIDE; j++)                                                           \
                sum[i][j] = ((const FN(Channels) *)((const REAL *)job->bias + c))[j];                             \
        for (ptrdiff_t t = 0; t < seen->count; t++) {                                                             \
            const FN(Channels) *weight = (const FN(Channels) *)(weights + seen->taps[t].weight);                  \
            for (int i = 0; i < OUTPUTS; i++) {                                                                   \
                const FN(Channels) *x = (const FN(Channels) *)(from + seen->taps[t].element + i * apart);         \
                for (int j = 0; j < WIDE; j++) sum[i][j] += x[j] * weight[j];                                     \
            }                                                                                                     \
        }                                                                                                         \
        for (int i = 0; i < OUTPUTS; i++)                                                                         \
            for (int j = 0; j < WIDE; j++) ((FN(Channels) *)(to + i * job->v->c + c))[j] = sum[i][j];             \
    }
SUM_CHANNELS(4, 2)
SUM_CHANNELS(4, 1)
SUM_CHANNELS(1, 2)
SUM_CHANNELS(1, 1)
#undef SUM_CHANNELS

/* A vector of the channels of many outputs, by lines of the kernel: what is seen by several outputs is read once. */
#if defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 16")
#else
#define UNROLLED
#endif
#define SUM_LINES(KERNEL)                                                                                          \
    INLINE void FN(sum_lines_##KERNEL)(REAL *to, const Depthwise *job, const Seen *seen, ptrdiff_t c) {            \
        const ptrdiff_t step = job->v->c;                                                                          \
        const REAL *from = (const REAL *)job->x + seen->shift + c, *weights = (const REAL *)job->weight + c;       \
        FN(Channels) sum[MANY_OUTPUTS] = {0}, weight[KERNEL];                                                      \
        UNROLLED for (int i = 0; job->bias && i < MANY_OUTPUTS; i++)                                               \
            sum[i] = *(const FN(Channels) *)((const REAL *)job->bias + c);                                         \
        for (ptrdiff_t t = 0; t < seen->count; t += KERNEL) {                                                      \
            const REAL *x = from + seen->taps[t].element, *of_line = weights + seen->taps[t].weight;               \
            UNROLLED for (int w = 0; w < KERNEL; w++) weight[w] = *(const FN(Channels) *)(of_line + w * step);     \
            UNROLLED for (int p = 0; p < MANY_OUTPUTS + KERNEL - 1; p++) {                                         \
                const FN(Channels) at = *(const FN(Channels) *)(x + p * step);                                     \
                UNROLLED for (int w = 0; w < KERNEL; w++)                                                          \
                    if (p >= w && p - w < MANY_OUTPUTS) sum[p - w] += at * weight[w];                              \
            }                                                                                                      \
        }                                                                                                          \
        UNROLLED for (int i = 0; i < MANY_OUTPUTS; i++) *(FN(Channels) *)(to + i * step + c) = sum[i];             \
    }
SUM_LINES(3)
SUM_LINES(5)
SUM_LINES(7)
#undef SUM_LINES
#undef UNROLLED

INLINE void FN(sum_channel)(REAL *to, const Depthwise *job, const Seen *seen, ptrdiff_t c, ptrdiff_t output) {
    const REAL *from = (const REAL *)job->x + seen->shift + c + output * job->v->stride[2] * job->v->c;
    const REAL *weights = (const REAL *)job->weight + c;
    REAL sum = job->bias ? ((const REAL *)job->bias)[c] : 0;
    for (ptrdiff_t t = 0; t < seen->count; t++) sum += from[seen->taps[t].element] * weights[seen->taps[t].weight];
    to[output * job->v->c + c] = sum;
}

/* All channels of one output, of four or of many. */
INLINE void FN(sum_outputs)(REAL *to, const Depthwise *job, const Seen *seen, int outputs) {
    const ptrdiff_t channels = job->v->c, wide = 2 * FN(LANES), kernel = job->v->kernel[2];
    ptrdiff_t c = 0;
    for (; outputs == MANY_OUTPUTS && c + FN(LANES) <= channels; c += FN(LANES))
        if (kernel == 3)
            FN(sum_lines_3)(to, job, seen, c);
        else if (kernel == 5)
            FN(sum_lines_5)(to, job, seen, c);
        else
            FN(sum_lines_7)(to, job, seen, c);
    for (; c + wide <= channels; c += wide)
        if (outputs == 4)
            FN(sum_channels_4_2)(to, job, seen, c);
        else
            FN(sum_channels_1_2)(to, job, seen, c);
    for (; c + FN(LANES) <= channels; c += FN(LANES))
        if (outputs == 4)
            FN(sum_channels_4_1)(to, job, seen, c);
        else
            FN(sum_channels_1_1)(to, job, seen, c);
    for (; c < channels; c++)
        for (ptrdiff_t i = 0; i < outputs; i++) FN(sum_channel)(to, job, seen, c, i);
}

/* Every output of some rows: where its channels are, and what it sees. */
#define EACH_OUTPUT(begin, end)                                                                            \
    Seen seen = {malloc(PLACES_OF(v) * sizeof(Tap))};                                                       \
    if (!seen.taps) job->lacks_memory = 1;                                                                  \
    for (ptrdiff_t row = begin; seen.taps && row < (end); row++)                                            \
        for (ptrdiff_t ow = 0, at = row * v->out[2] * v->c; ow < v->out[2]; ow++, at += v->c)

/* Rows of outputs of all images. */
CLONES static void FN(depthwise_rows)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Depthwise *job = (Depthwise *)job_;
    const Convolution *v = job->v;
    const int shares = shares_lines(v);
    EACH_OUTPUT(begin, end) {
        see(&seen, v, row, ow);
        const int has_many = shares && sees_alike(&seen, v, ow + MANY_OUTPUTS - 1);
        const int outputs = has_many ? MANY_OUTPUTS : sees_alike(&seen, v, ow + 3) ? 4 : 1, more = outputs - 1;
        FN(sum_outputs)((REAL *)job->out + at, job, &seen, outputs);
        ow += more, at += more * v->c, seen.shift += more * v->stride[2] * v->c;
    }
    free(seen.taps);
}

/* Gradients of the inputs of images, which come zero-filled. */
CLONES static void FN(depthwise_input_grads)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Depthwise *job = (Depthwise *)job_;
    const Convolution *v = job->v;
    EACH_OUTPUT(begin * ROWS_OF(v), end * ROWS_OF(v)) {
        const REAL *g = (const REAL *)job->out + at;
        see(&seen, v, row, ow);
        for (ptrdiff_t t = 0; t < seen.count; t++) {
            REAL *to = (REAL *)job->x + seen.taps[t].element + seen.shift;
            const REAL *weight = (const REAL *)job->weight + seen.taps[t].weight;
            FREE_LOOP for (ptrdiff_t c = 0; c < v->c; c++) to[c] += g[c] * weight[c];
        }
    }
    free(seen.taps);
}

#undef EACH_OUTPUT

/* to[c] += the sum over `count` positions of g[c] * x[c], for channels from `c` to `past`: sums stay in registers. */
#define ADD_PRODUCTS(WIDE)                                                            \
    for (; c + WIDE * FN(LANES) <= past; c += WIDE * FN(LANES)) {                     \
        FN(Channels) sum[WIDE] = {0};                                                 \
        for (ptrdiff_t i = 0; i < count; i++) {                                       \
            const FN(Channels) *a = (const FN(Channels) *)(g + i * g_step + c);       \
            const FN(Channels) *b = (const FN(Channels) *)(x + i * x_step + c);       \
            for (int j = 0; j < WIDE; j++) sum[j] += a[j] * b[j];                     \
        }                                                                             \
        for (int j = 0; j < WIDE; j++) ((FN(Channels) *)(to + c))[j] += sum[j];       \
    }
INLINE void FN(add_products)(REAL *to, const REAL *g, ptrdiff_t g_step, const REAL *x, ptrdiff_t x_step,
                             ptrdiff_t count, ptrdiff_t c, ptrdiff_t past) {
    ADD_PRODUCTS(4)
    ADD_PRODUCTS(1)
    for (; c < past; c++)
        for (ptrdiff_t i = 0; i < count; i++) to[c] += g[i * g_step + c] * x[i * x_step + c];
}
#undef ADD_PRODUCTS

/* What a row of outputs adds to the weights of a line of the kernel, which sees `line` of the input. */
INLINE void FN(weight_grads_of_line)(REAL *weight, const REAL *g, const REAL *line, const Convolution *v,
                                     ptrdiff_t first, ptrdiff_t past) {
    for (ptrdiff_t w = 0; w < v->kernel[2]; w++) {
        const ptrdiff_t start = w * v->dilation[2] - v->padding[2];
        const ptrdiff_t low = between(0, ceiling(-start, v->stride[2]), v->out[2]);
        const ptrdiff_t high = between(low, ceiling(v->in[2] - start, v->stride[2]), v->out[2]);
        FN(add_products)(weight + w * v->c, g + low * v->c, v->c, line + (start + low * v->stride[2]) * v->c,
                         v->stride[2] * v->c, high - low, first, past);
    }
}

/* Gradients of the weights of some blocks of channels, which come zero-filled. */
CLONES static void FN(depthwise_weight_grads)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    const Depthwise *job = (const Depthwise *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t first = begin * CHANNELS_AT_ONCE, past = between(0, end * CHANNELS_AT_ONCE, v->c);
    for (ptrdiff_t row = 0; row < v->n * ROWS_OF(v); row++)
        for (ptrdiff_t d = 0; d < v->kernel[0]; d++)
            for (ptrdiff_t h = 0; h < v->kernel[1]; h++) {
                const ptrdiff_t z = row / v->out[1] % v->out[0] * v->stride[0] - v->padding[0] + d * v->dilation[0];
                const ptrdiff_t y = row % v->out[1] * v->stride[1] - v->padding[1] + h * v->dilation[1];
                const ptrdiff_t line = (row / ROWS_OF(v) * v->in[0] + z) * v->in[1] + y;
                if (z < 0 || z >= v->in[0] || y < 0 || y >= v->in[1]) continue;
                FN(weight_grads_of_line)((REAL *)job->weight + (d * v->kernel[1] + h) * v->kernel[2] * v->c,
                                         (const REAL *)job->out + row * v->out[2] * v->c,
                                         (const REAL *)job->x + line * v->in[2] * v->c, v, first, past);
            }
}
#endif
