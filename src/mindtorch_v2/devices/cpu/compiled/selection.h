/* Elements at places along the middle of (outer, n, inner): read, written or added to. Callers have seen to it that all
   places exist (are_within). */
#include "vmath.h"

typedef struct selection selection;
typedef void (*selecting)(selection *, ptrdiff_t, ptrdiff_t);

struct selection {
    selecting run;
    char *out;
    const char *x; /* what is read; a single element where step is 0 */
    const int64_t *places;
    ptrdiff_t outer, n, count, inner; /* n elements along the dimension, count places */
    ptrdiff_t step;
    int has_bad; /* set where a place does not exist */
};

#define EACH_PLACE(action)                                                                                           \
    for (ptrdiff_t i = begin; i < end; i++) {                                                                        \
        const ptrdiff_t first = i * s->count * s->inner, line = i * s->n * s->inner;                                 \
        if (s->inner == 1)                                                                                           \
            for (ptrdiff_t at = first; at < first + s->count; at++) {                                                \
                const ptrdiff_t there = line + s->places[at];                                                        \
                action;                                                                                              \
            }                                                                                                        \
        else                                                                                                         \
            for (ptrdiff_t j = 0; j < s->count; j++)                                                                 \
                for (ptrdiff_t k = 0; k < s->inner; k++) {                                                           \
                    const ptrdiff_t at = first + j * s->inner + k, there = line + s->places[at] * s->inner + k;      \
                    action;                                                                                          \
                }                                                                                                    \
    }
#define GATHER(T)                                                                                                    \
    static void gather_##T(selection *s, ptrdiff_t begin, ptrdiff_t end) {                                           \
        const T *x = (const T *)s->x;                                                                                \
        T *out = (T *)s->out;                                                                                        \
        EACH_PLACE(out[at] = x[there])                                                                               \
    }
#define SCATTER(name, T, SIGN)                                                                                       \
    static void name##_##T(selection *s, ptrdiff_t begin, ptrdiff_t end) {                                           \
        const T *x = (const T *)s->x;                                                                                \
        T *out = (T *)s->out;                                                                                        \
        if (s->step)                                                                                                 \
            EACH_PLACE(out[there] SIGN x[at])                                                                        \
        else                                                                                                         \
            EACH_PLACE(out[there] SIGN x[0])                                                                         \
    }
GATHER(uint8_t) GATHER(uint16_t) GATHER(uint32_t) GATHER(uint64_t)
SCATTER(scatter, uint8_t, =) SCATTER(scatter, uint16_t, =) SCATTER(scatter, uint32_t, =) SCATTER(scatter, uint64_t, =)
SCATTER(scatter_add, float, +=) SCATTER(scatter_add, double, +=)
SCATTER(scatter_add, uint32_t, +=) SCATTER(scatter_add, uint64_t, +=) /* integers of either sign wrap around alike */
#undef GATHER
#undef SCATTER
#undef EACH_PLACE

/* by the bytes of an element */
static const selecting gather_loops[9] = {[1] = gather_uint8_t, [2] = gather_uint16_t, [4] = gather_uint32_t,
                                          [8] = gather_uint64_t};
static const selecting scatter_loops[9] = {[1] = scatter_uint8_t, [2] = scatter_uint16_t, [4] = scatter_uint32_t,
                                           [8] = scatter_uint64_t};
static const selecting add_loops[4] = {scatter_add_float, scatter_add_double, scatter_add_uint32_t,
                                       scatter_add_uint64_t};

CLONES static int are_within(const int64_t *places, ptrdiff_t count, ptrdiff_t n) {
    int64_t outside = 0;
    for (ptrdiff_t i = 0; i < count; i++) outside |= places[i] | (n - 1 - places[i]); /* negative where it is outside */
    return outside >= 0;
}

/* Which lines name places that do not exist. */
static void check_places(void *job, ptrdiff_t begin, ptrdiff_t end) {
    selection *s = (selection *)job;
    const ptrdiff_t width = s->count * s->inner;
    if (!are_within(s->places + begin * width, (end - begin) * width, s->n)) s->has_bad = 1;
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
enum { MOST_SIZES = 64, STRIP = 16384, PIECE = 256 };

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
        t->counts[i] = count_true(t->x + i * STRIP, t->n - i * STRIP < STRIP ? t->n - i * STRIP : STRIP);
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
    ptrdiff_t i = begin * STRIP, rest = i;
    const ptrdiff_t stop = end * STRIP < t->n ? end * STRIP : t->n;
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
