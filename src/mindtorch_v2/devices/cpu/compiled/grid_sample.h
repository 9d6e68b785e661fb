/* Elements between those of an image, at places that a grid names in numbers from -1 to 1: a block of places at a time,
   so that every step is a loop over places and a plane is read in one go. */
#ifndef EACH
#include "vmath.h"
#include "window.h"
#ifndef MINDTORCH_GRID_SAMPLE_H
#define MINDTORCH_GRID_SAMPLE_H
enum { BY_LINEAR, BY_NEAREST, BY_CUBIC };
enum { PAD_ZEROS, PAD_BORDER, PAD_REFLECTION };
#define PLACES 64    /* of a block */
#define MOST_TAPS 16 /* cubic in two dimensions; linear in three has 8 */

typedef struct {
    ptrdiff_t batch, channels;
    ptrdiff_t in[AXES], out[AXES]; /* a missing first dimension has size one */
    int rank, interpolation, padding, align_corners;
    void *to, *of, *grid; /* samples, images, places */
    void *to_grid, *grad; /* going back, `to` is the gradient of images; both of what is written may be NULL */
} Sampling;

INLINE ptrdiff_t blocks_of(const Sampling *s) { return (volume(s->out) + PLACES - 1) / PLACES; }
#endif
#define EACH "grid_sample.h"
#include "each_real.h"
#else
/* Along one axis: elements (-1: outside), their weights, and how these move with the grid. */
typedef struct {
    int taps;
    int32_t at[4][PLACES];
    REAL weight[4][PLACES], slope[4][PLACES];
} FN(Along);

/* All inputs of each output, 1 or a multiple of 4: where they lie in the plane (-1: nowhere), their weights, and how
   these move. */
typedef struct {
    int taps, is_inside; /* whether all of them lie somewhere */
    int32_t at[MOST_TAPS][PLACES];
    REAL weight[MOST_TAPS][PLACES], slope[AXES][MOST_TAPS][PLACES];
} FN(Mix);

INLINE REAL FN(floor)(REAL x) { return IS_FLOAT ? R(floorf((float)x)) : R(floor(x)); }
INLINE REAL FN(rint)(REAL x) { return IS_FLOAT ? R(rintf((float)x)) : R(rint(x)); }

/* Held between the outermost elements, where nothing moves any more. torch puts what is not a number at the first
   element in two dimensions, at the last one in three. */
INLINE REAL FN(clip)(REAL place, REAL *slope, REAL last, int rank) {
    const int within = (place > 0) & (place < last);
    const REAL edge = place <= 0 ? 0 : (place >= last) | (rank == 3) ? last : 0;
    *slope = within ? *slope : 0;
    return within ? place : edge;
}

/* Back and forth between the centres of the outermost elements, or between their borders. */
INLINE REAL FN(reflect)(REAL place, REAL *slope, REAL low, REAL span) {
    const REAL away = FN(abs)(place - low), flips = FN(floor)(away / span), extra = away - flips * span;
    const int back = flips - 2 * FN(floor)(flips / 2) != 0;
    *slope = back != (place < low) ? -*slope : *slope;
    return (back ? span - extra : extra) + low;
}

INLINE void FN(pad_places)(REAL *place, REAL *slope, ptrdiff_t n, ptrdiff_t size, const Sampling *s) {
    const REAL last = R(size - 1), low = s->align_corners ? 0 : R(-0.5), span = s->align_corners ? last : R(size);
    if (s->padding == PAD_REFLECTION && span == 0)
        for (ptrdiff_t i = 0; i < n; i++) place[i] = slope[i] = 0;
    else if (s->padding == PAD_REFLECTION)
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) place[i] = FN(reflect)(place[i], &slope[i], low, span);
    if (s->padding != PAD_ZEROS)
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) place[i] = FN(clip)(place[i], &slope[i], last, s->rank);
}

/* The element at a whole coordinate; the comparison comes before the cast. */
INLINE int32_t FN(element)(REAL place, REAL size) {
    const REAL held = (place > -1) & (place < size) ? place : -1;
    return (int32_t)held;
}

INLINE void FN(linear_taps)(FN(Along) *to, const REAL *place, const REAL *slope, ptrdiff_t n, REAL size) {
    to->taps = 2;
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {
        const REAL low = FN(floor)(place[i]);
        to->at[0][i] = FN(element)(low, size);
        to->at[1][i] = FN(element)(low + 1, size);
        to->weight[0][i] = low + 1 - place[i];
        to->weight[1][i] = place[i] - low;
        to->slope[0][i] = -slope[i];
        to->slope[1][i] = slope[i];
    }
}

INLINE void FN(nearest_tap)(FN(Along) *to, const REAL *place, ptrdiff_t n, REAL size) {
    to->taps = 1;
    FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {
        to->at[0][i] = FN(element)(FN(rint)(place[i]), size);
        to->weight[0][i] = 1;
        to->slope[0][i] = 0;
    }
}

/* Here the four elements are padded, not the place between them. */
INLINE void FN(cubic_taps)(FN(Along) *to, const REAL *place, const REAL *slope, ptrdiff_t n, ptrdiff_t size,
                           const Sampling *s) {
    const REAL a = R(-0.75);
    to->taps = 4;
    for (int k = 0; k < 4; k++) {
        const int near = k == 1 || k == 2;
        REAL tap[PLACES], moved[PLACES];
        for (ptrdiff_t i = 0; i < n; i++) tap[i] = FN(floor)(place[i]) - 1 + R(k), moved[i] = 1;
        FN(pad_places)(tap, moved, n, size, s);
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {
            const REAL far = place[i] - FN(floor)(place[i]) + 1 - R(k), x = FN(abs)(far);
            const REAL turn = near ? (3 * (a + 2) * x - 2 * (a + 3)) * x : (3 * a * x - 10 * a) * x + 8 * a;
            to->at[k][i] = FN(element)(tap[i], R(size));
            to->weight[k][i] = near ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
            to->slope[k][i] = turn * (far < 0 ? -slope[i] : slope[i]);
        }
    }
}

/* `grid` holds this axis' coordinate of each place, `rank` numbers apart. */
INLINE void FN(taps_along)(FN(Along) *to, const REAL *grid, ptrdiff_t n, ptrdiff_t size, const Sampling *s) {
    const REAL last = R(size - 1), whole = R(size), move = (s->align_corners ? last : whole) / 2;
    REAL place[PLACES], slope[PLACES];
    for (ptrdiff_t i = 0; i < n; i++) {
        const REAL x = grid[i * s->rank] + 1;
        place[i] = s->align_corners ? x / 2 * last : (x * whole - 1) / 2;
        slope[i] = move;
    }
    if (s->interpolation == BY_CUBIC) {
        FN(cubic_taps)(to, place, slope, n, size, s);
    } else {
        FN(pad_places)(place, slope, n, size, s);
        if (s->interpolation == BY_NEAREST)
            FN(nearest_tap)(to, place, n, whole);
        else
            FN(linear_taps)(to, place, slope, n, whole);
    }
    if (s->rank == 2 && s->interpolation != BY_NEAREST) /* a place that is no number: nor are its weights */
        for (ptrdiff_t i = 0; i < n; i++) to->at[0][i] = place[i] - place[i] == 0 ? to->at[0][i] : 0;
}

INLINE void FN(mix_taps)(FN(Mix) *mix, const FN(Along) *along, ptrdiff_t n, const Sampling *s, int slopes) {
    const int32_t height = (int32_t)s->in[1], width = (int32_t)s->in[2];
    int32_t outside = 0;
    mix->taps = 0;
    for (int i = 0; i < along[0].taps; i++)
        for (int j = 0; j < along[1].taps; j++)
            for (int k = 0; k < along[2].taps; k++) {
                const int to = mix->taps++;
                const REAL *d = along[0].weight[i], *h = along[1].weight[j], *w = along[2].weight[k];
                FREE_LOOP for (ptrdiff_t p = 0; p < n; p++) {
                    const int32_t z = along[0].at[i][p], y = along[1].at[j][p], x = along[2].at[k][p];
                    outside |= z | y | x;
                    mix->at[to][p] = (z | y | x) < 0 ? -1 : (z * height + y) * width + x;
                    mix->weight[to][p] = d[p] * h[p] * w[p];
                }
                if (slopes)
                    FREE_LOOP for (ptrdiff_t p = 0; p < n; p++) {
                        mix->slope[0][to][p] = along[0].slope[i][p] * h[p] * w[p];
                        mix->slope[1][to][p] = d[p] * along[1].slope[j][p] * w[p];
                        mix->slope[2][to][p] = d[p] * h[p] * along[2].slope[k][p];
                    }
            }
    mix->is_inside = outside >= 0;
}

/* The mixes of `n` places, whose coordinates come with the last axis first. */
INLINE void FN(mix_places)(FN(Mix) *mix, const REAL *grid, ptrdiff_t n, const Sampling *s, int slopes) {
    FN(Along) along[AXES];
    along[0].taps = 1;
    for (ptrdiff_t p = 0; p < n; p++) along[0].at[0][p] = 0, along[0].weight[0][p] = 1, along[0].slope[0][p] = 0;
    for (int i = 0; i < s->rank; i++)
        FN(taps_along)(&along[AXES - 1 - i], grid + i, n, s->in[AXES - 1 - i], s);
    FN(mix_taps)(mix, along, n, s, slopes);
}

INLINE REAL FN(element_or_zero)(const REAL *plane, int32_t at) {
    const REAL value = plane[at < 0 ? 0 : at];
    return at < 0 ? 0 : value;
}

INLINE REAL FN(element_inside)(const REAL *plane, int32_t at) { return plane[at]; }

/* Some taps of a block of places, added to what is there behind the first ones: one pass over the places. */
#define MIXED(name, READ)                                                                                           \
    INLINE void FN(name)(REAL *to, const REAL *plane, const FN(Mix) *mix, ptrdiff_t n) {                            \
        for (int k = 0; k < mix->taps; k += 4) {                                                                    \
            const int32_t *at = mix->at[k];                                                                         \
            const REAL *weight = mix->weight[k];                                                                    \
            if (mix->taps == 1)                                                                                     \
                FREE_LOOP for (ptrdiff_t p = 0; p < n; p++) to[p] = weight[p] * READ(plane, at[p]);                 \
            else                                                                                                    \
                FREE_LOOP for (ptrdiff_t p = 0; p < n; p++) {                                                       \
                    REAL sum = k ? to[p] : 0;                                                                       \
                    sum += weight[p] * READ(plane, at[p]);                                                          \
                    sum += weight[PLACES + p] * READ(plane, at[PLACES + p]);                                        \
                    sum += weight[2 * PLACES + p] * READ(plane, at[2 * PLACES + p]);                                \
                    to[p] = sum + weight[3 * PLACES + p] * READ(plane, at[3 * PLACES + p]);                         \
                }                                                                                                   \
        }                                                                                                           \
    }
MIXED(mixed_inside, FN(element_inside))
MIXED(mixed_anywhere, FN(element_or_zero))
#undef MIXED

/* Blocks begin to end of all images. */
CLONES static void FN(grid_sample)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Sampling *s = (const Sampling *)job;
    const ptrdiff_t in = volume(s->in), size = volume(s->out);
    FN(Mix) mix;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t b = i / blocks_of(s), start = i % blocks_of(s) * PLACES, n = smaller(PLACES, size - start);
        FN(mix_places)(&mix, (const REAL *)s->grid + (b * size + start) * s->rank, n, s, 0);
        for (ptrdiff_t c = b * s->channels; c < (b + 1) * s->channels; c++) {
            REAL *to = (REAL *)s->to + c * size + start;
            const REAL *plane = (const REAL *)s->of + c * in;
            if (mix.is_inside)
                FN(mixed_inside)(to, plane, &mix, n);
            else
                FN(mixed_anywhere)(to, plane, &mix, n);
        }
    }
}

/* Images begin to end. */
CLONES static void FN(grid_sample_backward)(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const Sampling *s = (const Sampling *)job;
    const ptrdiff_t in = volume(s->in), size = volume(s->out), blocks = blocks_of(s);
    const REAL *g = (const REAL *)s->grad, *x = (const REAL *)s->of, *grid = (const REAL *)s->grid;
    REAL *gx = (REAL *)s->to, *ggrid = (REAL *)s->to_grid;
    const int slopes = ggrid && s->interpolation != BY_NEAREST;
    FN(Mix) mix;
    REAL total[MOST_TAPS][PLACES];
    if (gx) memset(gx + begin * s->channels * in, 0, (size_t)((end - begin) * s->channels * in) * sizeof(REAL));
    if (ggrid) memset(ggrid + begin * size * s->rank, 0, (size_t)((end - begin) * size * s->rank) * sizeof(REAL));
    for (ptrdiff_t block = begin * blocks; block < end * blocks; block++) {
        const ptrdiff_t b = block / blocks, start = block % blocks * PLACES;
        const ptrdiff_t n = smaller(PLACES, size - start), first = (b * size + start) * s->rank;
        FN(mix_places)(&mix, grid + first, n, s, slopes);
        memset(total, 0, sizeof total);
        for (ptrdiff_t c = b * s->channels; c < (b + 1) * s->channels; c++) {
            const REAL *from = g + c * size + start;
            for (int k = 0; gx && k < mix.taps; k++)
                for (ptrdiff_t p = 0; p < n; p++)
                    if (mix.at[k][p] >= 0) gx[c * in + mix.at[k][p]] += mix.weight[k][p] * from[p];
            for (int k = 0; slopes && k < mix.taps; k++)
                FREE_LOOP for (ptrdiff_t p = 0; p < n; p++)
                    total[k][p] += from[p] * FN(element_or_zero)(x + c * in, mix.at[k][p]);
        }
        for (int k = 0; slopes && k < mix.taps; k++)
            for (int i = 0; i < s->rank; i++)
                for (ptrdiff_t p = 0; p < n; p++)
                    if (mix.at[k][p] >= 0)
                        ggrid[first + p * s->rank + i] += mix.slope[AXES - 1 - i][k][p] * total[k][p];
    }
}
#endif
