/* The nearest elements of any type, moved as they are: (d, h, w) planes, whose elements are so many bytes. */
#ifndef MINDTORCH_NEAREST_H
#define MINDTORCH_NEAREST_H
#include "resample.h"

/* A row of elements of SIZE bytes; a constant size makes of memcpy one move. */
#define NEAREST_ROW(SIZE)                                       \
    for (ptrdiff_t o = 0; o < w->out; o++, to += SIZE) memcpy(to, x + w->at[o] * SIZE, (size_t)(SIZE))

INLINE void nearest_row(char *to, const char *x, const Axis *w, ptrdiff_t size) {
    switch (size) {
        case 1: NEAREST_ROW(1); break;
        case 2: NEAREST_ROW(2); break;
        case 3: NEAREST_ROW(3); break;
        case 4: NEAREST_ROW(4); break;
        case 6: NEAREST_ROW(6); break;
        case 8: NEAREST_ROW(8); break;
        default: NEAREST_ROW(size);
    }
}
#undef NEAREST_ROW

/* One plane; a row that comes again is copied. */
static void nearest_plane(char *to, const char *x, const Axis *axes, ptrdiff_t size) {
    const Axis *d = axes, *h = axes + 1, *w = axes + 2;
    const ptrdiff_t in = w->in * size, out = w->out * size;
    for (ptrdiff_t z = 0; z < d->out; z++)
        for (ptrdiff_t y = 0; y < h->out; y++, to += out)
            if (y > 0 && h->at[y] == h->at[y - 1])
                memcpy(to, to - out, (size_t)out);
            else if (w->skip)
                memcpy(to, x + (d->at[z] * h->in + h->at[y]) * in, (size_t)out);
            else
                nearest_row(to, x + (d->at[z] * h->in + h->at[y]) * in, w, size);
}
#endif
