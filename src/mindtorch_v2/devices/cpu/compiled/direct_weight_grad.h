/* The gradient of few weights: products of the rows of an output's gradient with rows of the padded input. */
#ifndef EACH
#define EACH "direct_weight_grad.h"
#include "each_real.h"
#define direct_weight_grad_any(single, ...) BY_TYPE(single, direct_weight_grad, __VA_ARGS__)
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

/* Between its lines the row of the gradient holds zeros. */
CLONES static int FN(direct_weight_grad)(REAL *gw, REAL *g, REAL *x, const Convolution *v) {
    const ptrdiff_t cg = v->c / v->groups, og = v->o / v->groups, taps = cg * VOLUME(v->kernel);
    const ptrdiff_t none[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    const Padded p = padded_input(v);
    Padded of_grad = padded(none, one, p.lines);
    of_grad.size += LANES;
    const ptrdiff_t length = row_length(v->out, p.lines);
    const ptrdiff_t x_room = cg * p.size + ROW_SLACK;
    REAL *input = calloc(x_room + og * of_grad.size, sizeof(REAL)), *grad = input + x_room;
    ptrdiff_t *offset = malloc(taps * sizeof(ptrdiff_t));
    if (input && offset) {
        memset(gw, 0, v->o * taps * sizeof(REAL));
        input_offsets(offset, &p, v, cg);
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
#endif
