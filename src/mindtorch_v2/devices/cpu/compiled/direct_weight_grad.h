/* The gradient of weights: products of the rows of an output's gradient with rows of the padded input. */
#ifndef EACH
#include "turning.h"
#define MANY_OUTS 12           /* of a group, from which tiles pay */
#define POSITIONS_AT_ONCE 256  /* so that rows of a tile stay in the first cache */
#define MOST_PARTS 8           /* of the items, whose sums are added up at the end */

/* The gradients of the weights of each group by each part of the items. */
typedef struct {
    const Convolution *v;
    void *sums, *grad, *x; /* (parts, outputs, taps), the gradient of the output, the input */
    ptrdiff_t items, parts;
    int lacks_memory;
} WeightPieces;

/* How items are parted: not at all where groups are enough to share out. */
static void part_items(WeightPieces *job) {
    const Convolution *v = job->v;
    const ptrdiff_t parts = v->groups >= MOST_PARTS || v->n < 2 ? 1 : v->n < MOST_PARTS ? v->n : MOST_PARTS;
    job->items = (v->n + parts - 1) / parts;
    job->parts = (v->n + job->items - 1) / job->items;
}

#define EACH "direct_weight_grad.h"
#include "each_real.h"
#define add_parts_any(single, ...) BY_TYPE(single, add_parts, __VA_ARGS__)
#else
#define LANES (ptrdiff_t)(sizeof(FN(Vector)) / sizeof(REAL))

#define AT(p) (*(const FN(Vector) *)(p))

/* Products of OUTS rows with TAPS others. */
#define DOTS(name, OUTS, TAPS)                                                                                   \
    INLINE void FN(name)(REAL *to, ptrdiff_t to_apart, const REAL *g, ptrdiff_t apart, const REAL *x,            \
                         const ptrdiff_t *offset, ptrdiff_t length) {                                            \
        FN(Vector) sum[OUTS][TAPS] = {0};                                                                        \
        for (ptrdiff_t j = 0; j < length; j += LANES)                                                            \
            for (int o = 0; o < OUTS; o++)                                                                       \
                for (int t = 0; t < TAPS; t++)                                                                   \
                    sum[o][t] += AT(g + o * apart + j) * AT(x + offset[t] + j);                                  \
        for (int o = 0; o < OUTS; o++)                                                                           \
            for (int t = 0; t < TAPS; t++)                                                                       \
                for (ptrdiff_t lane = 0; lane < LANES; lane++)                                                   \
                    to[o * to_apart + t] += ((REAL *)&sum[o][t])[lane];                                          \
    }
DOTS(dots_four_two, 4, 2)
DOTS(dots_four_one, 4, 1)
DOTS(dots_one_nine, 1, 9)
DOTS(dots_one_one, 1, 1)
#undef DOTS
#undef AT

INLINE void FN(dots)(REAL *gw, ptrdiff_t outs, const REAL *g, ptrdiff_t apart, const REAL *x, const ptrdiff_t *offset,
                     ptrdiff_t taps, ptrdiff_t length) {
    ptrdiff_t o = 0, t;
    for (; o + 4 <= outs; o += 4) {
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

/* Some items' gradients of one group's weights by dot products: (outs, taps). */
INLINE int FN(few_weights)(REAL *sum, const WeightPieces *job, ptrdiff_t group, ptrdiff_t first, ptrdiff_t last) {
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, taps = cg * VOLUME(v->kernel);
    const ptrdiff_t none[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const Padded p = padded_input(v);
    Padded of_grad = padded(none, one, p.lines);
    of_grad.size += LANES;
    const ptrdiff_t x_room = cg * p.size + ROW_SLACK;
    REAL *input = calloc(x_room + og * of_grad.size, sizeof(REAL)), *grad = input + x_room;
    ptrdiff_t *offset = malloc(taps * sizeof(ptrdiff_t));
    const int has_memory = input && offset;
    if (has_memory) input_offsets(offset, &p, v, cg);
    for (ptrdiff_t n = first; has_memory && n < last; n++) {
        FN(pad)(input, &p, (REAL *)job->x + (n * v->c + group * cg) * VOLUME(v->in), cg, v->in);
        FN(pad)(grad, &of_grad, (REAL *)job->grad + (n * v->o + group * og) * VOLUME(v->out), og, v->out);
        FN(dots)(sum, og, grad, of_grad.size, input, offset, taps, row_length(v->out, p.lines));
    }
    free(input), free(offset);
    return has_memory;
}

/* An output's gradient as (positions, outs); between its lines there are zeros. */
INLINE void FN(turn_grad)(REAL *to, ptrdiff_t pitch, const REAL *g, const Convolution *v, const ptrdiff_t *lines) {
    const ptrdiff_t *out = v->out;
    for (ptrdiff_t d = 0; d < out[0]; d++)
        for (ptrdiff_t h = 0; h < out[1]; h++)
            FN(turn_matrix)(to + (d * lines[1] + h) * lines[2] * pitch, pitch, g + (d * out[1] + h) * out[2], VOLUME(out),
                            v->o / v->groups, out[2]);
}

/* All products of rows of the input with columns of the gradient: a product of matrices (taps, positions, outs). */
INLINE void FN(add_products)(REAL *sum, ptrdiff_t pitch, const REAL *input, const ptrdiff_t *offset, ptrdiff_t taps,
                             const REAL *grad, ptrdiff_t length) {
    enum { MOST = POSITIONS_AT_ONCE };
    const TileSet *set = tile_set(sizeof(REAL) == sizeof(double));
    ptrdiff_t row[MOST];
    for (ptrdiff_t i = 0; i < MOST; i++) row[i] = i * pitch;
    for (ptrdiff_t j = 0; j < length; j += MOST)
        for (ptrdiff_t o = 0, wide; o < pitch; o += (wide + 1) * set->lanes) {
            wide = pitch - o > set->lanes;
            for (ptrdiff_t t = 0, rows; t < taps; t += rows) {
                rows = rows_of_tile(set, taps - t);
                set->tiles[rows - 1][wide](sum + t * pitch + o, pitch, input + j, offset + t, 1, grad + j * pitch + o,
                                           row, length - j < MOST ? length - j : MOST, 1);
            }
        }
}

/* Some items' gradients of one group's weights by tiles: (taps, outs), then turned. */
INLINE int FN(many_weights)(REAL *sum, const WeightPieces *job, ptrdiff_t group, ptrdiff_t first, ptrdiff_t last) {
    const Convolution *v = job->v;
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, taps = cg * VOLUME(v->kernel);
    const ptrdiff_t lanes = tile_set(sizeof(REAL) == sizeof(double))->lanes, pitch = (og + lanes - 1) / lanes * lanes;
    const Padded p = padded_input(v);
    const ptrdiff_t length = row_length(v->out, p.lines), x_room = cg * p.size + ROW_SLACK;
    REAL *input = calloc(x_room + (length + taps) * pitch, sizeof(REAL)), *grad = input + x_room;
    REAL *turned = grad + length * pitch;
    ptrdiff_t *offset = malloc(taps * sizeof(ptrdiff_t));
    const int has_memory = input && offset;
    if (has_memory) input_offsets(offset, &p, v, cg);
    for (ptrdiff_t n = first; has_memory && n < last; n++) {
        FN(pad)(input, &p, (REAL *)job->x + (n * v->c + group * cg) * VOLUME(v->in), cg, v->in);
        FN(turn_grad)(grad, pitch, (REAL *)job->grad + (n * v->o + group * og) * VOLUME(v->out), v, p.lines);
        FN(add_products)(turned, pitch, input, offset, taps, grad, length);
    }
    if (has_memory) FN(turn_matrix)(sum, taps, turned, pitch, taps, og);
    free(input), free(offset);
    return has_memory;
}

CLONES static void FN(weight_grad_pieces)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    WeightPieces *job = (WeightPieces *)job_;
    const Convolution *v = job->v;
    const ptrdiff_t og = v->o / v->groups, taps = v->c / v->groups * VOLUME(v->kernel);
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t group = i % v->groups, part = i / v->groups;
        const ptrdiff_t first = part * job->items, last = first + job->items < v->n ? first + job->items : v->n;
        REAL *sum = (REAL *)job->sums + (part * v->o + group * og) * taps;
        memset(sum, 0, og * taps * sizeof(REAL));
        const int has_memory = og >= MANY_OUTS ? FN(many_weights)(sum, job, group, first, last)
                                               : FN(few_weights)(sum, job, group, first, last);
        if (!has_memory) job->lacks_memory = 1;
    }
}

/* The parts added up, one after the other, in the first of them. */
CLONES static void FN(add_parts)(REAL *sums, ptrdiff_t parts, ptrdiff_t size) {
    for (ptrdiff_t part = 1; part < parts; part++)
        FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) sums[i] += sums[part * size + i];
}
#undef LANES
#endif
