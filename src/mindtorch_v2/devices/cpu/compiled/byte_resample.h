/* Resampling of bytes in whole numbers: weights of 16 bits, rounded after each axis. Columns become rows for a while
   where an axis is the last one, so that neighbours in memory are always mixed by the same weights. */
#ifndef MINDTORCH_BYTE_RESAMPLE_H
#define MINDTORCH_BYTE_RESAMPLE_H
#include <stdlib.h>
#include "resample.h"

enum { WEIGHT_BITS = 15, MOST_BITS = 22, LARGEST_BYTE = 255 };
enum { TAPS = 4, RUN = 64, SIDE = 16, TURNED_ROWS = 64, FEW = 32 }; /* FEW: bytes that do not pay to be mixed by rows */

/* An axis of (rows, in, inner) becomes that of (rows, out, inner). */
typedef struct {
    const Axis *axis;
    const int16_t *weight; /* (width, out), as the axis has them */
    int bits;              /* of a weight, behind the point */
    ptrdiff_t rows, inner;
    uint8_t *to;
    const uint8_t *x;
    int lacks_memory;
} ByteAxis;

static inline ptrdiff_t taps_at(const Axis *axis, ptrdiff_t o) { return axis->count ? axis->count[o] : axis->width; }

/* Weights as 16-bit numbers; returns how many of their bits are the fraction: as many as the largest weight leaves.
   Weights of taps that look at one element, at the edge, are added up in the last of them. */
static int whole_weights(int16_t *whole, const Axis *axis) {
    const ptrdiff_t n = axis->out;
    double *weight = axis->weight, largest = 0;
    for (ptrdiff_t o = 0; o < n; o++)
        for (ptrdiff_t k = 0; k < taps_at(axis, o); k++) {
            double *now = weight + k * n + o;
            if (k > 0 && axis->at[k * n + o] == axis->at[(k - 1) * n + o]) *now += now[-n], now[-n] = 0;
        }
    for (ptrdiff_t o = 0; o < n; o++)
        for (ptrdiff_t k = 0; k < taps_at(axis, o); k++)
            if (weight[k * n + o] > largest) largest = weight[k * n + o];
    int bits = 0;
    while (bits < MOST_BITS && (int32_t)(0.5 + largest * (double)(1 << (bits + 1))) < 1 << WEIGHT_BITS) bits++;
    for (ptrdiff_t o = 0; o < n; o++)
        for (ptrdiff_t k = 0; k < taps_at(axis, o); k++) {
            const double scaled = weight[k * n + o] * (double)(1 << bits);
            whole[k * n + o] = (int16_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
        }
    return bits;
}

INLINE uint8_t rounded_byte(int32_t total, int bits) {
    const int32_t value = total >> bits;
    return (uint8_t)(value < 0 ? 0 : value > LARGEST_BYTE ? LARGEST_BYTE : value);
}

/* `size` bytes of output o of an axis whose elements are `step` apart; at most RUN, and a constant where it can be. */
INLINE void mix_run(uint8_t *to, const uint8_t *x, ptrdiff_t size, ptrdiff_t step, const ByteAxis *job, ptrdiff_t o) {
    const ptrdiff_t n = job->axis->out, count = taps_at(job->axis, o);
    const int32_t *at = job->axis->at + o, bits = job->bits, half = 1 << (bits - 1);
    const int16_t *weight = job->weight + o;
    int32_t total[RUN];
    if (count == 0) { /* an axis that was stretched beyond all inputs */
        memset(to, 0, (size_t)size);
        return;
    }
    if (count <= 2) {
        const uint8_t *a = x + at[0] * step, *b = x + at[(count - 1) * n] * step;
        const int32_t u = weight[0], v = count == 2 ? weight[n] : 0;
        FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) to[i] = rounded_byte(a[i] * u + b[i] * v + half, bits);
        return;
    }
    for (ptrdiff_t i = 0; i < size; i++) total[i] = half;
    for (ptrdiff_t k = 0; k < count; k += TAPS) {
        const uint8_t *from[TAPS];
        int32_t w[TAPS];
        for (ptrdiff_t j = 0; j < TAPS; j++) { /* behind the last tap, the last one counts for nothing */
            from[j] = x + at[smaller(k + j, count - 1) * n] * step;
            w[j] = k + j < count ? weight[(k + j) * n] : 0;
        }
        FREE_LOOP for (ptrdiff_t i = 0; i < size; i++)
            total[i] += from[0][i] * w[0] + from[1][i] * w[1] + from[2][i] * w[2] + from[3][i] * w[3];
    }
    FREE_LOOP for (ptrdiff_t i = 0; i < size; i++) to[i] = rounded_byte(total[i], bits);
}

INLINE void mix_bytes(uint8_t *to, const uint8_t *x, ptrdiff_t size, ptrdiff_t step, const ByteAxis *job, ptrdiff_t o) {
    ptrdiff_t i = 0;
    for (; i + RUN <= size; i += RUN) mix_run(to + i, x + i, RUN, step, job, o);
    if (i < size) mix_run(to + i, x + i, size - i, step, job, o);
}

/* Outputs begin … end, counted over all rows. */
CLONES static void mix_outputs(void *given, ptrdiff_t begin, ptrdiff_t end) {
    const ByteAxis *job = given;
    const ptrdiff_t n = job->axis->out, inner = job->inner;
    for (ptrdiff_t i = begin; i < end; i++)
        mix_bytes(job->to + i * inner, job->x + i / n * job->axis->in * inner, inner, inner, job, i % n);
}

#if defined(__GNUC__) && !defined(__clang__)
typedef uint8_t Bytes __attribute__((vector_size(16), aligned(1), may_alias));
#endif

/* SIDE by SIDE bytes turned: of rows that lie anywhere, into rows `step` apart. */
INLINE void turn_bytes(uint8_t *to, ptrdiff_t step, const uint8_t *const *rows, ptrdiff_t at) {
#if defined(__GNUC__) && !defined(__clang__)
    const Bytes low = {0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23}, high = low + 8;
    Bytes r[SIDE], s[SIDE];
    for (int i = 0; i < SIDE; i++) r[i] = *(const Bytes *)(rows[i] + at);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < SIDE / 2; i++) {
            s[2 * i] = __builtin_shuffle(r[i], r[i + SIDE / 2], low);
            s[2 * i + 1] = __builtin_shuffle(r[i], r[i + SIDE / 2], high);
        }
        for (int i = 0; i < SIDE; i++) r[i] = s[i];
    }
    for (int i = 0; i < SIDE; i++) *(Bytes *)(to + i * step) = r[i];
#else
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) to[i * step + j] = rows[j][at + i];
#endif
}

/* Rows as columns of TURNED_ROWS bytes; of the last ones missing, the last that is there stands in. */
INLINE void turn_in(uint8_t *to, const uint8_t *x, ptrdiff_t length, ptrdiff_t rows) {
    for (ptrdiff_t block = 0; block < rows; block += SIDE) {
        const uint8_t *row[SIDE];
        for (ptrdiff_t i = 0; i < SIDE; i++) row[i] = x + smaller(block + i, rows - 1) * length;
        for (ptrdiff_t at = 0; at < length; at += SIDE) {
            const ptrdiff_t from = length < SIDE ? 0 : smaller(at, length - SIDE);
            if (length >= SIDE)
                turn_bytes(to + from * TURNED_ROWS + block, TURNED_ROWS, row, from);
            else
                for (ptrdiff_t p = 0; p < length; p++)
                    for (ptrdiff_t j = 0; j < SIDE; j++) to[p * TURNED_ROWS + block + j] = row[j][p];
        }
    }
}

/* SIDE columns of TURNED_ROWS bytes, or fewer, as rows `length` apart. */
INLINE void turn_out(uint8_t *to, ptrdiff_t length, ptrdiff_t rows, const uint8_t *x, ptrdiff_t columns) {
    const uint8_t *column[SIDE];
    for (ptrdiff_t i = 0; i < SIDE; i++) column[i] = x + i * TURNED_ROWS;
    for (ptrdiff_t block = 0; block < rows; block += SIDE) {
        uint8_t turned[SIDE * SIDE];
        turn_bytes(turned, SIDE, column, block);
        for (ptrdiff_t i = 0; i < smaller(rows - block, SIDE); i++)
            if (columns == SIDE)
                memcpy(to + (block + i) * length, turned + i * SIDE, SIDE);
            else
                memcpy(to + (block + i) * length, turned + i * SIDE, (size_t)columns);
    }
}

/* Blocks begin … end of TURNED_ROWS rows. */
CLONES static void mix_turned(void *given, ptrdiff_t begin, ptrdiff_t end) {
    ByteAxis *job = given;
    const ptrdiff_t inner = job->inner, in = job->axis->in * inner, out = job->axis->out * inner;
    uint8_t *columns = malloc((size_t)((in + SIDE) * TURNED_ROWS)), *mixed = columns + in * TURNED_ROWS;
    if (!columns) {
        job->lacks_memory = 1;
        return;
    }
    memset(mixed, 0, SIDE * TURNED_ROWS);
    for (ptrdiff_t block = begin; block < end; block++) {
        const ptrdiff_t first = block * TURNED_ROWS, rows = smaller(TURNED_ROWS, job->rows - first);
        const ptrdiff_t size = (rows + SIDE - 1) / SIDE * SIDE;
        turn_in(columns, job->x + first * in, in, rows);
        for (ptrdiff_t o = 0, c = 0, at = 0; at < out; at += SIDE) {
            const ptrdiff_t some = smaller(SIDE, out - at);
            for (ptrdiff_t i = 0; i < some; i++) {
                mix_bytes(mixed + i * TURNED_ROWS, columns + c * TURNED_ROWS, size, inner * TURNED_ROWS, job, o);
                if (++c == inner) c = 0, o++;
            }
            turn_out(job->to + first * out + at, out, rows, mixed, some);
        }
    }
    free(columns);
}
#endif
