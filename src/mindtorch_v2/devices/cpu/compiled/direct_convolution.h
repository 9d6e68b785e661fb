/* Convolutions without columns: a band of a group's channels is copied between zeros, and rows of it are summed up. */
#ifndef EACH
#include "padded_image.h"
#include "weighted_rows.h"
#define VOLUME(a) ((a)[0] * (a)[1] * (a)[2])
#define BAND (192 * 1024) /* elements of the input and of the output of a band */
#define PIECES 8          /* that a convolution of a few images is cut into, so that there is something to share out */
#define FEWEST_LINES 8    /* of a band of those */

/* A convolution that is shared out in pieces: a group of channels of a band of an item. */
typedef struct {
    const Convolution *v;
    void *out, *x, *weight, *bias;
    int axis;
    ptrdiff_t lines, bands; /* of a band along the axis, and how many there are */
    int lacks_memory;       /* set by whoever finds none */
} Pieces;

INLINE ptrdiff_t pieces_of(const Pieces *job) { return job->v->n * job->v->groups * job->bands; }

/* How the `all` lines of the axis are cut into bands, if they have `elements`. */
INLINE void cut_into_bands(Pieces *job, ptrdiff_t all, ptrdiff_t elements) {
    const ptrdiff_t images = job->v->n * job->v->groups, fewest = (PIECES + images - 1) / images;
    ptrdiff_t bands = elements / BAND + 1;
    if (bands < fewest && all >= fewest * FEWEST_LINES) bands = fewest;
    job->lines = all > bands ? (all + bands - 1) / bands : 1;
    job->bands = (all + job->lines - 1) / job->lines;
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

static void prepare_forward(Pieces *job) {
    const Convolution *v = job->v;
    job->axis = band_axis(v->out);
    cut_into_bands(job, v->out[job->axis],
                   v->c / v->groups * padded_input(v).size + v->o / v->groups * VOLUME(v->out));
}

static void prepare_input_grad(Pieces *job) {
    const Convolution *v = job->v;
    job->axis = band_axis(v->in);
    cut_into_bands(job, v->in[job->axis], (v->o + v->c) / v->groups *
                                              input_band(v, job->axis, 0, v->in[job->axis]).grad.size);
}

#define EACH "direct_convolution.h"
#include "each_real.h"
#else

CLONES static void FN(forward_pieces)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Pieces *job = (Pieces *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, taps = cg * VOLUME(v->kernel), one[3] = {1, 1, 1};
    const Convolution largest = output_band(v, job->axis, 0, job->lines);
    const Padded room = padded_input(&largest);
    const ptrdiff_t apart = whole_lines(row_length(largest.out, room.lines) + ROW_SLACK);
    const ptrdiff_t x_room = whole_lines(cg * room.size + ROW_SLACK);
    void *memory = malloc((x_room + og * apart) * sizeof(REAL) + LINE_BYTES);
    REAL *input = next_line(memory), *rows = input + x_room;
    ptrdiff_t *offset = malloc(taps * sizeof(ptrdiff_t));
    if (!memory || !offset)
        job->lacks_memory = 1;
    else
        memset(input, 0, x_room * sizeof(REAL));
    for (ptrdiff_t i = begin, known = -1; memory && offset && i < end; i++) {
        const ptrdiff_t n = i % v->n, at = i / v->n % job->bands, group = i / v->n / job->bands;
        const Convolution band = output_band(v, job->axis, at * job->lines, job->lines);
        const Padded p = padded_input(&band);
        Image image = {v->out, one, .high = {band.out[0], band.out[1], band.out[2]}};
        image.first[job->axis] = at * job->lines;
        if (at != known) {
            input_offsets(offset, &p, &band, cg);
            if (known >= 0) memset(input, 0, cg * p.size * sizeof(REAL));
            known = at;
        }
        FN(pad)(input, &p, (REAL *)job->x + (n * v->c + group * cg) * VOLUME(v->in), cg, v->in);
        FN(sum_taps)(rows, apart, og, input, offset, (REAL *)job->weight + group * og * taps, taps, taps,
                     row_length(band.out, p.lines));
        for (ptrdiff_t o = group * og; o < (group + 1) * og; o++)
            FN(show)((REAL *)job->out + (n * v->o + o) * VOLUME(v->out), rows + (o - group * og) * apart, p.lines,
                     &image, job->bias ? ((REAL *)job->bias)[o] : 0);
    }
    free(memory), free(offset);
}

/* One band of one item, whose gradient is padded already; `turned` has room for the weights of a remainder. */
INLINE void FN(give_back)(REAL *gx, const REAL *grad, const InputBand *b, const Convolution *v, REAL *rows,
                          ptrdiff_t apart, const REAL *turned, const ptrdiff_t *offset, const ptrdiff_t *taps) {
    const ptrdiff_t cg = v->c / v->groups, length = row_length(b->count, b->grad.lines);
    for (ptrdiff_t i = 0, r[3]; i < VOLUME(v->stride); turned += cg * taps[i], offset += taps[i], i++) {
        remainder_at(r, i, v->stride);
        const Image image = image_of_remainder(v, b, r);
        FN(sum_taps)(rows, apart, cg, grad, offset, turned, taps[i], taps[i], length);
        for (ptrdiff_t c = 0; c < cg; c++)
            FN(show)(gx + c * VOLUME(v->in), rows + c * apart, b->grad.lines, &image, 0);
    }
}

/* The weights of a group as (channels, places) of each remainder. */
INLINE void FN(turn_weights)(REAL *turned, const REAL *weight, const Convolution *v, const ptrdiff_t *from,
                             const ptrdiff_t *taps) {
    for (ptrdiff_t i = 0; i < VOLUME(v->stride); from += taps[i++])
        for (ptrdiff_t c = 0; c < v->c / v->groups; c++)
            for (ptrdiff_t t = 0; t < taps[i]; t++) *turned++ = weight[c * VOLUME(v->kernel) + from[t]];
}

CLONES static void FN(input_grad_pieces)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Pieces *job = (Pieces *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, places = VOLUME(v->kernel);
    const InputBand room = input_band(v, job->axis, 0, job->lines + v->stride[job->axis]);
    const ptrdiff_t apart = whole_lines(row_length(room.count, room.grad.lines) + ROW_SLACK);
    const ptrdiff_t g_room = whole_lines(og * room.grad.size + ROW_SLACK);
    void *memory = malloc((g_room + cg * (apart + og * places)) * sizeof(REAL) + LINE_BYTES);
    REAL *grad = next_line(memory), *rows = grad + g_room, *turned = rows + cg * apart;
    ptrdiff_t *offset = malloc((2 * og * places + VOLUME(v->stride)) * sizeof(ptrdiff_t));
    ptrdiff_t *from = offset + og * places, *taps = from + og * places;
    if (!memory || !offset)
        job->lacks_memory = 1;
    else
        memset(grad, 0, g_room * sizeof(REAL));
    for (ptrdiff_t i = begin, known = -1; memory && offset && i < end; i++) {
        const ptrdiff_t n = i % v->n, at = i / v->n % job->bands, group = i / v->n / job->bands;
        const InputBand b = input_band(v, job->axis, at * job->lines, job->lines);
        if (i / v->n != known) {
            places_of_remainders(offset, from, taps, &b.grad, v);
            FN(turn_weights)(turned, (REAL *)job->weight + group * og * cg * places, v, from, taps);
            if (known >= 0) memset(grad, 0, og * b.grad.size * sizeof(REAL));
            known = i / v->n;
        }
        FN(pad)(grad, &b.grad, (REAL *)job->out + (n * v->o + group * og) * VOLUME(v->out), og, v->out);
        FN(give_back)((REAL *)job->x + (n * v->c + group * cg) * VOLUME(v->in), grad, &b, v, rows, apart, turned,
                      offset, taps);
    }
    free(memory), free(offset);
}
#endif
