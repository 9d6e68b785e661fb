/* Convolutions whose sums run over the channels of a position: a band of the input is copied between zeros with its
   channels last, so that a line of the kernel sees one run of numbers, and outputs come in tiles of (positions, channels).
   Images may lie in memory either way. */
#ifndef EACH
#include <stdlib.h>
#include "convolution.h"
#include "tile_sets.h"
#include "turning.h"
#define PIXEL_BAND (64 * 1024) /* elements of a band of the input */
#define VOLUME_OF(a) ((a)[0] * (a)[1] * (a)[2])

typedef struct {
    const Convolution *v;
    void *out, *x, *packed, *bias, *weight;
    const TileSet *set;
    int is_paired;        /* whether an element is a pair of halves: two channels of a group, that tiles take at once */
    ptrdiff_t halves;     /* then as many channels has a group */
    int x_last, out_last; /* whether channels lie last */
    int is_back;          /* whether weights are those of backward: outputs and inputs exchanged, the kernel turned */
    int axis;
    ptrdiff_t lines, bands, strips; /* outputs of a band along the axis, bands, and strips of packed weights of a group */
    int lacks_memory;
} Pixels;

INLINE ptrdiff_t strip_width(const Pixels *job) { return TILE_VECTORS * job->set->lanes; }

/* The elements between zeros that so many outputs see along an axis. */
INLINE ptrdiff_t seen_along(const Convolution *v, int k, ptrdiff_t outputs) {
    return (outputs - 1) * v->stride[k] + (v->kernel[k] - 1) * v->dilation[k] + 1;
}

static void cut_pixels(Pixels *job) {
    const Convolution *v = job->v;
    ptrdiff_t line = v->c / v->groups;
    job->axis = v->out[0] > 1 ? 0 : v->out[1] > 1 ? 1 : 2;
    for (int k = job->axis + 1; k < 3; k++) line *= seen_along(v, k, v->out[k]);
    job->lines = PIXEL_BAND / (line * v->stride[job->axis] + 1) + 1;
    if (job->lines > v->out[job->axis]) job->lines = v->out[job->axis];
    if (v->n * v->groups < 4 && job->lines > 4 && job->lines * 2 > v->out[job->axis])
        job->lines = (v->out[job->axis] + 3) / 4; /* something to share out */
    job->bands = (v->out[job->axis] + job->lines - 1) / job->lines;
    job->strips = (v->o / v->groups + strip_width(job) - 1) / strip_width(job);
}

INLINE ptrdiff_t pixel_pieces(const Pixels *job) { return job->v->n * job->v->groups * job->bands; }
INLINE ptrdiff_t packed_size(const Pixels *job) {
    const Convolution *v = job->v;
    return v->groups * job->strips * (v->c / v->groups) * VOLUME_OF(v->kernel) * strip_width(job);
}

/* A band of a group's channels of an item: what it sees, between zeros, and its outputs; the first of them. */
typedef struct {
    ptrdiff_t item, group, first, size[3], out[3], start[3];
} Band;

INLINE Band largest_band(const Pixels *job) {
    Band b = {0};
    for (int k = 0; k < 3; k++) {
        b.out[k] = k == job->axis ? job->lines : job->v->out[k];
        b.size[k] = seen_along(job->v, k, b.out[k]);
    }
    return b;
}

INLINE void cut_band(Band *b, const Pixels *job, ptrdiff_t piece) {
    const Convolution *v = job->v;
    const ptrdiff_t line = piece / v->n % job->bands * job->lines, left = v->out[job->axis] - line;
    b->item = piece % v->n, b->group = piece / v->n / job->bands;
    b->first = line * (VOLUME_OF(v->out) / v->out[job->axis]);
    for (int k = 0; k < 3; k++) b->start[k] = -v->padding[k];
    b->start[job->axis] += line * v->stride[job->axis];
    b->out[job->axis] = left < job->lines ? left : job->lines;
    b->size[job->axis] = seen_along(v, job->axis, b->out[job->axis]);
}

#define EACH "pixel_convolution.h"
#include "each_real.h"
#else

/* Strips of weights: (channel, place of the kernel, output), as wide as a tile; what is beyond the outputs is zero. */
CLONES static void FN(pack_strips)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    const Pixels *job = (const Pixels *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, places = VOLUME_OF(v->kernel);
    const ptrdiff_t full = strip_width(job), size = cg * places * full;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t group = i / job->strips, first = i % job->strips * full;
        const ptrdiff_t width = og - first < full ? og - first : full;
        const REAL *of = (const REAL *)job->weight + group * og * cg * places;
        REAL *to = (REAL *)job->packed + i * size;
        if (width < full) memset(to, 0, size * sizeof(REAL));
        if (!job->is_back)
            FN(turn_matrix)(to, full, of + first * cg * places, cg * places, width, cg * places);
        else /* weights lie as (channel, output, place) then */
            for (ptrdiff_t c = 0; c < cg; c++)
                FN(turn_matrix)(to + c * places * full, full, of + (c * og + first) * places, places, width, places);
    }
}

/* A band of a group's channels between zeros: `size` elements along each axis, the first of them at `start`. */
INLINE void FN(band_between_zeros)(REAL *to, const REAL *x, const Convolution *v, int is_last, ptrdiff_t group,
                                   const ptrdiff_t *start, const ptrdiff_t *size) {
    const ptrdiff_t cg = v->c / v->groups;
    const ptrdiff_t low = between(0, -start[2], size[2]), high = between(low, v->in[2] - start[2], size[2]);
    for (ptrdiff_t z = start[0]; z < start[0] + size[0]; z++)
        for (ptrdiff_t y = start[1]; y < start[1] + size[1]; y++, to += size[2] * cg) {
            const int inside = z >= 0 && z < v->in[0] && y >= 0 && y < v->in[1] && high > low;
            const ptrdiff_t line = (z * v->in[1] + y) * v->in[2] + start[2] + low;
            if (!inside) {
                memset(to, 0, size[2] * cg * sizeof(REAL));
                continue;
            }
            memset(to, 0, low * cg * sizeof(REAL));
            if (!is_last)
                FN(turn_matrix)(to + low * cg, cg, x + group * cg * VOLUME_OF(v->in) + line, VOLUME_OF(v->in), cg, high - low);
            else
                for (ptrdiff_t w = low; w < high; w++)
                    memcpy(to + w * cg, x + (line + w - low) * v->c + group * cg, cg * sizeof(REAL));
            memset(to + high * cg, 0, (size[2] - high) * cg * sizeof(REAL));
        }
}

/* Where the numbers that a line of the kernel sees have their weights in a strip. */
INLINE void FN(weight_offsets)(ptrdiff_t *offset, const Pixels *job) {
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, places = VOLUME_OF(v->kernel), full = strip_width(job);
    for (ptrdiff_t w = 0; w < v->kernel[2]; w++)
        for (ptrdiff_t c = 0; c < cg; c++)
            offset[w * cg + c] = (c * places + (job->is_back ? v->kernel[2] - 1 - w : w)) * full;
}

/* One tile: some positions, whose numbers begin at from[i], by a strip of weights. */
INLINE void FN(pixel_tile)(REAL *to, ptrdiff_t pitch, const REAL *band, const ptrdiff_t *size, const ptrdiff_t *from,
                           ptrdiff_t rows, const REAL *strip, const ptrdiff_t *offset, int wide, const Pixels *job) {
    const tile_function tile = job->set->tiles[rows - 1][wide];
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, full = strip_width(job), step = 1 + job->is_paired;
    const ptrdiff_t runs = v->dilation[2] == 1 ? 1 : v->kernel[2], length = v->kernel[2] / runs * cg;
    int adds = 0;
    for (ptrdiff_t d = 0; d < v->kernel[0]; d++)
        for (ptrdiff_t h = 0; h < v->kernel[1]; h++)
            for (ptrdiff_t w = 0; w < runs; w++, adds = 1) {
                const ptrdiff_t line = (d * v->dilation[0] * size[1] + h * v->dilation[1]) * size[2] + w * v->dilation[2];
                const ptrdiff_t kernel_line = job->is_back ? (v->kernel[0] - d) * v->kernel[1] - 1 - h : d * v->kernel[1] + h;
                tile(to, pitch, band + line * cg, from, step, strip + kernel_line * v->kernel[2] * full, offset + w * cg,
                     length, adds);
            }
}

/* All outputs of a band: (positions, channels), rows `pitch` apart. */
INLINE void FN(convolve_band)(REAL *to, ptrdiff_t pitch, const REAL *band, const ptrdiff_t *size, const ptrdiff_t *out,
                              const REAL *strips, const ptrdiff_t *offset, const Pixels *job) {
    const TileSet *set = job->set;
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, full = strip_width(job);
    const ptrdiff_t apart = cg * (1 + job->is_paired); /* tiles count halves */
    ptrdiff_t from[MOST_TILE_ROWS];
    for (ptrdiff_t s = 0; s < job->strips; s++, strips += cg * VOLUME_OF(v->kernel) * full)
        for (ptrdiff_t q = 0, rows; q < VOLUME_OF(out); q += rows) {
            rows = rows_of_tile(set, VOLUME_OF(out) - q);
            for (ptrdiff_t i = 0; i < rows; i++) {
                const ptrdiff_t w = (q + i) % out[2], h = (q + i) / out[2] % out[1], d = (q + i) / out[2] / out[1];
                from[i] = ((d * v->stride[0] * size[1] + h * v->stride[1]) * size[2] + w * v->stride[2]) * apart;
            }
            FN(pixel_tile)(to + q * pitch + s * full, pitch, band, size, from, rows, strips, offset,
                           og - s * full > set->lanes, job);
        }
}

/* Outputs of a band to where they belong. */
INLINE void FN(put_band)(REAL *rows, ptrdiff_t pitch, const Pixels *job, ptrdiff_t n, ptrdiff_t group, ptrdiff_t first,
                         ptrdiff_t count) {
    const Convolution *v = job->v;
    const ptrdiff_t og = v->o / v->groups, length = VOLUME_OF(v->out);
    const REAL *bias = job->bias ? (const REAL *)job->bias + group * og : NULL;
    for (ptrdiff_t q = 0; bias && q < count; q++)
        FREE_LOOP for (ptrdiff_t o = 0; o < og; o++) rows[q * pitch + o] += bias[o];
    if (!job->out_last)
        FN(turn_matrix)((REAL *)job->out + (n * v->o + group * og) * length + first, length, rows, pitch, count, og);
    else
        for (ptrdiff_t q = 0; q < count; q++)
            memcpy((REAL *)job->out + (n * length + first + q) * v->o + group * og, rows + q * pitch, og * sizeof(REAL));
}

CLONES static void FN(pixel_bands)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Pixels *job = (Pixels *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, full = strip_width(job), pitch = job->strips * full;
    const ptrdiff_t group_size = packed_size(job) / v->groups;
    Band b = largest_band(job);
    REAL *band = malloc((VOLUME_OF(b.size) * cg + VOLUME_OF(b.out) * pitch) * sizeof(REAL));
    ptrdiff_t *offset = malloc(v->kernel[2] * cg * sizeof(ptrdiff_t));
    REAL *rows = band + VOLUME_OF(b.size) * cg;
    if (!band || !offset)
        job->lacks_memory = 1;
    else
        FN(weight_offsets)(offset, job);
    for (ptrdiff_t i = begin; band && offset && i < end; i++) {
        cut_band(&b, job, i);
        FN(band_between_zeros)(band, (const REAL *)job->x + b.item * v->c * VOLUME_OF(v->in), v, job->x_last, b.group,
                               b.start, b.size);
        FN(convolve_band)(rows, pitch, band, b.size, b.out, (const REAL *)job->packed + b.group * group_size, offset, job);
        FN(put_band)(rows, pitch, job, b.item, b.group, b.first, VOLUME_OF(b.out));
    }
    free(band), free(offset);
}
#endif
