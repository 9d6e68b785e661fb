/* Planes (d, h, w) with borders that show elements of them: place i of a padded dimension shows element shown[i]. */
#ifndef MINDTORCH_BORDERED_H
#define MINDTORCH_BORDERED_H
#include "half.h"

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

/* Planes of a padded array from the array, by the size of an element. */
#define SHOW_PLACES(TYPE, BYTES)                                                                                         \
    CLONES static void show_places_##BYTES(void *job, ptrdiff_t first, ptrdiff_t past) {                                 \
        const Bordered *b = (const Bordered *)job;                                                                       \
        const int64_t *shown = b->shown[2];                                                                              \
        TYPE *to = (TYPE *)b->to + first * b->out[0] * b->out[1] * b->out[2];                                            \
        EACH_LINE(b, first, past) {                                                                                      \
            const TYPE *of = (const TYPE *)b->of + LINE_SHOWN(b);                                                        \
            for (ptrdiff_t w = 0; w < b->begin; w++) to[w] = of[shown[w]];                                               \
            if (b->end > b->begin) memcpy(to + b->begin, of + shown[b->begin], (b->end - b->begin) * sizeof(TYPE));      \
            for (ptrdiff_t w = b->end; w < b->out[2]; w++) to[w] = of[shown[w]];                                         \
            to += b->out[2];                                                                                             \
        }                                                                                                                \
    }
SHOW_PLACES(uint8_t, 1)
SHOW_PLACES(uint16_t, 2)
SHOW_PLACES(uint32_t, 4)
SHOW_PLACES(uint64_t, 8)
#undef SHOW_PLACES

/* Planes of the gradient of an array from that of the padded one; they come zero-filled. Halves are rounded each time. */
#define ADD_PLACES(TYPE, SUFFIX_, SUM)                                                                                   \
    CLONES static void add_places_##SUFFIX_(void *job, ptrdiff_t first, ptrdiff_t past) {                                \
        const Bordered *b = (const Bordered *)job;                                                                       \
        const int64_t *shown = b->shown[2];                                                                              \
        const TYPE *of = (const TYPE *)b->of + first * b->out[0] * b->out[1] * b->out[2];                                \
        EACH_LINE(b, first, past) {                                                                                      \
            TYPE *to = (TYPE *)b->to + LINE_SHOWN(b), *inside = to + (b->end > b->begin ? shown[b->begin] : 0);          \
            for (ptrdiff_t w = 0; w < b->begin; w++) to[shown[w]] = SUM(to[shown[w]], of[w]);                            \
            FREE_LOOP for (ptrdiff_t w = b->begin; w < b->end; w++)                                                      \
                inside[w - b->begin] = SUM(inside[w - b->begin], of[w]);                                                 \
            for (ptrdiff_t w = b->end; w < b->out[2]; w++) to[shown[w]] = SUM(to[shown[w]], of[w]);                      \
            of += b->out[2];                                                                                             \
        }                                                                                                                \
    }
#define SUM_OF_NUMBERS(a, b) ((a) + (b))
#define SUM_OF_FLOAT16(a, b) to_float16(from_float16(a) + from_float16(b))
#define SUM_OF_BFLOAT16(a, b) to_bfloat16(from_bfloat16(a) + from_bfloat16(b))
ADD_PLACES(float, f32, SUM_OF_NUMBERS)
ADD_PLACES(double, f64, SUM_OF_NUMBERS)
ADD_PLACES(uint16_t, f16, SUM_OF_FLOAT16)
ADD_PLACES(uint16_t, bf16, SUM_OF_BFLOAT16)
#undef ADD_PLACES
#undef SUM_OF_NUMBERS
#undef SUM_OF_FLOAT16
#undef SUM_OF_BFLOAT16
#endif
