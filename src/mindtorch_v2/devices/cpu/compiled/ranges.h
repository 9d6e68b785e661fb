/* Numbers in a row, rounded where torch rounds them. */
#include "half.h"

enum { VECTOR_BYTES = 32 }; /* torch computes floating-point ranges in vectors of so many bytes */

typedef struct {
    void *out;
    ptrdiff_t n;
    double start, step, end;
    int64_t first, by; /* start and step of whole numbers */
    const double *exponents;
} row_of_numbers;

/* A double as the half precision next to it: a float whose last bit tells of what was cut off, and which rounds alike. */
INLINE uint16_t float16_of(double x) {
    const double magnitude = fabs(x);
    uint64_t bits;
    uint32_t cut;
    memcpy(&bits, &x, sizeof bits);
    const int is_exact = !(bits & 0x1FFFFFFF) | !(magnitude < 1e30) | (magnitude < 1e-30);
    if (!is_exact) bits &= ~(uint64_t)0x1FFFFFFF;
    memcpy(&x, &bits, sizeof x);
    float single = (float)x;
    memcpy(&cut, &single, sizeof cut);
    cut |= !is_exact;
    memcpy(&single, &cut, sizeof single);
    return to_float16(single);
}
INLINE double of_float16(uint16_t x) { return from_float16(x); }
INLINE uint16_t bfloat16_of(double x) { return to_bfloat16((float)x); }
INLINE double of_bfloat16(uint16_t x) { return from_bfloat16(x); }
INLINE float float32_of(double x) { return (float)x; }
INLINE double of_float32(float x) { return x; }
INLINE double float64_of(double x) { return x; }
INLINE double of_float64(double x) { return x; }

/* start + i * step; torch rounds at the head of each vector, but for what does not fill two of them. */
#define IN_VECTORS(type, T)                                                                                          \
    CLONES static void vectors_##type(void *job, ptrdiff_t begin, ptrdiff_t end) {                                   \
        const row_of_numbers *r = (const row_of_numbers *)job;                                                       \
        const double start = r->start, step = r->step;                                                               \
        enum { lanes = VECTOR_BYTES / sizeof(T) };                                                                   \
        const ptrdiff_t whole = r->n - r->n % (2 * lanes), stop = end * lanes < whole ? end * lanes : whole;         \
        T *out = (T *)r->out;                                                                                        \
        ptrdiff_t i = begin * lanes;                                                                                 \
        for (; i < stop; i += lanes) {                                                                               \
            const double head = of_##type(type##_of(fma((double)i, step, start)));                                   \
            for (int lane = 0; lane < lanes; lane++) out[i + lane] = type##_of(fma((double)lane, step, head));       \
        }                                                                                                            \
        for (; i < end * lanes && i < r->n; i++) out[i] = type##_of(fma((double)i, step, start));                    \
    }
IN_VECTORS(float32, float)
IN_VECTORS(float64, double)
IN_VECTORS(float16, uint16_t)
IN_VECTORS(bfloat16, uint16_t)
#undef IN_VECTORS

/* The same of whole numbers, which wrap around. */
#define WHOLE(type)                                                                                                  \
    CLONES static void whole_##type(void *job, ptrdiff_t begin, ptrdiff_t end) {                                     \
        const row_of_numbers *r = (const row_of_numbers *)job;                                                       \
        const uint64_t start = (uint64_t)r->first, step = (uint64_t)r->by;                                           \
        type##_t *out = (type##_t *)r->out;                                                                          \
        for (ptrdiff_t i = begin; i < end; i++) out[i] = (type##_t)(start + (uint64_t)i * step);                     \
    }
WHOLE(uint8) WHOLE(int8) WHOLE(int16) WHOLE(int32) WHOLE(int64)
#undef WHOLE

/* Counted from both ends, so that both are met exactly; whole numbers in double precision. */
#define BETWEEN(suffix, T, OUT, FMA)                                                                                 \
    CLONES static void between_##suffix(void *job, ptrdiff_t begin, ptrdiff_t end) {                                 \
        const row_of_numbers *r = (const row_of_numbers *)job;                                                       \
        const T first = (T)r->start, last = (T)r->end, step = (last - first) / (T)(r->n - 1);                        \
        const ptrdiff_t middle = r->n / 2, stop = end < middle ? end : middle;                                       \
        OUT *out = (OUT *)r->out;                                                                                    \
        ptrdiff_t i = begin;                                                                                         \
        for (; i < stop; i++) out[i] = (OUT)FMA((T)i, step, first);                                                  \
        for (; i < end; i++) out[i] = (OUT)FMA((T)(r->n - 1 - i), -step, last);                                      \
    }
BETWEEN(float32, float, float, fmaf)
BETWEEN(float64, double, double, fma)
BETWEEN(uint8, double, uint8_t, fma)
BETWEEN(int8, double, int8_t, fma)
BETWEEN(int16, double, int16_t, fma)
BETWEEN(int32, double, int32_t, fma)
BETWEEN(int64, double, int64_t, fma)
#undef BETWEEN

/* Half precision rounds after every step, which no processor fuses. */
#define BETWEEN_HALVES(type)                                                                                         \
    INLINE float rounded_##type(float x) { return from_##type(to_##type(x)); }                                       \
    CLONES static void between_##type(void *job, ptrdiff_t begin, ptrdiff_t end) {                                   \
        const row_of_numbers *r = (const row_of_numbers *)job;                                                       \
        const float first = (float)of_##type(type##_of(r->start)), last = (float)of_##type(type##_of(r->end));       \
        const float step = rounded_##type(rounded_##type(last - first) / (float)of_##type(type##_of((double)(r->n - 1)))); \
        const ptrdiff_t middle = r->n / 2, stop = end < middle ? end : middle;                                       \
        uint16_t *out = (uint16_t *)r->out;                                                                          \
        ptrdiff_t i = begin;                                                                                         \
        for (; i < stop; i++) out[i] = to_##type(rounded_##type((float)of_##type(type##_of((double)i)) * step) + first); \
        for (; i < end; i++)                                                                                         \
            out[i] = to_##type(rounded_##type((float)of_##type(type##_of((double)(r->n - 1 - i))) * -step) + last);  \
    }
BETWEEN_HALVES(float16)
BETWEEN_HALVES(bfloat16)
#undef BETWEEN_HALVES

/* The C library's powers of one base, to the last bit. */
static void powers_of_base(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const row_of_numbers *r = (const row_of_numbers *)job;
    for (ptrdiff_t i = begin; i < end; i++) ((double *)r->out)[i] = pow(r->start, r->exponents[i]);
}

/* The rows, then the columns, of the elements on a diagonal and below, or above, it. */
typedef struct {
    int64_t *places;
    ptrdiff_t columns, offset, count;
    int lower;
} triangle;

INLINE ptrdiff_t within(ptrdiff_t x, ptrdiff_t size) { return x < 0 ? 0 : x > size ? size : x; }

static ptrdiff_t row_begins(const triangle *t, ptrdiff_t row) { return t->lower ? 0 : within(row + t->offset, t->columns); }
static ptrdiff_t row_ends(const triangle *t, ptrdiff_t row) {
    return t->lower ? within(row + t->offset + 1, t->columns) : t->columns;
}

static ptrdiff_t positions_of(const triangle *t, ptrdiff_t rows) {
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < rows; i++) count += row_ends(t, i) - row_begins(t, i);
    return count;
}

CLONES static void write_positions(const triangle *t, ptrdiff_t rows) {
    int64_t *row = t->places, *column = t->places + t->count;
    for (ptrdiff_t i = 0; i < rows; i++) {
        const ptrdiff_t first = row_begins(t, i), n = row_ends(t, i) - first;
        for (ptrdiff_t j = 0; j < n; j++) row[j] = i;
        for (ptrdiff_t j = 0; j < n; j++) column[j] = first + j;
        row += n, column += n;
    }
}
