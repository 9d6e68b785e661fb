/* Convolutions without columns: a band of a group's channels is copied between zeros, and rows of it are summed up. */
#ifndef EACH
#include "padded_image.h"
#include "weighted_rows.h"
#define VOLUME(a) ((a)[0] * (a)[1] * (a)[2])
#define BAND (192 * 1024) /* elements of the input and of the output of a band */

/* How many lines of this axis a band takes, if `all` lines have `elements`. */
INLINE ptrdiff_t lines_of_band(ptrdiff_t all, ptrdiff_t elements) {
    const ptrdiff_t bands = elements / BAND + 1, lines = (all + bands - 1) / bands;
    return lines > 0 ? lines : 1;
}

/* A band of output: the same convolution, with fewer outputs and less before them. */
INLINE Convolution output_band(const Convolution *v, int axis, ptrdiff_t start, ptrdiff_t lines) {
    Convolution band = *v;
    band.out[axis] = v->out[axis] - start < lines ? v->out[axis] - start : lines;
    band.padding[axis] -= start * v->stride[axis];
    return band;
}

/* A band of input: lines that the gradient needs of the output, and how it lies in them. */
typedef struct {
    Padded grad;
    ptrdiff_t size[3], count[3]; /* of the inputs, and of their quotients by the stride */
    ptrdiff_t start[3], before[3]; /* the first input, and what is before it modulo the stride */
} InputBand;

INLINE InputBand input_band(const Convolution *v, int axis, ptrdiff_t start, ptrdiff_t lines) {
    const ptrdiff_t one[3] = {1, 1, 1};
    ptrdiff_t front[3], all[3];
    InputBand b;
    for (int k = 0; k < 3; k++) {
        b.start[k] = k == axis ? start : 0;
        b.size[k] = k == axis && v->in[k] - start > lines ? lines : v->in[k] - b.start[k];
        b.before[k] = (v->padding[k] + b.start[k]) % v->stride[k];
        b.count[k] = (b.size[k] - 1 + b.before[k]) / v->stride[k] + 1;
        front[k] = (v->kernel[k] - 1) * v->dilation[k] / v->stride[k];
        all[k] = b.count[k] + front[k];
        front[k] -= (v->padding[k] + b.start[k]) / v->stride[k];
    }
    b.grad = padded(front, one, all);
    return b;
}

/* The inputs of a band that have this remainder: those are seen by the same places of the kernel. */
INLINE Image image_of_remainder(const Convolution *v, const InputBand *b, const ptrdiff_t *remainder) {
    Image image = {v->in, v->stride};
    for (int k = 0; k < 3; k++) {
        const ptrdiff_t first = remainder[k] - b->before[k];
        image.low[k] = between(0, ceiling(-first, v->stride[k]), b->count[k]);
        image.high[k] = between(0, ceiling(b->size[k] - first, v->stride[k]), b->count[k]);
        image.first[k] = first + b->start[k];
    }
    return image;
}

/* Those places: their offset in the gradient, and where their weight lies. Their number is returned. */
INLINE ptrdiff_t places_of_remainder(ptrdiff_t *offset, ptrdiff_t *from, const Padded *p, const Convolution *v,
                                     const ptrdiff_t *remainder) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, places = VOLUME(v->kernel);
    ptrdiff_t taps = 0, k[3], at[3];
    for (ptrdiff_t o = 0; o < og; o++)
        for (k[0] = 0; k[0] < v->kernel[0]; k[0]++)
            for (k[1] = 0; k[1] < v->kernel[1]; k[1]++)
                for (k[2] = 0; k[2] < v->kernel[2]; k[2]++) {
                    int sees = 1;
                    for (int i = 0; i < 3; i++) {
                        const ptrdiff_t s = v->stride[i], last = (v->kernel[i] - 1) * v->dilation[i];
                        sees &= remains(k[i] * v->dilation[i], s) == remainder[i];
                        at[i] = quotient(last, s) - quotient(k[i] * v->dilation[i], s);
                    }
                    if (!sees) continue;
                    offset[taps] = o * p->size + padded_offset(p, at);
                    from[taps++] = o * cg * places + (k[0] * v->kernel[1] + k[1]) * v->kernel[2] + k[2];
                }
    return taps;
}

INLINE void remainder_at(ptrdiff_t *remainder, ptrdiff_t at, const ptrdiff_t *stride) {
    for (int k = 2; k >= 0; at /= stride[k--]) remainder[k] = at % stride[k];
}

/* The places of all remainders, one after the other. */
INLINE void places_of_remainders(ptrdiff_t *offset, ptrdiff_t *from, ptrdiff_t *taps, const Padded *p,
                                 const Convolution *v) {
    for (ptrdiff_t i = 0, r[3]; i < VOLUME(v->stride); offset += taps[i], from += taps[i], i++) {
        remainder_at(r, i, v->stride);
        taps[i] = places_of_remainder(offset, from, p, v, r);
    }
}

#define EACH "direct_convolution.h"
#include "each_real.h"
#define direct_forward_any(single, ...) BY_TYPE(single, direct_forward, __VA_ARGS__)
#define direct_input_grad_any(single, ...) BY_TYPE(single, direct_input_grad, __VA_ARGS__)
#else

/* 0 if there is no memory. */
CLONES static int FN(direct_forward)(REAL *out, REAL *x, REAL *weight, REAL *bias, const Convolution *v) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, taps = cg * VOLUME(v->kernel), one[3] = {1, 1, 1};
    const int axis = band_axis(v->out);
    const ptrdiff_t lines = lines_of_band(v->out[axis], cg * padded_input(v).size + og * VOLUME(v->out));
    const Convolution largest = output_band(v, axis, 0, lines);
    const Padded room = padded_input(&largest);
    const ptrdiff_t apart = row_length(largest.out, room.lines) + ROW_SLACK, x_room = cg * room.size + ROW_SLACK;
    REAL *input = calloc(x_room + og * (taps + apart), sizeof(REAL)), *packed = input + x_room;
    REAL *rows = packed + og * taps;
    ptrdiff_t *offset = malloc(2 * taps * sizeof(ptrdiff_t)), *from = offset + taps;
    const int done = input && offset;
    for (ptrdiff_t group = 0; done && group < v->groups; group++) {
        for (ptrdiff_t t = 0; t < taps; t++) from[t] = t;
        FN(pack_weights)(packed, weight + group * og * taps, taps, from, og, taps);
        for (ptrdiff_t start = 0; start < v->out[axis]; start += lines) {
            const Convolution band = output_band(v, axis, start, lines);
            const Padded p = padded_input(&band);
            Image image = {v->out, one, .high = {band.out[0], band.out[1], band.out[2]}};
            image.first[axis] = start;
            input_offsets(offset, &p, &band, cg);
            if (lines < v->out[axis]) memset(input, 0, cg * p.size * sizeof(REAL));
            for (ptrdiff_t n = 0; n < v->n; n++) {
                FN(pad)(input, &p, x + (n * v->c + group * cg) * VOLUME(v->in), cg, v->in);
                FN(sum_taps)(rows, apart, og, input, offset, packed, taps, row_length(band.out, p.lines));
                for (ptrdiff_t o = 0; o < og; o++)
                    FN(show)(out + (n * v->o + group * og + o) * VOLUME(v->out), rows + o * apart, p.lines, &image,
                             bias ? bias[group * og + o] : 0);
            }
        }
    }
    free(input), free(offset);
    return done;
}

/* One band of one item, whose gradient is padded already. */
INLINE void FN(give_back)(REAL *gx, const REAL *grad, const InputBand *b, const Convolution *v, REAL *rows,
                          ptrdiff_t apart, const REAL *packed, const ptrdiff_t *offset, const ptrdiff_t *taps) {
    const ptrdiff_t cg = v->c / v->groups, length = row_length(b->count, b->grad.lines);
    for (ptrdiff_t i = 0, r[3]; i < VOLUME(v->stride); packed += cg * taps[i], offset += taps[i], i++) {
        remainder_at(r, i, v->stride);
        const Image image = image_of_remainder(v, b, r);
        FN(sum_taps)(rows, apart, cg, grad, offset, packed, taps[i], length);
        for (ptrdiff_t c = 0; c < cg; c++)
            FN(show)(gx + c * VOLUME(v->in), rows + c * apart, b->grad.lines, &image, 0);
    }
}

CLONES static int FN(direct_input_grad)(REAL *gx, REAL *g, REAL *weight, const Convolution *v) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, places = VOLUME(v->kernel);
    const int axis = band_axis(v->in);
    const ptrdiff_t whole = input_band(v, axis, 0, v->in[axis]).grad.size;
    const ptrdiff_t lines = lines_of_band(v->in[axis], (og + cg) * whole);
    const InputBand room = input_band(v, axis, 0, lines + v->stride[axis]);
    const ptrdiff_t apart = row_length(room.count, room.grad.lines) + ROW_SLACK;
    const ptrdiff_t g_room = og * room.grad.size + ROW_SLACK;
    REAL *grad = calloc(g_room + cg * (og * places + apart), sizeof(REAL)), *packed = grad + g_room;
    REAL *rows = packed + cg * og * places;
    ptrdiff_t *offset = malloc((2 * og * places + VOLUME(v->stride)) * sizeof(ptrdiff_t));
    ptrdiff_t *from = offset + og * places, *taps = from + og * places;
    const int done = grad && offset;
    for (ptrdiff_t group = 0; done && group < v->groups; group++)
        for (ptrdiff_t start = 0; start < v->in[axis]; start += lines) {
            const InputBand b = input_band(v, axis, start, lines);
            places_of_remainders(offset, from, taps, &b.grad, v);
            for (ptrdiff_t i = 0, before = 0; start == 0 && i < VOLUME(v->stride); before += taps[i++])
                FN(pack_weights)(packed + cg * before, weight + group * og * cg * places, places, from + before, cg,
                                 taps[i]);
            if (lines < v->in[axis]) memset(grad, 0, og * b.grad.size * sizeof(REAL));
            for (ptrdiff_t n = 0; n < v->n; n++) {
                FN(pad)(grad, &b.grad, g + (n * v->o + group * og) * VOLUME(v->out), og, v->out);
                FN(give_back)(gx + (n * v->c + group * cg) * VOLUME(v->in), grad, &b, v, rows, apart, packed, offset,
                              taps);
            }
        }
    free(grad), free(offset);
    return done;
}
#endif
