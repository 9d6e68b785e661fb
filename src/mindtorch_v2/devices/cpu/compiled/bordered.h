/* Planes (d, h, w) with borders that show elements of them: place i of a padded dimension shows element shown[i]. */
#ifndef EACH
#include "vmath.h"

typedef struct {
    ptrdiff_t in[3], out[3];
    const int64_t *shown[3];
    void *to, *of;        /* results and what is read, plane by plane */
    ptrdiff_t begin, end; /* a run of places of the last dimension that show neighbours: the inside */
} Bordered;

/* The longest run. */
static void find_inside(Bordered *b) {
    const int64_t *shown = b->shown[2];
    b->begin = b->end = 0;
    for (ptrdiff_t first = 0, i = 1; i <= b->out[2]; i++)
        if (i == b->out[2] || shown[i] != shown[i - 1] + 1) {
            if (i - first > b->end - b->begin) b->begin = first, b->end = i;
            first = i;
        }
}

#define EACH_LINE(b, first, past)                                       \
    for (ptrdiff_t plane = first; plane < past; plane++)                \
        for (ptrdiff_t d = 0; d < (b)->out[0]; d++)                     \
            for (ptrdiff_t h = 0; h < (b)->out[1]; h++)
#define LINE_SHOWN(b) \
    (((plane * (b)->in[0] + (b)->shown[0][d]) * (b)->in[1] + (b)->shown[1][h]) * (b)->in[2])

#define EACH "bordered.h"
#include "each_real.h"
#else

/* Planes of a padded array from the array. */
CLONES static void FN(show_places)(void *job, ptrdiff_t first, ptrdiff_t past) {
    const Bordered *b = (const Bordered *)job;
    const int64_t *shown = b->shown[2];
    REAL *to = (REAL *)b->to + first * b->out[0] * b->out[1] * b->out[2];
    EACH_LINE(b, first, past) {
        const REAL *of = (const REAL *)b->of + LINE_SHOWN(b);
        for (ptrdiff_t w = 0; w < b->begin; w++) to[w] = of[shown[w]];
        if (b->end > b->begin) memcpy(to + b->begin, of + shown[b->begin], (b->end - b->begin) * sizeof(REAL));
        for (ptrdiff_t w = b->end; w < b->out[2]; w++) to[w] = of[shown[w]];
        to += b->out[2];
    }
}

/* Planes of the gradient of an array from that of the padded one; they come zero-filled. */
CLONES static void FN(add_places)(void *job, ptrdiff_t first, ptrdiff_t past) {
    const Bordered *b = (const Bordered *)job;
    const int64_t *shown = b->shown[2];
    const REAL *of = (const REAL *)b->of + first * b->out[0] * b->out[1] * b->out[2];
    EACH_LINE(b, first, past) {
        REAL *to = (REAL *)b->to + LINE_SHOWN(b), *inside = to + (b->end > b->begin ? shown[b->begin] : 0);
        for (ptrdiff_t w = 0; w < b->begin; w++) to[shown[w]] += of[w];
        FREE_LOOP for (ptrdiff_t w = b->begin; w < b->end; w++) inside[w - b->begin] += of[w];
        for (ptrdiff_t w = b->end; w < b->out[2]; w++) to[shown[w]] += of[w];
        of += b->out[2];
    }
}
#endif
