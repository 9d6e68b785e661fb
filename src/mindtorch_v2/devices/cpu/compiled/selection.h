/* Elements at places along the middle of (outer, n, inner): read, written or entered. Callers have seen to it that all
   places exist (are_within). */
#include <stdlib.h>
#include "complex_numbers.h"
#include "half.h"
#include "moving.h"

typedef struct selection selection;
typedef void (*selecting)(selection *, ptrdiff_t, ptrdiff_t);

struct selection {
    selecting run;
    char *out;
    const char *x; /* what is read; a single element where step is 0 */
    const int64_t *places;
    ptrdiff_t outer, n, count, inner; /* n elements along the dimension, count places */
    ptrdiff_t step;
    int shares;  /* whether all lines have the same places, one for each slice */
    int has_bad; /* set where a place does not exist */
};

#define EACH_PLACE(action)                                                                                           \
    for (ptrdiff_t i = begin; i < end; i++) {                                                                        \
        const ptrdiff_t first = i * s->count * s->inner, line = i * s->n * s->inner;                                 \
        if (s->shares && s->inner == 1)                                                                              \
            for (ptrdiff_t j = 0; j < s->count; j++) {                                                               \
                const ptrdiff_t at = first + j, there = line + s->places[j];                                         \
                (void)at;                                                                                            \
                action;                                                                                              \
            }                                                                                                        \
        else if (s->shares)                                                                                          \
            for (ptrdiff_t j = 0; j < s->count; j++) {                                                               \
                const ptrdiff_t of = first + j * s->inner, to = line + s->places[j] * s->inner;                      \
                FREE_LOOP for (ptrdiff_t k = 0; k < s->inner; k++) {                                                 \
                    const ptrdiff_t at = of + k, there = to + k;                                                     \
                    (void)at;                                                                                        \
                    action;                                                                                          \
                }                                                                                                    \
            }                                                                                                        \
        else if (s->inner == 1)                                                                                      \
            for (ptrdiff_t at = first; at < first + s->count; at++) {                                                \
                const ptrdiff_t there = line + s->places[at];                                                        \
                action;                                                                                              \
            }                                                                                                        \
        else                                                                                                         \
            for (ptrdiff_t j = 0; j < s->count; j++)                                                                 \
                for (ptrdiff_t k = 0; k < s->inner; k++) {                                                           \
                    const ptrdiff_t at = first + j * s->inner + k, there = line + s->places[at] * s->inner + k;      \
                    (void)at;                                                                                        \
                    action;                                                                                          \
                }                                                                                                    \
    }
#define GATHER(T)                                                                                                    \
    static void gather_##T(selection *s, ptrdiff_t begin, ptrdiff_t end) {                                           \
        const T *x = (const T *)s->x;                                                                                \
        T *out = (T *)s->out;                                                                                        \
        EACH_PLACE(out[at] = x[there])                                                                               \
    }
/* How a value enters a place where there is one already; a NaN stays. */
#define PUT(to, v) to = (v)
#define ADD(to, v) to += (v)
#define EITHER(to, v) to |= (v)
#define MULTIPLY(to, v) to *= (v)
#define LARGER(to, v) to = ((v) > to) | ((v) != (v)) ? (v) : to
#define SMALLER_ONE(to, v) to = ((v) < to) | ((v) != (v)) ? (v) : to
#define ADD_BFLOAT16(to, v) to = to_bfloat16(from_bfloat16(to) + from_bfloat16(v))
#define ADD_FLOAT16(to, v) to = to_float16(from_float16(to) + from_float16(v))
#define SCATTER(name, T, ENTER)                                                                                      \
    CLONES static void name(selection *s, ptrdiff_t begin, ptrdiff_t end) {                                          \
        const T *x = (const T *)s->x;                                                                                \
        T *out = (T *)s->out;                                                                                        \
        if (s->step)                                                                                                 \
            EACH_PLACE(ENTER(out[there], x[at]))                                                                     \
        else                                                                                                         \
            EACH_PLACE(ENTER(out[there], x[0]))                                                                      \
    }
GATHER(uint8_t) GATHER(uint16_t) GATHER(uint32_t) GATHER(uint64_t) GATHER(wide16)
SCATTER(put_8, uint8_t, PUT) SCATTER(put_16, uint16_t, PUT)
SCATTER(put_32, uint32_t, PUT) SCATTER(put_64, uint64_t, PUT) SCATTER(put_128, wide16, PUT)
#define SCATTER_NUMBERS(name, ENTER)                                                                                 \
    SCATTER(name##_f32, float, ENTER) SCATTER(name##_f64, double, ENTER)                                             \
    SCATTER(name##_u8, uint8_t, ENTER) SCATTER(name##_i8, int8_t, ENTER) SCATTER(name##_i16, int16_t, ENTER)         \
    SCATTER(name##_i32, int32_t, ENTER) SCATTER(name##_i64, int64_t, ENTER)
SCATTER_NUMBERS(add, ADD) SCATTER_NUMBERS(multiply, MULTIPLY)
SCATTER_NUMBERS(larger, LARGER) SCATTER_NUMBERS(smaller, SMALLER_ONE)
SCATTER(add_bool, uint8_t, EITHER) SCATTER(add_f16, uint16_t, ADD_FLOAT16) SCATTER(add_bf16, uint16_t, ADD_BFLOAT16)
SCATTER(add_c64, complex_f32, ADD_COMPLEX) SCATTER(add_c128, complex_f64, ADD_COMPLEX)
SCATTER(multiply_c64, complex_f32, MULTIPLY_COMPLEX) SCATTER(multiply_c128, complex_f64, MULTIPLY_COMPLEX)
#undef SCATTER_NUMBERS
#undef GATHER
#undef SCATTER
#undef EACH_PLACE

/* by the bytes of an element */
enum { MOST_BYTES = sizeof(wide16) };
static const selecting gather_loops[MOST_BYTES + 1] = {
    [1] = gather_uint8_t, [2] = gather_uint16_t, [4] = gather_uint32_t, [8] = gather_uint64_t, [16] = gather_wide16};
static const selecting put_loops[MOST_BYTES + 1] = {
    [1] = put_8, [2] = put_16, [4] = put_32, [8] = put_64, [16] = put_128};
enum { F32, F64, U8, I8, I16, I32, I64, BOOL, F16, BF16, C64, C128, TYPES };
#define OF_NUMBERS(name)                                                                                             \
    [F32] = name##_f32, [F64] = name##_f64, [U8] = name##_u8, [I8] = name##_i8, [I16] = name##_i16,                  \
    [I32] = name##_i32, [I64] = name##_i64
static const selecting add_loops[TYPES] = {OF_NUMBERS(add), [BOOL] = add_bool, [F16] = add_f16, [BF16] = add_bf16,
                                           [C64] = add_c64, [C128] = add_c128};
static const selecting multiply_loops[TYPES] = {OF_NUMBERS(multiply), [C64] = multiply_c64, [C128] = multiply_c128};
static const selecting larger_loops[TYPES] = {OF_NUMBERS(larger)};
static const selecting smaller_loops[TYPES] = {OF_NUMBERS(smaller)};
#undef OF_NUMBERS

CLONES static int are_within(const int64_t *places, ptrdiff_t count, ptrdiff_t n) {
    int64_t outside = 0;
    for (ptrdiff_t i = 0; i < count; i++) outside |= places[i] | (n - 1 - places[i]); /* negative where it is outside */
    return outside >= 0;
}

/* Half precision is added up in float32, by columns of a few whose table fits into the cache. */
typedef struct {
    int half, has_failed;
    uint16_t *out;
    const uint16_t *x;
    const int64_t *places; /* the same for all columns */
    ptrdiff_t n, count, inner, width, tiles;
} halves_to_add;

enum { HALVES_AT_ONCE = 256, TABLE = 65536 };

CLONES static void add_floats(float *restrict to, const float *restrict x, ptrdiff_t n) {
    for (ptrdiff_t k = 0; k < n; k++) to[k] += x[k];
}

static void add_half_line(const halves_to_add *h, float *table, const uint16_t *x) {
    float block[HALVES_AT_ONCE];
    for (ptrdiff_t begin = 0; begin < h->count; begin += HALVES_AT_ONCE) {
        const ptrdiff_t left = h->count - begin, m = left < HALVES_AT_ONCE ? left : HALVES_AT_ONCE;
        widen(h->half, block, (const char *)(x + begin), sizeof *x, m);
        for (ptrdiff_t j = 0; j < m; j++) table[h->places[begin + j]] += block[j];
    }
}

static void add_half_tiles(void *job, ptrdiff_t begin, ptrdiff_t end) {
    halves_to_add *h = (halves_to_add *)job;
    float *table = (float *)malloc((size_t)(h->n * h->width) * sizeof(float)), block[HALVES_AT_ONCE];
    if (!table) {
        h->has_failed = 1;
        return;
    }
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t item = i / h->tiles, first = i % h->tiles * h->width, left = h->inner - first;
        const ptrdiff_t width = left < h->width ? left : h->width;
        const ptrdiff_t rows = h->inner == 1 ? 1 : h->n, each = h->inner == 1 ? h->n : width;
        uint16_t *out = h->out + item * h->n * h->inner + first;
        const uint16_t *x = h->x + item * h->count * h->inner + first;
        for (ptrdiff_t r = 0; r < rows; r++)
            widen(h->half, table + r * each, (const char *)(out + r * h->inner), sizeof *out, each);
        if (h->inner == 1)
            add_half_line(h, table, x);
        else
            for (ptrdiff_t j = 0; j < h->count; j++) {
                widen(h->half, block, (const char *)(x + j * h->inner), sizeof *x, width);
                add_floats(table + h->places[j] * width, block, width);
            }
        for (ptrdiff_t r = 0; r < rows; r++)
            narrow(h->half, (char *)(out + r * h->inner), sizeof *out, table + r * each, each);
    }
    free(table);
}

/* Which lines name places that do not exist. */
static void check_places(void *job, ptrdiff_t begin, ptrdiff_t end) {
    selection *s = (selection *)job;
    const ptrdiff_t width = s->count * s->inner;
    if (s->shares)
        s->has_bad |= !are_within(s->places, s->count, s->n);
    else if (!are_within(s->places + begin * width, (end - begin) * width, s->n)) s->has_bad = 1;
}

static void select_part(void *job, ptrdiff_t begin, ptrdiff_t end) {
    selection *s = (selection *)job;
    s->run(s, begin, end);
}

/* Both while the places are in the cache: what is only read may be read in part. */
static void check_and_select_part(void *job, ptrdiff_t begin, ptrdiff_t end) {
    selection *s = (selection *)job;
    check_places(job, begin, end);
    if (!s->has_bad) s->run(s, begin, end);
}

/* The coordinates of bytes that are not zero, `ndim` numbers each. Strips of the array are counted first; then each
   knows where its coordinates begin. */
enum { MOST_SIZES = 64, COUNTED = 16384, PIECE = 256 };

typedef struct {
    int64_t *out;
    const uint8_t *x;
    const ptrdiff_t *sizes;
    int ndim;
    ptrdiff_t n;
    ptrdiff_t *counts; /* of each strip; then those before it */
} truths;

CLONES static ptrdiff_t count_true(const uint8_t *x, ptrdiff_t n) {
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i++) count += x[i] != 0;
    return count;
}

static void count_strips(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const truths *t = (const truths *)job;
    for (ptrdiff_t i = begin; i < end; i++)
        t->counts[i] = count_true(t->x + i * COUNTED, t->n - i * COUNTED < COUNTED ? t->n - i * COUNTED : COUNTED);
}

/* The places of what is true in a piece of a row, without a branch. */
static ptrdiff_t places_of_true(int32_t *places, const uint8_t *x, ptrdiff_t n) {
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        places[count] = (int32_t)i;
        count += x[i] != 0;
    }
    return count;
}

static void write_strips(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const truths *t = (const truths *)job;
    const int last = t->ndim - 1;
    int64_t at[MOST_SIZES] = {0}, *out = t->out + t->counts[begin] * t->ndim;
    int32_t places[PIECE + 1];
    ptrdiff_t i = begin * COUNTED, rest = i;
    const ptrdiff_t stop = end * COUNTED < t->n ? end * COUNTED : t->n;
    for (int d = last; d >= 0; rest /= t->sizes[d--]) at[d] = rest % t->sizes[d];
    while (i < stop) {
        ptrdiff_t width = t->ndim ? t->sizes[last] - at[last] : 1;
        if (width > stop - i) width = stop - i;
        if (width > PIECE) width = PIECE;
        const ptrdiff_t count = places_of_true(places, t->x + i, width);
        for (ptrdiff_t k = 0; k < count; k++) {
            for (int d = 0; d < last; d++) *out++ = at[d];
            if (t->ndim) *out++ = at[last] + places[k];
        }
        i += width;
        if (!t->ndim) continue;
        at[last] += width;
        for (int d = last; d > 0 && at[d] == t->sizes[d]; d--) at[d] = 0, at[d - 1]++;
    }
}

/* The elements where a mask is true, one after the other; strips are counted first, as above. */
typedef struct {
    truths mask;
    char *out;
    const char *x;
    ptrdiff_t itemsize, total;
} masked_elements;

#define TAKE_TRUE(T)                                                                                                 \
    static void take_true_##T(T *out, const T *x, const uint8_t *mask, ptrdiff_t n, ptrdiff_t count) {               \
        ptrdiff_t at = 0, i = 0;                                                                                     \
        for (; at < count && i < n; i++) { /* what is not wanted is written over */                                  \
            out[at] = x[i];                                                                                          \
            at += mask[i] != 0;                                                                                      \
        }                                                                                                            \
    }
TAKE_TRUE(uint8_t) TAKE_TRUE(uint16_t) TAKE_TRUE(uint32_t) TAKE_TRUE(uint64_t) TAKE_TRUE(wide16)
#undef TAKE_TRUE
typedef void (*true_taking)(void *, const void *, const uint8_t *, ptrdiff_t, ptrdiff_t);
static const true_taking take_true_loops[MOST_BYTES + 1] = {
    [1] = (true_taking)take_true_uint8_t, [2] = (true_taking)take_true_uint16_t, [4] = (true_taking)take_true_uint32_t,
    [8] = (true_taking)take_true_uint64_t, [16] = (true_taking)take_true_wide16}; /* by the bytes of an element */

#define PUT_TRUE(T)                                                                                                  \
    static void put_true_##T(T *out, const T *x, const uint8_t *mask, ptrdiff_t n, ptrdiff_t count) {                \
        ptrdiff_t at = 0, i = 0;                                                                                     \
        for (; at < count && i < n; i++) {                                                                           \
            const T given = x[at], before = out[i];                                                                  \
            out[i] = mask[i] ? given : before;                                                                       \
            at += mask[i] != 0;                                                                                      \
        }                                                                                                            \
    }
PUT_TRUE(uint8_t) PUT_TRUE(uint16_t) PUT_TRUE(uint32_t) PUT_TRUE(uint64_t) PUT_TRUE(wide16)
#undef PUT_TRUE
static const true_taking put_true_loops[MOST_BYTES + 1] = {
    [1] = (true_taking)put_true_uint8_t, [2] = (true_taking)put_true_uint16_t, [4] = (true_taking)put_true_uint32_t,
    [8] = (true_taking)put_true_uint64_t, [16] = (true_taking)put_true_wide16};

/* One element after the other to where the mask is true. */
static void put_masked_strips(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const masked_elements *m = (const masked_elements *)job;
    const truths *t = &m->mask;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t first = i * COUNTED, left = t->n - first;
        const ptrdiff_t last = first + COUNTED < t->n ? t->counts[i + 1] : m->total;
        put_true_loops[m->itemsize](m->out + first * m->itemsize, m->x + t->counts[i] * m->itemsize, t->x + first,
                                    left < COUNTED ? left : COUNTED, last - t->counts[i]);
    }
}

static void take_masked_strips(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const masked_elements *m = (const masked_elements *)job;
    const truths *t = &m->mask;
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t first = i * COUNTED, left = t->n - first;
        const ptrdiff_t last = first + COUNTED < t->n ? t->counts[i + 1] : m->total;
        take_true_loops[m->itemsize](m->out + t->counts[i] * m->itemsize, m->x + first * m->itemsize, t->x + first,
                                     left < COUNTED ? left : COUNTED, last - t->counts[i]);
    }
}

/* Elements at coordinates of the first dimensions of a contiguous array; negative ones count from the end. */
enum { MOST_COORDINATES = 8 };
typedef struct {
    char *out;
    const char *x;
    const char *at[MOST_COORDINATES]; /* int64, `apart` bytes from each other */
    ptrdiff_t apart[MOST_COORDINATES], sizes[MOST_COORDINATES];
    int dims, has_bad;
    ptrdiff_t bytes; /* of what lies at a coordinate */
} Located;

static void take_located(void *job, ptrdiff_t begin, ptrdiff_t end) {
    Located *l = (Located *)job;
    for (ptrdiff_t i = begin; i < end; i++) {
        ptrdiff_t place = 0;
        int is_bad = 0;
        for (int d = 0; d < l->dims; d++) {
            int64_t at = *(const int64_t *)(l->at[d] + i * l->apart[d]);
            at += at < 0 ? l->sizes[d] : 0;
            is_bad |= at < 0 || at >= l->sizes[d];
            place = place * l->sizes[d] + at;
        }
        if (is_bad)
            l->has_bad = 1;
        else if (l->bytes == 4)
            memcpy(l->out + i * 4, l->x + place * 4, 4);
        else if (l->bytes == 8)
            memcpy(l->out + i * 8, l->x + place * 8, 8);
        else
            memcpy(l->out + i * l->bytes, l->x + place * l->bytes, (size_t)l->bytes);
    }
}
