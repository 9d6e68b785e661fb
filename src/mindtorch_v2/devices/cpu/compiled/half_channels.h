/* Channels of halves times a number of each, plus another: a piece after the other, as floats in between. */
#ifndef MINDTORCH_HALF_CHANNELS_H
#define MINDTORCH_HALF_CHANNELS_H
#include "half.h"

enum { PIECE = 512 };

typedef struct {
    uint16_t *out;
    const uint16_t *x; /* (n, c, l) */
    const float *scale, *shift;
    ptrdiff_t c, l;
    int half;
} HalfChannels;

CLONES static void scale_piece(float *values, const float *scale, const float *shift, ptrdiff_t step, ptrdiff_t n) {
    if (step)
        for (ptrdiff_t i = 0; i < n; i++) values[i] = values[i] * scale[i] + shift[i];
    else
        for (ptrdiff_t i = 0; i < n; i++) values[i] = values[i] * *scale + *shift;
}

/* Rows of one channel or, where channels lie side by side, of all. */
static void scale_half_rows(void *given, ptrdiff_t begin, ptrdiff_t end) {
    const HalfChannels *job = given;
    const ptrdiff_t step = job->l == 1, size = step ? job->c : job->l;
    float values[PIECE];
    for (ptrdiff_t row = begin; row < end; row++)
        for (ptrdiff_t i = 0; i < size; i += PIECE) {
            const ptrdiff_t n = size - i < PIECE ? size - i : PIECE, at = row * size + i, channel = step ? i : row % job->c;
            widen(job->half, values, (const char *)(job->x + at), sizeof *job->x, n);
            scale_piece(values, job->scale + channel, job->shift + channel, step, n);
            narrow(job->half, (char *)(job->out + at), sizeof *job->out, values, n);
        }
}
#endif
