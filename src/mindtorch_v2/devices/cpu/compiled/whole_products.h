/* Products of matrices of whole numbers, which wrap around: a row of the result at a time. */
#ifndef MINDTORCH_WHOLE_PRODUCTS_H
#define MINDTORCH_WHOLE_PRODUCTS_H
#include "vmath.h"

typedef struct {
    ptrdiff_t m, n, k; /* of each item of a batch; all lie in C order */
    const void *a, *b;
    void *out;
} WholeProduct;

#define WHOLE_PRODUCT(T)                                                                                              \
    INLINE T dot_##T(const T *a, const T *b, ptrdiff_t k) {                                                           \
        T total = 0;                                                                                                  \
        for (ptrdiff_t p = 0; p < k; p++) total += (T)(a[p] * b[p]);                                                  \
        return total;                                                                                                 \
    }                                                                                                                 \
    CLONES static void whole_rows_##T(void *job, ptrdiff_t begin, ptrdiff_t end) {                                    \
        const WholeProduct *w = (const WholeProduct *)job;                                                            \
        const ptrdiff_t n = w->n, k = w->k;                                                                           \
        for (ptrdiff_t row = begin; row < end; row++) {                                                               \
            const T *a = (const T *)w->a + row * k, *b = (const T *)w->b + row / w->m * k * n;                        \
            T *out = (T *)w->out + row * n;                                                                           \
            if (n == 1) {                                                                                             \
                *out = dot_##T(a, b, k);                                                                              \
                continue;                                                                                             \
            }                                                                                                         \
            ptrdiff_t p = 0;                                                                                          \
            FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) out[j] = 0;                                                   \
            for (; p + 4 <= k; p += 4, b += 4 * n) {                                                                  \
                const T f0 = a[p], f1 = a[p + 1], f2 = a[p + 2], f3 = a[p + 3];                                       \
                FREE_LOOP for (ptrdiff_t j = 0; j < n; j++)                                                           \
                    out[j] += (T)(f0 * b[j]) + (T)(f1 * b[n + j]) + (T)(f2 * b[2 * n + j]) + (T)(f3 * b[3 * n + j]);  \
            }                                                                                                         \
            for (; p < k; p++, b += n) FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) out[j] += (T)(a[p] * b[j]);        \
        }                                                                                                             \
    }
WHOLE_PRODUCT(uint8_t)
WHOLE_PRODUCT(uint16_t)
WHOLE_PRODUCT(uint32_t)
WHOLE_PRODUCT(uint64_t)
#undef WHOLE_PRODUCT
#endif
