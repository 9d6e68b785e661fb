/* Order within rows by keys: unsigned numbers that are ordered as the elements are, NaN being the largest. Equal
   elements keep their order. Many are sorted by their digits, the first few of many are kept in a heap. */
#include "vmath.h"

enum { DIGITS = 256, FEW = 48 };

/* Keys of 32 and 64 bits; descending order is that of the inverted keys. */
INLINE uint32_t key_f32(float x) {
    uint32_t bits;
    if (x != x) return UINT32_MAX;
    x += 0.0f; /* -0 equals 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
INLINE uint64_t key_f64(double x) {
    uint64_t bits;
    if (x != x) return UINT64_MAX;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (1ull << 63);
}
INLINE uint32_t key_i32(int32_t x) { return (uint32_t)x ^ 0x80000000u; }
INLINE uint64_t key_i64(int64_t x) { return (uint64_t)x ^ (1ull << 63); }

#define ORDER(KEY, BITS)                                                                                             \
    typedef struct {                                                                                                 \
        KEY key;                                                                                                     \
        uint32_t place;                                                                                              \
    } item##BITS;                                                                                                    \
    INLINE int before##BITS(item##BITS a, item##BITS b) {                                                            \
        return a.key < b.key || (a.key == b.key && a.place < b.place);                                               \
    }                                                                                                                \
    static void insert_all##BITS(item##BITS *items, ptrdiff_t n) {                                                   \
        for (ptrdiff_t i = 1; i < n; i++) {                                                                          \
            const item##BITS item = items[i];                                                                        \
            ptrdiff_t at = i;                                                                                        \
            for (; at > 0 && before##BITS(item, items[at - 1]); at--) items[at] = items[at - 1];                     \
            items[at] = item;                                                                                        \
        }                                                                                                            \
    }                                                                                                                \
    /* The sorted items, which end up in one of the two. */                                                          \
    static item##BITS *sort##BITS(item##BITS *items, item##BITS *other, ptrdiff_t n) {                               \
        ptrdiff_t counts[BITS / 8][DIGITS];                                                                          \
        if (n <= FEW) {                                                                                              \
            insert_all##BITS(items, n);                                                                              \
            return items;                                                                                            \
        }                                                                                                            \
        memset(counts, 0, sizeof counts);                                                                            \
        for (ptrdiff_t i = 0; i < n; i++)                                                                            \
            for (int digit = 0; digit < BITS / 8; digit++) counts[digit][items[i].key >> 8 * digit & 255]++;         \
        for (int digit = 0; digit < BITS / 8; digit++) {                                                             \
            ptrdiff_t *count = counts[digit], start = 0;                                                             \
            if (count[items[0].key >> 8 * digit & 255] == n) continue; /* one digit for all */                       \
            for (int d = 0; d < DIGITS; d++) {                                                                       \
                const ptrdiff_t here = count[d];                                                                     \
                count[d] = start;                                                                                    \
                start += here;                                                                                       \
            }                                                                                                        \
            for (ptrdiff_t i = 0; i < n; i++) other[count[items[i].key >> 8 * digit & 255]++] = items[i];            \
            item##BITS *swapped = items;                                                                             \
            items = other;                                                                                           \
            other = swapped;                                                                                         \
        }                                                                                                            \
        return items;                                                                                                \
    }                                                                                                                \
    static void sift##BITS(item##BITS *heap, ptrdiff_t k, ptrdiff_t at, item##BITS item) {                           \
        for (;;) {                                                                                                   \
            ptrdiff_t child = 2 * at + 1;                                                                            \
            if (child >= k) break;                                                                                   \
            if (child + 1 < k && before##BITS(heap[child], heap[child + 1])) child++;                                \
            if (!before##BITS(item, heap[child])) break;                                                             \
            heap[at] = heap[child];                                                                                  \
            at = child;                                                                                              \
        }                                                                                                            \
        heap[at] = item;                                                                                             \
    }                                                                                                                \
    /* The first k to the front, in order; other is memory for k. */                                                 \
    static item##BITS *first##BITS(item##BITS *items, item##BITS *other, ptrdiff_t n, ptrdiff_t k) {                 \
        if (4 * k > n) return sort##BITS(items, other, n);                                                           \
        for (ptrdiff_t at = k / 2 - 1; at >= 0; at--) sift##BITS(items, k, at, items[at]);                           \
        for (ptrdiff_t i = k; i < n; i++)                                                                            \
            if (before##BITS(items[i], items[0])) sift##BITS(items, k, 0, items[i]);                                 \
        for (ptrdiff_t i = 0; i < k; i++) other[i] = items[i];                                                       \
        item##BITS *sorted = sort##BITS(other, items + k, k);                                                        \
        if (k <= FEW) return sorted;                                                                                 \
        /* digits alone do not tell equal keys apart by their places, which a heap has mixed up */                   \
        for (ptrdiff_t begin = 0, end; begin < k; begin = end) {                                                     \
            for (end = begin + 1; end < k && sorted[end].key == sorted[begin].key; end++) {}                         \
            if (end > begin + 1) insert_all##BITS(sorted + begin, end - begin);                                      \
        }                                                                                                            \
        return sorted;                                                                                               \
    }
ORDER(uint32_t, 32)
ORDER(uint64_t, 64)
#undef ORDER

typedef struct {
    const char *x;
    int64_t *order;
    char *memory; /* for each row that is at work: two lists of items */
    ptrdiff_t n, k;
    int kind, is_descending, has_failed;
} ordering;

enum { OF_F32, OF_F64, OF_I32, OF_I64 };
static const ptrdiff_t item_sizes[4] = {sizeof(item32), sizeof(item64), sizeof(item32), sizeof(item64)};

#define ORDER_ROWS(suffix, T, KEY, BITS)                                                                             \
    static void order_rows_##suffix(const ordering *o, ptrdiff_t begin, ptrdiff_t end, void *memory) {               \
        item##BITS *items = (item##BITS *)memory, *other = items + o->n;                                             \
        for (ptrdiff_t row = begin; row < end; row++) {                                                              \
            const T *x = (const T *)o->x + row * o->n;                                                               \
            const KEY turned = o->is_descending ? (KEY)-1 : 0;                                                       \
            for (ptrdiff_t i = 0; i < o->n; i++) {                                                                   \
                items[i].key = key_##suffix(x[i]) ^ turned;                                                          \
                items[i].place = (uint32_t)i;                                                                        \
            }                                                                                                        \
            const item##BITS *sorted = first##BITS(items, other, o->n, o->k);                                        \
            for (ptrdiff_t i = 0; i < o->k; i++) o->order[row * o->k + i] = sorted[i].place;                         \
        }                                                                                                            \
    }
ORDER_ROWS(f32, float, uint32_t, 32)
ORDER_ROWS(f64, double, uint64_t, 64)
ORDER_ROWS(i32, int32_t, uint32_t, 32)
ORDER_ROWS(i64, int64_t, uint64_t, 64)
#undef ORDER_ROWS

static void order_rows(const ordering *o, ptrdiff_t begin, ptrdiff_t end, void *memory) {
    if (o->kind == OF_F32)
        order_rows_f32(o, begin, end, memory);
    else if (o->kind == OF_F64)
        order_rows_f64(o, begin, end, memory);
    else if (o->kind == OF_I32)
        order_rows_i32(o, begin, end, memory);
    else
        order_rows_i64(o, begin, end, memory);
}
