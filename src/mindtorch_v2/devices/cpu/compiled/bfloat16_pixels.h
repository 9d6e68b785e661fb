/* Convolutions of bfloat16 summed up in float32, on machines whose instructions multiply two pairs at once:
   pixel_convolution.h with two channels of a group in the place of one; an odd last one is paired with zero. */
#ifndef MINDTORCH_BFLOAT16_PIXELS_H
#define MINDTORCH_BFLOAT16_PIXELS_H
#include "bfloat16_tiles.h"
#include "half.h"
#include "pixel_convolution.h"

/* Elements of two rows as pairs; `second` is NULL where there is none. */
INLINE void pair_rows(uint32_t *to, const uint16_t *first, const uint16_t *second, ptrdiff_t n) {
    if (second)
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) to[i] = first[i] | (uint32_t)second[i] << 16;
    else
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) to[i] = first[i];
}

/* Channels whose numbers lie in rows `apart` from each other, as rows of pairs. */
INLINE void pair_channels(uint32_t *to, const uint16_t *x, ptrdiff_t apart, ptrdiff_t channels, ptrdiff_t n) {
    for (ptrdiff_t c = 0; c < channels; c += 2, to += n)
        pair_rows(to, x + c * apart, c + 1 < channels ? x + (c + 1) * apart : NULL, n);
}

/* Strips of weights, as pack_strips makes them. */
CLONES static void pack_strips_bf16(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Pixels *job = (Pixels *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t pairs = v->c / v->groups, og = v->o / v->groups, places = VOLUME_OF(v->kernel), halves = job->halves;
    const ptrdiff_t full = strip_width(job), size = pairs * places * full;
    uint32_t *paired = malloc(pairs * places * full * sizeof *paired);
    if (!paired) job->lacks_memory = 1;
    for (ptrdiff_t i = begin; paired && i < end; i++) {
        const ptrdiff_t group = i / job->strips, first = i % job->strips * full;
        const ptrdiff_t width = og - first < full ? og - first : full;
        const uint16_t *of = (const uint16_t *)job->weight + group * og * halves * places;
        float *to = (float *)job->packed + i * size;
        if (width < full) memset(to, 0, size * sizeof *to);
        if (!job->is_back) { /* (output, channel, place) */
            for (ptrdiff_t o = 0; o < width; o++)
                pair_channels(paired + o * pairs * places, of + (first + o) * halves * places, places, halves, places);
            turn_matrix_f32(to, full, (const float *)paired, pairs * places, width, pairs * places);
        } else { /* (channel, output, place) */
            pair_channels(paired, of + first * places, og * places, halves, width * places);
            for (ptrdiff_t p = 0; p < pairs; p++)
                turn_matrix_f32(to + p * places * full, full, (const float *)paired + p * width * places, places, width,
                                places);
        }
    }
    free(paired);
}

/* A band of a group's channels between zeros, as band_between_zeros makes it; `paired` has room for a line. */
INLINE void pairs_between_zeros(float *to, const uint16_t *x, const Pixels *job, const Band *b, uint32_t *paired) {
    const Convolution *v = job->v;
    const ptrdiff_t pairs = v->c / v->groups, halves = job->halves, all = halves * v->groups, *size = b->size;
    const ptrdiff_t low = between(0, -b->start[2], size[2]), high = between(low, v->in[2] - b->start[2], size[2]);
    for (ptrdiff_t z = b->start[0]; z < b->start[0] + size[0]; z++)
        for (ptrdiff_t y = b->start[1]; y < b->start[1] + size[1]; y++, to += size[2] * pairs) {
            const int inside = z >= 0 && z < v->in[0] && y >= 0 && y < v->in[1] && high > low;
            const ptrdiff_t line = (z * v->in[1] + y) * v->in[2] + b->start[2] + low;
            if (!inside) {
                memset(to, 0, size[2] * pairs * sizeof *to);
                continue;
            }
            memset(to, 0, low * pairs * sizeof *to);
            if (!job->x_last) {
                pair_channels(paired, x + b->group * halves * VOLUME_OF(v->in) + line, VOLUME_OF(v->in), halves, high - low);
                turn_matrix_f32(to + low * pairs, pairs, (const float *)paired, high - low, pairs, high - low);
            } else
                for (ptrdiff_t w = low; w < high; w++) {
                    if (halves % 2) memset(to + (w + 1) * pairs - 1, 0, sizeof *to);
                    memcpy(to + w * pairs, x + (line + w - low) * all + b->group * halves, halves * sizeof *x);
                }
            memset(to + high * pairs, 0, (size[2] - high) * pairs * sizeof *to);
        }
}

/* Outputs of a band, rounded, to where they belong; `turned` has room for them. */
INLINE void put_rounded(float *rows, ptrdiff_t pitch, const Pixels *job, const Band *b, float *turned) {
    const Convolution *v = job->v;
    const ptrdiff_t og = v->o / v->groups, length = VOLUME_OF(v->out), count = VOLUME_OF(b->out);
    const float *bias = job->bias ? (const float *)job->bias + b->group * og : NULL;
    uint16_t *out = (uint16_t *)job->out;
    for (ptrdiff_t q = 0; bias && q < count; q++)
        FREE_LOOP for (ptrdiff_t o = 0; o < og; o++) rows[q * pitch + o] += bias[o];
    if (job->out_last) {
        for (ptrdiff_t q = 0; q < count; q++)
            narrow_bfloat16(out + (b->item * length + b->first + q) * v->o + b->group * og, rows + q * pitch, og);
        return;
    }
    turn_matrix_f32(turned, count, rows, pitch, count, og);
    for (ptrdiff_t o = 0; o < og; o++)
        narrow_bfloat16(out + (b->item * v->o + b->group * og + o) * length + b->first, turned + o * count, count);
}

CLONES static void pixel_bands_bf16(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Pixels *job = (Pixels *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t pairs = v->c / v->groups, og = v->o / v->groups, pitch = job->strips * strip_width(job);
    const ptrdiff_t group_size = packed_size(job) / v->groups;
    Band b = largest_band(job);
    const ptrdiff_t seen = VOLUME_OF(b.size) * pairs, written = VOLUME_OF(b.out);
    float *band = malloc((seen + written * (pitch + og) + pairs * v->in[2]) * sizeof *band);
    float *rows = band + seen, *turned = rows + written * pitch;
    uint32_t *paired = (uint32_t *)(turned + written * og);
    ptrdiff_t *offset = malloc(v->kernel[2] * pairs * sizeof(ptrdiff_t));
    if (!band || !offset)
        job->lacks_memory = 1;
    else
        weight_offsets_f32(offset, job);
    for (ptrdiff_t i = begin; band && offset && i < end; i++) {
        cut_band(&b, job, i);
        pairs_between_zeros(band, (const uint16_t *)job->x + b.item * job->halves * v->groups * VOLUME_OF(v->in), job, &b,
                            paired);
        convolve_band_f32(rows, pitch, band, b.size, b.out, (const float *)job->packed + b.group * group_size, offset, job);
        put_rounded(rows, pitch, job, &b, turned);
    }
    free(band), free(offset);
}
#endif
