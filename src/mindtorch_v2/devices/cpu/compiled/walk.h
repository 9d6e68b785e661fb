/* One walk over arrays of any layout for all elementwise loops: dimensions that lie in one line are made one, the
   innermost is handed to a loop with its steps, the others are shared out among threads in strips of lines. Where an
   operand lies across the result (a transpose), strips are walked in tiles, so that every cache line is read once. */
#ifndef MINDTORCH_WALK_H
#define MINDTORCH_WALK_H
#include "half.h"
#include "moving.h"
#include "turning.h"

enum { OPERANDS = 4, MOST_DIMS = 64, TILE_LINES = 16, TILE_WIDTH = 128, STRIP = 8192, PACKED = 512, SHORT_LINE = 8 };
/* So many elements between buffers keep stores into one from holding up loads of the next: addresses differ in the bits
   that processors compare first. */
enum { APART = 40 };

typedef struct {
    inner_loop run;
    const void *extra;
    int operands, ndim;
    int half;               /* the kind of half precision that is computed in float32, or NOT_HALF */
    int packs;              /* whether the loop wants everything side by side */
    int moves;              /* whether values stay as they are: a copy, or a cast from or to half precision */
    int is_plain[OPERANDS]; /* operands of another type than the others, which the loop takes as they lie */
    int in_tiles;
    ptrdiff_t itemsize; /* of what the loop computes with */
    ptrdiff_t sizes[MOST_DIMS], steps[MOST_DIMS][OPERANDS];
    ptrdiff_t lines, strips; /* lines of a strip, and strips of the dimension before the innermost */
    char *base[OPERANDS];
} walk;

/* Dimensions of size one are dropped, and neighbours that every operand walks through without a turn become one. */
static void coalesce(walk *w) {
    int last = -1;
    for (int d = 0; d < w->ndim; d++) {
        const ptrdiff_t size = w->sizes[d];
        if (size == 1) continue;
        int joins = last >= 0;
        for (int k = 0; joins && k < w->operands; k++) joins = w->steps[last][k] == w->steps[d][k] * size;
        if (joins)
            w->sizes[last] *= size;
        else
            w->sizes[++last] = size;
        for (int k = 0; k < w->operands; k++) w->steps[last][k] = w->steps[d][k];
    }
    if (last < 0) {
        w->sizes[0] = 1, last = 0;
        for (int k = 0; k < w->operands; k++) w->steps[0][k] = 0;
    }
    w->ndim = last + 1;
}

/* The order in which the result lies in memory, outermost first. */
static void order_by_result(walk *w) {
    for (int i = 1; i < w->ndim; i++)
        for (int d = i; d > 0; d--) {
            const ptrdiff_t outer = w->steps[d - 1][0], inner = w->steps[d][0];
            if ((outer < 0 ? -outer : outer) >= (inner < 0 ? -inner : inner)) break;
            const ptrdiff_t size = w->sizes[d];
            w->sizes[d] = w->sizes[d - 1], w->sizes[d - 1] = size;
            for (int k = 0; k < w->operands; k++) {
                const ptrdiff_t step = w->steps[d][k];
                w->steps[d][k] = w->steps[d - 1][k], w->steps[d - 1][k] = step;
            }
        }
}

/* Whether an operand that is read lies across: nearer together along the line before the innermost. */
static int lies_across(const walk *w) {
    if (w->ndim < 2) return 0;
    const ptrdiff_t *inner = w->steps[w->ndim - 1], *before = w->steps[w->ndim - 2];
    for (int k = 1; k < w->operands; k++)
        if (before[k] && inner[k] > before[k] && inner[k] >= 64) return 1;
    return 0;
}

/* Short lines of a copy become its elements, which are moved at once. */
static void widen_elements(walk *w) {
    const ptrdiff_t *inner = w->steps[w->ndim - 1], bytes = w->itemsize * w->sizes[w->ndim - 1];
    if (bytes > WIDEST || !move_loops[bytes] || inner[0] != w->itemsize || inner[1] != w->itemsize) return;
    w->run = move_loops[bytes];
    w->itemsize = bytes;
    w->ndim--;
}

/* A line of a few elements costs more than it does: the loop then runs along the dimension before, if that is longer. */
static void avoid_short_lines(walk *w) {
    const int inner = w->ndim - 1, before = w->ndim - 2;
    const ptrdiff_t size = w->sizes[inner];
    if (size >= SHORT_LINE || w->sizes[before] < SHORT_LINE * size) return;
    w->sizes[inner] = w->sizes[before], w->sizes[before] = size;
    for (int k = 0; k < w->operands; k++) {
        const ptrdiff_t step = w->steps[inner][k];
        w->steps[inner][k] = w->steps[before][k], w->steps[before][k] = step;
    }
}

static void prepare(walk *w) {
    order_by_result(w);
    coalesce(w);
    if (w->moves && w->half == NOT_HALF && w->ndim > 1) widen_elements(w);
    if (w->ndim == 1) return;
    avoid_short_lines(w);
    const ptrdiff_t inner = w->sizes[w->ndim - 1], size = w->sizes[w->ndim - 2];
    w->in_tiles = lies_across(w);
    w->lines = w->in_tiles ? TILE_LINES : inner >= STRIP ? 1 : STRIP / inner;
    w->strips = (size + w->lines - 1) / w->lines;
}

/* Elements that do not lie side by side, to where they do. */
static void pack(const walk *w, void *out, const char *x, ptrdiff_t step, ptrdiff_t n) {
    if (w->half != NOT_HALF) {
        widen(w->half, (float *)out, x, step, step ? n : 1);
        for (ptrdiff_t i = 1; !step && w->packs && i < n; i++) ((float *)out)[i] = ((float *)out)[0];
    } else if (!step && w->itemsize == sizeof(float)) {
        const uint32_t value = *(const uint32_t *)x;
        for (ptrdiff_t i = 0; i < n; i++) ((uint32_t *)out)[i] = value;
    } else if (w->itemsize == sizeof(float))
        for (ptrdiff_t i = 0; i < n; i++) ((uint32_t *)out)[i] = *(const uint32_t *)(x + i * step);
    else
        for (ptrdiff_t i = 0; i < n; i++) ((uint64_t *)out)[i] = *(const uint64_t *)(x + i * step);
}

static void unpack(const walk *w, char *out, ptrdiff_t step, const void *x, ptrdiff_t n) {
    if (w->half != NOT_HALF)
        narrow(w->half, out, step, (const float *)x, n);
    else if (w->itemsize == sizeof(float))
        for (ptrdiff_t i = 0; i < n; i++) *(uint32_t *)(out + i * step) = ((const uint32_t *)x)[i];
    else
        for (ptrdiff_t i = 0; i < n; i++) *(uint64_t *)(out + i * step) = ((const uint64_t *)x)[i];
}

/* As many elements as fit into small buffers, there and back. */
static void run_packed(const walk *w, char *const *at, const ptrdiff_t *steps, ptrdiff_t n) {
    _Alignas(64) double buffers[OPERANDS][PACKED + APART];
    char *here[OPERANDS];
    ptrdiff_t dense[OPERANDS];
    for (ptrdiff_t begin = 0; begin < n; begin += PACKED) {
        const ptrdiff_t count = n - begin < PACKED ? n - begin : PACKED;
        for (int k = 0; k < w->operands; k++) {
            if (k > 1 && at[k] == at[k - 1] && steps[k] == steps[k - 1] && w->is_plain[k] == w->is_plain[k - 1]) {
                here[k] = here[k - 1], dense[k] = dense[k - 1]; /* one operand, given twice */
                continue;
            }
            here[k] = at[k] + begin * steps[k], dense[k] = steps[k];
            if (w->is_plain[k] || (w->half == NOT_HALF && steps[k] == w->itemsize)) continue;
            if (k && (steps[k] || !begin)) pack(w, buffers[k], here[k], steps[k], count); /* one number stays */
            here[k] = (char *)buffers[k], dense[k] = steps[k] || w->packs ? w->itemsize : 0;
        }
        w->run(here, dense, count, w->extra);
        if (here[0] == (char *)buffers[0]) unpack(w, at[0] + begin * steps[0], steps[0], buffers[0], count);
    }
}

/* Halves to floats or back, without a buffer in between; 0 where the floats do not lie side by side. */
static int cast_line(const walk *w, char *const *at, const ptrdiff_t *steps, ptrdiff_t n) {
    const int is_narrower = w->is_plain[1];
    if (!steps[1] || steps[is_narrower] != w->itemsize) return 0;
    if (is_narrower)
        narrow(w->half, at[0], steps[0], (const float *)at[1], n);
    else
        widen(w->half, (float *)at[0], at[1], steps[1], n);
    return 1;
}

static inline void run_line(const walk *w, char *const *at, const ptrdiff_t *steps, ptrdiff_t n) {
    int is_packed = w->half != NOT_HALF;
    if (is_packed && w->moves && cast_line(w, at, steps, n)) return;
    for (int k = 0; w->packs && k < w->operands; k++) is_packed |= steps[k] != w->itemsize;
    if (is_packed)
        run_packed(w, at, steps, n);
    else
        w->run(at, steps, n, w->extra);
}

/* A copy of a matrix that lies across, by blocks of it; 0 where it does not lie side by side that way. */
static int turn_strip(const walk *w, char *const *at, ptrdiff_t first, ptrdiff_t lines) {
    const ptrdiff_t *inner = w->steps[w->ndim - 1], *before = w->steps[w->ndim - 2];
    const ptrdiff_t size = w->itemsize, n = w->sizes[w->ndim - 1];
    if (!w->moves || inner[0] != size || before[1] != size || before[0] % size || inner[1] % size) return 0;
    char *to = at[0] + first * before[0], *from = at[1] + first * size;
    if (size == sizeof(float))
        turn_matrix_f32((float *)to, before[0] / size, (const float *)from, inner[1] / size, n, lines);
    else if (size == sizeof(double))
        turn_matrix_f64((double *)to, before[0] / size, (const double *)from, inner[1] / size, n, lines);
    else
        return 0;
    return 1;
}

static void run_strip(const walk *w, char *const *at, ptrdiff_t first, ptrdiff_t lines) {
    const ptrdiff_t *inner = w->steps[w->ndim - 1], *before = w->steps[w->ndim - 2];
    if (w->in_tiles && w->half == NOT_HALF && turn_strip(w, at, first, lines)) return;
    const ptrdiff_t n = w->sizes[w->ndim - 1], width = w->in_tiles ? TILE_WIDTH : n;
    char *here[OPERANDS];
    for (ptrdiff_t begin = 0; begin < n; begin += width)
        for (ptrdiff_t line = first; line < first + lines; line++) {
            for (int k = 0; k < w->operands; k++) here[k] = at[k] + line * before[k] + begin * inner[k];
            run_line(w, here, inner, n - begin < width ? n - begin : width);
        }
}

/* How many strips there are. */
static ptrdiff_t strips_of(const walk *w) {
    ptrdiff_t count = w->strips;
    for (int d = 0; d < w->ndim - 2; d++) count *= w->sizes[d];
    return count;
}

static ptrdiff_t elements_of_strip(const walk *w) {
    const ptrdiff_t size = w->sizes[w->ndim - 2];
    return w->sizes[w->ndim - 1] * (w->lines < size ? w->lines : size);
}

static void walk_strips(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const walk *w = (const walk *)job;
    char *at[OPERANDS];
    for (ptrdiff_t strip = begin; strip < end; strip++) {
        ptrdiff_t rest = strip / w->strips;
        for (int k = 0; k < w->operands; k++) at[k] = w->base[k];
        for (int d = w->ndim - 3; d >= 0; d--) {
            const ptrdiff_t index = rest % w->sizes[d];
            rest /= w->sizes[d];
            for (int k = 0; k < w->operands; k++) at[k] += index * w->steps[d][k];
        }
        const ptrdiff_t first = strip % w->strips * w->lines, left = w->sizes[w->ndim - 2] - first;
        run_strip(w, at, first, left < w->lines ? left : w->lines);
    }
}

/* A single line is shared out by its elements. */
static void walk_elements(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const walk *w = (const walk *)job;
    char *at[OPERANDS];
    for (int k = 0; k < w->operands; k++) at[k] = w->base[k] + begin * w->steps[0][k];
    run_line(w, at, w->steps[0], end - begin);
}
#endif
