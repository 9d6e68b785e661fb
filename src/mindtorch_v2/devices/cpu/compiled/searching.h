/* Places among sorted numbers, and where runs of equal numbers begin, for numbers of every type that is compared. */
#include "vmath.h"

enum { LOOKED_AT_ONCE = 256 };

typedef struct {
    const char *boundaries, *values;
    int64_t *out;
    ptrdiff_t count, of_row; /* boundaries of a row, and values that are looked for in it */
    int right;               /* behind those that are equal, or before them */
} search;

typedef void (*place_loop)(void *job, ptrdiff_t begin, ptrdiff_t end);
typedef ptrdiff_t (*run_loop)(int64_t *starts, const void *x, ptrdiff_t n);

/* A NaN comes behind everything, whether it is looked for or stands among the boundaries. */
#define SEARCH(T)                                                                                                    \
    static void places_##T(void *job, ptrdiff_t begin, ptrdiff_t end) {                                              \
        const search *s = (const search *)job;                                                                       \
        const T *row = (const T *)s->boundaries + begin / s->of_row * s->count;                                      \
        ptrdiff_t next = (begin / s->of_row + 1) * s->of_row; /* where another row begins */                         \
        for (ptrdiff_t i = begin; i < end; i++) {                                                                    \
            if (i == next) row += s->count, next += s->of_row;                                                       \
            const T value = ((const T *)s->values)[i];                                                               \
            ptrdiff_t low = 0, left = s->count;                                                                      \
            while (left > 0) { /* without a branch that nobody could foresee */                                      \
                const ptrdiff_t half = left >> 1;                                                                    \
                const ptrdiff_t is_before = s->right ? !(row[low + half] > value) : !(row[low + half] >= value);     \
                low += (half + 1) & -is_before;                                                                      \
                left = half + ((left - 2 * half - 1) & -is_before);                                                  \
            }                                                                                                        \
            s->out[i] = low;                                                                                         \
        }                                                                                                            \
    }                                                                                                                \
    CLONES static ptrdiff_t changes_##T(const T *x, ptrdiff_t begin, ptrdiff_t end) {                                \
        ptrdiff_t count = 0;                                                                                         \
        for (ptrdiff_t i = begin; i < end; i++) count += x[i] != x[i - 1];                                           \
        return count;                                                                                                \
    }                                                                                                                \
    static ptrdiff_t runs_##T(int64_t *starts, const void *in, ptrdiff_t n) {                                        \
        const T *x = (const T *)in;                                                                                  \
        ptrdiff_t count = n > 0;                                                                                     \
        if (!starts) return count + changes_##T(x, 1, n);                                                            \
        starts[0] = 0;                                                                                               \
        for (ptrdiff_t begin = 1; begin < n; begin += LOOKED_AT_ONCE) {                                              \
            const ptrdiff_t end = n - begin < LOOKED_AT_ONCE ? n : begin + LOOKED_AT_ONCE;                           \
            for (ptrdiff_t i = changes_##T(x, begin, end) ? begin : end; i < end; i++) {                             \
                starts[count] = i; /* stays if a run begins here */                                                  \
                count += x[i] != x[i - 1];                                                                           \
            }                                                                                                        \
        }                                                                                                            \
        return count;                                                                                                \
    }
SEARCH(float)
SEARCH(double)
SEARCH(int8_t)
SEARCH(uint8_t)
SEARCH(int16_t)
SEARCH(int32_t)
SEARCH(int64_t)
#undef SEARCH
enum { COMPARED = 7 };
static const place_loop place_loops[COMPARED] = {places_float,   places_double,  places_int8_t, places_uint8_t,
                                                 places_int16_t, places_int32_t, places_int64_t};
static const run_loop run_loops[COMPARED] = {runs_float,   runs_double,  runs_int8_t, runs_uint8_t,
                                             runs_int16_t, runs_int32_t, runs_int64_t};

/* How often each number occurs; the first place of one that is not counted is returned, or -1. */
static ptrdiff_t count_numbers(int64_t *out, ptrdiff_t size, const int64_t *x, ptrdiff_t n) {
    for (ptrdiff_t i = 0; i < n; i++) {
        if ((uint64_t)x[i] >= (uint64_t)size) return i;
        out[x[i]]++;
    }
    return -1;
}

/* How many numbers lie in each bin between edges; a bin holds its lower edge, the last one its upper edge, too. Where it
   would be among bins of one width is where the search begins. */
#define COUNT_BETWEEN(T)                                                                                             \
    static void count_between_##T(int64_t *out, const T *edges, ptrdiff_t bins, const T *x, ptrdiff_t n) {           \
        const T first = edges[0], last = edges[bins], scale = (T)bins / (last - first);                              \
        const T factor = scale < (T)1e30 ? scale : 0;                                                                \
        for (ptrdiff_t i = 0; i < n; i++) {                                                                          \
            const T value = x[i];                                                                                    \
            if (!(value >= first && value <= last)) continue;                                                        \
            ptrdiff_t at = (ptrdiff_t)((value - first) * factor), high = bins;                                       \
            at = at < bins ? at : bins - 1;                                                                          \
            if (value < edges[at]) at--;                                                                             \
            if (at < bins - 1 && value >= edges[at + 1]) at++;                                                       \
            if (value < edges[at] || (at < bins - 1 && value >= edges[at + 1])) {                                    \
                for (at = 0; at + 1 < high;) {                                                                       \
                    const ptrdiff_t middle = at + (high - at) / 2;                                                   \
                    if (value >= edges[middle])                                                                      \
                        at = middle;                                                                                 \
                    else                                                                                             \
                        high = middle;                                                                               \
                }                                                                                                    \
            }                                                                                                        \
            out[at]++;                                                                                               \
        }                                                                                                            \
    }
COUNT_BETWEEN(float)
COUNT_BETWEEN(double)
#undef COUNT_BETWEEN
