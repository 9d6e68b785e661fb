/* Convolutions of few channels, without BLAS. An input is copied between zeros, its positions sorted by their remainder
   modulo the stride. Then each place of the kernel is an offset, and a whole image is one long row:
       row[j] = sum over places t of weight[t] * padded[offset[t] + j]
   Between the lines of the image the row holds sums of no meaning, which nobody reads. */
#ifndef EACH
#include <stdlib.h>
#include "convolution.h"
#define EACH "direct_convolution.h"
#include "each_real.h"
#define direct_forward_any(single, ...) BY_TYPE(single, direct_forward, __VA_ARGS__)
#define direct_input_grad_any(single, ...) BY_TYPE(single, direct_input_grad, __VA_ARGS__)
#define direct_weight_grad_any(single, ...) BY_TYPE(single, direct_weight_grad, __VA_ARGS__)
#else
#if defined(__GNUC__)
typedef REAL FN(Vector) __attribute__((vector_size(32), aligned(sizeof(REAL)), may_alias));
#else
typedef REAL FN(Vector);
#endif
#define LANES (ptrdiff_t)(sizeof(FN(Vector)) / sizeof(REAL))
#define FOUR 4             /* outputs that are summed up together */
#define SLACK 256          /* elements that a tile may reach beyond the end of a row */

/* How an image lies between its zeros. Positions are (remainders, lines), the last dimension fastest. */
typedef struct {
    ptrdiff_t front[3], step[3], lines[3]; /* zeros before it; remainders and lines of each dimension */
    ptrdiff_t size;                        /* of one channel */
} FN(Padded);

INLINE FN(Padded) FN(padded)(const ptrdiff_t *front, const ptrdiff_t *step, const ptrdiff_t *lines) {
    FN(Padded) p = {.size = 1};
    for (int k = 0; k < 3; k++) {
        p.front[k] = front[k];
        p.step[k] = step[k];
        p.lines[k] = lines[k];
        p.size *= step[k] * lines[k];
    }
    return p;
}

/* Where the element (a, b, c) behind the zeros lies. */
INLINE ptrdiff_t FN(offset)(const FN(Padded) *p, const ptrdiff_t *at) {
    ptrdiff_t remainder = 0, line = 0;
    for (int k = 0; k < 3; k++) {
        remainder = remainder * p->step[k] + at[k] % p->step[k];
        line = line * p->lines[k] + at[k] / p->step[k];
    }
    return remainder * p->lines[0] * p->lines[1] * p->lines[2] + line;
}

/* Channels between zeros, which are there already; what lies beyond the last line is not needed. */
INLINE void FN(pad)(REAL *to, const FN(Padded) *p, const REAL *x, ptrdiff_t channels, const ptrdiff_t *size) {
    const ptrdiff_t step = p->step[2];
    for (ptrdiff_t c = 0; c < channels; c++, to += p->size)
        for (ptrdiff_t d = 0; d < size[0]; d++)
            for (ptrdiff_t h = 0; h < size[1]; h++, x += size[2]) {
                ptrdiff_t at[3] = {d + p->front[0], h + p->front[1], 0};
                if (at[0] / p->step[0] >= p->lines[0] || at[1] / p->step[1] >= p->lines[1]) continue;
                for (ptrdiff_t first = 0; first < step && first < size[2]; first++) {
                    at[2] = first + p->front[2];
                    const ptrdiff_t room = p->lines[2] - at[2] / step, count = ceiling(size[2] - first, step);
                    REAL *row = to + FN(offset)(p, at);
                    const REAL *of = x + first;
                    const ptrdiff_t n = count < room ? count : room;
                    if (step == 1)
                        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = of[j];
                    else if (step == 2)
                        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = of[j * 2];
                    else
                        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) row[j] = of[j * step];
                }
            }
}

/* Rows of OUTS outputs, WIDE vectors at a time so that the sums stay in registers; weights are (taps, OUTS). */
#define SUM_TAPS(name, OUTS, WIDE)                                                                              \
    INLINE void FN(name)(REAL *to, ptrdiff_t apart, const REAL *x, const ptrdiff_t *offset, const REAL *weight, \
                         ptrdiff_t taps, ptrdiff_t length) {                                                    \
        for (ptrdiff_t start = 0; start < length; start += WIDE * LANES) {                                      \
            FN(Vector) sum[OUTS][WIDE] = {0};                                                                   \
            for (ptrdiff_t t = 0; t < taps; t++) {                                                              \
                const FN(Vector) *from = (const FN(Vector) *)(x + offset[t] + start);                           \
                for (int o = 0; o < OUTS; o++)                                                                  \
                    for (int j = 0; j < WIDE; j++) sum[o][j] += weight[t * OUTS + o] * from[j];                 \
            }                                                                                                   \
            for (int o = 0; o < OUTS; o++)                                                                      \
                for (int j = 0; j < WIDE; j++) ((FN(Vector) *)(to + o * apart + start))[j] = sum[o][j];         \
        }                                                                                                       \
    }
SUM_TAPS(sum_four, FOUR, 2)
SUM_TAPS(sum_one, 1, 8)
#undef SUM_TAPS

/* The weights of each block of outputs beside each other: element (o, t) is weight[o * apart + from[t]]. */
INLINE void FN(pack)(REAL *to, const REAL *weight, ptrdiff_t apart, const ptrdiff_t *from, ptrdiff_t outs,
                     ptrdiff_t taps) {
    for (ptrdiff_t o = 0, block; o < outs; o += block) {
        block = outs - o >= FOUR ? FOUR : 1;
        for (ptrdiff_t t = 0; t < taps; t++)
            for (ptrdiff_t k = 0; k < block; k++) *to++ = weight[(o + k) * apart + from[t]];
    }
}

/* The lines of a row that lie in an image: line q is (q * step + first) there. */
typedef struct {
    const ptrdiff_t *size, *step;
    ptrdiff_t first[3], low[3], high[3];
} FN(Image);

INLINE void FN(show)(REAL *to, const REAL *row, const ptrdiff_t *lines, const FN(Image) *i, REAL bias) {
    const ptrdiff_t step = i->step[2];
    for (ptrdiff_t d = i->low[0]; d < i->high[0]; d++)
        for (ptrdiff_t h = i->low[1]; h < i->high[1]; h++) {
            const REAL *of = row + (d * lines[1] + h) * lines[2];
            const ptrdiff_t line = (d * i->step[0] + i->first[0]) * i->size[1] + h * i->step[1] + i->first[1];
            REAL *there = to + line * i->size[2] + i->first[2];
            if (step == 1)
                FREE_LOOP for (ptrdiff_t j = i->low[2]; j < i->high[2]; j++) there[j] = of[j] + bias;
            else
                for (ptrdiff_t j = i->low[2]; j < i->high[2]; j++) there[j * step] = of[j] + bias;
        }
}

/* All outputs of one group of one item; `rows` has room for FOUR. */
INLINE void FN(sum_taps)(REAL *to, ptrdiff_t outs, const REAL *x, const ptrdiff_t *offset, const REAL *packed,
                         ptrdiff_t taps, REAL *rows, ptrdiff_t length, const ptrdiff_t *lines, const FN(Image) *i,
                         const REAL *bias) {
    const ptrdiff_t size = i->size[0] * i->size[1] * i->size[2], apart = length + SLACK;
    for (ptrdiff_t o = 0, block; o < outs; o += block, packed += block * taps) {
        block = outs - o >= FOUR ? FOUR : 1;
        if (block == FOUR)
            FN(sum_four)(rows, apart, x, offset, packed, taps, length);
        else
            FN(sum_one)(rows, apart, x, offset, packed, taps, length);
        for (ptrdiff_t k = 0; k < block; k++)
            FN(show)(to + (o + k) * size, rows + k * apart, lines, i, bias ? bias[o + k] : 0);
    }
}

INLINE ptrdiff_t FN(length)(const ptrdiff_t *count, const ptrdiff_t *lines) {
    return ((count[0] - 1) * lines[1] + count[1] - 1) * lines[2] + count[2];
}

/* The input as the forward pass sees it, and the offset of each (channel, place). */
INLINE FN(Padded) FN(padded_input)(const Convolution *v) {
    ptrdiff_t lines[3];
    for (int k = 0; k < 3; k++) lines[k] = v->out[k] + (v->kernel[k] - 1) * v->dilation[k] / v->stride[k];
    return FN(padded)(v->padding, v->stride, lines);
}

INLINE void FN(input_offsets)(ptrdiff_t *offset, const FN(Padded) *p, const Convolution *v, ptrdiff_t channels) {
    for (ptrdiff_t c = 0; c < channels; c++)
        for (ptrdiff_t d = 0; d < v->kernel[0]; d++)
            for (ptrdiff_t h = 0; h < v->kernel[1]; h++)
                for (ptrdiff_t w = 0; w < v->kernel[2]; w++) {
                    const ptrdiff_t at[3] = {d * v->dilation[0], h * v->dilation[1], w * v->dilation[2]};
                    *offset++ = c * p->size + FN(offset)(p, at);
                }
}

#define VOLUME(a) ((a)[0] * (a)[1] * (a)[2])

/* 0 if there is no memory. */
CLONES static int FN(direct_forward)(REAL *out, REAL *x, REAL *weight, REAL *bias, const Convolution *v) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, taps = cg * VOLUME(v->kernel);
    const FN(Padded) p = FN(padded_input)(v);
    const ptrdiff_t length = FN(length)(v->out, p.lines), one[3] = {1, 1, 1};
    REAL *input = calloc(cg * p.size + SLACK + og * taps + FOUR * (length + SLACK), sizeof(REAL));
    ptrdiff_t *offset = malloc(2 * taps * sizeof(ptrdiff_t)), *from = offset + taps;
    REAL *packed = input + cg * p.size + SLACK, *rows = packed + og * taps;
    if (input && offset) {
        const FN(Image) image = {v->out, one, .high = {v->out[0], v->out[1], v->out[2]}};
        FN(input_offsets)(offset, &p, v, cg);
        for (ptrdiff_t t = 0; t < taps; t++) from[t] = t;
        for (ptrdiff_t g = 0; g < v->groups; g++) {
            FN(pack)(packed, weight + g * og * taps, taps, from, og, taps);
            for (ptrdiff_t n = 0; n < v->n; n++) {
                FN(pad)(input, &p, x + (n * v->c + g * cg) * VOLUME(v->in), cg, v->in);
                FN(sum_taps)(out + (n * v->o + g * og) * VOLUME(v->out), og, input, offset, packed, taps, rows, length,
                             p.lines, &image, bias ? bias + g * og : NULL);
            }
        }
    }
    const int done = input && offset;
    free(input), free(offset);
    return done;
}

/* The places of the kernel that see the inputs with one remainder modulo the stride, after `taps` others. */
INLINE ptrdiff_t FN(seen_by)(ptrdiff_t *offset, ptrdiff_t *from, const FN(Padded) *p, const Convolution *v,
                             const ptrdiff_t *remainder) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, places = VOLUME(v->kernel);
    ptrdiff_t taps = 0, k[3];
    for (ptrdiff_t o = 0; o < og; o++)
        for (k[0] = 0; k[0] < v->kernel[0]; k[0]++)
            for (k[1] = 0; k[1] < v->kernel[1]; k[1]++)
                for (k[2] = 0; k[2] < v->kernel[2]; k[2]++) {
                    ptrdiff_t at[3];
                    int sees = 1;
                    for (int i = 0; i < 3; i++) {
                        sees &= k[i] * v->dilation[i] % v->stride[i] == remainder[i];
                        at[i] = p->front[i] - k[i] * v->dilation[i] / v->stride[i];
                    }
                    if (!sees) continue;
                    offset[taps] = o * p->size + FN(offset)(p, at);
                    from[taps++] = o * cg * places + (k[0] * v->kernel[1] + k[1]) * v->kernel[2] + k[2];
                }
    return taps;
}

/* Inputs of one remainder modulo the stride at a time: those are seen by the same places of the kernel. */
CLONES static int FN(direct_input_grad)(REAL *gx, REAL *g, REAL *weight, const Convolution *v) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, places = VOLUME(v->kernel), one[3] = {1, 1, 1};
    ptrdiff_t front[3], lines[3], count[3];
    for (int k = 0; k < 3; k++) {
        front[k] = (v->kernel[k] - 1) * v->dilation[k] / v->stride[k];
        count[k] = (v->in[k] - 1 + v->padding[k]) / v->stride[k] + 1;
        lines[k] = count[k] + front[k];
    }
    const FN(Padded) p = FN(padded)(front, one, lines);
    const ptrdiff_t length = FN(length)(count, lines);
    REAL *grad = calloc(og * p.size + SLACK + og * cg * places + FOUR * (length + SLACK), sizeof(REAL));
    ptrdiff_t *offset = malloc(2 * og * places * sizeof(ptrdiff_t)), *from = offset + og * places, r[3];
    REAL *packed = grad + og * p.size + SLACK, *rows = packed + og * cg * places;
    for (ptrdiff_t group = 0; group < v->groups && grad && offset; group++)
        for (ptrdiff_t n = 0; n < v->n; n++) {
            FN(pad)(grad, &p, g + (n * v->o + group * og) * VOLUME(v->out), og, v->out);
            for (r[0] = 0; r[0] < v->stride[0]; r[0]++)
                for (r[1] = 0; r[1] < v->stride[1]; r[1]++)
                    for (r[2] = 0; r[2] < v->stride[2]; r[2]++) {
                        FN(Image) image = {v->in, v->stride};
                        for (int k = 0; k < 3; k++) {
                            image.first[k] = r[k] - v->padding[k];
                            image.low[k] = between(0, ceiling(-image.first[k], v->stride[k]), count[k]);
                            image.high[k] = between(0, ceiling(v->in[k] - image.first[k], v->stride[k]), count[k]);
                        }
                        const ptrdiff_t taps = FN(seen_by)(offset, from, &p, v, r);
                        FN(pack)(packed, weight + group * og * cg * places, places, from, cg, taps);
                        FN(sum_taps)(gx + (n * v->c + group * cg) * VOLUME(v->in), cg, grad, offset, packed, taps, rows,
                                     length, lines, &image, NULL);
                    }
        }
    const int done = grad && offset;
    free(grad), free(offset);
    return done;
}

/* Products of OUTS rows with TAPS others. */
#define DOTS(name, OUTS, TAPS)                                                                                   \
    INLINE void FN(name)(REAL *to, ptrdiff_t to_apart, const REAL *g, ptrdiff_t apart, const REAL *x,            \
                         const ptrdiff_t *offset, ptrdiff_t length) {                                            \
        FN(Vector) sum[OUTS][TAPS] = {0};                                                                        \
        for (ptrdiff_t j = 0; j < length; j += LANES)                                                            \
            for (int o = 0; o < OUTS; o++)                                                                       \
                for (int t = 0; t < TAPS; t++)                                                                   \
                    sum[o][t] += *(const FN(Vector) *)(g + o * apart + j) * *(const FN(Vector) *)(x + offset[t] + j); \
        for (int o = 0; o < OUTS; o++)                                                                           \
            for (int t = 0; t < TAPS; t++)                                                                       \
                for (ptrdiff_t lane = 0; lane < LANES; lane++)                                                   \
                    to[o * to_apart + t] += ((REAL *)&sum[o][t])[lane];                                          \
    }
DOTS(dots_four_two, FOUR, 2)
DOTS(dots_four_one, FOUR, 1)
DOTS(dots_one_nine, 1, 9)
DOTS(dots_one_one, 1, 1)
#undef DOTS

INLINE void FN(dots)(REAL *gw, ptrdiff_t outs, const REAL *g, ptrdiff_t apart, const REAL *x, const ptrdiff_t *offset,
                     ptrdiff_t taps, ptrdiff_t length) {
    ptrdiff_t o = 0, t;
    for (; o + FOUR <= outs; o += FOUR) {
        for (t = 0; t + 2 <= taps; t += 2)
            FN(dots_four_two)(gw + o * taps + t, taps, g + o * apart, apart, x, offset + t, length);
        for (; t < taps; t++)
            FN(dots_four_one)(gw + o * taps + t, taps, g + o * apart, apart, x, offset + t, length);
    }
    for (; o < outs; o++) {
        for (t = 0; t + 9 <= taps; t += 9)
            FN(dots_one_nine)(gw + o * taps + t, taps, g + o * apart, apart, x, offset + t, length);
        for (; t < taps; t++)
            FN(dots_one_one)(gw + o * taps + t, taps, g + o * apart, apart, x, offset + t, length);
    }
}

/* Between its lines the row of the gradient holds zeros. */
CLONES static int FN(direct_weight_grad)(REAL *gw, REAL *g, REAL *x, const Convolution *v) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, taps = cg * VOLUME(v->kernel);
    const ptrdiff_t none[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const FN(Padded) p = FN(padded_input)(v);
    FN(Padded) of_grad = FN(padded)(none, one, p.lines);
    of_grad.size += LANES;
    const ptrdiff_t length = FN(length)(v->out, p.lines);
    REAL *input = calloc(cg * p.size + SLACK + og * of_grad.size, sizeof(REAL)), *grad = input + cg * p.size + SLACK;
    ptrdiff_t *offset = malloc(taps * sizeof(ptrdiff_t));
    if (input && offset) {
        memset(gw, 0, v->o * taps * sizeof(REAL));
        FN(input_offsets)(offset, &p, v, cg);
        for (ptrdiff_t n = 0; n < v->n; n++)
            for (ptrdiff_t group = 0; group < v->groups; group++) {
                FN(pad)(input, &p, x + (n * v->c + group * cg) * VOLUME(v->in), cg, v->in);
                FN(pad)(grad, &of_grad, g + (n * v->o + group * og) * VOLUME(v->out), og, v->out);
                FN(dots)(gw + group * og * taps, og, grad, of_grad.size, input, offset, taps, length);
            }
    }
    const int done = input && offset;
    free(input), free(offset);
    return done;
}
#undef LANES
#undef FOUR
#undef SLACK
#undef VOLUME
#endif
